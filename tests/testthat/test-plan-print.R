lines_of <- function(plan, ...) format(plan, ...)

test_that("a plan says its cost, that of other strategies, and what to do", {
  withr::local_options(width = 80, digits = 7)
  expect_snapshot({
    two_tests()
    wide_plan()
    panel_plan()
  })
})

test_that("with n all lines are shown, without it the branches that most cases take", {
  skip_on_cran()
  plan <- wide_plan()
  withr::local_options(width = 80)
  all <- lines_of(plan, n = 40)
  expect_no_match(all, "more line")
  few <- lines_of(plan)
  expect_lte(length(few), 44L)
  hidden <- as.integer(sub(".*[(]([0-9]+) more lines?[)]$", "\\1", grep("more lines?[)]$", few,
                                                                       value = TRUE)))
  # The lines that are left out below nodes are those of the last sentence.
  expect_match(few, sprintf("... and %d more lines: print(n = 40)", sum(hidden)), fixed = TRUE,
               all = FALSE)
  text <- paste(few, collapse = " ")
  for (way in c("as.data.frame()", "max_depth", "min_probability")) {
    expect_match(text, way, fixed = TRUE)
  }
  expect_match(lines_of(plan, n = 0), "... and 40 more lines", fixed = TRUE, all = FALSE)
  expect_match(lines_of(plan, n = 3), "... and 37 more lines", fixed = TRUE, all = FALSE)
})

test_that("the distance to the best plan is stated, and what it is known from", {
  plan <- two_tests()
  first <- function(...) {
    plan[...names()] <- list(...)
    lines_of(plan)[[2L]]
  }
  near <- first(exact = FALSE, lower = 0.42)
  expect_match(near, "0.423; at most 0.003 above the least possible", fixed = TRUE)
  drawn <- first(exact = FALSE, lower = 0.42, error = 0.00123)
  expect_match(drawn, "0.423 (standard error 0.0012); about", fixed = TRUE)
  plan$exact <- FALSE
  plan$error <- 0.00123
  plan$lower <- NA_real_
  expect_match(paste(lines_of(plan), collapse = " "), "is not +known, estimated from random values")
  plan <- two_tests()
  plan$max_tests <- 2
  expect_match(lines_of(plan), "no plan costs less with at most 2 tests", all = FALSE)
  plan$loss <- 0.01234
  expect_match(lines_of(plan), "smaller than the full one and costs 0.012 more", all = FALSE)
  plan$loss <- 1e-17
  expect_no_match(lines_of(plan), "full one")
})

test_that("what was known, visits, and all tests in one visit", {
  withr::local_options(width = 80)
  known <- hand_plan(
    plan_world(c(ill = 0.1, well = 0.9), list(a = list(p = rbind(
      ill = c(pos = 0.9, neg = 0.1), well = c(0.2, 0.8)
    ))), treat_or_wait()), given = list(age = 41.5, size = NA, sex = factor("f"))
  )
  expect_match(lines_of(known), "known: age = 41.5, sex = f", fixed = TRUE, all = FALSE)
  same <- known
  same$given <- list2DF(known$given)
  expect_identical(lines_of(same), lines_of(known))
  expect_match(lines_of(known), "before any test: ill 0.1, well 0.9", all = FALSE)
  visit <- two_tests(price = 0.01, visit = 0.2)
  expect_match(lines_of(visit), "each price includes 0.2 for a visit", all = FALSE)
  expect_match(lines_of(visit), "all tests at once cost less: they need one visit", all = FALSE)
  expect_no_match(lines_of(two_tests()), "visit|cost less:")
})

test_that("a plan that measures nothing says so", {
  alone <- two_tests(price = 3)
  expect_identical(nrow(alone$tree), 1L)
  text <- lines_of(alone)
  expect_match(text, "no test is worth its price", all = FALSE)
  expect_match(text, "^  wait, expected cost 0.8$", all = FALSE)
  expect_identical(nrow(tidy(alone)), 1L)
  expect_identical(tidy(alone)$path, "start")
})

test_that("infinite costs are numbers like others, and no saving is made of two", {
  sure <- rbind(ill = c(pos = 1, neg = 0), well = c(pos = 0, neg = 1))
  never <- cost_matrix(treat = c(ill = 0, well = Inf), wait = c(ill = Inf, well = 0))
  plan_of <- function(p) {
    hand_plan(plan_world(c(ill = 0.1, well = 0.9), list(a = list(p = p)), never, 0.5))
  }
  finite <- plan_of(sure)
  expect_identical(finite$value, 0.5)
  text <- lines_of(finite)
  expect_match(text, "decide now +Inf +-$", all = FALSE)
  expect_match(text, "this plan +0.5 +Inf$", all = FALSE)
  expect_match(text, "pos (10 %): treat, expected cost 0", fixed = TRUE, all = FALSE)
  hopeless <- plan_of(replace(sure, 1:4, 0.5))
  expect_match(lines_of(hopeless), "^  treat, expected cost Inf$", all = FALSE)
  hopeless$exact <- FALSE
  expect_match(lines_of(hopeless), "the distance to the best plan is not known", all = FALSE)
})

test_that("gains are printed as gains", {
  gain <- utility_matrix(treat = c(ill = 8, well = -4), wait = 0)
  # 8 for each of the ill less than the costs of the example.
  plan <- two_tests(gain)
  expect_within(plan$value, 0.423 - 0.8, 1e-12)
  text <- lines_of(plan)
  expect_match(text, "expected gain per case 0.377; no plan gains more", all = FALSE)
  expect_match(text, "strategy +gain saving", all = FALSE)
  expect_match(text, "treat, expected gain 4.308", all = FALSE)
  expect_no_match(text, "expected cost")
  plan$exact <- FALSE
  plan$lower <- plan$lower - 0.01
  expect_match(lines_of(plan), "at most 0.01 below the largest possible", all = FALSE)
})

test_that("strategies whose cost is not known have a dash", {
  plan <- two_tests()
  plan$all <- plan$myopic <- NA_real_
  expect_match(lines_of(plan), "all tests at once +- +-$", all = FALSE)
  expect_match(lines_of(plan), "next_feature[(][)] each time +- +-$", all = FALSE)
})

test_that("one class, and many classes", {
  p <- rbind(only = c(pos = 0.3, neg = 0.7))
  one <- hand_plan(plan_world(c(only = 1), list(a = list(p = p)), cost_matrix(go = c(only = 2))))
  expect_match(lines_of(one), "before any test: only 1", all = FALSE)
  classes <- sprintf("class number %02d", 1:19)
  plan <- two_tests()
  plan$classes <- classes
  plan$prior <- stats::setNames(rep(1 / 19, 19), classes)
  expect_match(lines_of(plan), "before any test: class number 01 0.05263, .*[.]{3} [(]19[)]",
               all = FALSE)
})

test_that("odd names stay what they are, in the console and in reports", {
  odd <- c("a\nb", "`c` ```` | *d*")
  plan <- two_tests(names = odd)
  text <- lines_of(plan)
  expect_match(text, "measure a\\nb (price 0.1)", fixed = TRUE, all = FALSE)
  expect_match(text, "measure `c` ```` | *d* (price 0.1)", fixed = TRUE, all = FALSE)
  skip_if_not_installed("knitr")
  report <- strsplit(as.character(knitr::knit_print(plan)), "\n")[[1L]]
  # The fence has more backticks than any name.
  fence <- which(report == "`````")
  expect_length(fence, 2L)
  inside <- report[seq(fence[[1L]] + 1L, fence[[2L]] - 1L)]
  expect_identical(inside, grep("measure|treat|wait", text, value = TRUE))
})

test_that("long names and deep trees fit the width", {
  skip_on_cran()
  long <- strrep("a very long name of a test ", 4)
  for (width in c(40L, 60L, 80L)) {
    withr::local_options(width = width)
    plans <- list(deep_plan(40), two_tests(names = paste0(long, 1:2)), wide_plan())
    for (plan in plans) {
      expect_lte(max(nchar(lines_of(plan), "width")), width)
      expect_lte(max(nchar(lines_of(plan, n = 100), "width")), width)
    }
  }
  withr::local_options(width = 80)
  expect_match(lines_of(deep_plan(40), n = 100), "  [depth 40] neg (80 %): wait, expected cost 1",
               fixed = TRUE, all = FALSE)
  # Names that differ only in their end stay different.
  expect_match(lines_of(plans[[2L]]), "[.]{3}.*1 [(]price", all = FALSE)
})

test_that("shares are never 0 or 100 % unless they are", {
  expect_identical(
    share_texts(c(0, 1e-9, 0.00096, 0.046, 0.4567, 0.99, 0.9999, 1)),
    paste(c("0", "under 0.1", "0.096", "4.6", "46", "99", "over 99", "100"), "%")
  )
})

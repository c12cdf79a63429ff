table_of <- function(...) {
  data.frame(candidate = factor(rep(c("a", "b"), each = 3), c("a", "b")), fold = rep(1:3, 2), ...)
}

test_that("folds with one problem share a line", {
  lines <- fold_problem_lines(table_of(problem = c("x", NA, "x", NA, "x", "y")))
  expect_identical(lines, c("a, folds 1, 3: x", "b, fold 2: x", "b, fold 3: y"))
  expect_identical(fold_problem_lines(table_of(problem = NA_character_)), character())
})

test_that("only candidates that leave cases undecided are counted", {
  counts <- undecided_cases(table_of(cases = 5, decided = c(5, 5, 5, 5, 3, 0)))
  expect_identical(c(counts), c(b = 7))
})

test_that("nothing to say is no warning; braces in names are no templates", {
  expect_no_warning(warn_folds(character(), NULL, FALSE, NULL))
  expect_warning(
    warn_folds("{x}, fold 1: %s {", NULL, FALSE, NULL), "{x}, fold 1: %s {", fixed = TRUE
  )
  many <- sprintf("a, fold %d: x", 1:30)
  expect_warning(warn_folds(many, NULL, FALSE, NULL), "20 more", class = "bayesrisk_warning_fold")
})

test_that("why cases have no decision is said where it is known", {
  expect_identical(describe_lost(c(1, 0, 2), c(0, 3, 1)), c(
    "1 case impossible under every class (0/0)", "3 cases of unknown cost",
    "2 cases impossible under every class (0/0) and 1 case of unknown cost"
  ))
  expect_identical(describe_lost(numeric(), numeric()), character())
})

test_that("an interval about an infinite mean is infinite, about none unknown", {
  found <- mean_interval(c(2, Inf, NaN), c(1, NaN, NaN))
  expect_identical(found$lower, c(2 - stats::qnorm(.975), Inf, NA))
  expect_identical(found$upper, c(2 + stats::qnorm(.975), Inf, NA))
})

test_that("a table, what it compares, and what is left out", {
  folds <- rep_len(1:5, 150)
  candidates <- list(naive = bayes_naive(), full = bayes_full())
  data <- droplevels(iris[1:100, ])
  by_class <- ifelse(data$Species == "setosa", "s", rep_len(c("a", "b"), 100))
  expect_snapshot(cv_risk(candidates, Species ~ ., iris, folds = folds))
  one <- cv_risk(bayes_naive(), Species ~ ., iris, folds = 150)
  expect_output(print(one), "left out one by one")
  expect_no_match(capture.output(print(one)), "difference")
  lost <- suppressWarnings(
    cv_risk(bayes_naive(prior = c(.5, .5)), Species ~ ., data, folds = by_class)
  )
  expect_output(print(lost), "naive 50 cases\nnaive, fold s: class \"setosa\"")
})

test_that("a part of the result is a plain table", {
  result <- cv_risk(
    list(naive = bayes_naive(), full = bayes_full()), Species ~ ., iris, folds = rep_len(1:5, 150)
  )
  expect_output(print(result[2, ]), "\n *candidate")
  result$candidate <- c("a", "b")
  expect_output(print(result), "\n *candidate")
  expect_output(print(result["cost"]), "cost")
})

test_that("counts agree with their noun and are written in full", {
  expect_equal(count_of(1, "row", "rows"), "1 row")
  expect_equal(count_of(0, "row", "rows"), "0 rows")
  withr::local_options(scipen = -10, digits = 3)
  expect_equal(count_of(1234567, "row", "rows"), "1234567 rows")
})

test_that("sentences begin with a capital letter", {
  expect_equal(capitalise(c("two rows", "Two rows", "")), c("Two rows", "Two rows", ""))
  expect_equal(
    capitalise(c("decision_regions() gives", "bayes_naive(laplace = 1)", "a (b)")),
    c("decision_regions() gives", "bayes_naive(laplace = 1)", "A (b)")
  )
})

test_that("numbers in a sentence follow options(digits), and names are escaped", {
  withr::local_options(digits = 3)
  expect_equal(format_numbers(c(1 / 3, 2)), "0.333, 2")
  expect_equal(format_numbers(c(a = 1 / 3, "b\n" = 2)), "a 0.333, b\\n 2")
})

test_that("a list of names is cut to the width that it has", {
  labels <- c("alpha", "beta", "gamma")
  expect_equal(fit_list(labels, 18L), "alpha, beta, gamma")
  expect_equal(fit_list(labels, 17L), "alpha, ... (3)")
  expect_equal(fit_list(labels, 1L), "alpha, ... (3)")
})

test_that("a message lists ten features and counts the others", {
  expect_equal(first_features(c("a", "b")), "`a`, `b`")
  expect_match(first_features(sprintf("x%d", 1:11)), "`x10`, ... (11)", fixed = TRUE)
})

test_that("different labels stay different when they are cut", {
  short <- function(text) nchar(text) <= 20L
  groups <- sprintf("Adenocarcinoma of the region, group %02d", 1:12)
  cut <- cut_apart(c(groups, groups[1:2]), short)
  expect_true(all(short(cut)))
  expect_identical(anyDuplicated(cut[1:12]), 0L)
  expect_identical(cut[13:14], cut[1:2])
  expect_identical(cut_apart(c("a", "b"), short), c("a", "b"))
  expect_identical(cut_middle(strrep("m", 30), function(text) nchar(text) <= 3L), "...")
})

test_that("a message shows text with braces as it is", {
  lines <- c("{x}", "a}b{c", "plain")
  expect_identical(cli::format_inline(escape_braces(lines[[2]])), lines[[2]])
  bullets <- bullet_lines(lines, "x")
  expect_named(bullets, rep("x", 3))
  said <- cli::ansi_strip(rlang::catch_cnd(cli::cli_abort(c("Head", bullets)))$body)
  expect_identical(unname(said), lines)
  expect_identical(length(bullet_lines(character(), "x")), 0L)
})

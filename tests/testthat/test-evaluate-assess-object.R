test_that("actions that are no classes are never wrong", {
  counts <- confusion_table(c("a", "b", "b", "a"), c("a", "a", "ask", "ask"))
  expect_identical(
    assessed_errors(counts, 1), list(error = 1 / 4, coverage = 1 / 2, error_decided = 1 / 2)
  )
  none <- confusion_table(c("a", "b"), c("go", "wait"))
  expect_true(all(is.na(unlist(assessed_errors(none, 0)))))
  given_back <- confusion_table(factor(c("a", "b")), factor(c("ask", "ask"), c("a", "ask")))
  expect_identical(assessed_errors(given_back, 0)$error_decided, NA_real_)
})

test_that("a few errors among the certain are chance, many are not", {
  certain <- function(expected, wrong) {
    c(from = 0.99, cases = 100, expected = expected, wrong = wrong)
  }
  expect_false(is_overconfident(NULL))
  expect_false(is_overconfident(certain(0, 0)))
  expect_false(is_overconfident(certain(0.5, 2)))
  expect_true(is_overconfident(certain(0, 1)))
  expect_true(is_overconfident(certain(0.5, 6)))
})

test_that("the price of cases given back is part of the risk, if any is", {
  curve <- list(reject = c(1, Inf), decided = c(3, 4), wrong = c(0, 1), cost = c(2, 7))
  drawn <- coverage_frame(curve, 4, TRUE)
  expect_identical(drawn$risk, c((2 + 1) / 4, 7 / 4))
  expect_identical(coverage_frame(curve, 4, FALSE)$error, c(NA_real_, NA_real_))
  expect_null(coverage_frame(list(reject = numeric()), 4, TRUE))
})

test_that("no case is said without a reason where there is none", {
  model <- bayes_known(c(a = .5, b = .5), x = likelihood_gaussian(mean = c(a = 0, b = 1), sd = 1))
  expect_bayesrisk_error(
    assess_decisions(model, data.frame(x = numeric()), truth = character()), "argument",
    "no case to assess\\.$"
  )
})

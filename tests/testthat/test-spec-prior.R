classes <- c("low", "mid", "high")
resolve <- function(prior, weight = c(5, 2, 3)) resolve_prior(prior, classes, weight, NULL)

test_that("a prior is matched by name, or taken in level order", {
  expect_null(resolve(NULL))
  expect_identical(resolve(c(high = 0.5, low = 0.125, mid = 0.375)), c(0.125, 0.375, 0.5))
  expect_identical(resolve(c(0.125, 0.375, 0.5)), c(0.125, 0.375, 0.5))
  shares <- prop.table(table(c("high", "low", "mid", "mid")))
  expect_identical(resolve(shares), c(0.25, 0.5, 0.25))
})

test_that("a rounded prior is renormalised, a wrong sum is not", {
  prior <- resolve(c(0.2, 0.3, 0.5 + 8e-9))
  expect_equal(sum(prior), 1, tolerance = 1e-15)
  expect_equal(prior, c(0.2, 0.3, 0.5 + 8e-9) / (1 + 8e-9), tolerance = 1e-15)
  ten <- c(.08, .14, .03, .16, .11, .16, .07, .14, .11, 0)
  expect_equal(resolve_prior(ten, letters[1:10], NULL, NULL), ten, tolerance = 1e-15)
  expect_error(resolve(c(0.2, 0.3, 0.5 + 2e-8)), "sum to 1", class = "bayesrisk_error_argument")
})

test_that("uniform is over the classes that have rows", {
  expect_identical(resolve("uniform"), rep(1 / 3, 3))
  expect_identical(resolve("uniform", c(4, 0, 1)), c(0.5, 0, 0.5))
  expect_identical(resolve_prior("uniform", classes, NULL, NULL), rep(1 / 3, 3))
})

test_that("a class without rows can only have prior 0", {
  expect_identical(resolve(c(0.75, 0, 0.25), c(4, 0, 1)), c(0.75, 0, 0.25))
  expect_error(resolve(c(0.5, 0.25, 0.25), c(4, 0, 1)), "prior.*0 for class.*mid",
    class = "bayesrisk_error_argument"
  )
  expect_identical(resolve(c(0.5, 0.25, 0.25), NULL), c(0.5, 0.25, 0.25))
})

test_that("a prior that is not of these classes names the argument and the classes", {
  expect_error(resolve(c(low = 0.5, mid = 0.25, height = 0.25)),
    "prior.*Missing.*high.*Unknown.*height", class = "bayesrisk_error_argument"
  )
  expect_error(resolve(c(low = 0.5, mid = 0.5)), "prior.*Missing.*high",
    class = "bayesrisk_error_argument"
  )
  expect_error(resolve(c(0.5, 0.5)), "prior.*2 numbers for 3 classes",
    class = "bayesrisk_error_argument"
  )
  expect_error(resolve_prior(c(0.5, 0.6), c("a", "b"), NULL, NULL, arg = "trained_prior"),
    "trained_prior", class = "bayesrisk_error_argument"
  )
})

test_that("every prior is resolved or refused", {
  valid <- function(x) is.null(x) || (is.double(x) && length(x) == 2 && abs(sum(x) - 1) < 1e-12)
  expect_fuzz_proof(
    resolve_prior, "prior", list(classes = c("a", "b"), class_weight = c(1, 1), call = NULL), valid
  )
  checked <- function(x) is.null(x) || identical(x, "uniform") || is.double(x)
  expect_fuzz_proof(check_prior_argument, "prior", list(arg = "prior", call = NULL), checked)
})

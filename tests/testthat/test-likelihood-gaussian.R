mean_matrix <- rbind(A = c(x = 0, y = 0, z = 1), B = c(0.5, 0.5, 2))
cov_a <- matrix(c(2, 0.3, 0.1, 0.3, 1, 0.2, 0.1, 0.2, 3), 3)

test_that("settings of the estimate", {
  plain <- likelihood_gaussian()
  expect_identical(
    unclass(plain)[c("name", "variance", "min_variance", "mean", "sd", "covariance")],
    list(
      name = "gaussian", variance = "unbiased", min_variance = 0,
      mean = NULL, sd = NULL, covariance = NULL
    )
  )
  ml <- likelihood_gaussian("ml", min_variance = 1L)
  expect_identical(ml$variance, "ml")
  expect_identical(ml$min_variance, 1)
  expect_error(likelihood_gaussian("mle"), "variance.*unbiased", class = "bayesrisk_error_argument")
  expect_error(likelihood_gaussian(min_variance = -1), "min_variance",
    class = "bayesrisk_error_argument"
  )
})

test_that("known parameters of one feature stand in the order of mean", {
  same <- likelihood_gaussian(mean = c(a = 15L, b = 25L), sd = 4)
  expect_identical(same$mean, c(a = 15, b = 25))
  expect_identical(same$sd, c(a = 4, b = 4))
  by_class <- likelihood_gaussian(mean = c(a = 15, b = 25), sd = c(b = 1, a = 2))
  expect_identical(by_class$sd, c(a = 2, b = 1))
})

test_that("known parameters of one feature that do not fit", {
  expect_error(likelihood_gaussian(mean = c(15, 25), sd = 4), "mean.*named by class",
    class = "bayesrisk_error_argument"
  )
  expect_error(likelihood_gaussian(mean = c(a = 1)), "mean.*needs.*sd",
    class = "bayesrisk_error_argument"
  )
  expect_error(likelihood_gaussian(sd = 1), "sd.*needs.*mean", class = "bayesrisk_error_argument")
  expect_error(likelihood_gaussian(mean = c(a = 1, b = 2), sd = c(1, 2)), "sd.*named",
    class = "bayesrisk_error_argument"
  )
  expect_error(likelihood_gaussian(mean = c(a = 1, b = 2), sd = c(a = 1, c = 2)),
    "sd.*Missing.*b.*Unknown.*c", class = "bayesrisk_error_argument"
  )
  for (sd in list(0, -1, c(a = 1, b = 0), Inf, NaN)) {
    expect_error(likelihood_gaussian(mean = c(a = 1, b = 2), sd = sd), "`sd`",
      class = "bayesrisk_error_argument"
    )
  }
})

test_that("arguments that exclude each other", {
  expect_error(likelihood_gaussian(mean = mean_matrix, sd = 1, covariance = cov_a),
    "sd.*covariance", class = "bayesrisk_error_argument"
  )
  expect_error(likelihood_gaussian(mean = mean_matrix, sd = 1), "mean.*needs.*covariance",
    class = "bayesrisk_error_argument"
  )
  expect_error(likelihood_gaussian(borrow = 1, mean = c(a = 1), sd = 1), "mean.*borrow",
    class = "bayesrisk_error_argument"
  )
  expect_error(likelihood_gaussian(min_variance = 1, mean = c(a = 1), sd = 1),
    "mean.*min_variance", class = "bayesrisk_error_argument"
  )
})

test_that("every argument is fuzz-proof", {
  valid <- function(x) is_likelihood(x) && is.character(format(x))
  for (arg in c("variance", "min_variance", "mean", "sd", "covariance")) {
    expect_fuzz_proof(likelihood_gaussian, arg, is_valid = valid)
  }
  expect_fuzz_proof(likelihood_gaussian, "mean", list(sd = 1), valid)
  expect_fuzz_proof(likelihood_gaussian, "mean", list(covariance = diag(2)), valid)
  expect_fuzz_proof(likelihood_gaussian, "sd", list(mean = c(a = 1, b = 2)), valid)
  expect_fuzz_proof(likelihood_gaussian, "covariance", list(mean = mean_matrix), valid)
})

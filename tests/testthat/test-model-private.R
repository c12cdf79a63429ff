test_that("counts below min_count are an error that names feature, class and level", {
  data <- data.frame(
    y = rep(c("a", "b"), each = 20), f = c(rep("u", 18), "v", "v", rep("v", 20)), x = 1:40
  )
  spec <- bayes_naive(laplace = 1)
  error <- expect_error(
    bayes_statistics(spec, y ~ ., data, min_count = 3),
    "class \"a\", feature \"f\", level \"v\": 2", class = "bayesrisk_error_small_cells"
  )
  expect_s3_class(error, "bayesrisk_error_data")
  expect_identical(error$cells$count, 2)
  expect_identical(
    bayes_statistics(spec, y ~ ., data, min_count = 2), bayes_statistics(spec, y ~ ., data)
  )
  # The known values of a number, a class, and a cell of a joint table.
  data$x[4:20] <- NA
  small <- function(spec, formula, what, min_count = 5) {
    expect_error(bayes_statistics(spec, formula, data, min_count = min_count), what,
                 class = "bayesrisk_error_small_cells")
  }
  small(spec, y ~ x, "class \"a\", feature \"x\": 3")
  small(spec, y ~ 1, "class \"a\": 20", 21)
  small(bayes_full(), y ~ f + I(x > 2), "feature \"f:I\\(x > 2\\)\"")
})

test_that("statistics that are values of rows are refused", {
  values <- list(
    likelihood_kernel(), likelihood_empirical(), likelihood_mixture(1),
    likelihood_negative_binomial(), likelihood_histogram(), likelihood_histogram(width = 1)
  )
  data <- data.frame(y = rep(c("a", "b"), 20), x = rep(0:3, 10))
  for (likelihood in values) {
    expect_error(
      bayes_statistics(bayes_naive(numeric = likelihood), y ~ x, data, min_count = 2), "x",
      class = "bayesrisk_error_argument"
    )
  }
  expect_error(
    bayes_statistics(bayes_full(joint = likelihood_histogram()), y ~ x, data, min_count = 2), "x",
    class = "bayesrisk_error_argument"
  )
  sums <- list(
    likelihood_gaussian(), likelihood_poisson(), likelihood_histogram(width = 1, origin = 0)
  )
  for (likelihood in sums) {
    spec <- bayes_naive(numeric = likelihood)
    expect_identical(
      bayes_statistics(spec, y ~ x, data, min_count = 10), bayes_statistics(spec, y ~ x, data)
    )
  }
  expect_error(
    bayes_statistics(bayes_naive(), y ~ 1, data, weights = x + 1, min_count = 2), "weights",
    class = "bayesrisk_error_argument"
  )
  expect_error(
    bayes_statistics(bayes_naive(), y ~ 1, data, min_count = 0), "min_count",
    class = "bayesrisk_error_argument"
  )
})

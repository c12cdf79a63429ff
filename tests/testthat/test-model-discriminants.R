# Which models have discriminant coordinates; their numbers are in test-predict-discriminants.R.

fit_pooled <- function(...) fit(bayes_full(covariance = "pooled"), ...)

test_that("what has no coordinates is refused with the reason and the remedy", {
  skip_on_cran()
  refused <- function(object, pattern) {
    expect_error(discriminants(object), pattern, class = "bayesrisk_error_argument")
  }
  refused(fit(bayes_full(), Species ~ ., iris), "covariance = \"pooled\"")
  refused(fit(bayes_naive(), Species ~ ., iris), "bayes_full\\(covariance = \"pooled\"\\)")
  refused(fit(bayes_naive(), play ~ ., play_tennis), "no Gaussian features")
  refused(fit(bayes_naive(numeric = likelihood_kernel()), Species ~ ., iris), "no Gaussian")
  refused(fit(bayes_full(joint = likelihood_mixture(2)), Species ~ ., iris), "differs")
  one <- suppressWarnings(fit_pooled(Species ~ ., droplevels(iris[1:50, ])))
  refused(one, "one class, \"setosa\"")
  refused(bayes_known(c(a = 0.5, b = 0.5), x = likelihood_gaussian(mean = c(a = 1, b = 1), sd = 1)),
          "means of all classes are equal")
  far <- likelihood_gaussian(mean = c(a = 0, b = 1e300), sd = 1e-100)
  refused(bayes_known(c(a = 0.5, b = 0.5), x = far), "too far")
  spreads <- likelihood_gaussian(mean = c(a = 1, b = 2), sd = c(a = 1, b = 2))
  refused(bayes_known(c(a = 0.5, b = 0.5), x = spreads), "one `sd`")
  halved <- cbind(iris, half = rep(1:2, 75))
  halves <- fit(bayes_full(covariance = "pooled"), Species ~ ., halved, by = half)
  refused(halves, "model of a group")
  model <- fit_pooled(Species ~ ., iris)
  expect_error(discriminants(model, tolerance = 2), "tolerance", class = "bayesrisk_error_argument")
  expect_error(
    predict(model, iris, type = "discriminant", estimate = "predictive"), "plugin",
    class = "bayesrisk_error_argument"
  )
  expect_error(
    predict(halves, halved, type = "discriminant"),
    "coordinates of its own", class = "bayesrisk_error_argument"
  )
  skip_if_not_installed("MASS")
  refused(MASS::lda(Species ~ ., iris), "as_bayes_model\\(\\)")
})

test_that("classes that share a covariance have coordinates, however it came about", {
  flowers <- discriminants(fit_pooled(Species ~ ., iris))
  shrunk <- discriminants(fit(bayes_full(shrinkage = 1), Species ~ ., iris))
  expect_equal(shrunk, flowers, tolerance = 1e-12)
  mean <- rbind(a = c(u = 1, v = 4), b = c(3, 5))
  covariance <- matrix(c(2, 0.6, 0.6, 1), 2)
  known <- function(covariance) {
    gaussian <- likelihood_gaussian(mean = mean, covariance = covariance)
    discriminants(bayes_known(c(a = 0.5, b = 0.5), block = gaussian))
  }
  expect_identical(known(list(a = covariance, b = covariance)), known(covariance))
  expect_error(
    known(list(a = covariance, b = 2 * covariance)), "one `covariance`",
    class = "bayesrisk_error_argument"
  )
})

test_that("proportions of the trace are shares of the variance of the means", {
  expect_identical(trace_shares(list(between = c(3, 1))), c(0.9, 0.1))
})

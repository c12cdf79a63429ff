test_that("a classifier by plain arguments is the model of its specification", {
  expect_identical(
    bayes_classifier(play_tennis[-5], play_tennis$play, laplace = 1, prior = "uniform"),
    fit_xy(bayes_naive(laplace = 1, prior = "uniform"), play_tennis[-5], play_tennis$play)
  )
  expect_identical(
    bayes_classifier(iris[1:4], iris$Species, "full", shrinkage = 0.1, identity = 0.2),
    fit_xy(bayes_full(shrinkage = 0.1, identity = 0.2), iris[1:4], iris$Species)
  )
  expect_identical(
    bayes_classifier(iris[1:4], iris$Species, smoothness = 2),
    fit_xy(bayes_naive(numeric = likelihood_kernel(adjust = 2)), iris[1:4], iris$Species)
  )
})

test_that("weights may be of any class of numbers", {
  w <- structure(rep(1:3, 50), class = c("hardhat_frequency_weights", "vctrs_vctr"))
  expect_identical(
    bayes_classifier(iris[1:4], iris$Species, weights = w),
    bayes_classifier(iris[1:4], iris$Species, weights = rep(c(1, 2, 3), 50))
  )
})

test_that("arguments that are none are errors that name them", {
  bad <- function(pattern, ...) {
    expect_error(
      bayes_classifier(iris[1:4], iris$Species, ...), pattern, class = "bayesrisk_error_argument"
    )
  }
  bad("structure.*naive.*full", "tree")
  bad("smoothness.*numeric", smoothness = 1, numeric = likelihood_gaussian())
  bad("smoothness", "full", smoothness = 1)
  bad("smoothness|adjust", smoothness = 0)
  bad("smoothness", smoothness = c(1, 2))
  bad("shrinkage", shrinkage = 0.5)
  error <- bad("nonsense", nonsense = 1)
  expect_identical(conditionCall(error)[[1L]], quote(bayes_classifier))
  error <- bad("prior", prior = 2)
  expect_identical(conditionCall(error)[[1L]], quote(bayes_naive))
})

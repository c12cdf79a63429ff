test_that("plots evaluate counts at whole numbers, at most 513", {
  few <- grid_of_counts(NULL, NULL, 1L, NULL, c(-2.5, 6.2))
  expect_identical(few, as.double(0:7))
  many <- grid_of_counts(NULL, NULL, 1L, NULL, c(10, 1e5))
  expect_length(many, 513L)
  expect_identical(range(many), c(10, 1e5))
  expect_identical(many, round(many))
  expect_identical(grid_of_counts(NULL, NULL, 1L, NULL, c(0, 0)), c(0, 1))
})

test_that("both likelihoods of counts refuse what is no count, with the same words", {
  data <- data.frame(y = rep(c("a", "b"), 6), n = c(0:10, 0.5))
  for (likelihood in list(likelihood_poisson(), likelihood_negative_binomial())) {
    spec <- bayes_naive(numeric = likelihood)
    expect_error(fit(spec, y ~ n, data), "whole numbers, 0 or more; some are not in n ")
    data$n[[12]] <- -1
    expect_error(fit(spec, y ~ n, data), "likelihood_gaussian")
  }
})

test_that("a count that is impossible in every class names the remedy, which helps", {
  data <- data.frame(y = rep(c("a", "b"), each = 4), n = 0, x = c(1:4, 3:6))
  likelihood <- list(n = likelihood_poisson())
  model <- fit(bayes_naive(features = likelihood), y ~ n + x, data)
  new <- data.frame(n = 3, x = 2)
  expect_warning(predict(model, new), "likelihood_poisson\\(pseudo_count = 0.5",
                 class = "bayesrisk_warning_impossible")
  smooth <- list(n = likelihood_poisson(pseudo_count = 0.5, pseudo_exposure = 1))
  expect_no_warning(predict(fit(bayes_naive(features = smooth), y ~ n + x, data), new))
})

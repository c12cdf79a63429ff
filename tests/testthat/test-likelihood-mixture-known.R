test_that("components stand in the order of the weights' classes, one number fills a class", {
  full <- two_humps()
  short <- likelihood_mixture(
    weights = list(C1 = c(.7, .3), C2 = 1), mean = list(C2 = 5.8, C1 = c(3, 5.8)), sd = 2
  )
  expect_identical(full$sd, list(C1 = c(.9, .8), C2 = .95))
  expect_identical(short$mean, list(C1 = c(3, 5.8), C2 = 5.8))
  expect_identical(short$sd, list(C1 = c(2, 2), C2 = 2))
  by_class <- likelihood_mixture(
    weights = c(a = 1, b = 1), mean = c(b = 2, a = 1), sd = c(b = 4, a = 3)
  )
  expect_identical(by_class$mean, list(a = 1, b = 2))
  expect_identical(by_class$sd, list(a = 3, b = 4))
  expect_identical(format(full), "Numeric features by given mixtures of up to 2 Gaussians.")
})

test_that("values that are none are named", {
  refused <- function(weights = NULL, mean = NULL, sd = NULL, ..., text) {
    expect_error(
      likelihood_mixture(..., weights = weights, mean = mean, sd = sd), text,
      class = "bayesrisk_error_argument"
    )
  }
  two <- list(a = c(.5, .5), b = 1)
  refused(c(a = 1), text = "mean")
  refused(c(a = 1), c(a = 1), text = "sd")
  refused(c(.5, .5), c(1, 2), 1, text = "weights.*named by class")
  refused(list(c(.5, .5)), c(a = 1), 1, text = "weights.*named by class")
  refused(list(a = c(.5, .6)), c(a = 1), 1, text = "sum to 1.*\"a\"")
  refused(list(a = c(-.5, 1.5)), c(a = 1), 1, text = "weights\\$a")
  refused(two, list(a = c(1, 2), c = 1), 1, text = "mean.*Missing.*b.*Unknown.*c")
  refused(two, list(a = 1:3, b = 1), 1, text = "mean.*\"a\".*2.*3")
  refused(two, list(a = c(1, Inf), b = 1), 1, text = "mean\\$a")
  refused(two, c(a = 1, b = 1), 0, text = "sd.*positive")
  refused(two, c(a = 1, b = 1), list(a = c(1, 0), b = 1), text = "sd.*positive")
  refused(two, c(a = 1, b = 1), -1, text = "sd")
  refused(two, c(a = 1, b = 1), c(1, 2), text = "sd.*named by class")
  refused(components = 0, text = "components")
  refused(components = 1.5, text = "components.*whole")
  refused(components = 1001, text = "1000")
  refused(components = two, text = "weights = , mean = , sd = ")
  refused(min_variance_share = 1, text = "less than 1")
  refused(two, c(a = 1, b = 1), 1, components = 2, select = "aic", text = "components.*select")
})

test_that("a known mixture is not estimated", {
  refused <- function(code) {
    expect_error(code, "bayes_known", class = "bayesrisk_error_argument")
  }
  refused(bayes_naive(numeric = two_humps()))
  refused(bayes_naive(features = list(x = two_humps())))
  refused(bayes_blocks(list(p = c("x", "y")), numeric = two_humps()))
})

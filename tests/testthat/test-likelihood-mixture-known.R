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
  skip_on_cran()
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

# A block of two features: one component in class a, two in class b.
two_blobs <- function() {
  wide <- array(c(diag(2), 2, 1, 1, 3), c(2, 2, 2))
  likelihood_mixture(
    weights = list(b = c(0.25, 0.75), a = 1),
    mean = list(a = cbind(x = 0, y = 1), b = cbind(x = c(1, 2), y = c(0, -1))),
    covariance = list(a = diag(2), b = wide)
  )
}

test_that("known joint mixtures: densities are sums of normals", {
  model <- bayes_known(c(a = 0.5, b = 0.5), xy = two_blobs())
  at <- expand.grid(x = c(-1, 0, 2), y = c(-2, 0.5))
  found <- exp(predict(model, at, type = "log_likelihood"))
  expect_within(found[, "a"], stats::dnorm(at$x) * stats::dnorm(at$y, 1), 1e-14)
  second <- apply(at, 1L, function(p) {
    d <- p - c(2, -1)
    s <- matrix(c(2, 1, 1, 3), 2)
    exp(-sum(d * solve(s, d)) / 2) / (2 * pi * sqrt(det(s)))
  })
  first <- stats::dnorm(at$x, 1) * stats::dnorm(at$y)
  expect_within(found[, "b"], 0.25 * first + 0.75 * second, 1e-14)
  alone <- exp(predict(model, data.frame(x = 1.5, y = NA), type = "log_likelihood"))
  marginal <- 0.25 * stats::dnorm(1.5, 1) + 0.75 * stats::dnorm(1.5, 2, sqrt(2))
  expect_within(alone[, "b"], marginal, 1e-14)
  single <- exp(predict(naive(model), data.frame(x = 1.5, y = NA), type = "log_likelihood"))
  expect_within(single, alone, 1e-14)
  expect_true(is_sound_likelihood(two_blobs()))
})

test_that("wrong joint mixtures are classed errors", {
  given <- unclass(two_blobs())[c("weights", "mean", "covariance")]
  refused <- function(pattern, ...) {
    arguments <- utils::modifyList(given, list(...))
    expect_error(
      do.call(likelihood_mixture, arguments), pattern, class = "bayesrisk_error_argument"
    )
  }
  refused("sd.*covariance", sd = 1)
  refused("needs", mean = NULL)
  refused("component x feature", mean = list(a = 1))
  refused("named by class", covariance = 1)
  refused("2 x 2 x 2", covariance = list(b = diag(2)))
  refused("symmetric", covariance = list(a = matrix(c(1, 0, 1, 1), 2)))
  refused("column names", mean = list(a = cbind(y = 0, x = 1)))
  refused("sum to 1", weights = list(b = c(0.5, 0.6)))
  flat <- do.call(likelihood_mixture, utils::modifyList(given, list(
    covariance = list(a = matrix(1, 2, 2))
  )))
  expect_error(
    bayes_known(c(a = 0.5, b = 0.5), xy = flat), "positive definite",
    class = "bayesrisk_error_argument"
  )
  for (arg in c("weights", "mean", "covariance")) {
    expect_fuzz_proof(likelihood_mixture, arg, given[setdiff(names(given), arg)], is_likelihood)
  }
})

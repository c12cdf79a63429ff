# Numbers: the two-humped class of lecture "Applied Machine Learning Fundamentals, Unit
# III: Bayesian Decision Theory (Wehner)" (after Bishop 2006, figure 1.24), parameters ours.

two_humps <- function() {
  likelihood_mixture(
    weights = list(C1 = c(.7, .3), C2 = 1),
    mean = list(C1 = c(3, 5.8), C2 = 5.8), sd = list(C1 = c(.9, .8), C2 = .95)
  )
}

humps_model <- function() bayes_known(c(C1 = .6, C2 = .4), x = two_humps())

log_mixture <- function(x, weights, mean, sd) {
  terms <- vapply(seq_along(mean), function(j) {
    log(weights[[j]]) + dnorm(x, mean[[j]], sd[[j]], log = TRUE)
  }, 1)
  max(terms) + log(sum(exp(terms - max(terms))))
}

test_that("components stand in the order of the weights' classes, one number fills a class", {
  full <- two_humps()
  short <- likelihood_mixture(
    weights = list(C1 = c(.7, .3), C2 = 1), mean = list(C2 = 5.8, C1 = c(3, 5.8)), sd = 2
  )
  expect_identical(full$sd, list(C1 = c(.9, .8), C2 = .95))
  expect_identical(short$mean, list(C1 = c(3, 5.8), C2 = 5.8))
  expect_identical(short$sd, list(C1 = c(2, 2), C2 = 2))
  by_class <- likelihood_mixture(c(a = 1, b = 1), mean = c(b = 2, a = 1), sd = c(b = 4, a = 3))
  expect_identical(by_class$mean, list(a = 1, b = 2))
  expect_identical(by_class$sd, list(a = 3, b = 4))
  expect_identical(format(full), "Numeric features by given mixtures of up to 2 Gaussians.")
})

test_that("the density is the weighted sum of normal densities", {
  x <- c(-2, 0, 3, 4.4, 5.8, 7, 11)
  score <- predict(humps_model(), data.frame(x = x), type = "log_likelihood")
  expect_within(exp(score[, "C1"]), .7 * dnorm(x, 3, .9) + .3 * dnorm(x, 5.8, .8), 1e-13)
  expect_within(exp(score[, "C2"]), dnorm(x, 5.8, .95), 1e-13)
})

test_that("at the crossings both classes are equally probable", {
  crossing <- data.frame(x = c(4.534771164, -47.4313892025))
  p <- predict(humps_model(), crossing, type = "prob")
  expect_within(p, rep(.5, 4), 1e-9, scale = 1)
  beside <- data.frame(x = c(-47.44, -47.43, 4.5347, 4.5348))
  expect_identical(as.character(predict(humps_model(), beside)), c("C2", "C1", "C1", "C2"))
})

test_that("the log density is exact where every density is 0", {
  x <- c(-1e6, -50, 60, 1e9)
  score <- predict(humps_model(), data.frame(x = x), type = "log_likelihood")[, "C1"]
  expected <- vapply(x, log_mixture, 1, c(.7, .3), c(3, 5.8), c(.9, .8))
  expect_within(score, expected, 1e-14)
})

test_that("a mixture far from 0 keeps its digits", {
  at <- function(offset) {
    model <- bayes_known(c(a = .5, b = .5), x = likelihood_mixture(
      weights = list(a = c(.25, .75), b = 1), sd = .5,
      mean = list(a = offset + c(0, 2), b = offset + 1)
    ))
    predict(model, data.frame(x = offset + c(-1, .5, 1, 3)), type = "prob")
  }
  expect_within(at(1e9), at(0), 1e-14)
})

test_that("mixtures of one component are Gaussians; several features share a bank", {
  means <- list(x = c(a = 1, b = -1), y = c(a = 0, b = 3))
  mixture <- function(m) likelihood_mixture(c(b = 1, a = 1), mean = m, sd = c(a = 1, b = 2))
  gaussian <- function(m) likelihood_gaussian(mean = m, sd = c(a = 1, b = 2))
  prior <- c(a = .3, b = .7)
  mixed <- bayes_known(prior, x = mixture(means$x), y = mixture(means$y))
  plain <- bayes_known(prior, x = gaussian(means$x), y = gaussian(means$y))
  at <- data.frame(x = c(0, 2, NA, NA), y = c(1, NA, 4, NA))
  expect_length(mixed$plan$banks, 1L)
  expect_same_predictions(mixed, plain, at, 1e-15)
  both <- bayes_known(prior, x = gaussian(means$x), y = mixture(means$y))
  expect_same_predictions(both, plain, at, 1e-15)
})

test_that("a component of weight 0 adds nothing; weights are scaled to sum to 1", {
  one <- likelihood_mixture(list(a = c(1, 0), b = 1), mean = list(a = c(0, 5), b = 1), sd = 1)
  plain <- likelihood_gaussian(mean = c(a = 0, b = 1), sd = 1)
  prior <- c(a = .5, b = .5)
  at <- data.frame(x = c(-3, 5, 90))
  expect_same_predictions(bayes_known(prior, x = one), bayes_known(prior, x = plain), at, 1e-15)
  off <- bayes_known(prior, x = likelihood_mixture(
    list(a = c(.5, .5 + 5e-9), b = 1), mean = list(a = c(0, 0), b = 1), sd = 1
  ))
  expect_same_predictions(off, bayes_known(prior, x = plain), at, 1e-15)
})

test_that("a model with a mixture predicts, decides and is read like any other", {
  model <- humps_model()
  cost <- cost_matrix(one = c(C1 = 0, C2 = 5), two = c(C1 = 2, C2 = 0), ask = .4)
  decided <- predict(model, data.frame(x = c(3, 5, 9, NA)), cost = cost)
  expect_identical(as.character(decided), c("one", "ask", "two", "ask"))
  expect_identical(
    coef(model)$x,
    data.frame(
      class = factor(c("C1", "C1", "C2")), component = c(1L, 2L, 1L),
      weight = exp(log(c(.7, .3, 1))), mean = c(3, 5.8, 5.8), sd = c(.9, .8, .95)
    )
  )
  rows <- tidy(model)[-(1:2), ]
  expect_identical(rows$statistic, rep(c("weight", "mean", "sd"), each = 3))
  expect_identical(rows$level, rep(c("1", "2", "1"), 3))
  expect_within(rows$estimate, c(.7, .3, 1, 3, 5.8, 5.8, .9, .8, .95), 1e-15)
  expect_output(print(summary(model)), "component +weight")
  expect_output(print(model), "mixtures of up to 2")
  parts <- contributions(model, data.frame(x = 3))
  expect_within(
    apply(parts, 3, sum), predict(model, data.frame(x = 3), type = "log_joint"), 1e-15
  )
})

test_that("a mixture is drawn with every hump", {
  far <- bayes_known(c(a = .5, b = .5), x = likelihood_mixture(
    list(a = c(.5, .5), b = 1), mean = list(a = c(-100, 100), b = 0), sd = list(a = .1, b = 1)
  ))
  drawn <- draw(far, type = "density")
  expect_within(range(drawn$x), c(-100.35, 100.35), 1e-12)
  expect_within(max(drawn$density[drawn$class == "a"]), .5 * dnorm(0) / .1, 1e-10)
  cuts <- draw(humps_model(), type = "regions")
  expect_within(cuts$x[which(diff(as.integer(cuts$decision[cuts$class == "C1"])) != 0)],
                4.534771164, 1e-3)
})

test_that("values that are none are named", {
  refused <- function(..., text) {
    expect_error(likelihood_mixture(...), text, class = "bayesrisk_error_argument")
  }
  two <- list(a = c(.5, .5), b = 1)
  refused(text = "weights")
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
})

test_that("a mixture is not estimated", {
  refused <- function(code) {
    expect_error(code, "bayes_known", class = "bayesrisk_error_argument")
  }
  refused(bayes_naive(numeric = two_humps()))
  refused(bayes_naive(features = list(x = two_humps())))
  refused(bayes_blocks(list(p = c("x", "y")), numeric = two_humps()))
})

test_that("any other argument is refused by name", {
  fixed <- list(weights = c(a = 1, b = 1), mean = c(a = 0, b = 1), sd = 1)
  is_mixture <- function(x) inherits(x, "bayesrisk_likelihood_mixture")
  for (arg in names(fixed)) {
    expect_fuzz_proof(likelihood_mixture, arg, fixed, is_mixture)
  }
})

# Numbers: the two-humped class of lecture "Applied Machine Learning Fundamentals, Unit
# III: Bayesian Decision Theory (Wehner)" (after Bishop 2006, figure 1.24), parameters ours.

humps_model <- function() bayes_known(c(C1 = .6, C2 = .4), x = two_humps())

log_mixture <- function(x, weights, mean, sd) {
  terms <- vapply(seq_along(mean), function(j) {
    log(weights[[j]]) + dnorm(x, mean[[j]], sd[[j]], log = TRUE)
  }, 1)
  max(terms) + log(sum(exp(terms - max(terms))))
}

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

test_that("mixtures of one component are Gaussians; each feature has a bank", {
  means <- list(x = c(a = 1, b = -1), y = c(a = 0, b = 3))
  mixture <- function(m) {
    likelihood_mixture(weights = c(b = 1, a = 1), mean = m, sd = c(a = 1, b = 2))
  }
  gaussian <- function(m) likelihood_gaussian(mean = m, sd = c(a = 1, b = 2))
  prior <- c(a = .3, b = .7)
  mixed <- bayes_known(prior, x = mixture(means$x), y = mixture(means$y))
  plain <- bayes_known(prior, x = gaussian(means$x), y = gaussian(means$y))
  at <- data.frame(x = c(0, 2, NA, NA), y = c(1, NA, 4, NA))
  expect_length(mixed$plan$banks, 2L)
  expect_same_predictions(mixed, plain, at, 1e-15)
  both <- bayes_known(prior, x = gaussian(means$x), y = mixture(means$y))
  expect_same_predictions(both, plain, at, 1e-15)
})

test_that("a component of weight 0 adds nothing; weights are scaled to sum to 1", {
  one <- likelihood_mixture(
    weights = list(a = c(1, 0), b = 1), mean = list(a = c(0, 5), b = 1), sd = 1
  )
  plain <- likelihood_gaussian(mean = c(a = 0, b = 1), sd = 1)
  prior <- c(a = .5, b = .5)
  at <- data.frame(x = c(-3, 5, 90))
  expect_same_predictions(bayes_known(prior, x = one), bayes_known(prior, x = plain), at, 1e-15)
  off <- bayes_known(prior, x = likelihood_mixture(
    weights = list(a = c(.5, .5 + 5e-9), b = 1), mean = list(a = c(0, 0), b = 1), sd = 1
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
  skip_on_cran()
  far <- bayes_known(c(a = .5, b = .5), x = likelihood_mixture(
    weights = list(a = c(.5, .5), b = 1), mean = list(a = c(-100, 100), b = 0),
    sd = list(a = .1, b = 1)
  ))
  drawn <- draw(far, type = "density")
  expect_within(range(drawn$x), c(-100.35, 100.35), 1e-12)
  expect_within(max(drawn$density[drawn$class == "a"]), .5 * dnorm(0) / .1, 1e-10)
  cuts <- draw(humps_model(), type = "regions")
  expect_within(cuts$x[which(diff(as.integer(cuts$decision[cuts$class == "C1"])) != 0)],
                4.534771164, 1e-3)
})

test_that("the settings of an estimate are described", {
  said <- function(...) format(likelihood_mixture(...))
  expect_match(said(), "mixtures of 1 to 5 Gaussians by BIC", fixed = TRUE)
  expect_match(said(3), "mixtures of 3 Gaussians.", fixed = TRUE)
  expect_match(said(1, borrow = 2), "1 Gaussian, borrowing 2 cases from the variance of the class")
})

# Eruptions (faithful) and galaxies have several humps.
fit_one <- function(x, ..., weights = NULL) {
  spec <- bayes_naive(numeric = likelihood_mixture(...), prior = "uniform")
  one_class(fit(spec, y ~ x, data.frame(x = x, y = factor("all")), weights = weights))
}

log_likelihood_of <- function(model, x, weights = 1) {
  sum(weights * predict(model, data.frame(x = x), type = "log_likelihood"))
}

test_that("the log likelihood is not below that of mclust", {
  skip_on_cran()
  skip_if_not_installed("mclust")
  data <- list(
    faithful = datasets::faithful$eruptions, waiting = datasets::faithful$waiting,
    galaxies = MASS::galaxies / 1000, quakes = datasets::quakes$depth
  )
  # densityMclust() looks for mclustBIC() on the search path.
  suppressPackageStartupMessages(withr::local_package("mclust"))
  compared <- 0L
  for (name in names(data)) {
    x <- as.numeric(data[[name]])
    for (components in 1:4) {
      other <- mclust::densityMclust(
        x, G = components, modelNames = "V", plot = FALSE, verbose = FALSE,
        control = mclust::emControl(tol = c(1e-10, 1e-10))
      )
      if (is.null(other)) next
      compared <- compared + 1L
      model <- fit_one(x, components, min_variance_share = 0)
      own <- log_likelihood_of(model, x)
      expect_gte(own, other$loglik - 1e-6 * abs(other$loglik))
      expect_within(as.numeric(logLik(model)), own, 1e-12)
      expect_equal(attr(logLik(model), "df"), 3 * components - 1)
    }
  }
  expect_gte(compared, 12L)
})

test_that("the mixture of a feature is a block of one", {
  x <- c(datasets::faithful$eruptions, NA)
  data <- data.frame(x = x, y = rep(c("a", "b", "b"), 91))
  likelihood <- likelihood_mixture(1:3)
  alone <- fit(bayes_naive(numeric = likelihood), y ~ x, data)
  block <- suppressWarnings(fit(bayes_full(joint = likelihood), y ~ x, data))
  expect_same_predictions(alone, block, data, 1e-12)
  expect_within(as.numeric(logLik(alone)), as.numeric(logLik(block)), 1e-12)
  own <- coef(alone)$x
  joint <- coef(block)[[2L]]
  flat <- function(part) unlist(joint[[part]], use.names = FALSE)
  expect_within(own$weight, flat("weights"), 1e-12)
  expect_within(own$mean, flat("mean"), 1e-15)
  expect_within(own$sd, sqrt(flat("covariance")), 1e-12)
})

test_that("one component is the normal of largest likelihood", {
  x <- datasets::faithful$eruptions
  model <- fit_one(x, components = 1)
  sd <- sqrt(mean((x - mean(x))^2))
  expect_within(unlist(coef(model)$x[c("mean", "sd")]), c(mean(x), sd), 1e-14)
})

test_that("BIC and AIC select, class by class", {
  x <- datasets::faithful$eruptions
  criterion <- function(model, penalty) penalty * attr(logLik(model), "df") - 2 * logLik(model)
  each <- lapply(1:4, function(components) fit_one(x, components))
  for (select in c("bic", "aic")) {
    penalty <- if (select == "bic") log(length(x)) else 2
    best <- which.min(vapply(each, criterion, 1, penalty))
    selected <- fit_one(x, 1:4, select)
    expect_identical(coef(selected)$x, coef(each[[best]])$x)
  }
  model <- fit(bayes_naive(numeric = likelihood_mixture(1:3)), Species ~ Petal.Width, iris)
  own <- lapply(split(iris$Petal.Width, iris$Species), function(x) coef(fit_one(x, 1:3))$x)
  means <- unlist(lapply(own, `[[`, "mean"), use.names = FALSE)
  expect_identical(coef(model)$Petal.Width$mean, means)
})

test_that("order, weights, parts and a saved model change nothing", {
  x <- datasets::faithful$eruptions
  whole <- coef(fit_one(x, 2))
  expect_identical(coef(fit_one(rev(x), 2)), whole)
  expect_equal(coef(fit_one(rep(x, 2), 2)), coef(fit_one(x, 2, weights = rep(2, 272))),
               tolerance = 1e-8)
  data <- data.frame(x = x, y = rep(c("a", "b"), 136))
  spec <- bayes_naive(numeric = likelihood_mixture(2))
  full <- fit(spec, y ~ x, data)
  parts <- merge(fit(spec, y ~ x, data[1:100, ]), fit(spec, y ~ x, data[101:272, ]))
  expect_equal(coef(parts), coef(full), tolerance = 1e-10)
  updated <- update(fit(spec, y ~ x, data[1:100, ]), data[101:272, ])
  expect_equal(coef(updated), coef(full), tolerance = 1e-10)
  file <- withr::local_tempfile()
  saveRDS(full, file)
  expect_identical(predict(readRDS(file), data, type = "prob"), predict(full, data, type = "prob"))
})

test_that("parts that differ in a setting without a sentence are not merged; it is named", {
  part <- function(...) {
    fit(bayes_naive(numeric = likelihood_mixture(1:2, ...)), Species ~ Petal.Length, iris)
  }
  refused <- function(x, y, text) {
    expect_error(merge(x, y), text, class = "bayesrisk_error_argument")
  }
  plain <- part()
  refused(plain, part(seed = 7), "differ in `seed`\\.")
  refused(plain, part(starts = 3, points = 64), "differ in `starts` and `points`\\.")
  refused(plain, part(select = "aic"), "by BIC.*by AIC")
})

test_that("a grid keeps the mixture of many values", {
  x <- withr::with_seed(1, c(stats::rnorm(6000, -2, 0.5), stats::rnorm(9000, 1)))
  exact <- coef(fit_one(x, 2, points = Inf))$x
  grid <- coef(fit_one(x, 2, points = 1024))$x
  expect_equal(grid, exact, tolerance = 1e-4)
  expect_equal(exact$mean, c(-2, 1), tolerance = 0.02)
})

test_that("two values with two components borrow, and say so", {
  data <- data.frame(x = rep(c(0, 1), each = 4), y = "all")
  spec <- bayes_naive(numeric = likelihood_mixture(2, starts = 2), prior = "uniform")
  expect_warning(
    model <- one_class(fit(spec, y ~ x, data)),
    "borrows from the same class or the other classes: x",
    class = "bayesrisk_warning_degenerate"
  )
  expect_equal(coef(model)$x$sd^2, rep(0.25 / 5, 2), tolerance = 0.1)
  strict <- bayes_naive(
    numeric = likelihood_mixture(2, starts = 2), prior = "uniform", degenerate = "stop"
  )
  expect_error(fit(strict, y ~ x, data), "spike|fewer", class = "bayesrisk_error_degenerate")
})

test_that("regions, risks, simulation and cross-validation take a fitted mixture", {
  skip_on_cran()
  spec <- bayes_naive(numeric = likelihood_mixture(1:2))
  model <- fit(spec, Species ~ Petal.Length, iris)
  parameters <- coef(model)$Petal.Length
  by_class <- split(parameters, parameters$class)
  known <- bayes_known(coef(model)$prior, Petal.Length = likelihood_mixture(
    weights = lapply(by_class, `[[`, "weight"), mean = lapply(by_class, `[[`, "mean"),
    sd = lapply(by_class, `[[`, "sd")
  ))
  expect_equal(bayes_risk(model)$total, bayes_risk(known)$total, tolerance = 1e-10)
  expect_equal(decision_regions(model)$to, decision_regions(known)$to, tolerance = 1e-10)
  expect_identical(dim(simulate(model, 10, seed = 1)), c(10L, 2L))
  risk <- cv_risk(spec, Species ~ Petal.Length + Petal.Width, iris)
  expect_lt(risk$cost[[1L]], 0.1)
})

test_that("any other argument is refused by name", {
  fixed <- list(weights = c(a = 1, b = 1), mean = c(a = 0, b = 1), sd = 1)
  is_mixture <- function(x) inherits(x, "bayesrisk_likelihood_mixture")
  for (arg in names(fixed)) {
    expect_fuzz_proof(likelihood_mixture, arg, fixed, is_mixture)
  }
  for (arg in setdiff(names(formals(likelihood_mixture)), c(names(fixed), "..."))) {
    expect_fuzz_proof(likelihood_mixture, arg, list(), is_mixture)
  }
})

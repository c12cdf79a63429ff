# R5: models, statistics and specifications of which any part was replaced by what it is not, in
# the hands of every function that takes one: a value (posteriors and log joints without NaN), or
# an error of the package.
# BAYESRISK_LONG_TESTS tries all of them, otherwise a few of each object, always the same ones.

model_uses <- function(sound) {
  data <- valid_data()
  cost <- valid_cost()
  row <- data[1, -1]
  shown <- function(fun) function(object) utils::capture.output(print(fun(object)))
  asked <- transform(row, x = NA, n = NA, z = NA, h = NA)
  list(
    function(m) predict(m, data), function(m) decide(m, data, cost),
    function(m) stopifnot(!is.nan(posterior(m, data))), function(m) contributions(m, data),
    function(m) contributions(m, data, cost), function(m) flip(m, data, cost),
    function(m) stopifnot(!is.nan(predict(m, data, type = "log_joint"))),
    function(m) update(m, laplace = 2), function(m) update(m, data),
    function(m) update(m, . ~ . - g), function(m) update(m, prior = c(a = 0.1, b = 0.9)),
    function(m) merge(m, m), function(m) merge(sound, m), coef, format, tidy, glance, formula, nobs,
    logLik, shown(identity), shown(summary), function(m) augment(m, data),
    function(m) plot(m), function(m) plot(m, "posterior"), function(m) plot(m, "regions"),
    function(m) plot(m, "cost", cost = cost), function(m) simulate(m, 2, seed = 1),
    function(m) decision_regions(m, cost, features = "x"), risk_bounds,
    function(m) bayes_risk(m, cost, tolerance = 1),
    function(m) bayes_risk(sound, cost, rule = m, tolerance = 1),
    function(m) cost_sweep(m, row, cost, class = "a"),
    function(m) break_even(m, row, cost, class = "a"), function(m) next_feature(m, asked, cost),
    function(m) value_of_information(m, cost), function(m) assess_decisions(m, data, cost),
    function(m) compare_decisions(list(a = sound, b = m), data = data, cost = cost, truth = data$y),
    function(m) decision_threshold(zero_one_cost(c("a", "b")), object = m),
    if (rlang::is_installed("knitr")) knitr::knit_print
  )
}

# Some minutes for a model of many features, so only of one.
slow_uses <- list(function(m) minimax_prior(m, valid_cost()))

test_that("R5: any part of a model replaced by what it is not", {
  skip_on_cran()
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  withr::local_seed(1)
  models <- valid_models()
  for (model in models) expect_damage_proof(model, Filter(is.function, model_uses(model)), 20L)
  expect_damage_proof(models$known, slow_uses, 2L)
})

test_that("R5: any part of statistics, a specification or a likelihood", {
  skip_on_cran()
  withr::local_seed(1)
  data <- valid_data()
  spec <- bayes_blocks(
    list(c("g", "h")), features = list(n = likelihood_histogram(1, laplace = 1)), laplace = 1
  )
  collected <- bayes_statistics(spec, y ~ ., data)
  shown <- function(x) utils::capture.output(print(x))
  expect_damage_proof(collected, list(
    function(s) fit(spec, s), function(s) merge(s, collected), function(s) merge(collected, s),
    nobs, shown
  ), 20L)
  expect_damage_proof(spec, list(
    function(s) fit(s, y ~ ., data), function(s) fit_xy(s, data[-1], data$y),
    function(s) bayes_statistics(s, y ~ ., data), function(s) fit(s, collected), shown, summary,
    function(s) cv_risk(s, y ~ ., data, folds = 2)
  ), 20L)
  for (likelihood in list(likelihood_histogram(1), likelihood_kernel(0.5), likelihood_gaussian())) {
    expect_damage_proof(likelihood, list(
      function(l) fit(bayes_naive(numeric = l), y ~ x, data),
      function(l) fit(bayes_naive(features = list(x = l)), y ~ x, data), shown
    ), 10L)
  }
})

test_that("R5: any part of costs", {
  skip_on_cran()
  withr::local_seed(1)
  data <- valid_data()
  model <- valid_models()$naive
  uses <- list(
    function(k) decide(model, data, k), function(k) predict(model, data, cost = k),
    function(k) assess_decisions(model, data, k), function(k) bayes_risk(model, k, tolerance = 1),
    function(k) expected_cost(confusion_table(data$y, data$y), k), as_cost_matrix,
    function(k) decision_regions(model, k, features = "x"),
    function(k) decision_threshold(cost = k), as.data.frame, t,
    function(k) utils::capture.output(print(k)), format, as.matrix
  )
  by_case <- cost_matrix(a = list(a = 0, b = ~ abs(z)), b = c(a = 1, b = 0))
  for (cost in list(valid_cost(), by_case)) expect_damage_proof(cost, uses, 20L)
})

test_that("R5: any part of any result, when it is shown", {
  skip_on_cran()
  withr::local_seed(1)
  quiet <- function(fun) function(x) suppressWarnings(utils::capture.output(print(fun(x))))
  uses <- list(
    quiet(identity), quiet(format), quiet(summary), quiet(tidy),
    if (rlang::is_installed("knitr")) quiet(knitr::knit_print)
  )
  for (object in valid_objects()) expect_damage_proof(object, Filter(is.function, uses), 12L)
})

test_that("R6: a damaged factor in every function that reads data", {
  data <- valid_data()
  data$g <- factor(data$g)
  model <- fit(bayes_naive(laplace = 1), y ~ x + g, data)
  spec <- model$spec
  cost <- valid_cost()
  broken <- data
  broken$g <- structure(replace(as.integer(data$g), 2L, 9L), levels = c("u", "v"), class = "factor")
  reads <- list(
    function(d) fit(spec, y ~ x + g, d), function(d) fit_xy(spec, d[c("x", "g")], d$y),
    function(d) bayes_statistics(spec, y ~ x + g, d), function(d) update(model, d),
    function(d) predict(model, d), function(d) decide(model, d, cost),
    function(d) assess_decisions(model, d, cost), function(d) contributions(model, d),
    function(d) contributions(model, d, cost), function(d) flip(model, d, cost),
    function(d) compare_decisions(list(a = model, b = model), data = d, cost = cost),
    function(d) cv_risk(spec, y ~ x + g, d, folds = 2),
    function(d) cv_predict(spec, y ~ x + g, d, folds = 2),
    function(d) feature_dependence(y ~ x + g, d), function(d) next_feature(model, d, cost),
    function(d) break_even(model, d, cost, class = "a"), function(d) augment(model, d),
    function(d) cost_sweep(model, d[2, ], cost, class = "a")
  )
  for (read in reads) expect_error(read(broken), class = "bayesrisk_error")
  expect_error(confusion_table(broken$g, data$g), class = "bayesrisk_error")
  for (read in reads[1:2]) {
    expect_bayesrisk_error(read(transform(data, y = broken$g)), "data", "damaged factor")
  }
})

test_that("R5: models and statistics are the same when they come back, in any form of a file", {
  data <- valid_data()
  statistics <- bayes_statistics(bayes_naive(laplace = 1), y ~ x + g, data)
  for (object in c(valid_models(), list(statistics))) {
    for (version in 2:3) {
      for (ascii in list(FALSE, TRUE, NA)) {
        file <- withr::local_tempfile()
        saveRDS(object, file, ascii = ascii, version = version)
        back <- readRDS(file)
        # ASCII has 15 digits, and so another last one.
        if (isTRUE(ascii)) expect_equal(back, object) else expect_identical(back, object)
        if (inherits(back, "bayesrisk_model")) expect_null(model_problem(back))
      }
    }
  }
  expect_identical(fit(bayes_naive(laplace = 1), back), fit(bayes_naive(laplace = 1), statistics))
})

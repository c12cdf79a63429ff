# R5: models, statistics and specifications of which any part was replaced by what it is not, in
# the hands of every function that takes one: a value without NaN, or an error of the package.
# BAYESRISK_LONG_TESTS tries all of them, otherwise a few of each object, always the same ones.

model_uses <- function(sound) {
  data <- valid_data()
  cost <- valid_cost()
  row <- data[1, -1]
  shown <- function(fun) function(object) utils::capture.output(print(fun(object)))
  asked <- transform(row, x = NA, n = NA, z = NA, h = NA)
  list(
    function(m) predict(m, data), function(m) decide(m, cost, data),
    function(m) stopifnot(!is.nan(posterior(m, data))), function(m) contributions(m, data),
    function(m) stopifnot(!is.nan(predict(m, data, type = "log_joint"))),
    function(m) update(m, laplace = 2), function(m) update(m, data),
    function(m) update(m, . ~ . - g), function(m) update(m, prior = c(a = 0.1, b = 0.9)),
    function(m) merge(m, m), function(m) merge(sound, m), coef, format, tidy, glance, formula, nobs,
    logLik, shown(identity), shown(summary), knitr::knit_print, function(m) augment(m, data),
    function(m) plot(m), function(m) plot(m, "posterior"), function(m) plot(m, "regions"),
    function(m) plot(m, "cost", cost = cost), function(m) simulate(m, 2, seed = 1),
    function(m) decision_regions(m, cost, feature = "x"), risk_bounds,
    function(m) bayes_risk(m, cost, tolerance = 1),
    function(m) bayes_risk(sound, cost, rule = m, tolerance = 1),
    function(m) cost_sweep(m, row, cost, class = "a"),
    function(m) break_even(m, row, cost, class = "a"), function(m) next_feature(m, asked, cost),
    function(m) value_of_information(m, cost), function(m) assess_decisions(m, data, cost),
    function(m) compare_decisions(list(a = sound, b = m), data, cost, truth = data$y),
    function(m) decision_threshold(zero_one_cost(c("a", "b")), object = m)
  )
}

# Some minutes for a model of many features, so only of one.
slow_uses <- list(function(m) minimax_prior(m, valid_cost()))

expect_damage_proof <- function(object, uses, tried) {
  damages <- all_damages(object)
  pairs <- expand.grid(damage = seq_along(damages), use = seq_along(uses))
  everything <- identical(Sys.getenv("BAYESRISK_LONG_TESTS"), "true")
  if (!everything) pairs <- pairs[sample.int(nrow(pairs), tried), ]
  for (i in seq_len(nrow(pairs))) {
    damage <- damages[[pairs$damage[[i]]]]
    damaged <- damage$make()
    if (is.null(damaged)) next
    use <- uses[[pairs$use[[i]]]]
    problem <- damage_problem(use, damaged)
    expect(is.null(problem), sprintf(
      "%s, %s, in %s: %s", path_label(object, damage$path), damage$kind,
      deparse1(body(use)), problem
    ))
  }
}

test_that("R5: any part of a model replaced by what it is not", {
  skip_on_cran()
  skip_if_not_installed("knitr")
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  withr::local_seed(1)
  models <- valid_models()
  for (model in models) expect_damage_proof(model, model_uses(model), 20L)
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
    function(k) decide(model, k, data), function(k) predict(model, data, cost = k),
    function(k) assess_decisions(model, data, k), function(k) bayes_risk(model, k, tolerance = 1),
    function(k) expected_cost(confusion_table(data$y, data$y), k), as_cost_matrix,
    function(k) decision_regions(model, k, feature = "x"), decision_threshold, as.data.frame, t,
    function(k) utils::capture.output(print(k)), format, as.matrix
  )
  by_case <- cost_matrix(a = list(a = 0, b = ~ abs(z)), b = c(a = 1, b = 0))
  for (cost in list(valid_cost(), by_case)) expect_damage_proof(cost, uses, 20L)
})

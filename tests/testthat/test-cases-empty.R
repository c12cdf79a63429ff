# Without rows, without features, without classes (R12): the same answer with nothing in it, or an
# error that says so.

none <- mixed()[0, ]
empty_model <- fit(bayes_naive(laplace = 1), y ~ ., mixed())
empty_cost <- cost_matrix(a = c(a = 0, b = 5), b = c(a = 1, b = 0), ask = 0.4)
prior_alone <- fit(bayes_naive(), y ~ 1, mixed())

# The functions that answer for a model and some rows.
answers <- list(
  decide = function(model, rows) decide(model, rows, empty_cost),
  posterior = function(model, rows) decide(posterior(model, rows), empty_cost),
  augment = function(model, rows) augment(model, rows),
  simulate = function(model, rows) simulate(model, nrow(rows), seed = 1),
  break_even = function(model, rows) break_even(model, rows, empty_cost, class = "a"),
  cost_sweep = function(model, rows) cost_sweep(model, rows, empty_cost, class = "a"),
  next_feature = function(model, rows) next_feature(model, rows, empty_cost),
  flip = function(model, rows) flip(model, rows, empty_cost)
)

columns_without_rows <- function(x) lapply(as.data.frame(x)[0, , drop = FALSE], identity)

test_that("no rows: columns of the same types as with a row, and no row in them (R12)", {
  for (model in list(empty_model, prior_alone)) {
    for (name in names(answers)) {
      some <- answers[[name]](model, mixed()[1, ])
      found <- answers[[name]](model, none)
      expect_identical(nrow(found), 0L, info = name)
      expect_identical(class(found), class(some), info = name)
      expect_identical(columns_without_rows(found), columns_without_rows(some), info = name)
    }
  }
})

test_that("no decisions are printed and summed up without NaN (R12)", {
  decided <- decide(empty_model, none, empty_cost)
  expect_output(print(decided), "0 cases, 3 actions", fixed = TRUE)
  found <- summary(decided)
  expect_identical(found$actions$action, factor(c("a", "b", "ask"), c("a", "b", "ask")))
  expect_identical(found$actions$cases, c(0L, 0L, 0L))
  for (unknown in found$actions[c("share", "cost")]) expect_identical(unknown, rep(NA_real_, 3))
  for (name in c("cost", "coverage", "error", "error_decided")) {
    expect_identical(found[[name]], NA_real_, info = name)
  }
  expect_identical(found[c("cases", "missing", "ties")], list(cases = 0L, missing = 0L, ties = 0L))
  expect_output(print(found), "Expected cost per case: NA", fixed = TRUE)
  expect_output(print(next_feature(empty_model, none, empty_cost)), "0 cases", fixed = TRUE)
})

test_that("what no row can answer is an error that says so (R12)", {
  models <- list(first = empty_model, second = empty_model)
  expect_bayesrisk_error(
    assess_decisions(empty_model, none, empty_cost), "argument", "no case to assess"
  )
  expect_bayesrisk_error(
    compare_decisions(models, data = none, cost = empty_cost), "argument", "no case to compare"
  )
  expect_bayesrisk_error(confusion_table(character(), character()), "argument", "at least one case")
  expect_bayesrisk_error(plot(decide(empty_model, none, empty_cost)), "argument", "no case")
  expect_bayesrisk_error(fit(bayes_naive(), y ~ x, none), "data", "no rows to fit")
  expect_bayesrisk_error(feature_dependence(y ~ x + g, none), "data", "no rows")
  expect_bayesrisk_error(cv_risk(bayes_naive(), y ~ x, none, folds = 2), "data", "no rows")
  expect_bayesrisk_error(cv_predict(bayes_naive(), y ~ x, none, folds = 2), "data", "no rows")
})

test_that("no features: the prior alone decides, of every case alike (R12)", {
  rows <- mixed()[, 0]
  expect_identical(posterior(prior_alone, rows), posterior(prior_alone, mixed()))
  decided <- decide(prior_alone, rows, empty_cost)
  expect_identical(nrow(decided), 8L)
  expect_identical(decided, decide(prior_alone, mixed(), empty_cost))
  expect_identical(nrow(next_feature(prior_alone, rows, empty_cost)), 0L)
  expect_identical(names(simulate(prior_alone, 2, seed = 1)), "y")
  expect_equal(bayes_risk(prior_alone, empty_cost)$total, 0.4, tolerance = 1e-14)
  for (x in list(rows, matrix(0, 8, 0))) {
    expect_bayesrisk_error(fit_xy(bayes_naive(), x, mixed()$y), "data", "no columns")
  }
})

test_that("no classes are an error wherever classes are named (R12)", {
  unknown <- transform(mixed(), y = factor(rep(NA, 8), character()))
  expect_bayesrisk_error(fit(bayes_naive(), y ~ x, unknown), "data", "missing in 8 rows")
  expect_bayesrisk_error(bayes_statistics(bayes_naive(), y ~ x, unknown), "data", "missing in 8")
  expect_bayesrisk_error(cv_risk(bayes_naive(), y ~ x, unknown), "data", "missing in 8 rows")
  expect_bayesrisk_error(feature_dependence(y ~ x + z, unknown), "data", "missing in 8 rows")
  expect_bayesrisk_error(bayes_known(numeric()), "argument", "prior.*length 0")
  expect_bayesrisk_error(cost_matrix(a = numeric()), "argument", "\"a\".*length 0")
  expect_bayesrisk_error(zero_one_cost(character()), "argument", "classes.*length 0")
  expect_bayesrisk_error(decide(matrix(0, 3, 0), empty_cost), "argument", "named by class")
  expect_bayesrisk_error(
    assess_decisions(matrix(0, 3, 0), cost = empty_cost, truth = factor(rep(NA, 3))),
    "argument", "named by class"
  )
})

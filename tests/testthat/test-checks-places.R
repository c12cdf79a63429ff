# Each call has arguments in the order of an older version, or in none; its error names them.
right_call <- function(expr) {
  error <- tryCatch(expr, bayesrisk_error_argument = identity)
  if (!inherits(error, "bayesrisk_error_argument")) return("no error of an argument")
  sub("^Write `(.*)`\\.$", "\\1", utils::tail(cli::ansi_strip(error$body), 1L))
}

test_that("arguments in another order are shown by their names", {
  model <- fit(bayes_naive(), y ~ x + z, mixed())
  data <- mixed()
  cost <- cost_matrix(a = c(a = 0, b = 2), b = c(a = 1, b = 0))
  prior <- c(a = 0.3, b = 0.7)
  p <- predict(model, data, type = "prob")
  models <- list(one = model, two = model)
  spec <- bayes_naive()
  truth <- data$y
  wrong <- list(
    "cost = cost, newdata = data" = quote(decide(model, cost, data)),
    "cost = cost, newdata = data" = quote(decide(model, cost, data, prior = prior)),
    "cost = cost" = quote(decide(model, cost)),
    "newdata = data, cost = cost" = quote(decide(p, data, cost)),
    "prior = prior, cost = cost" = quote(predict(model, data, "cost", prior, cost)),
    "prior = prior" = quote(predict(model, data, "prob", prior)),
    "cost = cost" = quote(predict(model, cost)),
    "cost = cost" = quote(augment(model, cost, data)),
    "prior = prior, newdata = data" = quote(contributions(model, prior, data)),
    "cost = cost, newdata = data" = quote(contributions(model, cost, data)),
    "cost = cost, newdata = data" = quote(flip(model, cost, data)),
    "cost = cost, data = data" = quote(assess_decisions(model, cost, data)),
    "truth = truth" = quote(assess_decisions(model, data, cost, truth)),
    "cost = cost" = quote(assess_decisions(p, cost, truth = truth)),
    "truth = truth" = quote(assess_decisions(model, truth)),
    "truth = truth" = quote(assess_decisions(p, truth)),
    "truth = truth == \"a\"" = quote(assess_decisions(p, truth == "a")),
    "truth = truth" = quote(assess_decisions(decide(p, cost), truth)),
    "truth = truth" = quote(tune_threshold(p, truth, class = "a")),
    "data = data, cost = cost" = quote(compare_decisions(models, data, cost)),
    "data = data" = quote(compare_decisions(models, data)),
    "cost = cost, data = data" = quote(cv_risk(spec, y ~ x, cost, data)),
    "folds = 2" = quote(cv_risk(spec, y ~ x, data, cost, 2)),
    "folds = 2" = quote(cv_predict(spec, y ~ x, data, 2)),
    "data = data, formula = y ~ x" = quote(cv_predict(spec, data, y ~ x)),
    "data = data, formula = y ~ x" = quote(bayes_statistics(spec, data, y ~ x)),
    "data = data, formula = y ~ x" = quote(fit(spec, data, y ~ x)),
    "vary = \"prior\"" = quote(break_even(model, data, cost, "prior")),
    "vary = c(decision = \"a\")" = quote(break_even(model, data, cost, c(decision = "a"))),
    "cost = cost, newdata = data" = quote(cost_sweep(model, cost, data)),
    "vary = \"prior\"" = quote(cost_sweep(model, data, cost, "prior")),
    "price = 0.1" = quote(next_feature(model, data, cost, 0.1)),
    "cost = cost, newdata = data" = quote(next_feature(model, cost, data)),
    "prior = prior, cost = cost" = quote(decision_regions(model, prior, cost, "x")),
    "cost = cost" = quote(decision_threshold(cost)),
    "cost = cost, prior = prior" = quote(decision_threshold(cost, prior)),
    "cost = cost, prior = prior, object = model" = quote(decision_threshold(cost, prior, model)),
    "cost = cost, object = model" = quote(decide(cost, model, data)),
    "cost = cost, object = p" = quote(decide(cost, p)),
    "cost = cost" = quote(cost_sweep(cost, data)),
    "cost = cost" = quote(bayes_risk(cost)),
    "cost = cost, object = model" = quote(bayes_risk(cost, model)),
    "prior = prior, cost = cost" = quote(bayes_risk(model, prior, cost)),
    "cost = cost, object = model" = quote(minimax_prior(cost, model)),
    "prior = prior, cost = cost" = quote(value_of_information(model, prior, cost)),
    "metric = \"f1\"" = quote(tune_threshold(model, data, "f1")),
    "metric = \"f1\"" = quote(tune_threshold(model, "f1")),
    "truth = truth, metric = \"f1\"" = quote(tune_threshold(p, truth, "f1")),
    "cost = cost" = quote(tune_threshold(model, data, cost)),
    "cost = cost" = quote(tune_threshold(model, data, truth, cost)),
    "interval = \"bootstrap\"" = quote(assess_decisions(model, data, cost, NULL, "bootstrap")),
    "interval = \"folds\"" = quote(cv_risk(spec, y ~ x, data, "folds")),
    "formula = y ~ x, data = data, object = spec" = quote(cv_risk(y ~ x, data, spec)),
    "data = data, object = spec, formula = y ~ x" = quote(cv_risk(data, spec, y ~ x)),
    "object = bayes_naive(), formula = y ~ x, data = data" = quote(cv_risk(y ~ x, data)),
    "data = data, formula = y ~ x" = quote(search_blocks(spec, data, y ~ x)),
    "criterion = \"bic\"" = quote(search_blocks(spec, y ~ x, data, "bic")),
    "criterion = \"cost\", cost = cost" = quote(search_blocks(spec, y ~ x, data, "cost", cost)),
    "object = bayes_naive(), formula = y ~ x, data = data" = quote(search_blocks(y ~ x, data)),
    "criterion = \"evidence\"" = quote(search_likelihoods(spec, y ~ x, data, "evidence")),
    "formula = y ~ x, data = data, object = spec" = quote(search_likelihoods(y ~ x, data, spec)),
    "feature_dependence(y ~ ., data)" = quote(feature_dependence(spec, y ~ ., data)),
    "feature_dependence(formula, data)" = quote(feature_dependence(model)),
    "check_features(y ~ ., data)" = quote(check_features(model, y ~ ., data))
  )
  for (i in seq_along(wrong)) expect_identical(right_call(eval(wrong[[!!i]])), names(wrong)[[i]])
})

test_that("arguments that stand in their places, or are named, have their own errors", {
  model <- fit(bayes_naive(), y ~ x + z, mixed())
  expect_bayesrisk_error(decide(model, newdata = 3, cost = 1), "schema", "newdata")
  expect_bayesrisk_error(
    predict(model, mixed(), cost = as.data.frame(1)), "argument", "must be made by"
  )
  expect_bayesrisk_error(next_feature(model, mixed(), prior = 0.5), "argument", "sum to 1")
  expect_bayesrisk_error(bayes_risk(model, mixed()), "argument", "must be made by")
})

test_that("an argument that the call names is not suggested once more", {
  model <- fit(bayes_naive(), y ~ x + z, mixed())
  truth <- mixed()$y
  expect_bayesrisk_error(
    assess_decisions(model, truth, truth = truth), "schema", "`data` is a vector"
  )
  cost <- zero_one_cost(model)
  expect_bayesrisk_error(
    decide(model, cost, cost = cost), "schema", "`newdata` must be a data frame"
  )
  error <- expect_bayesrisk_error(assess_decisions(model, truth), "argument", "truth = truth")
  expect_match(conditionMessage(error), "`data` is missing then", fixed = TRUE)
})

test_that("long expressions are shown by their kind", {
  model <- fit(bayes_naive(), y ~ x + z, mixed())
  expect_identical(
    right_call(decide(model, cost_matrix(a = c(a = 0, b = 2), b = c(a = 1, b = 0), ask = 0.25),
                      mixed())),
    "cost = cost, newdata = mixed()"
  )
  shown <- right_call(do.call(decide, list(model, zero_one_cost(model), mixed())))
  expect_identical(shown, "cost = cost, newdata = table")
})

test_that("data in a specification are an error that shows fit()", {
  data <- iris
  wrong <- list(
    quote(bayes_naive(Species ~ ., data)), quote(bayes_naive(data, Species ~ ., laplace = 1)),
    quote(bayes_full(formula = Species ~ ., data = data)), quote(bayes_blocks(Species ~ ., data)),
    quote(bayes_naive(data[1:4], data$Species)), quote(bayes_naive(data)),
    quote(bayes_naive(Species ~ ., data = data, subset = 1:60))
  )
  shown <- "fit\\(spec, class ~ ., data\\)"
  for (call in wrong) expect_bayesrisk_error(eval(call), "argument", shown)
  spec <- bayes_naive()
  right <- "fit(spec, Species ~ ., data)"
  expect_identical(right_call(fit(spec, data, "Species")), right)
  expect_identical(right_call(fit_xy(spec, data, "Species")), right)
  model <- eval(str2lang(right))
  expect_identical(right_call(update(model, Species ~ ., data)), "update(model, data)")
})

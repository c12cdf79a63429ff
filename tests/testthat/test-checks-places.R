# Each call has arguments in the order of an older version, or in none; its error shows the call
# as it should be.
right_call <- function(expr) {
  error <- tryCatch(expr, bayesrisk_error_argument = identity)
  if (!inherits(error, "bayesrisk_error_argument")) return("no error of an argument")
  sub("^Write `(.*)`\\.$", "\\1", utils::tail(cli::ansi_strip(error$body), 1L))
}

test_that("arguments in another order are shown in theirs", {
  model <- fit(bayes_naive(), y ~ x + z, mixed())
  data <- mixed()
  cost <- cost_matrix(a = c(a = 0, b = 2), b = c(a = 1, b = 0))
  prior <- c(a = 0.3, b = 0.7)
  p <- predict(model, data, type = "prob")
  models <- list(one = model, two = model)
  spec <- bayes_naive()
  truth <- data$y
  wrong <- list(
    "decide(model, data, cost)" = quote(decide(model, cost, data)),
    "decide(model, data, cost, prior)" = quote(decide(model, cost, data, prior = prior)),
    "decide(model, newdata, cost)" = quote(decide(model, cost)),
    "decide(p, cost, data)" = quote(decide(p, data, cost)),
    "predict(model, data, \"cost\", cost, prior)" =
      quote(predict(model, data, "cost", prior, cost)),
    "predict(model, data, \"prob\", prior = prior)" = quote(predict(model, data, "prob", prior)),
    "predict(model, newdata, cost = cost)" = quote(predict(model, cost)),
    "augment(model, newdata = data, cost = cost)" = quote(augment(model, cost, data)),
    "contributions(model, data, prior = prior)" = quote(contributions(model, prior, data)),
    "contributions(model, data, cost)" = quote(contributions(model, cost, data)),
    "flip(model, data, cost)" = quote(flip(model, cost, data)),
    "assess_decisions(model, data, cost)" = quote(assess_decisions(model, cost, data)),
    "assess_decisions(model, data, cost, truth = truth)" =
      quote(assess_decisions(model, data, cost, truth)),
    "assess_decisions(p, cost = cost, truth = truth)" =
      quote(assess_decisions(p, cost, truth = truth)),
    "compare_decisions(models, data = data, cost = cost)" =
      quote(compare_decisions(models, data, cost)),
    "compare_decisions(models, data = data)" = quote(compare_decisions(models, data)),
    "cv_risk(spec, y ~ x, data, cost)" = quote(cv_risk(spec, y ~ x, cost, data)),
    "cv_risk(spec, y ~ x, data, cost, folds = 2)" = quote(cv_risk(spec, y ~ x, data, cost, 2)),
    "cv_predict(spec, y ~ x, data, folds = 2)" = quote(cv_predict(spec, y ~ x, data, 2)),
    "cv_predict(spec, y ~ x, data)" = quote(cv_predict(spec, data, y ~ x)),
    "bayes_statistics(spec, y ~ x, data)" = quote(bayes_statistics(spec, data, y ~ x)),
    "fit(spec, y ~ x, data)" = quote(fit(spec, data, y ~ x)),
    "break_even(model, data, cost, vary = \"prior\")" =
      quote(break_even(model, data, cost, "prior")),
    "break_even(model, data, cost, vary = c(decision = \"a\"))" =
      quote(break_even(model, data, cost, c(decision = "a"))),
    "cost_sweep(model, data, cost)" = quote(cost_sweep(model, cost, data)),
    "cost_sweep(model, data, cost, vary = \"prior\")" =
      quote(cost_sweep(model, data, cost, "prior")),
    "next_feature(model, data, cost, price = 0.1)" = quote(next_feature(model, data, cost, 0.1)),
    "next_feature(model, data, cost)" = quote(next_feature(model, cost, data)),
    "decision_regions(model, cost, prior, \"x\")" =
      quote(decision_regions(model, prior, cost, "x")),
    "decision_threshold(cost = cost)" = quote(decision_threshold(cost)),
    "decision_threshold(cost = cost, prior = prior)" = quote(decision_threshold(cost, prior)),
    "decision_threshold(model, cost, prior)" = quote(decision_threshold(cost, prior, model)),
    "decide(model, data, cost)" = quote(decide(cost, model, data)),
    "decide(p, cost)" = quote(decide(cost, p)),
    "cost_sweep(model, data, cost)" = quote(cost_sweep(cost, data)),
    "bayes_risk(model, cost)" = quote(bayes_risk(cost)),
    "bayes_risk(model, cost)" = quote(bayes_risk(cost, model)),
    "bayes_risk(model, cost, prior)" = quote(bayes_risk(model, prior, cost)),
    "minimax_prior(model, cost)" = quote(minimax_prior(cost, model)),
    "value_of_information(model, cost, prior)" = quote(value_of_information(model, prior, cost))
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

test_that("long expressions are shown by the name of their argument", {
  model <- fit(bayes_naive(), y ~ x + z, mixed())
  expect_identical(
    right_call(decide(model, cost_matrix(a = c(a = 0, b = 2), b = c(a = 1, b = 0), ask = 0.25),
                      mixed())),
    "decide(model, mixed(), cost)"
  )
  shown <- right_call(do.call(decide, list(model, zero_one_cost(model), mixed())))
  expect_identical(shown, "decide(object, newdata, cost)")
})

test_that("data in a specification are shown in fit()", {
  data <- iris
  model <- fit(bayes_naive(), Species ~ ., data)
  wrong <- list(
    "fit(bayes_naive(), Species ~ ., data)" = quote(bayes_naive(Species ~ ., data)),
    "fit(bayes_naive(laplace = 1), Species ~ ., data)" =
      quote(bayes_naive(data, Species ~ ., laplace = 1)),
    "fit(bayes_full(), Species ~ ., data)" = quote(bayes_full(formula = Species ~ ., data = data)),
    "fit(bayes_blocks(blocks), Species ~ ., data)" = quote(bayes_blocks(Species ~ ., data)),
    "fit_xy(bayes_naive(), data[1:4], data$Species)" = quote(bayes_naive(data[1:4], data$Species)),
    "fit_xy(bayes_naive(variance = \"ml\"), data[1:4], data$Species)" =
      quote(bayes_naive(x = data[1:4], y = data$Species, variance = "ml")),
    "fit(bayes_naive(), Species ~ ., data, subset = 1:60)" =
      quote(bayes_naive(Species ~ ., data = data, subset = 1:60)),
    "fit(bayes_full(), Species ~ Sepal.Length + Sepal.Width + I(Petal.Width), data)" =
      quote(bayes_full(
        Species ~ Sepal.Length + Sepal.Width + I(Petal.Width), data
      )),
    "fit(bayes_naive(), Species ~ ., data)" = quote(fit(bayes_naive(), data, "Species")),
    "fit(bayes_naive(), Species ~ ., data)" = quote(fit_xy(bayes_naive(), data, "Species")),
    "update(model, data)" = quote(update(model, Species ~ ., data)),
    "fit(bayes_naive(), class ~ ., data)" = quote(bayes_naive(data)),
    "fit(bayes_naive(), Species ~ ., data)" = quote(fit(bayes_naive(), data, Species ~ .))
  )
  blocks <- list(c("Sepal.Length", "Sepal.Width"))
  for (i in seq_along(wrong)) {
    right <- right_call(eval(wrong[[i]]))
    expect_identical(right, names(wrong)[[i]])
    # The class of data alone is not known; every other call works as it is shown.
    if (!grepl("class ~", right)) expect_s3_class(eval(str2lang(right)), "bayesrisk_model")
  }
})

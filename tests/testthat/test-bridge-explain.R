test_that("DALEX explains the posteriors without further arguments", {
  skip_if_not_installed("DALEX")
  model <- fit(bayes_naive(), Species ~ ., iris)
  explainer <- DALEX::explain(model, iris[1:4], iris$Species, verbose = FALSE)
  expect_identical(explainer$model_info$type, "multiclass")
  expect_identical(explainer$model_info$package, "bayesrisk")
  posterior <- predict(model, iris, type = "prob")
  expect_identical(explainer$y_hat, posterior)
  accuracy <- mean(predict(model, iris) == iris$Species)
  expect_within(DALEX::model_performance(explainer)$measures$accuracy, accuracy, 1e-15)
  expect_s3_class(withr::with_seed(1, DALEX::model_parts(explainer, B = 1)), "model_parts")
})

test_that("with two classes DALEX explains the second, or the one that it is asked for", {
  skip_if_not_installed("DALEX")
  data <- droplevels(iris[51:150, ])
  model <- fit(bayes_naive(), Species ~ ., data)
  posterior <- predict(model, data, type = "prob")
  y <- as.numeric(data$Species == "virginica")
  explainer <- DALEX::explain(model, data[1:4], y, verbose = FALSE)
  expect_identical(explainer$model_info$type, "classification")
  expect_identical(explainer$y_hat, unname(posterior[, 2]))
  expect_identical(explainer$residuals, y - unname(posterior[, 2]))
  asked <- DALEX::explain(
    model, data[1:4], 1 - y, predict_function_target_column = "versicolor", verbose = FALSE
  )
  expect_identical(asked$y_hat, unname(posterior[, 1]))
})

test_that("iml reads a model as it is", {
  skip_if_not_installed("iml")
  model <- fit(bayes_naive(), Species ~ ., iris)
  classes <- iml::Predictor$new(model, data = iris[1:4], y = iris$Species)
  expected <- outer(as.character(predict(model, iris)), levels(iris$Species), "==") + 0
  expect_identical(unname(as.matrix(classes$predict(iris[1:4]))), expected)
  posteriors <- iml::Predictor$new(model, data = iris, y = "Species", type = "prob")
  expect_within(
    as.matrix(posteriors$predict(iris)), predict(model, iris, type = "prob"), 0
  )
  importance <- withr::with_seed(1, {
    iml::FeatureImp$new(classes, loss = "ce", n.repetitions = 1)
  })
  expect_setequal(importance$results$feature, names(iris)[-5])
})

# Without a time zone lubridate, which caret loads, asks the system for one, with a warning if there
# is none.
skip_without_caret <- function() {
  withr::with_envvar(c(TZ = Sys.getenv("TZ", "UTC")), skip_if_not_installed("caret"))
}

folds_of <- function(y, ...) {
  index <- withr::with_seed(1, caret::createFolds(y, 3, returnTrain = TRUE))
  caret::trainControl("cv", index = index, savePredictions = TRUE, classProbs = TRUE, ...)
}

# The number of fits while `code` runs.
count_fits <- function(code) {
  fits <- 0
  namespace <- asNamespace("bayesrisk")
  suppressMessages(
    trace("bayes_classifier", function() fits <<- fits + 1, print = FALSE, where = namespace)
  )
  withr::defer(suppressMessages(untrace("bayes_classifier", where = namespace)))
  force(code)
  fits
}

test_that("all values of a parameter cost one fit for each fold, and are what their own fits are", {
  skip_without_caret()
  grid <- expand.grid(laplace = 0, shrinkage = c(0, 0.3, 0.7, 1))
  control <- folds_of(iris$Species, summaryFunction = caret::mnLogLoss)
  fits <- count_fits(trained <- caret::train(
    iris[1:4], iris$Species, bayesrisk_caret("full"), trControl = control, tuneGrid = grid,
    metric = "logLoss"
  ))
  # One for each of three folds, and one for all rows.
  expect_identical(fits, 4)
  expect_identical(nrow(trained$results), 4L)
  for (i in 1:3) {
    train <- control$index[[i]]
    for (shrinkage in grid$shrinkage) {
      model <- fit(bayes_full(shrinkage = shrinkage), Species ~ ., iris[train, ])
      mine <- trained$pred$Resample == names(control$index)[[i]] &
        trained$pred$shrinkage == shrinkage
      got <- trained$pred[mine, ]
      expected <- predict(model, iris[got$rowIndex, ], type = "both")
      expect_within(as.matrix(got[levels(iris$Species)]), expected$posterior, 1e-10, scale = 1)
      expect_identical(got$pred, expected$class)
    }
  }
  expect_identical(predict(trained, iris), predict(trained$finalModel, iris))
})

test_that("factors, case weights and missing values reach the fit", {
  skip_without_caret()
  data <- transform(iris, f = factor(Sepal.Width > 3, labels = c("low", "high")))
  data$Sepal.Length[c(1, 60, 120)] <- NA
  data$f[5] <- NA
  weights <- rep(1:2, 75)
  fits <- count_fits(trained <- caret::train(
    data[-5], data$Species, bayesrisk_caret(), weights = weights, variance = "ml",
    trControl = folds_of(data$Species), tuneGrid = data.frame(laplace = c(0, 1, 4))
  ))
  expect_identical(fits, 4)
  expect_identical(nobs(trained$finalModel), 225)
  spec <- bayes_naive(laplace = trained$bestTune$laplace, variance = "ml")
  model <- fit(spec, Species ~ ., data, weights = weights)
  expect_within(
    as.matrix(predict(trained, data, type = "prob")),
    predict(model, data, type = "prob"), 1e-12, scale = 1
  )
  expect_identical(caret::predictors(trained), names(data)[-5])
})

test_that("the formula interface works, with twoClassSummary and names of any form", {
  skip_without_caret()
  skip_if_not_installed("pROC")
  data <- droplevels(iris[51:150, ])
  data$Sepal.Length[3] <- NA
  control <- folds_of(data$Species, summaryFunction = caret::twoClassSummary)
  trained <- caret::train(
    Species ~ ., data, method = bayesrisk_caret("full"), metric = "ROC", trControl = control,
    na.action = stats::na.pass, tuneLength = 3
  )
  expect_identical(trained$results$shrinkage, c(0, 0.5, 1))
  expect_gt(min(trained$results$ROC), 0.95)
  levels(data$Species) <- c("a b", "c/d")
  named <- caret::train(
    Species ~ ., data, method = bayesrisk_caret(), trControl = caret::trainControl("none"),
    na.action = stats::na.pass, tuneGrid = data.frame(laplace = 1)
  )
  expect_identical(levels(predict(named, data)), levels(data$Species))
  expect_named(predict(named, data, type = "prob", na.action = stats::na.pass), c("a b", "c/d"))
})

test_that("the grid varies what the features have", {
  method <- bayesrisk_caret("full")
  numbers <- method$grid(iris[1:4], iris$Species, 3)
  expect_identical(numbers$laplace, c(0, 0, 0))
  expect_identical(numbers$shrinkage, c(0, 0.5, 1))
  words <- data.frame(f = c("a", "b"), x = 1:2)
  expect_identical(method$grid(words, NULL, 4)$laplace, c(0, 0.5, 1, 2))
  expect_named(bayesrisk_caret()$grid(words, NULL, 1), "laplace")
  drawn <- withr::with_seed(1, method$grid(iris, NULL, 5, search = "random"))
  expect_identical(dim(drawn), c(5L, 2L))
  expect_true(all(drawn$shrinkage >= 0 & drawn$shrinkage <= 1 & drawn$laplace >= 0))
  # Among equals caret takes the first, the simplest.
  expect_identical(method$sort(numbers)$shrinkage, c(1, 0.5, 0))
})

test_that("variable importance is that of mlr3", {
  skip_without_caret()
  model <- fit(bayes_naive(), Species ~ ., iris)
  expect_identical(bayesrisk_caret()$varImp(model)$Overall, unname(feature_importance(model)))
})

test_that("a wrong structure is an error", {
  expect_bayesrisk_error(bayesrisk_caret("blocks"), "argument", "structure")
})

test_that("a classifier by plain arguments is the model of its specification", {
  expect_identical(
    bayes_classifier(play_tennis[-5], play_tennis$play, laplace = 1, prior = "uniform"),
    fit_xy(bayes_naive(laplace = 1, prior = "uniform"), play_tennis[-5], play_tennis$play)
  )
  expect_identical(
    bayes_classifier(iris[1:4], iris$Species, "full", shrinkage = 0.1, identity = 0.2),
    fit_xy(bayes_full(shrinkage = 0.1, identity = 0.2), iris[1:4], iris$Species)
  )
  expect_identical(
    bayes_classifier(iris[1:4], iris$Species, smoothness = 2),
    fit_xy(bayes_naive(numeric = likelihood_kernel(adjust = 2)), iris[1:4], iris$Species)
  )
})

test_that("weights may be of any class of numbers", {
  w <- structure(rep(1:3, 50), class = c("hardhat_frequency_weights", "vctrs_vctr"))
  expect_identical(
    bayes_classifier(iris[1:4], iris$Species, weights = w),
    bayes_classifier(iris[1:4], iris$Species, weights = rep(c(1, 2, 3), 50))
  )
})

test_that("arguments that are none are errors that name them", {
  bad <- function(pattern, ...) {
    expect_error(
      bayes_classifier(iris[1:4], iris$Species, ...), pattern, class = "bayesrisk_error_argument"
    )
  }
  bad("structure.*naive.*full", "tree")
  bad("smoothness.*numeric", smoothness = 1, numeric = likelihood_gaussian())
  bad("smoothness", "full", smoothness = 1)
  bad("smoothness|adjust", smoothness = 0)
  bad("smoothness", smoothness = c(1, 2))
  bad("shrinkage", shrinkage = 0.5)
  error <- bad("nonsense", nonsense = 1)
  expect_identical(conditionCall(error)[[1L]], quote(bayes_classifier))
  error <- bad("prior", prior = 2)
  expect_identical(conditionCall(error)[[1L]], quote(bayes_naive))
})

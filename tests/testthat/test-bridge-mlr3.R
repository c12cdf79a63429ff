# mlr3's own tests of learners, which find mlr3 and checkmate on the search path. They run in a
# process of their own, because they define methods of all R6 objects. A failed expectation is an
# error.
run_autotests <- function(structures) {
  callr::r(function(structures) {
    for (package in c("bayesrisk", "mlr3", "checkmate")) library(package, character.only = TRUE)
    getExportedValue("lgr", "get_logger")("mlr3")$set_threshold("error")
    env <- new.env(parent = globalenv())
    folder <- system.file("testthat", package = "mlr3")
    for (file in list.files(folder, "^helper.*[.][rR]$", full.names = TRUE)) source(file, env)
    make <- function(...) {
      learner <- mlr3::lrn("classif.bayesrisk", ...)
      learner$predict_type <- "prob"
      learner
    }
    env$expect_learner(make())
    # One process for all runs in a process of their own.
    mirai::daemons(1, .compute = "mlr3_encapsulation")
    on.exit(mirai::daemons(0, .compute = "mlr3_encapsulation"))
    lapply(stats::setNames(nm = structures), function(structure) {
      set.seed(7)
      env$run_autotest(make(structure = structure), N = 20)
    })
  }, list(structures), libpath = .libPaths())
}

learner <- function(..., predict_type = "prob") {
  learner <- mlr3::lrn("classif.bayesrisk", ...)
  learner$predict_type <- predict_type
  learner
}

skip_without_mlr3 <- function() {
  for (package in c("mlr3", "paradox", "R6")) skip_if_not_installed(package)
  # The logger of mlr3 reports each run.
  getExportedValue("lgr", "get_logger")("mlr3")$set_threshold("error")
}

test_that("mlr3's own tests pass, nothing excluded", {
  skip_on_cran()
  skip_without_mlr3()
  skip_if_not_installed("checkmate", "2.3.0")
  skip_if_not_installed("mirai")
  results <- run_autotests(c("naive", "full"))
  for (structure in names(results)) {
    result <- results[[structure]]
    expect_true(isTRUE(result), info = paste(structure, if (is.list(result)) result$error))
  }
})

test_that("the learner predicts as the model does", {
  skip_without_mlr3()
  task <- mlr3::tsk("iris")
  trained <- learner(structure = "full", shrinkage = 0.2, variance = "ml", threads = 2)$train(task)
  model <- fit(bayes_full(shrinkage = 0.2, variance = "ml"), Species ~ ., iris)
  predicted <- trained$predict(task)
  expect_within(predicted$prob, predict(model, iris, type = "prob"), 1e-12, scale = 1)
  expect_identical(predicted$response, predict(model, iris))
  plain <- learner(prior = "uniform", predict_type = "response")$train(task, 1:120)
  expect_identical(plain$predict(task)$predict_types, "response")
  expect_setequal(plain$selected_features(), names(iris)[-5])
})

test_that("columns of new data have any order, case weights are repeated rows", {
  skip_without_mlr3()
  weighted <- transform(iris, w = rep(1:3, 50))
  task <- mlr3::as_task_classif(weighted, target = "Species")
  task$set_col_roles("w", "weights_learner")
  repeated <- mlr3::as_task_classif(iris[rep(1:150, weighted$w), ], target = "Species")
  first <- learner()$train(task)
  second <- learner()$train(repeated)
  expect_within(first$predict(task)$prob, second$predict(task)$prob, 1e-10, scale = 1)
  expect_identical(
    first$predict_newdata(weighted[6:1])$prob, first$predict_newdata(weighted)$prob
  )
})

test_that("a parameter of the other structure is an error of mlr3", {
  skip_without_mlr3()
  expect_error(learner(shrinkage = 0.1), "structure == full")
  expect_error(learner(structure = "full", numeric = likelihood_kernel()), "structure == naive")
  expect_bayesrisk_error(
    learner(laplace = 1, categorical = likelihood_categorical())$train(mlr3::tsk("iris")),
    "argument", "laplace"
  )
  expect_bayesrisk_error(learner()$importance(), "argument", "not trained")
})

test_that("every argument of the specifications is a parameter", {
  skip_without_mlr3()
  arguments <- c(names(formals(bayes_naive)), names(formals(bayes_full)))
  expect_setequal(learner()$param_set$ids(), c(setdiff(arguments, "..."), "structure", "threads"))
})

test_that("a row that is impossible under every class gets the prior, with a warning", {
  skip_without_mlr3()
  data <- data.frame(
    y = c("a", "a", "a", "b", "b"), f = c("u", "u", "u", "v", "v"), g = c("p", "p", "p", "q", "q")
  )
  data[] <- lapply(data, factor)
  trained <- learner()$train(mlr3::as_task_classif(data, target = "y"))
  expect_warning(
    predicted <- trained$predict_newdata(data.frame(f = c("u", "u"), g = c("p", "q"))),
    "1 row impossible.*answered by the prior", class = "bayesrisk_warning_impossible"
  )
  expect_within(predicted$prob, cbind(c(1, 0.6), c(0, 0.4)), 1e-15)
  expect_identical(as.character(predicted$response), c("a", "a"))
})

test_that("importance is what each feature alone saves under 0-1 cost", {
  skip_without_mlr3()
  trained <- learner(structure = "full")$train(mlr3::tsk("iris"))
  worth <- vapply(names(iris)[-5], function(feature) {
    alone <- fit(bayes_naive(), stats::reformulate(feature, "Species"), iris)
    2 / 3 - bayes_risk(alone)$total
  }, 1)
  expect_within(trained$importance(), sort(worth, decreasing = TRUE), 1e-12)
  expect_named(trained$importance(), names(sort(worth, decreasing = TRUE)))
})

test_that("the dictionary knows the learner in both orders of loading, and forgets it", {
  skip_without_mlr3()
  skip_if_not_installed("callr")
  known <- callr::r(function() {
    known <- function() "classif.bayesrisk" %in% mlr3::mlr_learners$keys()
    loadNamespace("bayesrisk")
    loaded <- intersect(c("mlr3", "paradox", "R6"), loadedNamespaces())
    later <- known()
    unloadNamespace("bayesrisk")
    unloaded <- known()
    loadNamespace("bayesrisk")
    list(loaded, later, unloaded, known(), length(getHook(packageEvent("mlr3", "onLoad"))))
  })
  expect_identical(known, list(character(), TRUE, FALSE, TRUE, 1L))
})

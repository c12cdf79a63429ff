# Frameworks that keep lists of their models learn of ours when, and only when, they are loaded,
# before or after bayesrisk. Methods of their generics need no hook: R registers them itself.

#' bayesrisk in other frameworks
#'
#' Models and decisions of this package work inside the frameworks that you use already. Load
#' bayesrisk and the framework in any order. All frameworks are optional.
#'
#' @details
#' | Framework | What works |
#' |:--|:--|
#' | parsnip, workflows, tune | [`set_engine("bayesrisk")`][bayesrisk_parsnip] of `naive_Bayes()`, |
#' | | `discrim_quad()`, `discrim_linear()` and `discrim_regularized()` |
#' | mlr3 | [`lrn("classif.bayesrisk")`][mlr_learners_classif.bayesrisk]; |
#' | | [as_mlr3()] for the measure `classif.costs` |
#' | caret | [`train(method = bayesrisk_caret())`][bayesrisk_caret] |
#' | yardstick | [decision_cost_metric()] makes a metric of a cost |
#' | | [as_yardstick()] for the metric `classification_cost()` |
#' | probably | [decide()] takes the results of `cal_apply()` |
#' | | [as_class_pred()][as_class_pred.bayesrisk_decision] takes decisions |
#' | broom | [tidy()], [glance()], [augment()] |
#' | ggplot2 | every plot is a ggplot, by `plot()` or [`autoplot()`][autoplot.bayesrisk] |
#' | htmlwidgets | [explorer()] in reports |
#' | DALEX, iml | [`DALEX::explain(model, data, y)`][explain_model], |
#' | | `iml::Predictor$new(model, data, y)` |
#' | vetiver, pins | [`vetiver_model(model, "name")`][deploy_model] |
#' | MASS, klaR, e1071, mclust, | [as_bayes_model()] reads their models |
#' | naivebayes, scikit-learn | |
#' | other programs | [write_model_json()], [read_model_json()], [as_sql()], |
#' | | [`tidypredict_fit()`][tidypredict_fit.bayesrisk_model] |
#'
#' Frameworks fit models by [bayes_classifier()].
#'
#' @section Decisions by models of others: `decide(object, newdata, cost)` takes a fitted workflow
#'   or model of parsnip with any engine, a `train()` of caret, and a learner of mlr3. They must
#'   predict probabilities: `trainControl(classProbs = TRUE)`, `predict_type = "prob"`.
#'   `decide(object, cost)` takes the probabilities themselves, such as a prediction of mlr3 or the
#'   result of `augment()`: see [posterior_probabilities].
#' @section Costs of others: Packages disagree on the axes of a cost matrix. [as_cost_matrix()]
#'   reads their costs, and these calls write them: `as_yardstick(cost)`; `as_mlr3(cost)`; for the
#'   `loss` of rpart, which has no names, `unname(t(as_mlr3(cost))[classes, classes])` with the
#'   `classes` in the order of the factor.
#' @seealso `vignette("deciding")` tunes a workflow by the cost of its decisions.
#' @name bayesrisk_frameworks
NULL

# The function that tells a framework of our models, and the one that takes them back, by package.
bridges <- function() {
  list(
    mlr3 = list(connect = connect_mlr3, disconnect = disconnect_mlr3),
    parsnip = list(connect = connect_parsnip, disconnect = disconnect_parsnip)
  )
}

.onLoad <- function(libname, pkgname) {
  for (package in names(bridges())) connect_when_loaded(package)
}

.onUnload <- function(libpath) {
  for (package in names(bridges())) {
    drop_hook(package)
    if (isNamespaceLoaded(package)) try_bridge(package, "disconnect")
  }
  library.dynam.unload("bayesrisk", libpath)
}

connect_when_loaded <- function(package) {
  if (isNamespaceLoaded(package)) try_bridge(package, "connect")
  hook <- function(...) try_bridge(package, "connect")
  setHook(packageEvent(package, "onLoad"), hook, action = "append")
}

drop_hook <- function(package) {
  event <- packageEvent(package, "onLoad")
  ours <- function(hook) identical(topenv(environment(hook)), topenv())
  setHook(event, Filter(Negate(ours), getHook(event)), action = "replace")
}

# A framework must load although its list has changed.
try_bridge <- function(package, action) {
  tryCatch(bridges()[[package]][[action]](), error = function(e) {
    problem <- conditionMessage(e)
    warn_bayesrisk("bayesrisk is not registered with {.pkg {package}}: {problem}", "bridge", NULL)
  })
}

# butcher makes models smaller. Ours hold no data, call, environment or fitted values, so there is
# one method: the statistics of the training data go.

#' @exportS3Method butcher::axe_data
axe_data.bayesrisk_model <- function(x, verbose = FALSE, ...) {
  call <- rlang::current_env()
  x <- check_model(x, call, "x")
  x["statistics"] <- list(NULL)
  x
}

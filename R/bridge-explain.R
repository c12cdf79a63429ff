#' Explain a model with DALEX or iml
#'
#' `DALEX::explain(model, data, y)` and `iml::Predictor$new(model, data, y, type = "prob")` take a
#' model of this package as it is. DALEX explains the posterior of all classes; with two classes
#' that of the second, as it does for other classifiers, so `y` is 1 for this class and 0 for the
#' first. Without `type = "prob"` iml explains the predicted class, as 0 and 1.
#'
#' @seealso [contributions()], which divides a posterior or an expected cost among the features
#'   exactly.
#' @examplesIf requireNamespace("DALEX", quietly = TRUE)
#' model <- fit(bayes_naive(), Species ~ ., iris)
#' explainer <- DALEX::explain(model, iris[1:4], iris$Species, verbose = FALSE)
#' DALEX::model_performance(explainer)
#' @name explain_model
NULL

#' @exportS3Method DALEX::model_info
model_info.bayesrisk_model <- function(model, is_multiclass = FALSE, ...) {
  several <- length(model$schema$classes$levels) > 2L
  structure(
    list(
      package = "bayesrisk", ver = as.character(utils::packageVersion("bayesrisk")),
      type = if (several) "multiclass" else "classification"
    ),
    class = "model_info"
  )
}

# The default method takes the column that explain() was asked for.
#' @exportS3Method DALEX::yhat
yhat.bayesrisk_model <- function(X.model, newdata, ...) { # nolint: object_name_linter.
  NextMethod(type = "prob")
}

# The importance of features, as frameworks rank them: numbers named by feature.

# The cost that each feature alone saves under 0-1 cost.
feature_importance <- function(model) {
  features <- names(model$schema$features)
  worth <- value_of_information(model, all = FALSE)
  # Before the features stands "nothing", after them "perfect".
  stats::setNames(worth$value[seq_along(features) + 1L], features)
}

#' Deploy a model with vetiver
#'
#' `vetiver::vetiver_model(model, "name")` takes a model of this package as it is. Pins and services
#' then work as for other models. A model knows the types and levels of its features, so the
#' prototype of its input needs no data. Only a model with functions in its formula or with bags
#' needs rows of the input: `vetiver_model(model, "name", prototype_data = data)`. Missing values
#' (`null`, or `"NA"`) are marginalised. A new level of a factor is an error of the service. A pin is
#' an RDS file: see "Security" in [read_model_json()].
#'
#' The service answers with `.pred_class` and, for each class, `.pred_<class>`. Further arguments of
#' [predict()][predict.bayesrisk_model] go to `vetiver::vetiver_api()`: with `type = "decision"` and
#' `cost` the service answers with `.decision`.
#'
#' @examplesIf requireNamespace("vetiver", quietly = TRUE)
#' model <- fit(bayes_naive(), Species ~ ., iris)
#' vetiver::vetiver_model(model, "iris")
#' @name deploy_model
NULL

#' @exportS3Method vetiver::vetiver_create_description
vetiver_create_description.bayesrisk_model <- function(model) {
  classes <- count_of(length(model$schema$classes$levels), "class", "classes")
  sprintf("A Bayes classifier of %s", classes)
}

#' @exportS3Method vetiver::vetiver_create_meta
vetiver_create_meta.bayesrisk_model <- function(model, metadata) {
  vetiver::vetiver_meta(metadata, required_pkgs = "bayesrisk")
}

# A service never attaches the packages of its model. The reference to our namespace makes R load
# it when the pin is read.
#' @exportS3Method vetiver::vetiver_prepare_model
vetiver_prepare_model.bayesrisk_model <- function(model) structure(model, namespace = topenv())

#' @exportS3Method vetiver::vetiver_ptype
vetiver_ptype.bayesrisk_model <- function(model, ..., prototype_data = NULL) {
  features <- model$schema$features
  if (!is.null(prototype_data)) {
    return(as.data.frame(prototype_data)[0L, schema_columns(model$schema), drop = FALSE])
  }
  known <- vapply(features, function(f) is.null(f$expression) && f$kind != "bag", NA)
  if (!all(known)) {
    abort_argument(c(
      "The model does not know the type of the columns behind {.field {names(features)[!known]}}.",
      i = "Give rows of the data: {.code vetiver_model(model, name, prototype_data = data)}."
    ), NULL)
  }
  columns <- lapply(features, empty_column)
  structure(columns, row.names = integer(), class = c("tbl_df", "tbl", "data.frame"))
}

empty_column <- function(feature) {
  switch(feature$type,
    double = double(), integer = integer(), logical = logical(), character = character(),
    factor = factor(character(), feature$levels),
    ordered = factor(character(), feature$levels, ordered = TRUE)
  )
}

#' @exportS3Method vetiver::handler_predict
handler_predict.bayesrisk_model <- function(vetiver_model, type = "both", ...) {
  force(type)
  settings <- list(...)
  function(req) {
    newdata <- vetiver::vetiver_type_convert(req$body, vetiver_model$prototype)
    value <- rlang::inject(stats::predict(vetiver_model$model, newdata, type = type, !!!settings))
    as.data.frame(score_columns(value, type), optional = TRUE)
  }
}

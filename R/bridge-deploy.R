#' Deploy a model with vetiver
#'
#' `vetiver::vetiver_model(model, "name")` takes a model of this package as it is. Pins and services
#' then work as for other models. A model knows the types and levels of its features, so the
#' prototype of its input needs no data. Only a model with functions in its formula or with bags
#' needs rows of the input: `vetiver_model(model, "name", prototype_data = data)`. Missing values
#' (`null`, or `"NA"`) are marginalised. A pin is an RDS file: see "Security" in
#' [read_model_json()].
#'
#' A request that cannot be answered gets the status 422 and `{"error": "..."}` with the reason: a
#' missing column, a value of another type, a new level of a factor, an infinite number, no row. A
#' body that is no JSON gets the status 400. An answer that does not exist, such as the class of a
#' combination that is impossible under every class, is `null`.
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
  refuse_malformed(parent.frame())
  function(req, res) {
    refuse <- function(condition) refuse_request(res, 422L, conditionMessage(condition))
    tryCatch({
      newdata <- request_rows(req$body, vetiver_model$prototype)
      value <- rlang::inject(stats::predict(vetiver_model$model, newdata, type = type, !!!settings))
      res$serializer <- plumber::serializer_unboxed_json(null = "null", na = "null")
      as.data.frame(answer_columns(value, type), optional = TRUE)
    }, bayesrisk_error_schema = refuse, bayesrisk_error_data = refuse,
    bayesrisk_warning_infinite = refuse)
  }
}

request_rows <- function(body, prototype) {
  if (!is.data.frame(body) || !nrow(body)) {
    abort_schema(
      "The body must be an array of objects, one for each case: {.code [{{\"size\": 1}}]}.", NULL
    )
  }
  tryCatch(vetiver::vetiver_type_convert(body, prototype), error = function(e) {
    reason <- conditionMessage(e)
    abort_schema("{reason}", NULL)
  })
}

refuse_request <- function(res, status, message) {
  res$status <- status
  res$serializer <- plumber::serializer_unboxed_json()
  list(error = gsub("[[:space:]]+", " ", trimws(cli::ansi_strip(message))))
}

# plumber parses a body before it calls the handler, and takes a body that it cannot parse for an
# error of the server. A filter comes before that. vetiver hands the router to no method, but asks
# for the handler in a frame that has it.
refuse_malformed <- function(frame) {
  router <- frame$pr
  if (!inherits(router, "Plumber")) return(invisible())
  path <- frame$path
  router$filter("bayesrisk-json", function(req, res) {
    text <- req$bodyRaw
    given <- identical(req$PATH_INFO, path) && length(text)
    if (!given || !is_json_type(req$HTTP_CONTENT_TYPE)) return(plumber::forward())
    problem <- json_problem(text)
    if (is.null(problem)) return(plumber::forward())
    refuse_request(res, 400L, paste("The body is no JSON:", problem))
  })
}

is_json_type <- function(type) is.null(type) || grepl("json", type, fixed = TRUE)

json_problem <- function(raw) {
  checked <- tryCatch(jsonlite::validate(rawToChar(raw)), error = function(e) {
    structure(FALSE, err = conditionMessage(e))
  })
  if (!checked) paste(attr(checked, "err"), collapse = " ")
}

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

# decide() for fitted models of frameworks: their predict() gives the probabilities.

# The classes have the names that their packages give them.
# nolint start: object_name_linter.

#' @rdname decide
#' @order 4
#' @export
decide.workflow <- function(object, newdata, cost = NULL, prior = NULL, trained_prior = NULL,
                            capacity = NULL, ..., threads = default_threads()) {
  call <- check_no_dots(...)
  if (missing(newdata)) abort_no_rows("newdata", call)
  threads <- check_threads(threads, call)
  cases <- read_container(newdata, "newdata", abort_schema, call)
  classes <- cost_classes(cost, call)
  posterior <- predicted_posterior(object, newdata, call)
  read <- read_posterior(posterior, classes, call, "predict(object)")
  check_all_predicted(read, cases, call)
  read$row_names <- cases$row_names
  decide_read(read, cost, newdata, prior, trained_prior, capacity, threads, call)
}

#' @export
decide.model_fit <- decide.workflow

#' @export
decide.train <- decide.workflow

#' @export
decide.Learner <- decide.workflow

# nolint end.

# For each class of fitted models, its package and how this package predicts probabilities.
predictors <- list(
  workflow = list(package = "workflows", posterior = function(object, newdata) {
    stats::predict(object, newdata, type = "prob")
  }),
  model_fit = list(package = "parsnip", posterior = function(object, newdata) {
    stats::predict(object, newdata, type = "prob")
  }),
  # caret leaves rows with missing values out unless told otherwise.
  train = list(package = "caret", posterior = function(object, newdata) {
    stats::predict(object, newdata, type = "prob", na.action = stats::na.pass)
  }),
  Learner = list(package = "mlr3", posterior = function(object, newdata) {
    object$predict_newdata(as.data.frame(newdata))
  })
)

# The error of the framework says what the model lacks.
predicted_posterior <- function(object, newdata, call) {
  kind <- intersect(class(object), names(predictors))[[1L]]
  predictor <- predictors[[kind]]
  check_package(predictor$package, "decide", call)
  tryCatch(predictor$posterior(object, newdata), error = function(e) {
    if (is_time_limit(e)) stop(e)
    abort_argument(c(
      "{.pkg {predictor$package}} predicts no probabilities of {.arg newdata} with {.arg object}.",
      i = "A decision by cost needs a fitted classifier that predicts probabilities."
    ), call, parent = e)
  })
}

check_all_predicted <- function(read, cases, call) {
  predicted <- read$frame$rows
  if (predicted == cases$rows) return(invisible())
  abort_schema(c(
    "{.arg object} predicts probabilities for {predicted} of the {cases$rows} row{?s} of
     {.arg newdata}.",
    i = "It may leave out rows with missing values: fill these values in, or leave the rows out."
  ), call)
}

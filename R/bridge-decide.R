# decide() for fitted models of frameworks: their predict() gives the probabilities.

# The classes have the names that their packages give them.
# nolint start: object_name_linter.

#' @rdname decide
#' @order 4
#' @export
decide.workflow <- function(object, newdata, cost = NULL, prior = NULL, trained_prior = NULL,
                            capacity = NULL, budget = NULL, rule = NULL, ...,
                            threads = default_threads()) {
  call <- check_no_dots(...)
  if (missing(newdata)) abort_no_rows("newdata", call)
  threads <- check_threads(threads, call)
  cases <- read_container(newdata, "newdata", abort_schema, call)
  classes <- cost_classes(cost, call)
  posterior <- predicted_posterior(object, newdata, call)
  read <- read_posterior(posterior, classes, call, "predict(object)")
  check_all_predicted(read, cases, call)
  read$row_names <- cases$row_names
  limits <- list(capacity = capacity, budget = budget, rule = rule)
  decide_read(read, cost, newdata, prior, trained_prior, limits, threads, call)
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

# Costs and decisions in the forms of other packages: the mirror of cost-import.R.

#' Costs for other packages
#'
#' `as_yardstick()` and `as_mlr3()` give a cost the form that the measures of these packages take.
#' [as_cost_matrix()] reads both forms again, that of mlr3 with `rows = "decision"`.
#'
#' @param cost A cost whose actions are its classes: see [cost_matrix()].
#' @inheritParams bayesrisk_arguments
#' @return `as_yardstick()`: a data frame `truth`, `estimate`, `cost` with a row for each pair, for
#'   `yardstick::classification_cost(costs = )`. It prices the probabilities; for the price of the
#'   decisions see [decision_cost_metric()].
#'
#'   `as_mlr3()`: a matrix with the response in rows and the truth in columns, for
#'   `mlr3::msr("classif.costs", costs = )`.
#' @section Errors: `bayesrisk_error_argument` for a cost that the other package cannot express: it
#'   differs by case, an action is no class (a reject option), a class is no action, or a cost is
#'   infinite.
#' @seealso [bayesrisk_frameworks]
#' @examples
#' cost <- cost_matrix(ill = c(ill = 0, well = 5), well = c(ill = 50, well = 0))
#' as_yardstick(cost)
#' as_mlr3(cost)
#' @export
as_yardstick <- function(cost, ...) {
  call <- check_no_dots(...)
  cells <- cells_by_class(cost, "yardstick", call)
  data.frame(
    truth = colnames(cells)[col(cells)], estimate = rownames(cells)[row(cells)], cost = c(cells)
  )
}

#' @rdname as_yardstick
#' @export
as_mlr3 <- function(cost, ...) {
  call <- check_no_dots(...)
  cells <- cells_by_class(cost, "mlr3", call)
  names(dimnames(cells)) <- c("response", "truth")
  cells
}

# The costs as a matrix of numbers, if the actions are the classes and all costs are finite.
cells_by_class <- function(cost, package, call) {
  cells <- fixed_cells(cost, call)
  actions <- rownames(cells)
  classes <- colnames(cells)
  if (is.null(classes)) {
    abort_argument("{.pkg {package}} needs costs by true class, and {.arg cost} names none.", call)
  }
  others <- setdiff(actions, classes)
  if (length(others)) {
    abort_argument(c(
      "{.pkg {package}} has no action that is not a class: {.val {others}} of {.arg cost}.",
      i = "{.fn decision_cost_metric} and {.fn assess_decisions} price all actions."
    ), call)
  }
  absent <- setdiff(classes, actions)
  if (length(absent)) {
    abort_argument(
      "{.pkg {package}} needs every class as an action: {.arg cost} lacks {.val {absent}}.", call
    )
  }
  if (all(is.finite(cells))) return(cells)
  abort_argument(
    "{.pkg {package}} multiplies costs by shares that may be 0: {.arg cost} must be finite.", call
  )
}

#' Decisions as class predictions of probably
#'
#' The method of [probably::as_class_pred()] for decisions. Actions that are no classes, such as a
#' reject option, become equivocal.
#'
#' @param x A [decide()] result.
#' @param which,equivocal As in [probably::as_class_pred()]: further cases that become equivocal,
#'   and their label in print.
#' @inheritParams bayesrisk_arguments
#' @return A `class_pred` with a value for each case. Its levels are the classes of the cost. Errors
#'   are of class `bayesrisk_error_argument`: no action is a class, or the decisions do not keep
#'   their classes, because their costs differ by case.
#' @seealso [bayesrisk_frameworks]
#' @examplesIf requireNamespace("probably", quietly = TRUE)
#' model <- fit(bayes_naive(), Species ~ ., iris)
#' decided <- decide(model, iris, zero_one_cost(model, reject = 0.1))
#' probably::reportable_rate(probably::as_class_pred(decided))
#' @exportS3Method probably::as_class_pred
as_class_pred.bayesrisk_decision <- function(x, which = integer(), equivocal = "[EQ]", ...) {
  call <- check_no_dots(...)
  classes <- colnames(decided_by(x))
  if (is.null(classes)) {
    abort_argument(c(
      "Decisions by costs that differ by case do not keep their classes.",
      i = "Write {.code class_pred(factor(x$decision, classes), which(!x$decision %in% classes))}."
    ), call)
  }
  if (!any(levels(x$decision) %in% classes)) {
    abort_argument("No action of {.arg x} is a class, so no decision is a prediction.", call)
  }
  abstained <- which(!x$decision %in% c(classes, NA))
  probably::class_pred(factor(x$decision, classes), union(which, abstained), equivocal)
}

#' Predict classes, posteriors, scores, expected costs and decisions
#'
#' @param object A fitted or known model.
#' @param type The kind of result, one number or row per case:
#'   * `"class"`: the most probable class, a factor with all training levels
#'     (default without `cost`);
#'   * `"prob"` (also `"raw"`, `"posterior"`): posterior probabilities, cases x
#'     classes;
#'   * `"log_prob"`: their logarithms, exact far out in the tails;
#'   * `"log_joint"`: log prior + log likelihood, the unnormalised score;
#'   * `"log_likelihood"`: log density or probability of the features given each
#'     class, cases x classes;
#'   * `"log_evidence"`: log density of the features under the model, a vector;
#'   * `"cost"`: expected cost of each action, cases x actions;
#'   * `"decision"`: the action of least expected cost, a factor of actions
#'     (default with `cost`);
#'   * `"both"`: a list of `class` and `posterior`, as in MASS.
#' @param cost The cost of each action under each true class: see
#'   [cost_matrix()]. Without it, `"cost"` and `"decision"` use 0-1 cost. Costs by
#'   case (formulas) are computed from the columns of `newdata`.
#' @inheritParams bayesrisk_arguments
#'
#' @details All computations use the log scale and exponentiate last, without a lower limit for
#'   small densities, so decisions are correct far out in the tails.
#'
#'   A missing value is marginalised exactly: a single feature is left out, a
#'   Gaussian block uses the sub-covariance of what is observed, a joint table
#'   is summed. A row that misses everything gets the prior. A level that the
#'   model does not know counts as missing, with one warning
#'   (`bayesrisk_warning_unknown_level`) that counts the rows.
#'
#'   An infinite number, or a combination that is impossible under every class,
#'   gives a row of `NA` and one warning (`bayesrisk_warning_infinite`,
#'   `bayesrisk_warning_impossible`). An impossible combination still has scores: its log joint, log
#'   likelihood and log evidence are `-Inf`.
#'
#'   Ties: log joints within 1e-12 max(1, |l|) of the largest, or expected costs
#'   within 1e-12 of the largest expected absolute cost, count as equal. Ties go to the
#'   first class or action in the declared order.
#' @return A factor, or a matrix with classes or actions as column names and the
#'   row names of `newdata`, as described under `type`.
#' @section Errors: `bayesrisk_error_schema` where `newdata` does not fit the
#'   model (a column is missing or of another kind; the error names it),
#'   `bayesrisk_error_argument` for a bad argument, `bayesrisk_error_object` for
#'   a model that was damaged.
#' @references The lecture "Bayesian Learning (Galili, Shamir, Yakhini)" for the
#'   prior-only, likelihood and posterior rules and for cost; "Applied Machine
#'   Learning Fundamentals, Unit III: Bayesian Decision Theory (Wehner)" for the
#'   minimum-risk rule.
#' @examples
#' model <- fit(bayes_naive(), Species ~ ., iris)
#' predict(model, iris[c(1, 71, 134), ])
#' predict(model, iris[c(1, 71, 134), ], type = "prob")
#' predict(model, data.frame(Sepal.Length = 5, Sepal.Width = NA, Petal.Length = 1.5,
#'                           Petal.Width = 0.2), type = "prob")
#'
#' cost <- cost_matrix(
#'   keep = c(setosa = 0, versicolor = 1, virginica = 10),
#'   discard = c(setosa = 2, versicolor = 2, virginica = 0)
#' )
#' predict(model, iris[c(1, 71, 134), ], cost = cost)
#' @export
predict.bayesrisk_model <- function(object, newdata, type = NULL, cost = NULL, prior = NULL,
                                    ..., threads = default_threads()) {
  call <- rlang::current_env()
  check_no_dots(..., call = call)
  check_scored_model(object, call)
  if (missing(newdata)) {
    abort_argument("{.arg newdata} is missing: a model holds no data to fall back on.", call)
  }
  type <- predict_type(type, cost, call)
  threads <- check_threads(threads, call)
  prior <- predict_prior(object, prior, call)
  read <- read_newdata(object$schema, newdata, call)
  if (type %in% c("cost", "decision")) {
    cost <- read_cost(cost, object$schema$classes$levels, newdata, read$frame$rows, call)
  }
  score(object, read, type, prior, cost, threads, call)
}

#' @export
predict.bayesrisk_spec <- function(object, ...) {
  abort_argument(
    "This is a specification, which has seen no data: {.fn fit} it first.", rlang::current_env()
  )
}

predict_types <- c(
  "class", "prob", "log_prob", "log_joint", "log_likelihood", "log_evidence", "cost", "decision",
  "both"
)

predict_type <- function(type, cost, call) {
  if (is.null(type)) return(if (is.null(cost)) "class" else "decision")
  if (identical(type, "raw") || identical(type, "posterior")) return("prob")
  type <- check_choice(type, predict_types, "type", call)
  if (!is.null(cost) && !type %in% c("cost", "decision")) {
    check_places(call)
    abort_argument(c(
      "{.code type = \"{type}\"} does not use {.arg cost}.",
      i = "Ask for {.val decision} or {.val cost}, or leave {.arg cost} out."
    ), call)
  }
  type
}

predict_prior <- function(object, prior, call) {
  if (is.null(prior)) return(object$parameters$prior)
  check_prior_argument(prior, "prior", call)
  resolve_prior(prior, object$schema$classes$levels, object$statistics$classes$weight, call)
}

# Scores rows that were read, shapes and names the result, and warns.
score <- function(object, read, type, prior, cost, threads, call) {
  if (type %in% c("cost", "decision")) {
    return(decide_rows(object, read, type, prior, cost, threads, call)$value)
  }
  classes <- object$schema$classes
  labels <- list(class = class_attributes(classes), numbers = if (type == "log_evidence") {
    list(names = read$row_names)
  } else {
    list(
      dim = c(read$frame$rows, length(classes$levels)),
      dimnames = list(read$row_names, classes$levels)
    )
  })
  scored <- call_engine(
    score_cpp(engine_model(object, prior), read$frame, type, labels, threads), call
  )
  report_rows(scored$report, object$schema, call)
  scored$value
}

# Decisions for rows that were read, and the engine's report. `cost`: a result of read_cost();
# `output`: "cost", "decision" or "all".
decide_rows <- function(object, read, output, prior, cost, threads, call) {
  decided <- call_engine(
    decide_model_cpp(
      engine_model(object, prior), read$frame, cost, output, read$row_names, threads
    ),
    call
  )
  report_rows(decided$report, object$schema, call)
  decided
}

# Signals one condition per reason, not per row.
report_rows <- function(report, schema, call) {
  features <- names(schema$features)
  if (any(report$malformed_by_feature > 0)) {
    damaged <- features[report$malformed_by_feature > 0]
    abort_schema(
      "Column{?s} {.field {damaged}} {?is/are} damaged: codes outside the levels.", call
    )
  }
  rows <- function(n) count_of(n, "row", "rows")
  if (report$unknown > 0) {
    unknown <- features[report$unknown_by_feature > 0]
    warn_bayesrisk(
      c(
        "{rows(report$unknown)} with a level that the model does not know: counted as missing.",
        i = "In {.field {unknown}}."
      ),
      "unknown_level", call
    )
  }
  if (report$infinite > 0) {
    warn_bayesrisk("{rows(report$infinite)} with an infinite number: NA.", "infinite", call)
  }
  if (report$impossible > 0) {
    warn_bayesrisk(
      "{rows(report$impossible)} impossible under every class (0/0): NA.", "impossible", call
    )
  }
  report_unpriced(report, call)
}

report_unpriced <- function(report, call) {
  if (report$unpriced == 0) return(invisible())
  rows <- count_of(report$unpriced, "row", "rows")
  warn_bayesrisk("{rows} whose cost is not known (NA): no decision.", "unpriced", call)
}

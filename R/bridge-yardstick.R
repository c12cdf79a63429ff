#' A yardstick metric: the cost of the decisions
#'
#' Makes a metric for [yardstick::metric_set()], so that tidymodels tunes and compares models by the
#' mean cost of the decisions to which their probabilities lead.
#'
#' @param cost A cost that is equal for all cases: see [cost_matrix()]. Actions that are no classes,
#'   such as a reject option, are priced too.
#' @param name The value of `.metric` in results. tune finds a metric by its name in the metric set,
#'   so the variable that holds the metric needs the same name.
#' @inheritParams bayesrisk_arguments
#' @details
#' For each case the metric takes the action of smallest expected cost, as [decide()] does, and then
#' the cost of this action under the true class. The result is the mean over the cases. It equals
#' the `cost` of [assess_decisions()]. In contrast, [yardstick::classification_cost()] prices the
#' probabilities: it is the mean cost if decisions were drawn from them.
#'
#' Columns of probabilities have the order of the levels of `truth`, as in every metric of
#' yardstick, unless their names are the classes or `.pred_<class>`. For two classes give the
#' column of the event; `event_level` says which level this is. With `na_rm = TRUE` cases without a
#' truth, probabilities or weight are left out; otherwise they make the result `NA`. Frequency and
#' importance weights weight the mean.
#' @return A function of class `prob_metric` with the arguments `data`, `truth`, `...`, `estimator`,
#'   `na_rm`, `event_level` and `case_weights`, as [yardstick::mn_log_loss()]. Smaller is better.
#' @section Errors: `bayesrisk_error_argument` if `cost` is no cost or differs by case, because
#'   yardstick passes no features. The metric has this error if the levels of `truth` are not the
#'   classes of the cost, or if the columns hold no probabilities.
#' @seealso [as_yardstick()], [bayesrisk_frameworks]
#' @examplesIf requireNamespace("yardstick", quietly = TRUE)
#' cost <- zero_one_cost(iris$Species, reject = 0.1)
#' decision_cost <- decision_cost_metric(cost)
#' model <- fit(bayes_naive(), Species ~ ., iris)
#' decision_cost(augment(model, iris), Species, .pred_setosa:.pred_virginica)
#' @export
decision_cost_metric <- function(cost, name = "decision_cost", ...) {
  call <- check_no_dots(...)
  fixed_cells(cost, call)
  name <- check_string(name, "name", call)
  check_package("yardstick", "decision_cost_metric", call)
  metric <- function(data, truth, ..., estimator = NULL, na_rm = TRUE, event_level = "first",
                     case_weights = NULL) {
    found <- yardstick::prob_metric_summarizer(
      "decision_cost", realised_cost, data, !!rlang::enquo(truth), ..., estimator = estimator,
      na_rm = na_rm, event_level = event_level, case_weights = !!rlang::enquo(case_weights),
      fn_options = list(cost = cost)
    )
    found$.metric[] <- name
    found
  }
  yardstick::new_prob_metric(metric, direction = "minimize")
}

# The mean cost of the cases of one group. `estimate`: what yardstick takes from the data, a vector
# for two classes and otherwise a matrix.
realised_cost <- function(truth, estimate, cost, na_rm, event_level, case_weights = NULL, ...) {
  call <- rlang::current_env()
  event_level <- check_choice(event_level, c("first", "second"), "event_level", call)
  estimator <- yardstick::finalize_estimator(truth, metric_class = "decision_cost")
  yardstick::check_prob_metric(truth, estimate, case_weights, estimator)
  classes <- levels(truth)
  read <- read_posterior(posterior_of_metric(estimate, classes, event_level), classes, call, "...")
  priced <- read_cost(cost, classes, rows = length(truth), call = call)
  decision <- decide_given(read, numeric(), priced, "all", 1L, call)$value$decision
  # The weights of hardhat are classed vectors.
  weights <- if (is.null(case_weights)) rep(1, length(truth)) else as.double(unclass(case_weights))
  known <- stats::complete.cases(truth, decision, weights)
  if (!check_flag(na_rm, "na_rm", call) && !all(known)) return(NA_real_)
  pairs <- list(truth = truth[known], decision = decision[known])
  counts <- tapply(weights[known], pairs, sum, default = 0)
  if (!any(counts > 0)) return(NA_real_)
  sum(price_counts(counts / sum(counts), cost, call))
}

# A column for each class. yardstick has the columns in the order of the classes, but their names
# may tell another one.
posterior_of_metric <- function(estimate, classes, event_level) {
  if (!is.matrix(estimate)) {
    estimate <- cbind(estimate, 1 - estimate, deparse.level = 0L)
    if (event_level == "second") estimate <- estimate[, 2:1, drop = FALSE]
  }
  named <- sub("^[.]pred_", "", colnames(estimate))
  colnames(estimate) <- if (setequal(named, classes)) named else classes
  estimate
}

# nolint start: object_name_linter, object_length_linter.
# The mean cost is one number for any number of classes, so there is nothing to average.
#' @exportS3Method yardstick::finalize_estimator_internal
finalize_estimator_internal.decision_cost <- function(metric_dispatcher, x, ...) {
  if (nlevels(x) == 2L) "binary" else "multiclass"
}
# nolint end.

#' The threshold that serves a measure best
#'
#' Chooses the threshold of a class: at or above this posterior probability a case is decided for
#' the class, and below it for the most probable other class. The threshold is the best one for the
#' cases at hand, by their cost or by a measure such as F1, and may have to keep other measures at
#' a level.
#'
#' @param object A fitted or known model, or models of groups, with new cases in `data`; or
#'   [posterior probabilities][posterior_probabilities] of any classifier, such as those of
#'   [cv_predict()], with `truth`.
#' @param data For a model: the cases.
#' @param truth The true class of each case. It may use the columns of `data`. Default for a model:
#'   the class column of `data`.
#' @param metric What is best: the least mean `"cost"`, or the largest of the other measures. All
#'   but the cost are of the class against the others.
#' @param at_least Levels that measures must keep, named by measure, such as
#'   `c(sensitivity = 0.9)`; for `cost`, the largest mean cost. `NULL`: none.
#' @param class The class of the threshold. Default: the class that costs most if it is missed; if
#'   several do, the rarest of them in the cases.
#' @param cost The cost of deciding for each class, see [cost_matrix()]: each class is an action.
#'   Default: 0-1 cost.
#' @param beta How much more sensitivity counts than precision in `"fbeta"`.
#' @inheritParams bayesrisk_arguments
#' @details Candidates are the probabilities of the cases, and `Inf`, which never decides for the
#'   class. Among equally good thresholds the largest is taken. Let \eqn{t} be the cases of the
#'   class that are decided for it, \eqn{f} the other cases that are decided for it, \eqn{n} the
#'   cases of the class and \eqn{m} the others. Then sensitivity is \eqn{t / n}, specificity \eqn{1
#'   - f / m}, precision \eqn{t / (t + f)}, balanced accuracy the mean of sensitivity and
#'   specificity, and \eqn{F_\beta = (1 + \beta^2)\, t / (t + f + \beta^2 n)}{F_beta = (1 + beta^2)
#'   t / (t + f + beta^2 n)}. Matthews' correlation coefficient is 0 if all cases are decided
#'   alike.
#'
#' If the posterior probabilities are right, no threshold costs less than [decide()], which needs
#' no cases to choose it: [decision_threshold()]. A threshold from few cases is too good for these
#' cases, so judge it by others, with [assess_decisions()].
#' @return A list of class `bayesrisk_rule`, for `decide(rule = )`:
#'   * `threshold`, `class`, `classes`;
#'   * `metric`, `beta`, `at_least`: as given;
#'   * `measures`: a data frame `measure`, `estimate`: the mean cost and all measures at the
#'     threshold; `NaN` where a measure is undefined;
#'   * `cases`: the number of cases;
#'   * `cost_matrix`: the cost; `NULL` if costs differ by case.
#' @section Errors: `bayesrisk_error_argument` for a bad argument, if no case is of the class or
#'   none of another, or if no threshold keeps the levels of `at_least`. A warning
#'   (`bayesrisk_warning_missing`) counts cases without a truth, a posterior or a cost.
#' @references
#' Lipton, Z. C., Elkan, C. and Naryanaswamy, B. (2014). Optimal thresholding of classifiers to
#' maximize F1 measure. *ECML PKDD 2014*, 225-239.
#' @seealso [decision_threshold()] for the threshold that follows from the cost
#' @examplesIf requireNamespace("MASS", quietly = TRUE)
#' set.seed(1)
#' held_out <- cv_predict(bayes_naive(), type ~ ., MASS::Pima.tr)
#' rule <- tune_threshold(
#'   held_out, truth = MASS::Pima.tr$type, class = "Yes", metric = "precision",
#'   at_least = c(sensitivity = 0.9)
#' )
#' rule
#' model <- fit(bayes_naive(), type ~ ., MASS::Pima.tr)
#' assess_decisions(decide(model, MASS::Pima.te, rule = rule), truth = MASS::Pima.te$type)
#' @export
tune_threshold <- function(object, data = NULL, truth = NULL,
                           metric = c("cost", "f1", "fbeta", "balanced_accuracy", "mcc",
                                      "sensitivity", "specificity", "precision"),
                           at_least = NULL, class = NULL, cost = NULL, beta = 1, ...,
                           threads = default_threads()) {
  call <- check_no_dots(...)
  metric <- check_choice(metric, threshold_metrics, "metric", call)
  at_least <- check_levels(at_least, call)
  beta <- check_number(beta, "beta", min = 0, call = call)
  threads <- check_threads(threads, call)
  truth <- read_truth(rlang::enquo(truth), data, call)
  read <- threshold_cases(maybe(object), data, truth, cost, threads, call)
  classes <- read$cost$classes
  of <- read$truth[!is.na(read$truth) & !is.na(read$p[, 1L])]
  class <- read_assessed_class(class, read$cost, tabulate(of, length(classes)), call)
  check_string(class, "class", call)
  found <- call_engine(threshold_cpp(
    read$p, read$truth, read$cost, class_actions(read$cost, call), match(class, classes), metric,
    beta, replace(at_least, names(at_least) == "cost", -at_least[names(at_least) == "cost"])
  ), call)
  check_threshold(found, class, at_least, call)
  left_out <- nrow(read$p) - found$cases
  if (left_out > 0) {
    warn_bayesrisk(
      "{count_of(left_out, 'case', 'cases')} without a truth, a posterior or a cost: left out.",
      "missing", call
    )
  }
  structure(
    list(
      threshold = found$threshold, class = class, classes = classes, metric = metric, beta = beta,
      at_least = if (length(at_least)) at_least,
      measures = data.frame(measure = names(found$measures), estimate = unname(found$measures)),
      cases = found$cases, cost_matrix = kept_cost(read$cost), version = package_version_string
    ),
    class = c("bayesrisk_rule", "bayesrisk_result")
  )
}

threshold_metrics <- eval(formals(tune_threshold)$metric)

# In the engine a cost counts negative.
check_levels <- function(at_least, call) {
  if (is.null(at_least)) return(numeric())
  if (!is.numeric(at_least) || is.null(names(at_least))) {
    abort_wanted(at_least, "at_least", "numbers named by measure", call, c(
      i = "For example {.code at_least = c(sensitivity = 0.9)}."
    ))
  }
  check_distinct_names(names(at_least), "at_least", call)
  check_some(names(at_least), threshold_metrics, "names(at_least)", call)
  named <- names(at_least)
  at_least <- check_numbers(at_least, "at_least", call = call)
  stats::setNames(as.double(at_least), named)
}

# The cases that a rule is chosen by: list(model (NULL for posterior probabilities), read (see
# read_newdata() or read_posterior()), classes, truth (codes)).
rule_cases <- function(object, data, truth, cost, threads, call) {
  if (is_models(object)) {
    posterior <- posterior_of_groups(object, data, NULL, threads, call)
    if (is.null(truth)) truth <- truth_in_data(object, data, call)
    object <- posterior
  }
  model <- if (is_model(object)) check_model(object, call)
  if (is.null(model)) {
    read <- read_posterior(object, cost_classes(cost, call), call)
    classes <- read$classes
  } else {
    if (is.null(data)) abort_no_rows("data", call)
    tell_other_scores(model, "plugin")
    read <- read_newdata(model$schema, data, call, "data")
    classes <- model$schema$classes$levels
    if (is.null(truth)) truth <- truth_in_data(model, data, call)
  }
  truth <- truth_codes(truth, classes, read$frame$rows, call)
  list(model = model, read = read, classes = classes, truth = truth)
}

# list(p (row x class), truth (codes), cost).
threshold_cases <- function(object, data, truth, cost, threads, call) {
  cases <- rule_cases(object, data, truth, cost, threads, call)
  p <- if (is.null(cases$model)) {
    given_probabilities(cases$read, threads, call)
  } else {
    prior <- predict_prior(cases$model, NULL, call)
    score(cases$model, cases$read, "prob", prior, NULL, threads, call)
  }
  cost <- read_cost(cost, cases$classes, data, nrow(p), call, "data")
  list(p = p, truth = cases$truth, cost = cost)
}

check_threshold <- function(found, class, at_least, call) {
  if (found$own == 0 || found$own == found$cases) {
    abort_argument("{.arg class}: a threshold needs cases of {.val {class}} and others.", call)
  }
  if (is.nan(found$threshold)) {
    abort_argument("{.arg at_least}: no threshold has {level_texts(at_least, format)}.", call)
  }
}

# "sensitivity at least 0.9 and cost at most 2"
level_texts <- function(at_least, number) {
  bound <- ifelse(names(at_least) == "cost", "at most", "at least")
  paste(names(at_least), bound, vapply(at_least, number, ""), collapse = " and ")
}

#' @export
describe.bayesrisk_rule <- function(x, show) {
  check_unchanged(is.data.frame(x$measures) && is_string(x$metric), "rule", show$call)
  number <- function(v) format(v, digits = show$digits)
  text <- rule_text(x, number)
  measures <- stats::setNames(x$measures$estimate, x$measures$measure)
  gains <- are_gains(measures[names(measures) == "cost"], x$cost_matrix)
  measures <- gain_measures(measures, gains)
  kept <- if (length(x$at_least)) {
    paste(" with", level_texts(gain_measures(x$at_least, gains), number))
  }
  best <- paste0(
    "Best ", gain_words(x$metric, gains), kept, " of ", count_of(x$cases, "case", "cases"), "."
  )
  list(
    title_item("rule: a threshold of one class"), sentences_item(c(paste0(text, "."), best)),
    table_item(data.frame(measure = names(measures), estimate = unname(measures)))
  )
}

# Measures by name, the cost among them as it is shown.
gain_measures <- function(values, gains) {
  of_cost <- names(values) == "cost"
  values[of_cost] <- gain_numbers(values[of_cost], gains)
  names(values)[of_cost] <- gain_words("cost", gains)
  values
}

#' @export
result_rows.bayesrisk_rule <- function(x, call) {
  data.frame(class = x$class, threshold = x$threshold, x$measures)
}

#' Decide at least expected cost
#'
#' `decide()` takes for each case the action \eqn{a} of smallest expected cost
#' \eqn{\sum_k p(k \mid x)\, C(a, k)}{sum_k p(k | x) C(a, k)}. It also returns the expected cost of
#' every action, the second-best action, and the additional cost of that action. The probabilities
#' come from a model of this package, or from any other classifier.
#'
#' @param object One of
#'   * a fitted or known model; the cases are `newdata`;
#'   * a fitted workflow or model of tidymodels, a `train()` of caret, or a learner of mlr3; the
#'     cases are `newdata`, and the probabilities are those of its `predict()`;
#'   * [posterior probabilities][posterior_probabilities] of any classifier: a row per case and a
#'     column per class, as a matrix, a data frame, or the result of another package's `predict()`.
#' @param cost The cost of each action under each true class: see [cost_matrix()]. The default is
#'   0-1 cost, which decides for the most probable class. Classes are matched by name.
#' @param newdata For a model: the cases, as in [predict()][predict.bayesrisk_model]; for a
#'   [lazy table][bayesrisk_sources] the result is a lazy table with further columns. For posterior
#'   probabilities: the data, a row per case, for costs by case such as
#'   `cost_matrix(pay = list(fraud = ~ amount, ok = 0), refuse = 2)`. Without costs by case these
#'   data are not read.
#' @param prior Prior probabilities to use instead of the prior of the model or of the posterior:
#'   named by class, in class order, or `"uniform"`. With posterior probabilities, `trained_prior`
#'   is needed too.
#' @param trained_prior The prior that posterior probabilities in `object` were computed with,
#'   usually the class shares of the training data. With both priors, each probability is
#'   multiplied by `prior / trained_prior`, and each row is divided by its sum.
#' @param capacity The largest number of cases that may have one action, named by the action:
#'   `c(review = 100)`. `NULL`: no limit.
#' @param estimate For models: `"plugin"`, or `"predictive"` for the predictive distributions of
#'   [predict()][predict.bayesrisk_model].
#' @inheritParams bayesrisk_arguments
#'
#' @details
#' Expected costs tie if they differ by at most 1e-12 of the largest expected absolute cost. In a
#' tie the action declared first is taken. With 0-1 cost (an action for each class, in class
#' order), classes tie by the rule of [predict()][predict.bayesrisk_model], so the decision is
#' always the predicted class.
#'
#' An infinite cost counts unless its class is impossible. A class is impossible if its log
#' posterior is `-Inf`, or if its probability in a given posterior is exactly 0. If every action
#' has an infinite expected cost, the first action is taken, with `tie` `TRUE` and `margin` 0.
#'
#' A case without a posterior (see [predict()][predict.bayesrisk_model]) gives a row of `NA`. A
#' case whose cost is `NA` has no decision. One warning counts the latter cases
#' (`bayesrisk_warning_unpriced`).
#'
#' With a `capacity`, the cases with the largest `margin` keep the limited action. Among equal
#' margins, the first cases keep it. No other choice of this number of cases costs less. All other
#' cases take their next best action. Their `runner_up` is then the limited action. Their `margin`
#' is negative: minus the additional cost due to the limit. The print gives three numbers: how
#' many cases would have the action without a limit, the total cost of the limit, and the saving by
#' one more case.
#'
#' @return A data frame of class `bayesrisk_decision`, a row per case in order, with
#'   the row names of the cases:
#'   * `decision`: a factor whose levels are the actions, in the order of `cost`;
#'   * `cost`: the expected cost of the decision;
#'   * a column `cost_<action>` for each action: its expected cost;
#'   * `runner_up`: the cheapest other action, a factor with the levels of `decision`;
#'   * `margin`: the expected cost of the runner-up minus the expected cost of the decision; 0 in
#'     a tie;
#'   * `tie`: whether another action has the same expected cost.
#'
#'   With a single action `runner_up` and `margin` are `NA`. A cost that is the same for all cases
#'   is kept as attribute `cost`. There are methods for [print()][bayesrisk_result] (which shows
#'   the first `n = 10` cases), [summary()][summary.bayesrisk_decision] and
#'   [plot()][plot.bayesrisk_decision]. A part taken with `[` that lacks one of these columns is a
#'   plain data frame.
#' @section Errors: `bayesrisk_error_argument` for a bad argument: probabilities that are negative
#'   or do not sum to 1 (the error names the rows), columns that are not the classes of `cost`, a
#'   `prior` without `trained_prior`, a model of a framework that predicts no probabilities.
#'   `bayesrisk_error_schema` if `newdata` does not fit the model or the cost.
#' @references
#' Lectures "Bayesian Learning (Galili, Shamir, Yakhini)" and "Applied Machine Learning
#' Fundamentals, Unit III: Bayesian Decision Theory (Wehner)": conditional risk and the
#' minimum-risk rule.
#'
#' C. Elkan (2001), The foundations of cost-sensitive learning, *Proceedings of the 17th
#' International Joint Conference on Artificial Intelligence*, 973-978 (change of the
#' base rate).
#' @seealso [cost_matrix()], [predict()][predict.bayesrisk_model], [bayesrisk_frameworks]
#' @order 1
#' @export
#' @examples
#' cost <- cost_matrix(
#'   treat = c(ill = 1, healthy = 4),
#'   wait  = c(ill = 50, healthy = 0),
#'   refer = 2
#' )
#'
#' # Probabilities from any classifier
#' p <- c(0.01, 0.05, 0.3, 0.9)
#' decide(cbind(healthy = 1 - p, ill = p), cost)
#'
#' # At most one case can be referred
#' decide(cbind(healthy = 1 - p, ill = p), cost, capacity = c(refer = 1))
#'
#' # Half of the training cases were ill; one in ten of the new cases will be
#' decide(cbind(healthy = 1 - p, ill = p), cost,
#'        prior = c(ill = 0.1, healthy = 0.9), trained_prior = c(ill = 0.5, healthy = 0.5))
#'
#' # A model; and costs that differ from case to case
#' model <- bayes_known(
#'   prior = c(fraud = 0.02, ok = 0.98),
#'   score = likelihood_gaussian(mean = c(fraud = 3, ok = 0), sd = 1)
#' )
#' payments <- data.frame(score = c(2, 2, 4), amount = c(10, 500, 500))
#' cost <- cost_matrix(pay = list(fraud = ~ amount, ok = 0), refuse = 20)
#' summary(decide(model, payments, cost))
decide <- function(object, ...) {
  if (missing(object)) {
    abort_argument("{.arg object} is missing: a model, or posterior probabilities of the classes.")
  }
  UseMethod("decide")
}

#' @rdname decide
#' @order 2
#' @export
decide.bayesrisk_model <- function(object, newdata, cost = NULL, prior = NULL, capacity = NULL,
                                   estimate = c("plugin", "predictive"), ...,
                                   threads = default_threads()) {
  call <- check_no_dots(...)
  object <- check_model(object, call)
  if (missing(newdata)) abort_no_rows("newdata", call)
  request <- answer_request(
    decide_from, object, estimate, "all", cost, prior, threads, call, capacity
  )
  decide_from(newdata, request, call)
}

# The decisions for new data.
decide_from <- function(newdata, request, call) {
  if (is_source(newdata)) return(ask_source(newdata, request, call))
  model <- request$model
  read <- read_newdata(model$schema, newdata, call)
  cost <- read_cost(request$cost, model$schema$classes$levels, newdata, read$frame$rows, call)
  capacity <- check_capacity(request$capacity, cost$actions, call)
  decided <- decide_rows(model, read, "all", request$prior, cost, request$threads, call)
  new_decision(keep_capacity(decided, capacity, call), cost, read$row_names)
}

#' @export
decide.bayesrisk_spec <- function(object, ...) {
  abort_argument(
    "{.arg object} is a specification, which has seen no data: {.fn fit} it first.",
    rlang::current_env()
  )
}

#' @rdname decide
#' @order 3
#' @export
decide.default <- function(object, cost = NULL, newdata = NULL, prior = NULL,
                           trained_prior = NULL, capacity = NULL, ...,
                           threads = default_threads()) {
  call <- check_no_dots(...)
  threads <- check_threads(threads, call)
  read <- read_posterior(object, cost_classes(cost, call), call)
  decide_read(read, cost, newdata, prior, trained_prior, capacity, threads, call)
}

# The decisions by posterior probabilities from read_posterior().
decide_read <- function(read, cost, newdata, prior, trained_prior, capacity, threads, call) {
  factor <- prior_shift(prior, trained_prior, read$classes, call)
  cost <- read_cost(cost, read$classes, newdata, read$frame$rows, call)
  capacity <- check_capacity(capacity, cost$actions, call)
  decided <- decide_given(read, factor, cost, "all", threads, call)
  new_decision(keep_capacity(decided, capacity, call), cost, read$row_names)
}

# The position of the limited action, and the number, as list(action, most).
check_capacity <- function(capacity, actions, call) {
  if (is.null(capacity)) return(NULL)
  sound <- is.numeric(capacity) && length(capacity) == 1L && !is.null(names(capacity))
  if (!sound) {
    abort_wanted(capacity, "capacity", "one number named by an action", call, c(
      i = "For example {.code capacity = c({actions[[length(actions)]]} = 100)}."
    ))
  }
  most <- check_whole_number(unname(capacity), "capacity", call = call)
  if (!names(capacity) %in% actions) {
    abort_unknown(
      "{.arg capacity} names {.val {names(capacity)}}, which is no action of {.arg cost}.",
      names(capacity), actions, "The actions are {.val {actions}}.", call
    )
  }
  if (length(actions) == 1L) {
    abort_argument("{.arg capacity} needs a second action, for the cases beyond the number.", call)
  }
  list(action = match(names(capacity), actions), most = most)
}

# `decided`: the fresh result of the engine; its columns are changed without a copy.
keep_capacity <- function(decided, capacity, call) {
  if (is.null(capacity)) return(decided)
  found <- call_engine(limit_action_cpp(decided$value, capacity$action, capacity$most), call)
  decided$capacity <- c(capacity, found)
  decided
}

#' @rdname bayesrisk_models
#' @export
decide.bayesrisk_models <- function(object, newdata, cost = NULL, prior = NULL,
                                    estimate = c("plugin", "predictive"), default = NULL, ...,
                                    threads = default_threads()) {
  call <- check_no_dots(...)
  object <- check_groups(object, call, "object")
  if (missing(newdata)) abort_no_rows("newdata", call)
  by_group(object, newdata, default, call, function(model, rows) {
    request <- answer_request(decide_from, model, estimate, "all", cost, prior, threads, call)
    decide_from(rows, request, call)
  })
}

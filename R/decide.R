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
#' @param capacity The largest numbers of cases that may have some actions, named by action:
#'   `c(review = 100, treat = 30)`. `NULL`: no limit.
#' @param budget What actions may cost in another unit than `cost`, such as hours, for all cases
#'   together: `list(price = c(refer = 3, treat = 1), total = 100)`, where `price` is that of an
#'   action in a case (0 if it is not named). `NULL`: no limit.
#' @param rule A rule that decides instead of the least expected cost. From [tune_threshold()]: the
#'   classes must be actions of `cost`. From [guarantee()]: its referral is an action, too, and
#'   `cost` is by default the cost of the rule. Where the rule decides otherwise, `runner_up` is the
#'   action of least expected cost, and `margin` is negative. Not with `capacity` or `budget`.
#'   Models of groups take none of the three.
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
#' With a `capacity`, each case has an action such that the sum of the expected costs is the least
#' that the limits allow (a transport problem, solved to its optimum). If a single action is
#' limited, the first ones of the cases that would gain the same keep it. A case whose action
#' changes has the action that it would have without limits as `runner_up`, and a negative
#' `margin`: minus the additional cost. Attribute `capacity`: `action` (positions), `most`,
#' `wanted` (the cases that would have the action without limits), `cost` (the total cost of the
#' limits), `next` (what one more case with the action would save).
#'
#' With a `budget`, the price of the actions in units of cost is raised until the cases stay within
#' it (Lagrange's method), and what is left is spent where it saves most. The result may be above
#' the least sum of costs, at most by `gap`. Attribute `budget`: `price`, `total`, `spent`, `cost`,
#' `gap` and `shadow_price` (of a unit of the budget, in units of cost).
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
#'
#' H. Everett (1963), Generalized Lagrange multiplier method for solving problems of optimum
#' allocation of resources, *Operations Research* 11(3), 399-417.
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
#' # Two cases can be treated or referred, in 5 hours
#' decide(cbind(healthy = 1 - p, ill = p), cost,
#'        budget = list(price = c(treat = 4, refer = 1), total = 5))
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
                                   estimate = c("plugin", "predictive"), budget = NULL,
                                   rule = NULL, ..., threads = default_threads()) {
  call <- check_no_dots(...)
  object <- check_model(object, call)
  if (missing(newdata)) abort_no_rows("newdata", call)
  check_rule_beliefs(rule, prior, call, estimate)
  request <- answer_request(
    decide_from, object, estimate, "all", cost, prior, threads, call,
    list(capacity = capacity, budget = budget, rule = rule)
  )
  decide_from(newdata, request, call)
}

# The decisions for new data.
decide_from <- function(newdata, request, call) {
  if (is_source(newdata)) return(ask_source(newdata, request, call))
  model <- request$model
  read <- read_newdata(model$schema, newdata, call)
  rule <- check_decision_rule(request$rule, model$schema$classes$levels, call)
  cost <- cost_of_rule(rule, request$cost, call)
  cost <- read_cost(cost, model$schema$classes$levels, newdata, read$frame$rows, call)
  beliefs <- if (is.null(rule)) "none" else "prob"
  decided <- decide_rows(model, read, "all", request$prior, cost, request$threads, call, beliefs)
  new_decision(limit_decisions(decided, request, cost, newdata, call), cost, read$row_names)
}

#' @export
decide.bayesrisk_spec <- function(object, ...) {
  abort_unfitted(rlang::current_env())
}

#' @rdname decide
#' @order 3
#' @export
decide.default <- function(object, cost = NULL, newdata = NULL, prior = NULL,
                           trained_prior = NULL, capacity = NULL, budget = NULL, rule = NULL,
                           ..., threads = default_threads()) {
  call <- check_no_dots(...)
  threads <- check_threads(threads, call)
  read <- read_posterior(object, cost_classes(cost, call), call)
  limits <- list(capacity = capacity, budget = budget, rule = rule)
  decide_read(read, cost, newdata, prior, trained_prior, limits, threads, call)
}

# The decisions by posterior probabilities from read_posterior(). `limits`: list(capacity, budget,
# rule).
decide_read <- function(read, cost, newdata, prior, trained_prior, limits, threads, call) {
  factor <- prior_shift(prior, trained_prior, read$classes, call)
  rule <- check_decision_rule(limits$rule, read$classes, call)
  check_rule_beliefs(rule, prior, call)
  cost <- cost_of_rule(rule, cost, call)
  cost <- read_cost(cost, read$classes, newdata, read$frame$rows, call)
  decided <- decide_given(read, factor, cost, "all", threads, call, beliefs = !is.null(rule))
  new_decision(limit_decisions(decided, limits, cost, newdata, call), cost, read$row_names)
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

# The data frame that decide() returns.

# `decided`: the columns that the engine wrote, and its report. The columns are not copied.
new_decision <- function(decided, cost, row_names) {
  value <- decided$value
  actions <- cost$actions
  columns <- c(
    value[c("decision", "cost")], stats::setNames(value$cost_of, action_columns(actions)),
    value[c("runner_up", "margin", "tie")]
  )
  rows <- length(value$decision)
  # The row names of a data frame must be unique; those of a matrix need not be.
  if (is.null(row_names) || anyNA(row_names) || anyDuplicated(row_names)) {
    row_names <- .set_row_names(rows)
  }
  structure(
    columns,
    row.names = row_names, class = c("bayesrisk_decision", "bayesrisk_result", "data.frame"),
    cost = kept_cost(cost), rows = rows, capacity = decided$capacity, budget = decided$budget,
    rule = decided$rule,
    # The engine computed the expected errors before limits or a rule changed the decisions.
    errors = if (is.null(c(decided$capacity, decided$budget, decided$rule))) {
      list(
        rows = rows, cost = sum(value$cost, na.rm = TRUE),
        count = replace(decided$report$error, cost$class_of == 0L, NA)
      )
    }
  )
}

# The cost that all rows were decided by. NULL if `x` has more rows than were decided: then `x`
# combines several results.
decided_by <- function(x) {
  if (isTRUE(nrow(x) <= attr(x, "rows"))) attr(x, "cost")
}

# Expected errors per action, summed over all rows; NULL after subsetting or resampling.
summed_errors <- function(x) {
  errors <- attr(x, "errors")
  whole <- identical(errors$rows, nrow(x)) &&
    isTRUE(all.equal(errors$cost, sum(x$cost, na.rm = TRUE), tolerance = 1e-12))
  if (whole) errors$count
}

action_columns <- function(actions) paste0("cost_", actions)

#' @export
keep_rows.bayesrisk_decision <- function(x, part) {
  attr(part, "cost") <- decided_by(x)
  attr(part, "rows") <- nrow(part)
  attr(part, "capacity") <- attr(part, "budget") <- attr(part, "rule") <- NULL
  part
}

#' @export
rbind.bayesrisk_decision <- function(..., deparse.level = 1) { # nolint: object_name_linter.
  united <- rbind.data.frame(...)
  parts <- Filter(Negate(is.null), list(...))
  costs <- unique(lapply(parts, function(x) if (inherits(x, "bayesrisk_decision")) decided_by(x)))
  attr(united, "cost") <- if (length(costs) == 1L) costs[[1L]]
  attr(united, "rows") <- nrow(united)
  attr(united, "errors") <- attr(united, "capacity") <- attr(united, "budget") <- NULL
  attr(united, "rule") <- NULL
  united
}

#' @export
describe.bayesrisk_decision <- function(x, show) {
  shown <- seq_len(min(nrow(x), most_rows(show, 10L)))
  first <- plain_frame(x)[shown, , drop = FALSE]
  first <- data.frame(row = rownames(first), first, check.names = FALSE)
  gains <- are_gains(mean(x$cost, na.rm = TRUE), decided_by(x))
  list(
    title_item(decision_title(x, show$digits, gains)),
    table_item(gain_columns(first, gains), total = nrow(x)),
    sentences_item(c(
      if (gains) "Printed as gains: the columns are costs, minus the gains.",
      limit_notes(x, show$digits)
    ))
  )
}

decision_title <- function(x, digits, gains) {
  actions <- count_of(nlevels(x$decision), "action", "actions")
  cases <- count_of(nrow(x), "case", "cases")
  mean <- mean(x$cost, na.rm = TRUE)
  expected <- if (!is.nan(mean)) say_cost(", expected cost per case %s", mean, digits, gains)
  paste0("decisions: ", cases, ", ", actions, expected)
}

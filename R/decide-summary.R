#' Summarise decisions
#'
#' Counts how often each action is taken. Reports the expected cost of the decisions, and the
#' expected share of wrong decisions among the decisions for a class. The costs and errors are
#' expectations under the posterior. They are not measured, because the truth is unknown.
#'
#' @param object A [decide()] result.
#' @inheritParams bayesrisk_arguments
#' @details Rejecting cases lowers the error among the decided cases, but has a cost. So coverage,
#'   error and cost are reported together. Cases with an action that is no class stay in the
#'   denominator.
#' @return A list of class `bayesrisk_summary_decision`:
#'   * `actions`: a data frame with a row per action: `action`, `cases`, `share` (of the cases
#'     that have a decision) and `cost` (the mean expected cost of the cases with this decision;
#'     `NA` if there are none);
#'   * `cases`: the number of cases; `missing`: the number without a decision; `ties`: the number
#'     of ties;
#'   * `cost`: the mean expected cost per case, `NA` if no case has a decision;
#'   * `coverage`: the share of cases decided for a class; `error`: the expected share of cases
#'     decided for a wrong class; `error_decided`: the same share among the cases decided for a
#'     class. All three are `NA` if no action is a class, and for a subset of the rows of a result,
#'     because a subset does not keep the expected errors.
#' @references C. K. Chow (1970), On optimum recognition error and reject tradeoff,
#'   *IEEE Transactions on Information Theory* 16(1), 41-46.
#' @seealso [decide()]
#' @export
#' @examples
#' model <- fit(bayes_naive(), Species ~ ., iris)
#' summary(decide(model, iris, zero_one_cost(model, reject = 0.1)))
summary.bayesrisk_decision <- function(object, ...) {
  call <- check_no_dots(...)
  unless_damaged(summed_decisions(object), call)
}

summed_decisions <- function(object) {
  decision <- object$decision
  known <- !is.na(decision)
  cases <- tabulate(decision, nlevels(decision))
  cost <- vapply(split(object$cost, decision), mean, 1, USE.NAMES = FALSE)
  taken <- data.frame(
    action = factor(levels(decision), levels(decision)), cases = cases,
    share = open_as_na(cases / sum(known)), cost = open_as_na(cost)
  )
  structure(
    c(
      list(
        actions = taken, cases = length(decision), missing = sum(!known),
        ties = sum(object$tie, na.rm = TRUE), cost = open_as_na(mean(object$cost[known]))
      ),
      believed_errors(summed_errors(object), cases)
    ),
    made_with = decided_by(object), class = c("bayesrisk_summary_decision", "bayesrisk_result")
  )
}

# `errors`: expected errors per action, NA for an action that is no class; NULL if unknown.
believed_errors <- function(errors, cases) {
  classes <- !is.na(errors)
  decided <- if (any(classes)) sum(cases[classes]) else NA
  shares <- error_shares(sum(errors[classes]), decided, sum(cases))
  shares[c("coverage", "error", "error_decided")]
}

# The errors among all cases and among those `decided` for a class, and the share of the latter.
# `decided` is NA if no action is a class.
error_shares <- function(wrong, decided, cases) {
  if (is.na(decided)) wrong <- NA
  list(
    error = wrong / cases, coverage = decided / cases, error_decided = open_as_na(wrong / decided)
  )
}

#' @export
describe.bayesrisk_summary_decision <- function(x, show) {
  gains <- are_gains(x$cost, attr(x, "made_with"))
  list(
    title_item(paste("decisions:", count_of(x$cases, "case", "cases"))),
    table_item(gain_columns(x$actions, gains), c("action", "actions")),
    sentences_item(decision_notes(x, show$digits, gains))
  )
}

#' @export
result_rows.bayesrisk_summary_decision <- function(x, call) x$actions

decision_notes <- function(x, digits, gains) {
  ties <- count_of(x$ties, "tie", "ties")
  missing <- count_of(x$missing, "case", "cases")
  c(
    say_cost("Expected cost per case: %s.", x$cost, digits, gains),
    if (x$ties > 0) sprintf("%s: the first of equal actions is taken.", ties),
    if (x$missing > 0) sprintf("%s without a decision, left out of the shares.", missing),
    if (!is.na(x$coverage)) believed_sentence(x)
  )
}

believed_sentence <- function(x) {
  if (x$coverage == 1) return(sprintf("Believed error: %s.", percent_text(x$error)))
  sprintf(
    "Decided for a class: %s; believed error: %s of all, %s of those decided.",
    percent_text(x$coverage), percent_text(x$error), percent_text(x$error_decided)
  )
}

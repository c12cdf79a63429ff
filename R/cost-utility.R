#' What each action gains, by the true class
#'
#' As [cost_matrix()], in gains instead of costs. The sign is turned here, once:
#' the result is a cost, minus the gains, that every function takes; only its
#' print speaks of gains.
#'
#' @param ... One argument per action, as in [cost_matrix()]: gains named by the
#'   true class, or one gain for whatever is true; numbers, or formulas of the
#'   columns of new data. Losses are negative. `-Inf` is allowed and rules an
#'   action out where that class is possible; `NA`, `NaN` and `Inf` are errors.
#'
#' @details
#' The action of smallest expected cost is that of largest expected gain. All
#' numbers that come back are costs: an expected cost of -12 is an expected gain
#' of 12, and [as.matrix()], [as.data.frame()] and `[` give costs. Two utilities
#' add up to a utility, a utility and a cost to a cost.
#'
#' @return A `bayesrisk_cost`, see [cost_matrix()], also of class
#'   `bayesrisk_utility`. Errors and warnings are those of [cost_matrix()].
#' @references
#' C. Elkan (2001), The foundations of cost-sensitive learning, *Proceedings of
#' the 17th International Joint Conference on Artificial Intelligence*, 973-978
#' (costs against benefits).
#' @seealso [cost_matrix()]
#' @export
#' @examples
#' # A letter costs 1; those who answer give 20, or 3
#' mailing <- utility_matrix(
#'   send = c(generous = 19, thrifty = 2, silent = -1),
#'   skip = 0
#' )
#' mailing
#' as.matrix(mailing) # costs
utility_matrix <- function(...) {
  call <- environment()
  cells <- read_actions(list_actions(...), call)
  cells[] <- lapply(cells, turn_sign)
  warn_unwise(cost_from_cells(cells, call, utility = TRUE), call)
}

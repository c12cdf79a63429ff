# The print of contributions to expected costs. contributions() makes them.

#' @export
describe.bayesrisk_cost_contributions <- function(x, show) {
  describe_cases(
    x, show, cost_contributions_title(x), case_decision, case_costs,
    "the decision, the best alternative"
  )
}

cost_contributions_title <- function(x) {
  sprintf(
    "contributions to the expected cost%s: %s, %s, %s",
    if (identical(attr(x, "order"), "shapley")) " (Shapley values)" else "",
    count_of(dim(x)[[1L]], "case", "cases"), count_of(dim(x)[[2L]] - 1L, "block", "blocks"),
    count_of(dim(x)[[3L]], "action", "actions")
  )
}

case_decision <- function(x, i) {
  decision <- as.character(attr(x, "decision")[[i]])
  if (is.na(decision)) return(paste0(case_heading(x, i), ", no decision"))
  paste0(case_heading(x, i), ", decision ", encodeString(decision))
}

# One case as a block x action matrix of text, with the sum. If there are many blocks and actions,
# the matrix has the decision, the best alternative and the blocks that separate them most.
case_costs <- function(x, i, show) {
  parts <- case_matrix(x, i)
  total <- case_total(x, i)
  if (is.null(show$n) && !is_small_table(parts)) {
    leading <- leading_actions(x, i)
    parts <- telling_blocks(parts[, leading, drop = FALSE])
    total <- total[leading]
  }
  # A sum of 0 may have an error of rounding.
  total[which(abs(total) < 1e-13 * max(abs(parts[is.finite(parts)]), 0))] <- 0
  costs <- rbind(parts, `expected cost` = total)
  shown <- array(format(costs, digits = show$digits), dim(costs), dimnames(costs))
  names(dimnames(shown)) <- c("block", "action")
  shown
}

# The expected cost of each action.
case_total <- function(x, i) {
  total <- colSums(case_matrix(x, i))
  expected <- attr(x, "expected")
  if (is.null(expected)) total else ifelse(is.nan(total), expected[i, ], total)
}

# The decision and the best alternative, by position. A case without a decision has its first two
# actions.
leading_actions <- function(x, i) {
  leading <- as.integer(c(attr(x, "decision")[[i]], attr(x, "runner_up")[[i]]))
  if (anyNA(leading[[1L]])) return(seq_len(min(2L, dim(x)[[3L]])))
  leading[!is.na(leading)]
}

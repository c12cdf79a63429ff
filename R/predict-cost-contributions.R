# The print of contributions to expected costs. contributions() makes them.

#' @export
describe.bayesrisk_cost_contributions <- function(x, show) {
  cases <- dim(x)[[1L]]
  shown <- seq_len(min(cases, if (is.null(show$n)) 3L else show$n))
  tables <- lapply(shown, function(i) {
    list(heading_part(case_decision(x, i)), table_part(case_costs(x, i, show)))
  })
  short <- is.null(show$n) && length(shown) && !is_small_table(case_matrix(x, 1L))
  c(
    list(title_part(cost_contributions_title(x))), unlist(tables, recursive = FALSE),
    list(sentences_part(c(
      more_of(cases - length(shown), c("case", "cases")),
      if (short) {
        "For each case: the decision, the best alternative, and the blocks that separate them most."
      }
    )))
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
  name <- paste("case", encodeString(case_labels(x)[[i]]))
  decision <- as.character(attr(x, "decision")[[i]])
  if (is.na(decision)) return(paste0(name, ", no decision"))
  paste0(name, ", decision ", encodeString(decision))
}

# One case as a block x action matrix of text, with the sum. If there are many blocks and actions,
# the matrix has the decision, the best alternative and the blocks that separate them most.
case_costs <- function(x, i, show) {
  parts <- case_matrix(x, i)
  total <- colSums(parts)
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

# The decision and the best alternative, by position. A case without a decision has its first two
# actions.
leading_actions <- function(x, i) {
  leading <- c(attr(x, "decision")[[i]], attr(x, "runner_up")[[i]])
  leading <- as.integer(leading)
  if (anyNA(leading[[1L]])) return(seq_len(min(2L, dim(x)[[3L]])))
  leading[!is.na(leading)]
}

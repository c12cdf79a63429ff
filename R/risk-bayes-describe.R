#' @export
format.bayesrisk_risk <- function(x, digits = NULL, ...) {
  digits <- check_digits(digits)
  number <- function(v) format(v, digits = digits)
  method <- sprintf(
    "(%s, %s %s)", x$method, if (x$method == "monte_carlo") "standard error" else "within",
    format(x$accuracy, digits = 2L)
  )
  if (x$total == x$irreducible) {
    return(sprintf(
      "no rule costs less than %s per case in this world %s", number(x$total), method
    ))
  }
  c(
    sprintf("the rule costs %s per case in this world %s", number(x$total), method),
    sprintf(
      "%s of it no rule can avoid; the best rule would save %s",
      number(x$irreducible), number(x$reducible)
    ),
    if (!is.null(x$believed)) {
      sprintf("the rule's own model believes that it costs %s", number(x$believed))
    }
  )
}

#' @export
describe.bayesrisk_risk <- function(x, show) {
  list(
    title_part("Bayes risk"), answers_part(format(x, digits = show$digits)),
    heading_part("Joint probabilities of truth and decision"), table_part(x$table)
  )
}

#' @export
summary.bayesrisk_risk <- function(object, ...) {
  check_no_dots(...)
  structure(list(risk = object), class = c("bayesrisk_summary_risk", "bayesrisk_result"))
}

#' @export
describe.bayesrisk_summary_risk <- function(x, show) {
  shares <- x$risk$table / rowSums(x$risk$table)
  c(
    describe(x$risk, show),
    list(
      heading_part("Probabilities of each decision given the truth"),
      table_part(replace(shares, is.nan(shares), NA), na = "-"),
      heading_part("What each contributes to the cost"), table_part(cost_shares(x$risk))
    )
  )
}

#' @export
result_rows.bayesrisk_summary_risk <- function(x, call) {
  result_rows(x$risk, call)
}

# The contribution of each pair of truth and decision to the total cost.
cost_shares <- function(risk) cell_costs(risk$table, unclass(risk$cost))

#' @export
result_rows.bayesrisk_risk <- function(x, call) {
  truths <- rownames(x$table)
  decisions <- colnames(x$table)
  rows <- data.frame(
    truth = factor(rep(truths, length(decisions)), truths),
    decision = factor(rep(decisions, each = length(truths)), decisions),
    probability = as.vector(x$table), cost = as.vector(t(unclass(x$cost))),
    share = as.vector(cost_shares(x))
  )
  rows
}

#' @export
glance.bayesrisk_risk <- function(x, ...) {
  believed <- if (is.null(x$believed)) NA_real_ else x$believed
  data.frame(x[c("total", "irreducible", "reducible")], believed = believed,
             x[c("accuracy", "method")])
}

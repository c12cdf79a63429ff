#' @export
format.bayesrisk_risk <- function(x, digits = NULL, ...) {
  digits <- check_digits(digits)
  unless_damaged(risk_sentences(x, digits), rlang::current_env())
}

risk_sentences <- function(x, digits) {
  number <- function(v) format(v, digits = digits)
  within <- if (x$method == "monte_carlo") "standard error" else "within"
  cost <- sprintf(
    "%s per case in this model (%s, %s %s)", number(x$total), x$method, within,
    format(x$accuracy, digits = 2L)
  )
  if (x$total == x$irreducible) return(paste("no rule costs less than", cost))
  c(
    paste("the rule costs", cost),
    paste0(
      "no rule can avoid ", number(x$irreducible), " of this; the best rule would save ",
      number(x$reducible)
    ),
    if (!is.null(x$believed)) {
      paste("the rule's own model believes that it costs", number(x$believed))
    }
  )
}

#' @export
describe.bayesrisk_risk <- function(x, show) {
  c(
    list(title_item("Bayes risk"), answers_item(format(x, digits = show$digits))),
    if (is_small_table(x$table)) {
      list(heading_item("Joint probabilities of truth and decision"), table_item(x$table))
    } else {
      large_risk_parts(x)
    }
  )
}

# The pairs of truth and decision with the largest costs, and a line for each class.
large_risk_parts <- function(x) {
  pairs <- result_rows(x, NULL)
  pairs <- pairs[pairs$probability > 0 & pairs$share != 0, ]
  classes <- data.frame(
    truth = rownames(x$table), probability = rowSums(x$table), share = rowSums(cost_shares(x))
  )
  list(
    heading_item("Pairs with the largest shares of the cost"),
    table_item(pairs[order(-pairs$share), ], c("pair", "pairs"), keys = 2L),
    heading_item("Probability and share of the cost of each class"),
    table_item(classes[order(-classes$share), ], c("class", "classes"))
  )
}

#' @export
summary.bayesrisk_risk <- function(object, ...) {
  check_no_dots(...)
  structure(list(risk = object), class = c("bayesrisk_summary_risk", "bayesrisk_result"))
}

#' @export
describe.bayesrisk_summary_risk <- function(x, show) {
  shares <- open_as_na(x$risk$table / rowSums(x$risk$table))
  c(
    describe(x$risk, show),
    if (is_small_table(shares)) list(
      heading_item("Probabilities of each decision given the truth"),
      table_item(shares, na = "-"),
      heading_item("What each contributes to the cost"), table_item(cost_shares(x$risk))
    )
  )
}

#' @export
result_rows.bayesrisk_summary_risk <- function(x, call) result_rows(x$risk, call)

# The contribution of each pair of truth and decision to the total cost.
cost_shares <- function(risk) cell_costs(risk$table, unclass(risk$cost))

#' @export
result_rows.bayesrisk_risk <- function(x, call) {
  truths <- rownames(x$table)
  decisions <- colnames(x$table)
  data.frame(
    truth = factor(rep(truths, length(decisions)), truths),
    decision = factor(rep(decisions, each = length(truths)), decisions),
    probability = as.vector(x$table), cost = as.vector(t(unclass(x$cost))),
    share = as.vector(cost_shares(x))
  )
}

#' @export
glance.bayesrisk_risk <- function(x, ...) {
  believed <- if (is.null(x$believed)) NA_real_ else x$believed
  unless_damaged(data.frame(
    x[c("total", "irreducible", "reducible")], believed = believed, x[c("accuracy", "method")]
  ), rlang::current_env())
}

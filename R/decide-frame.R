# The data frame that decide() returns.

# `decided`: the columns as the engine wrote them, and its report. Nothing is copied.
# `cost`: as kept_cost() has it.
new_decision <- function(decided, classes, cost, row_names) {
  value <- decided$value
  actions <- levels(value$decision)
  columns <- c(
    value[c("decision", "cost")], stats::setNames(value$cost_of, action_columns(actions)),
    value[c("runner_up", "margin", "tie")]
  )
  rows <- length(value$decision)
  # The names of a data frame must differ; those of a matrix need not.
  if (is.null(row_names) || anyNA(row_names) || anyDuplicated(row_names)) {
    row_names <- .set_row_names(rows)
  }
  structure(
    columns,
    row.names = row_names, class = c("bayesrisk_decision", "data.frame"),
    cost = cost,
    errors = list(rows = rows, count = ifelse(actions %in% classes, decided$report$error, NA))
  )
}

# What a result says of the cost it was reckoned with (as the doors took it): nothing if it
# differs by case; a utility if one was given.
kept_cost <- function(cost, given) {
  if (is.matrix(cost)) new_cost(cost, utility = is_utility(given))
}

action_columns <- function(actions) paste0("cost_", actions)

# Whether all columns are there, as they were made.
is_decision <- function(x) {
  columns <- c("decision", "cost", "runner_up", "margin", "tie")
  is.data.frame(x) && all(columns %in% names(x)) && is.factor(x$decision) &&
    is.factor(x$runner_up) && is.logical(x$tie) && is.numeric(x$cost) && is.numeric(x$margin) &&
    all(action_columns(levels(x$decision)) %in% names(x)) &&
    all(vapply(unclass(x)[action_columns(levels(x$decision))], is.numeric, NA))
}

#' @export
`[.bayesrisk_decision` <- function(x, ...) {
  part <- NextMethod()
  if (!is.data.frame(part)) return(part)
  if (is_decision(part)) {
    attr(part, "cost") <- attr(x, "cost")
  } else {
    attr(part, "cost") <- NULL
    class(part) <- setdiff(class(part), "bayesrisk_decision")
  }
  # They were summed over all rows.
  attr(part, "errors") <- if (is_decision(part) && nrow(part) == nrow(x)) attr(x, "errors")
  part
}

#' @export
print.bayesrisk_decision <- function(x, ..., n = 10L) {
  n <- check_whole_number(n, "n", call = rlang::current_env())
  if (!is_decision(x)) return(NextMethod())
  cat(decision_header(x), "\n", sep = "")
  shown <- min(n, nrow(x))
  first <- structure(x[seq_len(shown), ], class = "data.frame", cost = NULL)
  if (shown > 0L) print(first, ...)
  more <- nrow(x) - shown
  if (more > 0L) cat(sprintf("... and %s\n", count_of(more, "more row", "more rows")))
  invisible(x)
}

decision_header <- function(x) {
  actions <- count_of(nlevels(x$decision), "action", "actions")
  cases <- count_of(nrow(x), "case", "cases")
  mean <- mean(x$cost, na.rm = TRUE)
  cost <- if (is.nan(mean)) "" else sprintf(", expected cost per case %s", format(mean))
  sprintf("<decisions: %s, %s%s>", cases, actions, cost)
}

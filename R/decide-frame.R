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
    cost = kept_cost(cost), rows = rows, capacity = decided$capacity,
    # The engine computed the expected errors before a capacity changed the decisions.
    errors = if (is.null(decided$capacity)) {
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
  attr(part, "capacity") <- NULL
  part
}

#' @export
rbind.bayesrisk_decision <- function(..., deparse.level = 1) { # nolint: object_name_linter.
  united <- rbind.data.frame(...)
  parts <- Filter(Negate(is.null), list(...))
  costs <- unique(lapply(parts, function(x) if (inherits(x, "bayesrisk_decision")) decided_by(x)))
  attr(united, "cost") <- if (length(costs) == 1L) costs[[1L]]
  attr(united, "rows") <- nrow(united)
  attr(united, "errors") <- attr(united, "capacity") <- NULL
  united
}

#' @export
describe.bayesrisk_decision <- function(x, show) {
  shown <- seq_len(min(nrow(x), most_rows(show, 10L)))
  first <- plain_frame(x)[shown, , drop = FALSE]
  first <- data.frame(row = rownames(first), first, check.names = FALSE)
  list(
    title_item(decision_title(x, show$digits)), table_item(first, total = nrow(x)),
    sentences_item(capacity_notes(x, show$digits))
  )
}

capacity_notes <- function(x, digits) {
  limit <- attr(x, "capacity")
  if (is.null(limit)) return(NULL)
  action <- encodeString(levels(x$decision)[[limit$action]])
  cases <- function(n) count_of(n, "case", "cases")
  number <- function(v) format(v, digits = digits)
  if (limit$wanted <= limit$most) {
    verb <- if (limit$wanted == 1) "is" else "are"
    return(sprintf("At most %s for %s: only %s %s worth it.", cases(limit$most), action,
                   format_count(limit$wanted), verb))
  }
  c(
    sprintf("At most %s for %s: %s would be worth it.", cases(limit$most), action,
            format_count(limit$wanted)),
    sprintf("The limit costs %s in all; one more case would save %s.", number(limit$cost),
            number(limit[["next"]]))
  )
}

decision_title <- function(x, digits) {
  actions <- count_of(nlevels(x$decision), "action", "actions")
  cases <- count_of(nrow(x), "case", "cases")
  mean <- mean(x$cost, na.rm = TRUE)
  cost <- if (!is.nan(mean)) paste(", expected cost per case", format(mean, digits = digits))
  paste0("decisions: ", cases, ", ", actions, cost)
}

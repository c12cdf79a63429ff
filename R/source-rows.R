# Rows of a source in memory, for functions that need all of them at once: folds, for example, are
# drawn from all rows, and each is scored by a model of the others. Only the used columns are kept.

# So many values are kept at most: 800 MB of numbers.
most_held_values <- 1e8

# `data`, or the rows of a source. `columns`: see used_columns(); NULL: all columns.
rows_in_memory <- function(data, columns, call, most = most_held_values) {
  if (!is_source(data)) return(data)
  pieces <- hold_rows(data, list(
    kind = "rows", of_rows = hold_rows, merge = join_pieces, columns = columns, most = most
  ), call)
  if (!length(pieces)) abort_empty_data(call)
  check_room(pieces, most, call)
  names <- names(pieces[[1L]])
  for (piece in pieces) check_same_columns(names(piece), names, call)
  rows <- do.call(rbind, lapply(pieces, `[`, names))
  row.names(rows) <- NULL
  rows
}

# A list of data frames. `request`: see ask_source().
hold_rows <- function(data, request, call) {
  if (is_source(data)) return(ask_source(data, request, call))
  if (!is.data.frame(data) && !is_plain_matrix(data)) {
    abort_wanted(data, "data", "a data frame or a matrix", call, abort = abort_data)
  }
  rows <- as.data.frame(data)
  check_needed(names(rows), request, call)
  if (!is.null(request$columns)) rows <- rows[names(rows) %in% request$columns$kept]
  check_room(c(request$before, list(rows)), request$most, call)
  list(rows)
}

check_room <- function(pieces, most, call) {
  values <- sum(vapply(pieces, function(rows) nrow(rows) * as.double(length(rows)), 1))
  if (values <= most) return(invisible())
  abort_data(c(
    "This function needs the used columns of all rows in memory, and they hold more than
     {format_count(most)} values.",
    i = "Give a sample of the rows."
  ), call)
}

check_same_columns <- function(names, wanted, call) {
  other <- c(setdiff(wanted, names), setdiff(names, wanted))
  if (!length(other)) return(invisible())
  abort_data("Column{?s} {.field {other}} {?is/are} not in all pieces of {.arg data}.", call)
}

# An error about a missing column shows all columns, and not those that are kept.
check_needed <- function(names, request, call) {
  check_columns_there(request$columns$needed, list(names = names), abort_data, "data", call)
}

# The columns that formulas, quosures and a cost use, as list(kept, needed), where `needed` are no
# variables outside of the data; NULL if all may be used. `more`: names.
used_columns <- function(formulas, quosures, cost = NULL, more = NULL) {
  formulas <- Filter(rlang::is_formula, formulas)
  named <- unique(unlist(lapply(formulas, all.vars)))
  if ("." %in% named || !is.null(cost) && is_case_cost(cost)) return(NULL)
  needed <- unlist(lapply(formulas, function(formula) {
    enclosure <- formula_enclosure(formula)
    Filter(function(name) is.null(get0(name, enclosure)), all.vars(formula))
  }))
  list(
    kept = unique(c(named, unlist(lapply(quosures, quosure_columns)), more)),
    needed = unique(needed)
  )
}

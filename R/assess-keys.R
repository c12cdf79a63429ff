# The segments of cases: the argument `by` of assess_decisions(), in data and in pieces of a source.

# The keys of the argument `by`, a quosure: list(terms, enclosure); NULL if it is not given.
read_segment_keys <- function(by, call) {
  keys <- read_by(by, call)
  if (!is.null(keys)) list(terms = keys, enclosure = rlang::quo_get_env(by))
}

# The keys of rows of data: see read_keys().
segment_keys <- function(by, data, rows, call, alone = FALSE) {
  if (is.null(data)) {
    abort_argument("{.arg by} needs {.arg data}, whose columns it names.", call)
  }
  container <- read_container(data, "data", abort_schema, call)
  if (container$rows != rows) {
    abort_argument(c(
      "{.arg data} has {container$rows} row{?s} for {rows} case{?s}.",
      i = "{.arg by} needs the row of each case."
    ), call)
  }
  terms <- lapply(by$terms, new_term, container, by$enclosure, call)
  read_keys(terms, container, by$enclosure, "data", abort_schema, call, alone)
}

# The keys of all rows of a source, from those of its pieces.
unite_piece_keys <- function(pieces) {
  lapply(stats::setNames(nm = names(pieces[[1L]])), function(name) {
    keys <- lapply(pieces, `[[`, name)
    united <- Reduce(unite_labels, lapply(keys, `[`, c("levels", "type")))
    codes <- lapply(keys, function(key) {
      match(key$levels, united$levels)[as.vector(unclass(key$codes))]
    })
    c(united, list(codes = unlist(codes)))
  })
}

# The segments of the cases: list(keys (a data frame, a row for each segment), of (the segment of
# each case; NA: none), missing (the number of cases without one)).
read_segments <- function(believed, by, data, call) {
  rows <- length(believed$truth)
  keys <- believed$keys
  if (is.null(keys)) keys <- segment_keys(by, data, rows, call)
  found <- segments_of_keys(keys, rows, call)
  if (nrow(found$keys) == 0L) {
    abort_argument("{.arg by}: {.or {.field {names(keys)}}} is missing in every row.", call)
  }
  list(keys = found$keys, of = found$group, missing = sum(is.na(found$group)))
}

# list(keys (a row for each combination), group (that of each row, NA for none)).
segments_of_keys <- function(keys, rows, call) {
  found <- group_rows(keys, rep(1L, rows), NULL, 1L, rows, call)
  check_group_labels(found$keys, call)
  found[c("keys", "group")]
}

# Rows of a lazy table for the engine: g, the position of the class; the features; v, the weight.
# The different rows of a few features, with their numbers, take the place of all rows.

db_rows <- function(cases, features = seq_along(cases$labels), complete = integer()) {
  x <- place_names(features)
  code <- db_case("y", cases$classes$sql, seq_along(cases$classes$levels))
  columns <- c(g = code, stats::setNames(x, x), if (cases$weighted) c(v = "v"))
  db_select(columns, db_sub(db_used(cases, complete)))
}

# The different rows of some features by class: g, x..., n (rows) and w (their weight). They are
# sorted, so that sums do not depend on the order in which a database sends them.
db_distinct <- function(cases, features, call) {
  key <- paste(c("x", features), collapse = " ")
  if (is.null(cases$cache[[key]])) {
    x <- place_names(features)
    columns <- c(
      g = "g", stats::setNames(x, x), n = "COUNT(*)", if (cases$weighted) c(w = "SUM(v)"),
      byte_columns(x, cases)
    )
    rows <- db_get(cases$source, db_select(
      columns, db_sub(db_rows(cases, features)), group = c("g", x)
    ))
    check_held_texts(rows, x, cases, call)
    check_same_rows(rows$g, rows$n, cases, call)
    if (!cases$weighted) rows$w <- rows$n
    sorted <- do.call(order, c(unname(rows[c("g", x)]), method = "radix"))
    cases$cache[[key]] <- rows[sorted, , drop = FALSE]
  }
  cases$cache[[key]]
}

# Without a transaction that keeps the state of the table, queries may count other rows than the
# first one did. `g`, `n`: numbers of rows in classes; NA is a class that the first query did not
# find.
check_same_rows <- function(g, n, cases, call) {
  expected <- c(as.double(cases$summary$n), 0)
  g[is.na(g)] <- length(expected)
  found <- vapply(seq_along(expected), function(k) sum(n[g == k], na.rm = TRUE), 1)
  differs <- which(found != expected)
  if (!length(differs)) return(invisible())
  abort_other_rows(
    expected[[differs[[1L]]]], found[[differs[[1L]]]], call,
    "Each query reads the table as it is then. Fit a copy of the rows, for example that of
     {.fn dplyr::compute} or of a cache."
  )
}

# A fetched column in the engine's form.
db_encode <- function(x, feature) {
  switch(feature$type,
    double = , integer = encoded(as.double(x)),
    logical = encode_column(as.logical(x), "logical", feature$levels),
    encode_character(enc2utf8(as.character(x)), feature$levels)
  )
}

#' @export
case_range.db_cases <- function(cases, place, quartiles, call) { # nolint: object_name_linter.
  if (quartiles) {
    rows <- db_distinct(cases, place, call)
    frame <- bind_frame(list(encoded(as.double(rows[[place_names(place)]]))), nrow(rows))
    return(call_engine(
      feature_range_cpp(frame, 1L, rep(1L, nrow(rows)), as.double(rows$w), TRUE), call
    ))
  }
  found <- cases$summary
  if (is.null(found[[paste0("lo", place)]])) {
    cases <- guard_cases(cases, call)
    found <- db_summary(cases, place)
  }
  of <- function(what) found[[paste0(what, place)]]
  list(
    weight = sum(of("n")), lowest = min(Inf, of("lo"), na.rm = TRUE),
    highest = max(-Inf, of("hi"), na.rm = TRUE), lower_quartile = NaN, upper_quartile = NaN
  )
}

# The rows that miss each feature of a block, and the rows that miss any of them (`joined` by OR) or
# all (by AND).
missing_rows <- function(cases, features, joined = " OR ") {
  x <- place_names(features)
  none <- paste(x, "IS NULL")
  count <- function(condition) sprintf("SUM(CASE WHEN %s THEN 1 ELSE 0 END)", condition)
  names <- c(sprintf("n%d", features), "skipped")
  found <- unlist(db_get(cases$source, db_select(
    stats::setNames(count(c(none, paste(none, collapse = joined))), names),
    db_sub(db_used(cases))
  )), use.names = FALSE)
  list(as.double(found[seq_along(x)]), as.double(found[[length(names)]]))
}

# Statistics that are exchanged must not show small counts: see write_statistics().

check_private <- function(x, min_count, call) {
  classes <- x$statistics$classes
  if (any(classes$weight != classes$rows)) {
    abort_argument("{.arg weights} and {.arg min_count} cannot be given together.", call)
  }
  check_no_values(x, call)
  cells <- as.data.frame(counts(x))
  small <- cells[!is.na(cells$count) & cells$count > 0 & cells$count < min_count, ]
  if (!nrow(small)) return(invisible())
  shown <- utils::head(small_cell_lines(small), 10L)
  abort_small_cells(c(
    "{nrow(small)} count{?s} {?is/are} below {.arg min_count}, {min_count}:",
    bullet_lines(shown, "x"),
    i = "Unite levels or classes, or leave out the feature."
  ), call, cells = small)
}

small_cell_lines <- function(cells) {
  quoted <- function(x) encodeString(as.character(x), quote = "\"")
  of_class <- paste("class", quoted(cells$class))
  of_level <- ifelse(is.na(cells$level), "", paste0(", level ", quoted(cells$level)))
  feature <- paste0(", feature ", quoted(cells$term))
  ifelse(
    cells$term == "(class)", paste0(of_class, ": ", cells$count),
    paste0(of_class, feature, of_level, ": ", cells$count)
  )
}

# Statistics that are the values of rows, or bins that begin at one.
check_no_values <- function(x, call) {
  features <- x$schema$features
  shows <- unlist(Map(function(bank, state) {
    if (!is.null(state$points) || length(state$incomplete)) return(bank$features)
    likelihoods <- bank_likelihoods(bank, record_of(bank), x$spec, features[bank$features])
    of_rows <- vapply(likelihoods, function(l) record_of(l)$of_all_rows(l), NA)
    bank$features[rep_len(of_rows, length(bank$features))]
  }, x$plan$banks, x$statistics$banks))
  if (!length(shows)) return(invisible())
  names <- names(features)[shows]
  abort_argument(c(
    "The statistics of {.field {names}} hold values of rows, which {.arg min_count} refuses.",
    i = "Use a likelihood with sums as statistics, such as {.fn likelihood_gaussian}, or
         {.code likelihood_histogram(breaks = )}; in a joint block {.code missing = \"complete\"}."
  ), call)
}

#' @export
print.bayesrisk_comparison <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  digits <- check_digits(digits)
  if (!is_comparison(x)) {
    print(as.data.frame(x), digits = digits, ...)
    return(invisible(x))
  }
  print_heading(paste0("<", comparison_header(x), ">"))
  old <- options(digits = digits)
  on.exit(options(old))
  columns <- comparison_columns(x)
  columns$model <- encodeString(columns$model)
  print_aligned(columns, "models")
  cat("\n")
  for (note in comparison_notes(x)) print_sentence(note)
  invisible(x)
}

# Of some models alone `agree` would have lost what it agrees with.
#' @export
`[.bayesrisk_comparison` <- function(x, ...) part_of_result(x, NextMethod())

is_comparison <- function(x) {
  columns <- c("model", "agree", "errors", "cost", "risk", "believed", "gap")
  whole <- !is.null(attr(x, "cases")) || !is.null(attr(x, "world"))
  identical(names(x), columns) && nrow(x) > 0L && whole
}

comparison_header <- function(x) {
  cases <- attr(x, "cases")
  world <- attr(x, "world")
  where <- c(
    if (!is.null(cases)) count_of(cases, "case", "cases"),
    if (!is.null(world)) paste("the world of", encodeString(world))
  )
  sprintf(
    "decisions of %s: %s", count_of(nrow(x), "model", "models"), paste(where, collapse = " and ")
  )
}

comparison_columns <- function(x) {
  shown <- c(
    "model", if (!is.null(attr(x, "cases"))) c("agree", "errors", "cost"),
    if (!is.null(attr(x, "world"))) c("risk", "believed", "gap")
  )
  unclass(x)[shown]
}

comparison_notes <- function(x) {
  left_out <- attr(x, "left_out")
  c(
    if (!is.null(attr(x, "cases"))) {
      sprintf("agree: cases decided as by %s; cost: per case.", encodeString(x$model[[1L]]))
    },
    if (!is.null(attr(x, "world"))) {
      "risk: cost per case in that world; believed: what the model expects; gap: risk - believed."
    },
    if (sum(left_out) > 0) paste0(left_out_sentence(left_out), ".")
  )
}

#' @export
report_parts.bayesrisk_comparison <- function(x) {
  if (!is_comparison(x)) return(list(as.data.frame(x)))
  table <- as.data.frame(comparison_columns(x))
  list(paste0(capitalise(comparison_header(x)), "."), table, comparison_notes(x))
}

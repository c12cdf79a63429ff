#' @export
format.bayesrisk_likelihood <- function(x, ...) {
  check_unchanged(is_sound_likelihood(x), "likelihood", rlang::current_env())
  kinds <- paste(likelihood_kinds(x), collapse = " or ")
  sprintf("%s features by %s.", capitalise(kinds), describe_likelihood(x))
}

#' @export
print.bayesrisk_likelihood <- function(x, ...) {
  print_sentence(format(x))
  invisible(x)
}

capitalise <- function(x) paste0(toupper(substr(x, 1L, 1L)), substring(x, 2L))

print_sentence <- function(sentence) {
  writeLines(strwrap(sentence, width = getOption("width"), exdent = 2L))
}

# "a 1, b 2": numbers follow options(digits); names are escaped, so that none can
# break the line.
format_numbers <- function(x) {
  numbers <- vapply(x, format, character(1), USE.NAMES = FALSE)
  if (!is.null(names(x))) numbers <- paste(encodeString(names(x)), numbers)
  paste(numbers, collapse = ", ")
}

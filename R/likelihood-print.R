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

#' Merge models that were fitted on parts of the data
#'
#' Returns the same model as one fit of all rows: counts are exact, means and covariances agree to
#' 1e-12 of their scale. The models may come from other sessions or machines; no data are needed.
#'
#' Classes and categorical levels are united by name. Levels of a factor keep the order of `x`,
#' followed by the new levels of `y`. Sorted levels stay sorted.
#' @param x,y Fitted models, or results of [bayes_statistics()], of the same
#'   specification and the same features. Exponents of [temper()] are those of `x`, or of `y`.
#' @inheritParams bayesrisk_arguments
#' @return An object like `x`.
#' @section Errors: `bayesrisk_error_argument` where the specifications, the features, their
#'   expressions and kept values, or the bins of their histograms differ.
#' @examples
#' first <- fit(bayes_naive(), Species ~ ., iris[c(1:30, 51:80, 101:130), ])
#' second <- fit(bayes_naive(), Species ~ ., iris[c(31:50, 81:100, 131:150), ])
#' merge(first, second)
#' @export
merge.bayesrisk_model <- function(x, y, ...) {
  call <- check_no_dots(...)
  x <- check_model(x, call, "x")
  y <- check_model(maybe(y), call, "y")
  check_same_spec(x, y, call)
  merged <- merge_statistics(model_statistics(x, call), model_statistics(y, call), call)
  keep_temper(estimate_model(merged, call), if (is_tempered(x)) x else y, call)
}

#' @rdname merge.bayesrisk_model
#' @export
merge.bayesrisk_statistics <- function(x, y, ...) {
  call <- check_no_dots(...)
  x <- check_statistics(x, call, "x")
  y <- check_statistics(maybe(y), call, "y")
  if (is_empty(x)) x$spec <- name_positional(x$spec, y$schema)
  if (is_empty(y)) y$spec <- name_positional(y$spec, x$schema)
  check_same_spec(x, y, call)
  if (!is_empty(x) && !is_empty(y)) return(merge_statistics(x, y, call))
  # Statistics without a row have no features yet that could be compared.
  check_same_code(x$schema$formula, y$schema$formula, "formulas", call)
  if (is_empty(x)) y else x
}

check_same_spec <- function(x, y, call) {
  responses <- unique(c(x$schema$response, y$schema$response))
  if (length(responses) > 1L) {
    abort_argument("The parts have different classes: {.field {responses}}.", call)
  }
  formulas <- list(x$schema$formula, y$schema$formula)
  if (all(lengths(formulas) > 0L)) {
    check_same_code(formulas[[1L]][[2L]], formulas[[2L]][[2L]], "classes", call)
  }
  if (identical(x$spec, y$spec)) return(invisible())
  first <- spec_sentence(x$spec)
  second <- spec_sentence(y$spec)
  settings <- different_settings(x$spec, y$spec)
  abort_argument(c(
    "The specifications differ: only parts with the same specification can be merged.",
    if (first == second) {
      c(x = "Both are described as: {first}", x = "They differ in {.arg {settings}}.")
    } else {
      c(x = "{.arg x}: {first}", x = "{.arg y}: {second}")
    }
  ), call)
}

# Parts of the same label may still be computed in different ways. `what`: the parts, for the error.
check_same_code <- function(x, y, what, call) {
  if (identical(rlang::zap_srcref(x), rlang::zap_srcref(y))) return(invisible())
  texts <- vapply(list(x, y), text_of_code, "")
  abort_argument(c(
    "The parts have different {what}.",
    x = "{.arg x}: {.code {texts[[1L]]}}", x = "{.arg y}: {.code {texts[[2L]]}}"
  ), call)
}

# The names of the settings that differ, of two specifications or of two likelihoods.
different_settings <- function(x, y) {
  fields <- union(names(x), names(y))
  different <- fields[!vapply(fields, function(field) identical(x[[field]], y[[field]]), NA)]
  unique(unlist(lapply(different, function(field) {
    both_lists <- is.list(x[[field]]) && is.list(y[[field]])
    inner <- if (both_lists) different_settings(x[[field]], y[[field]])
    if (length(inner)) inner else field
  })))
}

# Checks of numeric vectors whose entries belong to classes, levels or features.

# `x` as plain finite doubles, `min` or more. Names are kept and must be unique. A one-way table,
# for example prop.table(table(y)), is accepted too.
check_numbers <- function(x, arg, min = -Inf, call = rlang::caller_env()) {
  plain <- is.numeric(x) && (!is.object(x) || inherits(x, "table")) && length(dim(x)) < 2L
  if (!plain || length(x) == 0L) {
    abort_wanted(x, arg, "a numeric vector", call)
  }
  bad <- !is.finite(x) | x < min
  if (any(bad)) {
    bounds <- if (is.finite(min)) sprintf(", %s or more", min) else ""
    bad <- format(as.double(x)[bad], trim = TRUE)
    abort_argument("{.arg {arg}} must hold finite numbers{bounds}, not {bad}.", call)
  }
  check_distinct_names(names(x), arg, call)
  stats::setNames(as.double(x), names(x))
}

# The tolerance allows for probabilities that were rounded.
sums_to_one <- function(x) abs(sum(x) - 1) <= 1e-8

# `empty`: whether a name may be empty text, as levels may.
check_distinct_names <- function(names, arg, call = rlang::caller_env(), empty = FALSE) {
  if (is.null(names)) return(invisible())
  if (anyNA(names) || !empty && !all(nzchar(names))) {
    abort_argument("{.arg {arg}} must be named throughout: a name is missing.", call)
  }
  if (anyDuplicated(names)) {
    twice <- unique(names[duplicated(names)])
    abort_argument(
      "{.arg {arg}} has the {cli::qty(twice)} name{?s} {.val {twice}} more than once.", call
    )
  }
  invisible()
}

# The positions of `expected` in `names`. Both must hold the same names: those of the classes, or
# of the levels of `feature`.
match_names <- function(names, expected, arg, feature = NULL, call = rlang::caller_env()) {
  what <- if (is.null(feature)) "the classes" else "the levels of {.field {feature}}"
  # Lazy evaluation: the headline is written only if names differ, because writing takes longer than
  # comparing.
  check_same_names(
    names, expected, cli::format_inline("The names of {.arg {arg}} must be ", what, "."), call
  )
  match(expected, names)
}

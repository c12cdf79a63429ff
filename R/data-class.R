# Reads the class: its levels, and a code per row.

# A factor keeps all its levels. Other types have the levels of the rows in `keep`.
read_class <- function(y, name, rows, keep, call) {
  if (is.null(y)) abort_data("The class {.field {name}} is NULL.", call)
  if (!is.null(dim(y))) y <- drop_class_dim(y, name, call)
  if (length(y) != rows) {
    abort_data("The class {.field {name}} has {length(y)} value{?s} for {rows} row{?s}.", call)
  }
  type <- column_type(y)
  if (is.na(type)) abort_class_type(y, name, call)
  switch(type,
    factor = , ordered = factor_class(y, type),
    character = text_class(y, keep),
    logical = class_codes(y, sort(kept_values(y, keep)), type),
    whole_number_class(y, name, keep, call)
  )
}

drop_class_dim <- function(y, name, call) {
  if (is.data.frame(y) && ncol(y) == 1L) {
    abort_data(c(
      "The class {.field {name}} is a table of one column, not a vector.",
      i = "Give the column itself: {.code {name}[[1]]}."
    ), call)
  }
  if (is.data.frame(y)) return(y)
  if (length(dim(y)) == 2L && ncol(y) == 1L) {
    inform_bayesrisk(
      "The class {.field {name}} is a matrix of one column: read as a vector.", "class"
    )
    return(y[, 1L])
  }
  size <- paste(dim(y), collapse = " x ")
  abort_data("The class {.field {name}} must be one vector, not a matrix ({size}).", call)
}

abort_class_type <- function(y, name, call) {
  what <- if (is.factor(y)) "a damaged factor" else describe_value(y)
  abort_data(c(
    "The class {.field {name}} is {what}.",
    i = "It must be a factor, character, logical or whole numbers."
  ), call)
}

# The codes are not copied. A level NA means a missing class.
factor_class <- function(y, type) {
  levels <- enc2utf8(attr(y, "levels"))
  if (anyNA(levels)) {
    named <- which(!is.na(levels))
    y <- match(unclass(y), named)
    levels <- levels[named]
  }
  list(levels = levels, type = type, codes = y)
}

text_class <- function(y, keep = NULL) {
  found <- distinct_text_cpp(y)
  levels <- levels_of_text(found, keep)
  list(levels = levels, type = "character", codes = match(found$values, levels)[found$codes])
}

class_codes <- function(y, values, type) {
  labels <- as.character(values)
  if (is.numeric(values)) labels <- format(values, scientific = FALSE, trim = TRUE, digits = 15L)
  list(levels = labels, type = type, codes = match(y, values))
}

whole_number_class <- function(y, name, keep, call) {
  values <- kept_values(y, keep)
  if (any(is.infinite(values))) {
    rows <- sum(is.infinite(if (is.null(keep)) y else y[keep]))
    abort_data("The class {.field {name}} is infinite in {rows} row{?s}.", call)
  }
  if (any(values != round(values))) {
    abort_data(c(
      "The class {.field {name}} holds numbers that are not whole.",
      i = "A class is a category: use {.code factor()} or {.code cut()}."
    ), call)
  }
  if (any(is_indistinct(values))) {
    abort_data(c(
      "The class {.field {name}} has numbers of 2^53 or more, which R does not tell apart.",
      i = "Make a text of it."
    ), call)
  }
  class_codes(y, sort(values), "integer")
}

# Doubles do not tell all whole numbers from 2^53 on apart, so none of them is a label.
is_indistinct <- function(x) is.finite(x) & abs(x) >= 2^53

are_whole_labels <- function(x) all(is.na(x) | (x == round(x) & abs(x) < 2^53))

# A hint of errors about labels.
indistinct_hint <- function(x) {
  if (!is.numeric(x) || !any(is_indistinct(x))) return(NULL)
  "R does not tell whole numbers of 2^53 or more apart: make a text of them."
}

check_class <- function(class, name, keep, call) {
  codes <- unclass(class$codes)
  missing <- if (!anyNA(codes)) 0L else sum(is.na(if (is.null(keep)) codes else codes[keep]))
  if (missing > 0L) {
    abort_data(c(
      "The class {.field {name}} is missing in {missing} row{?s}.",
      i = "Leave these rows out, for example by {.arg subset}."
    ), call)
  }
  if (length(class$levels) == 0L) abort_data("The class {.field {name}} has no level.", call)
  # Costs and priors name classes, and R finds no element by an empty name.
  if (!all(nzchar(class$levels))) {
    abort_data(c(
      "{.field {name}}: a class must have a name, but a level is empty text.",
      i = "Leave its rows out, for example by {.arg subset}, or give it a name.",
      i = "{.fn droplevels} takes a level without rows off a factor."
    ), call)
  }
  check_text(class$levels, name, abort_data, call)
}

# Truths or decisions as a factor without missing levels. A factor keeps its levels. Otherwise
# levels are sorted: whole numbers as numbers, FALSE before TRUE, text in C order.
label_factor <- function(x, arg, call) {
  if (is.factor(x)) return(check_factor(x, arg, call))
  if (is.character(x)) check_text(x, arg, abort_argument, call)
  whole <- is.numeric(x) && are_whole_labels(x)
  if (!(is.character(x) || is.logical(x) || whole) || is.object(x) || !is.null(dim(x))) {
    abort_wanted(x, arg, "a factor, text, logical or whole numbers", call, c(
      i = if (inherits(x, "bayesrisk_decision")) "Take its column {.field decision}.",
      i = if (is.data.frame(x) && length(x) == 1L) "Take its column, by {.code [[1]]}.",
      i = indistinct_hint(x)
    ))
  }
  read <- if (is.character(x)) text_class(x) else class_codes(x, sort(unique(x)), typeof(x))
  structure(read$codes, levels = read$levels, class = "factor")
}

check_factor <- function(x, arg, call) {
  levels <- levels(x)
  codes <- unclass(x)
  sound <- is.integer(codes) && is.character(levels) && !anyDuplicated(levels) &&
    all(is.na(codes) | (codes >= 1L & codes <= length(levels)))
  if (!sound) abort_argument("{.arg {arg}} is a damaged factor.", call)
  factor(levels[codes], levels[!is.na(levels)])
}

class_attributes <- function(classes) {
  ordered <- classes$type == "ordered"
  list(levels = classes$levels, class = c(if (ordered) "ordered", "factor"))
}

as_class_factor <- function(codes, classes) {
  attributes(codes) <- class_attributes(classes)
  codes
}

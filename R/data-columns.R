# Kinds of columns, and their encoding: numbers are read where they lie, levels
# as integer codes with, where needed, a map from the column's levels to the
# model's.

column_type <- function(x) {
  if (is.factor(x)) return(factor_type(x))
  if (is.object(x) || !is.null(dim(x))) return(NA_character_)
  type <- typeof(x)
  switch(type, double = , integer = , character = , logical = type, NA_character_)
}

factor_type <- function(x) {
  known <- identical(class(x), "factor") || identical(class(x), c("ordered", "factor"))
  levels <- attr(x, "levels")
  sound <- typeof(x) == "integer" && is.character(levels) && !anyDuplicated(levels) &&
    is.null(dim(x))
  if (!known || !sound) return(NA_character_)
  if (is.ordered(x)) "ordered" else "factor"
}

type_kind <- function(type) {
  if (type == "double" || type == "integer") "numeric" else "categorical"
}

# The values of the rows that count; `keep` is NULL for all rows.
kept_values <- function(x, keep) {
  values <- unique(if (is.null(keep)) x else x[keep])
  values[!is.na(values)]
}

# Character levels in C order: no result may depend on the locale.
character_levels <- function(x, keep = NULL) {
  sort(unique(enc2utf8(kept_values(x, keep))), method = "radix")
}

# Declared levels stay; others are those of the rows that count.
column_levels <- function(x, type, keep = NULL) {
  switch(type,
    factor = , ordered = enc2utf8(attr(x, "levels")),
    character = character_levels(x, keep),
    logical = c("FALSE", "TRUE")
  )
}

abort_column <- function(x, name, rows, abort, call) {
  if (is.factor(x)) {
    abort("Column {.field {name}} is a damaged factor: make it again with {.code factor()}.", call)
  }
  if (!is.null(dim(x))) {
    what <- paste(dim(x), collapse = " x ")
    abort(c(
      "Column {.field {name}} is a matrix or table ({what}), not a vector.",
      i = "Transformations that depend on the data, such as {.code scale()}, go before the fit."
    ), call)
  }
  if (is.null(x) || !is.object(x) && length(x) != rows) {
    abort("Column {.field {name}} has {length(x)} value{?s} for {rows} row{?s}.", call)
  }
  what <- if (is.object(x)) class(x)[[1L]] else typeof(x)
  abort(c(
    "Column {.field {name}} is of type {.cls {what}}, which no likelihood reads.",
    i = "Make it a number with {.code as.numeric()}, or categories with {.code factor()}."
  ), call)
}

# How the engine reads one column: the vector, its first code, how many levels
# it stores, and the map to the model's levels (NULL: the same).
encoded <- function(data, first_code = 0L, stored_levels = 0L, remap = NULL, column = 1L) {
  list(
    data = data, column = column, first_code = first_code, stored_levels = stored_levels,
    remap = remap
  )
}

encode_column <- function(x, type, levels) {
  switch(type,
    double = , integer = encoded(x),
    factor = , ordered = encode_levels(x, 1L, attr(x, "levels"), levels),
    logical = encode_levels(x, 0L, c("FALSE", "TRUE"), levels),
    character = encode_character(x, levels)
  )
}

# Levels by name, never by code. One the model does not have becomes -2; a level
# NA that it does not have is a missing value, -1.
encode_levels <- function(x, first_code, stored, levels) {
  remap <- if (!identical(stored, levels)) {
    match(stored, levels, nomatch = -1L) - 1L + (is.na(stored) & !anyNA(levels))
  }
  encoded(x, first_code, length(stored), remap)
}

encode_character <- function(x, levels) {
  known <- length(levels)
  codes <- match(x, levels, nomatch = known + 1L)
  codes[is.na(x)] <- NA_integer_
  encoded(codes, 1L, known + 1L, c(seq_len(known) - 1L, -2L))
}

# Columns of a matrix, read where they lie.
encode_matrix <- function(matrix, positions, levels = c("FALSE", "TRUE")) {
  column <- encode_column(matrix, typeof(matrix), levels)
  lapply(positions, function(position) {
    column$column <- position
    column
  })
}

# The engine's view of all columns.
bind_frame <- function(columns, rows) list(rows = as.double(rows), columns = columns)

# The codes of an encoded categorical column, from 1, by the model's levels.
column_codes <- function(column) {
  data <- if (is.matrix(column$data)) column$data[, column$column] else column$data
  codes <- as.integer(data) - column$first_code + 1L
  if (is.null(column$remap)) return(codes)
  known <- column$remap[codes]
  replace(known, !is.na(known) & known < 0L, NA_integer_) + 1L
}

# Kinds of columns, and their encoding. Numbers are not copied. Levels are integer codes, with a map
# from the column's levels to the model's levels if the two differ.

column_type <- function(x) {
  if (is.factor(x)) return(factor_type(x))
  if (is_bag(x)) return(bag_type(x))
  if (is.object(x) || !is.null(dim(x))) return(NA_character_)
  type <- typeof(x)
  switch(type, double = , integer = , character = , logical = type, NA_character_)
}

factor_type <- function(x) {
  class <- class(x)
  ordered <- length(class) == 2L && class[[1L]] == "ordered"
  levels <- attr(x, "levels")
  sound <- (ordered || length(class) == 1L) && typeof(x) == "integer" &&
    is.character(levels) && !anyDuplicated.default(levels) && is.null(attr(x, "dim"))
  if (!sound) return(NA_character_)
  if (ordered) "ordered" else "factor"
}

type_kind <- function(type) {
  switch(type, double = , integer = "numeric", bag = , presence = "bag", "categorical")
}

# The different values of the rows in `keep` (NULL: all rows), without NA.
kept_values <- function(x, keep) {
  values <- unique(if (is.null(keep)) x else x[keep])
  values[!is.na(values)]
}

# Character levels are in C order, so that no result depends on the locale.
character_levels <- function(x, keep = NULL) levels_of_text(distinct_text_cpp(x), keep)

# `found`: a result of distinct_text_cpp(). `keep`: the rows to use, NULL for all. A text in two
# encodings is one level.
levels_of_text <- function(found, keep) {
  values <- found$values
  if (!is.null(keep)) values <- values[tabulate(found$codes[keep], length(values)) > 0L]
  sort(unique(enc2utf8(values)), method = "radix")
}

# The levels of a column that is not text. A factor keeps all its levels.
column_levels <- function(x, type) {
  switch(type,
    factor = , ordered = enc2utf8(attr(x, "levels")),
    logical = c("FALSE", "TRUE"),
    bag = , presence = bag_terms(x)
  )
}

# `remedy`: where the data are no table of R.
abort_column <- function(x, name, rows, abort, call, remedy = NULL) {
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
  if (inherits(x, c("Date", "POSIXt"))) abort_date(x, name, abort, call, remedy)
  what <- if (is.object(x)) class(x)[[1L]] else typeof(x)
  if (is.null(remedy)) {
    remedy <- "Make it a number with {.code as.numeric()}, or categories with {.code factor()}."
  }
  abort(c(
    "Column {.field {name}} is of type {.cls {what}}, which no likelihood reads.", i = remedy
  ), call)
}

# A formula may make the date of other columns, so that the name is code.
abort_date <- function(x, name, abort, call, remedy) {
  term <- tryCatch(str2lang(name), error = function(e) NULL)
  code <- if (is.call(term)) name else deparse(as.name(name), backtick = TRUE)
  words <- if (inherits(x, "Date")) {
    c("dates", "days", sprintf("format(%s, \"%%m\")", code), "the month")
  } else {
    c("times", "seconds", sprintf("format(%s, \"%%H\")", code), "the hour")
  }
  what <- class(x)[[1L]]
  remedies <- if (!is.null(remedy)) remedy else c(
    "In the formula, {.code as.numeric({code})} counts {words[[2L]]} since 1970, and
     {.code {words[[3L]]}} is a category, {words[[4L]]}.",
    if (!is.call(term)) "In a table: {.code data${code} <- as.numeric(data${code})}."
  )
  abort(c(
    "Column {.field {name}} holds {words[[1L]]} ({.cls {what}}), which no likelihood reads.",
    stats::setNames(remedies, rep("i", length(remedies)))
  ), call)
}

# One column in the engine's form: the vector (of a bag: the dgCMatrix, whose levels are terms), its
# first code, the number of levels that it stores, and the map to the model's levels (NULL if they
# are the same).
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
    character = encode_character(x, levels),
    bag = , presence = encode_levels(x, 0L, bag_terms(x), levels)
  )
}

# Matches levels by name, never by code. A level that the model lacks becomes -2. If the model has
# no level NA, a level NA is a missing value, -1.
encode_levels <- function(x, first_code, stored, levels) {
  remap <- if (!identical(stored, levels)) {
    match(stored, levels, nomatch = -1L) - 1L + (is.na(stored) & !anyNA(levels))
  }
  encoded(x, first_code, length(stored), remap)
}

# Each different text is matched once. Text that is marked as bytes cannot be compared, so it is no
# level of the model.
encode_character <- function(x, levels, found = distinct_text_cpp(x)) {
  readable <- Encoding(found$values) != "bytes"
  remap <- rep(-2L, length(readable))
  remap[readable] <- match(found$values[readable], levels, nomatch = -1L) - 1L
  # The text is kept, without a copy, for the warning that names unknown levels.
  c(encoded(found$codes, 1L, length(remap), remap), list(text = x))
}

# The levels in an encoded column that are not among the model's `levels`.
unknown_levels <- function(column, levels) {
  if (isS4(column$data)) return(unknown_terms(column))
  if (!is.null(column$text)) {
    bytes <- Encoding(column$text) == "bytes"
    readable <- setdiff(enc2utf8(column$text[!bytes]), c(levels, NA))
    return(c(readable, unique(column$text[bytes])))
  }
  data <- column_vector(column)
  stored <- if (is.logical(data)) c("FALSE", "TRUE") else attr(column$data, "levels")
  setdiff(stored[unique(as.integer(data)) - column$first_code + 1L], c(levels, NA))
}

# The encoded column of one case.
one_case <- function(column, row) {
  if (isS4(column$data)) return(bag_of_row(column, row))
  column$data <- column_vector(column)[row]
  column$column <- 1L
  column
}

# The value of an encoded column of one case, as text. `levels`: the model's levels, NULL for a
# number.
case_text <- function(column, levels) {
  if (isS4(column$data)) return(bag_text(column))
  if (is.null(levels)) return(format(column$data, digits = 7L))
  code <- as.integer(column$data) - column$first_code
  if (!is.null(column$remap)) code <- column$remap[code + 1L]
  if (isTRUE(code >= 0L)) encodeString(levels[code + 1L], quote = "\"") else "NA"
}

# Columns of a matrix, without a copy.
encode_matrix <- function(matrix, positions, levels = c("FALSE", "TRUE")) {
  column <- encode_column(matrix, typeof(matrix), levels)
  columns <- vector("list", length(positions))
  for (i in seq_along(positions)) {
    column[[2L]] <- positions[[i]]
    columns[[i]] <- column
  }
  columns
}

# Vectors of numbers, without a copy.
encode_vectors <- function(vectors) {
  column <- encoded(NULL)
  for (i in seq_along(vectors)) {
    column[[1L]] <- vectors[[i]]
    vectors[[i]] <- column
  }
  vectors
}

# The type of each plain vector of `rows` numbers; NA for all other values.
number_types <- function(values, rows) {
  types <- rep(NA_character_, length(values))
  for (i in seq_along(values)) {
    x <- values[[i]]
    plain <- is.numeric(x) && !is.object(x) && length(x) == rows && is.null(dim(x))
    if (plain) types[[i]] <- typeof(x)
  }
  types
}

# All columns in the engine's form.
bind_frame <- function(columns, rows) list(rows = as.double(rows), columns = columns)

# The data of an encoded column as a vector, with NA for a missing level.
column_vector <- function(column) {
  if (is.matrix(column$data)) column$data[, column$column] else column$data
}

# The codes of an encoded categorical column, as positions among the model's levels.
column_codes <- function(column) {
  codes <- as.integer(column_vector(column)) - column$first_code + 1L
  if (is.null(column$remap)) return(codes)
  known <- column$remap[codes]
  replace(known, !is.na(known) & known < 0L, NA_integer_) + 1L
}

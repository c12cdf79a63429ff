#' Exchange statistics instead of rows
#'
#' `write_statistics()` writes a result of [bayes_statistics()] to a file, `read_statistics()` reads
#' it. So hospitals, banks or countries can estimate one model together: each collects the
#' statistics of its own rows and sends the file. Somebody [merges][merge.bayesrisk_statistics] them
#' and estimates the model. No rows leave their place.
#'
#' @section What the statistics reveal:
#' Statistics are sums over rows, not rows. Yet they can reveal something about single rows:
#' * The names of classes, levels and features, and the formula, are in the file.
#' * A count of 1 is one row. With a count of 1, the mean of a numeric feature is the value of this
#'   row. [bayes_statistics()] refuses small counts: `min_count = 5`.
#' * The statistics of [likelihood_kernel()], [likelihood_empirical()], [likelihood_mixture()] and
#'   [likelihood_negative_binomial()] are the values of rows. The bins of a
#'   [likelihood_histogram()] without `breaks` and without `origin` begin at the smallest value.
#'   `min_count` refuses these likelihoods.
#' * The covariance of a block of \eqn{p} features from \eqn{p} rows or fewer determines the rows up
#'   to a rotation.
#' * The difference between two files that were written before and after a row came in is this row.
#'   Send few versions, or none with small differences.
#' * The number of rows with a missing value is not checked.
#'
#' The files are not encrypted.
#'
#' @section The format:
#' A JSON file is an object with the elements `format` (`"bayesrisk statistics"`), `format_version`
#' (1) and `statistics`, an object with the elements
#' * `spec`: the settings of the specification and of its likelihoods;
#' * `schema`: `formula`, `response`, `unnamed` (whether the data had no column names), `classes`
#'   (`levels` and `type`) and `features`, by name, with their `kind`, `type`, `levels` and `bins`;
#' * `plan`: the banks of features with the same likelihood; `features` are positions in the schema;
#' * `statistics`: `classes` (`weight` and `rows`) and `banks`, in the order of the plan: weights,
#'   means, scatter matrices and counts, a row for each class;
#' * `rows`: the numbers of rows that were `read` and `used`;
#' * `version`: the version of the package.
#'
#' Each vector is an object whose first key is its type: `{".double": [1.5, "Inf"], ".attributes":
#' {"dim": {".integer": [2, 1]}}}`. The types are `.double`, `.integer`, `.logical`, `.character`,
#' `.list`, and `.code` for formulas. Numbers have 17 digits, so they are read bit for bit; `"NA"`,
#' `"NaN"`, `"Inf"`, `"-Inf"` and `"-0"` are text. A list with names is an object with these names;
#' its class, if any, is `.class`. A missing text is `null`. Matrices are stored by column.
#'
#' An RDS file is that of [saveRDS()]. RDS files can hold any R object, so read them only from those
#' you trust. A JSON file holds no code but the formula: functions of columns in it are called when
#' rows are read or scored.
#'
#' @param x A result of [bayes_statistics()].
#' @param file The path of a file. An existing file is replaced.
#' @param format `"json"` (the default; needs the package jsonlite) or `"rds"`.
#' @inheritParams bayesrisk_arguments
#' @return `write_statistics()` returns `x`, invisibly. `read_statistics()` returns an object of
#'   class `bayesrisk_statistics`, identical to the one that was written.
#' @section Errors: `bayesrisk_error_argument` for a bad argument, a path that cannot be written, or
#'   if jsonlite is not installed; `bayesrisk_error_object` if the file is damaged or holds no
#'   statistics.
#' @seealso [bayes_statistics()], [merge()][merge.bayesrisk_statistics], [data_parts()]
#' @examplesIf requireNamespace("jsonlite", quietly = TRUE)
#' north <- iris[1:80, ]
#' south <- iris[81:150, ]
#' files <- tempfile(c("north", "south"), fileext = ".json")
#' spec <- bayes_naive()
#' write_statistics(bayes_statistics(spec, Species ~ ., north), files[[1]])
#' write_statistics(bayes_statistics(spec, Species ~ ., south), files[[2]])
#'
#' # Where the files arrive
#' both <- merge(read_statistics(files[[1]]), read_statistics(files[[2]]))
#' fit(spec, both)
#' @export
write_statistics <- function(x, file, format = c("json", "rds"), ...) {
  call <- check_no_dots(...)
  check_statistics(maybe(x), call, "x")
  file <- check_string(maybe(file), "file", call)
  format <- check_choice(format, c("json", "rds"), "format", call)
  if (!dir.exists(dirname(file)) || dir.exists(file)) {
    abort_argument("{.arg file}: {.file {file}} cannot be written.", call)
  }
  # A file is complete, or it is not there.
  partial <- tempfile("partial-", dirname(file))
  on.exit(unlink(partial))
  if (format == "rds") {
    saveRDS(x, partial)
  } else {
    check_package("jsonlite", "write_statistics", call)
    body <- encode_object(unclass(x), call)
    text <- sprintf(
      "{\"format\": \"%s\", \"format_version\": 1,\n \"statistics\": %s}\n", exchange_format, body
    )
    writeBin(charToRaw(enc2utf8(text)), partial)
  }
  if (!file.rename(partial, file)) {
    abort_argument("{.arg file}: {.file {file}} cannot be written.", call)
  }
  invisible(x)
}

exchange_format <- "bayesrisk statistics"

#' @rdname write_statistics
#' @export
read_statistics <- function(file, ...) {
  call <- check_no_dots(...)
  file <- check_file(maybe(file), "file", call)
  x <- tryCatch(
    if (holds_text(file)) read_json_statistics(file, call) else readRDS(file),
    bayesrisk_error = stop,
    error = function(e) abort_damaged("file", conditionMessage(e), call)
  )
  if (!inherits(x, "bayesrisk_statistics")) {
    got <- describe_value(x)
    abort_object("{.file {file}} holds no result of {.fn bayes_statistics}, but {got}.", call)
  }
  check_statistics(x, call, "file")
  x
}

# JSON begins with a brace.
holds_text <- function(file) {
  first <- readBin(file, "raw", 64L)
  first <- first[!first %in% as.raw(c(9L, 10L, 13L, 32L))]
  length(first) == 0L || first[[1L]] == charToRaw("{")
}

read_json_statistics <- function(file, call) {
  check_package("jsonlite", "read_statistics", call)
  text <- readChar(file, file.size(file), useBytes = TRUE)
  Encoding(text) <- "UTF-8"
  read <- jsonlite::parse_json(text, simplifyVector = FALSE, bigint_as_char = FALSE)
  if (!is.list(read) || !identical(read$format, exchange_format)) {
    abort_object("The file holds no result of {.fn bayes_statistics}.", call)
  }
  if (!identical(as.double(read$format_version), 1)) {
    abort_object(c(
      "The file has a format of another version.", i = "This package reads version 1."
    ), call)
  }
  structure(
    decode_object(read$statistics), class = c("bayesrisk_statistics", "bayesrisk_result")
  )
}

## From R to JSON -------------------------------------------------------------------------------

encode_object <- function(x, call) {
  if (is.null(x)) return("null")
  if (is.language(x)) return(encode_code(x, call))
  if (is.list(x) && is_json_object(x)) {
    class <- oldClass(x)
    values <- vapply(unclass(x), encode_object, "", call)
    if (!is.null(class)) values <- c(.class = encode_text(class), values)
    return(encode_pairs(values))
  }
  kind <- typeof(x)
  if (!kind %in% exchange_types) {
    abort_argument("{.arg x} holds {describe_value(x)}, which cannot be written.", call)
  }
  values <- switch(kind,
    double = encode_numbers(x),
    integer = , logical = encode_plain(x),
    character = encode_text(x),
    list = encode_array(vapply(unclass(x), encode_object, "", call, USE.NAMES = FALSE))
  )
  encode_pairs(c(stats::setNames(values, paste0(".", kind)), encode_attributes(x, call)))
}

exchange_types <- c("double", "integer", "logical", "character", "list")

# A list that needs no attributes but names and class.
is_json_object <- function(x) {
  names <- names(x)
  length(names) > 0L && all(names(attributes(x)) %in% c("names", "class")) && !anyNA(names) &&
    all(nzchar(names)) && !anyDuplicated(names) && !any(startsWith(names, "."))
}

encode_attributes <- function(x, call) {
  kept <- attributes(x)
  if (length(kept)) c(.attributes = encode_pairs(vapply(kept, encode_object, "", call)))
}

encode_pairs <- function(values) {
  keys <- vapply(names(values), encode_key, "", USE.NAMES = FALSE)
  sprintf("{%s}", paste(keys, values, sep = ": ", collapse = ",\n"))
}

encode_key <- function(key) as.character(jsonlite::toJSON(enc2utf8(key), auto_unbox = TRUE))

encode_array <- function(values) sprintf("[%s]", paste(values, collapse = ", "))

encode_text <- function(x) {
  as.character(jsonlite::toJSON(enc2utf8(as.vector(unclass(x))), na = "null"))
}

encode_numbers <- function(x) {
  x <- as.vector(unclass(x))
  text <- sprintf("%.17g", x)
  special <- !is.finite(x) | x == 0 & 1 / x < 0
  text[special] <- sprintf("\"%s\"", ifelse(is.nan(x), "NaN", text)[special])
  encode_array(text)
}

encode_plain <- function(x) {
  x <- as.vector(unclass(x))
  text <- if (is.logical(x)) ifelse(x, "true", "false") else as.character(x)
  text[is.na(x)] <- "\"NA\""
  encode_array(text)
}

encode_code <- function(x, call) {
  bare <- x
  attributes(bare) <- NULL
  text <- deparse1(bare, collapse = "\n", control = c("keepNA", "keepInteger", "digits17"))
  if (!identical(parse_code(text), bare)) {
    abort_argument("{.arg x} has a formula that is not {.code {text}} when it is read.", call)
  }
  encode_pairs(c(.code = encode_key(text), encode_attributes(x, call)))
}

parse_code <- function(text) {
  parsed <- parse(text = text, keep.source = FALSE)
  if (length(parsed) == 1L && is.language(parsed[[1L]])) return(parsed[[1L]])
  stop("a formula is no expression")
}

## From JSON to R -------------------------------------------------------------------------------

decode_object <- function(x) {
  if (is.null(x)) return(NULL)
  keys <- names(x)
  if (!is.list(x) || is.null(keys)) stop("a value without a type")
  kind <- intersect(keys, paste0(".", c(exchange_types, "code")))
  if (!length(kind)) {
    values <- lapply(x[keys != ".class"], decode_object)
    if (".class" %in% keys) class(values) <- decode_text(x$.class)
    return(values)
  }
  value <- decode_vector(substring(kind[[1L]], 2L), x[[kind[[1L]]]])
  if (!is.null(x$.attributes)) attributes(value) <- decode_attributes(x$.attributes)
  value
}

decode_attributes <- function(x) {
  known <- c("names", "dim", "dimnames", "class", "levels", "units", "tzone")
  if (!all(names(x) %in% known)) stop("an unknown attribute")
  lapply(x, decode_object)
}

decode_vector <- function(kind, values) {
  if (kind == "code") return(parse_code(values))
  if (!is.list(values)) stop("a vector is no array")
  switch(kind,
    list = lapply(values, decode_object),
    character = decode_text(values),
    decode_numbers(kind, values)
  )
}

decode_text <- function(values) {
  values[vapply(values, is.null, NA)] <- NA_character_
  if (!all(vapply(values, is.character, NA) & lengths(values) == 1L)) stop("a text is none")
  as.character(unlist(values))
}

special_numbers <- c("NA" = NA, "NaN" = NaN, "Inf" = Inf, "-Inf" = -Inf, "-0" = -0)

# Numbers and the text of special numbers are converted apart, because R would make text of both.
decode_numbers <- function(kind, values) {
  text <- vapply(values, is_string, NA)
  type <- if (kind == "logical") is.logical else is.numeric
  sound <- lengths(values) == 1L & (text | vapply(values, type, NA))
  names <- unlist(values[text])
  if (!all(sound) || !all(names %in% names(special_numbers))) stop("a number is none")
  result <- vector(kind, length(values))
  result[!text] <- as.vector(unlist(values[!text]), kind)
  result[text] <- as.vector(special_numbers[names], kind)
  result
}

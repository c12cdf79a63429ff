#' Read a text file in chunks
#'
#' A CSV file, or another text file with a column per field, as a source of data: see
#' [data_chunks()]. [data.table::fread()] reads one block of lines after the other.
#'
#' @details
#' The kind of a column is that of the whole file. It is found from 100 samples all over the file
#' and checked in every chunk. A column whose samples are numbers, but which holds text later, is an
#' error that names the line and the column; `col_types` is the remedy. Columns in which a number
#' begins with a needless zero, such as the code 01234, which is another code than 1234, are text;
#' `col_types = c(code = "double")` makes them numbers. If some files have such zeros and others
#' have none, `col_types` gives all of them one type.
#'
#' Columns of dates, such as 2024-02-29, and of times, such as 2024-02-29 12:30:00, are of class
#' Date and POSIXct (in UTC). As in memory no likelihood reads them, but functions in the formula
#' do, such as `as.numeric(day)`; `col_types = c(day = "character")` makes them text.
#'
#' The decimal mark is `dec`, a point unless you give `dec = ","`; then a point within a number
#' makes text of its column. Other numbers are what [data.table::fread()] or [as.numeric()] takes
#' for one, `Inf`, `-Inf` and `NaN` too, wherever they stand in the file. As in memory a number that
#' no double holds, such as `1e400`, is infinite, so a feature that has one is an error. Hexadecimal
#' numbers and whole numbers of more than 18 digits are text.
#'
#' In a column of text, empty fields are empty text, with quotes and without, and `"NA"` in quotes
#' is text. Only fields without quotes that are among `na.strings` are missing. In other columns
#' empty fields are missing, too. So `na.strings = c("", "NA")` reads empty fields without quotes as
#' missing text, and `na.strings = ""` reads what [write_chunks()] wrote.
#'
#' Text is read as UTF-8 if its bytes are, whatever the locale of the session, and otherwise as
#' `encoding` says.
#'
#' A chunk ends at the end of a line. Line ends within quotes belong to their field, and doubled
#' quotes within quotes are one quote. Empty lines are left out. A line with more or fewer fields
#' than the file has columns is an error that names the line, and so is a field with text after its
#' closing quote. A file whose name ends in `.gz` is decompressed while it is read; its samples are
#' from its beginning only. A file that is cut, grows or is replaced while it is read is an error,
#' so do not read a file that is still being written.
#'
#' Not every text file is read: not one with a byte 0, such as UTF-16, and not one with line ends or
#' doubled quotes within quotes that also has the control characters 16, 17 or 18. They are errors.
#'
#' @param file The path of the file.
#' @param rows The number of rows of a chunk: about so many, but at most as many as fit into 32 MB
#'   of text.
#' @param col_types Types of columns, named by column: `"double"`, `"integer"`, `"character"`,
#'   `"logical"`. All other columns take the type of their samples.
#' @param na.strings Texts that mean a missing value where they stand without quotes.
#' @param ... Settings of [data.table::fread()]: `sep`, `quote`, `dec`, `encoding`, `header`,
#'   `strip.white` or `nThread`.
#' @return An object of class `bayesrisk_chunks`, as from [data_chunks()].
#' @section Errors: `bayesrisk_error_argument` for a bad argument or if the package data.table is
#'   not installed; `bayesrisk_error_data` if the file cannot be read, if it changes while it is
#'   read, if a line has more or fewer fields than columns, if a quote is not closed, or if the kind
#'   of a column changes.
#' @seealso [data_chunks()], [parquet_chunks()], [query_chunks()], [write_chunks()]
#' @examplesIf requireNamespace("data.table", quietly = TRUE)
#' file <- tempfile(fileext = ".csv")
#' write.csv(iris, file, row.names = FALSE)
#' fit(bayes_naive(), Species ~ ., csv_chunks(file, rows = 40))
#' @export
csv_chunks <- function(file, rows = 1e6, col_types = NULL,
                       na.strings = "NA", ...) { # nolint: object_name_linter.
  call <- rlang::current_env()
  settings <- csv_settings(..., call = call)
  settings$na.strings <- check_na_strings(na.strings, call)
  file <- check_file(maybe(file), "file", call)
  rows <- check_whole_number(rows, "rows", min = 1, call = call)
  check_col_types(col_types, call)
  check_package("data.table", "csv_chunks", call)
  new_chunks(
    function(call) open_csv(file, rows, col_types, settings, call),
    sprintf("The file %s, about %s at a time.", encodeString(basename(file), quote = "\""),
            count_of(rows, "row", "rows")),
    stamps = function() list(file_stamp(file))
  )
}

csv_settings <- function(..., call) {
  known <- c("sep", "quote", "dec", "encoding", "header", "strip.white", "nThread")
  given <- rlang::dots_list(..., .homonyms = "keep", .ignore_empty = "none")
  do.call(check_no_dots, c(given[!names(given) %in% known], list(call = call)), quote = TRUE)
  if (is.null(given$header)) given$header <- TRUE
  if (is.null(given$quote)) given$quote <- "\""
  if (is.null(given$dec)) given$dec <- "."
  if (identical(given$sep, "auto")) given$sep <- NULL
  if (is_string(given$sep) && given$sep %in% c("", "\n")) given$sep <- no_separator
  check_mark(given$sep, "sep", call)
  if (!identical(given$quote, "")) check_mark(given$quote, "quote", call)
  check_flag(given$header, "header", call)
  check_choice(given$dec, c(".", ","), "dec", call)
  given
}

check_mark <- function(mark, arg, call) {
  if (is.null(mark) || is_string(mark) && nchar(mark, "bytes") == 1L) return(invisible())
  abort_argument("{.arg {arg}} must be one character, not {describe_value(mark)}.", call)
}

check_na_strings <- function(x, call) {
  if (is.null(x)) return(character())
  if (is.character(x) && !is.object(x) && !anyNA(x)) return(x)
  abort_argument("{.arg na.strings} must be texts, not {describe_value(x)}.", call)
}

csv_types <- c("logical", "integer", "double", "character")

check_col_types <- function(col_types, call) {
  if (is.null(col_types)) return(invisible())
  if (!is_plain(col_types, is.character) || is.null(names(col_types))) {
    got <- describe_value(col_types)
    abort_argument("{.arg col_types} must be types named by column, not {got}.", call)
  }
  check_distinct_names(names(col_types), "col_types", call)
  for (type in col_types) check_choice(type, csv_types, "col_types", call)
}

check_known_columns <- function(given, known, call) {
  unknown <- setdiff(given, known)
  if (!length(unknown)) return(invisible())
  abort_unknown(
    "{.arg col_types} names {.field {unknown}}, which the file does not have.", unknown, known,
    "Its columns: {.field {utils::head(known, 20L)}}.", call
  )
}

most_bytes <- 2^25

# Finds the columns, their types, the separator and the bytes of a chunk, before the first chunk.
open_csv <- function(file, rows, col_types, settings, call) {
  if (!file.exists(file)) abort_data("The file {.file {file}} does not exist any more.", call)
  stamp <- file_stamp(file)
  found <- csv_samples(file, settings, call)
  types <- found$types
  check_known_columns(names(col_types), names(types), call)
  types[names(col_types)] <- col_types
  padded <- names(types) %in% names(col_types)
  state <- open_text(file, settings$header, call)
  state$stamp <- stamp
  # Other types are those that fread() finds by itself, or larger ones: see read_block().
  settings[c("sep", "col.names", "colClasses")] <- list(
    found$sep, names(types), list(double = which(types == "double"),
                                  character = which(types == "character"))
  )
  bytes <- max(1, min(most_bytes, ceiling(rows * found$line)))
  new_reader(
    function(call) {
      block <- next_block(state, bytes, settings, length(types), call)
      if (!is.null(block)) read_block(block, types, padded, settings, call)
    },
    function() close_text(state),
    function() if (state$packed) NA_real_ else state$read / stamp$size
  )
}

# The rows of a block. A column may be NA everywhere. `padded`: whether the numbers of a column may
# begin with needless zeros.
read_block <- function(block, types, padded, settings, call) {
  rows <- read_rows(block, settings, call)
  for (j in which(!types %in% "character")) {
    x <- rows[[j]]
    read <- read_fields(x, types[[j]], padded[[j]], settings$dec)
    if (length(read$wrong)) {
      line <- block$before + block$lines[[read$wrong[[1L]] + block$header]]
      abort_csv_type(names(types)[[j]], types[[j]], x[[read$wrong[[1L]]]], line, call)
    }
    rows[[j]] <- read$value
  }
  rows
}

# list(value, wrong): the fields of a column in its type, and the positions of those of another one.
read_fields <- function(x, type, padded, dec) {
  fine <- function(value) list(value = value)
  if (inherits(x, "IDate")) x <- structure(as.double(x), class = "Date")
  if (is.na(type)) return(fine(x))
  if (is.logical(x) && (type == "logical" || all(is.na(x)))) {
    return(fine(switch(type, integer = as.integer(x), Date = as.Date(x),
                       POSIXct = as.POSIXct(x, tz = "UTC"), x)))
  }
  if (type %in% c("integer", "double")) {
    if (is.numeric(x)) return(fine(x))
    if (is.character(x)) return(text_numbers(x, dec, padded))
  }
  if (inherits(x, type)) return(fine(x))
  if (type %in% names(csv_times)) return(text_times(as.character(x), type))
  list(wrong = c(which(!is.na(x) & !x %in% logical_texts), match(FALSE, is.na(x))))
}

logical_texts <- c("TRUE", "FALSE", "T", "F", "True", "False", "true", "false")

abort_csv_type <- function(name, type, value, line, call) {
  kind <- switch(type, logical = "logical", Date = "dates", POSIXct = "times", "numbers")
  if (is.object(value)) value <- format(value)
  abort_data(c(
    "Column {.field {name}} is {kind}, but line {format_count(line)} has {.val {value}}.",
    i = "Write {.code col_types = c({name} = \"character\")} if it holds text.",
    i = if (grepl(needless_zero, value)) "A number does not begin with a needless zero; write
          {.code col_types = c({name} = \"double\")} if it does here."
  ), call)
}

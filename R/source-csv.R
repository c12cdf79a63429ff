#' Read a text file in chunks
#'
#' A CSV file, or another text file with a column per field, as a source of data: see
#' [data_chunks()]. [data.table::fread()] reads one block of lines after the other.
#'
#' @details
#' The kind of a column is that of the whole file. It is found from 100 samples all over the file
#' and checked in every chunk. A column whose samples are numbers, but which holds text later, is an
#' error that names the line and the column; `col_types` is the remedy. Columns of dates and times
#' are read as text.
#'
#' A chunk ends at the end of a line. Line ends within quotes belong to their field. A file whose
#' name ends in `.gz` is decompressed while it is read; its samples are from its beginning only.
#'
#' @param file The path of the file.
#' @param rows The number of rows of a chunk: about so many, but at most as many as fit into 32 MB
#'   of text.
#' @param col_types Types of columns, named by column: `"double"`, `"integer"`, `"character"`,
#'   `"logical"`. All other columns take the type of their samples.
#' @param ... Settings of [data.table::fread()]: `sep`, `quote`, `dec`, `na.strings`, `encoding`,
#'   `header`, `strip.white` or `nThread`.
#' @return An object of class `bayesrisk_chunks`, as from [data_chunks()].
#' @section Errors: `bayesrisk_error_argument` for a bad argument or if the package data.table is
#'   not installed; `bayesrisk_error_data` if the file cannot be read, or if the kind of a column
#'   changes.
#' @seealso [data_chunks()], [parquet_chunks()], [query_chunks()], [write_chunks()]
#' @examplesIf requireNamespace("data.table", quietly = TRUE)
#' file <- tempfile(fileext = ".csv")
#' write.csv(iris, file, row.names = FALSE)
#' fit(bayes_naive(), Species ~ ., csv_chunks(file, rows = 40))
#' @export
csv_chunks <- function(file, rows = 1e6, col_types = NULL, ...) {
  call <- rlang::current_env()
  settings <- csv_settings(..., call = call)
  file <- check_file(maybe(file), "file", call)
  rows <- check_whole_number(rows, "rows", min = 1, call = call)
  check_col_types(col_types, call)
  check_package("data.table", "csv_chunks", call)
  new_chunks(
    function(call) open_csv(file, rows, col_types, settings, call),
    sprintf("The file %s, about %s at a time.", encodeString(basename(file), quote = "\""),
            count_of(rows, "row", "rows"))
  )
}

csv_settings <- function(..., call) {
  known <- c("sep", "quote", "dec", "na.strings", "encoding", "header", "strip.white", "nThread")
  given <- rlang::dots_list(..., .homonyms = "keep", .ignore_empty = "none")
  do.call(check_no_dots, c(given[!names(given) %in% known], list(call = call)), quote = TRUE)
  given
}

check_file <- function(file, arg, call) {
  file <- check_string(file, arg, call)
  if (!file.exists(file) || dir.exists(file)) {
    abort_argument("{.arg {arg}}: there is no file {.file {file}}.", call)
  }
  normalizePath(file)
}

check_package <- function(package, user, call) {
  if (requireNamespace(package, quietly = TRUE)) return(invisible())
  abort_argument(c(
    "{.fn {user}} needs the package {.pkg {package}}, which is not installed.",
    i = "Install it: {.code install.packages(\"{package}\")}."
  ), call)
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

most_bytes <- 2^25

# What is known before the first chunk: columns, their types, the separator, and the bytes of a
# chunk.
open_csv <- function(file, rows, col_types, settings, call) {
  size <- file.size(file)
  packed <- grepl("[.]gz$", file)
  if (is.null(settings$header)) settings$header <- TRUE
  found <- csv_samples(file, if (packed) Inf else size, settings, call)
  types <- found$types
  check_known_columns(names(col_types), names(types), call)
  types[names(col_types)] <- col_types
  settings$sep <- found$sep
  con <- if (packed) gzfile(file, "rb") else base::file(file, "rb")
  state <- list2env(list(con = con, rest = raw(), lines = 0, read = 0, header = settings$header))
  bytes <- max(1, min(most_bytes, ceiling(rows * found$line)))
  new_reader(
    function(call) next_csv(state, bytes, types, settings, call),
    function() close_block(state),
    function() if (packed) NA_real_ else state$read / size
  )
}

check_known_columns <- function(given, known, call) {
  unknown <- setdiff(given, known)
  if (!length(unknown)) return(invisible())
  abort_unknown(
    "{.arg col_types} names {.field {unknown}}, which the file does not have.", unknown, known,
    "Its columns: {.field {utils::head(known, 20L)}}.", call
  )
}

next_csv <- function(state, bytes, types, settings, call) {
  before <- state$lines
  text <- next_block(state, bytes, csv_quote(settings))
  if (is.null(text)) return(NULL)
  settings$header <- state$header
  state$header <- FALSE
  chunk <- read_text(text, settings, types, call)
  check_csv_types(chunk, types, before + settings$header, settings, call)
  # A column of NA alone has no type in fread().
  for (name in names(chunk)[types %in% "integer"]) {
    if (is.logical(chunk[[name]])) chunk[[name]] <- as.integer(chunk[[name]])
  }
  chunk
}

csv_quote <- function(settings) if (is.null(settings$quote)) "\"" else settings$quote

# fread() with the errors of this package. Columns that are whole numbers or logical have types that
# fread() finds by itself, or larger ones, which check_csv_types() accepts or refuses.
read_text <- function(text, settings, types, call) {
  if (!grepl("[^[:space:]]", text)) return(new_rows(list(), 0L))
  if (!is.null(types)) {
    forced <- list(double = which(types == "double"), character = which(types == "character"))
    settings <- c(settings, list(
      col.names = names(types), colClasses = forced[lengths(forced) > 0L]
    ))
  }
  fixed <- list(text = text, data.table = FALSE, showProgress = FALSE, integer64 = "double")
  tryCatch(
    suppressWarnings(do.call(data.table::fread, c(fixed, settings))),
    error = function(e) {
      reason <- conditionMessage(e)
      abort_data("{.fn data.table::fread} cannot read the file: {reason}", call)
    }
  )
}

# The next whole lines, about `bytes` long, as text; NULL at the end of the file.
next_block <- function(state, bytes, quote) {
  repeat {
    if (is.null(state$con)) return(NULL)
    block <- readBin(state$con, "raw", bytes)
    state$read <- state$read + length(block)
    last <- length(block) < bytes
    if (length(state$rest)) block <- c(state$rest, block)
    state$rest <- raw()
    if (last) {
      close_block(state)
      return(if (length(block)) rawToChar(block))
    }
    cut <- last_line_end(block, quote)
    if (cut$end < length(block)) state$rest <- block[(cut$end + 1):length(block)]
    state$lines <- state$lines + cut$lines
    # A subset by positions would need four times the memory of the block.
    length(block) <- cut$end
    if (cut$end > 0) return(rawToChar(block))
    bytes <- 2 * bytes
  }
}

close_block <- function(state) {
  if (!is.null(state$con)) close(state$con)
  state$con <- NULL
}

# The position of the last line end that is not within quotes, and the number of line ends up to it;
# 0 if there is none. Before such a line end the number of quotes is even.
last_line_end <- function(block, quote) {
  ends <- grepRaw("\n", block, fixed = TRUE, all = TRUE)
  quotes <- if (nzchar(quote)) grepRaw(quote, block, fixed = TRUE, all = TRUE)
  if (length(ends) && length(quotes)) {
    even <- findInterval(ends, quotes) %% 2L == 0L
    ends <- ends[seq_len(max(0L, which(even)))]
  }
  list(end = max(0L, ends), lines = length(ends))
}

# Stops if the kind of a column is not that of the samples. A column may be NA everywhere.
check_csv_types <- function(chunk, types, before, settings, call) {
  for (j in which(types[names(chunk)] %in% c("logical", "integer", "double"))) {
    x <- chunk[[j]]
    numbers <- types[[j]] != "logical"
    sound <- if (numbers) is.numeric(x) || all(is.na(x)) else is.logical(x)
    if (sound) next
    value <- if (numbers) {
      suppressWarnings(as.numeric(chartr(if (is.null(settings$dec)) "." else settings$dec, ".", x)))
    } else {
      match(x, c("TRUE", "FALSE", "T", "F", "True", "False", "true", "false"))
    }
    row <- which(!is.na(x) & is.na(value))
    row <- if (length(row)) row[[1L]] else match(FALSE, is.na(x))
    abort_csv_type(names(types)[[j]], types[[j]], x[[row]], before + line_of(chunk, row), call)
  }
}

# The line of a row of a chunk: fields may hold line ends.
line_of <- function(chunk, row) {
  texts <- lapply(chunk[vapply(chunk, is.character, NA)], utils::head, row - 1L)
  row + sum(lengths(regmatches(unlist(texts), gregexpr("\n", unlist(texts), fixed = TRUE))))
}

abort_csv_type <- function(name, type, value, line, call) {
  kind <- if (type == "logical") "logical" else "numbers"
  abort_data(c(
    "Column {.field {name}} is {kind}, but line {format_count(line)} has {.val {value}}.",
    i = "Write {.code col_types = c({name} = \"character\")} if it holds text."
  ), call)
}

# The columns of the file, their types (NA: no value in any sample), the separator, and the bytes of
# a line. `size`: in bytes; Inf if only the beginning can be read.
csv_samples <- function(file, size, settings, call, samples = 100L) {
  con <- if (is.finite(size)) base::file(file, "rb") else gzfile(file, "rb")
  on.exit(close(con))
  head <- csv_head(con, csv_quote(settings), if (size <= 2^20) size + 1 else 2^16)
  read <- read_text(rawToChar(head), settings, NULL, call)
  if (!length(read)) abort_data("The file {.file {file}} is empty.", call)
  settings$sep <- csv_separator(rawToChar(head), settings, read)
  settings$header <- FALSE
  types <- vapply(read, sampled_type, 1L)
  if (is.finite(size) && size > 2^20) {
    for (at in unique(floor(seq(length(head), size - 2^16, length.out = samples)))) {
      seek(con, at)
      found <- sample_types(readBin(con, "raw", 2^16), settings, call)
      if (length(found) == length(types)) types <- pmax(types, found)
    }
  }
  list(
    types = stats::setNames(c(NA, csv_types)[types + 1L], names(read)), sep = settings$sep,
    line = length(head) / max(1L, nrow(read))
  )
}

csv_head <- function(con, quote, bytes) {
  head <- raw()
  repeat {
    block <- readBin(con, "raw", bytes)
    head <- c(head, block)
    if (length(block) < bytes) return(head)
    end <- last_line_end(head, quote)$end
    if (end > 0) return(head[seq_len(end)])
  }
}

# 0 for a column of NA alone, otherwise the position in csv_types.
sampled_type <- function(x) {
  if (all(is.na(x))) return(0L)
  match(switch(class(x)[[1L]], numeric = "double", class(x)[[1L]]), csv_types, nomatch = 4L)
}

# A sample begins and ends within a line, so its first and last line do not count.
sample_types <- function(block, settings, call) {
  ends <- grepRaw("\n", block, fixed = TRUE, all = TRUE)
  if (length(ends) < 2L) return(NULL)
  text <- rawToChar(block[(ends[[1L]] + 1L):ends[[length(ends)]]])
  read <- tryCatch(read_text(text, settings, NULL, call), bayesrisk_error = function(e) NULL)
  vapply(read, sampled_type, 1L, USE.NAMES = FALSE)
}

# fread() guesses the separator, but does not say which. All chunks must have the same.
csv_separator <- function(text, settings, read) {
  if (!is.null(settings$sep) || length(read) == 1L) return(settings$sep)
  for (sep in c(",", "\t", ";", "|", " ", ":")) {
    settings$sep <- sep
    again <- tryCatch(read_text(text, settings, NULL, NULL), bayesrisk_error = function(e) NULL)
    if (identical(names(again), names(read))) return(sep)
  }
}

# Arrow streams as chunks: a stream, an array, and what arrow and polars make of files and queries.
# The package nanoarrow reads them batch by batch.

# Other sources as they are, and Arrow's as chunks. `columns`: the names of those to read, besides
# others that the data may not have; NULL: all.
as_chunks <- function(data, call, columns = NULL) {
  if (!is_arrow(data)) return(data)
  check_package("nanoarrow", "Arrow data", call)
  schema <- arrow_schema(data, call)
  read <- which(is.null(columns) | names(schema) %in% columns)
  once <- inherits(data, c("nanoarrow_array_stream", "RecordBatchReader"))
  known <- Filter(Negate(is.null), lapply(schema, arrow_prototype))
  scans <- inherits(data, c("Dataset", "arrow_dplyr_query")) && rlang::is_installed("dplyr")
  if (scans && !anyDuplicated(names(schema))) {
    # Then arrow reads no other columns from the files.
    data <- dplyr::select(data, dplyr::all_of(names(schema)[read]))
    read <- seq_along(read)
  }
  new_chunks(
    arrow_opener(data, read, known), arrow_sentence(schema), again = !once, known = known
  )
}

# The function stays in results. In a frame of its own it does not hold those of its callers.
arrow_opener <- function(data, read, known) {
  force(data)
  force(read)
  force(known)
  function(call) open_arrow(data, read, new_rows(known, 0L), call)
}

# What a request reads; NULL: all columns.
request_columns <- function(request) {
  if (request$kind == "rows") return(request$columns$kept)
  if (!rlang::is_formula(request$formula)) return(NULL)
  quosures <- Filter(is_given, request[arguments_of_rows])
  keys <- unlist(lapply(request$by, all.vars))
  used_columns(list(request$formula), quosures, more = keys)$kept
}

#' @export
first_rows.default <- function(data, most, call) { # nolint: object_name_linter.
  if (is_arrow(data)) first_rows(as_chunks(data, call), most, call) else data
}

#' @export
ask_source.default <- function(data, request, call) { # nolint: object_name_linter.
  ask_source(as_chunks(data, call, request_columns(request)), request, call)
}

arrow_schema <- function(data, call) {
  check_unread(data, call)
  schema <- in_arrow({
    schema <- nanoarrow::infer_nanoarrow_schema(data)
    type <- nanoarrow::nanoarrow_schema_parse(schema)$type
    schema
  }, "Arrow data", call)
  if (type != "struct") abort_data("The Arrow data have no columns: their type is {type}.", call)
  schema$children
}

check_unread <- function(data, call) {
  stream <- inherits(data, "nanoarrow_array_stream")
  held <- stream || inherits(data, "nanoarrow_array")
  if (!held || nanoarrow::nanoarrow_pointer_is_valid(data)) return(invisible())
  if (!stream) abort_data("The Arrow array was released, or made by another session of R.", call)
  abort_data(c(
    "The Arrow stream was read before, or released: a stream can be read once.",
    i = read_once_remedy
  ), call)
}

arrow_sentence <- function(schema) {
  types <- vapply(schema, function(s) nanoarrow::nanoarrow_schema_parse(s)$type, "")
  columns <- paste0(names(schema), rep(" (", length(types)), types, ")", collapse = ", ")
  of <- paste0("An Arrow stream of ", count_of(length(schema), "column", "columns"))
  if (length(schema)) sprintf("%s: %s.", of, columns) else paste0(of, ".")
}

# `read`: the positions of the columns. `none`: the rows of a stream without batches.
open_arrow <- function(data, read, none, call) {
  stream <- take_stream(data, call)
  close <- function() {
    if (is.null(stream)) return()
    nanoarrow::nanoarrow_pointer_release(stream)
    stream <<- NULL
  }
  batch_number <- 0
  new_reader(function(call) {
    if (is.null(stream)) return(NULL)
    batch_number <<- batch_number + 1
    rows <- read_batch(stream, read, batch_number, call)
    if (!is.null(rows)) return(rows)
    close()
    if (batch_number == 1) none
  }, close)
}

read_batch <- function(stream, read, number, call) {
  batch <- in_arrow(stream$get_next(), paste("Batch", number), call)
  if (is.null(batch)) return(NULL)
  # R does not know how much memory a batch holds, and would keep hundreds.
  on.exit(nanoarrow::nanoarrow_pointer_release(batch))
  arrow_frame(batch, read, number, call)
}

# A stream is moved, so that two readers cannot share its batches.
take_stream <- function(data, call) {
  check_unread(data, call)
  stream <- in_arrow(nanoarrow::as_nanoarrow_array_stream(data), "Arrow data", call)
  taken <- nanoarrow::nanoarrow_allocate_array_stream()
  nanoarrow::nanoarrow_pointer_move(stream, taken)
  taken
}

# nanoarrow stops with plain errors.
in_arrow <- function(expr, what, call, done = "read") {
  tryCatch(expr, error = function(e) {
    reason <- conditionMessage(e)
    abort_data("{what} cannot be {done}: {reason}", call)
  })
}

# The columns of a batch as a data frame.
arrow_frame <- function(batch, read, number, call) {
  rows <- batch$length
  if (has_null_rows(batch)) abort_data("Batch {number} has rows that are NULL as a whole.", call)
  children <- batch$children[read]
  values <- Map(function(child, name) {
    if (batch$offset != 0 || child$length != rows) {
      place <- list(offset = child$offset + batch$offset, length = rows)
      child <- nanoarrow::nanoarrow_array_modify(child, place)
    }
    arrow_values(child, name, call)
  }, children, names(children))
  new_rows(stats::setNames(values, names(children)), rows)
}

# A count of NULL below 0 is not known.
has_null_rows <- function(batch) {
  known <- batch$buffers[[1L]]
  if (batch$null_count >= 0 || known$size_bytes == 0) return(batch$null_count > 0)
  !all(nanoarrow::convert_buffer(known)[batch$offset + seq_len(batch$length)])
}

# The vector of a column. Doubles do not tell apart whole numbers beyond 2^53, and R has no -2^31.
arrow_values <- function(array, name, call) {
  schema <- nanoarrow::infer_nanoarrow_schema(array)
  parsed <- nanoarrow::nanoarrow_schema_parse(schema)
  prototype <- arrow_prototype(schema)
  if (is.null(prototype)) {
    type <- c(parsed$extension_name, parsed$type)[[1L]]
    abort_data(c(
      "Column {.field {name}} has the type {type} of Arrow, which is no column of numbers or
       texts.",
      i = "Leave it out, or make a number or a text of it."
    ), call)
  }
  if (parsed$type == "dictionary") return(dictionary_values(array, name, call))
  values <- function(to) {
    in_arrow(converted(array, to), sprintf("Column %s", name), call)
  }
  x <- values(prototype)
  if (is.integer(x) && anyNA(x)) {
    exact <- values(double())
    if (anyNA(x[!is.na(exact)])) return(exact)
  }
  if (parsed$type %in% c("int64", "uint64") && any(is_indistinct(x))) {
    abort_data(c(
      "Column {.field {name}} has whole numbers of 2^53 or more, which R does not tell apart.",
      i = "Make a text of it if it is a name, or a double if it is a size."
    ), call)
  }
  if (parsed$type == "half_float") x <- whole_halves(x)
  x
}

# nanoarrow's texts are read from the batch when they are asked for. These are read at once.
converted <- function(array, to) {
  x <- suppressWarnings(
    nanoarrow::convert_array(array, to), classes = "nanoarrow_warning_lossy_conversion"
  )
  if (is.character(x)) x[seq_along(x)] else x
}

# nanoarrow 0.9 reads the numbers of 16 bits below 2^-14, the subnormal ones, 2^112 times too small.
whole_halves <- function(x) {
  low <- which(abs(x) < 2^-100)
  x[low] <- x[low] * 2^112
  x
}

# Texts of a dictionary are levels. Those of another batch are united with them by name.
dictionary_values <- function(array, name, call) {
  values <- arrow_values(array$dictionary, name, call)
  array$dictionary <- NULL
  at <- arrow_values(array, name, call) + 1
  if (any(at < 1 | at > length(values), na.rm = TRUE)) {
    abort_data("Column {.field {name}} has codes outside of its dictionary.", call)
  }
  if (!is.character(values) && !is.factor(values)) return(values[at])
  values <- as.character(values)
  levels <- unique(values[!is.na(values)])
  structure(match(values, levels)[at], levels = levels, class = "factor")
}

# An empty vector of R for a type of Arrow; NULL if R has none that a data frame could hold.
arrow_prototype <- function(schema) {
  parsed <- nanoarrow::nanoarrow_schema_parse(schema)
  if (!is.null(parsed$extension_name)) return(NULL)
  seconds <- function(class, ...) structure(numeric(), class = class, ...)
  switch(parsed$type,
    na = , bool = logical(),
    int8 = , uint8 = , int16 = , uint16 = , int32 = integer(),
    uint32 = , int64 = , uint64 = , half_float = , float = , double = , decimal32 = , decimal64 = ,
    decimal128 = , decimal256 = double(),
    string = , large_string = , string_view = character(),
    date32 = seconds("Date"),
    date64 = , timestamp = seconds(c("POSIXct", "POSIXt"), tzone = time_zone(parsed$timezone)),
    time32 = , time64 = , duration = seconds("difftime", units = "secs"),
    dictionary = dictionary_prototype(schema$dictionary)
  )
}

time_zone <- function(zone) if (is.null(zone) || zone == "") "UTC" else zone

dictionary_prototype <- function(values) {
  prototype <- arrow_prototype(values)
  if (is.character(prototype)) factor() else prototype
}

## Chunks as an Arrow stream, for other programs.

# Predictions and decisions are computed when a batch is asked for.
#' @exportS3Method nanoarrow::as_nanoarrow_array_stream
as_nanoarrow_array_stream.bayesrisk_chunks <- function(x, ..., schema = NULL) {
  call <- rlang::current_call()
  check_chunks(x, call)
  stream_of(arrow_answers(x, schema, call))
}

# The stream holds the function, so no environment of the function may hold the stream, as the frame
# of a method does by its callers: it would never be released.
stream_of <- function(pull) {
  stream <- nanoarrow::nanoarrow_allocate_array_stream()
  stream_from_r_cpp(stream, pull)
  stream
}

# The function that a stream calls: see RStream.
arrow_answers <- function(x, schema, call) {
  force(call)
  reader <- x$open(call)
  done <- FALSE
  on.exit(if (!done) reader$close())
  alike <- alike_chunks(call)
  first <- first_table(reader, x, call)
  schema <- if (is.null(schema)) arrow_columns(first, call) else wanted_schema(schema, first, call)
  columns <- names(schema$children)
  fill <- function(object, address) {
    nanoarrow::nanoarrow_pointer_export(object, address)
    TRUE
  }
  answer <- list(
    schema = function(address) fill(nanoarrow::nanoarrow_schema_modify(schema, list()), address),
    `next` = function(address) {
      rows <- first
      first <<- NULL
      if (is.null(rows)) rows <- next_rows(reader, call)
      if (is.null(rows)) return(FALSE)
      rows <- alike(rows)
      if (!identical(names(rows), columns)) rows <- rows[columns]
      fill(nanoarrow::as_nanoarrow_array(rows, schema = schema), address)
    },
    release = function(address) reader$close()
  )
  done <- TRUE
  function(what, address) tryCatch(answer[[what]](address), error = conditionMessage)
}

# The first rows, or the columns alone if their types are known without rows.
first_table <- function(reader, x, call) {
  first <- reader$next_chunk(call)
  if (!is.null(first)) first <- check_chunk(first, call)
  if (is.null(x$known) && !NROW(first)) first <- next_rows(reader, call)
  if (is.null(first)) abort_no_columns(call)
  first
}

next_rows <- function(reader, call) {
  repeat {
    chunk <- reader$next_chunk(call)
    if (is.null(chunk)) return(NULL)
    chunk <- check_chunk(chunk, call)
    if (nrow(chunk)) return(chunk)
  }
}

abort_no_columns <- function(call) {
  abort_data("There are no rows, so the types of Arrow's columns are not known.", call)
}

wanted_schema <- function(schema, rows, call) {
  children <- tryCatch(nanoarrow::as_nanoarrow_schema(schema)$children, error = function(e) NULL)
  columns <- names(children)
  if (length(columns) && !anyDuplicated(columns) && all(columns %in% names(rows))) {
    return(nanoarrow::as_nanoarrow_schema(schema))
  }
  abort_argument(c(
    "{.arg schema} must be a struct of columns that the chunks have.",
    i = "They have {.field {names(rows)}}."
  ), call)
}

# Factors are texts, because nanoarrow writes no dictionaries.
arrow_columns <- function(rows, call) {
  in_arrow(nanoarrow::infer_nanoarrow_schema(plain_texts(rows)), "A chunk", call, "written")
}

plain_texts <- function(rows) {
  rows[] <- lapply(rows, function(x) if (is.factor(x)) as.character(x) else x)
  rows
}

# A function that gives all chunks the columns of the first one: their order and types.
alike_chunks <- function(call) {
  first <- NULL
  number <- 0
  function(rows) {
    number <<- number + 1
    rows <- plain_texts(rows)
    if (is.null(first)) {
      arrow_columns(rows, call)
      first <<- lapply(rows, function(x) x[0L])
    }
    if (!identical(names(rows), names(first))) {
      check_same_columns(names(rows), names(first), call)
      rows <- rows[names(first)]
    }
    rows[] <- Map(function(x, to, name) alike_column(x, to, name, number, call),
                  rows, first, names(first))
    rows
  }
}

# A column in the type of the first chunk's, where that loses nothing.
alike_column <- function(x, to, name, number, call) {
  if (identical(class(x[0L]), class(to))) return(x)
  plain <- is.numeric(x) && is.numeric(to) && !is.object(x) && !is.object(to)
  y <- if (is.logical(x) && all(is.na(x))) {
    to[rep(NA_integer_, length(x))]
  } else if (plain) {
    suppressWarnings(as.vector(x, typeof(to)))
  }
  if (!is.null(y) && (!plain || identical(as.double(y), as.double(x)))) return(y)
  abort_data(c(
    "Column {.field {name}} is of class {class(to)[[1L]]} in the first chunk, and of class
     {class(x)[[1L]]} in chunk {number}: a column of Arrow has one type.",
    i = "Give it one type where the chunks are made."
  ), call)
}

# A function of rows, and of whether they are the first ones: their bytes in a file. nanoarrow
# writes whole streams alone: the columns, the rows and the end.
arrow_bytes <- function() {
  schema <- head <- NULL
  written <- function(batches) {
    con <- rawConnection(raw(), "wb")
    on.exit(close(con))
    nanoarrow::write_nanoarrow(nanoarrow::basic_array_stream(batches, schema), con)
    bytes <- rawConnectionValue(con)
    utils::head(bytes, -length(arrow_end))
  }
  function(rows, first) {
    if (first) {
      schema <<- nanoarrow::infer_nanoarrow_schema(rows)
      head <<- written(list())
    }
    bytes <- written(list(nanoarrow::as_nanoarrow_array(rows, schema = schema)))
    if (first) bytes else utils::tail(bytes, -length(head))
  }
}

arrow_end <- as.raw(c(255, 255, 255, 255, 0, 0, 0, 0))

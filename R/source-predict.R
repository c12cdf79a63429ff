# Predictions and decisions for chunks are chunks: the new data with further columns.

#' @export
ask_source.bayesrisk_chunks <- function(data, request, call) {
  check_chunks(data, call)
  if (request$kind != "answers") {
    return(finish_piece(collect_chunks(data, request, call), request, call))
  }
  limit <- limit_of(request)
  if (!is.null(limit)) {
    abort_argument("{.arg {limit}} needs all cases: chunks cannot be decided one by one.", call)
  }
  map_chunks(data, chunk_answers(request))
}

# A function that adds the answers to a chunk. It is kept, so it does not stand in the frame of a
# method, which refers to the frames of its callers.
chunk_answers <- function(request) {
  force(request)
  function(chunk, call) {
    add_columns(chunk, answer_columns(request$of_rows(chunk, request, call), request$type), call)
  }
}

# Chunks of `f` of each chunk.
map_chunks <- function(data, f) {
  force(f)
  new_chunks(function(call) {
    reader <- data$open(call)
    next_chunk <- reader$next_chunk
    number <- 0
    reader$next_chunk <- function(call) {
      chunk <- next_chunk(call)
      number <<- number + 1
      if (is_plain_matrix(chunk)) chunk <- as.data.frame(chunk)
      # Without rows the types of columns may be wrong, unless the source knows them.
      if (is.null(chunk) || identical(nrow(chunk), 0L) && is.null(data$known)) return(chunk)
      in_chunk(number, f(chunk, call), call)
    }
    reader
  }, paste("Predictions for these cases:", data$says), again = data$again, stamps = data$stamps,
  known = data$known)
}

answer_columns <- function(value, type) {
  switch(type,
    all = stats::setNames(as.list(plain_frame(value)), paste0(".", names(value))),
    class = list(.pred_class = value),
    decision = list(.decision = value),
    log_evidence = list(.log_evidence = value),
    prob = matrix_columns(value, ".pred_"),
    both = c(list(.pred_class = value$class), matrix_columns(value$posterior, ".pred_")),
    matrix_columns(value, paste0(".", type, "_"))
  )
}

add_columns <- function(chunk, added, call) {
  taken <- unique(c(intersect(names(added), names(chunk)), names(added)[duplicated(names(added))]))
  if (length(taken)) {
    abort_schema("The predictions need the column{?s} {.field {taken}}, which the data have.", call)
  }
  chunk[names(added)] <- lapply(added, unname)
  chunk
}

#' Write chunks, such as predictions, to a file or a function
#'
#' `predict()` and `decide()` of [chunks][data_chunks()] compute nothing by themselves.
#' `write_chunks()` reads the chunks one after the other and writes each of them, so that neither
#' the data nor the predictions need to be in memory.
#'
#' @param x A source of chunks: [data_chunks()], [csv_chunks()], or predictions for one of these or
#'   for an Arrow stream.
#' @param to The path of a file, which must not exist, or a function that is called with each chunk,
#'   a data frame. A name that ends in `.arrows` gives a stream of Arrow (the format "IPC stream",
#'   with texts in the place of factors, and the types of the first chunk), by the package
#'   nanoarrow; any other name a CSV file. If `.gz` follows, it is compressed.
#' @inheritParams bayesrisk_arguments
#' @details
#' A file is written under another name in the same folder and gets its own name when it is
#' complete. So an error, an interrupt or a full disk leaves no file behind. If R is killed, a file
#' `partial-...` stays.
#'
#' The warnings of all chunks become one warning of each kind, which counts the rows.
#' @return The number of rows, invisibly.
#' @section Errors: `bayesrisk_error_argument` for a bad argument, if the file exists, or if
#'   it cannot be written; `bayesrisk_error_data` as in [data_chunks()]; errors of predictions as in
#'   [predict()][predict.bayesrisk_model].
#' @seealso [data_chunks()]
#' @examplesIf requireNamespace("data.table", quietly = TRUE)
#' model <- fit(bayes_naive(), Species ~ ., iris)
#' read <- tempfile(fileext = ".csv")
#' write.csv(iris, read, row.names = FALSE)
#' written <- tempfile(fileext = ".csv")
#' write_chunks(predict(model, csv_chunks(read, rows = 50), type = "prob"), written)
#' head(read.csv(written), 2)
#' @export
write_chunks <- function(x, to, ...) {
  call <- check_no_dots(...)
  x <- maybe(x)
  check_inherits(x, "bayesrisk_chunks", "a source of chunks", "x", call)
  to <- maybe(to)
  if (is.function(to)) return(invisible(visit_rows(x, to, call)))
  to <- check_string(to, "to", call)
  check_new_file(to, call)
  arrow <- grepl("[.]arrows([.]gz)?$", to)
  check_package(if (arrow) "nanoarrow" else "data.table", "write_chunks", call)
  bytes_of <- if (arrow) arrow_bytes() else csv_bytes
  alike <- if (arrow) alike_chunks(call) else identity
  rows <- 0
  empty <- NULL
  if (arrow && !is.null(x$known)) x <- with_first(x, function(chunk) empty <<- chunk)
  write_whole(to, function(put) {
    first <- TRUE
    rows <<- visit_rows(x, function(chunk) {
      chunk <- alike(chunk)
      for (at in stretches(nrow(chunk), 1e5)) {
        put(bytes_of(chunk[at, , drop = FALSE], first))
        first <<- FALSE
      }
    }, call)
    if (arrow && first) {
      if (is.null(empty)) abort_no_columns(call)
      put(bytes_of(alike(empty), first))
    }
    if (arrow) put(arrow_end)
    check_new_file(to, call)
  }, call, "to", packed = grepl("[.]gz$", to))
  invisible(rows)
}

check_new_file <- function(to, call) {
  if (!file.exists(sub("/+$", "", to))) return(invisible())
  abort_argument("{.arg to}: {.file {to}} exists. Delete it, or give another name.", call)
}

# The same chunks, of which `see` gets the first, which may have no rows.
with_first <- function(x, see) {
  open <- x$open
  x$open <- function(call) {
    reader <- open(call)
    next_chunk <- reader$next_chunk
    first <- TRUE
    reader$next_chunk <- function(call) {
      chunk <- next_chunk(call)
      if (first) see(chunk)
      first <<- FALSE
      chunk
    }
    reader
  }
  x
}

# fwrite() writes to files alone, and does not always tell that the disk is full. Then the end of a
# row is missing.
csv_bytes <- function(rows, header, folder = tempdir()) {
  file <- tempfile(tmpdir = folder)
  on.exit(unlink(file))
  suppressWarnings(in_new_session(data.table::fwrite(
    in_utf8(rows), file, col.names = header, showProgress = FALSE, compress = "none"
  )))
  bytes <- readBin(file, "raw", file.size(file))
  records <- split_csv_cpp(bytes, ",", "\"", FALSE, 0L, FALSE)$records
  if (records != nrow(rows) + header) stop("the folder of temporary files is full")
  bytes
}

# fwrite() writes the bytes of texts as they are.
in_utf8 <- function(rows) {
  names(rows) <- enc2utf8(names(rows))
  rows[] <- lapply(rows, function(x) {
    if (is.factor(x)) levels(x) <- enc2utf8(levels(x))
    if (is.character(x)) x[] <- enc2utf8(x)
    x
  })
  rows
}

visit_rows <- function(x, visit, call) {
  rows <- 0
  each_chunk(x, function(chunk, number) {
    rows <<- rows + nrow(chunk)
    visit(chunk)
    TRUE
  }, call)
  rows
}

#' Read a Parquet file, or the result of a query, in chunks
#'
#' Sources of data for [fit()], [predict()][predict.bayesrisk_model] and all functions that
#' [data_chunks()] names.
#'
#' @details
#' `parquet_chunks()` reads one row group after the other with the package arrow, if it is
#' installed. Otherwise it uses nanoparquet, whose public reader reads a whole file: then one file
#' at a time is in memory, so a large table should be several files. DuckDB reads Parquet files of
#' any size, as a lazy table, `dplyr::tbl(con, dplyr::sql("SELECT * FROM 'file.parquet'"))`, or by
#' `query_chunks(con, "SELECT * FROM 'file.parquet'")`, where `con` is a connection to DuckDB.
#'
#' nanoparquet does not check the pages of a file: a truncated file is an error, but a file with
#' changed bytes can end R. So without arrow `parquet_chunks()` is not safe for files from
#' strangers: read them with DuckDB.
#'
#' `query_chunks()` sends the query and fetches some rows at a time. A second pass, for example for
#' the bins of a histogram, sends the query again. So that both passes see the same rows, call it in
#' a transaction that isolates (`REPEATABLE READ`), or do not change the table meanwhile. A lazy
#' table of dbplyr needs no `query_chunks()`: it can be `data` itself, and is safer. Rows of
#' `query_chunks()` are what the driver makes of them: on Spark texts that R cannot hold, with
#' U+0000 or bytes that are no UTF-8, may become one text.
#'
#' @param file The paths of one or more Parquet files with the same columns.
#' @param con A connection of DBI.
#' @param query The text of a query in SQL.
#' @param rows The largest number of rows of a chunk.
#' @inheritParams bayesrisk_arguments
#' @return An object of class `bayesrisk_chunks`, as from [data_chunks()].
#' @section Errors: `bayesrisk_error_argument` for a bad argument or if a needed package is not
#'   installed; `bayesrisk_error_data` if a file or the result of the query cannot be read;
#'   `bayesrisk_error_connection` if the connection is closed, lost or replaced.
#' @seealso [data_chunks()], [csv_chunks()], [write_chunks()]
#' @examplesIf rlang::is_installed(c("DBI", "dbplyr", "RSQLite"))
#' con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
#' DBI::dbWriteTable(con, "cars", mtcars)
#' fit(bayes_naive(), am ~ hp + wt, query_chunks(con, "SELECT * FROM cars", rows = 10))
#' DBI::dbDisconnect(con)
#' @name query_chunks
#' @export
query_chunks <- function(con, query, rows = 1e5, ...) {
  call <- check_no_dots(...)
  check_package("DBI", "query_chunks", call)
  check_connection(maybe(con), call)
  query <- check_string(maybe(query), "query", call)
  rows <- check_whole_number(rows, "rows", min = 1, call = call)
  check_package("dbplyr", "query_chunks", call)
  new_chunks(
    function(call) open_query(con, query, rows, call),
    sprintf("The result of a query, %s at a time.", count_of(rows, "row", "rows"))
  )
}

# A transaction of the user outlives the errors of the query.
open_query <- function(con, query, rows, call) {
  check_open(con, call)
  lent <- held <- blocks <- NULL
  clear <- function() {
    if (!is.null(blocks)) blocks$close()
    blocks <<- NULL
  }
  close <- function() {
    suspendInterrupts({
      clear()
      leave_transaction(held)
      return_connection(lent)
      lent <<- NULL
    })
  }
  request <- function(expr) {
    report_query(tryCatch(expr, bayesrisk_query = function(e) {
      on.exit(close())
      clear()
      undo_query(held, e, call)
    }), call)
  }
  # See in_transaction().
  on.exit(if (is.null(blocks)) {
    gc()
    close()
  })
  suspendInterrupts({
    lent <- take_connection(con, call)
    held <- enter_transaction(lent$con, FALSE, call)
  })
  blocks <- request(send_query(list(con = lent$con, dialect = held$dialect), query, rows))
  new_reader(function(call) {
    if (is.null(blocks)) return(NULL)
    chunk <- request(plain_columns(ask_database(blocks$next_rows())))
    if (nrow(chunk)) return(chunk)
    close()
    NULL
  }, close)
}

#' @rdname query_chunks
#' @export
parquet_chunks <- function(file, rows = 1e6, ...) {
  call <- check_no_dots(...)
  file <- maybe(file)
  if (!is_plain(file, is.character)) {
    abort_argument("{.arg file} must be paths of files, not {describe_value(file)}.", call)
  }
  file <- vapply(file, check_file, "", "file", call, USE.NAMES = FALSE)
  rows <- check_whole_number(rows, "rows", min = 1, call = call)
  arrow <- rlang::is_installed("arrow")
  if (!arrow) check_package("nanoparquet", "parquet_chunks", call)
  open <- if (arrow) open_row_groups else open_files
  new_chunks(
    function(call) open(file, rows),
    sprintf("%s in Parquet format, at most %s at a time.", count_of(length(file), "file", "files"),
            count_of(rows, "row", "rows")),
    stamps = function() lapply(file, file_stamp)
  )
}

# One table after the other, divided into chunks. `tables`: the number of tables; `read(i)`.
open_tables <- function(tables, read, rows) {
  state <- list2env(list(at = 0, rest = NULL))
  new_reader(function(call) {
    while (is.null(state$rest)) {
      if (state$at == tables) return(NULL)
      state$at <- state$at + 1
      table <- tryCatch(read(state$at), error = function(e) {
        reason <- conditionMessage(e)
        abort_data("The Parquet file cannot be read: {reason}", call)
      })
      state$rest <- plain_columns(as.data.frame(table))
    }
    chunk <- utils::head(state$rest, rows)
    more <- nrow(state$rest) > rows
    state$rest <- if (more) utils::tail(state$rest, -rows)
    chunk
  }, share = function() state$at / tables)
}

open_files <- function(file, rows) {
  open_tables(length(file), function(i) nanoparquet::read_parquet(file[[i]]), rows)
}

# The package arrow is not suggested, because it takes an hour to compile.
open_row_groups <- function(file, rows) {
  readers <- lapply(file, getExportedValue("arrow", "ParquetFileReader")$create)
  groups <- vapply(readers, function(r) r$num_row_groups, 1)
  of_file <- rep(seq_along(file), groups)
  open_tables(length(of_file), function(i) {
    within <- i - match(of_file[[i]], of_file)
    readers[[of_file[[i]]]]$ReadRowGroup(as.integer(within))
  }, rows)
}

#' Choose how a lazy table is read
#'
#' [fit()], [bayes_statistics()] and [update()][update.bayesrisk_model] learn from lazy tables of
#' dbplyr (see [bayesrisk_sources]). `lazy_table()` says how they count the rows.
#'
#' * `"sql"`: the database computes sums and counts, and sends only these. See "Queries".
#' * `"stream"`: the rows are fetched in blocks and counted by the engine of this package. Only
#'   the columns of the model are sent. Memory holds one block.
#' * `"auto"`, the default: SQLite streams, because its file is beside R and its SQL is slower than
#'   the engine. Other databases use SQL, except for features whose rows nearly all differ and
#'   which are no Gaussians: kernels, mixtures, empirical, gamma and histogram likelihoods. Joint
#'   blocks of more than 64 numbers are streamed, too. A message
#'   (`bayesrisk_message_reads_rows`) names these features.
#'
#' @section Queries:
#' With `"sql"` these queries read the table, besides its first 1,000 rows. The last column is the
#' largest method into which Spark compiles them (Java compiles up to 8,000 bytes), for 10 numbers
#' and 3 classes.
#'
#' | Model | Queries | Bytes |
#' |---|---|---|
#' | Gaussians of [bayes_naive()] | 1 | 1,141 |
#' | Gaussian blocks with up to 666 products, as one block of 36 numbers has | 1 | 3,088 |
#' | Gaussian blocks with more products | 1, and 2 or more for each | 2,467 |
#' | another likelihood of single features | 1, and 1 for each feature | 426 |
#' | another joint block | 1, and 2; for texts 1 more for each | 465 |
#'
#' Two queries more are needed if the first rows are not like the others, and one more if the
#' features of a block nearly depend on each other. 666 products are as many columns as an answer of
#' some engines may have, so more need several answers.
#'
#' On Spark, Java holds the largest partition of the table while blocks are read;
#' `spark.sql.files.maxPartitionBytes` makes partitions smaller.
#'
#' All strategies give the same model: counts are equal, moments agree to 1e-12 of their scale.
#'
#' @param x A lazy table, for example `dplyr::tbl(con, "loans")`. Later verbs of dplyr forget the
#'   strategy, so call `lazy_table()` last.
#' @param strategy `"auto"`, `"sql"` or `"stream"`.
#' @param rows The number of rows in a block, if rows are fetched.
#' @inheritParams bayesrisk_arguments
#' @return The lazy table, with an attribute.
#' @section Errors: `bayesrisk_error_argument` if `x` is no lazy table, or for a bad argument.
#' @seealso [bayesrisk_sources]
#' @examplesIf rlang::is_installed(c("DBI", "dbplyr", "dplyr", "RSQLite"))
#' con <- DBI::dbConnect(RSQLite::SQLite())
#' DBI::dbWriteTable(con, "iris", iris)
#' flowers <- dplyr::tbl(con, "iris")
#' fit(bayes_naive(), Species ~ ., lazy_table(flowers, "sql"))
#' DBI::dbDisconnect(con)
#' @export
lazy_table <- function(x, strategy = "auto", rows = 1e5, ...) {
  call <- check_no_dots(...)
  if (!inherits(maybe(x), "tbl_lazy")) {
    got <- describe_value(maybe(x))
    abort_argument("{.arg x} must be a lazy table of dbplyr, not {got}.", call)
  }
  strategy <- check_choice(strategy, c("auto", "sql", "stream"), "strategy", call)
  rows <- check_whole_number(rows, "rows", min = 1, call = call)
  structure(x, bayesrisk_reading = list(strategy = strategy, rows = rows))
}

# A database counts and predicts in SQL. SQL has no function that maximises, evidence about each row
# is kept by R, and pairs of features are many counts at once: for these rows are read in blocks.
#' @export
ask_source.tbl_sql <- function(data, request, call) { # nolint: object_name_linter.
  answer <- switch(request$kind,
    statistics = collect_table, counts = table_counts, answers = lazy_answer,
    evidence = table_evidence, rows = table_rows_held
  )
  answer(data, request, call)
}

table_evidence <- function(data, request, call) {
  report_query(with_table(data, function(data) {
    source <- db_source(data)
    schema <- schema_of(request$model)
    match_columns(schema, list(names = source$names, unnamed = FALSE), request$arg, call)
    columns <- c(
      schema_columns(schema), quosure_columns(request$weights), quosure_columns(request$cluster),
      unlist(lapply(attr(request$model, "by"), `[[`, "columns")),
      intersect(unlist(lapply(request$by$terms, all.vars)), source$names),
      if (!is.null(request$class_of)) columns_of(schema_of(request$class_of)$formula[[2L]])
    )
    if (!is.null(request$cost)) columns <- c(columns, cost_columns(request$cost, source, call))
    rows <- reading_plan(data, source, FALSE)$rows
    ask_source(table_chunks(source, columns, rows, abort_schema, call), request, call)
  }, call), call)
}

# The columns that the formulas of a cost name; with `.data` all that the driver reads.
cost_columns <- function(cost, source, call) {
  formulas <- Filter(rlang::is_quosure, cost_cells(cost, call))
  named <- unique(unlist(lapply(formulas, function(cell) all.vars(rlang::quo_squash(cell)))))
  if (!".data" %in% named) return(intersect(named, source$names))
  setdiff(source$names, names(source$forms)[source$forms == ""])
}

table_counts <- function(data, request, call) {
  report_query(with_table(data, function(data) {
    source <- db_source(data)
    columns <- key_request_columns(db_formula(source, request, call), request)
    rows <- reading_plan(data, source, FALSE)$rows
    ask_source(table_chunks(source, columns, rows, abort_data, call), request, call)
  }, call, snapshot = TRUE), call)
}

table_rows_held <- function(data, request, call) {
  report_query(with_table(data, function(data) {
    source <- db_source(data)
    check_needed(source$names, request, call)
    columns <- if (is.null(request$columns)) source$names else request$columns$kept
    rows <- reading_plan(data, source, FALSE)$rows
    ask_source(table_chunks(source, columns, rows, abort_data, call), request, call)
  }, call), call)
}

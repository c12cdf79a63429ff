#' Write a model as SQL
#'
#' The query with which a database predicts and decides, as text: for a view, a pipeline, or a
#' database that R is not connected to. [predict()][predict.bayesrisk_model] and [decide()] of a
#' lazy table of dbplyr compute the same columns.
#'
#' @param object A fitted or known model.
#' @param con Whose SQL is written: a connection of DBI, a pool of them, one that dbplyr simulates,
#'   such as `dbplyr::simulate_spark_sql()`, or a dialect, such as `dbplyr::dialect_postgres()`.
#'   [bayesrisk_sources] lists the engines.
#' @param newdata The rows: the name of a table, or a lazy table of dbplyr. A name with a schema is
#'   `DBI::Id()` or `dbplyr::in_schema()`.
#' @param type What is computed: a type of [predict()][predict.bayesrisk_model], or `"decide"` for
#'   all columns of [decide()]. The default is `"class"`, and `"decision"` with a cost.
#' @inheritParams predict.bayesrisk_model
#' @inheritParams bayesrisk_arguments
#'
#' @details
#' [bayesrisk_sources] describes the new columns.
#'
#' A connection to a database is asked for the columns and types of `newdata`, and which features of
#' a Gaussian block its rows miss. If a later row misses others, its probabilities are `NULL`.
#'
#' A simulated connection or a dialect cannot be asked. A table made by `dbplyr::lazy_frame()` keeps
#' its columns and their types. A table that is given by its name keeps the columns of the model
#' only, with the types of the training data; in a function, a column that is no feature itself is a
#' text where the function takes texts, and else a number. Up to 4 features of a Gaussian block may
#' be missing in any combination; a larger block must be complete, or all results of its row are
#' `NULL`.
#'
#' The text does not depend on the build or the mode of an engine: a logarithm has the same base in
#' RSQLite and in the program sqlite3. Functions have the values of R, see [bayesrisk_sources]. Only
#' where a database cannot be asked, letters that an engine turns into others than R does, such as
#' the German sharp s by `toupper()`, are not noticed. A view of Spark 4 that has a collation
#' compares texts by it, unless the query was written for a connection of sparklyr.
#'
#' Numbers above 1e153 or more than 1e153 standard deviations from a mean, above 1e150 for gamma
#' distributions and counts, and above 1e300 for histograms and exact values, make a row impossible.
#' In memory they may have probabilities.
#'
#' The text has about 100 characters for each number of the model.
#' @return One string.
#' @section Errors: `bayesrisk_error_argument` for a bad argument, and for a likelihood that is too
#'   large for SQL; `bayesrisk_error_schema` if the columns do not fit the model, or one of them has
#'   the name of a new column; `bayesrisk_error_data` if the database cannot answer a query;
#'   `bayesrisk_error_object` for a damaged model.
#' @seealso [bayesrisk_sources], [predict()][predict.bayesrisk_model], [decide()]
#' @export
#' @examplesIf rlang::is_installed(c("DBI", "dbplyr", "dplyr"))
#' model <- fit(bayes_naive(), Species ~ Petal.Length, iris)
#' cat(as_sql(model, dbplyr::simulate_spark_sql(), "flowers"))
#' @examplesIf rlang::is_installed(c("DBI", "dbplyr", "dplyr", "RSQLite"))
#'
#' # A view of decisions
#' con <- DBI::dbConnect(RSQLite::SQLite())
#' DBI::dbWriteTable(con, "flowers", iris)
#' query <- as_sql(model, con, "flowers", type = "decide", cost = zero_one_cost(
#'   levels(iris$Species), reject = 0.2
#' ))
#' DBI::dbExecute(con, paste("CREATE VIEW decided AS", query))
#' DBI::dbGetQuery(con, 'SELECT ".decision", COUNT(*) AS n FROM decided GROUP BY ".decision"')
#' DBI::dbDisconnect(con)
as_sql <- function(object, con, newdata, type = NULL, cost = NULL, prior = NULL, ...) {
  call <- check_no_dots(...)
  object <- check_model(maybe(object), call)
  rlang::check_installed(c("DBI", "dbplyr", "dplyr"), call = call)
  check_writer(maybe(con), call)
  newdata <- maybe(newdata)
  type <- if (identical(type, "decide")) "all" else predict_type(type, cost, call)
  request <- answer_request(score_from, object, "plugin", type, cost, prior, 1L, call)
  report_query(in_transaction(con, function(con) {
    source <- written_source(newdata, con, object$schema, call)
    if (is_simulated(con)) source$simulated <- known_types(source$simulated, object$schema)
    answer_query(source, request, call)
  }, call), call)$query
}

# The source of as_sql().
written_source <- function(newdata, con, schema, call) {
  if (inherits(newdata, "tbl_lazy")) {
    table <- lent_table(newdata, con)
    if (same_engine(dbplyr::remote_con(table), con)) return(db_source(table))
    abort_argument("{.arg newdata} is a table of another engine than {.arg con}.", call)
  }
  names <- c("Id", "ident", "dbplyr_table_path", "dbplyr_schema", "dbplyr_catalog", "AsIs")
  named <- inherits(newdata, names)
  if (!named && !(is_string(newdata) && nzchar(newdata))) {
    got <- describe_value(newdata)
    abort_argument(
      "{.arg newdata} must be the name of a table, or a lazy table, not {got}.", call
    )
  }
  if (!is_simulated(con)) {
    return(db_source(tryCatch(dplyr::tbl(con, newdata), error = function(e) {
      abort_argument("{.arg newdata} cannot be read.", call, parent = e)
    })))
  }
  used <- schema_columns(schema)
  columns <- stats::setNames(rep(list(numeric()), length(used)), used)
  source <- db_source(dbplyr::tbl_lazy(list2DF(columns), con = con, name = newdata))
  source$simulated <- character()
  source
}

# The types of a simulated table, completed by those of the columns that are features themselves.
# The type of a column that only functions use follows from the functions.
known_types <- function(types, schema) {
  plain <- Filter(function(feature) is.null(feature$expression), schema$features)
  own <- vapply(plain, `[[`, "", "type")
  own[own %in% c("factor", "ordered")] <- "character"
  c(types, own[setdiff(names(own), names(types))])
}

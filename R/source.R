#' Where data may be
#'
#' Data need not be in memory. The arguments `data` of [fit()] and [bayes_statistics()] and
#' `moredata` of [update()][update.bayesrisk_model] take the sources of this page, and the call
#' stays the same. A model is equal, wherever its rows are: counts are equal, moments agree to 1e-12
#' of their scale.
#'
#' @section Sources:
#' * lazy tables of dbplyr, as below;
#' * chunks: [data_chunks()], [csv_chunks()], [parquet_chunks()], [query_chunks()];
#' * several of these side by side: [data_parts()];
#' * statistics that others collected: [read_statistics()].
#'
#' @section Lazy tables:
#' A lazy table of dbplyr, such as `dplyr::tbl(con, "loans")`, is a table or a query of a database.
#' It may be filtered, joined or otherwise transformed. The package is tested with SQLite,
#' PostgreSQL, MariaDB and DuckDB.
#'
#' * The database counts: it sends sums, and the different values of the other features with their
#'   numbers. [lazy_table()] lets the rows be fetched in blocks instead.
#' * All queries of a fit run in one transaction that reads one state of the table, where the
#'   database has such transactions. Rows that are added during the fit do not count.
#' * Numbers are features of kind numeric, whatever their type in the database; texts and truth
#'   values are categorical. The levels of a text are those of the used rows, in C order.
#'   "A", "a" and "a " are three levels, also in MariaDB.
#' * `NULL` and `NaN` are missing values. An infinite number is an error.
#' * For models of groups, `fit(by = )`, the rows are fetched in blocks.
#' * `weights`, `subset` and functions of columns in the formula are translated to SQL by dbplyr.
#'   Numbers in them are doubles. The value of a function must not depend on other rows.
#' * A class or feature that is a date, a blob or another type is an error, as in memory.
#'
#' [cv_risk()] and functions that need single rows read data frames: `dplyr::collect()` the table
#' or a sample of it.
#'
#' @name bayesrisk_sources
#' @aliases sources
#' @seealso [lazy_table()], [merge()][merge.bayesrisk_model]
#' @examplesIf rlang::is_installed(c("DBI", "dbplyr", "dplyr", "RSQLite"))
#' con <- DBI::dbConnect(RSQLite::SQLite())
#' DBI::dbWriteTable(con, "iris", iris)
#' flowers <- dplyr::tbl(con, "iris")
#' fit(bayes_naive(), Species ~ log(Petal.Length) + Petal.Width, flowers)
#' fit(bayes_full(), Species ~ ., dplyr::filter(flowers, Sepal.Width > 3))
#' DBI::dbDisconnect(con)
NULL

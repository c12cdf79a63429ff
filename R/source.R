#' Where data may be
#'
#' Data need not be in memory. The arguments `data` of [fit()] and [bayes_statistics()], `moredata`
#' of [update()][update.bayesrisk_model], and `newdata` of [predict()][predict.bayesrisk_model] and
#' [decide()] take the sources of this page, and the call stays the same. A model is equal, wherever
#' its rows are: counts are equal, moments agree to 1e-12 of their scale. So are predictions:
#' classes, decisions and ties are equal, probabilities agree to 1e-12. Kernels with more different
#' values than `points` agree as [likelihood_kernel()] says: a database adds up all normals, memory
#' takes a series.
#'
#' @section Sources:
#' | What you have | What you write as data |
#' |---|---|
#' | a folder of Parquet files, with arrow | `arrow::open_dataset("folder")`, also filtered |
#' | an Arrow table, query or reader; a frame of polars | the object itself |
#' | a file in Arrow's format "IPC stream" | `nanoarrow::read_nanoarrow("file.arrows")` |
#' | a result of ADBC, or of `DBI::dbGetQueryArrow()` | the stream itself |
#' | a table or query of a database | `dplyr::tbl(con, "loans")`: a lazy table, as below |
#' | a CSV file | [csv_chunks()] |
#' | a Parquet file, without arrow | [parquet_chunks()] |
#' | a query without dbplyr | [query_chunks()] |
#' | a function that returns one table after the other | [data_chunks()] |
#' | several of these, on one or more machines | [data_parts()] |
#' | statistics that others collected, for a fit | [read_statistics()] |
#' | dtplyr, H2O | `as.data.frame(x)` |
#' | a survey design | `design$variables`, with `weights = weights(design, "sampling")` |
#'
#' @section Arrow:
#' The package nanoarrow reads Arrow data batch by batch; arrow itself is not needed. Of a fit only
#' the columns that it uses are converted.
#'
#' * A stream or reader can be read once. What needs several passes, such as bins that depend on the
#'   largest value, is a `bayesrisk_error_data` before a batch is read. Datasets, tables, queries
#'   and arrays are opened again for each pass. A stream is released at its end and after an error,
#'   and a stream of results belongs to the first program that reads it.
#' * Whole numbers, decimals and floats of all sizes are numbers, texts are texts, and a dictionary
#'   of texts is a factor, whose levels are united where batches differ. NULL is `NA`. A column of
#'   NULL alone has its type. A column of 64-bit whole numbers that has 2^53 or more, and a nested
#'   or binary column, is a `bayesrisk_error_data` where it is read, and so are rows that are NULL
#'   as a whole.
#' * Predictions and decisions are chunks, see [data_chunks()]: [write_chunks()] writes them to a
#'   file in CSV or Arrow's format, and `nanoarrow::as_nanoarrow_array_stream()` makes a stream of
#'   them for other packages. It computes a batch when it is asked for one, in R's own thread; a
#'   program that asks from another thread gets an error, and needs the file.
#'
#' nanoarrow trusts its data. A file that is cut between two batches is a shorter one, as the format
#' allows. Damaged bytes may be other numbers, or end R: read no file that you do not trust.
#'
#' @section Lazy tables:
#' A lazy table of dbplyr, such as `dplyr::tbl(con, "loans")`, is a table or a query of a database.
#' It may be filtered, joined or otherwise transformed. `con` may be a pool of the package pool.
#'
#' * The database counts: it sends sums, and the different values of the other features with their
#'   numbers. [lazy_table()] lets the rows be fetched in blocks instead.
#' * All queries of a fit run in one transaction that reads one state of the table, where the
#'   database has such transactions. Rows that are added during the fit do not count.
#' * In a transaction of yours all queries are part of it. It is neither committed nor rolled back,
#'   and after an error it goes on. DuckDB has no savepoints: some errors abort your transaction,
#'   and the message says so. RMariaDB knows only transactions of `DBI::dbBegin()`.
#' * A pool lends one connection for a whole fit, update or reading of rows, and gets it back also
#'   after an error. A prediction is a lazy table of the pool.
#' * Numbers are features of kind numeric, whatever their type in the database; texts and truth
#'   values are categorical. The levels of a text are those of the used rows, in C order.
#'   "A", "a" and "a " are three levels, also in MariaDB.
#' * `NULL` and `NaN` are missing values. An infinite number is an error.
#' * For models of groups, `fit(by = )`, the rows are fetched in blocks.
#' * `weights`, `subset` and functions of columns in the formula are written as SQL. Numbers in them
#'   are doubles. The value of a function must not depend on other rows, so `mean`, `max`, `rank`,
#'   `lag` and all others of which dbplyr makes an aggregate or a window are errors.
#' * These functions have the values of R in every engine, also for missing, infinite and negative
#'   numbers: arithmetic, comparisons, `&`, `|`, `!`, `xor`, `%in%`, `is.na`, `ifelse`, `cut`,
#'   `abs`, `sqrt`, `exp`, `log`, `log2`, `log10`, `log1p`, `floor`, `ceiling`, `trunc`, `round`,
#'   `sign`, `pmin`, `pmax`, `as.numeric`, `as.integer`, `tolower`, `toupper`, `nchar`, `substr`,
#'   `paste`, `paste0`, and `grepl` for a plain text. A divisor of 0 counts as +0, where R divides
#'   by -0, such as `round(-0.3)`, to the other infinity. What engines compute in their own ways is
#'   an error: `%%`, `factorial`, rounding to digits, numbers and times as texts, the order of
#'   texts, regular expressions, texts of dates if there are years before 1000 or after 9999. Where
#'   integers of R overflow, SQL has the right number; in the first 20 rows that is an error. A
#'   number or a product that the engine cannot hold stops its query. Other functions are translated
#'   by dbplyr; their values in the first 20 rows are compared with those of R.
#' * A class or feature that is a date, a blob or another type is an error, as in memory.
#'
#' @section Predictions for lazy tables:
#' [predict()][predict.bayesrisk_model] and [decide()] of a lazy table give a lazy table: the
#' columns of `newdata` and new ones. The database computes them when their rows are read, so the
#' result can be filtered, joined and counted in the database, and stored by `dplyr::compute()` (on
#' Spark by `sparklyr::spark_write_parquet()` if a name has `'` or `?`). Spark computes all new
#' columns, even if a query uses one of them.
#' [as_sql()] gives the query as text, for a view or a database that R is not connected to.
#'
#' | Column | `type` in `predict()` |
#' |---|---|
#' | `.pred_class` | `"class"`, `"both"` |
#' | `.pred_<class>`: a posterior probability | `"prob"`, `"both"` |
#' | `.log_prob_<class>` | `"log_prob"` |
#' | `.joint_<class>` | `"joint"` |
#' | `.log_joint_<class>` | `"log_joint"` |
#' | `.likelihood_<class>` | `"likelihood"` |
#' | `.log_likelihood_<class>` | `"log_likelihood"` |
#' | `.log_evidence` | `"log_evidence"` |
#' | `.cost_<action>`: an expected cost | `"cost"` |
#' | `.decision` | `"decision"` |
#' | `.unknown_levels`: the number of features with a level that the model does not know | all |
#' | `.impossible`: whether the row is impossible under every class | all |
#'
#' `decide()` adds `.decision`, `.cost`, `.cost_<action>`, `.runner_up`, `.margin`, `.tie` and the
#' last two columns of this list.
#'
#' * Missing values and unknown levels are treated as in memory. The last two columns take the place
#'   of warnings. An infinite number makes a row impossible. A cost of `-Inf`, an error in memory,
#'   is unknown, as `NA` is.
#' * Classes and actions are texts, because databases have no factors. Truth values are 0 and 1
#'   where the database has no others.
#' * Costs by case are written as SQL, as the functions of columns in the formula are.
#' * Infinite costs are 1.797e308 in MariaDB and SQL Server, which have no infinite numbers.
#' * All likelihoods have a form in SQL, up to a size: 500 bins or values of a feature, 1,000 cells
#'   of a joint block, 256 points of a kernel or components of a mixture, and rows that miss the
#'   features of a Gaussian block in 64 ways. Larger ones are an error: predict
#'   [query_chunks()] instead.
#' * `capacity` and `budget` need all rows in memory.
#'
#' A column of `newdata` that has the name of a new one is a `bayesrisk_error_schema`.
#'
#' @section Engines:
#' dbplyr finds the engine of a connection (`dbplyr::sql_dialect()`), and
#' `dbplyr::with_dialect(con, dbplyr::dialect_sqlite())` names it where a driver of ODBC does not.
#' An engine that is not known gets standard SQL, and a message
#' (`bayesrisk_message_unknown_engine`) says so. BigQuery, Hive, Impala and Access take the name
#' `"x"` for a text: a `bayesrisk_error_argument`. Spark makes one method of a prediction; if it is
#' too large for Java's compiler, `bayesrisk_message_method_size` names the setting that helps.
#' A text for an engine that is not known, for SQL Server, Snowflake or Redshift uses each column a
#' few times only, since such an engine may repeat the expression of a column at each use.
#'
#' PostgreSQL compiles long queries (its setting `jit`). For 200,000 rows of 10 numbers and 3
#' classes this changes little: a fit takes 0.3 to 0.5 s, a prediction 0.7 to 1.3 s. For a full
#' model of 20 numbers `SET jit = off` pays: its class takes 3.0 s in the place of 8.1 s, its fit
#' 1.1 s in the place of 1.5 s.
#'
#' | Engine | Connection | The tests run |
#' |---|---|---|
#' | SQLite 3.40 | RSQLite, pool, odbc | all |
#' | PostgreSQL 15 | RPostgres, pool, odbc | all |
#' | MariaDB 10.11 | RMariaDB, odbc | all |
#' | DuckDB 1.5 | duckdb, or adbi | all |
#' | ClickHouse 26.7 | RClickhouse | all, through ClickHouse's library |
#' | Spark 4.3 | sparklyr | all, and some without ANSI |
#' | Databricks by ODBC, Snowflake, SQL Server 2022, MySQL, Redshift | | the text only |
#'
#' A connection of pysparklyr is refused, because it takes missing numbers for `NaN`.
#'
#' Spark and ClickHouse have no snapshot. Two queries or more read the table for each likelihood,
#' except for single Gaussians, which usually need one. If their counts differ, the fit is an error:
#' fit a copy, made by `dplyr::compute()`, or a written table. A change that keeps the counts is not
#' seen.
#'
#' Through pools and odbc a selection of these tests runs. PostgreSQL's driver for ODBC gives truth
#' values as texts, which become the numbers 0 and 1, unless the connection has `BoolsAsChar = 0`.
#' SQLite's driver for ODBC reads numbers to 15 digits, and drops the part of a name before a dot,
#' as in `.pred_class`.
#'
#' @section Errors of databases:
#' A query that fails is a `bayesrisk_error_data`. Its field `parent` is the error of the database.
#' A connection that is closed, or lost or replaced in the middle of the work, is a
#' `bayesrisk_error_connection`: connect again, and repeat the call.
#'
#' @section Other functions:
#' | Function | Sources |
#' |---|---|
#' | [estimate_prior()] | all: rows are read in pieces |
#' | [assess_decisions()], [compare_decisions()] of models | all: the scores of all rows are kept |
#' | [feature_dependence()], [search_blocks()] by evidence | all: several reads, by pieces |
#' | [temper()], [cv_risk()], [cv_predict()] | all: the used columns in memory |
#' | [search_blocks()] by cost, [search_likelihoods()] | all: the used columns in memory |
#'
#' Other functions give an error that says how to read the source: `as.data.frame()` reads chunks,
#' `dplyr::collect()` reads a lazy table or a sample of it.
#'
#' @name bayesrisk_sources
#' @aliases sources
#' @seealso [lazy_table()], [as_sql()], [merge()][merge.bayesrisk_model]
#' @examplesIf rlang::is_installed(c("DBI", "dbplyr", "dplyr", "RSQLite"))
#' con <- DBI::dbConnect(RSQLite::SQLite())
#' DBI::dbWriteTable(con, "iris", iris)
#' flowers <- dplyr::tbl(con, "iris")
#' model <- fit(bayes_naive(), Species ~ log(Petal.Length) + Petal.Width, flowers)
#' model
#' fit(bayes_full(), Species ~ ., dplyr::filter(flowers, Sepal.Width > 3))
#'
#' # Decisions are computed by the database
#' cost <- cost_matrix(
#'   keep = list(setosa = 0, versicolor = ~ Petal.Length, virginica = 20), discard = 2
#' )
#' decided <- decide(model, flowers, cost)
#' dplyr::count(decided, Species, .decision)
#' DBI::dbDisconnect(con)
NULL

simulate <- function(...) structure(list(), class = c(..., "DBIConnection"))

half_and_half <- function() {
  bayes_known(c(a = 0.5, b = 0.5), x = likelihood_gaussian(mean = c(a = 0, b = 1), sd = 1))
}

with_driver <- function(dialect, driver) {
  own <- drivers[[driver]]
  utils::modifyList(dialect, if (is.function(own)) own(NULL) else own)
}

test_that("an engine is found as dbplyr finds it", {
  skip_if_not_installed("dbplyr")
  expect_identical(
    db_dialect(simulate("PqConnection")), with_driver(postgresql_dialect, "PqConnection")
  )
  expect_identical(db_dialect(dbplyr::simulate_mssql()), mssql_dialect)
  expect_identical(
    db_dialect(dbplyr::simulate_mariadb()), with_driver(mariadb_dialect, "MariaDBConnection")
  )
  for (con in list(dbplyr::simulate_spark_sql(), simulate("Spark SQL", "OdbcConnection"))) {
    expect_identical(db_dialect(con), spark_dialect)
  }
  expect_identical(db_dialect(dbplyr::simulate_snowflake()), snowflake_dialect)
  expect_identical(db_dialect(dbplyr::dialect_postgres()), postgresql_dialect)
  expect_identical(db_dialect(dbplyr::dialect_ansi()), standard_dialect)
  expect_identical(db_dialect(simulate("Oracle")), standard_dialect)
  named <- dbplyr::with_dialect(simulate("OdbcConnection"), dbplyr::dialect_sqlite())
  expect_identical(db_dialect(named), sqlite_dialect)
})

test_that("engines that dbplyr does not know are found by class, the most special one first", {
  skip_if_not_installed("dbplyr")
  expect_identical(db_dialect(simulate("duckdb_connection")), duckdb_dialect)
  expect_identical(db_dialect(simulate("ClickHouseHTTPConnection")), clickhouse_dialect)
  spark <- c("pyspark_connection", "spark_connection")
  of_driver <- function(dialect) with_driver(dialect, "spark_connection")
  expect_identical(db_dialect(simulate("connect_databricks", spark)), of_driver(spark_dialect))
  expect_identical(db_dialect(simulate("connect_snowflake", spark)), of_driver(snowflake_dialect))
  where <- globalenv()
  methods::setClass("BayesParent", contains = "VIRTUAL", where = where)
  methods::setClass(
    "BayesChild", contains = "BayesParent", slots = list(x = "numeric"), where = where
  )
  withr::defer({
    methods::removeClass("BayesChild", where = where)
    methods::removeClass("BayesParent", where = where)
  })
  child <- methods::new("BayesChild", x = 1)
  expect_identical(connection_classes(child)[1:2], c("BayesChild", "BayesParent"))
})

test_that("Redshift has the fences of PostgreSQL, and neither savepoints nor collations", {
  skip_if_not_installed("dbplyr")
  for (con in list(dbplyr::simulate_redshift(), simulate("RedshiftConnection", "PqConnection"))) {
    dialect <- db_dialect(con)
    expect_identical(dialect$fence("SELECT 1"), postgresql_dialect$fence("SELECT 1"))
    expect_identical(dialect$text("x"), "CONCAT(x, '')")
    expect_identical(dialect$quote("b\\'s", con), "'b\\\\\\'s'")
    expect_false(dialect$savepoints)
    expect_true(dialect$plain_errors)
    expect_null(dialect$begin)
  }
  text <- as_sql(half_and_half(), dbplyr::dialect_redshift(), "rows")
  expect_match(text, "OFFSET 0", fixed = TRUE)
})

test_that("drivers say only what the standard has", {
  for (driver in Filter(is.list, drivers)) {
    expect_identical(setdiff(names(driver), names(standard_dialect)), character())
  }
})

test_that("a dialect writes what its simulated connection writes", {
  skip_if_not_installed("dbplyr")
  model <- half_and_half()
  pairs <- list(
    list(dbplyr::simulate_sqlite(), dbplyr::dialect_sqlite()),
    list(dbplyr::simulate_postgres(), dbplyr::dialect_postgres()),
    list(dbplyr::simulate_mssql(), dbplyr::dialect_mssql()),
    list(dbplyr::simulate_spark_sql(), dbplyr::dialect_spark_sql())
  )
  for (pair in pairs) {
    expect_identical(as_sql(model, pair[[1L]], "rows"), as_sql(model, pair[[2L]], "rows"))
    lazy <- dbplyr::lazy_frame(id = 1L, x = 1, con = pair[[2L]], .name = "rows")
    expect_identical(as_sql(model, pair[[1L]], lazy), as_sql(model, pair[[2L]], lazy))
  }
})

test_that("an engine that is not known is named once, and ODBC is told how to name it", {
  skip_if_not_installed("dbplyr")
  here <- rlang::current_env()
  rlang::reset_message_verbosity("bayesrisk_engine_oracle")
  rlang::reset_message_verbosity("bayesrisk_engine_odbc")
  expect_message(check_engine(dbplyr::simulate_oracle(), here), "oracle.*standard SQL",
                 class = "bayesrisk_message_unknown_engine")
  expect_no_message(check_engine(dbplyr::simulate_oracle(), here))
  expect_message(check_engine(dbplyr::simulate_odbc(), here), "with_dialect",
                 class = "bayesrisk_message_unknown_engine")
  expect_no_message(check_engine(dbplyr::simulate_dbi(), here))
  expect_no_message(check_engine(dbplyr::dialect_ansi(), here))
})

test_that("engines that take \"x\" for a text are refused by each function", {
  skip_if_not_installed("dbplyr")
  skip_if_not_installed("dplyr")
  model <- half_and_half()
  refusing <- list(
    dbplyr::simulate_hive(), dbplyr::dialect_impala(), dbplyr::simulate_access(),
    dbplyr::simulate_dbi("BigQueryConnection")
  )
  for (con in refusing) {
    rows <- dbplyr::lazy_frame(x = 1, con = con)
    class(rows) <- c("tbl_dbi", "tbl_sql", class(rows))
    for (refused in list(quote(as_sql(model, con, "rows")), quote(predict(model, rows)),
                         quote(decide(model, rows)), quote(fit(bayes_naive(), y ~ x, rows)))) {
      expect_error(eval(refused), "(Hive|BigQuery|Impala|Access) does not read standard SQL",
                   class = "bayesrisk_error_argument")
    }
  }
})

test_that("each dialect asks one question for the session", {
  for (dialect in c(dialects, list(standard_dialect))) {
    expect_lte(length(session_query(dialect)), 1L)
  }
})

test_that("a dialect of dbplyr that is not known here leaves the class of the connection", {
  skip_if_not_installed("dbplyr")
  new <- structure(dbplyr::dialect_ansi(), class = c("sql_dialect_duckdb", "sql_dialect"))
  con <- dbplyr::with_dialect(simulate("duckdb_connection"), new)
  expect_identical(db_dialect(con), duckdb_dialect)
  con <- dbplyr::with_dialect(simulate("duckdb_connection"), dbplyr::dialect_ansi())
  expect_identical(db_dialect(con), standard_dialect)
})

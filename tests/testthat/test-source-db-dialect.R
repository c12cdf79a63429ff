test_that("an engine is found by the class of its connection; others are standard SQL", {
  skip_if_not_installed("dbplyr")
  of <- function(class) db_dialect(structure(list(), class = c(class, "DBIConnection")))
  expect_identical(of("PqConnection"), rpostgres_dialect)
  expect_identical(of("Microsoft SQL Server"), mssql_dialect)
  expect_identical(of("Oracle"), standard_dialect)
  expect_identical(db_dialect(dbplyr::simulate_mariadb()), mariadb_dialect)
  expect_identical(db_dialect(dbplyr::simulate_spark_sql()), spark_dialect)
  expect_identical(db_dialect(dbplyr::simulate_snowflake()), snowflake_dialect)
})

test_that("dialects say only what the standard has", {
  for (dialect in dialects) {
    expect_identical(setdiff(names(dialect), names(standard_dialect)), character())
  }
  expect_gt(length(dialects), 8L)
})

for (engine in database_engines) {
  test_that(paste("numbers, infinity, NaN and fences of an engine:", engine), {
    con <- local_database(engine)
    dialect <- db_dialect(con)
    x <- c(1 / 3, 1e8 + 1 / 3, -1e-300, 1.7e308, 2^53 + 2, 0, .Machine$double.eps)
    found <- DBI::dbGetQuery(con, paste("SELECT", toString(paste(
      db_double(dialect$number(x), dialect), "AS", paste0("x", seq_along(x))
    ))))
    expect_identical(unlist(found, use.names = FALSE), x)
    largest <- DBI::dbGetQuery(con, sprintf("SELECT %s AS x", dialect$infinity))$x
    expect_gte(largest, .Machine$double.xmax)
    one <- dialect$fence("SELECT 1.5 AS x")
    expect_equal(as.numeric(DBI::dbGetQuery(con, paste("SELECT x FROM", db_sub(one)))$x), 1.5)
    if (engine %in% c("postgresql", "duckdb")) {
      nan <- sprintf("CAST('NaN' AS %s)", dialect$double)
      expect_true(is.na(DBI::dbGetQuery(con, paste("SELECT", dialect$known(nan), "AS x"))$x))
    }
  })
}

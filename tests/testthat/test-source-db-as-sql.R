simulated <- function() {
  skip_if_not_installed("dbplyr")
  list(
    sqlite = dbplyr::simulate_sqlite(), postgresql = dbplyr::simulate_postgres(),
    mariadb = dbplyr::simulate_mariadb(), spark = dbplyr::simulate_spark_sql(),
    mssql = dbplyr::simulate_mssql(), snowflake = dbplyr::simulate_snowflake(),
    clickhouse = dbplyr::simulate_dbi("ClickhouseConnection"), standard = dbplyr::simulate_dbi()
  )
}

# Numbers are round, so that the text is the same on every machine.
round_model <- function() {
  bayes_known(
    c("it's" = 0.5, "b\\s" = 0.5),
    x = likelihood_gaussian(mean = c("it's" = 1, "b\\s" = 3), sd = 2),
    f = rbind("it's" = c(u = 0.25, "v'w" = 0.75), "b\\s" = c(0, 1))
  )
}

test_that("the text for each engine", {
  cost <- cost_matrix(p = c("it's" = 0, "b\\s" = Inf), q = c("it's" = 4, "b\\s" = 0), ask = 1)
  for (name in names(simulated())) {
    con <- simulated()[[name]]
    expect_snapshot(cat(as_sql(round_model(), con, "rows", type = "prob")))
    if (name %in% c("spark", "mssql")) {
      expect_snapshot(cat(as_sql(round_model(), con, "rows", type = "decide", cost = cost)))
    }
  }
})

test_that("rows are a table's name, with a schema, or a lazy table", {
  con <- simulated()$spark
  model <- round_model()
  expect_match(as_sql(model, con, dbplyr::in_schema("s", "t")), "FROM `s`.`t`", fixed = TRUE)
  rows <- dbplyr::lazy_frame(id = 1L, x = 1, f = "u", con = con, .name = "loans")
  expect_match(as_sql(model, con, rows), "SELECT `id`,\n  `x`,\n  `f`,\n  CASE", fixed = TRUE)
  sqlite <- local_database("sqlite")
  table <- put_table(sqlite, data.frame(id = 1:2, x = c(0, NA), f = "u"), "as_sql_rows")
  withr::defer(DBI::dbRemoveTable(sqlite, "as_sql_rows"))
  text <- as_sql(model, sqlite, "as_sql_rows", type = "prob")
  expect_identical(text, as_sql(model, sqlite, table, type = "prob"))
  found <- DBI::dbGetQuery(sqlite, text)
  expect_close(found[4:5], predict(model, data.frame(x = c(0, NA), f = "u"), type = "prob"))
})

test_that("a simulated block of numbers has all its patterns, or only the complete one", {
  con <- simulated()$sqlite
  sqlite <- local_database("sqlite")
  covariance <- diag(5) + 0.5
  of <- function(p) {
    names <- paste0("x", seq_len(p))
    bayes_known(c(a = 0.5, b = 0.5), two = likelihood_gaussian(
      mean = matrix(1:2, 2, p, dimnames = list(c("a", "b"), names)),
      covariance = covariance[seq_len(p), seq_len(p)]
    ))
  }
  for (p in c(3, 5)) {
    model <- of(p)
    data <- as.data.frame(matrix(1:3, 3, p))
    names(data) <- paste0("x", seq_len(p))
    data[2, 1] <- NA
    data[3, ] <- NA
    name <- paste0("block", p)
    DBI::dbWriteTable(sqlite, name, data, temporary = TRUE)
    found <- DBI::dbGetQuery(sqlite, as_sql(model, con, name, type = "prob"))
    expected <- predict(model, data, type = "prob")
    if (p == 5) expected[2:3, ] <- NA
    expect_close(found[p + 1:2], expected)
  }
})

test_that("bad arguments are errors", {
  con <- simulated()$spark
  model <- round_model()
  refused <- function(text, ...) {
    expect_error(as_sql(...), text, class = "bayesrisk_error_argument")
  }
  refused("`con` must be a connection", model, 1, "rows")
  refused("`newdata` must be the name", model, con, 1)
  refused("`newdata` must be the name", model, con)
  refused("`newdata` must be the name", model, con, "")
  refused("`type` must be one of", model, con, "rows", type = "speed")
  other <- dbplyr::lazy_frame(x = 1, f = "u", con = dbplyr::simulate_sqlite())
  refused("another database", model, con, other)
  refused("cannot be read", model, local_database("sqlite"), "no_such_table")
  expect_error(as_sql(bayes_naive(), con, "rows"), class = "bayesrisk_error_argument")
})

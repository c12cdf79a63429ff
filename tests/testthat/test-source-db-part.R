# Dates and times in functions of columns.

# A table with the dates and times of 60 rows: in the last ones `late`, a date. The engines have
# literals of both.
dated_table <- function(con, late) {
  rows <- put_table(con, data.frame(
    k = rep(c("a", "b"), 30), id = 1:60, n = c(rep(1, 40), rep(NA, 20))
  ))
  dplyr::tbl(con, dplyr::sql(sprintf(
    "SELECT k, id, n, CASE WHEN n = 1 THEN DATE '2020-01-31' WHEN id > 50 THEN DATE '%s' END AS d,
     CASE WHEN id < 40 THEN TIMESTAMP '2020-01-31 12:00:00' END AS t FROM %s",
    late, dbplyr::remote_name(rows)
  )))
}

for (engine in setdiff(database_engines, c("sqlite", "clickhouse"))) {
  test_that(paste("texts of dates are those of R, or an error:", engine), {
    con <- local_database(engine)
    table <- dated_table(con, "2021-12-01")
    data <- as.data.frame(dplyr::collect(table))
    formulas <- list(
      k ~ substr(as.character(d), 1, 7), k ~ paste(d, "x"), k ~ paste0(d, k), k ~ as.character(d),
      k ~ I(nchar(as.character(as.Date(d))) > 3), k ~ grepl("-12-", d, fixed = TRUE)
    )
    for (formula in formulas) {
      found <- quietly(fit(bayes_naive(laplace = 1), formula, table))
      expected <- quietly(fit(bayes_naive(laplace = 1), formula, data))
      expect_equal(coef(found), coef(expected), label = deparse1(formula))
      scores <- dplyr::collect(predict(expected, table, type = "log_joint"))
      scores <- scores[order(scores$id), ]
      expect_equal(
        scores$.log_joint_a, predict(expected, data[order(data$id), ], type = "log_joint")[, "a"],
        ignore_attr = TRUE
      )
      early <- dated_table(con, "0500-06-01")
      expect_bayesrisk_error(fit(bayes_naive(laplace = 1), formula, early), "data", "dates.*mutate")
      expect_error(
        predict(expected, early), "dates.*mutate", class = "bayesrisk_error_schema"
      )
    }
  })

  test_that(paste("texts of times are an error:", engine), {
    con <- local_database(engine)
    table <- dated_table(con, "2021-12-01")
    for (formula in list(
      k ~ as.character(t), k ~ I(substr(as.character(t), 12, 13) == "12"), k ~ paste(t),
      k ~ toupper(t), k ~ I(nchar(t) > 19), k ~ I(grepl("12:", t, fixed = TRUE)),
      k ~ as.character(coalesce(t, t)), k ~ paste(dplyr::if_else(id > 3, t, t)),
      k ~ as.character(as.POSIXct(k))
    )) {
      expect_bayesrisk_error(
        fit(bayes_naive(laplace = 1), formula, table), "data", "writes times.*mutate"
      )
    }
  })
}

test_that("Spark: times are no texts of another time zone", {
  con <- local_database("spark")
  table <- dated_table(con, "2021-12-01")
  formula <- k ~ I(t > "2020-01-31 11:30:00")
  data <- as.data.frame(dplyr::collect(table))
  expect_equal(
    coef(fit(bayes_naive(laplace = 1), formula, table)),
    coef(fit(bayes_naive(laplace = 1), formula, data))
  )
  run_statement(con, "SET spark.sql.session.timeZone = America/St_Johns")
  withr::defer(run_statement(con, "SET spark.sql.session.timeZone = UTC"))
  expect_bayesrisk_error(fit(bayes_naive(laplace = 1), formula, table), "data", "time zone")
})

test_that("SQLite: dates are stored as numbers, which have other texts", {
  con <- local_database("sqlite")
  data <- data.frame(y = c("u", "v"), d = as.Date("2020-01-31") + 1:60)
  expect_bayesrisk_error(
    fit(bayes_naive(laplace = 1), y ~ substr(as.character(d), 1, 7), put_table(con, data)), "data",
    "numbers as text"
  )
})

for (engine in database_engines) {
  test_that(paste("types that no likelihood reads are named:", engine), {
    con <- local_database(engine)
    skip_if(engine == "sqlite", "SQLite has no dates.")
    data <- data.frame(y = rep(c("a", "b"), 5L), x = 1:10 / 3, day = as.Date("2020-01-01") + 1:10)
    table <- put_table(con, data)
    expect_identical(
      said_error(fit(bayes_naive(), y ~ x + day, table)),
      said_error(fit(bayes_naive(), y ~ x + day, data))
    )
    expect_error(fit(bayes_naive(), day ~ x, table), "day", class = "bayesrisk_error_data")
  })

  test_that(paste("hostile names of columns:", engine), {
    con <- local_database(engine)
    data <- database_example(engine)$data[c("species", "sl", "shape")]
    names(data) <- c("the \"class\"", "a b;--", "\u00e9't\u00e9`")
    spec <- bayes_naive(laplace = 1)
    table <- put_table(con, data)
    formula <- stats::reformulate(".", as.name(names(data)[[1L]]))
    for (strategy in c("sql", "stream")) {
      expect_as_in_memory(
        bayes_statistics(spec, formula, lazy_table(table, strategy)),
        bayes_statistics(spec, formula, data)
      )
    }
  })
}

test_that("a column of numbers and text is an error", {
  con <- local_database("sqlite")
  table <- put_table(con, data.frame(y = c("a", "b"), x = c(1, 2)))
  name <- as.character(dbplyr::remote_name(table))
  mixed <- sprintf("SELECT y, CASE WHEN x > 1 THEN 'oops' ELSE x END AS x FROM %s", name)
  expect_error(
    fit(bayes_naive(), y ~ x, dplyr::tbl(con, dplyr::sql(mixed))), "both numbers and text",
    class = "bayesrisk_error_data"
  )
})

test_that("large whole numbers are numbers", {
  con <- local_database("postgresql")
  query <- "SELECT CAST(g % 2 AS TEXT) AS y, CAST(4000000000 + g AS BIGINT) AS x,
    CAST(g AS DECIMAL(20, 3)) / 7 AS d FROM generate_series(1, 20) AS g"
  g <- 1:20
  found <- bayes_statistics(bayes_naive(), y ~ x + d, dplyr::tbl(con, dplyr::sql(query)))
  rows <- data.frame(y = as.character(g %% 2), x = 4e9 + g, d = g / 7)
  expect_as_in_memory(found, bayes_statistics(bayes_naive(), y ~ x + d, rows))
})

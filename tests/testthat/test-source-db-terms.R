for (engine in database_engines) {
  test_that(paste("functions of columns are those of R:", engine), {
    con <- local_database(engine)
    example <- database_example(engine)
    table <- put_table(con, example$data)
    k <- 1 / 3
    for (formula in list(
      species ~ I(grp / 2), species ~ I(n * 2L) + I(sl * k), species ~ sqrt(sl) + abs(pl - 3),
      species ~ ifelse(sl > 1 / 3, "b\\s", "it's"), species ~ I(sl + 1e8 + 1 / 3),
      toupper(species) ~ sl,
      species ~ I(shape == "long"), species ~ I(shape %in% c("long", "short")), species ~ I(-n^2)
    )) {
      found <- bayes_statistics(bayes_naive(laplace = 1), formula, lazy_table(table, "sql"))
      expected <- bayes_statistics(bayes_naive(laplace = 1), formula, example$memory)
      expect_as_in_memory(found, expected)
    }
    half <- 2.5
    found <- bayes_statistics(
      bayes_naive(), species ~ sl, table, weights = w * half, subset = n / 2 > half - 1
    )
    expected <- bayes_statistics(
      bayes_naive(), species ~ sl, example$memory, weights = w * half, subset = n / 2 > half - 1
    )
    expect_as_in_memory(found, expected)
  })
}

test_that("what SQL cannot say, or says otherwise, is an error", {
  con <- local_database("sqlite")
  table <- put_table(con, database_example("sqlite")$data)
  expect_error(
    fit(bayes_naive(laplace = 1), species ~ toupper(shape), table), "other values in SQL",
    class = "bayesrisk_error_data"
  )
  expect_error(
    fit(bayes_naive(), species ~ lgamma(sl), table), "SQL|database", class = "bayesrisk_error_data"
  )
  expect_error(
    fit(bayes_naive(), species ~ sl, table, subset = 1:50), "columns of the table",
    class = "bayesrisk_error_argument"
  )
  expect_error(
    fit(bayes_naive(), species ~ sl, table, weights = rep(1, 150)), "columns of the table",
    class = "bayesrisk_error_argument"
  )
})

test_that("exponents need rows in memory", {
  data <- overlapping()
  spec <- bayes_naive(temper = TRUE)
  for (source in list(chunked(data, 50L), data_parts(list(data)))) {
    expect_error(fit(spec, y ~ x1, source), "memory", class = "bayesrisk_error_argument")
  }
  con <- local_database("sqlite")
  table <- put_table(con, data)
  expect_error(fit(spec, y ~ x1, table), "memory", class = "bayesrisk_error_argument")
})

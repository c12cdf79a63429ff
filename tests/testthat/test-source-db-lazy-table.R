test_that("lazy_table() checks its arguments and keeps the table", {
  con <- local_database("sqlite")
  table <- put_table(con, data.frame(x = 1))
  chosen <- lazy_table(table, "sql", rows = 10)
  expect_identical(class(chosen), class(table))
  expect_identical(attr(chosen, "bayesrisk_reading"), list(strategy = "sql", rows = 10L))
  expect_error(lazy_table(iris), "lazy table", class = "bayesrisk_error_argument")
  expect_error(lazy_table(), class = "bayesrisk_error_argument")
  expect_error(lazy_table(table, "fast"), class = "bayesrisk_error_argument")
  expect_error(lazy_table(table, rows = 0), class = "bayesrisk_error_argument")
})

test_that("the name of the class in the place of its values is an error, as in memory", {
  data <- data.frame(y = c("a", "b", "a"), x = c(1, 2, 3))
  table <- put_table(local_database("sqlite"), data)
  for (rows in list(data, table)) {
    expect_bayesrisk_error(fit(bayes_naive(), rows, "y"), "argument", "y ~ \\., data")
    expect_bayesrisk_error(fit_xy(bayes_naive(), rows, "y"), "argument", "y ~ \\., data")
  }
})

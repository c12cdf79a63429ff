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

test_that("an assessment reads the columns that the cost names", {
  con <- local_database("sqlite")
  data <- data.frame(
    y = rep(c("a", "b"), 20), x = sin(1:40), fee = 1:40 / 40, other = 1:40, z = cos(1:40)
  )
  table <- put_table(con, data)
  model <- fit(bayes_naive(), y ~ x, data)
  fixed <- cost_matrix(a = c(a = 0, b = 2), b = c(a = 1, b = 0))
  by_fee <- cost_matrix(a = list(a = 0, b = ~ 1 + fee), b = c(a = 1, b = 0))
  by_name <- cost_matrix(a = list(a = 0, b = ~ .data[["fee"]]), b = c(a = 1, b = 0))
  read <- list(c("x", "y"), c("fee", "x", "y"), names(data))
  costs <- list(fixed, by_fee, by_name)
  for (i in seq_along(costs)) {
    sent <- queries_of(found <- assess_decisions(model, table, cost = costs[[i]]), "open_query")
    used <- names(data)[vapply(names(data), function(name) {
      any(grepl(sprintf("AS `%s`", name), sent, fixed = TRUE))
    }, NA)]
    expect_setequal(used, read[[i]])
    expected <- assess_decisions(model, data, cost = costs[[i]])
    expect_equal(as.data.frame(found), as.data.frame(expected))
  }
})

guessed_cases <- function(table, formula = y ~ .) {
  task <- fit_request(formula, rlang::quo(), rlang::quo(), stats::na.pass, 1L)
  read_table(table, c(task, single = TRUE), rlang::current_env())
}

for (engine in database_engines) {
  test_that(paste("one pass gives the moments of two:", engine), {
    con <- local_database(engine)
    set.seed(4)
    rows <- data.frame(y = sample(c("a", "b"), 3000L, TRUE), x = rnorm(3000) + 1e8, z = rexp(3000))
    rows$constant <- ifelse(rows$y == "a", 0.1, 0.3)
    rows$z[5:20] <- NA
    table <- lazy_table(put_table(con, rows), "sql")
    cases <- guessed_cases(table)
    expect_true(cases$summed)
    expect_as_in_memory(
      bayes_statistics(bayes_naive(), y ~ ., table), bayes_statistics(bayes_naive(), y ~ ., rows)
    )
    rows$w <- runif(3000)
    table <- lazy_table(put_table(con, rows), "sql")
    expect_as_in_memory(
      bayes_statistics(bayes_naive(), y ~ ., table, weights = w),
      bayes_statistics(bayes_naive(), y ~ ., rows, weights = w)
    )
  })
}

test_that("first rows that are unlike the others are no guess", {
  con <- local_database("sqlite")
  unlike <- list(
    class = data.frame(y = rep(c("a", "b"), each = 1000), x = c(rnorm(1000), rnorm(1000) + 50)),
    constant = data.frame(y = rep(c("a", "b"), each = 1000), x = c(rnorm(1000), rep(0.1, 1000))),
    missing = data.frame(y = c("a", "b"), x = c(rep(NA, 1000), rnorm(1000) + 1e9)),
    huge = data.frame(y = c("a", "b"), x = c(rnorm(1000), rnorm(1000) * 1e200))
  )
  for (rows in unlike) {
    table <- lazy_table(put_table(con, rows), "sql")
    expect_false(guessed_cases(table)$summed)
    expect_as_in_memory(
      bayes_statistics(bayes_naive(), y ~ x, table), bayes_statistics(bayes_naive(), y ~ x, rows)
    )
  }
  # Their squares are 0 as a double.
  tiny <- data.frame(y = c("a", "b"), x = c(rep(0, 1000), rep(c(1e-170, -1e-170), each = 500)))
  expect_false(guessed_cases(lazy_table(put_table(con, tiny), "sql"))$summed)
  near <- data.frame(y = rep(c("a", "b"), each = 1000), x = rnorm(2000))
  expect_true(guessed_cases(lazy_table(put_table(con, near), "sql"))$summed)
})

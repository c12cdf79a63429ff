# Log densities as SQL, against the engine.

test_that("every likelihood has a form in SQL", {
  # A table of a database has no column that is a bag.
  records <- Filter(function(record) record$kind != "bag", likelihood_records())
  for (record in records) expect_true(is.function(record$log_density), info = record$name)
  expect_identical(setdiff(names(records), names(lazy_models())), character())
})

for (engine in database_engines) {
  test_that(paste("scores are those in memory, with missing, unknown and far values:", engine), {
    con <- local_database(engine)
    data <- lazy_newdata()
    table <- put_table(con, data)
    models <- lazy_models()
    for (name in names(models)) {
      expect_lazy_scores(models[[name]], table, data, c("both", "log_joint"))
    }
  })
}

for (engine in database_engines) {
  test_that(paste("truth values are levels:", engine), {
    con <- local_database(engine)
    data <- data.frame(
      g = c(TRUE, FALSE, NA, TRUE), h = c("v", "u", "z", NA), x = c(1, 3, 2, NA), id = 1:4
    )
    training <- data.frame(
      y = rep(c("a", "b", "b"), 4), g = c(TRUE, FALSE, TRUE, TRUE),
      h = factor(c("v", "u"), c("v", "u", "z")), x = 1:12
    )
    model <- fit(bayes_naive(laplace = 1), y ~ g + h + (x > 2), training)
    expect_lazy_scores(model, put_table(con, data), data, "both")
  })
}

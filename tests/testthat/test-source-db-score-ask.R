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

test_that("a block that keeps its rows is counted by SQL or read, with the same model", {
  con <- local_database("sqlite")
  data <- stats::setNames(iris, c("sl", "sw", "pl", "pw", "species"))
  data$species <- as.character(data$species)
  data$sw[c(3, 120)] <- NA
  table <- put_table(con, data)
  spec <- bayes_full(joint = likelihood_mixture(1:2, starts = 3))
  expected <- fit(spec, species ~ ., data)
  for (strategy in c("sql", "stream")) {
    found <- fit(spec, species ~ ., lazy_table(table, strategy))
    expect_as_in_memory(found, expected)
    expect_identical(coef(found)$numeric, coef(expected)$numeric)
  }
})

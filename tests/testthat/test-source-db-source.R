test_that("types are those of R", {
  con <- local_database("sqlite")
  data <- data.frame(d = 1.5, i = 1L, t = "a", whole = 2, none = NA_character_)
  source <- db_source(put_table(con, data))
  expect_identical(
    db_types(source, source$query),
    c(d = "double", i = "integer", t = "character", whole = "double", none = "character")
  )
  expect_identical(source$names, names(data))
  expect_identical(db_head(source, c("t", "i"), 5L), data.frame(t = "a", i = 1L))
})

test_that("an error of the database is one of the package, with the reason", {
  con <- local_database("sqlite")
  table <- put_table(con, data.frame(y = 1:2, x = 1:2))
  said <- tryCatch(
    fit(bayes_naive(), y ~ x, table, subset = no_such_function(x) > 1),
    error = identity
  )
  expect_s3_class(said, "bayesrisk_error_data")
  expect_match(conditionMessage(said$parent), "no_such_function")
})

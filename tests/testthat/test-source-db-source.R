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

test_that("a simulated table has the types of its data frame", {
  skip_if_not_installed("dbplyr")
  types <- function(...) db_source(...)$simulated
  like <- dbplyr::lazy_frame(
    f = factor("a"), t = "a", n = 1L, d = 1, yes = TRUE, day = Sys.Date(),
    con = dbplyr::simulate_dbi()
  )
  all <- c(
    f = "character", t = "character", n = "integer", d = "double", yes = "logical", day = "other"
  )
  expect_identical(types(like), all)
  expect_identical(types(dplyr::filter(like, n > 1L)), all)
  changed <- dplyr::mutate(dplyr::rename(like, word = t), d = n + 1, n = yes)
  expect_identical(
    types(changed),
    c(f = "character", word = "character", n = "logical", yes = "logical", day = "other")
  )
  expect_null(types(put_table(local_database("sqlite"), data.frame(x = 1))))
})

test_that("names that an engine gives back in upper case are small again", {
  rows <- data.frame(X1 = 1, LO1 = 2)
  expect_named(lower_names(rows, snowflake_dialect), c("x1", "lo1"))
  expect_identical(lower_names(rows, postgresql_dialect), rows)
})

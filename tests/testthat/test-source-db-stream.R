test_that("SQLite streams, others use SQL, and features that SQL does not count are named", {
  con <- local_database("sqlite")
  table <- put_table(con, database_example("sqlite")$data)
  cases <- function(x, dialect = postgresql_dialect) {
    source <- replace(db_source(x), "dialect", list(dialect))
    reading_plan(x, source, FALSE)$strategy
  }
  expect_identical(cases(table, sqlite_dialect), "stream")
  expect_identical(cases(table), "auto")
  expect_identical(cases(lazy_table(table, "stream")), "stream")
  expect_identical(cases(lazy_table(table, "sql"), sqlite_dialect), "sql")
})

test_that("a likelihood of many values is read in blocks, with a message", {
  con <- local_database("postgresql")
  example <- database_example("postgresql")
  table <- lazy_table(put_table(con, example$data), rows = 37)
  spec <- bayes_naive(features = list(pw = likelihood_kernel()))
  expect_message(
    found <- bayes_statistics(spec, species ~ pl + pw + shape, table),
    "SQL does not count pw", class = "bayesrisk_message_reads_rows"
  )
  expect_as_in_memory(found, bayes_statistics(spec, species ~ pl + pw + shape, example$memory))
  expect_no_message_of <- function(table) {
    expect_silent(bayes_statistics(spec, species ~ pw, table))
  }
  expect_no_message_of(lazy_table(table, "sql"))
  expect_no_message_of(lazy_table(table, "stream"))
})

test_that("problems of several blocks are counted together", {
  first <- list(problem = "infinite", bank = 1L, class = NA_integer_, feature = 1L, count = 2)
  second <- Map(c, first, list("no_count", 1L, 2L, 1L, 5))
  united <- unite_problems(unite_problems(NULL, first), second)
  expect_identical(united$problem, c("infinite", "no_count"))
  expect_identical(united$count, c(4, 5))
})

test_that("blocks of any size, also of as many rows as there are", {
  con <- local_database("sqlite")
  data <- database_example("sqlite")$data
  table <- put_table(con, data)
  expected <- bayes_statistics(bayes_naive(), species ~ sl, data)
  for (rows in c(1, 149, 150, 151, 75)) {
    found <- bayes_statistics(bayes_naive(), species ~ sl, lazy_table(table, "stream", rows))
    expect_as_in_memory(found, expected)
  }
})

for (engine in database_engines) {
  test_that(paste0("models of groups are fitted from blocks of rows: ", engine), {
    con <- local_database(engine)
    data <- database_example(engine)$data
    table <- put_table(con, data)
    fitted <- function(table) {
      fit(bayes_naive(), species ~ sl + pl, table, by = grp)
    }
    told <- "bayesrisk_message_reads_rows"
    told_of <- if (engine == "sqlite") expect_no_message else expect_message
    told_of(found <- fitted(lazy_table(table, rows = 40)), class = told)
    expected <- fitted(data)
    expect_identical(names(found), names(expected))
    for (i in seq_along(found)) {
      expect_equal(coef(found[[i]]), coef(expected[[i]]), tolerance = 1e-12)
    }
    expect_error(fitted(lazy_table(table, "sql")), "by", class = "bayesrisk_error_argument")
  })
}

test_that("ranges of a feature are those of memory, also with quartiles", {
  con <- local_database("sqlite")
  example <- database_example("sqlite")
  for (strategy in c("sql", "stream")) {
    table <- lazy_table(put_table(con, example$data), strategy)
    none <- rlang::quo()
    task <- fit_request(species ~ sl + sw, rlang::quo(w), none, na.pass, 1L)
    call <- rlang::current_env()
    found <- read_table(table, task, call)
    expected <- read_cases(example$memory, task, call)
    for (place in 1:2) {
      expect_equal(
        case_range(found, place, TRUE, call), case_range(expected, place, TRUE, call),
        tolerance = 1e-12
      )
      of <- c("weight", "lowest", "highest")
      expect_equal(
        case_range(found, place, FALSE, call)[of], case_range(expected, place, FALSE, call)[of]
      )
    }
  }
})

test_that("different rows are sorted, with their numbers and weights", {
  con <- local_database("sqlite")
  data <- data.frame(y = c("b", "a", "b", "a"), x = c(2, 1, 2, 3), w = c(1, 2, 3, 4))
  none <- rlang::quo()
  task <- fit_request(y ~ x, rlang::quo(w), none, na.pass, 1L)
  cases <- read_table(put_table(con, data), task, rlang::current_env())
  rows <- db_distinct(cases, 1L, NULL)
  expect_equal(rows$g, c(1, 1, 2))
  expect_equal(rows$x1, c(1, 3, 2))
  expect_equal(rows$n, c(1, 1, 2))
  expect_equal(rows$w, c(2, 4, 4))
})

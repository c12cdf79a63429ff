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

# Texts as SQL: with U+0000, and with a byte that is no UTF-8.
unheld_texts <- list(
  sqlite = c("CAST(X'6100' AS TEXT)", "CAST(X'61FF' AS TEXT)"),
  clickhouse = c("unhex('6100')", "unhex('61FF')"),
  spark = c("CAST(X'6100' AS STRING)", "CAST(X'61FF' AS STRING)")
)

for (engine in names(unheld_texts)) {
  test_that(paste("texts that R cannot hold are an error, not other texts:", engine), {
    con <- local_database(engine)
    rows <- data.frame(id = 1:40, s = rep(c("u", "v"), 20), z = 1:40 / 2)
    table <- put_table(con, rows)
    query <- as.character(dbplyr::sql_render(table))
    for (text in unheld_texts[[engine]]) for (other in c("'a'", "'c'")) {
      odd <- dplyr::tbl(con, dplyr::sql(sprintf(
        "SELECT id, s, z, CASE WHEN id < 15 THEN %s WHEN id < 25 THEN %s ELSE 'b' END AS k
         FROM (%s) t", text, other, query
      )))
      for (strategy in c("sql", "stream")) {
        learn <- function(formula) {
          # sparklyr warns of U+0000.
          suppressWarnings(fit(bayes_naive(laplace = 1), formula, lazy_table(odd, strategy)))
        }
        expect_bayesrisk_error(learn(k ~ z), "data", "k.*cannot hold")
        expect_bayesrisk_error(learn(s ~ k + z), "data", "k.*cannot hold")
      }
      expect_bayesrisk_error(
        suppressWarnings(suppressMessages(fit(bayes_naive(), s ~ z, odd, by = k))), "data",
        "k.*cannot hold"
      )
    }
  })
}

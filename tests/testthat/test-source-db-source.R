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

test_that("numbers of all types are those that the driver reads", {
  con <- local_database("postgresql")
  name <- sprintf("bayes_numbers_%d", Sys.getpid())
  DBI::dbExecute(con, "CREATE DOMAIN bayes_share AS NUMERIC(8, 3)")
  DBI::dbExecute(con, sprintf(
    "CREATE TABLE %s AS SELECT i AS id, i %% 2 AS y, CAST(i %% 7 / 10.0 AS REAL) AS single,
     CAST(i %% 5 AS OID) AS oid, CAST(i %% 6 / 7.0 AS bayes_share) AS share,
     CAST(i %% 4 AS MONEY) AS price FROM generate_series(1, 60) i", name
  ))
  withr::defer({
    DBI::dbExecute(con, paste("DROP TABLE", name))
    DBI::dbExecute(con, "DROP DOMAIN bayes_share")
  })
  table <- dplyr::tbl(con, name)
  memory <- DBI::dbGetQuery(con, paste("SELECT * FROM", name, "ORDER BY id"))
  memory$oid <- as.double(memory$oid) # oid is unsigned, so SQL makes it a larger type
  spec <- bayes_naive(features = list(single = likelihood_empirical()))
  formula <- y ~ single + oid + share + I(single * 10)
  model <- fit(spec, formula, memory)
  for (strategy in c("sql", "stream")) {
    expect_as_in_memory(fit(spec, formula, lazy_table(table, strategy)), model)
  }
  expect_lazy_scores(model, table, memory, "both")
  weighted <- fit(bayes_naive(), y ~ oid, memory, weights = single)
  expect_as_in_memory(fit(bayes_naive(), y ~ oid, table, weights = single), weighted)
  cost <- cost_matrix(a = list("0" = 0, "1" = ~single), b = list("0" = 0.2, "1" = 0))
  expect_lazy_decisions(model, table, memory, cost)
  # The driver reads 2 dollars as 0.
  for (ask in list(quote(fit(spec, y ~ price, table)), quote(fit(spec, y ~ I(price), table)),
                   quote(fit(bayes_naive(), y ~ oid, table, weights = price)))) {
    said <- tryCatch(eval(ask), bayesrisk_error = conditionMessage)
    expect_match(cli::ansi_strip(said), "(?s)price has the type money.*mutate", perl = TRUE)
  }
})

test_that("a table whose names dplyr refuses is an error of the package", {
  con <- local_database("sqlite")
  DBI::dbExecute(con, "CREATE TABLE dotted (y TEXT, \"..1\" DOUBLE)")
  withr::defer(DBI::dbRemoveTable(con, "dotted"))
  expect_error(fit(bayes_naive(), y ~ ., lazy_table(dplyr::tbl(con, "dotted"), "sql")),
               "column ..1.*Rename it", class = "bayesrisk_error_data")
})

for (engine in database_engines) {
  test_that(paste("a column under another name has no value in the first rows:", engine), {
    con <- local_database(engine)
    data <- data.frame(
      y = rep(c("u", "v"), 30), s = c(rep(NA, 20), rep(c(1, 5, 2, 7), 10)), z = 1:60 + 0.5
    )
    table <- put_table(con, data)
    for (verb in c(
      function(t) dplyr::rename(t, score = s), function(t) dplyr::rename(t, score = s, s = z),
      function(t) dplyr::mutate(t, z = s, score = z), function(t) dplyr::transmute(t, y, score = s)
    )) {
      # In ClickHouse `s AS score, z AS s` makes s of z, and score of that.
      held <- as.data.frame(dplyr::collect(verb(table)))
      expected <- quietly(fit(bayes_naive(laplace = 1), y ~ I(score > 3), held))
      found <- quietly(fit(bayes_naive(laplace = 1), y ~ I(score > 3), verb(table)))
      expect_equal(coef(found), coef(expected))
    }
  })
}

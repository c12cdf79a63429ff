test_that("extremes and conditions of any number are found in groups", {
  con <- local_database("sqlite")
  value <- function(sql) ask_rows(con, paste("SELECT", sql, "AS v"))$v
  expect_equal(value(db_extreme(as.character(1:1000), "MAX")), 1000)
  expect_equal(value(db_any(rep("1 = 0", 3000))), 0)
  expect_equal(value(db_any(character())), 0)
})

hostile <- c("it's", "a\"q", "b\\s", "\u00e9t\u00e9", "A", "a", "a ", "", "NA", "%_", "a;--", "`x`",
             "${x}", "$${env:HOME}{}")

for (engine in database_engines) {
  test_that(paste("names and texts arrive unchanged, and texts are told apart:", engine), {
    con <- local_database(engine)
    source <- list(con = con, dialect = db_dialect(con))
    found <- ask_rows(con, paste("SELECT", toString(paste(
      db_text(hostile, source), "AS", paste0("x", seq_along(hostile))
    ))))
    expect_identical(enc2utf8(as.character(unlist(found))), hostile)
    names <- setdiff(hostile, c("", "a ", "A"))
    if (engine == "spark") names <- grep("${", names, fixed = TRUE, value = TRUE, invert = TRUE)
    found <- ask_rows(con, paste("SELECT", toString(paste("1 AS", db_name(names, source)))))
    expect_identical(enc2utf8(names(found)), names)
    table <- put_table(con, data.frame(y = hostile))
    query <- as.character(dbplyr::sql_render(table))
    code <- db_case(
      source$dialect$text("y"), db_values(hostile, "character", source),
      seq_along(hostile)
    )
    rows <- ask_rows(con, db_select(
      c(g = code, n = "COUNT(*)"), db_sub(query), group = code
    ))
    expect_setequal(as.numeric(rows$g), seq_along(hostile))
  })

  test_that(paste("one value of many is found:", engine), {
    con <- local_database(engine)
    source <- list(con = con, dialect = db_dialect(con))
    levels <- c(hostile, sprintf("l%d", 1:300))
    table <- put_table(con, data.frame(id = seq_len(length(levels) + 2L), y = c(levels, "m", NA)))
    code <- db_case(
      source$dialect$text("y"), db_values(levels, "character", source),
      c("NULL", seq_along(levels)[-1L]), "0"
    )
    rows <- ask_rows(con, db_select(
      c(id = "id", g = code), db_sub(as.character(dbplyr::sql_render(table)))
    ))
    expect_identical(as.numeric(rows$g)[order(rows$id)], c(NA, seq_along(levels)[-1L], 0, 0))
  })
}

test_that("SELECT has names, conditions and groups", {
  expect_identical(
    db_select(c(a = "x + 1", "y"), db_sub("q"), c("x > 1", "y > 2"), "y"),
    "SELECT x + 1 AS a, y FROM (q) bayes_t WHERE x > 1 AND y > 2 GROUP BY y"
  )
  expect_identical(db_select("*", "t"), "SELECT * FROM t")
  expect_identical(
    db_case("x", 1:2, 3:4),
    "CASE WHEN x = 1 THEN 3 WHEN x = 2 THEN 4 ELSE NULL END"
  )
  expect_identical(db_case("x", character(), character(), "0"), "0")
  many <- db_first(sprintf("x = %d", 1:10000), 1:10000)
  expect_length(gregexpr("THEN CASE", many)[[1L]], 100L)
})

test_that("simulated connections quote, too", {
  skip_if_not_installed("dbplyr")
  of <- function(con) list(con = con, dialect = db_dialect(con))
  for (con in list(dbplyr::simulate_mssql(), dbplyr::dialect_mssql())) {
    expect_identical(db_name("a]b", of(con)), "[a]]b]")
    expect_identical(db_text(c("it's", "b"), of(con)), c("N'it''s'", "N'b'"))
  }
  clickhouse <- of(dbplyr::simulate_dbi("ClickhouseConnection"))
  expect_identical(db_name("b\\s", clickhouse), "\"b\\\\s\"")
  expect_identical(db_text("b\\'s", of(dbplyr::simulate_postgres())), "E'b\\\\''s'")
  expect_identical(db_text("b\\'s", of(dbplyr::simulate_mariadb())), "_utf8mb4 X'625C2773'")
})

for (engine in database_engines) {
  test_that(paste("the engine's own client gives numbers, texts and names exactly:", engine), {
    con <- local_database(engine)
    like <- list2DF(list(
      x = c(1 / 3, NA, -1e300), "a\"b <c>&amp;" = c("a\"b\n<c>&amp;\t\\'\u00e9", NA, ""),
      big = c(Inf, 1.5, 1e22), yes = c(TRUE, NA, FALSE)
    ))
    if (engine == "mariadb") like$big[[1L]] <- 7
    table <- put_table(con, like)
    rows <- client_rows(con, as.character(dbplyr::sql_render(table)), like)
    expect_identical(rows, like)
    expect_error(client_rows(con, "SELECT x FROM no_such_table"), "no_such_table")
  })
}

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

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

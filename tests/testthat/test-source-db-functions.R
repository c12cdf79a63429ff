# R's functions as SQL, through R's driver and by the engine's own client, against R.

# Numbers and texts that engines differ in. MariaDB has no infinite numbers.
awkward <- function(engine) {
  x <- c(-1e300, -1e10 - 0.5, -2.5, -1.5, -1, -0.5, -1e-5, 0, 1e-300, 0.5, 1, 1.5, 2, 2.5, 3,
         1e10 + 0.5, 1e19, 1e300, NA, if (engine != "mariadb") c(-Inf, Inf))
  data.frame(
    id = seq_along(x), x = x, z = rep_len(c(1, NA, 0, 3, -2), length(x)), i = seq_along(x) - 5L,
    f = rep_len(c("a", "A", "a ", " b", "it's", "b\\s", "", "12", NA, "100%_", "a.b"), length(x)),
    g = rep_len(c("\u00e9t\u00e9", "x\u00e9"), length(x))
  )
}

# Functions with R's values in every engine.
sure_functions <- alist(
  log(x), log10(x), log2(x), log(x, 2), log(x, base = 3), exp(x), exp(-x), sqrt(x), abs(x),
  sign(x), floor(x), ceiling(x), trunc(x), round(x), round(x / 2),
  floor(x / 2) / ceiling(id + 0.5), x^0.5, x^-1, (z - 1)^3, 2^z, x^0, (z^2 + 1)^i, x / 0, 1 / x,
  z / x, x / 3, i / 2L, -x, +x, z * 1e300, x + 1e300, 0.1 * z, x - 1 / 3, i %in% 1:3, pmin(x, 1),
  pmax(x, z), pmin(x, z, 0), pmax(x, z, na.rm = TRUE), pmin(1, x, z, na.rm = TRUE), is.na(x),
  is.na(x > 1), ifelse(x > 0, 1, 2), ifelse(is.na(x), 0, x), ifelse(x > 0, NA, 3),
  ifelse(x > 0, "p", "it's"), ifelse(x > 0, z > 0, x > -1), ifelse(x > 0, z > 0, z),
  cut(x, c(-Inf, 0, 2, Inf)), cut(x, c(0, 1, 2)), cut(x, c(2, 0, 1), right = FALSE),
  cut(x, c(0, 1, 2.5), c("lo", "hi"), include.lowest = TRUE), cut(x, 0:3, labels = FALSE),
  x %in% c(1, 2.5), x %in% c(1, NA), !(x %in% c(1, NA)), x %in% NA, !(f %in% "a"),
  f %in% c("a", NA), as.integer(x), as.numeric(x > 1), as.integer(x > 1), as.logical(z),
  as.character(x > 1), x > 1, x >= 1 & z < 2, x == 2.5, x != 1, !(x > 1), x > 1 | z > 1,
  xor(x > 1, z > 1), !z, x > 1 & NA, (x > 1) * 2, (x > 1) + (z > 1), (x > 1) == (z > 1), x < Inf,
  ((x)), f == "a", f != "a", f == "it's", f == "", f == "b\\s", tolower(f) == "A",
  toupper(f) == "A", tolower(f), toupper(f), nchar(g), nchar(f), substr(f, 1, 1), substr(g, 2, 3),
  substr(f, 0, 2), paste(f), paste0(f, "x", g), paste(f, x > 1, sep = "-"), paste("b\\", f, 1),
  is.na(f), ifelse(is.na(f), "none", f), grepl("a", f), grepl(".", f, fixed = TRUE),
  !grepl("%", f, fixed = TRUE)
)

# Functions that differ between R and some engine.
unsure_functions <- alist(
  x %% 3, i %% 2L, round(x, 1), round(x, -1), signif(x, 2), log(x, 0.5), log(2, x), sinh(x),
  tanh(x), bitwAnd(i, 1L), as.character(x), as.character(i), nchar(x), paste(x, f), toupper(i),
  f < "b", f >= "b", pmin(f, "b"), f + 1, f == 1, f %in% 1:2, as.logical(f),
  ifelse(x > 0, "a", x), !f, trimws(f), sub("a", "b", f), gsub("a", "b", f), grepl("^a", f),
  grepl("a", f, ignore.case = TRUE)
)

sure_query <- function(source, data) {
  types <- column_types(source, names(data))
  sql <- vapply(sure_functions, function(e) {
    db_function(e, source, types, globalenv(), deparse1(e), NULL)
  }, "")
  columns <- stats::setNames(sql, paste0("v", seq_along(sql)))
  paste(db_select(columns, db_sub(source$query)), "ORDER BY id")
}

expect_values_of_r <- function(value, e, data, dialect) {
  expected <- suppressWarnings(eval(e, data))
  if (is.factor(expected)) expected <- as.character(expected)
  if (is.character(expected)) expected <- enc2utf8(expected)
  expected[is.nan(expected)] <- NA
  if (is.numeric(expected)) {
    value <- as.numeric(value)
    endless <- which(abs(value) >= dialect$endless)
    value[endless] <- sign(value[endless]) * Inf
    expect_equal(value, as.vector(expected), tolerance = 1e-14, label = deparse1(e))
  } else {
    if (is.logical(expected)) value <- client_value(tolower(value), NA)
    expect_identical(value, expected, label = deparse1(e))
  }
}

for (engine in database_engines) {
  test_that(paste("functions of awkward values are those of R:", engine), {
    con <- local_database(engine)
    data <- awkward(engine)
    source <- db_source(put_table(con, data))
    query <- sure_query(source, data)
    by_client <- client_rows(con, query)
    in_r <- ask_rows(con, query)
    for (i in seq_along(sure_functions)) {
      expect_values_of_r(by_client[[i]], sure_functions[[i]], data, source$dialect)
      expect_values_of_r(as.character(in_r[[i]]), sure_functions[[i]], data, source$dialect)
    }
  })

  test_that(paste("functions that engines compute in their own ways are errors:", engine), {
    con <- local_database(engine)
    data <- awkward(engine)
    source <- db_source(put_table(con, data))
    types <- column_types(source, names(data))
    for (e in unsure_functions) {
      expect_error(
        db_function(e, source, types, globalenv(), deparse1(e), NULL), "other values in SQL",
        class = "bayesrisk_error_data", label = deparse1(e)
      )
    }
  })
}

modes <- list(
  sqlite = "PRAGMA case_sensitive_like = 1",
  postgresql = c("SET standard_conforming_strings = off", "SET extra_float_digits = 3"),
  mariadb = sprintf("SET sql_mode = '%s'", c(
    "", "ANSI,NO_BACKSLASH_ESCAPES", "TRADITIONAL,HIGH_NOT_PRECEDENCE,PAD_CHAR_TO_FULL_LENGTH"
  )),
  duckdb = c("SET integer_division = true", "SET ieee_floating_point_ops = false"),
  spark = "SET spark.sql.ansi.enabled = false"
)

for (engine in database_engines) {
  test_that(paste("the mode of an engine changes no value:", engine), {
    con <- local_database(engine)
    data <- awkward(engine)
    table <- put_table(con, data)
    model <- bayes_known(c("it's" = 0.5, "b\\s" = 0.5), f = rbind(
      "it's" = c(a = 0.25, "b\\s" = 0.5, "it's" = 0.25), "b\\s" = c(0.5, 0, 0.5)
    ))
    queries <- c(sure_query(db_source(table), data), as_sql(model, con, table, type = "both"))
    run <- function() lapply(queries, function(query) suppressWarnings(ask_rows(con, query)))
    usual <- run()
    expect_identical(as.character(usual[[2L]]$.pred_class), as.character(
      quietly(predict(model, data))
    ))
    for (mode in modes[[engine]]) {
      suppressMessages(suppressWarnings(run_statement(con, mode)))
      expect_identical(run(), usual, label = mode)
    }
  })
}

test_that("texts that are no numbers", {
  for (engine in database_engines) {
    con <- local_database(engine)
    table <- put_table(con, data.frame(y = c("p", "n"), s = c("1.5", "-2e3", "7", NA, "0.5", "4")))
    learn <- function() fit(bayes_naive(), y ~ I(as.numeric(s) + as.integer(s)), table)
    if (!db_dialect(con)$strict_numbers) {
      expect_error(learn(), "makes a number of any text", class = "bayesrisk_error_data")
    } else {
      expected <- fit(bayes_naive(), y ~ I(as.numeric(s) + as.integer(s)), as.data.frame(table))
      expect_equal(coef(learn()), coef(expected))
    }
  }
})

test_that("SQLite is asked whether texts have other letters than ASCII", {
  con <- local_database("sqlite")
  data <- data.frame(y = c("p", "n"), s = c("a", "b", "b", "a"), id = 1:60)
  table <- put_table(con, data)
  model <- fit(bayes_naive(laplace = 1), y ~ toupper(s), table)
  expect_equal(coef(model), coef(fit(bayes_naive(laplace = 1), y ~ toupper(s), data)))
  data$s[[50L]] <- "\u00e9"
  later <- put_table(con, data)
  expect_error(fit(bayes_naive(laplace = 1), y ~ toupper(s), later), "lower case of some letters",
               class = "bayesrisk_error_data")
  expect_error(
    predict(model, later), "lower case of some letters", class = "bayesrisk_error_schema"
  )
})

test_that("missing and infinite values that come after the first rows", {
  for (engine in database_engines) {
    con <- local_database(engine)
    data <- data.frame(id = 1:30, z = 1:30 / 7, w = c(1:25, rep(NA, 5)) / 3,
                       y = rep(c("a", "b", "b"), 10))
    table <- put_table(con, data)
    model <- fit(bayes_naive(), y ~ pmax(w, z), lazy_table(table, "sql"))
    expect_equal(coef(model), coef(fit(bayes_naive(), y ~ pmax(w, z), data)))
    expect_lazy_scores(model, table, data, "both")
    cost <- cost_matrix(
      A = list(a = 0, b = ~ pmax(w, 1)), B = list(a = ~ pmin(w, 9, na.rm = TRUE), b = 0)
    )
    expect_lazy_decisions(model, table, data, cost)
    data$z[[30L]] <- 0
    table <- put_table(con, data)
    expect_error(fit(bayes_naive(), y ~ log(z), lazy_table(table, "sql")), "Infinite",
                 class = "bayesrisk_error_data")
  }
})

test_that("an engine without truth values, or whose functions count bytes, has its own forms", {
  skip_if_not_installed("dbplyr")
  written <- function(con, e) {
    source <- db_source(dbplyr::lazy_frame(x = 1, f = "a", yes = TRUE, con = con))
    types <- column_types(source, source$names)
    db_function(e, source, types, globalenv(), "e", NULL)
  }
  mssql <- dbplyr::simulate_mssql()
  expect_match(
    written(mssql, quote(x > 1)),
    "^CASE WHEN \\(.* > 1.0.*\\) THEN CAST\\(1 AS BIT\\) WHEN NOT .* THEN CAST\\(0 AS BIT\\) END$"
  )
  expect_identical(
    written(mssql, quote(yes * 2)),
    "((CASE WHEN [yes] = 1 THEN 1e0 WHEN NOT [yes] = 1 THEN 0e0 END) * 2.0000000000000000e+00)"
  )
  expect_match(written(mssql, quote(f == "a ")), "+ N'.' = N'a ' + N'.')", fixed = TRUE)
  clickhouse <- dbplyr::simulate_dbi("ClickhouseConnection")
  expect_identical(written(clickhouse, quote(nchar(f))), "lengthUTF8(\"f\")")
  expect_identical(written(clickhouse, quote(substr(f, 1, 2))), "substringUTF8(\"f\", 1, 2)")
  expect_match(written(clickhouse, quote(f %in% c("a", "b"))), "f\" IS NOT NULL AND", fixed = TRUE)
})

for (engine in database_engines) {
  test_that(paste("functions of columns are those of R:", engine), {
    con <- local_database(engine)
    example <- database_example(engine)
    table <- put_table(con, example$data)
    k <- 1 / 3
    for (formula in list(
      species ~ I(grp / 2), species ~ I(n * 2L) + I(sl * k), species ~ sqrt(sl) + abs(pl - 3),
      species ~ ifelse(sl > 1 / 3, "b\\s", "it's"), species ~ I(sl + 1e8 + 1 / 3),
      toupper(species) ~ sl,
      species ~ I(shape == "long"), species ~ I(shape %in% c("long", "short")), species ~ I(-n^2),
      species ~ cut(sl, c(0, 5, 6, 10, 60)) + cut(pl, c(0, 3, 90, 900), ordered_result = TRUE)
    )) {
      found <- bayes_statistics(bayes_naive(laplace = 1), formula, lazy_table(table, "sql"))
      expected <- bayes_statistics(bayes_naive(laplace = 1), formula, example$memory)
      expect_as_in_memory(found, expected)
    }
    half <- 2.5
    found <- bayes_statistics(
      bayes_naive(), species ~ sl, table, weights = w * half, subset = n / 2 > half - 1
    )
    expected <- bayes_statistics(
      bayes_naive(), species ~ sl, example$memory, weights = w * half, subset = n / 2 > half - 1
    )
    expect_as_in_memory(found, expected)
  })
}

test_that("what SQL cannot say, or says otherwise, is an error", {
  con <- local_database("sqlite")
  table <- put_table(con, database_example("sqlite")$data)
  expect_error(
    fit(bayes_naive(laplace = 1), species ~ toupper(shape), table), "other values in SQL",
    class = "bayesrisk_error_data"
  )
  expect_error(
    fit(bayes_naive(), species ~ lgamma(sl), table), "SQL|database", class = "bayesrisk_error_data"
  )
  expect_error(
    fit(bayes_naive(), species ~ sl, table, subset = 1:50), "columns of the table",
    class = "bayesrisk_error_argument"
  )
  expect_error(
    fit(bayes_naive(), species ~ sl, table, weights = rep(1, 150)), "columns of the table",
    class = "bayesrisk_error_argument"
  )
})

test_that("an unknown name in weights or subset is an error that names it, as in memory", {
  con <- local_database("sqlite")
  data <- database_example("sqlite")$data
  limits <- list(low = 4)
  for (rows in list(data, put_table(con, data))) {
    refused <- function(expr, name) {
      expect_error(expr, name, class = "bayesrisk_error_argument")
    }
    refused(fit(bayes_naive(), species ~ sl, rows, weights = nope), "weights.*nope")
    refused(fit(bayes_naive(), species ~ sl, rows, weights = nope * w), "weights.*nope")
    refused(fit(bayes_naive(), species ~ sl, rows, subset = nope > sl), "subset.*nope")
    refused(fit(bayes_naive(), species ~ sl, rows, weights = .data$nope), "weights.*nope")
    part <- fit(bayes_naive(), species ~ sl, rows, subset = sl > limits$low & .data$n < 6)
    expect_identical(part$rows$used, sum(data$n < 6) + 0)
  }
})

# In a process of its own, because an error with a % used to end the process.
test_that("PostgreSQL: no error that cites a % harms R", {
  skip_if_not_installed("callr")
  con <- local_database("postgresql")
  data <- data.frame(
    y = rep(c("a", "b"), 10), x = as.double(1:20), s = rep(c("%n%s", "b", "c", "b"), 5),
    good = rep(c("1.5", "2", "3", "7"), 5), `50%` = as.double(20:1), check.names = FALSE
  )
  name <- dbplyr::remote_name(put_table(con, data))
  said <- callr::r(function(folder, name) {
    con <- suppressWarnings(DBI::dbConnect(
      RPostgres::Postgres(), host = folder, port = 5499L, user = "bayes", dbname = "postgres"
    ))
    table <- dplyr::tbl(con, name)
    text_of <- function(expr) {
      error <- tryCatch(expr, bayesrisk_error_data = identity, bayesrisk_error_schema = identity)
      cause <- if (!is.null(error$parent)) conditionMessage(error$parent)
      cli::ansi_strip(paste(conditionMessage(error), cause))
    }
    naive <- bayesrisk::bayes_naive(laplace = 1)
    plain <- bayesrisk::fit(naive, y ~ I(x %% 3), as.data.frame(table))
    learn <- function(formula, ...) bayesrisk::fit(naive, formula, table, ...)
    remainder <- dplyr::mutate(table, r = x %% 3)
    list(
      operator = text_of(learn(y ~ I(x %% 3))), subset = text_of(learn(y ~ x, subset = x %% 3 > 0)),
      new = text_of(predict(plain, table)),
      level = text_of(learn(y ~ x, subset = s == "%n%s" & no_such_function(x) > 1)),
      name = text_of(learn(y ~ x, subset = no_such_function(`50%`) > 1)),
      streamed = text_of(bayesrisk::fit(
        naive, y ~ x, bayesrisk::lazy_table(table, "stream"), subset = no_such_function(`50%`) > 1
      )),
      own = text_of(bayesrisk::fit(naive, y ~ r, remainder)),
      own_groups = text_of(bayesrisk::fit(naive, y ~ x, remainder, by = s)),
      value = text_of(learn(y ~ x, subset = as.numeric(s) > 0)),
      levels = coef(learn(y ~ s + `50%` + I(s == "%n%s"))),
      numbers = coef(learn(y ~ I(as.numeric(good))))
    )
  }, list(servers$postgresql, name))
  for (name in c("operator", "subset", "new")) expect_match(said[[name]], "%%")
  for (name in c("level", "name", "streamed")) expect_match(said[[name]], "no_such_function")
  for (name in c("own", "own_groups")) expect_match(said[[name]], "double precision % numeric")
  expect_match(said$value, "(percent)n(percent)s", fixed = TRUE)
  naive <- bayes_naive(laplace = 1)
  expect_equal(said$levels, coef(fit(naive, y ~ s + `50%` + I(s == "%n%s"), data)))
  expect_equal(said$numbers, coef(fit(bayes_naive(), y ~ I(as.numeric(good)), data)))
})

for (engine in database_engines) {
  test_that(paste("a function has its type and values after 20 rows without any:", engine), {
    con <- local_database(engine)
    data <- data.frame(y = rep(c("u", "v"), 30), a = c(rep(NA, 20), rep(c(1, -1, 1, 1), 10)))
    table <- put_table(con, data)
    for (formula in list(y ~ ifelse(a > 0, "x", "z"), y ~ ifelse(a > 0, 2, 5) + I(a > 0))) {
      expected <- quietly(fit(bayes_naive(laplace = 1), formula, data))
      expect_equal(coef(quietly(fit(bayes_naive(laplace = 1), formula, table))), coef(expected))
      found <- dplyr::collect(predict(expected, table, type = "prob"))
      posterior <- predict(expected, data, type = "prob")
      expect_equal(sort(as.numeric(found$.pred_u)), sort(posterior[, "u"]), ignore_attr = TRUE)
    }
  })

  test_that(paste("what is NaN in R is missing inside of functions:", engine), {
    con <- local_database(engine)
    data <- data.frame(
      y = rep(c("u", "v"), 30), a = c(1:20, rep(0, 40)), b = c(20:1, rep(c(0, 1), 20)),
      m = c(1:20, rep(c(-8, NA), 20)), e = c(rep(2, 20), rep(c(0.5, 0), 20))
    )
    table <- put_table(con, data)
    endless <- Inf
    formulas <- list(
      y ~ is.na(m^e), y ~ I(log(a) - log(b) > 0), y ~ is.na(log(a) - log(b)),
      y ~ I(0 * log(b) >= 0), y ~ is.na(log(a) / Inf), y ~ I(log(a) / endless >= -1),
      y ~ is.na(m^log(a)), y ~ I(m^-log(b) > 1)
    )
    # MariaDB has no infinite numbers.
    if (engine == "mariadb") formulas <- formulas[1L]
    for (formula in formulas) {
      expect_equal(
        coef(quietly(fit(bayes_naive(laplace = 1), formula, table))),
        coef(quietly(fit(bayes_naive(laplace = 1), formula, data))), label = deparse1(formula)
      )
    }
  })
}

test_that("letters whose case Spark changes otherwise, and dates as numbers, are errors", {
  con <- local_database("spark")
  data <- data.frame(y = rep(c("u", "v"), 30), s = c(rep("a", 20), rep(c("stra\u00dfe", "b"), 20)))
  table <- put_table(con, data)
  for (formula in c(y ~ toupper(s), y ~ tolower(s))) {
    expect_error(
      fit(bayes_naive(laplace = 1), formula, table), "case", class = "bayesrisk_error_data"
    )
  }
  rows <- "SELECT 'u' AS y, DATE'2020-01-01' AS d UNION ALL SELECT 'v' AS y, DATE'2021-01-01' AS d"
  dates <- dplyr::tbl(con, dplyr::sql(rows))
  expect_error(
    fit(bayes_naive(), y ~ as.numeric(d), dates), "no number", class = "bayesrisk_error_data"
  )
})

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
  log(x), log10(x), log2(x), log1p(x), log1p(z), log1p(x / 1e12), log(x, 2),
  log(x, base = 3), exp(x), exp(-x), sqrt(x), abs(x),
  sign(x), floor(x), ceiling(x), trunc(x), round(x), round(x / 2),
  floor(x / 2) / ceiling(id + 0.5), x^0.5, x^-1, (z - 1)^3, 2^z, x^0, (z^2 + 1)^i, x / 0, 1 / x,
  z / x, x / 3, i / 2L, -x, +x, z * 1e300, x + 1e300, 0.1 * z, x - 1 / 3, i %in% 1:3, pmin(x, 1),
  pmax(x, z), pmin(x, z, 0), pmax(x, z, na.rm = TRUE), pmin(1, x, z, na.rm = TRUE), is.na(x),
  is.na(x > 1), ifelse(x > 0, 1, 2), ifelse(is.na(x), 0, x), ifelse(x > 0, NA, 3),
  ifelse(x > 0, "p", "it's"), ifelse(x > 0, z > 0, x > -1), ifelse(x > 0, z > 0, z),
  cut(x, c(-Inf, 0, 2, Inf)), cut(x, c(0, 1, 2)), cut(x, c(2, 0, 1), right = FALSE),
  cut(x, c(0, 1, 2.5), c("lo", "hi"), include.lowest = TRUE), cut(x, 0:3, labels = FALSE),
  cut(x, c(0, 1, 2, 3), c("lo", "lo", "hi")), cut(x, c(3, 0, 2), c(7, 7), right = FALSE),
  ifelse(test = x > 0, no = 1, yes = 2), dplyr::if_else(x > 0, "p", "q", missing = "m"),
  ifelse(cut(x, 0:2, c("a", "b")) == "a", 1, 2), dplyr::if_else(x > 0, z, id + 0, 9),
  dplyr::if_else(x > 0, z > 0, NA), (z - 1)^(i * 0.5),
  x %in% c(1, 2.5), x %in% c(1, NA), !(x %in% c(1, NA)), x %in% NA, !(f %in% "a"),
  f %in% c("a", NA), as.integer(x), as.numeric(x > 1), as.integer(x > 1), as.logical(z),
  as.character(x > 1), x > 1, x >= 1 & z < 2, x == 2.5, x != 1, !(x > 1), x > 1 | z > 1,
  xor(x > 1, z > 1), !z, x > 1 & NA, (x > 1) * 2, (x > 1) + (z > 1), (x > 1) == (z > 1), x < Inf,
  ((x)), base::floor(base::abs(x)), f == "a", f != "a", f == "it's", f == "", f == "b\\s",
  tolower(f) == "A", toupper(f) == "A", tolower(f), toupper(f), nchar(g), nchar(f), substr(f, 1, 1),
  substr(g, 2, 3), substr(f, 0, 2), paste(f), paste0(f, "x", g), paste(f, x > 1, sep = "-"),
  paste("b\\", f, 1),
  is.na(f), ifelse(is.na(f), "none", f), grepl("a", f), grepl(".", f, fixed = TRUE),
  !grepl("%", f, fixed = TRUE)
)

test_that("Spark gets no expression that it cannot plan", {
  skip_if_not_installed("dbplyr")
  data <- data.frame(y = c("a", "b"), x = c(1, 2, 4, 8), z = c(2, 1, 1, 3))
  model <- fit(bayes_naive(), y ~ I(round(log2(x / z)) / round(log2(z + x) + 1)), data)
  expect_error(
    as_sql(model, dbplyr::simulate_spark_sql(), "rows"), "characters in SQL",
    class = "bayesrisk_error"
  )
  expect_no_error(as_sql(model, dbplyr::simulate_postgres(), "rows"))
})

# Functions that differ between R and some engine.
unsure_functions <- alist(
  factorial(i), x %% 3, i %% 2L, base::signif(x, 2), round(x, 1), round(x, -1), signif(x, 2),
  log(x, 0.5),
  log(2, x), sinh(x), tanh(x), bitwAnd(i, 1L), as.character(x), as.character(i), nchar(x),
  paste(x, f), toupper(i), f < "b", f >= "b", pmin(f, "b"), f + 1, f == 1, f %in% 1:2,
  as.logical(f), ifelse(x > 0, "a", x), !f, trimws(f), sub("a", "b", f), gsub("a", "b", f),
  grepl("^a", f), grepl("a", f, ignore.case = TRUE), grepl(c("a", "b"), f, fixed = TRUE),
  grepl(NA_character_, f, fixed = TRUE), x^Inf, x^-Inf, nchar(f, "bytes"),
  cut(x, c(0, 1, 2), c("a", NA)), ifelse(x > 0, cut(x, 0:2), NA), as.integer(cut(x, 0:2)),
  ifelse(z > 0, "a", (cut(x, 0:2, c("a", "b"))))
)

sure_query <- function(source, data) {
  types <- column_types(source, names(data))
  sql <- vapply(sure_functions, function(e) {
    db_function(e, source, types, globalenv(), deparse1(e), NULL)$sql
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
    db_function(e, source, types, globalenv(), "e", NULL)$sql
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

for (engine in database_engines) {
  test_that(paste("weights and subsets are those of R, or refused:", engine), {
    con <- local_database(engine)
    data <- data.frame(
      k = rep(c("a", "b"), 20), x = rep(1:5, 8) / 2, w = 1:40 / 10,
      s = c(rep(c("p", "q"), 15), rep(NA, 10)), t = rep(c("stra\u00dfe", "street"), each = 20)
    )
    table <- put_table(con, data)
    rows <- function(data, ...) bayes_statistics(bayes_naive(), k ~ x, data, ...)
    none <- character()
    nothing <- numeric()
    expect_as_in_memory(
      rows(table, subset = !(s %in% none) & !(x %in% nothing)), rows(data)
    )
    expect_as_in_memory(
      rows(table, weights = ifelse(s %in% none, 2, w)), rows(data, weights = w)
    )
    for (weights in alist(w / sum(w), w * length(w), w / max(w, 100))) {
      expect_error(
        rlang::inject(rows(table, weights = !!weights)), "other rows|SQL|database",
        class = "bayesrisk_error"
      )
    }
    expect_error(
      rows(table, subset = x > mean(x)), "other rows|database", class = "bayesrisk_error"
    )
    expect_bayesrisk_error(rows(table, subset = w), "argument", "TRUE or FALSE")
    floor <- function(x) x + 1
    expect_bayesrisk_error(rows(table, weights = floor(w)), "data", "SQL")
    upper <- tryCatch(
      rows(table, subset = toupper(t) == "STREET"), bayesrisk_error_data = function(e) NULL
    )
    if (!is.null(upper)) expect_as_in_memory(upper, rows(data, subset = t == "street"))
  })

  test_that(paste("NaN is not among missing values:", engine), {
    con <- local_database(engine)
    data <- data.frame(k = rep(c("a", "b"), 15), x = c(rep(1, 23), NA, NA, rep(NaN, 5)))
    table <- put_table(con, data)
    # Some engines have no NaN.
    data <- as.data.frame(dplyr::collect(table))
    formula <- k ~ I(x %in% NA) + I(x %in% c(1, NA)) + I(!(x %in% c(1, NA)))
    found <- bayes_statistics(bayes_naive(), formula, table)
    expect_as_in_memory(found, bayes_statistics(bayes_naive(), formula, data))
    expect_bayesrisk_error(
      bayes_statistics(bayes_naive(), k ~ I(-x %in% NA), table), "data", "NaN"
    )
  })

  test_that(paste("a grouped fit reads the columns that its formula leaves out:", engine), {
    con <- local_database(engine)
    data <- data.frame(
      k = rep(c("a", "b"), 20), x = rep(1:5, 8) / 2, id = 1:40, s = rep(c("p", "q"), each = 20)
    )
    found <- suppressMessages(fit(bayes_naive(), k ~ . - id, put_table(con, data), by = s))
    expected <- fit(bayes_naive(), k ~ . - id, data, by = s)
    expect_equal(coef(found[["p"]]), coef(expected[["p"]]), tolerance = 1e-12)
  })
}

for (engine in database_engines) {
  test_that(paste("a logarithm is whole for powers of 2 and 10:", engine), {
    con <- local_database(engine)
    rows <- data.frame(id = 1:600, b = 2^(-299:300), d = 10^rep(-9:20, 20), t = 3)
    source <- db_source(put_table(con, rows))
    types <- column_types(source, names(rows))
    sql <- vapply(alist(log2(b), log(b, 2), log10(d), log(t, 3)), function(e) {
      db_function(e, source, types, globalenv(), "e", NULL)$sql
    }, "")
    found <- ask_rows(con, paste(
      db_select(c("id", stats::setNames(sql, paste0("v", 1:4))), db_sub(source$query)),
      "ORDER BY id"
    ))
    expect_identical(as.double(found$v1), as.double(-299:300))
    expect_identical(as.double(found$v2), as.double(-299:300))
    expect_identical(as.double(found$v3), log10(rows$d))
    expect_identical(as.double(found$v4), rep(1, 600))
  })

  test_that(paste("exp() reaches the ends of the doubles:", engine), {
    con <- local_database(engine)
    x <- c(-750, -746, -745.14, -745.13, -745, -740, -720, -709, -708, -705, -702, -700, 700, 709.5)
    data <- data.frame(id = seq_along(x), x = x)
    source <- db_source(put_table(con, data))
    types <- column_types(source, names(data))
    sql <- db_function(quote(exp(x)), source, types, globalenv(), "e", NULL)$sql
    found <- ask_rows(con, paste(
      db_select(c("id", v = sql), db_sub(source$query)), "ORDER BY id"
    ))$v
    # Below 2e-308 doubles lie 5e-324 apart.
    expect_lte(max(abs(found - exp(x)) / pmax(exp(x) * 1e-14, 1e-323)), 1)
    model <- bayes_known(c(a = 0.5, b = 0.5), x = likelihood_gaussian(
      mean = c(a = 0, b = 0.1), sd = 1
    ))
    rows <- data.frame(id = 1:3, x = c(37, 37.5, 38))
    joint <- collect_new(predict(model, put_table(con, rows), type = "joint"), rows)
    expect_equal(
      log(as.matrix(joint[1:2])), log(predict(model, rows, type = "joint")), tolerance = 1e-12,
      ignore_attr = TRUE
    )
  })

  test_that(paste("the type of ifelse() is not that of the first rows alone:", engine), {
    con <- local_database(engine)
    later <- rep(c(NA, TRUE, FALSE), 10)
    data <- data.frame(
      k = rep(c("a", "b"), 30), l = c(rep(c(TRUE, FALSE, FALSE), 10), later), x = sin(1:60)
    )
    table <- put_table(con, data)
    # Without truth values of its own, an engine has numbers in both branches.
    if (engine %in% c("sqlite", "mariadb")) skip("No truth values.")
    for (rows in list(data, table)) {
      for (formula in list(k ~ ifelse(is.na(l), 5, l), ifelse(is.na(l), 5, l) ~ x)) {
        expect_error(
          fit(bayes_naive(), formula, rows), "other rows|truth values",
          class = "bayesrisk_error_data"
        )
      }
    }
  })
}

test_that("Spark: dates of times are those of UTC, and other parts of times are no others", {
  con <- local_database("spark")
  run_statement(con, "SET spark.sql.session.timeZone = America/St_Johns")
  withr::defer(run_statement(con, "SET spark.sql.session.timeZone = UTC"))
  table <- dplyr::tbl(con, dplyr::sql(
    "SELECT CASE WHEN id % 2 = 0 THEN 'a' ELSE 'b' END AS k, CAST(id AS DOUBLE) AS x,
     TIMESTAMP'2020-01-01 12:00:00' + make_dt_interval(0, CAST(id AS INT), 0, 0) AS t,
     DATE'2020-01-01' AS d FROM range(60)"
  ))
  data <- as.data.frame(dplyr::collect(table))
  day <- as.Date("2020-01-03")
  formula <- k ~ I(as.Date(t) > as.Date("2020-01-02")) + I(as.Date(d) < day)
  found <- bayes_statistics(bayes_naive(), formula, table)
  expect_as_in_memory(found, bayes_statistics(bayes_naive(), formula, data))
  found <- bayes_statistics(bayes_naive(), k ~ x, table, subset = as.Date(t) == day)
  expect_as_in_memory(
    found, bayes_statistics(bayes_naive(), k ~ x, data, subset = as.Date(t) == day)
  )
  hour <- function(x) as.POSIXlt(x)$hour
  # Written as text: no test needs the package.
  for (formula in lapply(c("k ~ hour(t)", "k ~ lubridate::hour(t)"), stats::as.formula)) {
    expect_bayesrisk_error(bayes_statistics(bayes_naive(), formula, table), "data", "time zone")
  }
})

test_that("a term without a column is an error, whatever functions the database has", {
  con <- local_database("sqlite")
  table <- put_table(con, database_example("sqlite")$data)
  for (formula in c(species ~ sl + random(), species ~ sl + I(pi), species ~ sl + runif(10))) {
    expect_bayesrisk_error(fit(bayes_naive(), formula, table), "data", "no column of the table")
  }
})

# Numbers and texts of which the first 20 rows show no aggregate: none is missing, and they are
# alike.
even_start <- function() {
  data.frame(
    y = rep(c("a", "b"), 30), v = c(rep(2, 20), 1:37, NA, NA, NA), s = rep(c("p", "q", "q"), 20)
  )
}

# Functions of columns that do, in R and in a database, depend on other rows.
functions_of_all <- alist(
  ifelse(is.na(v), mean(v, na.rm = TRUE), v), v - mean(v), pmin(v, 0.5 + max(v) / 2), rank(v),
  lag(v), dplyr::lag(v), dplyr::lead(v, default = 2), cumsum(v), stats::median(v), quantile(v, 0.5),
  v / n(), v / dplyr::n(), v + sd(v), row_number(v), ntile(v, 2), first(v), v - n_distinct(v),
  v > min(v) | is.na(v), ifelse(is.na(v), length(v), v), s == max(s), paste(s, max(s)),
  v %in% max(v), case_when(is.na(v) ~ mean(v), TRUE ~ v), min_rank(v), any(v > 30) & v > 1
)

for (engine in database_engines) {
  test_that(paste("what depends on other rows is an error, whatever the first rows:", engine), {
    con <- local_database(engine)
    data <- even_start()
    table <- put_table(con, data)
    known <- bayes_known(
      c(a = 0.5, b = 0.5), v = likelihood_gaussian(mean = c(a = 1, b = 9), sd = 3)
    )
    source <- db_source(table)
    types <- column_types(source, names(data))
    said <- function(expr, kind, text) {
      error <- rlang::catch_cnd(expr, "bayesrisk_error")
      expect_s3_class(error, paste0("bayesrisk_error_", kind))
      expect_match(conditionMessage(error), text, label = deparse1(e))
    }
    for (e in functions_of_all) {
      said(db_function(e, source, types, globalenv(), "e", NULL), "data", "other rows.*uses them")
    }
    for (e in functions_of_all[1:2]) {
      cost <- rlang::inject(cost_matrix(a = c(a = 0, b = 1), b = list(a = ~ abs(!!e), b = 0)))
      said(decide(known, cost, newdata = table), "schema", "other rows.*~ x / m")
      feature <- rlang::inject(y ~ I(!!e))
      class <- rlang::inject(ifelse(!!e > 1, "x", "z") ~ v)
      for (way in c("sql", "stream")) {
        rows <- lazy_table(table, way)
        said(fit(bayes_naive(), feature, rows), "data", "other rows.*m <- mean")
        said(fit(bayes_naive(), class, rows), "data", "other rows.*class once")
        said(
          rlang::inject(fit(bayes_naive(), y ~ v, rows, weights = abs(!!e))), "argument",
          "weights.*other rows"
        )
        said(
          rlang::inject(fit(bayes_naive(), y ~ v, rows, subset = (!!e) > 0)), "argument",
          "subset.*other rows"
        )
      }
    }
  })

  test_that(paste("a constant and a function of one row are no aggregate:", engine), {
    con <- local_database(engine)
    data <- even_start()
    table <- put_table(con, data)
    limits <- c(3, 9)
    for (formula in list(
      y ~ pmin(v, max(limits)), y ~ I(v - mean(limits)), y ~ ifelse(is.na(v), sum(limits, 1), v),
      y ~ cut(v, c(-Inf, stats::median(limits), Inf)), y ~ I(v %in% range(limits))
    )) {
      spec <- bayes_naive(laplace = 1)
      expect_as_in_memory(
        bayes_statistics(spec, formula, table), bayes_statistics(spec, formula, data)
      )
    }
  })
}

test_that("an aggregate that has another name in R is an error", {
  con <- local_database("sqlite")
  table <- put_table(con, even_start())
  total <- function(x) sum(x)
  expect_bayesrisk_error(
    fit(bayes_naive(), y ~ ifelse(is.na(v), total(v), v), table), "data", "depends on other rows"
  )
  expect_bayesrisk_error(
    fit(bayes_naive(), y ~ v, table, weights = ifelse(is.na(v), total(v), v)), "argument",
    "other rows"
  )
})

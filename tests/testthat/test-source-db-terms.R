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
    formulas <- list(
      y ~ is.na(m^e), y ~ I(log(a) - log(b) > 0), y ~ is.na(log(a) - log(b)), y ~ I(0 * log(b) >= 0)
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

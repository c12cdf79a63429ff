# Columns with the names of SQL's own columns, and with a prefix of these.
own_names <- function() {
  data <- withr::with_seed(5, data.frame(
    y = rep(c("p", "q", "q"), 40), x1 = stats::rnorm(120, 3), x2 = stats::rnorm(120, -2),
    x3 = stats::rexp(120), w = rep(1:4 / 2, 30), v = stats::rpois(120, 2), n = 1:120 %% 5,
    g = rep(c("s", "t"), 60), d1 = stats::rnorm(120), f = stats::rnorm(120), id = 1:120,
    fee = stats::runif(120), bayes_x1 = stats::rnorm(120), lo1 = stats::rnorm(120)
  ))
  data$x2[3] <- NA
  data$d1[4] <- NA
  data
}

own_formulas <- list(
  y ~ x2 + x1, y ~ log(x3) + I(x1 / 2), y ~ w + n + v + g, g ~ f + d1 + id + fee + y,
  y ~ bayes_x1 + x1 + lo1
)

for (engine in database_engines) {
  test_that(paste("types that no likelihood reads are named:", engine), {
    con <- local_database(engine)
    skip_if(engine == "sqlite", "SQLite has no dates.")
    data <- data.frame(y = rep(c("a", "b"), 5L), x = 1:10 / 3, day = as.Date("2020-01-01") + 1:10)
    table <- put_table(con, data)
    lines <- strsplit(said_error(fit(bayes_naive(), y ~ x + day, table)), "\n")[[1L]]
    expect_identical(
      lines[[1L]], strsplit(said_error(fit(bayes_naive(), y ~ x + day, data)), "\n")[[1L]][[1L]]
    )
    # A formula has no number of a date in a database.
    expect_match(lines[-1L], "in the database.*mutate")
    expect_error(fit(bayes_naive(), y ~ as.numeric(day), table), class = "bayesrisk_error")
    expect_error(fit(bayes_naive(), day ~ x, table), "day", class = "bayesrisk_error_data")
    expect_bayesrisk_error(
      fit(bayes_naive(), y ~ x, table, weights = day), "argument", "numbers.*none in R"
    )
  })

  test_that(paste("hostile names of columns:", engine), {
    con <- local_database(engine)
    data <- database_example(engine)$data[c("species", "sl", "shape")]
    names(data) <- c("the \"class\"", "a b;--", "\u00e9't\u00e9`")
    spec <- bayes_naive(laplace = 1)
    table <- put_table(con, data)
    formula <- stats::reformulate(".", as.name(names(data)[[1L]]))
    for (strategy in c("sql", "stream")) {
      expect_as_in_memory(
        bayes_statistics(spec, formula, lazy_table(table, strategy)),
        bayes_statistics(spec, formula, data)
      )
    }
  })
}

for (engine in database_engines) {
  test_that(paste("columns may have the names of SQL's own columns:", engine), {
    con <- local_database(engine)
    data <- own_names()
    table <- lazy_table(put_table(con, data), "sql")
    for (spec in list(bayes_naive(laplace = 1), bayes_full(laplace = 1))) {
      for (formula in own_formulas) {
        expect_as_in_memory(
          bayes_statistics(spec, formula, table, weights = w + v, subset = n > 0 & x1 < 9),
          bayes_statistics(spec, formula, data, weights = w + v, subset = n > 0 & x1 < 9)
        )
      }
    }
    model <- fit(bayes_full(laplace = 1), y ~ x2 + x1 + g, data)
    expect_lazy_scores(model, table, data, "both")
  })
}

test_that("hiding aliases are found", {
  expect_identical(
    hiding_aliases("SELECT x2 AS x1, x1 AS x2 FROM (SELECT 1 AS b FROM t) q"), c("x1", "x2")
  )
  expect_identical(hiding_aliases("SELECT n, SUM(\"w\") AS w FROM t GROUP BY n"), "w")
  expect_identical(hiding_aliases("SELECT 1 AS n, 'n' AS m FROM t WHERE n > 1"), "n")
  expect_length(
    hiding_aliases("SELECT x AS x, CAST(x AS REAL) AS z FROM (SELECT z AS x FROM t) q"), 0L
  )
})

expect_none_hidden <- function(queries) {
  expect_identical(as.character(unlist(lapply(queries, hiding_aliases))), character())
}

test_that("no alias of a fit hides a column of its SELECT", {
  con <- local_database("sqlite")
  data <- own_names()
  count <- function(spec, formula, table, ...) {
    queries_of(muffle_ours(bayes_statistics(spec, formula, lazy_table(table, "sql"), ...)))
  }
  for (formula in own_formulas) {
    for (spec in list(bayes_naive(laplace = 1), bayes_full(laplace = 1))) {
      sent <- count(spec, formula, put_table(con, data), weights = w + v, subset = n > 0 & x1 < 9)
      expect_none_hidden(sent)
      expect_gt(sum(grepl("AS bayes_x_x1", sent)), 3L)
    }
  }
  # Numbers without a scale of their own, missing values, and a block of nearly dependent features.
  far <- transform(data, x1 = replace(x1, 1:2, c(1e200, NA)), x4 = x2 + 1e-9 * x3)
  for (formula in list(y ~ x1 + x2, y ~ x2 + x4)) {
    table <- put_table(con, far)
    expect_none_hidden(count(bayes_full(), formula, table, na.action = stats::na.omit))
  }
  example <- put_table(con, database_example("sqlite")$data)
  for (case in database_specs()) {
    expect_none_hidden(count(case[[1L]], case[[2L]], example, weights = w))
  }
})

test_that("no alias of a prediction hides a column of its SELECT", {
  skip_on_cran()
  skip_if_not_installed("dbplyr")
  skip_if_not_installed("dplyr")
  con <- dbplyr::simulate_dbi("ClickhouseConnection")
  text <- function(model, data, ...) as_sql(model, con, dbplyr::tbl_lazy(data, con = con), ...)
  for (model in lazy_models()) {
    for (type in c("both", "log_prob", "joint", "decide")) {
      expect_none_hidden(text(model, lazy_training(), type = type))
    }
  }
  data <- own_names()
  model <- fit(bayes_full(laplace = 1), y ~ x2 + x1 + g + tolower(g), data)
  cost <- cost_matrix(A = list(p = 0, q = ~ x1 + fee), B = list(p = ~w, q = 0), ask = 0.3)
  expect_none_hidden(text(model, data, type = "decide", cost = cost))
  table <- put_table(local_database("sqlite"), data)
  expect_none_hidden(queries_of(decide(model, cost, newdata = table)))
})

test_that("a column of numbers and text is an error", {
  con <- local_database("sqlite")
  table <- put_table(con, data.frame(y = c("a", "b"), x = c(1, 2)))
  name <- as.character(dbplyr::remote_name(table))
  mixed <- sprintf("SELECT y, CASE WHEN x > 1 THEN 'oops' ELSE x END AS x FROM %s", name)
  expect_error(
    fit(bayes_naive(), y ~ x, dplyr::tbl(con, dplyr::sql(mixed))), "both numbers and text",
    class = "bayesrisk_error_data"
  )
})

test_that("large whole numbers are numbers", {
  con <- local_database("postgresql")
  query <- "SELECT CAST(g % 2 AS TEXT) AS y, CAST(4000000000 + g AS BIGINT) AS x,
    CAST(g AS DECIMAL(20, 3)) / 7 AS d FROM generate_series(1, 20) AS g"
  g <- 1:20
  found <- bayes_statistics(bayes_naive(), y ~ x + d, dplyr::tbl(con, dplyr::sql(query)))
  rows <- data.frame(y = as.character(g %% 2), x = 4e9 + g, d = g / 7)
  expect_as_in_memory(found, bayes_statistics(bayes_naive(), y ~ x + d, rows))
})

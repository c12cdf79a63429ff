# One table on every engine and through every kind of connection, against the same rows in memory.

hostile_classes <- c("O'Neil", "b\\s", "\u00e9 \"q\" -- ?x")

# Hostile names and texts, missing values, weights; columns that have names which queries use.
# Numbers have 12 digits, because the driver of SQLite for ODBC reads 15.
hostile_table <- function(rows = 240L) {
  withr::local_seed(51)
  k <- rep(1:3, length.out = rows)
  data <- data.frame(
    id = seq_len(rows), y = hostile_classes[k], x1 = stats::rnorm(rows, k),
    x2 = stats::rnorm(rows, -k, 2), x3 = stats::rgamma(rows, 3, k) + 0.1,
    n1 = as.integer(stats::rpois(rows, 2 * k)),
    f = sample(c("u", "v'w", "a\\b"), rows, TRUE, c(0.5, 0.3, 0.2)),
    g = sample(c("north", "\"south\""), rows, TRUE), w = rep(c(1, 2.5, 0.5, 2), length.out = rows),
    fee = stats::runif(rows, 0, 5)
  )
  numbers <- c("x1", "x2", "x3", "fee")
  data[numbers] <- signif(data[numbers], 12)
  data$x1[c(3L, 50L)] <- NA
  data$x2[c(50L, 120L)] <- NA
  data$f[c(7L, 200L)] <- NA
  data
}

hostile_specs <- function() {
  of <- function(...) bayes_naive(laplace = 1, features = list(...))
  list(
    naive = list(bayes_naive(laplace = 1), y ~ x2 + x1 + f),
    functions = list(bayes_naive(), y ~ log(x3) + I(x1 / 2) + x1),
    full = list(bayes_full(), y ~ x2 + x1 + fee),
    pooled = list(bayes_full(covariance = "pooled"), y ~ x1 + x2),
    counts = list(of(n1 = likelihood_poisson()), y ~ n1 + w),
    gamma = list(of(x3 = likelihood_gamma()), y ~ x3 + f),
    histogram = list(of(x2 = likelihood_histogram(width = 1)), y ~ x2 + x1),
    blocks = list(bayes_blocks(list(b = c("x1", "x2")), laplace = 1), y ~ x1 + x2 + f + x3),
    table = list(bayes_full(laplace = 1), y ~ f + g),
    kernel = list(of(x1 = likelihood_kernel()), y ~ x1),
    mixture = list(of(x2 = likelihood_mixture(2)), y ~ x2)
  )
}

hostile_cost <- function() {
  free <- stats::setNames(list(0, 8, 20), hostile_classes)
  cost_matrix(
    "don't" = free, "pay \\ fee" = stats::setNames(list(~ fee, 1, ~ fee + n1), hostile_classes),
    ask = 3
  )
}

# In the order of `id`. The driver of SQLite for ODBC takes the part of a name before a dot for that
# of a table.
collected <- function(lazy) {
  rows <- stats::setNames(as.data.frame(dplyr::collect(lazy)), colnames(lazy))
  rows <- rows[order(as.double(rows$id)), , drop = FALSE]
  rownames(rows) <- NULL
  rows
}

for (engine in database_connections) {
  test_that(paste("models of a table with hostile names and texts:", engine), {
    con <- local_database(engine)
    data <- hostile_table()
    table <- put_table(con, data)
    for (name in names(hostile_specs())) {
      of <- hostile_specs()[[name]]
      for (weighted in c(FALSE, TRUE)) {
        if (weighted && name == "kernel") next
        weights <- if (weighted) quote(w)
        learn <- function(data) {
          muffle_ours(eval(bquote(fit(of[[1L]], of[[2L]], data, weights = .(weights)))))
        }
        expect_as_in_memory(learn(table), learn(data))
      }
    }
    whole <- fit(bayes_naive(), y ~ x1 + x2, data)
    some <- fit(bayes_naive(), y ~ x1 + x2, data[1:100, ])
    expect_as_in_memory(update(some, dplyr::filter(table, id > 100)), whole)
    groups <- suppressMessages(fit(bayes_naive(), y ~ x1 + x2, table, by = g))
    expected <- fit(bayes_naive(), y ~ x1 + x2, data, by = g)
    expect_identical(names(groups), names(expected))
    for (name in names(expected)) expect_as_in_memory(groups[[name]], expected[[name]])
    pooled <- suppressMessages(fit(bayes_naive(), y ~ x1 + x2, table, by = g, pool = 3))
    expected <- fit(bayes_naive(), y ~ x1 + x2, data, by = g, pool = 3)
    for (name in names(expected)) expect_as_in_memory(pooled[[name]], expected[[name]])
  })

  test_that(paste("predictions and decisions for such a table:", engine), {
    con <- local_database(engine)
    data <- hostile_table()
    table <- put_table(con, data)
    for (name in setdiff(names(hostile_specs()), "kernel")) {
      of <- hostile_specs()[[name]]
      model <- fit(of[[1L]], of[[2L]], data)
      found <- collected(predict(model, table, type = "both"))
      expect_close(
        found[paste0(".pred_", hostile_classes)],
        predict(model, data, type = "prob")
      )
      expect_identical(found$.pred_class, as.character(predict(model, data)))
    }
    model <- fit(bayes_naive(laplace = 1), y ~ x2 + x1 + f, data)
    expected <- decide(model, data, hostile_cost())
    decided <- decide(model, table, hostile_cost())
    found <- collected(decided)
    expect_identical(found$.decision, as.character(expected$decision))
    expect_equal(found$.cost, expected$cost, tolerance = 1e-12)
    joined <- dplyr::inner_join(
      dplyr::select(decided, id, .decision), dplyr::filter(table, x3 > 1), by = "id"
    )
    expect_identical(
      collected(joined)$.decision, as.character(expected$decision)[data$x3 > 1]
    )
  })
}

test_that("the driver of PostgreSQL for ODBC: conditions, truth values and single precision", {
  con <- local_database("postgresql odbc")
  data <- data.frame(
    id = 1:40, y = rep(c("a", "b"), 20), yes = rep(c(TRUE, FALSE, NA, TRUE, FALSE), 8),
    x = c(1:39 / 3, NA)
  )
  table <- put_table(con, data)
  name <- as.character(dbplyr::remote_name(table))
  DBI::dbExecute(con, sprintf("ALTER TABLE %s ADD COLUMN s REAL", name))
  DBI::dbExecute(con, sprintf("UPDATE %s SET s = x", name))
  table <- dplyr::tbl(con, name)
  read <- as.data.frame(dplyr::collect(table))
  memory <- data.frame(data, s = read$s[order(read$id)])
  naive <- bayes_naive(laplace = 1)
  formulas <- list(
    y ~ I(x > 2), I(x > 5 & !is.na(x)) ~ s, y ~ s + log(s), y ~ I(x > 2 & !is.na(x))
  )
  for (formula in formulas) {
    expected <- fit(naive, formula, memory)
    for (strategy in c("sql", "stream")) {
      expect_as_in_memory(fit(naive, formula, lazy_table(table, strategy)), expected)
    }
  }
  # A truth value is the number 0 or 1.
  numbers <- transform(memory, yes = as.integer(yes))
  for (strategy in c("sql", "stream")) {
    found <- muffle_ours(fit(naive, y ~ yes, lazy_table(table, strategy)))
    expect_as_in_memory(found, muffle_ours(fit(naive, y ~ yes, numbers)))
  }
  model <- fit(naive, y ~ yes + I(x > 2), memory)
  found <- collected(predict(model, table, type = "prob"))
  expect_close(found[c(".pred_a", ".pred_b")], predict(model, memory, type = "prob"))
  expect_identical(as.numeric(found$.impossible), numeric(40))
})

test_that("the driver of PostgreSQL for ODBC may give truth values", {
  con <- local_database("postgresql odbc", BoolsAsChar = 0)
  expect_true(db_dialect(con)$conditions)
  data <- data.frame(y = rep(c("a", "b"), 20), yes = rep(c(TRUE, FALSE, NA, TRUE, FALSE), 8))
  expect_as_in_memory(
    fit(bayes_naive(laplace = 1), y ~ yes, put_table(con, data)),
    fit(bayes_naive(laplace = 1), y ~ yes, data)
  )
})

test_that("a service of plumber decides through a pool", {
  skip_if_not_installed("plumber")
  pool <- local_database("sqlite pool")
  data <- hostile_table()
  name <- as.character(dbplyr::remote_name(put_table(pool, data)))
  model <- fit(bayes_naive(), y ~ x1 + x2, dplyr::tbl(pool, name))
  answer <- function(id) {
    case <- dplyr::filter(dplyr::tbl(pool, name), id == !!as.integer(id))
    dplyr::collect(dplyr::select(decide(model, case, hostile_cost()), id, .decision))
  }
  service <- plumber::pr_get(plumber::pr(), "/decision", answer)
  none <- list(read = function(...) raw(), read_lines = function(...) "", rewind = function() 0)
  expected <- decide(fit(bayes_naive(), y ~ x1 + x2, data), data, hostile_cost())
  for (id in c(3, 17, 240)) {
    reply <- service$call(list2env(list(
      REQUEST_METHOD = "GET", PATH_INFO = "/decision", QUERY_STRING = paste0("?id=", id),
      rook.input = none
    )))
    expect_equal(reply$status, 200)
    expect_identical(jsonlite::fromJSON(reply$body)$.decision,
                     as.character(expected$decision)[[id]])
  }
})

# Whole numbers beyond 2^31 arrive as texts or as missing values, if the connection says so.
for (bigint in c("character", "integer")) {
  for (engine in c("postgresql", "mariadb")) {
    test_that(sprintf("whole numbers that the driver gives as %s: %s", bigint, engine), {
      connect <- if (engine == "postgresql") connect_postgresql else connect_mariadb
      con <- suppressWarnings(connect(bigint = bigint))
      withr::defer(suppressWarnings(DBI::dbDisconnect(con)))
      data <- hostile_table()
      data$n1 <- data$n1 + 8589934592
      table <- dplyr::mutate(put_table(con, data), n1 = dplyr::sql("CAST(n1 AS DECIMAL(20, 0))"))
      for (formula in list(y ~ x1 + f, y ~ n1 + x2)) {
        for (spec in list(bayes_naive(laplace = 1), bayes_full(laplace = 1))) {
          expect_as_in_memory(fit(spec, formula, table), fit(spec, formula, data))
        }
        found <- muffle_ours(fit(bayes_naive(laplace = 1), formula, table, by = g))
        expected <- fit(bayes_naive(laplace = 1), formula, data, by = g)
        for (name in names(expected)) expect_as_in_memory(found[[name]], expected[[name]])
      }
      model <- fit(bayes_naive(laplace = 1), y ~ n1 + f, data)
      expect_equal(
        unclass(estimate_prior(model, table))$prior, unclass(estimate_prior(model, data))$prior,
        tolerance = 1e-10
      )
    })
  }
}

test_that("a type that the driver reads wrong is an error wherever rows are read", {
  con <- local_database("postgresql")
  money <- dplyr::sql("CAST(CAST(x3 AS NUMERIC) AS MONEY)")
  table <- dplyr::mutate(put_table(con, hostile_table()), mo = money)
  model <- fit(bayes_naive(), y ~ mo + x1, data.frame(
    y = rep(c("a", "b"), 5), mo = 1:10 / 3, x1 = c(1:9, 0)
  ))
  for (use in list(
    function() fit(bayes_naive(), y ~ mo, table),
    function() fit(bayes_naive(), y ~ mo, table, by = g),
    function() estimate_prior(model, table), function() predict(model, table)
  )) {
    expect_error(muffle_ours(use()), "has the type money", class = "bayesrisk_error")
  }
  # Others may use a table with such a column.
  found <- muffle_ours(fit(bayes_naive(), y ~ x1, table, by = g))
  expect_identical(names(found), c("\"south\"", "north"))
})

test_that("a table without columns of the model has the error of memory", {
  data <- data.frame(other = 1:4)
  table <- put_table(local_database("sqlite"), data)
  model <- bayes_known(c(a = 0.5, b = 0.5), x = likelihood_gaussian(mean = c(a = 0, b = 1), sd = 1))
  expected <- said_error(estimate_prior(model, data))
  expect_identical(said_error(estimate_prior(model, table)), expected)
})

for (engine in c("duckdb", "clickhouse")) {
  test_that(paste("the text for a pool is that for its connection:", engine), {
    skip_if_not_installed("pool")
    con <- local_database(engine)
    name <- as.character(dbplyr::remote_name(put_table(con, data.frame(x = c(0, 1, NA)))))
    lender <- pool::poolCreate(function() con, maxSize = 1)
    withr::defer(pool::poolClose(lender))
    model <- bayes_known(
      c(a = 0.5, b = 0.5), x = likelihood_gaussian(mean = c(a = 0, b = 1), sd = 1)
    )
    expect_identical(
      as_sql(model, lender, dplyr::tbl(lender, name)), as_sql(model, con, dplyr::tbl(con, name))
    )
    expect_identical(as_sql(model, lender, name), as_sql(model, con, name))
  })
}

test_that("the driver of MariaDB for ODBC: bits are numbers", {
  con <- local_database("mariadb odbc")
  data <- data.frame(
    y = rep(c("a", "b"), 20), yes = rep(c(TRUE, FALSE, FALSE, TRUE, NA), 8), x = 1:40 / 3
  )
  table <- put_table(con, data)
  numbers <- transform(data, yes = as.integer(yes))
  naive <- bayes_naive(laplace = 1)
  for (strategy in c("sql", "stream")) {
    found <- muffle_ours(fit(naive, y ~ yes + x, lazy_table(table, strategy)))
    expect_equal(coef(found), coef(muffle_ours(fit(naive, y ~ yes + x, numbers))))
  }
  found <- muffle_ours(fit(naive, y ~ x, dplyr::filter(table, !is.na(yes)), by = yes))
  expect_identical(names(found), c("0", "1"))
  expect_as_in_memory(
    fit(naive, y ~ I(ifelse(yes == 1, x, 2 * x)), table),
    fit(naive, y ~ I(ifelse(yes == 1, x, 2 * x)), numbers)
  )
})

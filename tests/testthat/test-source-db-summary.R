# Hostile levels, offsets, the largest and smallest numbers.
nasty_rows <- function(n = 600L) {
  set.seed(3)
  levels <- c(
    "it's", "a\"q", "b\\s", "\u00e9t\u00e9", "A", "a", "a ", "", "NA", "\u65e5\u672c", "%_", "a;--"
  )
  data.frame(
    y = sample(setdiff(levels, ""), n, TRUE), x = rnorm(n) + 1e8, z = 2^40 + runif(n),
    i = sample(c(2147483647L, -2147483647L, 5L), n, TRUE), f = sample(c(levels, NA), n, TRUE),
    u = rexp(n) * 1e-300, v = rnorm(n) * 1e140, t = rexp(n) * 1e300
  )
}

for (engine in database_engines) {
  test_that(paste("hostile levels and numbers give the model of memory:", engine), {
    con <- local_database(engine)
    rows <- nasty_rows()
    table <- put_table(con, rows)
    cases <- list(
      list(bayes_naive(laplace = 1), y ~ x + z + i), list(bayes_naive(laplace = 1), y ~ f),
      list(bayes_full(laplace = 1), y ~ x + z + f), list(bayes_naive(), y ~ v),
      list(bayes_full(), y ~ v + x), list(bayes_blocks(list(t = c("f", "y2"))), y ~ f + y2)
    )
    table <- dplyr::mutate(table, y2 = ifelse(x > 1e8, "up", "down"))
    rows$y2 <- ifelse(rows$x > 1e8, "up", "down")
    for (strategy in c("sql", "stream")) {
      for (case in cases) {
        expect_as_in_memory(
          bayes_statistics(case[[1L]], case[[2L]], lazy_table(table, strategy)),
          bayes_statistics(case[[1L]], case[[2L]], rows)
        )
      }
    }
  })

  test_that(paste("numbers whose squares leave the range of a double, as in memory:", engine), {
    con <- local_database(engine)
    rows <- nasty_rows(200L)
    table <- put_table(con, rows)
    for (spec in list(bayes_naive(), bayes_full())) {
      for (formula in list(y ~ t, y ~ u, y ~ x + t)) {
        expected <- said_error(fit(spec, formula, rows))
        for (strategy in c("sql", "stream")) {
          expect_identical(said_error(fit(spec, formula, lazy_table(table, strategy))), expected)
        }
      }
    }
    smallest <- data.frame(y = rep(c("a", "b"), 20L), x = 1:40 * 2^-1060)
    expected <- said_error(fit(bayes_naive(), y ~ x, smallest))
    table <- lazy_table(put_table(con, smallest), "sql")
    expect_identical(said_error(fit(bayes_naive(), y ~ x, table)), expected)
    # Deviations of 1e-200 have squares that PostgreSQL refuses.
    tiny <- data.frame(y = rep(c("a", "b"), 50L), x = rep(c(-1e-200, 1e-200, 0, 0, 1), 20L))
    expect_as_in_memory(
      bayes_statistics(bayes_naive(), y ~ x, lazy_table(put_table(con, tiny), "sql")),
      bayes_statistics(bayes_naive(), y ~ x, tiny)
    )
  })

  test_that(paste("NaN is missing, an infinite number is an error:", engine), {
    con <- local_database(engine)
    skip_if(engine == "mariadb", "MariaDB has neither.")
    rows <- data.frame(y = rep(c("a", "b"), 10L), x = c(1:20) / 3, v = (20:1)^2)
    dialect <- db_dialect(con)
    odd <- function(which, at) {
      value <- if (which == "NaN" && engine == "sqlite") "NULL" else if (which == "NaN") {
        sprintf("CAST('NaN' AS %s)", dialect$double)
      } else {
        dialect$infinity
      }
      sprintf("SELECT y, v, CASE WHEN x > %s THEN %s ELSE x END AS x FROM %s", at, value, name)
    }
    name <- as.character(dbplyr::remote_name(put_table(con, rows)))
    nan <- dplyr::tbl(con, dplyr::sql(odd("NaN", 6)))
    memory <- transform(rows, x = ifelse(x > 6, NaN, x))
    infinite <- dplyr::tbl(con, dplyr::sql(odd("Infinite", 6)))
    for (strategy in c("sql", "stream")) {
      for (spec in list(bayes_naive(), bayes_full())) {
        for (na in list(na.pass, na.omit)) {
          expect_as_in_memory(
            bayes_statistics(spec, y ~ x + v, lazy_table(nan, strategy), na.action = na),
            bayes_statistics(spec, y ~ x + v, memory, na.action = na)
          )
        }
        expect_identical(
          said_error(fit(spec, y ~ x + v, lazy_table(infinite, strategy))),
          said_error(fit(spec, y ~ x + v, transform(rows, x = ifelse(x > 6, Inf, x))))
        )
      }
      expect_identical(
        said_error(fit(bayes_naive(), y ~ x, lazy_table(nan, strategy), na.action = na.fail)),
        said_error(fit(bayes_naive(), y ~ x, memory, na.action = na.fail))
      )
    }
  })

  test_that(paste("weights of any size:", engine), {
    con <- local_database(engine)
    rows <- data.frame(
      y = rep(c("a", "b"), 10L), x = c(1:20) / 3, v = (20:1)^2, w = rep(c(1e-200, 3, 0, 1e5), 5L),
      large = 1e308
    )
    table <- put_table(con, rows)
    for (spec in list(bayes_naive(), bayes_full())) {
      found <- bayes_statistics(spec, y ~ x + v, lazy_table(table, "sql"), weights = w)
      expect_equal(found, bayes_statistics(spec, y ~ x + v, rows, weights = w), tolerance = 1e-12)
    }
    expect_identical(
      said_error(fit(bayes_naive(), y ~ x, table, weights = large)),
      said_error(fit(bayes_naive(), y ~ x, rows, weights = large))
    )
  })
}

for (engine in database_engines) {
  test_that(paste("a class that is NaN is missing:", engine), {
    con <- local_database(engine)
    data <- data.frame(k = c(NaN, NaN, rep(0:1, 10)), x = c(1, 2, sin(1:20)))
    table <- put_table(con, data)
    for (strategy in c("sql", "stream")) {
      lazy <- lazy_table(table, strategy)
      found <- bayes_statistics(bayes_naive(), k ~ x, lazy, na.action = na.omit)
      expect_as_in_memory(found, bayes_statistics(bayes_naive(), k ~ x, data, na.action = na.omit))
      for (policy in list(na.fail, na.pass)) {
        expect_identical(
          said_error(fit(bayes_naive(), k ~ x, lazy, na.action = policy)),
          said_error(fit(bayes_naive(), k ~ x, data, na.action = policy))
        )
      }
    }
  })
}

ways <- list(
  plain = function(spec, formula, data) bayes_statistics(spec, formula, data),
  weights = function(spec, formula, data) bayes_statistics(spec, formula, data, weights = w),
  subset = function(spec, formula, data) {
    least <- 5
    bayes_statistics(spec, formula, data, subset = sl > least)
  },
  omit = function(spec, formula, data) {
    bayes_statistics(spec, formula, data, na.action = na.omit)
  }
)

# A database in memory has one connection.
one_state <- setdiff(database_engines, c("duckdb", without_transactions))
for (engine in c(one_state, "postgresql pool")) {
  test_that(paste("rows that are added between the queries do not count:", engine), {
    con <- local_database(engine)
    other <- local_database(engine)
    data <- database_example(engine)$data
    table <- lazy_table(put_table(con, data), "sql")
    name <- as.character(dbplyr::remote_name(table))
    none <- rlang::quo()
    task <- fit_request(species ~ sl + pl + shape, none, none, na.pass, 1L)
    call <- rlang::current_env()
    found <- with_table(table, function(table) {
      cases <- read_table(table, task, call)
      DBI::dbExecute(other, sprintf("INSERT INTO %s SELECT * FROM %s", name, name))
      collect(bayes_full(), cases, call)
    }, call, snapshot = TRUE)
    expect_as_in_memory(found, bayes_statistics(bayes_full(), species ~ sl + pl + shape, data))
    after <- bayes_statistics(bayes_full(), species ~ sl + pl + shape, table)
    expect_identical(after$rows$used, 300)
  })
}

for (engine in without_transactions) {
  test_that(paste("rows that are added between the queries are an error:", engine), {
    con <- local_database(engine)
    data <- database_example(engine)$data
    none <- rlang::quo()
    call <- rlang::current_env()
    specs <- list(bayes_full(), bayes_naive(numeric = likelihood_poisson()), bayes_naive())
    for (i in seq_along(specs)) for (strategy in c("sql", "stream")) {
      table <- lazy_table(put_table(con, data), strategy)
      task <- fit_request(species ~ n + grp, none, none, na.pass, 1L)
      name <- as.character(dbplyr::remote_name(table))
      expect_error(with_table(table, function(table) {
        cases <- read_table(table, task, call)
        run_statement(con, sprintf("INSERT INTO %s SELECT * FROM %s WHERE sl > 7", name, name))
        collect(specs[[i]], cases, call)
      }, call, snapshot = TRUE), "changed while they were read", class = "bayesrisk_error_data")
    }
  })
}

for (engine in database_engines) {
  for (strategy in c("sql", "stream")) {
    test_that(sprintf("statistics equal those of memory: %s, %s", engine, strategy), {
      con <- local_database(engine)
      example <- database_example(engine)
      table <- lazy_table(put_table(con, example$data), strategy, rows = 40)
      specs <- database_specs()
      for (i in seq_along(specs)) {
        # In long tests each specification in all ways, otherwise in one: another in each engine.
        turn <- i + match(engine, database_engines) + (strategy == "sql")
        some <- if (long_tests()) ways else ways[turn %% length(ways) + 1L]
        for (way in some) {
          found <- do.call(way, c(specs[[i]], list(table)))
          expect_as_in_memory(found, do.call(way, c(specs[[i]], list(example$memory))))
        }
      }
    })
  }

  test_that(paste("update() adds the rows of a table:", engine), {
    con <- local_database(engine)
    example <- database_example(engine)
    parts <- list(1:110, 41:150)
    formula <- species ~ sl + shape + log(pl)
    spec <- bayes_naive(laplace = 1)
    before <- fit(spec, formula, example$memory[parts[[1L]], ])
    table <- put_table(con, example$data[parts[[2L]], ])
    for (strategy in c("sql", "stream")) {
      found <- update(before, lazy_table(table, strategy))
      expected <- update(before, example$memory[parts[[2L]], ])
      expect_equal(found$statistics, expected$statistics, tolerance = 1e-12)
      expect_equal(coef(found), coef(expected), tolerance = 1e-12)
    }
    expect_identical(update(before, dplyr::filter(table, sl > 100)), before)
    expect_error(
      update(before, dplyr::mutate(table, sl = "text")), class = "bayesrisk_error_schema"
    )
  })

  test_that(paste("errors are those of memory:", engine), {
    con <- local_database(engine)
    example <- database_example(engine)
    table <- put_table(con, example$data)
    data <- example$memory
    same <- function(formula, rows, lazy, spec = bayes_naive(), ...) {
      expected <- said_error(fit(spec, formula, rows, ...))
      expect_match(expected, ".")
      for (strategy in c("sql", "stream")) {
        expect_identical(said_error(fit(spec, formula, lazy_table(lazy, strategy), ...)), expected)
      }
    }
    lost <- ifelse(data$sl > 7, NA, data$species)
    same(species ~ sl, transform(data, species = lost),
         dplyr::mutate(table, species = ifelse(sl > 7, NA, species)))
    same(species ~ sl + nothere, data, table)
    same(nothere ~ sl, data, table)
    same(species ~ sl, data, table, weights = sl - 6)
    same(species ~ sl, data, table, weights = sl * 0)
    same(species ~ sl, data[data$sl < 0, ], dplyr::filter(table, sl < 0))
    same(species ~ sl, data, table, subset = sl < 0)
    same(sl ~ pl, data, table)
    same(species ~ shape, data, table, na.action = na.fail)
    same(species ~ sl, data, table, bayes_naive(numeric = likelihood_poisson()))
    same(species ~ I(sl - 5), data, table, bayes_naive(numeric = likelihood_gamma()))
    same(species ~ no_function(sl), data, table)
    same(species ~ sl + twice, transform(data, twice = 2 * sl),
         dplyr::mutate(table, twice = 2 * sl), bayes_full())
    same(species ~ sl:pl, data, table)
    same(species ~ sl, data, table, na.action = "none")
    same(species ~ sl, data, table, threads = 0)
    # RClickhouse has no translation of a mean over rows.
    expect_error(fit(bayes_naive(), species ~ I(sl - mean(sl)), table),
                 "depends on other rows|cannot be said in SQL")
    expect_error(
      fit(bayes_naive(), species ~ sl, table, weights = species), "must be numbers",
      class = "bayesrisk_error_argument"
    )
  })

  test_that(paste("a number that is constant in a class has no spread there:", engine), {
    con <- local_database(engine)
    data <- database_example(engine)$data
    data$k <- c(setosa = 0.1, versicolor = 0.2, virginica = 1 / 3)[data$species]
    table <- put_table(con, data)
    for (spec in list(bayes_naive(), bayes_full())) {
      found <- bayes_statistics(spec, species ~ k + pl, lazy_table(table, "sql"))
      expected <- bayes_statistics(spec, species ~ k + pl, data)
      expect_as_in_memory(found, expected)
      spread <- found$statistics$banks[[1L]]
      first <- spread$scatter[, 1L]
      if (is.null(first)) first <- vapply(spread$triangle, function(r) max(abs(r[, 1L])), 1)
      expect_identical(first, c(0, 0, 0))
    }
  })

  test_that(paste("tables may be filtered, joined and queries:", engine), {
    con <- local_database(engine)
    example <- database_example(engine)
    table <- put_table(con, example$data)
    names <- put_table(con, data.frame(grp = 1:3, region = c("a", "b", "a")))
    joined <- dplyr::filter(dplyr::left_join(table, names, by = "grp"), sl > 5)
    memory <- merge(example$memory, data.frame(grp = 1:3, region = c("a", "b", "a")))
    memory <- memory[memory$sl > 5, ]
    spec <- bayes_naive(laplace = 1)
    for (strategy in c("sql", "stream")) {
      expect_as_in_memory(
        bayes_statistics(spec, species ~ region + sl, lazy_table(joined, strategy)),
        bayes_statistics(spec, species ~ region + sl, memory)
      )
    }
  })
}

test_that("a level whose rows have weight 0 is named", {
  con <- local_database("sqlite")
  data <- data.frame(y = c("a", "a", "b", "b"), f = c("u", "v", "u", "z"), w = c(1, 1, 1, 0))
  table <- put_table(con, data)
  expect_message(
    found <- bayes_statistics(bayes_naive(laplace = 1), y ~ f, table, weights = w), "loses level"
  )
  expect_message(
    expected <- bayes_statistics(bayes_naive(laplace = 1), y ~ f, data, weights = w), "loses level"
  )
  expect_as_in_memory(found, expected)
})

test_that("functions that need rows say how to read a lazy table", {
  con <- local_database("sqlite")
  table <- put_table(con, database_example("sqlite")$data)
  expect_error(fit_xy(bayes_naive(), table, "a"), "collect", class = "bayesrisk_error_data")
  expect_error(
    update(fit_xy(bayes_naive(), iris[1:4], iris$Species), put_table(con, iris)),
    "collect", class = "bayesrisk_error"
  )
})

simulated <- function() {
  skip_if_not_installed("dbplyr")
  list(
    sqlite = dbplyr::simulate_sqlite(), postgresql = dbplyr::simulate_postgres(),
    mariadb = dbplyr::simulate_mariadb(), spark = dbplyr::simulate_spark_sql(),
    mssql = dbplyr::simulate_mssql(), snowflake = dbplyr::simulate_snowflake(),
    clickhouse = dbplyr::simulate_dbi("ClickhouseConnection"), standard = dbplyr::simulate_dbi()
  )
}

# Numbers are round, so that the text is the same on every machine.
round_model <- function() {
  bayes_known(
    c("it's" = 0.5, "b\\s" = 0.5),
    x = likelihood_gaussian(mean = c("it's" = 1, "b\\s" = 3), sd = 2),
    f = rbind("it's" = c(u = 0.25, "v'w" = 0.75), "b\\s" = c(0, 1))
  )
}

test_that("the text for engines that no test runs", {
  cost <- cost_matrix(p = c("it's" = 0, "b\\s" = Inf), q = c("it's" = 4, "b\\s" = 0), ask = 1)
  engines <- simulated()
  expect_snapshot({
    cat(as_sql(round_model(), engines$mssql, "rows", type = "decide", cost = cost))
    cat(as_sql(round_model(), engines$snowflake, "rows", type = "prob"))
  })
  for (con in engines) {
    expect_match(as_sql(round_model(), con, "rows", type = "prob"), "^(WITH|SELECT) ")
  }
})

test_that("rows are a table's name, with a schema, or a lazy table", {
  con <- simulated()$spark
  model <- round_model()
  expect_match(as_sql(model, con, dbplyr::in_schema("s", "t")), "FROM `s`.`t`", fixed = TRUE)
  rows <- dbplyr::lazy_frame(id = 1L, x = 1, f = "u", con = con, .name = "loans")
  expect_match(as_sql(model, con, rows), "SELECT `id`,\n  `x`,\n  `f`,\n  bayes_", fixed = TRUE)
  sqlite <- local_database("sqlite")
  table <- put_table(sqlite, data.frame(id = 1:2, x = c(0, NA), f = "u"), "as_sql_rows")
  withr::defer(DBI::dbRemoveTable(sqlite, "as_sql_rows"))
  text <- as_sql(model, sqlite, "as_sql_rows", type = "prob")
  expect_identical(text, as_sql(model, sqlite, table, type = "prob"))
  found <- DBI::dbGetQuery(sqlite, text)
  expect_close(found[4:5], predict(model, data.frame(x = c(0, NA), f = "u"), type = "prob"))
})

test_that("a simulated block of numbers has all its patterns, or only the complete one", {
  con <- simulated()$sqlite
  sqlite <- local_database("sqlite")
  covariance <- diag(5) + 0.5
  of <- function(p) {
    names <- paste0("x", seq_len(p))
    bayes_known(c(a = 0.5, b = 0.5), two = likelihood_gaussian(
      mean = matrix(1:2, 2, p, dimnames = list(c("a", "b"), names)),
      covariance = covariance[seq_len(p), seq_len(p)]
    ))
  }
  for (p in c(3, 5)) {
    model <- of(p)
    data <- as.data.frame(matrix(1:3, 3, p))
    names(data) <- paste0("x", seq_len(p))
    data[2, 1] <- NA
    data[3, ] <- NA
    name <- paste0("block", p)
    DBI::dbWriteTable(sqlite, name, data, temporary = TRUE)
    found <- DBI::dbGetQuery(sqlite, as_sql(model, con, name, type = "prob"))
    expected <- predict(model, data, type = "prob")
    if (p == 5) expected[2:3, ] <- NA
    expect_close(found[p + 1:2], expected)
    expect_equal(found$.impossible, if (p == 5) c(0, NA, NA) else c(0, 0, 0))
    for (type in c("log_joint", "joint", "log_evidence", "class")) {
      found <- DBI::dbGetQuery(sqlite, as_sql(model, con, name, type = type))
      expect_identical(is.na(found[[p + 1L]]), is.na(expected[, 1L]), label = type)
    }
  }
})

test_that("each number with a point is a double", {
  skip_if_not_installed("dbplyr")
  con <- simulated()$spark
  for (model in lazy_models()) for (type in c("both", "log_prob", "decide")) {
    text <- gsub("'([^'\\\\]|\\\\.)*'", "", as_sql(model, con, "rows", type = type))
    numbers <- unlist(regmatches(text, gregexpr("[0-9]*[.][0-9]+(e[-+0-9]+)?", text)))
    expect_identical(grep("e", numbers, invert = TRUE, value = TRUE), character())
  }
})

for (engine in database_engines) {
  test_that(paste("R's driver and the engine's own client give what memory gives:", engine), {
    con <- local_database(engine)
    data <- lazy_newdata()
    data$count[[109L]] <- 1e19
    table <- put_table(con, data)
    run <- function(model, ...) {
      text <- as_sql(model, con, table, ...)
      # Spark has no client here but its driver.
      ways <- c(if (engine != "spark") client_rows, ask_rows)
      lapply(ways, function(way) {
        rows <- way(con, text)
        rows[order(as.numeric(rows$id)), setdiff(names(rows), names(data))]
      })
    }
    models <- lazy_models()
    # Spark takes seconds for each text. test-source-db-expression.R has its scores of all models.
    if (engine == "spark") models <- models[c("gaussian", "categorical", "prior")]
    for (name in names(models)) {
      model <- models[[name]]
      levels <- paste0(".pred_", model$schema$classes$levels)
      size <- joint_sizes(model, data)
      expected <- quietly(predict(model, data, type = "both"))
      for (found in run(model, type = "both")) {
        expect_identical(found$.pred_class, as.character(expected$class), label = name)
        expect_identical(client_value(found$.impossible, NA), is.na(expected$class), label = name)
        expect_close(sapply(found[levels], as.numeric), expected$posterior, size)
      }
    }
    for (cost in lazy_costs()) {
      expected <- as.data.frame(quietly(decide(models$gaussian, data, cost)))
      for (found in run(models$gaussian, type = "decide", cost = cost)) {
        expect_identical(found$.decision, as.character(expected$decision))
        expect_identical(client_value(found$.tie, NA), expected$tie)
        expect_close(as.numeric(found$.cost), expected$cost, joint_sizes(models$gaussian, data))
      }
    }
  })

  test_that(paste("texts in functions are texts for a simulated connection, too:", engine), {
    con <- local_database(engine)
    simulated <- simulated()[[engine]]
    if (is.null(simulated)) simulated <- dbplyr::simulate_dbi("duckdb_connection")
    data <- data.frame(id = 1:6, f = c("a", "b", "c", NA, "A", "a "), yes = c(TRUE, FALSE, NA))
    training <- data.frame(
      y = rep(c("p", "n"), 15), f = rep_len(c("a", "c", "a"), 30),
      yes = rep(c(TRUE, FALSE, FALSE), 10)
    )
    model <- fit(
      bayes_naive(laplace = 1), y ~ I(f %in% c("a", "b")) + toupper(f) + I(yes * 1) + yes, training
    )
    cost <- cost_matrix(p = list(p = ~ ifelse(f == "a", 5, 1), n = 2), q = 3)
    name <- as.character(dbplyr::remote_name(put_table(con, data)))
    like <- dbplyr::lazy_frame(!!!data, con = simulated, .name = name)
    expected <- quietly(predict(model, data, type = "prob"))
    levels <- paste0(".pred_", colnames(expected))
    decided <- as.data.frame(quietly(decide(model, data, cost)))
    for (newdata in list(like, dplyr::filter(like, id > 0), dplyr::mutate(like, twice = id * 2))) {
      found <- ask_rows(con, as_sql(model, simulated, newdata, type = "prob"))
      expect_close(found[order(found$id), levels], expected)
      found <- ask_rows(con, as_sql(model, simulated, newdata, type = "decide", cost = cost))
      expect_identical(found$.decision[order(found$id)], as.character(decided$decision))
    }
    # Without a prototype the types follow from the model and from the functions.
    found <- ask_rows(con, as_sql(model, simulated, name, type = "prob"))
    expect_equal(sort(as.numeric(found$.pred_p)), sort(expected[, "p"]), ignore_attr = TRUE)
  })
}

test_that("bad arguments are errors", {
  con <- simulated()$spark
  model <- round_model()
  refused <- function(text, ...) {
    expect_error(as_sql(...), text, class = "bayesrisk_error_argument")
  }
  refused("`con` must be a connection", model, 1, "rows")
  refused("`newdata` must be the name", model, con, 1)
  refused("`newdata` must be the name", model, con)
  refused("`newdata` must be the name", model, con, "")
  refused("`type` must be one of", model, con, "rows", type = "speed")
  other <- dbplyr::lazy_frame(x = 1, f = "u", con = dbplyr::simulate_sqlite())
  refused("another engine", model, con, other)
  refused("cannot be read", model, local_database("sqlite"), "no_such_table")
  expect_error(as_sql(bayes_naive(), con, "rows"), class = "bayesrisk_error_argument")
})

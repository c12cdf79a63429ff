test_that("no other function sends queries that have rows", {
  functions <- as.list(asNamespace("bayesrisk"), all.names = TRUE)
  sends <- vapply(functions, function(f) {
    is.function(f) && any(c("dbGetQuery", "dbSendQuery", "dbFetch") %in% all.names(body(f)))
  }, NA)
  expect_setequal(names(functions)[sends], c("ask_rows.default", "open_rows.default"))
})

# The numbers of the rows that come in blocks of `size`, and the sizes of the blocks.
read_blocks <- function(con, query, size) {
  blocks <- open_rows(con, query, size)
  on.exit(blocks$close())
  ids <- sizes <- numeric()
  repeat {
    rows <- blocks$next_rows()
    ids <- c(ids, as.double(rows$id))
    sizes <- c(sizes, nrow(rows))
    if (nrow(rows) < size) return(list(ids = ids, sizes = sizes))
  }
}

for (engine in database_engines) {
  test_that(paste("blocks have each row once, whatever the number of rows:", engine), {
    con <- local_database(engine)
    data <- data.frame(id = 1:12, y = rep(c("a", "b", NA, ""), 3), x = 1:12 / 3)
    query <- as.character(dbplyr::sql_render(put_table(con, data)))
    for (size in c(5, 6, 11, 12, 13, 1e5)) {
      found <- read_blocks(con, query, size)
      expect_setequal(found$ids, data$id)
      expect_identical(found$sizes, c(rep(size, 12 %/% size), 12 %% size))
      chunks <- numeric()
      each_chunk(query_chunks(con, query, size), function(chunk, number) {
        chunks <<- c(chunks, nrow(chunk))
        TRUE
      }, rlang::current_env())
      expect_identical(chunks, found$sizes[found$sizes > 0])
    }
    none <- open_rows(con, paste("SELECT * FROM (", query, ") t WHERE id < 0"), 5)
    rows <- none$next_rows()
    none$close()
    expect_identical(names(rows), names(data))
    expect_identical(nrow(rows), 0L)
  })
}

test_that("Spark's texts are those that it has", {
  con <- local_database("spark")
  texts <- c("", "<NA>", ".", "a\nb", "\u00e9", "'\"`?--/*;%\\", NA)
  for (text in texts) {
    sql <- if (is.na(text)) "CAST(NULL AS STRING)" else escaped_text(text)
    expect_identical(ask_rows(con, paste("SELECT", sql, "AS a")), data.frame(a = text))
    expect_identical(ask_rows(con, paste("SELECT 2 AS a,", sql, "AS a")), stats::setNames(
      data.frame(2L, text), c("a", "a")
    ))
  }
  found <- ask_rows(con, paste(
    "SELECT date'2020-01-01' AS d, 'a' AS s, 1e0 AS x, 1 AS n, TRUE AS l WHERE 1 = 0"
  ))
  expect_identical(lapply(found, class), list(
    d = "Date", s = "character", x = "numeric", n = "integer", l = "logical"
  ))
  expect_identical(nrow(found), 0L)
  numbers <- ask_rows(con, paste(
    "SELECT CAST('NaN' AS DOUBLE) AS a, CAST(NULL AS DOUBLE) AS b, 9e99 AS c, 5BD AS d"
  ))
  expect_identical(numbers, data.frame(a = NaN, b = NA_real_, c = 9e99, d = 5))
  untyped <- "SELECT NULL AS a FROM range(%d)"
  expect_identical(ask_rows(con, sprintf(untyped, 2)), data.frame(a = c(NA, NA)))
  expect_identical(ask_rows(con, sprintf(untyped, 0)), data.frame(a = logical()))
  signs <- ask_rows(con, "SELECT concat('a', char(3), '.b', char(1), 'ab') AS a, 1 AS n")
  expect_identical(signs, data.frame(a = "a\003.b\001ab", n = 1L))
})

test_that("the smallest integer of Spark is a number", {
  con <- local_database("spark")
  values <- "VALUES ('p', -2147483648), ('q', 1), ('p', 2), ('q', 3), ('p', NULL) AS v(y, x)"
  query <- paste("SELECT * FROM", values)
  smallest <- c(-2147483648, 1, 2, 3, NA)
  expect_identical(ask_rows(con, query)$x, smallest)
  expect_identical(ask_rows(con, paste(query, "WHERE x > 0"))$x, 1:3)
  rows <- data.frame(y = c("p", "q", "p", "q", "p"), x = smallest)
  table <- lazy_result(con, query, c("y", "x"))
  for (formula in list(y ~ x, y ~ I(x / 2), y ~ ifelse(is.na(x), 0, x))) {
    found <- fit(bayes_naive(), formula, table, subset = x < 4)
    expect_as_in_memory(found, fit(bayes_naive(), formula, rows, subset = x < 4))
  }
})

test_that("Spark's types without a query are those of a query without rows", {
  con <- local_database("spark")
  values <- c(
    "'a'", "CAST('a' AS CHAR(3))", "CAST('a' AS VARCHAR(3))", "1e0", "CAST(1 AS FLOAT)", "5BD",
    "CAST(1.5 AS DECIMAL(20, 3))", "1L", "1", "CAST(1 AS SMALLINT)", "CAST(1 AS TINYINT)", "TRUE",
    "NULL", "DATE'2020-01-01'", "TIMESTAMP'2020-01-01 00:00:00'", "X'01'", "array(1)",
    "map('a', 1)", "named_struct('a', 1)"
  )
  for (query in paste("SELECT", values, "AS `a b`")) {
    read <- ask_rows(con, sprintf("SELECT * FROM (%s) WHERE 1 = 0", query))
    found <- ask_types(con, query)
    expect_identical(row_types(found), row_types(read), label = query)
    expect_identical(dim(found), c(0L, 1L))
  }
})

test_that("a prediction of Spark does not keep how its table is read", {
  con <- local_database("spark")
  data <- data.frame(y = rep(c("a", "b"), 5), x = 1:10, id = 1:10)
  table <- lazy_table(put_table(con, data), "sql")
  model <- fit(bayes_naive(), y ~ x, table)
  found <- predict(model, table)
  expect_null(attr(found, "bayesrisk_reading"))
  expect_identical(colnames(found)[1:4], c("y", "x", "id", ".pred_class"))
  expect_identical(dplyr::collect(dplyr::count(table))$n, 10)
  expect_identical(dplyr::group_vars(predict(model, dplyr::group_by(table, y))), "y")
  expect_identical(nrow(dplyr::collect(dplyr::filter(found, .pred_class == "a", x < 0))), 0L)
})

test_that("the names of Spark's results are any but those with ` or ${", {
  con <- local_database("spark")
  signs <- c("O'Neil", "\"q\"", "a ? b", "-- c", "/* d", "e;", "%s", "f\\g", "h i", "j.k", "\u00e9")
  data <- data.frame(y = rep(signs, 4), x = seq_along(rep(signs, 4)) %% 7, z = 1:44 %% 3)
  names(data)[2:3] <- c("a 'b' \"c\" ? -- .d", "e/*;%\\")
  table <- put_table(con, data)
  model <- fit(bayes_naive(), y ~ ., data)
  expect_as_in_memory(fit(bayes_naive(), y ~ ., lazy_table(table, "sql")), model)
  expect_as_in_memory(fit(bayes_naive(), y ~ ., lazy_table(table, "stream", rows = 11)), model)
  data$id <- seq_len(nrow(data))
  table <- put_table(con, data)
  for (type in c("both", "log_prob")) {
    expect_lazy_scores(model, table, data, type)
  }
  expect_lazy_decisions(model, table, data, NULL)
  grouped <- data.frame(g = rep(signs, each = 8), y = c("p", "q"), x = seq_len(88) %% 5)
  groups <- suppressMessages(fit(bayes_naive(), y ~ x, put_table(con, grouped), by = g))
  expected <- fit(bayes_naive(), y ~ x, grouped, by = g)
  expect_setequal(names(groups), names(expected))
  for (name in signs) expect_as_in_memory(groups[[name]], expected[[name]])
  for (name in c("a`b", "a${user.dir}b")) {
    rows <- data.frame(y = c(name, name, "c", "c"), x = c(1, 2, 4, 6), id = 1:4)
    table <- put_table(con, rows)
    model <- fit(bayes_naive(), y ~ x, table)
    expect_identical(model$schema$classes$levels, c(name, "c"))
    found <- collect_new(predict(model, table), rows)
    expect_identical(found$.pred_class, c(name, name, "c", "c"))
    expect_error(
      predict(model, table, type = "prob"), name, fixed = TRUE, class = "bayesrisk_error_argument"
    )
  }
})

test_that("rows in no order come once from a cluster of worker processes", {
  local_database("spark")
  folder <- withr::local_tempdir(tmpdir = dirname(tempdir()))
  con <- start_spark(folder, "local-cluster[2,1,1024]", "1g")
  withr::defer(if (DBI::dbIsValid(con)) sparklyr::spark_disconnect(con))
  run_statement(con, paste(
    "CREATE TEMPORARY VIEW ordered AS SELECT id, substr('abc', CAST(id % 3 AS INT) + 1, 1) AS y,",
    "randn(1) + id % 3 AS x FROM range(0, 50000, 1, 8)"
  ))
  run_statement(con, "CREATE TEMPORARY VIEW shuffled AS SELECT * FROM ordered DISTRIBUTE BY rand()")
  expect_setequal(read_blocks(con, "SELECT id FROM shuffled", 11000)$ids, 0:49999)
  memory <- fit(bayes_naive(), y ~ x, as.data.frame(dplyr::collect(dplyr::tbl(con, "ordered"))))
  for (strategy in c("sql", "stream")) {
    table <- lazy_table(dplyr::tbl(con, "shuffled"), strategy, rows = 11000)
    expect_equal(coef(fit(bayes_naive(), y ~ x, table)), coef(memory), tolerance = 1e-12)
  }
  table <- dplyr::tbl(con, "ordered")
  stop_context <- function(con) sparklyr::invoke(sparklyr::spark_context(con), "stop")
  for (leave in list(stop_context, sparklyr::spark_disconnect)) {
    leave(con)
    for (call in list(
      function() fit(bayes_naive(), y ~ x, table), function() predict(memory, table),
      function() as.data.frame(query_chunks(con, "SELECT 1"))
    )) {
      expect_error(call(), "closed", class = "bayesrisk_error_connection")
    }
  }
})

test_that("a connection of pysparklyr is an error that names the remedy", {
  skip_if_not_installed("dbplyr")
  for (kind in c("databricks", "spark", "snowflake")) {
    con <- structure(list(), class = c(
      paste0("connect_", kind), "pyspark_connection", "spark_connection", "DBIConnection"
    ))
    expect_error(query_chunks(con, "SELECT 1")$open(), "ODBC", class = "bayesrisk_error_argument")
    expect_error(
      as_sql(normal_model(), con, "rows"), "simulate_spark_sql", class = "bayesrisk_error_argument"
    )
  }
})

test_that("types of Spark that no likelihood reads are errors", {
  con <- local_database("spark")
  name <- paste0("t_other_", Sys.getpid())
  run_statement(con, paste(
    "CREATE OR REPLACE TEMPORARY VIEW", name,
    "AS SELECT id, CASE WHEN id % 2 = 0 THEN 'a' ELSE 'b' END AS y, CAST('x' AS BINARY) AS one,",
    "named_struct('a', 1) AS s, array(1, id) AS l, map('a', id) AS m,",
    "TIMESTAMP'2020-01-01 00:00:00' AS ts, DATE'2020-01-01' AS day FROM range(20)"
  ))
  table <- dplyr::tbl(con, name)
  for (column in c("one", "s", "l", "m", "ts", "day")) {
    for (use in list(
      function() fit(bayes_naive(laplace = 1), stats::reformulate(column, "y"), table),
      function() fit(bayes_naive(laplace = 1), stats::reformulate("id", column), table)
    )) {
      expect_error(muffle_ours(use()), column, class = "bayesrisk_error_data")
    }
  }
})

test_that("Spark's methods are small enough for Java's compiler, or a message says so", {
  con <- local_database("spark")
  data <- lazy_newdata()
  table <- put_table(con, data)
  models <- lazy_models()
  # Kernels of a hundred points are split by Spark.
  for (name in setdiff(names(models), c("negative_binomial", "sparse_joint_histogram"))) {
    sizes <- method_sizes(con, as_sql(models[[name]], con, table))
    expect_true(length(sizes) > 0L && all(sizes > 0L & sizes <= largest_method), label = name)
  }
  withr::defer(told$method_size <- NULL)
  told$method_size <- NULL
  expect_no_message(predict(models$gaussian, table))
  expect_message(predict(models$negative_binomial, table), "hugeMethodLimit",
                 class = "bayesrisk_message_method_size")
  expect_no_message(predict(models$negative_binomial, table))
})

test_that("Spark's methods stay small with more numbers and classes, or Spark splits them", {
  con <- local_database("spark")
  wide <- withr::with_seed(1, as.data.frame(matrix(stats::rnorm(900 * 100), 900)))
  name <- as.character(dbplyr::remote_name(put_table(con, wide[1:2, ])))
  cost <- cost_matrix(
    A = c(a = 0, b = 5, c = 9), B = c(a = 2, b = 0, c = 3), C = c(a = 4, b = 1, c = 0)
  )
  sizes <- function(spec, numbers, classes, type = "class") {
    model <- fit(spec, y ~ ., data.frame(y = letters[seq_len(classes)], wide[seq_len(numbers)]))
    method_sizes(con, as_sql(model, dbplyr::simulate_spark_sql(), name, type = type,
                             cost = if (type == "decide") cost))
  }
  small <- list(
    sizes(bayes_naive(), 10, 3, "decide"), sizes(bayes_naive(), 10, 10),
    sizes(bayes_full(), 10, 3, "decide"), sizes(bayes_full(), 10, 10),
    # Spark compiles no query of more than 100 columns as a whole.
    sizes(bayes_naive(), 100, 3)
  )
  expect_identical(lengths(small), rep(1L, 5))
  expect_lte(max(unlist(small)), largest_method)
})

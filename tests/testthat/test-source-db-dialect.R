test_that("dialects say only what the standard has", {
  for (dialect in dialects) {
    expect_identical(setdiff(names(dialect), names(standard_dialect)), character())
  }
  expect_gt(length(dialects), 8L)
})

for (engine in database_engines) {
  test_that(paste("numbers, infinity, NaN and fences of an engine:", engine), {
    con <- local_database(engine)
    dialect <- db_dialect(con)
    x <- c(1 / 3, 1e8 + 1 / 3, -1e-300, 1.7e308, 2^53 + 2, 0, .Machine$double.eps)
    found <- ask_rows(con, paste("SELECT", toString(paste(
      db_double(dialect$number(x), dialect), "AS", paste0("x", seq_along(x))
    ))))
    expect_identical(unlist(found, use.names = FALSE), x)
    largest <- ask_rows(con, sprintf("SELECT %s AS x", dialect$infinity))$x
    expect_gte(largest, .Machine$double.xmax)
    one <- dialect$fence("SELECT 1.5 AS x")
    expect_equal(as.numeric(ask_rows(con, paste("SELECT x FROM", db_sub(one)))$x), 1.5)
    if (engine %in% c("postgresql", "duckdb")) {
      nan <- sprintf("CAST('NaN' AS %s)", dialect$double)
      expect_true(is.na(ask_rows(con, paste("SELECT", dialect$known(nan), "AS x"))$x))
    }
  })
}

# Texts that a collation or a type may take for one.
near_texts <- c("a", "A", "a ", "\u00e4", "\u00c4", "ss", "\u00df", "", "b\t", "b")

# Types of columns that hold texts, by engine, with the statements that make them. `labels`: the
# literals of an enumeration.
text_types <- function(engine, labels) {
  of_set <- function(sets, more) c(paste("VARCHAR(9) CHARACTER SET", sets), more)
  switch(engine,
    sqlite = list(types = c("TEXT COLLATE NOCASE", "TEXT COLLATE RTRIM", "CHAR(3)", "BLOB", "")),
    postgresql = list(
      made = c(
        sprintf("CREATE TYPE bayes_enum AS ENUM (%s)", toString(labels)),
        "CREATE DOMAIN bayes_kind AS bayes_enum", "CREATE DOMAIN bayes_code AS CHAR(4)",
        "CREATE DOMAIN bayes_words AS VARCHAR(9)",
        "CREATE COLLATION bayes_case (provider = icu, locale = 'und-u-ks-level2',
         deterministic = false)"
      ),
      types = c("CHAR(3)", "VARCHAR(9)", "NAME", "bayes_enum", "bayes_kind", "bayes_code",
                "bayes_words", "TEXT COLLATE bayes_case", "CHAR(3) COLLATE bayes_case"),
      dropped = c("DOMAIN bayes_kind, bayes_code, bayes_words", "TYPE bayes_enum",
                  "COLLATION bayes_case")
    ),
    mariadb = list(types = of_set(
      c("latin1", "latin1 COLLATE latin1_general_cs", "latin1 COLLATE latin1_nopad_bin", "utf8mb3",
        "utf16", "utf8mb4", "utf8mb4 COLLATE utf8mb4_bin", "utf8mb4 COLLATE utf8mb4_nopad_bin"),
      c("CHAR(3)", "TEXT CHARACTER SET latin1",
        "ENUM('a', 'A', '\u00e4', '\u00c4') COLLATE utf8mb4_bin",
        "ENUM('a', 'b') CHARACTER SET latin1", "ENUM('a', 'b') CHARACTER SET ascii",
        "SET('a', 'b')")
    )),
    duckdb = list(
      made = sprintf("CREATE TYPE bayes_enum AS ENUM (%s)", toString(labels)),
      types = c("VARCHAR", "VARCHAR COLLATE NOCASE", "VARCHAR COLLATE NOACCENT.NOCASE", "CHAR(3)",
                "bayes_enum"),
      dropped = "TYPE bayes_enum"
    ),
    clickhouse = list(types = c(
      "String", "Nullable(String)", "LowCardinality(String)",
      sprintf("Enum8(%s)", toString(paste(labels, "=", seq_along(labels))))
    )),
    spark = list(types = c("STRING", "VARCHAR(9)", "CHAR(3)", "STRING COLLATE UTF8_LCASE"))
  )
}

# A table with a column of each type, rows in the order of `id`. The texts are those that the type
# can hold.
typed_table <- function(con, name, types, env = parent.frame()) {
  rows <- rep(near_texts, 12)
  columns <- paste0("t", seq_along(types))
  held <- function(type) {
    if (grepl("^ENUM.*b'", type) || grepl("^SET", type)) return(rep(c("a", "b", "b"), 40))
    if (grepl("^ENUM", type)) rep(c("a", "A", "\u00e4", "\u00c4"), 30) else rows
  }
  run_statement(con, sprintf(
    "CREATE TABLE %s (id INTEGER, empty INTEGER, y VARCHAR(9), num %s, %s)", name,
    db_dialect(con)$double, toString(paste(columns, types))
  ))
  withr::defer(run_statement(con, paste("DROP TABLE", name)), env)
  id <- seq_along(rows)
  values <- lapply(types, function(type) paste0("'", held(type), "'"))
  classes <- sprintf("'%s'", c("p", "q", "r")[1 + (id * id) %% 7 %% 3])
  values <- c(list(id, as.integer(rows == ""), classes, sprintf("%.4f", sin(id))), values)
  run_statement(con, enc2utf8(sprintf("INSERT INTO %s VALUES %s", name, toString(
    sprintf("(%s)", do.call(paste, c(values, sep = ", ")))
  ))))
  columns
}

for (engine in database_engines) {
  test_that(paste("texts of all types are those that the driver reads:", engine), {
    con <- local_database(engine)
    labels <- paste0("'", near_texts, "'")
    kinds <- text_types(engine, labels)
    for (statement in kinds$made) run_statement(con, enc2utf8(statement))
    withr::defer(for (of in kinds$dropped) run_statement(con, paste("DROP", of)))
    name <- sprintf("bayes_texts_%d", Sys.getpid())
    columns <- typed_table(con, name, kinds$types)
    table <- dplyr::tbl(con, name)
    memory <- ask_rows(con, paste("SELECT * FROM", name, "ORDER BY id"))
    memory[columns] <- lapply(memory[columns], as.character)
    expect_read <- function(formula, memory, table, query) {
      model <- quietly(fit(bayes_naive(laplace = 1), formula, memory))
      for (strategy in c("sql", "stream")) {
        found <- quietly(fit(bayes_naive(laplace = 1), formula, lazy_table(table, strategy)))
        expect_as_in_memory(found, model)
      }
      expected <- as.character(quietly(predict(model, memory)))
      same <- function(found) {
        found <- found[order(as.numeric(found$id)), ]
        expect_identical(as.character(found$.pred_class), expected)
      }
      same(as.data.frame(dplyr::collect(predict(model, table))))
      same(client_rows(con, as_sql(model, con, table)))
      same(as.data.frame(predict(model, query_chunks(con, query, rows = 50))))
    }
    query <- paste("SELECT * FROM", name)
    expect_read(stats::reformulate(columns, "y"), memory, table, query)
    # A class has a name.
    named <- list(memory[memory$empty == 0, ], dplyr::filter(table, empty == 0))
    query <- paste(query, "WHERE empty = 0")
    for (column in columns) {
      expect_read(stats::reformulate("num", column), named[[1L]], named[[2L]], query)
    }
  })
}

test_that("texts of a view of Spark are compared letter by letter, whatever its collation", {
  con <- local_database("spark")
  rows <- data.frame(y = rep(c("p", "q"), 4), t = c("a", "A", "a", "A", "a", "A", "A", "a"))
  model <- fit(bayes_naive(), y ~ t, rows)
  table <- put_table(con, data.frame(t = c("a", "A", "A ")))
  query <- as_sql(model, con, table, type = "prob")
  for (collation in c("UTF8_LCASE", "UTF8_BINARY_RTRIM")) {
    view <- paste0("v_", basename(tempfile("")))
    run_statement(con, sprintf("CREATE VIEW %s DEFAULT COLLATION %s AS %s", view, collation, query))
    read <- "SELECT `.pred_p` AS p FROM %s ORDER BY CAST(t AS BINARY)"
    found <- ask_rows(con, sprintf(read, view))
    run_statement(con, paste("DROP VIEW", view))
    expect_equal(found$p, c(0.25, 0.5, 0.75), label = collation)
  }
})

test_that("MySQL has collations of its own", {
  skip_if_not_installed("dbplyr")
  expect_identical(db_dialect(dbplyr::simulate_mysql()), mysql_dialect)
  expect_identical(mysql_dialect$text("x"), "CONVERT(x USING utf8mb4) COLLATE utf8mb4_0900_bin")
})

# How many times longer than a text its largest column is, where each name of a column stands for
# its expression.
growth_of <- function(text) {
  tokens <- function(x) {
    found <- gregexpr("bayes_\\w+|\"[^\"]*\"|'[^']*'|[\\w.+-]+|[^\\s\\w]", x, perl = TRUE)
    regmatches(x, found)[[1L]]
  }
  lines <- strsplit(text, "\n")[[1L]]
  # The first of nested queries is the innermost one.
  if (!startsWith(text, "WITH")) lines <- rev(lines)
  named <- regmatches(lines, regexec("^(?:.*SELECT |  )(.*) AS (.*?),?$", lines, perl = TRUE))
  size <- numeric()
  for (item in named[lengths(named) == 3L]) {
    own <- size[tokens(item[[2L]])]
    size[[item[[3L]]]] <- sum(ifelse(is.na(own), 1, own))
  }
  max(size) / length(tokens(text))
}

test_that("the size of a text is bounded where an engine repeats the expression of a column", {
  skip_if_not_installed("dbplyr")
  text <- "WITH a AS (SELECT x + 1 AS bayes_a\nFROM t)\nSELECT bayes_a * bayes_a AS b\nFROM a"
  expect_equal(growth_of(text), 7 / 21)
  data <- withr::with_seed(1, data.frame(y = c("a", "b", "c"), matrix(stats::rnorm(3000), 300)))
  costs <- list(NULL, cost_matrix(
    A = c(a = 0, b = 5, c = 9), B = c(a = 2, b = 0, c = 3), C = c(a = 4, b = 1, c = 0)
  ))
  engines <- list(dbplyr::simulate_dbi(), dbplyr::simulate_mssql(), dbplyr::simulate_redshift(),
                  dbplyr::simulate_oracle(), dbplyr::simulate_teradata())
  for (spec in list(bayes_naive(), bayes_full())) {
    model <- fit(spec, y ~ ., data)
    for (con in engines) {
      for (type in c("class", "prob", "both")) {
        expect_lt(growth_of(as_sql(model, con, "t", type = type)), 50)
      }
      for (cost in costs) {
        expect_lt(growth_of(as_sql(model, con, "t", type = "decide", cost = cost)), 200)
      }
    }
  }
  kept <- as_sql(model, dbplyr::simulate_postgres(), "t", type = "decide")
  expect_gt(growth_of(kept), 200)
})

# The answer of a text that is written for an engine that repeats expressions.
copied_answer <- function(model, table, type, cost = NULL) {
  source <- db_source(table)
  source$dialect$copies <- TRUE
  call <- rlang::current_env()
  request <- answer_request(score_from, model, "plugin", type, cost, NULL, 1L, call)
  answer <- answer_query(source, request, call)
  lazy_result(dbplyr::remote_con(table), answer$query, answer$names)
}

for (engine in c("sqlite", "postgresql", "mariadb")) {
  test_that(paste("the text for engines that repeat expressions has the same numbers:", engine), {
    con <- local_database(engine)
    data <- lazy_newdata()
    table <- put_table(con, data)
    models <- lazy_models()
    for (model in models) {
      size <- joint_sizes(model, data)
      found <- collect_new(copied_answer(model, table, "both"), data)
      expected <- quietly(predict(model, data, type = "both"))
      expect_identical(found$.pred_class, as.character(expected$class))
      expect_close(found[paste0(".pred_", colnames(expected$posterior))], expected$posterior, size)
      found <- collect_new(copied_answer(model, table, "log_prob"), data)
      expected <- quietly(predict(model, data, type = "log_prob"))
      expect_close(found[seq_along(colnames(expected))], expected, size)
    }
    for (name in c("gaussian", "categorical", "prior", "multivariate_gaussian")) {
      for (cost in lazy_costs()) {
        expect_decisions(collect_new(copied_answer(models[[name]], table, "all", cost), data),
                         models[[name]], data, cost)
      }
    }
    found <- collect_new(copied_answer(model, table, "decision", lazy_costs()$refer), data)
    expected <- quietly(predict(model, data, type = "decision", cost = lazy_costs()$refer))
    expect_identical(found$.decision, as.character(expected))
  })
}

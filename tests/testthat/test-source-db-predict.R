# Predictions and decisions as queries, against those of the same rows in memory.

for (engine in database_engines) {
  test_that(paste("names of columns, classes and actions are quoted:", engine), {
    con <- local_database(engine)
    names <- c("it's", "a\"q", "b\\s", "\u00e9t\u00e9", "a b", "x`y", "p;--", "%s{z}", "bayes_x1")
    if (engine == "spark") names <- setdiff(names, "x`y") # sparklyr reads no backtick
    data <- as.data.frame(withr::with_seed(2, matrix(stats::rnorm(100 * length(names)), 100)))
    names(data) <- names
    data$id <- 1:100
    model <- fit(bayes_naive(), y ~ . - id, cbind(data, y = rep_len(names, 100)))
    table <- put_table(con, data)
    expect_lazy_scores(model, table, data, "both")
    cost <- do.call(cost_matrix, c(
      lapply(stats::setNames(nm = names), function(n) stats::setNames(1 + (names != n), names)),
      list("it's not" = 1.5)
    ))
    expect_lazy_decisions(model, table, data, cost)
  })

  test_that(paste("the result can be filtered, joined, counted and stored:", engine), {
    con <- local_database(engine)
    data <- lazy_newdata()
    table <- put_table(con, data)
    model <- lazy_models()$gaussian
    expected <- quietly(predict(model, data, type = "prob"))
    some <- dplyr::filter(predict(model, table, type = "prob"), .pred_a > 0.5)
    expect_setequal(dplyr::collect(some)$id, data$id[which(expected[, "a"] > 0.5)])
    joined <- dplyr::inner_join(dplyr::select(table, "id", again = "x"), some, by = "id")
    expect_equal(nrow(dplyr::collect(joined)), sum(expected[, "a"] > 0.5, na.rm = TRUE))
    # RClickhouse has no statement that analyses a table.
    store <- function(rows) dplyr::compute(rows, analyze = engine != "clickhouse")
    # sparklyr's tables have no names with an apostrophe.
    if (engine == "spark") store <- function(rows) {
      path <- withr::local_tempdir(.local_envir = parent.frame())
      sparklyr::spark_write_parquet(rows, path, mode = "overwrite")
      lazy_result(con, sprintf("SELECT * FROM parquet.`%s`", path), colnames(rows))
    }
    stored <- store(decide(model, table))
    counted <- dplyr::collect(dplyr::count(stored, .decision))
    decided <- table(as.character(quietly(predict(model, data))), useNA = "ifany")
    expect_equal(sort(as.numeric(counted$n)), sort(as.vector(decided)))
    # For a union the Spark of the tests lacks scala.collection.parallel.TaskSupport.
    whole <- predict(model, table, type = "class")
    if (engine != "spark") {
      expect_equal(nrow(dplyr::collect(dplyr::union_all(whole, whole))), 2 * nrow(data))
    }
    grouped <- predict(model, dplyr::group_by(table, f))
    expect_identical(dplyr::group_vars(grouped), "f")
    few <- predict(model, dplyr::filter(table, id <= 50L), type = "class")
    expect_equal(nrow(dplyr::collect(few)), 50L)
    view <- paste0("v_", basename(tempfile("")))
    run_statement(con, paste("CREATE VIEW", view, "AS", as_sql(model, con, table)))
    withr::defer(run_statement(con, paste("DROP VIEW", view)))
    expect_identical(collect_new(dplyr::tbl(con, view), data),
                     collect_new(predict(model, table), data))
  })

  test_that(paste("a name that is taken is an error:", engine), {
    con <- local_database(engine)
    model <- lazy_models()$prior
    taken <- put_table(con, data.frame(id = 1, .pred_class = "a", check.names = FALSE))
    expect_error(predict(model, taken), "\\.pred_class.* already", class = "bayesrisk_error_schema")
    long <- bayes_known(stats::setNames(c(0.5, 0.5), c("a", strrep("b", 70))))
    table <- put_table(con, data.frame(id = 1))
    cased <- bayes_known(c(a = 0.25, A = 0.75))
    expect_cased <- function() {
      found <- dplyr::collect(predict(cased, table, type = "prob"))
      expect_equal(c(found$.pred_a, found$.pred_A), c(0.25, 0.75))
    }
    if (engine == "postgresql") {
      expect_error(predict(long, table, type = "prob"), "too few",
                   class = "bayesrisk_error_argument")
    }
    if (engine %in% c("postgresql", "clickhouse")) {
      expect_cased()
    } else {
      expect_error(predict(cased, table, type = "prob"), "for one name.*Rename",
                   class = "bayesrisk_error_argument")
    }
    if (engine == "spark") {
      # Two small letters of one capital letter.
      micro <- bayes_known(c("\u00b5" = 0.5, "\u03bc" = 0.5))
      expect_error(predict(micro, table, type = "prob"), "for one name",
                   class = "bayesrisk_error_argument")
      run_statement(con, "SET spark.sql.caseSensitive = true")
      withr::defer(run_statement(con, "RESET spark.sql.caseSensitive"))
      expect_cased()
    }
  })
}

test_that("arguments that compare rows or number them are errors", {
  con <- local_database("sqlite")
  table <- put_table(con, data.frame(id = 1:2))
  model <- lazy_models()$prior
  expect_error(decide(model, table, capacity = c(a = 1)), "compares all rows",
               class = "bayesrisk_error_argument")
  cost <- as_cost_matrix(array(1:12 / 12, c(2, 2, 3), list(
    NULL, decision = c("p", "q"), truth = c("a", "b", "\u00e9t\u00e9's")
  )))
  expect_error(decide(model, table, cost), "array of cases", class = "bayesrisk_error_argument")
  many <- as.data.frame(matrix(0, 1, 1900))
  expect_error(
    predict(model, put_table(con, many)), "keeps 1600 columns", class = "bayesrisk_error_argument"
  )
  spark <- dbplyr::simulate_spark_sql()
  expect_match(as_sql(model, spark, dbplyr::tbl_lazy(many, spark)), "`V1900`", fixed = TRUE)
})

test_that("a tempered model does not predict in SQL", {
  data <- overlapping()
  model <- temper(fit(bayes_naive(), y ~ x1 + x2, data), data)
  table <- put_table(local_database("sqlite"), data)
  expect_error(predict(model, table), "temper", class = "bayesrisk_error_argument")
  expect_error(decide(model, table), "temper", class = "bayesrisk_error_argument")
})

test_that("names that MariaDB does not have are an error before a query runs", {
  skip_if_not_installed("dbplyr")
  model_of <- function(classes) {
    bayes_known(
      stats::setNames(c(0.5, 0.5), classes),
      x = likelihood_gaussian(mean = stats::setNames(c(0, 3), classes), sd = 1)
    )
  }
  text <- function(classes, type = "prob") {
    as_sql(model_of(classes), dbplyr::simulate_mariadb(), "t", type = type)
  }
  expect_match(text(c("\u4e2d", "\u05d0\u200f")), ".pred_\u4e2d", fixed = TRUE)
  expect_error(text(c("a", "\U1F600")), "emoji", class = "bayesrisk_error_argument")
  expect_match(text(c("a", "\U1F600"), "class"), "\U1F600", fixed = TRUE)
})

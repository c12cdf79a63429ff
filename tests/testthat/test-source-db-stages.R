for (engine in database_engines) {
  test_that(paste("hundreds of features and classes:", engine), {
    con <- local_database(engine)
    data <- withr::with_seed(1, data.frame(
      y = rep(c("a", "b"), 20), matrix(stats::rnorm(40 * 200), 40), id = 1:40
    ))
    wide <- fit(bayes_naive(), y ~ . - id, data)
    expect_lazy_scores(wide, put_table(con, data), data, "both")
    data$y <- sprintf("c%03d", (data$id - 1) %/% 2)
    levels <- sprintf("c%03d", 0:129)
    known <- bayes_known(
      stats::setNames(rep(1 / 130, 130), levels),
      X1 = likelihood_gaussian(mean = stats::setNames(seq(-3, 3, length.out = 130), levels), sd = 1)
    )
    data <- data[c("X1", "id")]
    expect_lazy_scores(known, put_table(con, data), data, "both")
  })
}

for (engine in database_engines) {
  test_that(paste("infinite numbers and NaN:", engine), {
    skip_if(engine == "mariadb", "MariaDB has neither.")
    con <- local_database(engine)
    data <- data.frame(x = c(Inf, -Inf, NaN, 1, 1e200), id = 1:5)
    model <- normal_model()
    table <- put_table(con, data)
    types <- c("both", "log_prob", "joint", "log_joint", "log_likelihood", "log_evidence")
    expect_lazy_scores(model, table, data, types)
    if (engine != "sqlite") {
      one <- dplyr::tbl(con, dplyr::sql(sprintf("SELECT CAST('NaN' AS %s) AS x, 1 AS id",
                                                db_dialect(con)$double)))
      expect_equal(dplyr::collect(predict(model, one, type = "prob"))$.pred_a, 0.5)
    }
  })
}

test_that("tables that do not fit the model are errors of the schema", {
  con <- local_database("sqlite")
  model <- lazy_models()$categorical
  data <- lazy_newdata()
  expect_error(predict(model, put_table(con, data[c("x", "f")])), "no column `?g",
               class = "bayesrisk_error_schema")
  data$x <- as.character(data$x)
  expect_error(predict(model, put_table(con, data)), "x.* is categorical",
               class = "bayesrisk_error_schema")
  mixed <- dplyr::tbl(con, dplyr::sql(
    "SELECT 1.5 AS x, 'u' AS f, 'a' AS g UNION SELECT 'b', 'u', 'a'"
  ))
  expect_error(predict(model, mixed), "both numbers and text", class = "bayesrisk_error_schema")
})

test_that("functions and costs that the database computes otherwise are errors", {
  con <- local_database("sqlite")
  data <- lazy_newdata()
  table <- put_table(con, data)
  model <- fit(bayes_naive(), y ~ lgamma(count + 1), lazy_training())
  expect_error(predict(model, table), "lgamma.*cannot be computed",
               class = "bayesrisk_error_schema")
  model <- lazy_models()$prior
  several <- 1:3
  refused <- function(formula, text) {
    of_class <- stats::setNames(list(0, formula, 1), model$schema$classes$levels)
    cost <- cost_matrix(p = of_class, q = 2)
    expect_error(decide(model, table, cost), text, class = "bayesrisk_error_schema")
  }
  refused(~ lgamma(count), "cannot be computed by the database")
  refused(~ round(id / 7, 1), "other values in SQL.* rounds digits in its own way")
  refused(~f, "must be numbers, not character")
  refused(~several, "has 3 values, and the rows of a lazy table have no order")
})

for (engine in c("sqlite", "duckdb", "spark")) {
  test_that(paste("a column of NULL without a type is one of missing values:", engine), {
    con <- local_database(engine)
    data <- data.frame(y = rep(c("a", "b"), 20), x = sin(1:40), id = 1:40)
    name <- as.character(dbplyr::remote_name(put_table(con, data)))
    query <- sprintf("SELECT y, x, id, NULL AS z FROM %s", name)
    table <- lazy_result(con, query, c("y", "x", "id", "z"))
    # Some engines give the column a type, as of whole numbers.
    data$z <- NA
    for (z in list(sin(1:40 * 3), rep(c("p", "q", "q", "p"), 10), 1:40 %% 3 == 0)) {
      model <- fit(bayes_naive(laplace = 1), y ~ x + z, replace(data, "z", list(z)))
      if (engine == "duckdb" && !is.numeric(z)) next
      expect_lazy_scores(model, table, data, "prob")
    }
    formula <- y ~ x + ifelse(is.na(z), 1, z) + is.na(z)
    found <- bayes_statistics(bayes_naive(laplace = 1), formula, table)
    expect_as_in_memory(found, bayes_statistics(bayes_naive(laplace = 1), formula, data))
    # With a value it is none of another kind.
    truth <- lazy_result(con, sprintf("SELECT y, x, id, 1 = id AS z FROM %s", name), names(data))
    if (engine == "sqlite") skip("No truth values.")
    model <- fit(bayes_naive(), y ~ x + z, transform(data, z = cos(1:40)))
    expect_bayesrisk_error(predict(model, truth), "schema", "z.*categorical.*numeric")
  })
}

test_that("a filter on a column of the result stays above Spark's generator", {
  con <- local_database("spark")
  data <- data.frame(
    y = rep(letters[1:3], 20), x = sin(1:60), z = cos(1:60), f = rep(c("u", "v"), 30)
  )
  table <- put_table(con, data)
  model <- fit(bayes_naive(laplace = 1), y ~ ., data)
  cost <- zero_one_cost(letters[1:3], reject = 0.3)
  # The optimised plan as a text.
  plan <- function(table) {
    execution <- sparklyr::invoke(sparklyr::spark_dataframe(table), "queryExecution")
    sparklyr::invoke(sparklyr::invoke(execution, "optimizedPlan"), "toString")
  }
  expect_filtered <- function(filtered, whole, rows) {
    expect_lt(nchar(plan(filtered)), nchar(plan(whole)) + 500)
    expect_setequal(dplyr::pull(filtered, x), data$x[rows])
  }
  decided <- decide(model, table, cost)
  chosen <- decide(model, data, cost)$.decision == "a"
  expect_filtered(dplyr::filter(decided, .decision == "a"), decided, chosen)
  evidence <- predict(model, table, type = "log_evidence")
  rare <- predict(model, data, type = "log_evidence") < -3
  expect_filtered(dplyr::filter(evidence, .log_evidence < -3), evidence, rare)
})

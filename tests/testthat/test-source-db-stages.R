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

# Predictions and decisions as queries, against those of the same rows in memory.

normal_model <- function() {
  bayes_known(c(a = 0.5, b = 0.5), x = likelihood_gaussian(mean = c(a = 0, b = 3), sd = 1))
}

for (engine in database_engines) {
  test_that(paste("decisions, costs, runners-up, margins and ties are those in memory:", engine), {
    con <- local_database(engine)
    data <- lazy_newdata()
    table <- put_table(con, data)
    models <- lazy_models()[c("gaussian", "categorical", "prior")]
    costs <- lazy_costs()
    for (model in models) for (cost in costs) expect_lazy_decisions(model, table, data, cost)
    for (type in c("cost", "decision")) {
      found <- collect_new(predict(models$gaussian, table, type = type, cost = costs$refer), data)
      expected <- quietly(predict(models$gaussian, data, type = type, cost = costs$refer))
      if (type == "cost") {
        expect_close(found[paste0(".cost_", colnames(expected))], expected,
                     joint_sizes(models$gaussian, data))
      } else {
        expect_identical(found$.decision, as.character(expected))
      }
    }
  })

  test_that(paste("all types of scores, with a prior of one's own:", engine), {
    con <- local_database(engine)
    data <- lazy_newdata()
    model <- lazy_models()$categorical
    types <- c("prob", "log_prob", "joint", "log_joint", "log_likelihood", "log_evidence", "both")
    table <- put_table(con, data)
    expect_lazy_scores(model, table, data, types, prior = c(0.2, 0, 0.8))
    found <- collect_new(predict(model, table), data)
    expect_identical(found$.pred_class, as.character(quietly(predict(model, data))))
    unknown <- (!is.na(data$f) & data$f == "unseen") + (!is.na(data$g) & data$g == "A ")
    expect_equal(found$.unknown_levels, unknown)
  })

  test_that(paste("costs by case: infinite, unknown, negative, tiny and huge:", engine), {
    con <- local_database(engine)
    fee <- 3
    data <- data.frame(
      x = 0:6, v = c(1, NA, Inf, 1e-300, -5, 1e300, 0), w = c(0, 0, 0, 1, 1, 1, NA), id = 1:7
    )
    if (engine == "mariadb") data$v[[3L]] <- 7
    table <- put_table(con, data)
    model <- normal_model()
    cost <- cost_matrix(
      p = list(a = 0, b = ~v), q = list(a = ~ w + 1, b = 0),
      r = list(a = ~ .data$w * 2, b = ~ .env$fee)
    )
    expect_lazy_decisions(model, table, data, cost)
    expect_lazy_decisions(model, table, data, cost * 2)
    other <- local({
      fee <- 10
      cost_matrix(p = list(a = ~fee, b = 1), q = list(a = ~w, b = 2), r = 0)
    })
    expect_lazy_decisions(model, table, data, cost + other)
    unknown <- cost_matrix(p = list(a = ~ widht, b = 1), q = 2)
    expect_error(decide(model, table, unknown), "widht", class = "bayesrisk_error_schema")
  })

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

  test_that(paste("names of columns, classes and actions are quoted:", engine), {
    con <- local_database(engine)
    names <- c("it's", "a\"q", "b\\s", "\u00e9t\u00e9", "a b", "x`y", "p;--", "%s{z}", "bayes_x1")
    data <- as.data.frame(withr::with_seed(2, matrix(stats::rnorm(900), 100)))
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
    stored <- dplyr::compute(decide(model, table))
    counted <- dplyr::collect(dplyr::count(stored, .decision))
    decided <- table(as.character(quietly(predict(model, data))), useNA = "ifany")
    expect_equal(sort(as.numeric(counted$n)), sort(as.vector(decided)))
    grouped <- predict(model, dplyr::group_by(table, f))
    expect_identical(dplyr::group_vars(grouped), "f")
    few <- predict(model, dplyr::filter(table, id <= 50L), type = "class")
    expect_equal(nrow(dplyr::collect(few)), 50L)
    view <- paste0("v_", basename(tempfile("")))
    DBI::dbExecute(con, paste("CREATE VIEW", view, "AS", as_sql(model, con, table)))
    withr::defer(DBI::dbExecute(con, paste("DROP VIEW", view)))
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
    cased <- bayes_known(c(a = 0.5, A = 0.5))
    if (engine == "postgresql") {
      expect_error(predict(long, table, type = "prob"), "too few",
                   class = "bayesrisk_error_argument")
      expect_equal(dplyr::collect(predict(cased, table, type = "prob"))$.pred_A, 0.5)
    } else {
      expect_error(predict(cased, table, type = "prob"), "for one name",
                   class = "bayesrisk_error_argument")
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
  refused(~ 1 / (id - 1), "other values in SQL")
  refused(~f, "must be numbers, not character")
  refused(~several, "has 3 values, and the rows of a lazy table have no order")
})

test_that("a table in the place of the cost is an error that shows the right call", {
  con <- local_database("sqlite")
  table <- put_table(con, data.frame(id = 1))
  model <- lazy_models()$prior
  cost <- zero_one_cost(model$schema$classes$levels)
  expect_error(decide(model, cost, table), "decide\\(model, table, cost\\)",
               class = "bayesrisk_error_argument")
})

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
  many <- put_table(con, as.data.frame(matrix(0, 1, 1900)))
  expect_error(predict(model, many), "keeps 1600 columns", class = "bayesrisk_error_argument")
})

test_that("missing members of a block are read from the rows, up to 64 ways", {
  con <- local_database("sqlite")
  data <- withr::with_seed(4, as.data.frame(matrix(stats::rnorm(200 * 7), 200)))
  model <- fit(bayes_full(), y ~ ., cbind(data, y = rep(c("a", "b"), 100)))
  data$id <- 1:200
  for (i in 1:40) data[i, which(bitwAnd(i, 2^(0:6)) > 0)] <- NA
  expect_lazy_scores(model, put_table(con, data), data, c("both", "log_joint"))
  for (i in 1:90) data[i, which(bitwAnd(i, 2^(0:6)) > 0)] <- NA
  expect_error(predict(model, put_table(con, data)), "90 different ways|91 different ways",
               class = "bayesrisk_error_argument")
})

test_that("classes without rows have probability 0 and no likelihood", {
  con <- local_database("sqlite")
  training <- data.frame(y = factor(c("a", "b", "a", "b"), c("a", "c", "b")), x = c(1, 2, 3, 5))
  model <- suppressMessages(fit(bayes_naive(), y ~ x, training))
  data <- data.frame(x = c(1, 4), id = 1:2)
  types <- c("both", "log_joint", "log_prob", "log_likelihood", "joint")
  expect_lazy_scores(model, put_table(con, data), data, types, prior = "uniform")
})

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
    for (apart in list(~ rand(), ~ sql("count(*) over ()"))) {
      columnless <- cost_matrix(p = list(a = apart, b = 1), q = 2)
      expect_bayesrisk_error(decide(model, table, columnless), "schema", "uses no column")
    }
    unknown <- cost_matrix(p = list(a = ~ widht, b = 1), q = 2)
    expect_error(decide(model, table, unknown), "widht", class = "bayesrisk_error_schema")
  })
}

for (engine in database_engines) {
  test_that(paste("costs whose products with probabilities underflow:", engine), {
    con <- local_database(engine)
    data <- data.frame(x = c(-110, -60, 0, 1, 110), v = 1e-300, id = 1:5)
    table <- put_table(con, data)
    model <- normal_model()
    for (tiny in c(1e-300, 1e-160, 1e-16)) {
      for (p in list(c(a = 0, b = tiny), list(a = 0, b = ~v), list(a = ~ -v, b = tiny))) {
        expect_lazy_decisions(model, table, data, cost_matrix(p = p, q = c(a = tiny, b = 0)))
      }
    }
    least <- cost_matrix(p = c(a = 0, b = 5e-324), q = c(a = 5e-324, b = 0))
    expect_lt(max(dplyr::collect(decide(model, table, least))$.cost), 1e-307)
  })
}

test_that("a table in the place of the cost is an error that names the arguments", {
  con <- local_database("sqlite")
  table <- put_table(con, data.frame(id = 1))
  model <- lazy_models()$prior
  cost <- zero_one_cost(model$schema$classes$levels)
  expect_error(decide(model, cost, table), "cost = cost, newdata = table",
               class = "bayesrisk_error_argument")
})

test_that("the type of a cost is not that of the first rows alone", {
  for (engine in c("postgresql", "duckdb")) {
    con <- local_database(engine)
    data <- data.frame(id = 1:40, x = sin(1:40), l = c(rep(c(TRUE, FALSE), 15), rep(NA, 10)))
    model <- bayes_known(c(a = 0.5, b = 0.5), x = likelihood_gaussian(
      mean = c(a = 0, b = 1), sd = 1
    ))
    table <- put_table(con, data)
    cost <- cost_matrix(go = list(a = ~ ifelse(is.na(l), 5, as.numeric(l)), b = 1), stay = 0.6)
    expect_lazy_decisions(model, table, data, cost)
    # A row alone would have a truth value, which is no cost.
    mixed <- cost_matrix(go = list(a = ~ ifelse(is.na(l), 5, l), b = 1), stay = 0.6)
    for (rows in list(data, table)) {
      expect_bayesrisk_error(
        decide(model, mixed, newdata = rows), "schema", "other rows|truth values"
      )
    }
  }
})

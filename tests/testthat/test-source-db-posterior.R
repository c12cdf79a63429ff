for (engine in database_engines) {
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
}

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

for (engine in database_engines) {
  test_that(paste("models that leave all features out have their prior:", engine), {
    con <- local_database(engine)
    data <- data.frame(id = 1:20, y = rep(c("u", "v"), 10), k = c(NA, rep(2, 19)), n0 = 0)
    table <- put_table(con, data)
    models <- quietly(list(
      fit(bayes_naive(), y ~ k, data), fit(bayes_naive(numeric = likelihood_gamma()), y ~ k, data),
      fit(bayes_naive(numeric = likelihood_poisson()), y ~ n0, data)
    ))
    for (model in models) {
      found <- dplyr::collect(predict(model, table, type = "prob"))
      expect_identical(as.numeric(found$.pred_u), rep(0.5, 20))
    }
  })

  test_that(paste("numbers outside the range of a block make a row impossible:", engine), {
    con <- local_database(engine)
    set.seed(3)
    data <- data.frame(y = rep(c("u", "v"), 100), a = stats::rnorm(200), b = stats::rnorm(200))
    model <- fit(bayes_full(), y ~ a + b, data)
    table <- put_table(con, data.frame(id = 1:3, a = c(1e200, 0.1, NA), b = c(0.5, 1, 1)))
    found <- as.data.frame(predict(model, table, type = "log_joint"))
    found <- found[order(as.numeric(found$id)), ]
    expect_identical(client_value(as.character(found$.impossible), NA), c(TRUE, FALSE, FALSE))
    expect_identical(as.numeric(found$.log_joint_u) > -1e300, c(FALSE, TRUE, TRUE))
  })
}

for (engine in database_engines) {
  test_that(paste("a class without rows has no likelihood, as in memory:", engine), {
    con <- local_database(engine)
    data <- data.frame(
      k = factor(rep(c("a", "b"), 30), levels = c("a", "b", "d")), f = rep(c("u", "v", "v"), 20),
      l = rep(c("p", "q", "p", "p"), 15), id = 1:60
    )
    table <- put_table(con, data)
    for (spec in list(bayes_full(laplace = 1), bayes_naive(laplace = 1))) {
      model <- suppressMessages(fit(spec, k ~ f + l, data))
      for (type in c("likelihood", "log_likelihood")) {
        found <- collect_new(predict(model, table, type = type), data)[1:3]
        expect_close(found, predict(model, data, type = type))
      }
      expect_lazy_scores(model, table, data, "both")
    }
  })
}

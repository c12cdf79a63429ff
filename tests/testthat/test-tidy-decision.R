test_that("augment() of decisions is that of their model, for probabilities of any classifier", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  cost <- cost_matrix(
    keep = c(setosa = 0, versicolor = 1, virginica = 9), sell = 1,
    ask = list(setosa = 2, versicolor = 2, virginica = ~ Petal.Width)
  )
  by_model <- augment(model, iris, cost = cost)
  decided <- decide(predict(model, iris, type = "prob"), cost, iris)
  by_table <- augment(decided, iris)
  expect_equal(by_table, by_model[names(by_table)], tolerance = 1e-12)
  expect_named(by_table, c(names(iris), ".decision", ".cost_keep", ".cost_sell", ".cost_ask"))
  expect_identical(augment(decided, by_table), by_table)
})

test_that("the table of probabilities gets the decisions; a tibble stays one", {
  p <- cbind(a = c(0.2, 0.7), b = c(0.8, 0.3))
  both <- augment(decide(p), p)
  expect_equal(both, data.frame(
    p, .decision = factor(c("b", "a"), c("a", "b")), .cost_a = 1 - p[, "a"], .cost_b = p[, "a"]
  ))
  skip_if_not_installed("tibble")
  expect_s3_class(augment(decide(p), tibble::as_tibble(p)), "tbl_df")
})

test_that("data that are not those of the decisions are refused", {
  decided <- decide(cbind(a = c(0.2, 0.7), b = c(0.8, 0.3)))
  expect_bayesrisk_error(augment(decided), "argument", "data")
  expect_bayesrisk_error(augment(decided, iris), "argument", "150 rows for 2 decisions")
  expect_bayesrisk_error(augment(decided, iris[1:2, ], cost = 1), "argument", "cost")
})

test_that("a sparse matrix stays out of the result; a list gives its data frames", {
  mail <- mails()
  model <- fit(bayes_text(), y ~ words, mail)
  cost <- zero_one_cost(levels(mail$y))
  decided <- decide(model, mail, cost)
  new <- c(".decision", paste0(".cost_", levels(mail$y)))
  by_model <- augment(model, mail, cost = cost)
  by_row <- methods::as(mail$words, "RsparseMatrix")
  for (data in list(mail$words, list(words = mail$words), by_row)) {
    expect_identical(augment(decided, data), by_model[new])
  }
  listed <- augment(decided, list(words = mail$words, mail["size"]))
  expect_identical(listed, by_model[c("size", new)])
  named <- mail$words
  rownames(named) <- rep(c("u", "v"), 30)
  expect_identical(augment(decided, named)$.decision, decided$decision)
  expect_identical(augment(model, list(words = named), cost = cost)$.decision, decided$decision)
})

test_that("tables of groups have their keys as first columns", {
  flowers <- transform(iris, site = rep(c("hill", "lake"), 75))
  models <- fit(bayes_naive(), Species ~ Petal.Width, flowers, by = site)
  tidied <- tidy(models)
  expect_identical(names(tidied)[[1L]], "site")
  one <- tidied[tidied$site == "lake", -1L]
  row.names(one) <- NULL
  expect_identical(one, tidy(models$lake))
  expect_identical(glance(models)$site, factor(c("hill", "lake")))
  expect_identical(as.data.frame(models)$rows, c(75, 75))
})

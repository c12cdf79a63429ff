test_that("the letters: seeing the pixels is worth .163622023", {
  value <- value_of_information(letters_model())
  expect_s3_class(value, "bayesrisk_information")
  expect_named(value, c("known", "risk", "value"))
  expect_identical(value$known, c("nothing", "pixels", "all", "perfect"))
  expect_within(value$risk[[1]], 0.25, 1e-15)
  expect_within(value$value[2:3], rep(0.163622023, 2), 4e-9)
  expect_within(value$risk[[4]], 0, 0)
  expect_identical(attr(value, "method"), "exact")
})

test_that("tables: enumerated, each feature alone, all, and the truth", {
  cost <- cost_matrix(
    take = c(positive = 0.5, negative = 4), leave = c(positive = 2, negative = 0), ask = 0.7
  )
  model <- shapes_model()
  prior <- c(positive = 0.3, negative = 0.7)
  value <- value_of_information(model, cost, prior)
  least <- function(tables) {
    sum(apply(tables, 2, function(p) min(unclass(cost) %*% (prior * p))))
  }
  table_of <- function(feature) {
    cells <- data.frame(size = NA, colour = NA, shape = NA)[rep(1, 3), ]
    cells[[feature]] <- model$schema$features[[feature]]$levels
    t(exp(predict(model, cells, type = "log_likelihood")))
  }
  cells <- expand.grid(lapply(model$schema$features, `[[`, "levels"))
  all <- t(exp(predict(model, cells, type = "log_likelihood")))
  expect_identical(value$known, c("nothing", "size", "colour", "shape", "all", "perfect"))
  expected <- c(
    least(matrix(1, 2, 1)), least(table_of("size")), least(table_of("colour")),
    least(table_of("shape")), least(all), 0.3 * 0.5 + 0.7 * 0
  )
  expect_within(value$risk, expected, 1e-13)
  expect_within(value$value, expected[[1]] - expected, 1e-12, scale = 1)
})

test_that("more knowledge is never worth less, and a feature is its next_feature()", {
  model <- fit(
    bayes_blocks(list(two = c("f", "g"))), Species ~ Petal.Length + f + g,
    transform(iris, f = cut(Sepal.Length, 3), g = cut(Sepal.Width, 2))
  )
  value <- value_of_information(model, iris_cost())
  expect_true(all(value$value >= 0))
  expect_true(all(value$value[2:4] <= value$value[[5]] + 1e-14))
  expect_lte(value$value[[5]], value$value[[6]])
  steps <- next_feature(model, cost = iris_cost())
  expect_identical(steps$feature, value$known[2:4])
  expect_within(steps$saving, value$value[2:4], 1e-14)
  expect_within(steps$cost_after, value$risk[2:4], 1e-14)
  alone <- fit(bayes_naive(), Species ~ Petal.Length, iris)
  expect_within(value$risk[[2]], bayes_risk(alone, iris_cost())$total, 1e-13)
})

test_that("without features, with a certain prior, with infinite costs", {
  blind <- value_of_information(bayes_known(c(a = .2, b = .8)))
  expect_identical(blind$known, c("nothing", "all", "perfect"))
  expect_identical(blind$value, c(0, 0, 0.2))
  sure <- value_of_information(letters_model(), prior = c(a = 0, b = 1))
  expect_identical(sure$value, c(0, 0, 0, 0))
  both <- cost_matrix(one = c(a = 1, b = Inf), two = c(a = Inf, b = 2))
  rescued <- value_of_information(letters_model(), both)
  expect_identical(rescued$risk, c(Inf, Inf, Inf, 1.25))
  expect_identical(rescued$value, c(0, 0, 0, Inf))
})

test_that("with many numeric features: all within a standard error, each feature exact", {
  model <- fit(bayes_full(), Species ~ ., iris)
  value <- value_of_information(model, iris_cost())
  expect_identical(attr(value, "method"), "monte_carlo")
  alone <- fit(bayes_naive(), Species ~ Sepal.Width, iris)
  expect_within(value$risk[[3]], bayes_risk(alone, iris_cost())$total, 1e-12)
  expect_true(all(value$risk[2:5] >= value$risk[[6]]))
  expect_identical(value_of_information(model, iris_cost(), threads = 2), value)
})

test_that("printed as a table", {
  expect_snapshot(print(value_of_information(shapes_model()), digits = 4))
})

test_that("every odd argument is read or refused by design", {
  is_value <- function(x) inherits(x, "bayesrisk_information")
  for (arg in c("cost", "prior", "seed", "threads")) {
    expect_fuzz_proof(value_of_information, arg, list(object = letters_model()), is_value)
  }
  expect_fuzz_proof(value_of_information, "object", list(), is_value, "bayesrisk_error")
})

test_that("a model with a bag has no world", {
  expect_bayesrisk_error(
    value_of_information(valid_text()$model), "argument", "words.*no data-generating"
  )
})

test_that("sets of features are measured together", {
  model <- shapes_model()
  cost <- cost_matrix(take = c(positive = 0, negative = 4), leave = c(positive = 2, negative = 0))
  value <- value_of_information(model, cost, features = list("size", c("shape", "colour")))
  expect_identical(value$known, c("nothing", "size", "colour + shape", "all", "perfect"))
  cells <- expand.grid(
    size = NA, colour = model$schema$features$colour$levels,
    shape = model$schema$features$shape$levels
  )
  p <- exp(predict(model, cells, type = "log_likelihood")) * rep(coef(model)$prior, each = 9)
  expect_within(value$risk[[3]], sum(apply(p %*% t(unclass(cost)), 1, min)), 1e-13)
  expect_identical(value$risk[[2]], value_of_information(model, cost)$risk[[2]])
  # Of numbers, blocks and levels: the model of these features alone.
  data <- transform(iris, g = cut(Sepal.Width, 2))
  wide <- fit(bayes_blocks(list(c("Sepal.Length", "Petal.Length"))), Species ~ ., data)
  sets <- list(c("Petal.Length", "g"), c("Sepal.Length", "Petal.Length"))
  value <- value_of_information(wide, features = sets, all = FALSE)
  alone <- list(
    fit(bayes_naive(), Species ~ Petal.Length + g, data),
    fit(bayes_full(), Species ~ Sepal.Length + Petal.Length, data)
  )
  expect_within(value$risk[2:3], vapply(alone, function(m) bayes_risk(m)$total, 1), 1e-8)
  expect_identical(attr(value, "method"), "quadrature")
  expect_bayesrisk_error(value_of_information(model, features = list()), "argument", "set")
  expect_bayesrisk_error(value_of_information(model, features = list(1)), "argument", "features")
  expect_bayesrisk_error(value_of_information(model, features = list("sice")), "argument", "sice")
})

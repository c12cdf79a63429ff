test_that("draws are models with known parameters", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  draws <- simulate_parameters(model, 20, seed = 4)
  expect_length(draws, 20)
  expect_s3_class(draws[[1]], "bayesrisk_model")
  expect_equal(rowSums(predict(draws[[7]], iris[1:3, ], type = "prob")), rep(1, 3),
               ignore_attr = TRUE)
  one <- fit(bayes_naive(), Species ~ Petal.Width, iris)
  drawn <- simulate_parameters(one, 1)[[1]]
  expect_gte(bayes_risk(drawn, rule = one)$total, bayes_risk(drawn)$total)
  expect_output(print(draws), "20 draws of the parameters")
  expect_output(print(draws[[1]]))
  table <- as.data.frame(draws)
  expect_equal(table$draw, rep(1:20, each = 27))
  expect_equal(names(table), c("draw", setdiff(names(tidy(model)), "borrowed")))
  expect_error(update(draws[[1]], iris), class = "bayesrisk_error_argument")
})

test_that("a draw depends on its number and the seed alone", {
  model <- fit(bayes_full(), Species ~ ., iris)
  set.seed(1)
  before <- .Random.seed
  draws <- simulate_parameters(model, 5, seed = 2)
  expect_identical(.Random.seed, before)
  expect_identical(unclass(simulate_parameters(model, 3, seed = 2)), unclass(draws)[1:3])
  expect_false(identical(simulate_parameters(model, 1, seed = 3)[[1]], draws[[1]]))
})

test_that("a prior that is given, and what has no posterior, stay", {
  data <- valid_data()
  model <- fit(
    bayes_naive(prior = "uniform", features = list(z = likelihood_kernel())), y ~ x + z, data
  )
  drawn <- simulate_parameters(model, 2)[[2]]
  expect_equal(coef(drawn)$prior, c(a = 0.5, b = 0.5))
  expect_identical(coef(drawn)$z, coef(model)$z)
  expect_false(identical(coef(drawn)$x, coef(model)$x))
})

test_that("draws of large joint tables, left-out features and empty classes are sound", {
  data <- data.frame(
    y = factor(rep_len(c("a", "b"), 40), c("a", "b", "none")), g = rep_len(letters[1:5], 40),
    h = rep_len(LETTERS[1:3], 40), x = rep(1, 40), z = sin(1:40), w = cos(1:40)
  )
  naive <- suppressWarnings(fit(bayes_naive(laplace = 1), y ~ ., data))
  full <- suppressWarnings(fit(bayes_full(laplace = 0.5), y ~ ., data))
  for (model in list(naive, full)) {
    for (drawn in simulate_parameters(model, 3)) {
      p <- predict(drawn, data, type = "prob")
      expect_true(all(is.finite(p)))
      expect_equal(unname(p[, "none"]), rep(0, 40))
    }
  }
  cells <- coef(simulate_parameters(full, 1)[[1]])$categorical
  expect_equal(sum(cells[, , "a"]), 1)
})

test_that("a draw is taken by its number", {
  draws <- simulate_parameters(fit(bayes_naive(), Species ~ ., iris), 3)
  expect_s3_class(draws[[3]], "bayesrisk_model")
  expect_identical(draws[[2]], unclass(draws)[[2L]])
  for (i in list(9, 0, -1, 1.5, "a", 1:2, NA, TRUE, NULL)) {
    expect_bayesrisk_error(draws[[i]], "argument", "one draw, from 1 to 3")
  }
  expect_bayesrisk_error(draws[[]], "argument", "one draw, from 1 to 3")
})

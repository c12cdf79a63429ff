model <- function() fit(bayes_naive(laplace = 1), y ~ x + g, mixed())

test_that("a world knows its features by kind and counts its cells", {
  world <- new_world(model(), c(0.5, 0.5))
  expect_identical(world[c("numeric", "categorical", "cells")], list(
    numeric = 1L, categorical = 2L, cells = 2
  ))
  expect_identical(new_world(iris_naive(), NULL)$cells, 1)
  levels <- factor("a", sprintf("l%d", 1:1000))
  data <- data.frame(y = factor("a"), levels, levels, levels, levels)
  many <- one_class(fit(bayes_naive(laplace = 1), y ~ ., data))
  expect_identical(new_world(many, 1)$cells, 1e12)
})

test_that("rules are the world's own model, seeing all, nothing, or with another prior", {
  world <- new_world(model(), c(0.2, 0.8))
  cost <- new_read_cost(matrix(0:3, 2), list(), NULL)
  expect_identical(own_rule(world, cost)$feature, 1:2)
  expect_identical(own_rule(world, cost)$level, list(integer(), 1:2))
  blind <- read_rule("prior", world, cost, NULL)
  expect_identical(blind$feature, c(NA_integer_, NA_integer_))
  expect_identical(blind$model$prior, c(0.2, 0.8))
  expect_identical(read_rule("likelihood", world, cost, NULL)$model$prior, c(0.5, 0.5))
})

test_that("another model is aligned by name", {
  world <- new_world(model(), c(0.5, 0.5))
  cost <- new_read_cost(
    matrix(1:4, 2, dimnames = list(decision = c("A", "B"), truth = c("a", "b"))), list(), NULL
  )
  data <- mixed()
  data$y <- factor(data$y, c("b", "a"))
  data$g <- factor(data$g, c("v", "u"))
  rule <- read_rule(fit(bayes_naive(laplace = 1), y ~ g, data), world, cost, NULL)
  expect_identical(rule$feature, c(NA, 1L))
  expect_identical(rule$level, list(integer(), 2:1))
  expect_identical(colnames(rule$cost), c("b", "a"))
})

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

world_of <- function(model) new_world(model, model$parameters$prior)

line <- function() {
  bayes_known(
    c(a = 0.5, b = 0.5), x = likelihood_gaussian(mean = c(a = 0, b = 3), sd = c(a = 1, b = 0.1)),
    g = rbind(a = c(u = 0.5, v = 0.5), b = c(0.2, 0.8))
  )
}

test_that("cells are new data with the types of the fit", {
  data <- data.frame(
    y = factor(c("p", "q", "p", "q")), text = c("k", "l", "l", "k"),
    yes = c(TRUE, FALSE, TRUE, TRUE), x = 1:4 + c(0, 0.5, 0, 0),
    size = factor(c("s", "m", "s", "m"), c("s", "m", "l"), ordered = TRUE)
  )
  world <- world_of(fit(bayes_naive(laplace = 1), y ~ ., data))
  cells <- cell_data(world, c(1, 2, 12), list(x = c(5, 6, 7)))
  expect_identical(cells, data.frame(
    text = c("k", "l", "l"), yes = c(FALSE, FALSE, TRUE), x = c(5, 6, 7),
    size = factor(c("s", "s", "l"), c("s", "m", "l"), ordered = TRUE)
  ))
})

test_that("a function's cuts along a line are found to the last digits, cell by cell", {
  rule <- function(data) {
    cut <- ifelse(data$g == "u", pi, -exp(1))
    ifelse(data$x < cut, "a", ifelse(data$x < 3.2, "ask", "b"))
  }
  found <- rule_by_line(rule, world_of(line()), c("a", "b", "ask"), NULL)
  expect_within(found$cut[[1L]], c(pi, 3.2), 1e-13)
  expect_within(found$cut[[2L]], c(-exp(1), 3.2), 1e-13)
  expect_identical(found$decision, list(c(1L, 3L, 2L), c(1L, 3L, 2L)))
  expect_lt(found$gap, 0.01)
})

test_that("a third decision between two neighbours of a bracket is found", {
  decide <- function(cell, x) ifelse(x < 0.3, 1L, ifelse(x < 0.7, 2L, 3L))
  cuts <- bisect_cuts(decide, list(cell = 1L, low = 0, high = 1, left = 1L, right = 3L))
  expect_within(cuts$x, c(0.3, 0.7), 1e-12)
  expect_identical(cuts$right, 2:3)
})

test_that("a rule without cuts has one decision", {
  found <- rule_by_line(function(x) rep("b", nrow(x)), world_of(line()), c("a", "b"), NULL)
  expect_identical(found$cut, list(numeric(), numeric()))
  expect_identical(found$decision, list(2L, 2L))
})

test_that("what a function returns is checked", {
  world <- line()
  expect_refusals(
    "rule & no idea" = bayes_risk(world, rule = function(x) stop("no idea")),
    "rule & 1" = bayes_risk(world, rule = function(x) 1),
    "rule & 8286" = bayes_risk(world, rule = function(x) "a"),
    "rule & NA & a & b" =
      bayes_risk(world, rule = function(x) rep(c("a", NA), length.out = nrow(x))),
    "rule & A & a & b" = bayes_risk(world, rule = function(x) rep("A", nrow(x)))
  )
})

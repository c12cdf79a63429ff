test_that("keys are no features of the dot, and may be strings, named or functions", {
  data <- birds()
  models <- fit(grouped_specs()$naive, y ~ . - weight - year, data, by = "region")
  expect_identical(names(models[[1L]]$schema$features), c("kind", "size", "eggs"))
  even <- fit(bayes_naive(), y ~ size, data, by = c(even = year %% 2 == 0))
  expect_identical(names(even), c("FALSE", "TRUE"))
  expect_identical(names(tidy(even))[[1L]], "even")
})

test_that("bad keys are errors", {
  data <- birds(30L)
  fit_by <- function(...) fit(bayes_naive(), y ~ size, data, ...)
  expect_error(fit_by(by = 3), class = "bayesrisk_error_argument")
  expect_error(fit_by(by = regoin), "regoin", class = "bayesrisk_error_data")
  expect_error(fit_by(by = size), "whole numbers", class = "bayesrisk_error_argument")
  expect_error(fit_by(by = c(region, region)), "twice", class = "bayesrisk_error_argument")
  data$region[3:4] <- NA
  expect_error(fit_by(by = region), "2 rows", class = "bayesrisk_error_data")
  expect_error(fit_by(by = c(region, y)), "region or y is missing in 2 rows",
               class = "bayesrisk_error_data")
  expect_length(fit_by(by = region, subset = !is.na(region)), 3L)
  expect_error(
    fit(grouped_specs()$naive, iris[1:4], iris$Species, by = x), "formula",
    class = "bayesrisk_error_argument"
  )
})

test_that("whole numbers that doubles do not tell apart are no labels", {
  data <- data.frame(y = rep(c("a", "b"), 4), x = 1:8, g = 2^53 - rep(1:0, each = 4))
  expect_bayesrisk_error(fit(bayes_naive(), y ~ x, data, by = g), "argument", "2\\^53 or more")
  expect_bayesrisk_error(confusion_table(data$g, data$g), "argument", "2\\^53 or more")
  data$g <- data$g - 1
  groups <- fit(bayes_naive(), y ~ x, data, by = g)
  expect_identical(names(groups), c("9007199254740990", "9007199254740991"))
})

test_that("keys with the same name are told apart, or are an error", {
  data <- data.frame(
    y = rep(c("p", "q"), 20), x = c(rnorm(20), rnorm(20, 100)),
    k1 = rep(c("a.b", "a"), each = 20), k2 = rep(c("c", "b.c"), each = 20)
  )
  expect_error(
    fit(bayes_naive(), y ~ x, data, by = c(k1, k2)), "a.b.c", class = "bayesrisk_error_argument"
  )
  one <- fit(bayes_naive(), y ~ x, data[1:20, ], by = c(k1, k2))
  expect_error(predict(one, data[21:22, ]), "2 rows", class = "bayesrisk_error_schema")
  expect_error(update(one, data[21:40, ]), "a.b.c", class = "bayesrisk_error_argument")
  expect_length(fit(bayes_naive(), y ~ x, data, by = paste(k1, k2)), 2L)
})

test_that("a key that depends on other rows is an error where rows are read apart", {
  data <- data.frame(y = rep(c("p", "q"), 20), x = 1:40 + 0, k = 1:40 %% 7)
  expect_error(
    fit(bayes_naive(), y ~ x, data, by = c(high = k > mean(k))), "`high` depends on other rows",
    class = "bayesrisk_error_data"
  )
  expect_length(fit(bayes_naive(), y ~ x, data, by = c(high = k > 3)), 2L)
  expect_error(
    fit(bayes_naive(), y ~ x, data, by = c(half = rep(1:2, 20))), "`half` uses no column",
    class = "bayesrisk_error_data"
  )
  model <- fit(bayes_naive(), y ~ x, data)
  assess <- function(data, ...) suppressWarnings(assess_decisions(model, data, ...))
  expect_identical(nrow(assess(data, by = c(third = cut(k, 3)))$by_segment), 3L)
  expect_error(assess(chunked(data, 10), by = c(third = cut(k, 3))), "depends on other rows",
               class = "bayesrisk_error")
})

data <- data.frame(
  y = rep(c("a", "b"), each = 6), x = c(1, 2, 4, 3, 7, 9, 8, 5, NA, 6, 12, 10),
  g = rep(c("k", "l", "m"), 4)
)

test_that("a function whose value for a row depends on other rows is an error with the remedy", {
  skip_on_cran()
  wrong <- list(
    y ~ I(x - mean(x, na.rm = TRUE)), y ~ rank(x), y ~ cut(x, 5), y ~ I(x / max(x, na.rm = TRUE)),
    y ~ I(x > median(x, na.rm = TRUE)), y ~ cumsum(x), y ~ rev(x), y ~ seq_along(x),
    y ~ I(as.integer(factor(g))), y ~ ave(x, g), y ~ c(NA, x[-1]),
    y ~ cut(x, quantile(x, na.rm = TRUE)), y ~ stats::runif(length(x)),
    y ~ ifelse(is.na(x), mean(x, na.rm = TRUE), x)
  )
  withr::local_seed(1)
  for (formula in wrong) {
    error <- rlang::catch_cnd(fit(bayes_naive(laplace = 1), formula, data), "bayesrisk_error_data")
    expect_match(conditionMessage(error), "depends on other rows.*I\\(x - m\\)")
  }
  expect_bayesrisk_error(fit(bayes_naive(), y ~ scale(x), data), "data", "before the fit")
  expect_bayesrisk_error(
    fit(bayes_naive(), y ~ I(x - mean(x)), data[1:6, ]), "data",
    "row 1 has -3.33.*alone, it has 0"
  )
})

test_that("a class whose value for a row depends on other rows is an error with the remedy", {
  whole <- data[-9, ]
  wrong <- list(
    x > mean(x) ~ g, I(x > stats::median(x)) ~ g, cut(x, 3) ~ g, cut(x, quantile(x)) ~ g,
    factor(g, labels = c("one", "two", "three")) ~ x, as.integer(factor(g)) ~ x, rev(g) ~ x,
    ifelse(x > mean(x), "high", g) ~ x, (scale(x) > 0) ~ g, rank(x) ~ g
  )
  for (formula in wrong) {
    error <- rlang::catch_cnd(fit(bayes_naive(laplace = 1), formula, whole), "bayesrisk_error_data")
    expect_match(conditionMessage(error), "depends on other rows.*Compute the class once")
  }
  # The mean fills in a missing value, if there is one.
  fills <- ifelse(is.na(x), mean(x, na.rm = TRUE), x) > 4 ~ g
  model <- fit(bayes_naive(laplace = 1), fills, whole)
  for (call in alist(
    update(model, data), assess_decisions(model, data), fit(bayes_naive(laplace = 1), fills, data)
  )) {
    expect_error(suppressWarnings(eval(call)), "depends on other rows", class = "bayesrisk_error")
  }
  expect_bayesrisk_error(
    fit(bayes_naive(), rep(c("a", "b"), 6) ~ x, data), "data", "uses no column"
  )
})

test_that("classes that are functions of a row alone are no error", {
  whole <- data[-9, ]
  good <- list(
    factor(g) ~ x, factor(g, c("m", "l", "k"), c("three", "two", "one")) ~ x, (x > 5) ~ g,
    cut(x, breaks = c(0, 5, 20)) ~ g, ifelse(x > 5, "high", "low") ~ g, interaction(y, g) ~ x,
    as.integer(x > 5) ~ g, ordered(g, c("m", "l", "k")) ~ x, paste(y, g) ~ x, substr(g, 1, 1) ~ x,
    droplevels(factor(g)) ~ x, as.matrix(x > 5) ~ g
  )
  for (formula in good) {
    model <- quietly(fit(bayes_naive(laplace = 1), formula, whole))
    expect_s3_class(model, "bayesrisk_model")
  }
})

test_that("functions of a row alone are no error", {
  good <- y ~ log(x) + sqrt(x) + I(x > 3) + factor(g) + paste(g, x > 3) + cut(x, c(0, 5, 20)) +
    ifelse(is.na(x), 0, x) + pmin(x, 10) + I(pi * x) + toupper(g) + nchar(strrep(g, x + 1))
  model <- fit(bayes_naive(laplace = 1), good, data)
  expect_length(model$schema$features, 11L)
  alone <- lapply(seq_len(nrow(data)), function(i) posterior(model, data[i, ]))
  expect_identical(unname(posterior(model, data)), unname(do.call(rbind, alone)))
  # One row cannot show a dependence.
  expect_s3_class(bayes_statistics(bayes_naive(), y ~ rank(x), data[1, ]), "bayesrisk_statistics")
})

test_that("the model keeps small values from where the formula was written", {
  written <- function(k, breaks, unit) {
    ballast <- stats::rnorm(1e5)
    fit(bayes_naive(laplace = 1), y ~ I(x / k) + cut(x, breaks) + I(paste(g, unit)), data)
  }
  withr::with_preserve_seed(model <- written(2.5, c(0, 4, 20), "kg"))
  by_hand <- transform(
    data, x25 = x / 2.5, bin = cut(x, c(0, 4, 20)), text = paste(g, "kg")
  )
  expected <- fit(bayes_naive(laplace = 1), y ~ x25 + bin + text, by_hand)
  expect_identical(model$parameters$banks, expected$parameters$banks)
  expect_identical(posterior(model, data), posterior(expected, by_hand))
  expect_identical(model$schema$features[[1]]$values, list(k = 2.5))
  expect_lt(length(serialize(model, NULL)), 2e4)
  # A later variable or column of the same name changes nothing.
  k <- 1000
  expect_identical(posterior(model, cbind(data, k = 7)), posterior(expected, by_hand))
  expect_identical(posterior(unserialize(serialize(model, NULL)), data), posterior(model, data))
})

test_that("kept values stay in updates, and models of other values do not merge", {
  of_k <- function(k, rows) fit(bayes_naive(), y ~ I(x / k), data[rows, ])
  odd <- seq_len(nrow(data)) %% 2 == 1
  updated <- update(of_k(2, odd), cbind(data[!odd, ], k = 9))
  expect_equal(coef(updated), coef(of_k(2, TRUE)), tolerance = 1e-13)
  expect_equal(coef(merge(of_k(2, odd), of_k(2, !odd))), coef(of_k(2, TRUE)), tolerance = 1e-13)
  expect_bayesrisk_error(merge(of_k(2, odd), of_k(3, !odd)), "argument", "I\\(x/k\\).*k = 2.*k = 3")
  both <- local({
    k <- 2
    fit(bayes_naive(), y ~ I(x / k) + x, data)
  })
  expect_named(update(both, . ~ . - x)$schema$features, "I(x/k)")
})

test_that("large values, tables and functions are no part of a formula", {
  fit_with <- function(z) fit(bayes_naive(), y ~ I(x + sum(unlist(z))), data)
  expect_bayesrisk_error(fit_with(as.numeric(1:101)), "data", "no column.*z.*vector of length 101")
  expect_bayesrisk_error(fit_with(list(1)), "data", "no column.*z.*list.*100 values")
  expect_bayesrisk_error(fit_with(data), "data", "no column.*z.*data.frame")
  expect_bayesrisk_error(fit_with(mean), "data", "no column.*z")
  # A vector that stands for a column, and a name without any column beside it
  fit_beside <- function(z) fit(bayes_naive(), y ~ I(x + z), data)
  expect_bayesrisk_error(fit_beside(1:12), "data", "depends on other rows")
  z <- 1
  expect_bayesrisk_error(fit(bayes_naive(), y ~ log(z), data), "data", "no column.*z")
  expect_bayesrisk_error(fit(bayes_naive(), y ~ z, data), "data", "no column.*z")
})

test_that("a value may have the name of a function of R", {
  by_t <- local({
    t <- 4
    fit(bayes_naive(), y ~ I(x / t), data)
  })
  expect_identical(by_t$schema$features[[1]]$values, list(t = 4))
  expect_identical(nrow(posterior(by_t, data)), 12L)
})

test_that("damaged values of a term are noticed", {
  k <- 2
  model <- fit(bayes_naive(), y ~ I(x / k), data)
  for (values in list(list(2), list(k = mean), list(k = NULL), 2, list(j = 2), list())) {
    damaged <- model
    damaged$schema$features[[1]]["values"] <- list(values)
    expect_bayesrisk_error(predict(damaged, data), "object", "damaged")
  }
})

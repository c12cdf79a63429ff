# Merged models against one fit of all rows.

thirds <- function(data) split(data, rep(1:3, length.out = nrow(data)))

test_that("three parts merge to one fit, in any order and grouping", {
  for (spec in list(bayes_naive(), bayes_full(), bayes_full(covariance = "pooled"))) {
    whole <- fit(spec, Species ~ ., iris)
    part <- lapply(thirds(iris), function(rows) fit(spec, Species ~ ., rows))
    expect_same_predictions(merge(merge(part[[1]], part[[2]]), part[[3]]), whole, iris)
    expect_same_predictions(merge(part[[3]], merge(part[[2]], part[[1]])), whole, iris)
  }
})

test_that("counts merge exactly", {
  for (spec in list(bayes_naive(laplace = 1), bayes_full(laplace = 1))) {
    part <- lapply(thirds(play_tennis), function(rows) fit(spec, play ~ ., rows))
    merged <- merge(merge(part[[3]], part[[1]]), part[[2]])
    whole <- fit(spec, play ~ ., play_tennis)
    expect_identical(merged$statistics, whole$statistics)
    expect_identical(merged$parameters$banks, whole$parameters$banks)
  }
})

test_that("the parameters of a merge are those of one fit to 1e-12 of their scale", {
  part <- lapply(thirds(iris), function(rows) fit(bayes_full(), Species ~ ., rows))
  merged <- merge(merge(part[[1]], part[[3]]), part[[2]])
  whole <- fit(bayes_full(), Species ~ ., iris)
  expect_within(bank_of(merged)$mean, bank_of(whole)$mean, 1e-15)
  Map(function(a, b) expect_within(a, b, 1e-12, scale = max(abs(b))),
      covariances_of(merged), covariances_of(whole))
  expect_identical(merged$rows$used, 150)
})

test_that("different specifications do not merge", {
  naive <- fit(bayes_naive(), play ~ ., play_tennis)
  smooth <- fit(bayes_naive(laplace = 1), play ~ ., play_tennis)
  expect_error(merge(naive, smooth), "specifications differ", class = "bayesrisk_error_argument")
  collected <- bayes_statistics(bayes_naive(), play ~ ., play_tennis)
  expect_error(merge(collected, naive), "`y`", class = "bayesrisk_error_argument")
  expect_error(merge(naive, collected), "`y`", class = "bayesrisk_error_argument")
  expect_error(merge(naive), "`y`", class = "bayesrisk_error_argument")
  expect_error(merge(naive, naive, all = TRUE), "all", class = "bayesrisk_error_argument")
})

test_that("a known model has nothing to merge", {
  known <- bayes_known(c(a = .5, b = .5), x = likelihood_gaussian(mean = c(a = 0, b = 1), sd = 1))
  expect_error(merge(known, known), "no statistics", class = "bayesrisk_error_argument")
})

test_that("a prior in class order means the classes of its own part", {
  spec <- bayes_naive(prior = c(.3, .7))
  x <- c(1, 2, 4, 7, 9, 8)
  first <- fit(spec, y ~ x, data.frame(x, y = factor(rep(c("b", "c"), each = 3), c("b", "c"))))
  second <- fit(spec, y ~ x, data.frame(x, y = factor(rep(c("b", "c"), each = 3), c("c", "b"))))
  expect_identical(first$spec$prior, c(b = .3, c = .7))
  expect_error(merge(first, second), "specifications differ", class = "bayesrisk_error_argument")
  expect_identical(merge(first, first)$parameters$prior, c(.3, .7))
})

test_that("parts whose features have the same label must compute them in the same way", {
  data <- transform(mixed(), `log(x)` = x^2, check.names = FALSE)
  statistics <- function(formula, rows = data) {
    bayes_statistics(bayes_naive(laplace = 1), formula, rows)
  }
  differ <- function(x, y, text) expect_bayesrisk_error(merge(x, y), "argument", text)
  # A column of the same name
  differ(statistics(y ~ log(x)), statistics(y ~ `log(x)`), "x: a column.*the column log")
  # Numbers that print alike
  third <- statistics(y ~ I(x + 0.3))
  other <- statistics(rlang::new_formula(quote(y), call("I", call("+", quote(x), 0.1 + 0.2))))
  expect_identical(names(third$schema$features), names(other$schema$features))
  differ(third, other, "not computed in the same way")
  # A value in one part, a column in the other
  k <- 2
  of_columns <- statistics(y ~ I(x / k), transform(data, k = 2))
  differ(statistics(y ~ I(x / k)), of_columns, "k = 2.*k: a column")
  # The class
  data$`x > 1` <- data$y
  differ(statistics(x > 1 ~ g), statistics(`x > 1` ~ g), "different classes")
  expect_identical(merge(third, third)$schema, third$schema)
})

test_that("parts of different classes do not merge", {
  data <- transform(mixed(), other = rev(y))
  parts <- lapply(c(y ~ x, other ~ x), function(f) bayes_statistics(bayes_naive(), f, data))
  expect_bayesrisk_error(merge(parts[[1]], parts[[2]]), "argument", "different classes: y and")
})

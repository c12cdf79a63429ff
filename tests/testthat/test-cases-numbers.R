# Numbers at the ends of what a double holds, and data that no model can be fitted to.

test_that("N9: a floor on the variance stands in the formula of the density", {
  x <- data.frame(x = c(5, 5, 5, 4, 5, 6))
  y <- rep(c("a", "b"), each = 3)
  strict <- bayes_naive(degenerate = "stop")
  expect_bayesrisk_error(fit_xy(strict, x, y), "degenerate", "class \"a\".*`x` constant")
  floored <- fit_xy(bayes_naive(numeric = likelihood_gaussian(min_variance = 0.04)), x, y)
  density <- dnorm(5.3, 5, c(0.2, 1))
  expect_within(posterior(floored, data.frame(x = 5.3)), density / sum(density), 1e-14)
})

test_that("N10: a class of one row is named with its size, and has a table all the same", {
  data <- data.frame(
    y = c("lone", "a", "a", "a", "a"), u = c(1, 2, 4, 3, 7), v = c(2, 5, 1, 3, 3),
    g = c("k", "l", "k", "l", "l")
  )
  specs <- list(
    bayes_naive(), bayes_naive(variance = "ml"), bayes_full(), bayes_full(variance = "ml"),
    bayes_naive(numeric = likelihood_kernel())
  )
  for (spec in specs) {
    spec$degenerate <- "stop"
    expect_bayesrisk_error(
      fit(spec, y ~ u + v, data), "degenerate", "class \"lone\".*\\b1 (in|row)\\b"
    )
  }
  table <- fit(bayes_naive(), y ~ g, data)
  expect_within(posterior(table, data.frame(g = "k")), c(1 / 5, 1 / 5) / (2 / 5), 1e-15)
  expect_identical(colnames(posterior(table, data)), c("a", "lone"))
})

# Multiples of the smallest positive double.
denormal <- function() data.frame(x = 2^-1074 * c(1, 2, 3, 10, 11, 12), y = rep(1:2, each = 3))

test_that("N14: numbers below the normal doubles are constant, or values of their own", {
  for (spec in list(
    bayes_naive(), bayes_full(), bayes_naive(numeric = likelihood_kernel())
  )) {
    expect_bayesrisk_error(fit(spec, y ~ x, denormal()), "degenerate", "`x`: the spread is too")
    spec$degenerate <- "stop"
    expect_bayesrisk_error(fit(spec, y ~ x, denormal()), "degenerate", "`x` constant")
  }
  exact <- fit(bayes_naive(numeric = likelihood_empirical()), y ~ x, denormal())
  expect_identical(unname(posterior(exact, denormal())), cbind(c(1, 1, 1, 0, 0, 0), 1:6 > 3))
  # Beside data of a usual size they are 0.
  usual <- data.frame(x = c(-1, 0, 2, 1, 3, 5), y = rep(1:2, each = 3))
  smallest <- data.frame(x = 2^-1074)
  for (likelihood in list(likelihood_gaussian(), likelihood_kernel(), likelihood_histogram(1))) {
    model <- fit(bayes_naive(numeric = likelihood), y ~ x, usual)
    expect_identical(posterior(model, smallest), posterior(model, data.frame(x = 0)))
  }
})

test_that("N14: minus zero is in the bin, at the value and in the class of zero", {
  signed <- data.frame(x = c(-0, 1, -1, 0, -1, 2), y = c(0, 0, 0, 1, 1, 1))
  plain <- transform(signed, x = x + 0)
  zeros <- data.frame(x = c(0, -0))
  likelihoods <- list(
    likelihood_gaussian(), likelihood_kernel(), likelihood_empirical(),
    likelihood_histogram(breaks = c(-2, 0, 3)), likelihood_histogram(1, origin = -1)
  )
  for (likelihood in likelihoods) {
    model <- fit(bayes_naive(numeric = likelihood), y ~ x, signed)
    expect_identical(model, fit(bayes_naive(numeric = likelihood), y ~ x, plain))
    p <- posterior(model, zeros)
    expect_identical(p[1, ], p[2, ])
  }
  counts <- fit(bayes_naive(numeric = likelihood_poisson()), y ~ abs(x), signed)
  expect_identical(counts$schema$classes$levels, c("0", "1"))
  opposite <- fit(bayes_naive(), y ~ x, transform(signed, y = -y))
  expect_identical(opposite$schema$classes$levels, c("-1", "0"))
})

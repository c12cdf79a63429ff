# Statistics from parameters and counts: those of the fit that the parameters come from.

counted <- function(model, ...) do.call(bayes_known, c(coef(model), list(n = counts(model)$class)))

test_that("tables, joint tables, histograms and exact values give the counts", {
  data <- valid_data()
  specs <- list(
    list(bayes_naive(), play ~ ., play_tennis), list(bayes_full(), play ~ ., play_tennis),
    list(bayes_naive(features = list(
      x = likelihood_histogram(breaks = -4:4), n = likelihood_empirical()
    )), y ~ x + n, data),
    list(bayes_naive(features = list(
      x = likelihood_histogram(breaks = list(a = -4:4, b = c(-4, 0, 4)))
    )), y ~ x, data)
  )
  for (spec in specs) {
    model <- do.call(fit, spec)
    again <- counted(model)
    expect_identical(again$spec, model$spec)
    expect_equal(again$statistics, model$statistics, tolerance = 0)
    expect_equal(counts(again), counts(model), tolerance = 0)
    expect_within(logLik(again), logLik(model), 1e-14)
  }
})

test_that("Gaussians give sums of squares: unbiased, ml, pooled, and in blocks", {
  data <- valid_data()
  specs <- list(
    list(bayes_naive(), y ~ x + n + z), list(bayes_full(), y ~ x + n + z),
    list(bayes_full(covariance = "pooled"), y ~ x + z),
    list(bayes_blocks(list(p = c("x", "z"), q = c("g", "h"))), y ~ x + z + n + g + h)
  )
  for (spec in specs) {
    model <- fit(spec[[1L]], spec[[2L]], data)
    again <- counted(model)
    expect_identical(again$spec, model$spec)
    expect_within(logLik(again), logLik(model), 1e-13)
    expect_within(AIC(again), AIC(model), 1e-13)
    merged <- merge(again, model)
    expect_same_predictions(merged, merge(model, model), data)
    expect_identical(nobs(merged), 48)
    more <- data[1:6, ]
    expect_same_predictions(update(again, more[-1L], y = more$y), update(model, more), data)
  }
})

test_that("variance = \"ml\" is the divisor behind known deviations", {
  mean <- c(a = 1, b = 2)
  n <- c(a = 5, b = 8)
  scatter <- function(variance) {
    part <- likelihood_gaussian(variance, mean = mean, sd = c(a = 1, b = 3))
    model <- bayes_known(c(a = 0.5, b = 0.5), x = part, n = n)
    as.vector(model$statistics$banks[[1L]]$scatter)
  }
  expect_identical(scatter("ml"), c(5, 72))
  expect_identical(scatter("unbiased"), c(4, 63))
})

test_that("a prior that is the share of the classes is estimated, another one is given", {
  table <- rbind(a = c(u = 0.5, v = 0.5), b = c(0.25, 0.75))
  n <- c(b = 12, a = 4)
  estimated <- bayes_known(c(a = 0.25, b = 0.75), x = table, n = n)
  expect_null(estimated$spec$prior)
  given <- bayes_known(c(a = 0.5, b = 0.5), x = table, n = n)
  more <- data.frame(x = rep("u", 16))
  y <- rep("a", 16)
  expect_within(coef(update(estimated, more, y = y))$prior, c(20, 12) / 32, 1e-15)
  expect_within(coef(update(given, more, y = y))$prior, c(0.5, 0.5), 0)
  expect_identical(counts(given)$class, c(a = 4, b = 12))
  expect_within(coef(update(given, more, y = y))$x["a", ], c(18, 2) / 20, 1e-15)
})

test_that("a feature may be called n", {
  x <- likelihood_gaussian(mean = c(a = 0, b = 1), sd = 1)
  expect_identical(names(bayes_known(c(a = 0.5, b = 0.5), n = x)$schema$features), "n")
  both <- bayes_known(c(a = 0.5, b = 0.5), n = c(a = 10, b = 20), n = x)
  expect_identical(nobs(both), 30)
  expect_identical(names(both$schema$features), "n")
})

test_that("what counts do not determine is refused, and so are wrong counts", {
  skip_on_cran()
  prior <- c(a = 0.5, b = 0.5)
  n <- c(a = 10, b = 20)
  refused <- function(pattern, ...) {
    expect_error(bayes_known(prior, ...), pattern, class = "bayesrisk_error_argument")
  }
  for (name in c("poisson", "gamma", "negative_binomial", "mixture", "multinomial", "bernoulli")) {
    refused("does not determine", x = known_examples()[[name]], n = n)
  }
  x <- likelihood_gaussian(mean = c(a = 0, b = 1), sd = 1)
  refused("too small", x = x, n = c(a = 1, b = 1))
  refused("positive", x = x, n = c(a = 0, b = 1))
  refused("named by class", x = x, n = c(1, 2))
  refused("names of", x = x, n = c(a = 1, c = 2))
  refused("finite", x = x, n = c(a = NA, b = 2))
  refused("must be a table", x = x, n = n, n = n)
  ml <- likelihood_gaussian("ml", mean = c(a = 0, b = 1), sd = 1)
  refused("variance", x = x, z = ml, n = n)
  block <- function(label, covariance) {
    mean <- matrix(0:3, 2, dimnames = list(c("a", "b"), paste0(label, 1:2)))
    likelihood_gaussian(mean = mean, covariance = covariance)
  }
  refused("blocks", r = block("r", diag(2)), q = block("q", list(a = diag(2), b = diag(2))), n = n)
})

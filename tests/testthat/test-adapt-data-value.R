data_world <- function(rows = 16) {
  world <- bayes_known(
    c(a = 0.6, b = 0.4), x = likelihood_gaussian(mean = c(a = 0, b = 1), sd = 1),
    g = rbind(a = c(u = 0.3, v = 0.7), b = c(u = 0.6, v = 0.4))
  )
  fit(bayes_naive(laplace = 1), class ~ ., simulate(world, rows, seed = 3))
}

test_that("more data save more, and less than knowing the parameters", {
  cost <- cost_matrix(a = c(a = 0, b = 5), b = c(a = 1, b = 0))
  found <- value_of_data(data_world(), cost, n = c(1000, 5, 50), draws = 200)
  expect_equal(found$n, c(5L, 50L, 1000L))
  expect_true(all(diff(found$saving) > 0))
  limit <- attr(found, "limit")
  expect_lt(found$saving[[3]], limit)
  expect_gt(found$saving[[3]], 0.8 * limit)
  expect_true(all(found$std_error < 0.3 * limit))
})

test_that("the value of a rate is that of a conjugate sum", {
  skip_on_cran()
  # One class probability is learned, and no feature: with n new rows the prior is beta-binomial.
  data <- data.frame(y = rep(c("a", "b"), c(6, 4)))
  model <- fit(bayes_naive(), y ~ 1, data)
  cost <- cost_matrix(a = c(a = 0, b = 1), b = c(a = 1, b = 0))
  n <- 7
  count <- 0:n
  chance <- choose(n, count) * beta(6 + count, 4 + n - count) / beta(6, 4)
  share <- (6 + count) / (10 + n)
  after <- sum(chance * pmin(share, 1 - share))
  found <- value_of_data(model, cost, n = n, draws = 20000, prior = "estimated")
  expect_lt(abs(found$saving - (0.4 - after)), 4 * found$std_error)
  known <- 0.4 - stats::integrate(function(p) pmin(p, 1 - p) * stats::dbeta(p, 6, 4), 0, 1)$value
  expect_equal(attr(found, "limit"), known, tolerance = 0.05)
})

test_that("rows of one class, prices and threads", {
  skip_on_cran()
  model <- data_world(40)
  found <- value_of_data(model, n = c(10, 300), by = "class", draws = 20, price = 0.01, cases = 1e4)
  expect_equal(as.character(found$class), c("a", "a", "b", "b"))
  expect_equal(found$net, 1e4 * found$saving - 0.01 * found$n)
  expect_lte(sum(found$best), 1)
  expect_output(print(found), "value of more labelled data")
  best <- as.character(found$class)[found$best]
  if (length(best)) expect_output(print(found), paste("of class", best, "pay most"))
  expect_identical(
    value_of_data(model, n = 10, draws = 6, threads = 2), value_of_data(model, n = 10, draws = 6)
  )
  dear <- value_of_data(model, n = 10, draws = 6, price = 1e6, cases = 10)
  expect_output(print(dear), "worth its price")
  expect_error(value_of_data(model, price = 1), "cases", class = "bayesrisk_error_argument")
  expect_error(value_of_data(model, n = 2.5), "whole", class = "bayesrisk_error_argument")
})

test_that("infinite costs count where their class is possible", {
  data <- data.frame(
    y = rep(c("a", "b"), c(12, 10)), g = rep(c("u", "v", "v", "w"), c(6, 6, 3, 7))
  )
  model <- fit(bayes_naive(), y ~ g, data)
  saving <- function(worst) {
    cost <- cost_matrix(a = c(a = 0, b = worst), b = c(a = 1, b = 0), ask = 0.7)
    value_of_data(model, cost, n = c(5, 50), draws = 50)
  }
  # A cost of 1e9 excludes the action as infinity does. Its decisions cost no rounding.
  expect_equal(saving(Inf), saving(1e9), tolerance = 1e-6)
  hopeless <- cost_matrix(a = c(a = 0, b = Inf), b = c(a = Inf, b = 0))
  found <- value_of_data(data_world(), hopeless, n = 5, draws = 5)
  expect_identical(c(found$saving, found$std_error, attr(found, "limit")), c(0, 0, 0))
})

test_that("the standard error of tiny and huge costs has their unit", {
  at <- function(unit) {
    cost <- cost_matrix(a = c(a = 0, b = 5 * unit), b = c(a = unit, b = 0))
    value_of_data(data_world(), cost, n = 5, draws = 10)
  }
  expect_equal(at(2^900)$std_error / 2^900, at(1)$std_error, tolerance = 1e-10)
  expect_equal(at(2^-900)$std_error * 2^900, at(1)$std_error, tolerance = 1e-10)
})

test_that("features without a posterior are named", {
  data <- simulate(data_world(), 40, seed = 1)
  model <- fit(bayes_naive(numeric = likelihood_kernel(), laplace = 1), class ~ ., data)
  found <- value_of_data(model, n = 5, draws = 5)
  expect_match(paste(capture.output(found), collapse = "\n"), "as estimated: x")
  expect_null(attr(value_of_data(data_world(), n = 5, draws = 5), "known"))
})

# A second implementation: one Gaussian feature, two classes, on a grid. The saving and its variance
# of decisions by Student's t or by plug-in normals, with the prior known.
savings_on_grid <- function(data, losses, n, draws) {
  x <- seq(-12, 14, length.out = 1501)
  step <- diff(x[1:2])
  stats_of <- function(v) c(n = length(v), mean = mean(v), scatter = sum((v - mean(v))^2))
  add <- function(s, v) {
    n <- s[["n"]] + length(v)
    mean <- (s[["n"]] * s[["mean"]] + sum(v)) / n
    before <- s[["scatter"]] + s[["n"]] * s[["mean"]]^2
    c(n = n, mean = mean, scatter = before + sum(v^2) - n * mean^2)
  }
  density <- function(s, predictive) {
    variance <- s[["scatter"]] / (s[["n"]] - 1)
    if (!predictive) return(stats::dnorm(x, s[["mean"]], sqrt(variance)))
    scale <- sqrt(variance * (1 + 1 / s[["n"]]))
    stats::dt((x - s[["mean"]]) / scale, s[["n"]] - 1) / scale
  }
  known <- lapply(split(data$x, data$y), stats_of)
  prior <- prop.table(table(data$y))
  cost_by <- function(stats, truth, predictive) {
    p <- Map(function(s, share) share * density(s, predictive), stats, prior)
    choose_a <- losses[["b"]] * p$b <= losses[["a"]] * p$a
    sum(ifelse(choose_a, losses[["b"]] * truth$b, losses[["a"]] * truth$a)) * step
  }
  one <- function() {
    theta <- lapply(known, function(s) {
      variance <- s[["scatter"]] / stats::rchisq(1, s[["n"]] - 1)
      c(stats::rnorm(1, s[["mean"]], sqrt(variance / s[["n"]])), sqrt(variance))
    })
    truth <- Map(function(t, share) share * stats::dnorm(x, t[[1]], t[[2]]), theta, prior)
    count <- stats::rbinom(1, n, prior[["a"]])
    more <- Map(function(s, t, k) add(s, stats::rnorm(k, t[[1]], t[[2]])), known, theta,
                c(count, n - count))
    vapply(c(TRUE, FALSE), function(predictive) {
      cost_by(known, truth, predictive) - cost_by(more, truth, predictive)
    }, 1)
  }
  found <- replicate(draws, one())
  list(
    saving = rowMeans(found), std_error = apply(found, 1L, stats::sd) / sqrt(draws)
  )
}

test_that("the value of data is that of a simulation on a grid, by both estimates", {
  skip_on_cran()
  set.seed(11)
  data <- data.frame(y = rep(c("a", "b"), c(8, 5)), x = c(rnorm(8), rnorm(5, 1.5, 1.3)))
  model <- fit(bayes_naive(), y ~ x, data)
  cost <- cost_matrix(a = c(a = 0, b = 4), b = c(a = 1, b = 0))
  expected <- savings_on_grid(data, list(a = 1, b = 4), 10, 4000)
  for (i in 1:2) {
    found <- value_of_data(
      model, cost, n = 10, draws = 4000, estimate = c("predictive", "plugin")[[i]]
    )
    error <- sqrt(found$std_error^2 + expected$std_error[[i]]^2)
    expect_lt(abs(found$saving - expected$saving[[i]]), 4 * error)
    expect_lt(error, 0.1 * expected$saving[[i]])
  }
  # Decisions by plug-in estimates cost more, so they gain more.
  expect_gt(expected$saving[[2]], expected$saving[[1]])
})

test_that("a tempered model reaches its own limit, and says what it supposes", {
  data <- overlapping(60L)
  model <- temper(fit(bayes_naive(laplace = 1), y ~ ., data), data)
  expect_message(
    found <- value_of_data(model, n = c(10, 100000), draws = 10), "decisions use the exponents",
    class = "bayesrisk_message_untempered"
  )
  expect_equal(found$saving[[2]], attr(found, "limit"), tolerance = 0.1)
  expect_message(
    suppressMessages(
      value_of_data(model, n = 10, draws = 2, estimate = "predictive"),
      classes = "bayesrisk_message_untempered"
    ), "plugin scores", class = "bayesrisk_message_other_scores"
  )
})

test_that("a prior can be given, and is known unless it is estimated", {
  model <- data_world()
  cost <- cost_matrix(a = c(a = 0, b = 5), b = c(a = 1, b = 0))
  sure <- value_of_data(model, cost, n = 10, draws = 20, prior = c(a = 1, b = 0))
  expect_identical(sure$saving, 0)
  own <- value_of_data(model, cost, n = 10, draws = 20)
  shares <- prop.table(model$statistics$classes$weight)
  expect_identical(
    value_of_data(model, cost, n = 10, draws = 20, prior = c(a = shares[[1]], b = shares[[2]])), own
  )
  expect_false(identical(
    value_of_data(model, cost, n = 10, draws = 20, prior = "estimated")$saving, own$saving
  ))
  expect_error(value_of_data(model, prior = "even"), "prior", class = "bayesrisk_error_argument")
  expect_error(value_of_data(model, estimate = "best"), "estimate",
               class = "bayesrisk_error_argument")
})

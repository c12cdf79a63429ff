test_that("confint() shows the terms that are asked for", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  found <- confint(model, c("(prior)", "Petal.Width"))
  expect_equal(unique(found$term), c("(prior)", "Petal.Width"))
  expect_s3_class(found, "bayesrisk_confint")
  expect_output(print(found), "95 % intervals of 9 parameters")
  expect_equal(class(as.data.frame(found)), "data.frame")
  expect_error(confint(model, "Petal.Wdth"), "Petal.Width", class = "bayesrisk_error_argument")
  expect_error(confint(model, 2), "names of terms", class = "bayesrisk_error_argument")
  expect_error(confint(model, level = 1), "between 0 and 1", class = "bayesrisk_error_argument")
  expect_error(confint(model, lvel = 0.9), class = "bayesrisk_error_argument")
})

test_that("a model with known parameters has nothing to learn", {
  known <- valid_models()$known
  for (f in list(confint, vcov, simulate_parameters, value_of_data)) {
    expect_error(f(known), "known parameters", class = "bayesrisk_error_argument")
  }
  expect_error(
    decision_stability(known, data.frame(n = 1)), "known", class = "bayesrisk_error_argument"
  )
})

test_that("a covariance matrix that is too large is an error", {
  data <- data.frame(y = rep_len(c("a", "b"), 60), matrix(seq_len(60 * 1300) %% 7, 60))
  model <- suppressWarnings(fit(bayes_naive(), y ~ ., data))
  expect_error(vcov(model), "too large", class = "bayesrisk_error_argument")
})

# Draws data from a known model, and counts how often the intervals hold the truth.
coverage_of <- function(world, spec, formula, rows, truth, runs, seed) {
  covered <- vapply(seq_len(runs), function(i) {
    model <- fit(spec, formula, simulate(world, rows, seed = 1000 * seed + i))
    found <- confint(model)
    truth >= found$lower & truth <= found$upper
  }, logical(length(truth)))
  rowMeans(covered)
}

test_that("95 % intervals hold the truth in 95 % of samples", {
  skip_on_cran()
  world <- bayes_known(
    c(a = 0.4, b = 0.6), x = likelihood_gaussian(mean = c(a = 1, b = 3), sd = c(a = 1, b = 2)),
    n = likelihood_poisson(c(a = 4, b = 7)),
    g = rbind(a = c(u = 0.3, v = 0.7), b = c(u = 0.6, v = 0.4))
  )
  spec <- bayes_naive(laplace = 0.5, features = list(n = likelihood_poisson(pseudo_count = 0.5)))
  runs <- 400
  # The rows of tidy(): prior, x, n, g.
  truth <- c(0.4, 0.6, 1, 3, 1, 2, 4, 7, 0.3, 0.6, 0.7, 0.4)
  for (seed in 1:3) {
    found <- coverage_of(world, spec, class ~ x + n + g, 80, truth, runs, seed)
    # four standard errors of a share of 400 runs are 0.044
    expect_gt(min(found), 0.95 - 0.044)
    expect_lt(abs(mean(found) - 0.95), 0.015)
  }
})

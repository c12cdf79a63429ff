# Estimates of a prior from posterior probabilities, and the errors of the densities.

prior_cases <- function(n, prior, seed) {
  set.seed(seed)
  y <- sample(length(prior), n, TRUE, prior)
  data.frame(y = factor(y, seq_along(prior)), a = stats::rnorm(n, 1.5 * y), b = stats::rnorm(n))
}

test_that("posteriors give the estimate of the model that made them", {
  train <- prior_cases(200, c(0.5, 0.5), 1)
  new <- prior_cases(300, c(0.8, 0.2), 2)
  model <- fit(bayes_naive(), y ~ ., train)
  posterior <- predict(model, new, type = "prob")
  cost <- zero_one_cost(c("1", "2"))
  by_model <- estimate_prior(model, new, cost)
  found <- estimate_prior(posterior, cost = cost, trained_prior = model$parameters$prior)
  expect_equal(found$prior, by_model$prior, tolerance = 1e-7)
  expect_equal(found$cost_kept, by_model$cost_kept, tolerance = 1e-9)
  expect_identical(found$rows[["used"]], 300)
  expect_identical(found$training, "not included")
  expect_identical(by_model$training, "draws")
  known <- bayes_known(
    prior = c("1" = 0.5, "2" = 0.5), a = likelihood_gaussian(mean = c("1" = 1.5, "2" = 3), sd = 1)
  )
  expect_identical(estimate_prior(known, new)$training, "known")
  bounded <- estimate_prior(posterior, trained_prior = model$parameters$prior, trained_n = 200)
  expect_identical(bounded$training, "bound")
  width <- function(x) x$upper - x$lower
  expect_true(all(width(found) < width(by_model) & width(by_model) < width(bounded)))
  # Without training error both are the same profile interval.
  endless <- estimate_prior(posterior, trained_prior = model$parameters$prior, trained_n = 1e12)
  expect_equal(endless$lower, found$lower, tolerance = 1e-6)
})

test_that("rows without a posterior are left out, weights count rows", {
  posterior <- cbind(a = c(0.9, 0.2, NA, 0.4), b = c(0.1, 0.8, NA, 0.6))
  found <- estimate_prior(posterior, trained_prior = c(a = 0.5, b = 0.5), weights = c(1, 2, 1, 0))
  twice <- estimate_prior(posterior[c(1, 2, 2), ], trained_prior = c(a = 0.5, b = 0.5))
  expect_equal(found$prior, twice$prior)
  expect_equal(found$upper, twice$upper, tolerance = 1e-6)
  expect_identical(found$rows[c("used", "missing")], c(used = 2, missing = 1))
  expect_error(estimate_prior(posterior), "trained_prior", class = "bayesrisk_error_argument")
  expect_error(
    estimate_prior(posterior, trained_prior = c(a = 0.5, b = 0.5), trained_n = "many"), "trained_n",
    class = "bayesrisk_error_argument"
  )
  model <- fit(bayes_naive(), Species ~ ., iris)
  expect_error(
    estimate_prior(model, iris, trained_n = 10), "trained_n", class = "bayesrisk_error_argument"
  )
})

# A table is as uncertain as the means of its cells, so the bound is reached.
test_that("for a table the bound of the training error is that of draws", {
  set.seed(5)
  rows <- function(n, prior) {
    y <- sample(2L, n, TRUE, prior)
    first <- stats::runif(n) < c(0.3, 0.7)[y]
    data.frame(y = factor(y), f = factor(ifelse(first, "u", "v"), c("u", "v")))
  }
  train <- rows(300, c(0.5, 0.5))
  new <- rows(20000, c(0.7, 0.3))
  model <- fit(bayes_naive(), y ~ f, train)
  drawn <- estimate_prior(model, new)
  counts <- table(train$y)
  bounded <- estimate_prior(
    predict(model, new, type = "prob"), trained_prior = model$parameters$prior,
    trained_n = c(counts)
  )
  width <- function(x) (x$upper - x$lower)[[1L]]
  # The variance of 100 draws has a standard error of 14 %.
  expect_equal(width(drawn), width(bounded), tolerance = 0.2)
})

test_that("intervals of the prior cover, and tests have their size, with 100 training rows", {
  skip_on_cran()
  runs <- vapply(1:300, function(run) {
    even <- c(0.5, 0.5)
    model <- quietly(fit(bayes_naive(prior = even), y ~ ., prior_cases(100, even, run)))
    found <- quietly(estimate_prior(model, prior_cases(1000, c(0.8, 0.2), 1000 + run)))
    same <- quietly(estimate_prior(model, prior_cases(1000, even, 2000 + run)))
    posterior <- predict(model, prior_cases(1000, c(0.8, 0.2), 1000 + run), type = "prob")
    bounded <- estimate_prior(posterior, trained_prior = even, trained_n = 100)
    covers <- function(x) x$lower[[1L]] <= 0.8 && 0.8 <= x$upper[[1L]]
    c(covers(found), same$test$p_value < 0.05, covers(bounded))
  }, c(NA, NA, NA))
  # Three standard errors about .95 and .05; without the training error they are .54 and .3.
  expect_gt(mean(runs[1L, ]), 0.912)
  expect_lt(mean(runs[2L, ]), 0.088)
  # The bound covers at least as often as the level says.
  expect_gt(mean(runs[3L, ]), 0.95)
})

test_that("the errors of the densities are found in every part and in the first chunks", {
  train <- prior_cases(100, c(0.5, 0.5), 1)
  model <- fit(bayes_naive(), y ~ ., train)
  new <- prior_cases(4000, c(0.8, 0.2), 2)
  whole <- estimate_prior(model, new)
  pieces <- split(new, rep(1:50, each = 80))
  for (found in list(
    estimate_prior(model, data_parts(pieces)), estimate_prior(model, chunked(new, 500))
  )) {
    # Other rows are sampled, so the ends differ a little.
    expect_equal(found$lower, whole$lower, tolerance = 0.05)
    expect_equal(found$upper, whole$upper, tolerance = 0.05)
  }
})

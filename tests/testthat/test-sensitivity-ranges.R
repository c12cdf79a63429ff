clinic <- function() {
  bayes_known(
    prior = c(ill = 0.1, well = 0.9),
    marker = likelihood_gaussian(mean = c(ill = 3, well = 1), sd = 1)
  )
}

clinic_cost <- function(treat_well = 4, wait_ill = 50, refer = 2) {
  # Some of these actions are never worth taking.
  suppressWarnings(cost_matrix(
    treat = c(ill = 1, well = treat_well), wait = c(ill = wait_ill, well = 0), refer = refer
  ))
}

clinic_patients <- data.frame(marker = c(0.3, 1, 1.9, 2.2, 2.8, 3.6, NA))

clinic_ranges <- function(object = clinic(), newdata = clinic_patients, ...) {
  cost_ranges(object, newdata, clinic_cost(), ..., vary = list(
    prior = list(ill = c(0.05, 0.2)), treat = list(well = c(2, 6)),
    wait = list(ill = c(30, 100)), refer = c(1, 3)
  ))
}

test_that("both ends are those of decide() with that cost or prior", {
  found <- clinic_ranges()
  model <- clinic()
  expect_identical(found$parameter, c(
    "prior of ill", "cost of treat when truth is well", "cost of wait when truth is ill",
    "cost of refer"
  ))
  expect_identical(found$now, c(0.1, 4, 50, 2))
  expect_identical(found$from, c(0.05, 2, 30, 1))
  now <- decide(model, clinic_patients, clinic_cost())
  expect_within(attr(found, "cost"), mean(now$cost), 1e-14)
  low <- list(
    decide(model, clinic_patients, clinic_cost(), prior = c(0.05, 0.95)),
    decide(model, clinic_patients, clinic_cost(2)),
    decide(model, clinic_patients, clinic_cost(4, 30)),
    decide(model, clinic_patients, clinic_cost(4, 50, 1))
  )
  high <- list(
    decide(model, clinic_patients, clinic_cost(), prior = c(0.2, 0.8)),
    decide(model, clinic_patients, clinic_cost(6)),
    decide(model, clinic_patients, clinic_cost(4, 100)),
    decide(model, clinic_patients, clinic_cost(4, 50, 3))
  )
  # Along a prior the cases stand for the population with this prior.
  p <- predict(model, clinic_patients, type = "prob")
  of_prior <- function(ill) as.vector(p %*% (c(ill, 1 - ill) / c(0.1, 0.9)))
  even <- rep(1, 7)
  means <- function(all, ill, of) {
    vapply(1:4, function(i) {
      stats::weighted.mean(of(all[[i]]), if (i == 1L) of_prior(ill) else even)
    }, 1)
  }
  cost <- function(d) d$cost
  changed <- function(d) d$decision != now$decision
  expect_within(found$cost_from, means(low, 0.05, cost), 1e-14)
  expect_within(found$cost_to, means(high, 0.2, cost), 1e-14)
  expect_within(found$changed_from, means(low, 0.05, changed), 1e-14)
  expect_within(found$changed_to, means(high, 0.2, changed), 1e-14)
  # Another prior for all rows, and the same from the probabilities.
  rare <- clinic_ranges(prior = c(0.05, 0.95))
  expect_within(attr(rare, "cost"), found$cost_from[[1L]], 1e-14)
  of_table <- clinic_ranges(
    p, NULL, prior = c(ill = 0.05, well = 0.95), trained_prior = c(ill = 0.1, well = 0.9)
  )
  expect_equal(as.data.frame(of_table), as.data.frame(rare), tolerance = 1e-12)
})

test_that("the least and the largest cost within a range are those of a fine search", {
  skip_on_cran()
  model <- clinic()
  p <- predict(model, clinic_patients, type = "prob")
  mean_cost <- function(ill) {
    d <- decide(model, clinic_patients, clinic_cost(), prior = c(ill, 1 - ill))
    stats::weighted.mean(d$cost, as.vector(p %*% (c(ill, 1 - ill) / c(0.1, 0.9))))
  }
  for (range in list(c(0.001, 0.9), c(0, 1), c(0.3, 0.31))) {
    found <- cost_ranges(model, clinic_patients, clinic_cost(), vary = list(
      prior = list(ill = range)
    ))
    grid <- seq(range[[1]], range[[2]], length.out = 201)
    near <- grid[[which.max(vapply(grid, mean_cost, 1))]]
    around <- near + c(-1, 1) * diff(range) / 200
    best <- stats::optimize(mean_cost, pmin(pmax(around, range[[1]]), range[[2]]), maximum = TRUE,
                            tol = 1e-12)$objective
    expect_gte(found$cost_max, best - 1e-12)
    expect_equal(found$cost_max, max(best, found$cost_from, found$cost_to), tolerance = 1e-6)
    expect_identical(found$cost_min, min(found$cost_from, found$cost_to))
  }
  # Without cases the cost is min(ill + 4 well, 50 ill, 2), so it is largest at 2.
  alone <- cost_ranges(model, cost = clinic_cost(), vary = list(prior = list(ill = c(0, 1))))
  expect_equal(alone$cost_max, 2, tolerance = 1e-14)
  expect_equal(alone$cost_min, 0)
  # Costs are monotone. Another prior weights the cases.
  found <- clinic_ranges(prior = c(0.3, 0.7))
  expect_identical(found$cost_min[-1], found$cost_from[-1])
  expect_identical(found$cost_max[-1], found$cost_to[-1])
  expect_equal(found$cost_max[[1]], clinic_ranges()$cost_max[[1]], tolerance = 1e-13)
})

test_that("the tornado is ordered by the largest difference within a range", {
  narrow <- list(prior = list(ill = c(0.0001, 0.9999)), refer = c(1, 1.5))
  ranges <- cost_ranges(clinic(), cost = clinic_cost(), vary = narrow)
  expect_lt(abs(diff(unlist(ranges[1, c("cost_from", "cost_to")]))), 1)
  expect_identical(plot(ranges)$data$parameter[[1]], "prior of ill")
})

test_that("without cases: the prior alone, in closed form; three classes keep their proportions", {
  found <- cost_ranges(clinic(), cost = clinic_cost(), vary = list(
    prior = list(ill = c(0, 0.5)), refer = c(0, 10)
  ))
  expect_within(attr(found, "cost"), min(0.1 + 3.6, 5, 2), 1e-14)
  expect_within(found$cost_from, c(0, 0), 1e-14)
  expect_within(found$cost_to, c(2, 3.7), 1e-14)
  expect_identical(found$changed_to, c(0, 1))
  flowers <- fit(bayes_naive(), Species ~ ., iris)
  found <- cost_ranges(flowers, iris, vary = list(prior = list(setosa = c(0.1, 0.8))))
  after <- decide(flowers, iris, prior = c(0.8, 0.1, 0.1))
  weight <- as.vector(predict(flowers, iris, type = "prob") %*% (3 * c(0.8, 0.1, 0.1)))
  expect_within(found$cost_to, stats::weighted.mean(after$cost, weight), 1e-14)
})

test_that("probabilities of other classifiers, and costs by case", {
  model <- clinic()
  p <- predict(model, clinic_patients, type = "prob")
  from_model <- clinic_ranges()
  from_posterior <- clinic_ranges(p, NULL, trained_prior = c(ill = 0.1, well = 0.9))
  expect_within(from_posterior$cost_to, from_model$cost_to, 1e-13)
  expect_within(from_posterior$cost_from, from_model$cost_from, 1e-13)
  expect_identical(from_posterior$changed_to, from_model$changed_to)
  expect_bayesrisk_error(clinic_ranges(p, NULL), "argument", "trained_prior")
  only <- list(refer = c(1, 3))
  expect_within(
    cost_ranges(p, cost = clinic_cost(), vary = only)$cost_to, from_model$cost_to[[4]], 1e-13
  )
  by_case <- cost_matrix(
    treat = list(ill = 1, well = ~ price), wait = c(ill = 50, well = 0), refer = 2
  )
  rows <- cbind(clinic_patients, price = c(1, 2, 3, 4, 5, 6, NA))
  expect_warning(
    found <- cost_ranges(model, rows, by_case, vary = list(
      treat = list(well = c(2, 6)), refer = c(1, 3)
    )), class = "bayesrisk_warning_unpriced"
  )
  expect_identical(found$now, c(NA, 2))
  expect_within(found$cost_to[[1]], from_model$cost_to[[2]], 1e-14)
})

test_that("arguments that are wrong are named", {
  ranges <- function(vary) cost_ranges(clinic(), clinic_patients, clinic_cost(), vary = vary)
  expect_bayesrisk_error(cost_ranges(clinic(), clinic_patients), "argument", "vary")
  expect_bayesrisk_error(ranges(c(1, 2)), "argument", "vary.*list")
  expect_bayesrisk_error(ranges(list(c(1, 2))), "argument", "name")
  expect_bayesrisk_error(ranges(list(prior = c(0.1, 0.2))), "argument", "class")
  expect_bayesrisk_error(ranges(list(prior = list(ill = c(0.1, 2)))), "argument", "0 to 1")
  expect_bayesrisk_error(ranges(list(refer = c(3, 1))), "argument", "increasing")
  expect_bayesrisk_error(ranges(list(sleep = c(1, 3))), "argument", "sleep")
  expect_bayesrisk_error(ranges(list(wait = list(dead = c(1, 3)))), "argument", "dead")
})

test_that("ranges print as a table", {
  expect_snapshot(clinic_ranges())
})

test_that("models of groups: the model of a group is taken", {
  models <- fit(bayes_naive(), am ~ wt, mtcars, by = vs)
  cost <- zero_one_cost(c("0", "1"))
  hint <- "models\\[\\[\"0\"\\]\\]"
  expect_bayesrisk_error(
    cost_ranges(models, mtcars, cost, vary = list(`0` = list(`1` = c(1, 2)))), "argument", hint
  )
  expect_bayesrisk_error(break_even(models, mtcars, cost, class = "0"), "argument", hint)
  expect_bayesrisk_error(cost_sweep(models, mtcars, cost, class = "0"), "argument", hint)
})

test_that("means are those of the cases with a decision", {
  # The case without a marker value has the prior; a posterior of NA has no decision.
  posterior <- rbind(c(0.2, 0.8), c(NA, NA), c(0.6, 0.4))
  colnames(posterior) <- c("ill", "well")
  cost <- cost_matrix(treat = c(ill = 0, well = 1), wait = c(ill = 2, well = 0))
  found <- cost_ranges(posterior, NULL, cost, vary = list(wait = list(ill = c(1, 10))))
  expect_within(attr(found, "cost"), mean(c(0.4, 0.4)), 1e-15)
  expect_within(found$cost_from, mean(c(0.2, 0.4)), 1e-15)
  expect_within(found$cost_to, mean(c(0.8, 0.4)), 1e-15)
  expect_identical(c(found$changed_from, found$changed_to), c(0, 0.5))
  none <- cost_ranges(posterior[2, , drop = FALSE], NULL, cost,
                      vary = list(wait = list(ill = c(1, 10))))
  expect_identical(c(none$cost_from, attr(none, "cost")), c(NA_real_, NA_real_))
})

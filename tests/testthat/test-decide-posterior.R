two_actions <- function() cost_matrix(a = c(yes = 1, no = 4), b = c(yes = 9, no = 0))

test_that("numbers that are no probabilities are named by their rows", {
  p <- cbind(yes = c(0.1, 0.2, -0.1), no = c(0.9, 0.9, 1.1))
  expect_bayesrisk_error(decide(p, two_actions()), "argument", "row 3")
  expect_bayesrisk_error(decide(p[1:2, ], two_actions()), "argument", "row 2.*sum")
  expect_bayesrisk_error(decide(5 * p[1, , drop = FALSE]), "argument", "p / rowSums\\(p\\)")
})

test_that("sums that rounding explains are divided out, above 1e-5 with one message", {
  exact <- cbind(yes = c(0.125, 0.25, 0.5), no = c(0.875, 0.75, 0.5))
  single <- exact * c(1, 1 + 9e-6, 1 - 9e-6)
  rounded <- exact * c(1, 1.004, 0.985)
  expect_silent(silent <- decide(single, two_actions()))
  expect_equal(silent, decide(exact, two_actions()), tolerance = 1e-14)
  # Rows within 1e-8 stay as they are, whatever their neighbours are.
  close <- exact * (1 + 5e-9)
  expect_identical(decide(rbind(close, single), two_actions())$cost[1:3],
                   decide(close, two_actions())$cost)
  said <- testthat::capture_messages(found <- decide(rounded, two_actions()))
  expect_length(said, 1L)
  expect_match(gsub("[[:space:]]+", " ", said), "rows 2 and 3 .* off by up to 0.015")
  expect_message(decide(rounded, two_actions()), class = "bayesrisk_message_sums")
  expect_equal(found, decide(exact, two_actions()), tolerance = 1e-14)
  expect_bayesrisk_error(decide(exact * 1.03, two_actions()), "argument", "rows 1, 2,? and 3")
  # Before and after a change of the prior.
  shifted <- function(p) {
    suppressMessages(decide(p, two_actions(), prior = c(0.1, 0.9), trained_prior = "uniform"))
  }
  expect_equal(shifted(rounded), shifted(exact), tolerance = 1e-14)
})

test_that("sums are divided out for every function, and said once", {
  exact <- cbind(yes = c(0.125, 0.25, 0.5, 0.9), no = c(0.875, 0.75, 0.5, 0.1))
  rounded <- exact * c(1, 1.004, 0.985, 1)
  truth <- c("no", "yes", "no", "yes")
  calls <- list(
    function(p) assess_decisions(p, cost = two_actions(), truth = truth),
    function(p) assess_decisions(p, prior = c(0.1, 0.9), trained_prior = "uniform", truth = truth),
    function(p) break_even(p, cost = two_actions(), trained_prior = "uniform"),
    function(p) cost_sweep(p, cost = two_actions(), vary = c(decision = "a")),
    function(p) compare_decisions(list(one = p), truth = truth, cost = two_actions())
  )
  for (call in calls) {
    expect_length(testthat::capture_messages(found <- call(rounded)), 1L)
    expect_equal(found, call(exact), tolerance = 1e-13)
  }
})

test_that("another prior needs the one that the posterior contains", {
  p <- cbind(yes = c(0.5, 0.2), no = c(0.5, 0.8))
  expect_bayesrisk_error(
    decide(p, two_actions(), prior = c(yes = 0.1, no = 0.9)), "argument", "trained_prior"
  )
  expect_bayesrisk_error(
    decide(p, two_actions(), trained_prior = c(yes = 0.5, no = 0.5)), "argument", "prior"
  )
  shifted <- decide(p, two_actions(), prior = c(no = 0.9, yes = 0.1),
                    trained_prior = c(yes = 0.5, no = 0.5))
  # Elkan (2001): p' = .1 p / (.1 p + .9 (1 - p)) from equal shares.
  yes <- 0.1 * p[, "yes"] / (0.1 * p[, "yes"] + 0.9 * p[, "no"])
  expect_equal(shifted$cost_a, unname(yes + 4 * (1 - yes)), tolerance = 1e-14)
  expect_bayesrisk_error(
    decide(p, two_actions(), prior = "uniform", trained_prior = c(yes = 0, no = 1)),
    "argument", "yes"
  )
  expect_warning(
    lost <- decide(cbind(yes = 1, no = 0), two_actions(), prior = c(yes = 0, no = 1),
                   trained_prior = c(yes = 0.5, no = 0.5)),
    class = "bayesrisk_warning_impossible"
  )
  expect_identical(is.na(lost$decision), TRUE)
  sure <- decide(cbind(yes = 0.9, no = 0.1), prior = "uniform",
                 trained_prior = c(yes = 1e-310, no = 1))
  expect_lt(sure$cost, 1e-300)
})

test_that("a model's own posterior, shifted, is the model with that prior", {
  model <- fit(bayes_naive(), Species ~ Sepal.Length, iris)
  prior <- c(setosa = 0.7, versicolor = 0.1, virginica = 0.2)
  cost <- zero_one_cost(model, reject = 0.3)
  given <- decide(predict(model, iris, "prob"), cost, prior = prior, trained_prior = "uniform")
  own <- decide(model, iris, cost, prior = prior)
  expect_identical(given$decision, own$decision)
  expect_equal(given$cost, own$cost, tolerance = 1e-12)
})

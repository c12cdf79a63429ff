test_that("the letters: even priors, cut 20, risk .1056497737", {
  worst <- minimax_prior(letters_model())
  expect_s3_class(worst, "bayesrisk_minimax")
  expect_named(worst, c("prior", "risk", "gap", "class_risk", "accuracy", "method"))
  expect_identical(worst$method, "exact")
  expect_lte(worst$accuracy, 1e-14)
  expect_within(worst$prior, c(0.5, 0.5), 1e-12)
  expect_named(worst$prior, c("a", "b"))
  expect_within(worst$risk, pnorm(-1.25), 1e-14)
  expect_within(worst$risk, 0.1056497737, 4e-10)
  expect_lte(worst$gap, 1e-12)
  threshold <- decision_threshold(letters_model(), zero_one_cost(c("a", "b")), worst$prior)
  expect_within(threshold$cut, 20, 1e-12)
})

test_that("asymmetric costs, unequal spreads, a price of asking: the risk is largest there", {
  model <- bayes_known(
    c(a = .75, b = .25), x = likelihood_gaussian(mean = c(a = 0, b = 2), sd = c(a = 1, b = 3))
  )
  cost <- cost_matrix(go = c(a = 0, b = 7), stay = c(a = 2, b = -1), ask = 1)
  worst <- minimax_prior(model, cost)
  risk_at <- function(t) bayes_risk(model, cost, prior = c(t, 1 - t))$total
  peak <- optimize(risk_at, c(0, 1), maximum = TRUE, tol = 1e-10)
  expect_within(worst$prior[["a"]], peak$maximum, 1e-6)
  expect_within(worst$risk, risk_at(worst$prior[["a"]]), 1e-13)
  expect_gte(worst$risk, peak$objective - 1e-13)
  expect_lte(worst$gap, 1e-12)
  # Even class risks, by the table of the rule.
  table <- bayes_risk(model, cost, prior = worst$prior)$table
  expect_within(rowSums(table * t(unclass(cost))) / worst$prior, worst$class_risk, 1e-10)
})

test_that("three classes and more actions: no other prior costs more", {
  model <- fit(bayes_naive(), Species ~ Sepal.Length, iris)
  worst <- minimax_prior(model, iris_cost())
  expect_within(sum(worst$prior), 1, 1e-15)
  risk_at <- function(p) bayes_risk(model, iris_cost(), prior = p / sum(p))$total
  expect_within(worst$risk, risk_at(worst$prior), 1e-12)
  near <- expand.grid(i = c(-1, 0, 1), j = c(-1, 0, 1))
  moved <- vapply(seq_len(nrow(near)), function(r) {
    step <- c(near$i[[r]], near$j[[r]], 0)
    risk_at(pmax(worst$prior + 0.01 * (step - mean(step)), 0))
  }, 1)
  expect_true(all(moved <= worst$risk + 1e-14))
  # Classes with a prior cost the same, those without cost less.
  with_prior <- worst$prior > 0
  expect_within(worst$class_risk[with_prior], rep(worst$risk, sum(with_prior)), 1e-10)
  expect_true(all(worst$class_risk <= worst$risk + 1e-12))
})

test_that("tables: the corner of the risk, and the gap that remains there", {
  skip_on_cran()
  nba <- bayes_known(
    c(NBA = .5, other = .5), height = rbind(NBA = c(tall = .85, short = .15), other = c(.1, .9))
  )
  worst <- minimax_prior(nba)
  # Up to 6/7 the short are taken for others: .15 t + .1 (1 - t) still rises.
  expect_within(worst$prior, c(6, 1) / 7, 1e-13)
  expect_within(worst$risk, (.15 * 6 + .1) / 7, 1e-13)
  expect_gt(worst$gap, 0.04)
  shapes <- minimax_prior(shapes_model(), cost_matrix(
    take = c(positive = 0, negative = 4), leave = c(positive = 2, negative = 0)
  ))
  risk_at <- function(t) {
    cells <- expand.grid(lapply(shapes_model()$schema$features, `[[`, "levels"))
    p <- exp(predict(shapes_model(), cells, type = "log_likelihood"))
    sum(pmin(4 * (1 - t) * p[, "negative"], 2 * t * p[, "positive"]))
  }
  grid <- vapply(seq(0, 1, length.out = 2001), risk_at, 1)
  expect_within(shapes$risk, risk_at(shapes$prior[["positive"]]), 1e-13)
  expect_true(all(grid <= shapes$risk + 1e-13))
})

test_that("one class, no features, a class that is never dear", {
  expect_identical(minimax_prior(bayes_known(c(a = 1)))$prior, c(a = 1))
  blind <- minimax_prior(bayes_known(c(a = .2, b = .8)), cost_matrix(
    one = c(a = 0, b = 3), two = c(a = 1, b = 0)
  ))
  expect_within(blind$prior, c(.75, .25), 1e-14)
  expect_within(blind$risk, .75, 1e-14)
  cost <- cost_matrix(one = c(a = 3, b = 0), two = c(a = 2, b = 0.1))
  easy <- minimax_prior(letters_model(), cost)
  expect_identical(easy$prior, c(a = 1, b = 0))
  expect_identical(easy$risk, 2)
})

test_that("a class without rows has no prior", {
  model <- suppressMessages(fit(
    bayes_naive(), y ~ x,
    data.frame(y = factor(c("a", "a", "b", "b"), c("a", "c", "b")), x = c(0, 2, 4, 8))
  ))
  worst <- minimax_prior(model)
  expect_identical(worst$prior[["c"]], 0)
  expect_lte(abs(worst$class_risk[["a"]] - worst$class_risk[["b"]]), 1e-12)
})

test_that("infinite costs: a finite risk where there is one", {
  cost <- cost_matrix(go = c(a = 0, b = Inf), stay = c(a = 3, b = 1))
  worst <- minimax_prior(letters_model(), cost)
  expect_identical(worst$risk, 3)
  # With a prior of exactly 0 the infinite cost would not count.
  expect_gt(worst$prior[["b"]], 0)
  expect_identical(bayes_risk(letters_model(), cost, prior = worst$prior)$total, 3)
  expect_true(is.finite(
    bayes_risk(letters_model(), cost, rule = update(letters_model(), prior = worst$prior))$total
  ))
  both <- cost_matrix(one = c(a = 1, b = Inf), two = c(a = Inf, b = 2))
  expect_bayesrisk_error(minimax_prior(letters_model(), both), "degenerate", "finite")
  sure <- bayes_known(c(a = .5, b = .5), f = rbind(a = c(u = 1, v = 0), b = c(0, 1)))
  expect_within(minimax_prior(sure, both)$risk, 2, 1e-12)
})

test_that("two numeric features: by quadrature", {
  skip_on_cran()
  model <- fit(bayes_full(), Species ~ Sepal.Length + Sepal.Width, iris)
  worst <- minimax_prior(model, iris_cost())
  expect_identical(worst$method, "quadrature")
  found <- bayes_risk(model, iris_cost(), prior = worst$prior)
  expect_within(found$total, worst$risk, 1e-7)
  with_prior <- worst$prior > 0
  expect_within(worst$class_risk[with_prior], rep(worst$risk, sum(with_prior)), 1e-6)
  # A second feature that tells nothing.
  padded <- bayes_known(
    c(a = .75, b = .25), pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = 4),
    u = likelihood_gaussian(mean = c(a = 0, b = 0), sd = 1)
  )
  expect_within(minimax_prior(padded)$risk, pnorm(-1.25), 1e-8)
})

test_that("many numeric features: on rows drawn once, within the standard error", {
  skip_on_cran()
  model <- fit(bayes_full(), Species ~ ., iris)
  cost <- iris_cost()
  worst <- minimax_prior(model, cost)
  expect_identical(worst$method, "monte_carlo")
  expect_lte(worst$accuracy, 1e-3)
  again <- bayes_risk(model, cost, prior = worst$prior)
  expect_lte(abs(again$total - worst$risk), 5 * (worst$accuracy + again$accuracy))
  for (prior in list(c(.5, .2, .3), c(.1, .5, .4), c(.3, .3, .4))) {
    expect_lte(bayes_risk(model, cost, prior = prior)$total, worst$risk + 1e-4)
  }
  expect_identical(minimax_prior(model, cost, threads = 2), worst)
  # A feature that tells nothing changes nothing.
  padded <- bayes_known(
    c(a = .75, b = .25), pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = 4),
    u = likelihood_gaussian(mean = c(a = 0, b = 0), sd = 1),
    v = likelihood_gaussian(mean = c(a = 1, b = 1), sd = 1)
  )
  drawn <- minimax_prior(padded)
  expect_within(drawn$risk, pnorm(-1.25), 1e-3)
  expect_within(drawn$prior, c(.5, .5), 5e-3)
})

test_that("printed in three lines", {
  cost <- cost_matrix(a = c(a = 0, b = 10), b = c(a = 1, b = 0))
  expect_snapshot(print(minimax_prior(letters_model(), cost), digits = 4))
})

test_that("every odd argument is read or refused by design", {
  is_minimax <- function(x) inherits(x, "bayesrisk_minimax")
  for (arg in c("cost", "seed", "threads")) {
    expect_fuzz_proof(minimax_prior, arg, list(object = letters_model()), is_minimax)
  }
  expect_fuzz_proof(minimax_prior, "object", list(), is_minimax, "bayesrisk_error")
})

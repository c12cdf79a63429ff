# Two normal classes of p features with a common covariance, a distance D apart.
apart <- function(p, distance, prior = c(A = 0.5, B = 0.5), offset = 0) {
  spread <- 0.5^abs(outer(seq_len(p), seq_len(p), "-"))
  names <- paste0("x", seq_len(p))
  dimnames(spread) <- list(names, names)
  step <- drop(t(chol(spread)) %*% rep(1 / sqrt(p), p)) * distance
  mean <- rbind(A = rep(0, p), B = step) + offset
  colnames(mean) <- names
  bayes_known(prior, block = likelihood_gaussian(mean = mean, covariance = spread))
}

# The features are independent and have mean 0 in both classes.
spreads <- function(sd, prior = c(A = 0.5, B = 0.5)) {
  features <- lapply(sd, function(s) {
    likelihood_gaussian(mean = c(A = 0, B = 0), sd = c(A = 1, B = s))
  })
  names(features) <- paste0("x", seq_along(sd))
  do.call(bayes_known, c(list(prior), features))
}

test_that("equal covariances: the closed form, far into the tails", {
  for (distance in c(0.1, 1, 5, 14, 60)) {
    risk <- bayes_risk(apart(30, distance))
    expect_identical(risk$method, "exact")
    expect_within(risk$total, pnorm(-distance / 2), 1e-11)
    expect_lte(risk$accuracy, 1e-10 * risk$total)
  }
  far <- bayes_risk(apart(5, 14, offset = 2^30))
  expect_within(far$total, pnorm(-7), 1e-6)
})

test_that("a common covariance, unequal priors and costs, a reject action: normal tails", {
  prior <- c(A = 0.9, B = 0.1)
  cost <- cost_matrix(A = c(A = 0, B = 20), B = c(A = 1, B = 0), ask = 0.3)
  risk <- bayes_risk(apart(12, 3), cost, prior = prior)
  # The log ratio is N(-D^2 / 2, D^2) in A and N(D^2 / 2, D^2) in B.
  odds <- log(prior[["A"]] / prior[["B"]]) + log(c((0.3 - 0) / (20 - 0.3), (1 - 0.3) / 0.3))
  in_a <- diff(c(0, pnorm(odds, -4.5, 3), 1))
  in_b <- diff(c(0, pnorm(odds, 4.5, 3), 1))
  expect_within(risk$table["A", c("A", "ask", "B")], prior[["A"]] * in_a, 1e-12)
  expect_within(risk$table["B", c("A", "ask", "B")], prior[["B"]] * in_b, 1e-12)
})

test_that("unequal spreads: chi-squares", {
  # With p features of sd s in B, the cut is at a value of a chi-square of p degrees of freedom.
  for (p in c(2, 3, 40)) {
    for (s in c(1.2, 5)) {
      risk <- bayes_risk(spreads(rep(s, p)), prior = c(A = 0.7, B = 0.3))
      expect_identical(risk$method, "exact")
      cut <- (log(0.7 / 0.3) + p * log(s)) * 2 / (1 - 1 / s^2)
      expect_within(risk$table["A", "B"], 0.7 * pchisq(cut, p, lower.tail = FALSE), 1e-11)
      expect_within(risk$table["B", "A"], 0.3 * pchisq(cut / s^2, p), 1e-11)
    }
  }
})

test_that("two features: as by quadrature, for own and other rules, and for minimax priors", {
  mean_xy <- rbind(A = c(x = 0, y = 0), B = c(0.5, 0.5))
  s_a <- matrix(c(2, 2.2, 2.2, 2.5), 2)
  s_b <- matrix(c(2.5, -2.2, -2.2, 2), 2)
  world <- bayes_known(
    c(A = .5, B = .5),
    xy = likelihood_gaussian(mean = mean_xy, covariance = list(A = s_a, B = s_b)),
    g = rbind(A = c(u = 0.2, v = 0.8), B = c(1, 0))
  )
  rule <- bayes_known(
    c(B = .4, A = .6), y = likelihood_gaussian(mean = mean_xy[, "y"], sd = sqrt(c(A = 2.5, B = 2)))
  )
  for (decider in list(NULL, "likelihood", "prior", rule)) {
    exact <- bayes_risk(world, rule = decider)
    expect_identical(exact$method, "exact")
    expect_lte(exact$accuracy, 1e-12)
    by_quadrature <- bayes_risk(world, rule = decider, method = "quadrature", tolerance = 1e-12)
    expect_within(exact$table, by_quadrature$table, 1e-10, 1)
    expect_within(exact$irreducible, by_quadrature$irreducible, 1e-10)
    expect_identical(bayes_risk(world, rule = decider, threads = 2), exact)
  }
  worst <- minimax_prior(world)
  expect_identical(worst$method, "exact")
  expect_within(bayes_risk(world, prior = worst$prior)$total, worst$risk, 1e-12)
  expect_within(worst$class_risk, rep(worst$risk, 2L), 1e-9)
})

test_that("many features: within the standard error of random rows", {
  flowers <- droplevels(iris[51:150, ])
  model <- fit(bayes_full(), Species ~ ., flowers)
  model <- update(model, prior = c(versicolor = 0.3, virginica = 0.7))
  naive <- fit(bayes_naive(), Species ~ Petal.Width + Sepal.Length, flowers)
  for (rule in list(NULL, naive)) {
    exact <- bayes_risk(model, rule = rule)
    drawn <- bayes_risk(model, rule = rule, method = "monte_carlo", tolerance = 1e-4)
    expect_identical(exact$method, "exact")
    expect_lte(abs(exact$total - drawn$total), 5 * drawn$accuracy)
  }
  expect_within(risk_bounds(model)$value[[1L]], bayes_risk(model)$total, 1e-13)
  expect_identical(attr(value_of_information(model), "method"), "exact")
})

test_that("other worlds are left to other methods", {
  expect_identical(bayes_risk(fit(bayes_full(), Species ~ ., iris), tolerance = 0.01)$method,
                   "monte_carlo")
  two <- fit(bayes_full(), Species ~ ., iris)
  expect_identical(bayes_risk(two, prior = c(0.5, 0.5, 0))$method, "exact")
  mixed <- bayes_known(
    c(A = 0.5, B = 0.5), x = likelihood_gaussian(mean = c(A = 0, B = 1), sd = 1),
    y = likelihood_gaussian(mean = c(A = 0, B = 1), sd = 2),
    n = likelihood_poisson(rate = c(A = 1, B = 2))
  )
  expect_bayesrisk_error(bayes_risk(mixed, method = "exact"), "argument", "3 numeric")
  free <- bayes_risk(apart(3, 0))
  expect_within(free$total, 0.5, 1e-14)
})

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
  skip_on_cran()
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

# Two normal classes have an exact risk, too.
by_quadrature <- function(...) bayes_risk(..., method = "quadrature")

# Conditional on the truth: A decided given A, A decided given B; and the error.
expect_lecture <- function(risk, a, b, error) {
  expect_identical(risk$method, "quadrature")
  expect_lte(risk$accuracy, 1e-8)
  expect_within(risk$table[, "A"] / 0.5, c(a, b), 1e-9, 1)
  expect_within(risk$total, error, 1e-9, 1)
  exact <- (1 - a + b) / 2
  expect_lte(abs(risk$total - exact), risk$accuracy + 1e-10)
}

test_that("the lecture's bivariate example: full rule, naive rule, naive belief", {
  full <- by_quadrature(bivariate_full())
  expect_lecture(full, 0.9390162477, 0.0494646088, 0.0552241805)
  expect_identical(full$reducible, 0)
  naive <- by_quadrature(bivariate_full(), rule = bivariate_naive())
  expect_lecture(naive, 0.5665511642, 0.0880148579, 0.2607318469)
  expect_within(naive$irreducible, full$total, 1e-14)
  expect_within(naive$reducible, naive$total - full$total, 1e-14)
  expect_within(naive$believed, 0.4062886243, 1e-9, 1)
  expect_lecture(by_quadrature(bivariate_naive()), 0.5937113757, 0.4062886243, 0.4062886243)
})

test_that("its variation: with the means apart naive is nearly as good", {
  expect_lecture(by_quadrature(bivariate_full(6)), 0.9906344035, 0.0026031846, 0.0059843906)
  naive <- by_quadrature(bivariate_full(6), rule = bivariate_naive(6))
  expect_lecture(naive, 0.9656068942, 0.0070132500, 0.0207031779)
  expect_within(naive$believed, 0.0220995636, 1e-9, 1)
})

test_that("the belief gap prints as sentences", {
  said <- format(by_quadrature(bivariate_full(), rule = bivariate_naive()), digits = 6)
  expect_match(said[[1L]], "costs 0.260732 per case .*quadrature, within")
  expect_match(said[[3L]], "believes that it costs 0.406289")
})

test_that("accuracy is a bound, and as small as asked for", {
  exact <- by_quadrature(bivariate_full(), tolerance = 1e-13)
  expect_lte(exact$accuracy, 1e-13)
  for (tolerance in c(1e-3, 1e-6, 1e-10)) {
    risk <- by_quadrature(bivariate_full(), tolerance = tolerance)
    expect_lte(risk$accuracy, tolerance)
    expect_lte(abs(risk$total - exact$total), risk$accuracy)
  }
  expect_warning(by_quadrature(bivariate_full(), tolerance = 1e-15), "within",
                 class = "bayesrisk_warning_accuracy")
})

test_that("costs: what they scale, the risk and its accuracy scale with", {
  cost <- cost_matrix(A = c(A = 0, B = 30), B = c(A = 4, B = 1), ask = c(A = 3, B = 2))
  risk <- by_quadrature(bivariate_full(), cost, prior = c(A = 0.8, B = 0.2))
  expect_identical(dimnames(risk$table), list(truth = c("A", "B"), decision = c("A", "B", "ask")))
  expect_within(rowSums(risk$table), c(0.8, 0.2), 1e-12)
  expect_within(risk$total, sum(risk$table * t(unclass(cost))), 1e-14)
  thousand <- by_quadrature(bivariate_full(), 1000 * cost, prior = c(A = 0.8, B = 0.2))
  expect_within(thousand$total, 1000 * risk$total, 1e-12)
  expect_within(thousand$accuracy, 1000 * risk$accuracy, 1e-6)
  never <- by_quadrature(bivariate_full(), cost_matrix(A = c(A = 0, B = Inf), B = c(A = 1, B = 0)))
  expect_within(never$total, 0.5, 1e-12)
  free <- by_quadrature(bivariate_full(), new_cost(unclass(cost) * 0))
  expect_identical(free$total, 0)
})

test_that("three classes, reject and general costs: as random rows say, by either axis", {
  skip_on_cran()
  for (cost in list(NULL, zero_one_cost(levels(iris$Species), reject = 0.1), petal_cost())) {
    risk <- bayes_risk(petals(), cost)
    turned <- fit(bayes_full(), Species ~ Petal.Width + Petal.Length, iris)
    expect_lte(max(abs(risk$table - bayes_risk(turned, cost)$table)), 2 * risk$accuracy + 1e-12)
    drawn <- bayes_risk(petals(), cost, method = "monte_carlo")
    expect_lte(abs(drawn$total - risk$total), 5 * drawn$accuracy)
  }
})

test_that("a rule with other costs' order of classes, another prior, fewer features", {
  world <- petals()
  turned <- transform(iris, Species = factor(Species, rev(levels(Species))))
  prior <- c(virginica = 0.2, setosa = 0.1, versicolor = 0.7)
  rule <- fit(bayes_naive(prior = prior), Species ~ Petal.Width, turned)
  cost <- petal_cost()
  risk <- bayes_risk(world, cost, rule = rule)
  expect_identical(risk$method, "quadrature")
  # Along one feature the same rule is exact.
  line <- fit(bayes_naive(prior = "uniform"), Species ~ Petal.Width, iris)
  world <- fit(bayes_full(prior = "uniform"), Species ~ Petal.Length + Petal.Width, iris)
  exact <- bayes_risk(line, cost, rule = rule)
  expect_identical(exact$method, "exact")
  expect_within(bayes_risk(world, cost, rule = rule)$table, exact$table, 1e-9, 1)
  expect_within(bayes_risk(world, cost, rule = "prior")$total,
                min(rowMeans(unclass(cost))), 1e-9, 1)
})

test_that("categorical features are enumerated around the plane", {
  g <- rbind(A = c(u = 0.2, v = 0.5, w = 0.3), B = c(0.6, 0.4, 0))
  xy <- bivariate_full()$spec$features$xy
  model <- bayes_known(c(A = 0.5, B = 0.5), xy = xy, g = g)
  risk <- by_quadrature(model, tolerance = 1e-10)
  expect_identical(risk$method, "quadrature")
  by_level <- vapply(colnames(g), function(level) {
    weight <- 0.5 * g[, level]
    prior <- weight / sum(weight)
    sum(weight) * bayes_risk(bivariate_full(), prior = prior, tolerance = 1e-10)$total
  }, 1)
  expect_within(risk$total, sum(by_level), 1e-9)
  expect_identical(by_quadrature(model, tolerance = 1e-10, threads = 2), risk)
})

test_that("mixtures: with one component they are normals; with many there are other methods", {
  parts <- function(n) lapply(c(A = n, B = n), function(k) rep(1 / k, k))
  mixed <- function(n) {
    bayes_known(
      c(A = 0.5, B = 0.5),
      x = likelihood_mixture(
        weights = parts(n), mean = list(A = rep(0, n), B = rep(0.5, n)),
        sd = list(A = rep(sqrt(2), n), B = rep(sqrt(2.5), n))
      ),
      y = likelihood_gaussian(mean = c(A = 0, B = 0.5), sd = sqrt(c(A = 2.5, B = 2)))
    )
  }
  expect_within(bayes_risk(mixed(1))$total, 0.4062886243, 1e-9, 1)
  expect_within(bayes_risk(mixed(3))$total, 0.4062886243, 1e-9, 1)
  expect_identical(bayes_risk(mixed(50), tolerance = 1e-2)$method, "monte_carlo")
  expect_bayesrisk_error(bayes_risk(mixed(50), method = "quadrature"), "argument", "quadrature")
})

test_that("offsets and units of the features do not matter", {
  moved <- iris
  moved$Petal.Length <- moved$Petal.Length * 1e6 + 2^40
  moved$Petal.Width <- moved$Petal.Width / 1e3
  risk <- bayes_risk(fit(bayes_full(), Species ~ Petal.Length + Petal.Width, moved))
  expect_within(risk$total, bayes_risk(petals())$total, 1e-8, 1)
})

test_that("a function, three numbers, or many categories are left to other methods", {
  risk <- bayes_risk(bivariate_full(), rule = function(d) ifelse(d$x < d$y, "A", "B"),
                     tolerance = 1e-2)
  expect_identical(risk$method, "monte_carlo")
  expect_bayesrisk_error(bayes_risk(iris_naive(), method = "quadrature"), "argument", "4 numeric")
})

# Two normal classes of p features with covariance S, a distance D apart (Mahalanobis):
# with equal priors the Bayes error is pnorm(-D / 2).
five_features <- function(offset = 0) {
  spread <- 0.5^abs(outer(1:5, 1:5, "-"))
  dimnames(spread) <- list(letters[1:5], letters[1:5])
  mean <- rbind(A = rep(0, 5), B = c(1, 0.5, -1, 0, 0.25)) + offset
  colnames(mean) <- letters[1:5]
  list(
    model = bayes_known(
      c(A = 0.5, B = 0.5), block = likelihood_gaussian(mean = mean, covariance = spread)
    ),
    error = pnorm(-sqrt(mahalanobis(mean["B", ], mean["A", ], spread)) / 2)
  )
}

expect_within_errors <- function(risk, truth, sizes = 4) {
  expect_identical(risk$method, "monte_carlo")
  expect_lt(abs(risk$total - truth), sizes * risk$accuracy)
}

sampled <- function(...) bayes_risk(..., method = "monte_carlo")

test_that("equal covariances in five dimensions: the closed form", {
  world <- five_features()
  risk <- sampled(world$model, tolerance = 1e-4)
  expect_within_errors(risk, world$error)
  expect_lte(risk$accuracy, 1e-4)
  expect_within(sum(risk$table), 1, 1e-12)
  expect_within(rowSums(risk$table), c(0.5, 0.5), 4e-4)
  expect_identical(dimnames(risk$table), list(truth = c("A", "B"), decision = c("A", "B")))
  far <- sampled(five_features(1e9)$model, tolerance = 1e-4)
  expect_within(far$total, risk$total, 1e-6, scale = 1)
})

# Normal classes, each `distance` from all others. The decision is right if the coordinate of the
# class is the largest: the integral of phi(z) Phi(z + d / sqrt(2))^(k - 1).
equidistant <- function(k, distance) {
  names <- list(paste0("c", seq_len(k)), paste0("x", seq_len(k)))
  shift <- distance / sqrt(2)
  wrong <- function(z) {
    dnorm(z) * -expm1((k - 1) * log1p(-pnorm(z + shift, lower.tail = FALSE)))
  }
  list(
    model = bayes_known(setNames(rep(1 / k, k), names[[1L]]), block = likelihood_gaussian(
      mean = structure(shift * diag(k), dimnames = names),
      covariance = structure(diag(k), dimnames = names[c(2L, 2L)])
    )),
    risk = integrate(wrong, -20, 20, rel.tol = 1e-10, abs.tol = 0)$value
  )
}

test_that("rare errors have a relative standard error of 1 %, by default", {
  for (distance in c(6, 10, 14, 16)) {
    world <- equidistant(3L, distance)
    risk <- sampled(world$model)
    expect_within_errors(risk, world$risk)
    expect_lte(risk$accuracy, 0.01 * world$risk)
    expect_within(rowSums(risk$table), rep(1 / 3, 3), 1e-14)
  }
})

test_that("rare errors of categorical and normal features: the exact risk of two classes", {
  world <- bayes_known(
    c(A = 0.999, B = 0.001),
    a = likelihood_gaussian(mean = c(A = 0, B = 9), sd = c(A = 1, B = 2)),
    b = likelihood_gaussian(mean = c(A = 0, B = 7), sd = c(A = 2, B = 1)),
    c = rbind(A = c(u = 0.9, v = 0.1, w = 0), B = c(0.2, 0.3, 0.5))
  )
  cost <- cost_matrix(A = c(A = 0, B = 10), B = c(A = 1, B = 0), ask = 0.2)
  exact <- bayes_risk(world, cost)
  expect_identical(exact$method, "exact")
  risk <- sampled(world, cost)
  expect_within_errors(risk, exact$total)
  expect_lte(risk$accuracy, 0.01 * exact$total)
  expect_within(sampled(world, cost, threads = 2L)$total, risk$total, 0)
})

test_that("a rule that is a function has no relative aim, and no smaller error than 1 / rows", {
  world <- equidistant(3L, 14)
  classes <- paste0("c", 1:3)
  rule <- function(x) classes[max.col(as.matrix(x), "first")]
  risk <- sampled(world$model, rule = rule, tolerance = 1e-3)
  expect_gt(risk$accuracy, 1e-7)
  expect_within_errors(risk, world$risk)
})

test_that("one numeric feature: the exact risk, whatever the rule", {
  ocr <- bayes_known(
    c(a = 0.75, b = 0.25), pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = 4)
  )
  cost <- cost_matrix(a = c(a = 0, b = 10), b = c(a = 1, b = 0), ask = 0.5)
  expect_within_errors(sampled(ocr, cost), bayes_risk(ocr, cost)$total)
  for (rule in list("likelihood", "prior", function(x) ifelse(x$pixels < 21, "a", "b"))) {
    exact <- bayes_risk(ocr, cost, rule = rule)
    risk <- sampled(ocr, cost, rule = rule, tolerance = 1e-3)
    expect_within_errors(risk, exact$total)
    expect_within(risk$irreducible, exact$irreducible, 1e-2, scale = 1)
  }
})

test_that("a mixture: the lecture's reducible error", {
  humps <- bayes_known(c(C1 = .6, C2 = .4), x = likelihood_mixture(
    weights = list(C1 = c(.7, .3), C2 = 1), mean = list(C1 = c(3, 5.8), C2 = 5.8),
    sd = list(C1 = c(.9, .8), C2 = .95)
  ))
  expect_within_errors(sampled(humps, tolerance = 3e-5), .224854915)
  at_hump <- function(x) ifelse(x$x < 5.8, "C1", "C2")
  risk <- sampled(humps, rule = at_hump, tolerance = 1e-4)
  expect_within_errors(risk, .290391408)
  expect_within(risk$reducible, .065536493, 1e-3, scale = 1)
})

test_that("a naive rule in a world of dependent features: the lecture's two errors", {
  mean_xy <- rbind(A = c(x = 0, y = 0), B = c(0.5, 0.5))
  s_a <- matrix(c(2, 2.2, 2.2, 2.5), 2)
  s_b <- matrix(c(2.5, -2.2, -2.2, 2), 2)
  world <- bayes_known(
    c(A = .5, B = .5), xy = likelihood_gaussian(mean = mean_xy, covariance = list(A = s_a, B = s_b))
  )
  naive <- bayes_known(
    c(B = .5, A = .5),
    y = likelihood_gaussian(mean = mean_xy[, "y"], sd = sqrt(c(A = 2.5, B = 2))),
    x = likelihood_gaussian(mean = mean_xy[, "x"], sd = sqrt(c(A = 2, B = 2.5)))
  )
  risk <- sampled(world, rule = naive, tolerance = 2e-4)
  expect_within_errors(risk, .2607318469)
  expect_within(risk$irreducible, .0552241805, 5e-4, scale = 1)
  expect_within(risk$table["A", "A"] / .5, .5665511642, 2e-3)
  as_function <- sampled(world, rule = function(x) predict(naive, x), tolerance = 2e-4)
  expect_within(as_function$total, risk$total, 1e-12)
})

test_that("categorical features: enumeration, for tables and joint tables", {
  naive <- fit(bayes_naive(laplace = 1), play ~ ., play_tennis)
  full <- fit(bayes_full(laplace = 1), play ~ ., play_tennis)
  cost <- cost_matrix(yes = c(no = 7, yes = 0), no = c(no = 0, yes = 2), ask = 1)
  expect_within_errors(sampled(naive, cost), bayes_risk(naive, cost)$total)
  exact <- bayes_risk(full, cost, rule = naive)
  risk <- sampled(full, cost, rule = naive, tolerance = 1e-3)
  expect_within_errors(risk, exact$total)
  expect_within(risk$irreducible, exact$irreducible, 5e-3, scale = 1)
  unseen <- fit(bayes_naive(laplace = 1), play ~ ., play_tennis[-(1:3), ])
  known <- function(x) as.character(predict(unseen, x))
  expect_within_errors(
    sampled(full, rule = known, tolerance = 1e-3), bayes_risk(full, rule = known)$total
  )
})

test_that("what is rare or impossible: infinite costs, classes of prior 0", {
  safe <- bayes_known(
    c(ok = 0.9, ill = 0.1, never = 0),
    a = likelihood_gaussian(mean = c(ok = 0, ill = 2, never = 1), sd = 1),
    b = likelihood_gaussian(mean = c(ok = 0, ill = 1, never = 1), sd = 2),
    c = rbind(ok = c(u = 1, v = 0), ill = c(0.5, 0.5), never = c(0, 1))
  )
  cost <- cost_matrix(go = c(ok = 0, ill = Inf, never = 0), stop = c(ok = 1, ill = 0, never = 3))
  risk <- sampled(safe, cost)
  expect_within(risk$total, 0.9, 1e-4)
  expect_identical(unname(risk$table["never", ]), c(0, 0))
  reckless <- sampled(safe, cost, rule = function(x) rep("go", nrow(x)))
  expect_identical(reckless$total, Inf)
})

test_that("a seed gives the same on any number of threads and leaves R's generator alone", {
  world <- five_features()$model
  set.seed(1)
  state <- .Random.seed
  one <- sampled(world, tolerance = 1e-3, seed = 3)
  expect_identical(.Random.seed, state)
  expect_identical(sampled(world, tolerance = 1e-3, seed = 3, threads = 2L), one)
  expect_false(identical(sampled(world, tolerance = 1e-3, seed = 4), one))
})

test_that("a smaller tolerance draws more, up to the most", {
  world <- five_features()$model
  coarse <- sampled(world, tolerance = 1)
  expect_warning(
    fine <- sampled(world, tolerance = 1e-10), class = "bayesrisk_warning_accuracy"
  )
  expect_gt(coarse$accuracy, fine$accuracy)
  expect_lt(fine$accuracy, 2e-4)
})

test_that("a function is given new data like those of the fit", {
  data <- data.frame(
    y = rep(c("p", "q"), each = 4), u = c(1, 2, 3, 5, 4, 6, 7, 9), v = c(3, 1, 2, 2, 5, 4, 7, 6),
    w = c(2, 2, 1, 4, 3, 5, 4, 7), l = rep(c(TRUE, FALSE), 4), g = rep(c("s", "t"), c(5, 3)),
    f = factor(rep(c("h", "k", "h", "k"), 2), c("k", "h"))
  )
  model <- fit(bayes_naive(laplace = 1), y ~ ., data)
  seen <- NULL
  rule <- function(x) {
    seen <<- utils::head(x)
    factor(rep("q", nrow(x)), c("q", "p"))
  }
  risk <- bayes_risk(model, rule = rule, tolerance = 1)
  expect_identical(risk$method, "monte_carlo")
  expect_identical(lapply(seen, class), lapply(data[-1L], class))
  expect_identical(levels(seen$f), levels(data$f))
  expect_within_errors(risk, 0.5)
})

test_that("a function that fails, or decides what is no action, is named", {
  world <- five_features()$model
  expect_bayesrisk_error(
    bayes_risk(world, rule = function(x) stop("{not} a template")), "argument", "rule.*failed.*not"
  )
  expect_bayesrisk_error(
    bayes_risk(world, rule = function(x) rep("C", nrow(x))), "argument", "\"C\".*no action"
  )
  expect_bayesrisk_error(bayes_risk(world, rule = function(x) "A"), "argument", "1 decision")
})

test_that("the accuracy has the unit of the cost, also where squares of costs overflow", {
  world <- bayes_known(
    prior = c(a = 0.5, b = 0.5),
    x = likelihood_gaussian(mean = c(a = 0, b = 1), sd = c(a = 1, b = 2)),
    z = likelihood_gaussian(mean = c(a = 0, b = 1), sd = c(a = 1, b = 2))
  )
  risk <- function(unit) {
    cost <- unit * zero_one_cost(c("a", "b"))
    bayes_risk(world, cost, method = "monte_carlo")
  }
  one <- risk(1)
  for (unit in 2^c(-1000, 600)) {
    expect_equal(risk(unit)$accuracy, unit * one$accuracy, tolerance = 1e-10)
  }
})

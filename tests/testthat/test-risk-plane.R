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
  expect_snapshot(print(by_quadrature(bivariate_full(), rule = bivariate_naive()), digits = 6))
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

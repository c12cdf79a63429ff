bound_of <- function(bounds, name) bounds$value[bounds$bound == name]

ocr <- function(prior = c(a = 0.75, b = 0.25)) {
  bayes_known(prior, pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = 4))
}

# The integral of (p1 f1)^s (p2 f2)^(1 - s), by its definition.
overlap_of <- function(s, p, f, g, lower = -Inf, upper = Inf) {
  both <- function(x) (p[[1L]] * f(x))^s * (p[[2L]] * g(x))^(1 - s)
  stats::integrate(both, lower, upper, rel.tol = 1e-11)$value
}

test_that("the bounds of the lecture's one-dimensional example", {
  bounds <- risk_bounds(ocr())
  expect_s3_class(bounds, c("bayesrisk_bounds", "bayesrisk_result", "data.frame"), exact = TRUE)
  expect_identical(
    bounds$bound, c("exact", "Bhattacharyya", "Chernoff", "Mahalanobis", "lower")
  )
  expect_within(bounds$value[[1L]], 0.086377977, 5e-10, scale = 1)
  expect_within(bounds$value[-1L], c(0.198248, 0.180001, 0.172662, 0.040982), 5e-7, scale = 1)
  expect_within(bounds$s, c(NA, 0.5, 0.324222, NA, NA), 5e-7, scale = 1)
})

test_that("the bounds of the lecture's bivariate example", {
  bounds <- risk_bounds(bivariate_full())
  expect_within(bounds$value[[1L]], 0.0552241805, 1e-10, 1)
  expect_within(bounds$value[c(2, 3, 5)], c(0.086453731, 0.086420882, 0.007530963), 5e-10, 1)
  expect_within(bounds$s[[3L]], 0.513986, 5e-7, 1)
  expect_within(-log(2 * bounds$value[[2L]]), 1.754998726, 5e-10, 1)
  apart <- risk_bounds(bivariate_full(6))
  expect_within(apart$value[2:3], c(0.011863877, 0.010510581), 1e-9, 1)
  expect_within(apart$s[[3L]], 0.701510, 5e-7, 1)
  expect_within(-log(2 * apart$value[[2L]]), 3.741109837, 5e-10, 1)
})

test_that("the error lies between its bounds; it is not estimated by simulation", {
  data <- iris[51:150, ]
  data$Species <- droplevels(data$Species)
  for (formula in list(Species ~ Petal.Width, Species ~ Petal.Width + Sepal.Width)) {
    for (prior in list(NULL, c(versicolor = 0.9, virginica = 0.1))) {
      value <- risk_bounds(fit(bayes_full(), formula, data), prior = prior)$value
      expect_lte(value[[5L]], value[[1L]])
      expect_lte(value[[1L]], value[[3L]])
      expect_lte(value[[3L]], value[[2L]])
      expect_lte(value[[1L]], value[[4L]])
    }
  }
  value <- risk_bounds(fit(bayes_full(), Species ~ ., data))$value
  expect_identical(order(value), c(5L, 1L, 3L, 2L, 4L))
  histograms <- bayes_naive(numeric = likelihood_histogram(laplace = 1))
  expect_identical(risk_bounds(fit(histograms, Species ~ ., data))$value[[1L]], NA_real_)
})

test_that("the exponent is that of the first class: the order of the classes turns it", {
  bounds <- risk_bounds(ocr())
  turned <- bayes_known(
    c(b = 0.25, a = 0.75), pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = 4)
  )
  turned <- risk_bounds(turned)
  expect_within(turned$value, bounds$value, 1e-14)
  expect_within(turned$s[[3L]], 1 - bounds$s[[3L]], 1e-7)
})

test_that("single features of different spread: the integral itself", {
  model <- bayes_known(
    c(A = 0.7, B = 0.3), x = likelihood_gaussian(mean = c(A = 1, B = 2.5), sd = c(A = 0.6, B = 2))
  )
  bounds <- risk_bounds(model)
  f <- function(x) dnorm(x, 1, 0.6)
  g <- function(x) dnorm(x, 2.5, 2)
  p <- c(0.7, 0.3)
  expect_within(bound_of(bounds, "Bhattacharyya"), overlap_of(0.5, p, f, g), 1e-9)
  least <- stats::optimize(function(s) overlap_of(s, p, f, g), 0:1, tol = 1e-9)
  expect_within(bound_of(bounds, "Chernoff"), least$objective, 1e-9)
  expect_within(bounds$s[[3L]], least$minimum, 1e-5)
  distance <- 1.5^2 / (0.7 * 0.36 + 0.3 * 4)
  expect_within(bound_of(bounds, "Mahalanobis"), 0.42 / (1 + 0.21 * distance), 1e-13)
})

test_that("mixtures: the integral itself", {
  model <- bayes_known(c(C1 = 0.6, C2 = 0.4), x = likelihood_mixture(
    weights = list(C1 = c(0.7, 0.3), C2 = 1), mean = list(C1 = c(3, 5.8), C2 = 5.8),
    sd = list(C1 = c(0.9, 0.8), C2 = 0.95)
  ))
  f <- function(x) 0.7 * dnorm(x, 3, 0.9) + 0.3 * dnorm(x, 5.8, 0.8)
  g <- function(x) dnorm(x, 5.8, 0.95)
  bounds <- risk_bounds(model)
  p <- c(0.6, 0.4)
  expect_within(bound_of(bounds, "Bhattacharyya"), overlap_of(0.5, p, f, g, -10, 20), 1e-10)
  least <- stats::optimize(function(s) overlap_of(s, p, f, g, -10, 20), 0:1, tol = 1e-9)
  expect_within(bound_of(bounds, "Chernoff"), least$objective, 1e-10)
  mean <- 0.7 * 3 + 0.3 * 5.8
  variance <- 0.7 * (0.81 + 9) + 0.3 * (0.64 + 5.8^2) - mean^2
  distance <- (5.8 - mean)^2 / (0.6 * variance + 0.4 * 0.95^2)
  expect_within(bound_of(bounds, "Mahalanobis"), 0.48 / (1 + 0.24 * distance), 1e-13)
})

test_that("over independent blocks the integrals multiply", {
  prior <- c(A = 0.5, B = 0.5)
  x <- likelihood_gaussian(mean = c(A = 0, B = 1), sd = c(A = 1, B = 2))
  g <- rbind(A = c(u = 0.1, v = 0.9), B = c(0.5, 0.5))
  yz <- likelihood_gaussian(
    mean = rbind(A = c(y = 0, z = 3), B = c(1, 1)), covariance = rbind(c(2, 0.5), c(0.5, 1))
  )
  overlap <- function(...) 2 * bound_of(risk_bounds(bayes_known(prior, ...)), "Bhattacharyya")
  expect_within(
    overlap(x = x, g = g, yz = yz), overlap(x = x) * overlap(g = g) * overlap(yz = yz), 1e-14
  )
})

test_that("a joint table, with cells that were never seen", {
  data <- data.frame(
    y = rep(c("a", "b"), c(5, 4)), u = c(1, 1, 2, 3, 3, 1, 2, 2, 3) > 1,
    v = c("p", "q", "q", "q", "p", "p", "p", "r", "r")
  )
  data$v <- factor(data$v, levels = c("p", "q", "r", "s"))
  model <- fit(bayes_full(laplace = 0.5), y ~ ., data)
  cells <- coef(model)[["categorical"]]
  p <- 5 / 9 * as.vector(cells[, , "a"])
  q <- 4 / 9 * as.vector(cells[, , "b"])
  bounds <- risk_bounds(model)
  expect_within(bound_of(bounds, "Bhattacharyya"), sum(sqrt(p * q)), 1e-13)
  least <- stats::optimize(function(s) sum(p^s * q^(1 - s)), 0:1, tol = 1e-10)
  expect_within(bound_of(bounds, "Chernoff"), least$objective, 1e-13)
  expect_identical(bound_of(bounds, "Mahalanobis"), NA_real_)
})

test_that("what one class cannot show adds nothing", {
  apart <- bayes_known(c(A = 0.5, B = 0.5), g = rbind(A = c(u = 1, v = 0), B = c(0, 1)))
  expect_identical(risk_bounds(apart)$value[c(2, 3, 5)], c(0, 0, 0))
  nested <- bayes_known(c(A = 0.5, B = 0.5), g = rbind(A = c(u = 1, v = 0), B = c(0.25, 0.75)))
  bounds <- risk_bounds(nested)
  # 0.25^(1 - s) / 2 falls towards s = 0, where it is the error itself.
  expect_identical(bounds$s[[3L]], 0)
  expect_within(bound_of(bounds, "Chernoff"), 0.125, 1e-15)
})

test_that("classes that do not differ: the smaller prior, and half by convention", {
  same <- bayes_known(c(A = 0.5, B = 0.5), x = likelihood_gaussian(mean = c(A = 1, B = 1), sd = 2))
  expect_within(risk_bounds(same)$value[-1L], rep(0.5, 4), 1e-15)
  expect_identical(risk_bounds(same)$s[[3L]], 0.5)
  unequal <- risk_bounds(same, prior = c(A = 0.9, B = 0.1))
  expect_within(bound_of(unequal, "Chernoff"), 0.1, 1e-15)
  expect_identical(unequal$s[[3L]], 0)
  nothing <- fit(bayes_naive(), y ~ 1, tails())
  expect_identical(risk_bounds(nothing)$value[c(2, 4)], c(0.5, NA))
})

test_that("units and offsets of the features do not matter", {
  data <- iris[51:150, ]
  data$Species <- droplevels(data$Species)
  bounds <- risk_bounds(fit(bayes_full(), Species ~ ., data))
  data[1:4] <- Map(function(x, f, o) x * f + o, data[1:4], c(1, 1e5, 1e-4, 3), c(0, 2^30, 1, -7))
  expect_within(risk_bounds(fit(bayes_full(), Species ~ ., data))$value[-1L], bounds$value[-1L],
                1e-7)
})

test_that("two classes with a prior above 0 are needed", {
  expect_bayesrisk_error(risk_bounds(iris_naive()), "argument", "two classes, not 3.*setosa")
  expect_bayesrisk_error(risk_bounds(ocr(), prior = c(a = 1, b = 0)), "argument", "\"b\".*prior")
  expect_bayesrisk_error(risk_bounds(ocr(), prior = c(a = 0.5, c = 0.5)), "argument", "prior")
  expect_bayesrisk_error(risk_bounds(), "argument", "object")
  damaged <- ocr()
  damaged$parameters$banks[[1L]]$sd[] <- -1
  expect_bayesrisk_error(risk_bounds(damaged), "object", "damaged")
})

test_that("every odd value is a table of bounds or an error of the package", {
  is_bounds <- function(x) is.data.frame(x) && nrow(x) == 5L
  expect_fuzz_proof(risk_bounds, "object", is_valid = is_bounds)
  expect_fuzz_proof(risk_bounds, "prior", list(object = ocr()), is_bounds)
})

test_that("the engine names what it bounds", {
  found <- risk_bounds_cpp(engine_model(letters_model()))
  expect_named(found, c("bhattacharyya", "chernoff", "exponent", "mahalanobis", "lower"))
})

test_that("a model with a bag has no world", {
  expect_bayesrisk_error(risk_bounds(valid_text()$model), "argument", "words.*no data-generating")
})

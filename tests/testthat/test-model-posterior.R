# Predictive distributions against Student t densities written out, integrals over the posterior of
# the parameters, and MASS.

predictive_density <- function(model, newdata, ...) {
  predict(model, newdata, type = "log_likelihood", estimate = "predictive", ...)
}

# log density of the t distribution with a location and a squared scale.
log_t <- function(x, freedom, location, square) {
  stats::dt((x - location) / sqrt(square), freedom, log = TRUE) - log(square) / 2
}

# The same for p numbers, with a scale matrix.
log_multivariate_t <- function(x, freedom, location, scale) {
  p <- length(x)
  square <- stats::mahalanobis(x, location, scale)
  lgamma((freedom + p) / 2) - lgamma(freedom / 2) - p / 2 * log(freedom * pi) -
    log(det(scale)) / 2 - (freedom + p) / 2 * log1p(square / freedom)
}

# Two classes; the second has `rows` rows.
iris_like <- function(rows) {
  x <- c(1, 2, 4, 3, 7, 2, 5)
  data.frame(
    y = rep(c("a", "b"), c(7, rows)), x = c(x, x[seq_len(rows)]),
    z = c(2, 3, 5, 7, 1, 4, 4, c(1, 4, 2, 8)[seq_len(rows)])
  )
}

few_flowers <- iris[c(1:6, 51:59, 101:104), ]

test_that("a single Gaussian feature is a Student t distribution", {
  data <- few_flowers
  weights <- rep_len(c(1, 2, 0.5), nrow(data))
  data$Sepal.Width[c(2, 8)] <- NA
  model <- fit(bayes_naive(), Species ~ Sepal.Width + Petal.Length, data, weights = weights)
  new <- data.frame(Sepal.Width = c(3, 2.2, NA, 40), Petal.Length = c(1.5, NA, 4, 5))
  expected <- sapply(levels(data$Species), function(class) {
    rowSums(sapply(names(new), function(name) {
      used <- data$Species == class & !is.na(data[[name]])
      x <- data[[name]][used]
      w <- weights[used]
      mean <- sum(w * x) / sum(w)
      variance <- sum(w * (x - mean)^2) / (sum(w) - 1)
      known <- !is.na(new[[name]])
      value <- log_t(new[[name]], sum(w) - 1, mean, variance * (1 + 1 / sum(w)))
      ifelse(known, value, 0)
    }))
  })
  expect_equal(unname(predictive_density(model, new)), unname(expected), tolerance = 1e-13)
  ml <- update(model, numeric = likelihood_gaussian("ml"))
  expect_equal(predictive_density(ml, new), predictive_density(model, new))
})

test_that("the predictive density is the mean density over the posterior of mean and variance", {
  x <- c(1.2, 3.4, 2.2, 2.9, 0.7)
  model <- fit(bayes_naive(), y ~ x, data.frame(x = c(x, x + 1), y = rep(c("a", "b"), each = 5)))
  scatter <- sum((x - mean(x))^2)
  # Normal inverse gamma: log variance on a grid of adaptive quadrature; the mean is integrated
  # within, also by quadrature.
  density <- function(at) {
    stats::integrate(Vectorize(function(log_variance) {
      variance <- exp(log_variance)
      # scatter / variance is chi-squared with n - 1 degrees of freedom
      weight <- stats::dchisq(scatter / variance, 4) * scatter / variance
      sd <- sqrt(variance / 5)
      weight * stats::integrate(function(z) {
        stats::dnorm(at, mean(x) + sd * z, sqrt(variance)) * stats::dnorm(z)
      }, -12, 12, rel.tol = 1e-11, subdivisions = 400L)$value
    }), -12, 25, rel.tol = 1e-10, subdivisions = 400L)$value
  }
  at <- c(2, 0, 6.5)
  expect_equal(
    unname(predictive_density(model, data.frame(x = at))[, "a"]), log(vapply(at, density, 1)),
    tolerance = 1e-8
  )
})

test_that("a block is a multivariate t distribution, and its part with missing features, too", {
  model <- fit(bayes_full(), Species ~ ., iris[c(1:12, 51:70, 101:108), ])
  data <- iris[c(1:12, 51:70, 101:108), ]
  new <- iris[c(20, 80, 120), 1:4]
  parts <- split(data[1:4], data$Species)
  expected <- function(columns) {
    sapply(parts, function(x) {
      n <- nrow(x)
      scale <- stats::cov(x)[columns, columns, drop = FALSE] * (n - 1) * (1 + 1 / n) / (n - 4)
      apply(new[columns], 1L, log_multivariate_t, n - 4, colMeans(x)[columns], scale)
    })
  }
  expect_equal(predictive_density(model, new), expected(1:4), tolerance = 1e-12,
               ignore_attr = TRUE)
  missing <- new
  missing[c(1, 3)] <- NA
  expect_equal(predictive_density(model, missing), expected(c(2, 4)), tolerance = 1e-12,
               ignore_attr = TRUE)
  # a tile that holds complete and incomplete rows
  mixed <- rbind(new, missing)
  expect_equal(
    predictive_density(model, mixed), rbind(expected(1:4), expected(c(2, 4))), tolerance = 1e-12,
    ignore_attr = TRUE
  )
})

test_that("a pooled, a shrunken and a borrowing covariance have their degrees of freedom", {
  data <- iris[c(1:12, 51:70, 101:108), -4]
  new <- iris[c(20, 80, 120), 1:3]
  parts <- split(data[1:3], data$Species)
  scatter <- lapply(parts, function(x) stats::cov(x) * (nrow(x) - 1))
  pooled <- Reduce(`+`, scatter)
  n <- vapply(parts, nrow, 1L)
  density <- function(scatter_of, freedom_of) {
    sapply(names(parts), function(k) {
      freedom <- freedom_of(k) - 3 + 1
      scale <- scatter_of(k) * (1 + 1 / n[[k]]) / freedom
      apply(new, 1L, log_multivariate_t, freedom, colMeans(parts[[k]]), scale)
    })
  }
  found <- function(...) predictive_density(fit(bayes_full(...), Species ~ ., data), new)
  expect_equal(
    found(covariance = "pooled"), density(function(k) pooled, function(k) sum(n) - 3),
    tolerance = 1e-12, ignore_attr = TRUE
  )
  v <- pooled / (sum(n) - 3)
  expect_equal(
    found(borrow = 5), density(function(k) scatter[[k]] + 5 * v, function(k) n[[k]] - 1 + 5),
    tolerance = 1e-12, ignore_attr = TRUE
  )
  # shrinkage by g is borrowing g / (1 - g) (n - 1) cases
  more <- function(k) 0.2 / 0.8 * (n[[k]] - 1)
  expect_equal(
    found(shrinkage = 0.2),
    density(function(k) scatter[[k]] + more(k) * v, function(k) n[[k]] - 1 + more(k)),
    tolerance = 1e-12, ignore_attr = TRUE
  )
})

test_that("shrinkage towards the identity is borrowing from it, but not by 1", {
  x <- as.matrix(iris[1:20, 1:3])
  model <- one_class(fit_xy(bayes_full(identity = 0.4), x, rep("a", 20)))
  freedom <- 19 / 0.6
  covariance <- 0.6 * stats::cov(x) + 0.4 * mean(diag(stats::cov(x))) * diag(3)
  scale <- covariance * freedom * (1 + 1 / 20) / (freedom - 2)
  new <- iris[c(30, 40), 1:3]
  expect_equal(
    predictive_density(model, new), apply(new, 1L, log_multivariate_t, freedom - 2, colMeans(x),
                                          scale),
    tolerance = 1e-12, ignore_attr = TRUE
  )
  # Fewer cases than features have a posterior, too.
  most <- one_class(update(model, identity = 0.9))
  expect_true(is.finite(predictive_density(most, new)[[1L]]))
  whole <- one_class(update(model, identity = 1))
  tables <- fit(bayes_full(identity = 1, laplace = 1), play ~ ., play_tennis)
  expect_identical(
    predict(tables, play_tennis, estimate = "predictive"), predict(tables, play_tennis)
  )
  for (use in list(confint, function(m) predict(m, new, estimate = "predictive"))) {
    expect_error(use(whole), "identity = 1.*identity = ", class = "bayesrisk_error_argument")
  }
})

test_that("full covariances give MASS's predictive posterior, with its gamma functions", {
  skip_if_not_installed("MASS")
  data <- iris[c(1:12, 51:70, 101:108), ]
  n <- c(12, 20, 8)
  # MASS's formula takes the covariance divided by n.
  other <- predict(
    MASS::qda(Species ~ ., data, method = "mle"), iris[1:4], method = "predictive"
  )$posterior
  left_out <- exp(lgamma(n / 2) - lgamma((n - 4) / 2))
  expected <- sweep(other, 2L, left_out, `*`)
  model <- fit(bayes_full(), Species ~ ., data)
  expect_equal(
    unname(predict(model, iris, type = "prob", estimate = "predictive")),
    unname(expected / rowSums(expected)), tolerance = 1e-8
  )
  # MASS's predictive lda scales the cases but not the means, so its formula is written out.
  pooled <- fit(bayes_full(covariance = "pooled"), Species ~ ., data)
  parts <- split(data[1:4], data$Species)
  scatter <- Reduce(`+`, lapply(parts, function(x) stats::cov(x) * (nrow(x) - 1)))
  weight <- mapply(function(x, k) {
    square <- stats::mahalanobis(iris[1:4], colMeans(x), scatter)
    k / 40 * (k / (k + 1))^2 * (1 + square * k / (k + 1))^(-(40 - 3 + 1) / 2)
  }, parts, n)
  expect_equal(
    unname(predict(pooled, iris, type = "prob", estimate = "predictive")),
    unname(weight / rowSums(weight)), tolerance = 1e-10
  )
})

test_that("a smoothed rate gives a negative binomial distribution, others stay", {
  data <- data.frame(y = rep(c("a", "b"), each = 6), n = c(0, 1, 3, 0, 2, 1, 9, 4, 6, 6, 8, 300))
  smoothed <- likelihood_poisson(pseudo_count = 0.5, pseudo_exposure = 0.25)
  model <- fit(bayes_naive(features = list(n = smoothed)), y ~ n, data)
  new <- data.frame(n = c(0, 1, 5, 40, 1000, NA))
  expected <- sapply(c("a", "b"), function(k) {
    x <- data$n[data$y == k]
    value <- stats::dnbinom(new$n, sum(x) + 0.5, 6.25 / 7.25, log = TRUE)
    ifelse(is.na(new$n), 0, value)
  })
  expect_equal(unname(predictive_density(model, new)), unname(expected), tolerance = 1e-12)
  plain <- fit(bayes_naive(features = list(n = likelihood_poisson())), y ~ n, data)
  expect_equal(predictive_density(plain, new), predict(plain, new, type = "log_likelihood"))
})

test_that("tables, kernels and known models have the same predictive distribution", {
  data <- valid_data()
  for (model in valid_models()[c("points", "cells", "known")]) {
    new <- if (is.null(model$statistics)) data.frame(n = 1, g = "u", x = 0.5) else data
    expect_identical(
      predict(model, new, type = "prob", estimate = "predictive"),
      predict(model, new, type = "prob")
    )
  }
})

test_that("all functions that score take predictive distributions", {
  model <- fit(bayes_naive(), Species ~ ., few_flowers)
  new <- iris[c(3, 60, 130), ]
  prob <- predict(model, new, type = "prob", estimate = "predictive")
  cost <- cost_matrix(
    a = c(setosa = 0, versicolor = 1, virginica = 3),
    b = c(setosa = 2, versicolor = 0, virginica = 0)
  )
  decided <- decide(model, new, cost, estimate = "predictive")
  expect_equal(
    unname(cbind(decided$cost_a, decided$cost_b)), unname(prob %*% t(unclass(cost)[1:2, ])),
    tolerance = 1e-12
  )
  expect_equal(
    decide(model, new, cost, estimate = "predictive")$decision,
    predict(model, new, cost = cost, estimate = "predictive")
  )
  parts <- contributions(model, new, estimate = "predictive")
  joint <- predict(model, new, type = "log_joint", estimate = "predictive")
  expect_equal(apply(unclass(parts), c(1, 3), sum), joint, tolerance = 1e-12, ignore_attr = TRUE)
  assessed <- assess_decisions(model, iris, cost, estimate = "predictive")
  expect_error(
    assess_decisions(prob, truth = iris$Species[c(3, 60, 130)], estimate = "predictive"),
    "for models", class = "bayesrisk_error_argument"
  )
  truth <- as.integer(iris$Species)
  log_prob <- predict(model, iris, type = "log_prob", estimate = "predictive")
  expect_equal(
    assessed$log_loss, -mean(log_prob[cbind(seq_along(truth), truth)]), tolerance = 1e-10
  )
  groups <- fit(
    bayes_naive(), Species ~ Petal.Length, cbind(iris, half = rep(c("u", "v"), 75)), by = half
  )
  expect_equal(
    predict(groups[["u"]], new, type = "prob", estimate = "predictive"),
    predict(fit(bayes_naive(), Species ~ Petal.Length, iris[c(TRUE, FALSE), ]), new, type = "prob",
            estimate = "predictive")
  )
  many <- iris[rep(1:150, 20), ]
  expect_equal(
    predict(model, many, type = "prob", estimate = "predictive", threads = 2),
    predict(model, many, type = "prob", estimate = "predictive")
  )
})

test_that("with many cases the predictive distribution is that of the estimates", {
  skip_on_cran()
  many <- iris[rep(1:150, 4000), ]
  model <- fit(bayes_naive(), Species ~ ., many)
  full <- fit(bayes_full(), Species ~ ., many)
  for (m in list(model, full)) {
    expect_equal(
      predict(m, iris, type = "prob", estimate = "predictive"), predict(m, iris, type = "prob"),
      tolerance = 1e-4
    )
  }
})

test_that("too few degrees of freedom are an error that names the class and the feature", {
  data <- data.frame(y = c("a", "a", "a", "b"), x = c(1, 2, 4, 3), z = c(2, 3, 5, 7))
  model <- suppressWarnings(fit(bayes_naive(), y ~ x + z, data))
  expect_error(
    predict(model, data, estimate = "predictive"), "class \"b\".*`x`, `z`",
    class = "bayesrisk_error_degenerate"
  )
  full <- suppressWarnings(fit(bayes_full(), y ~ x + z, iris_like(2)))
  expect_error(
    predict(full, iris_like(2), estimate = "predictive"), "class \"b\".*weight 2",
    class = "bayesrisk_error_degenerate"
  )
  borrowing <- fit(bayes_naive(numeric = likelihood_gaussian(borrow = 2)), y ~ x + z, data)
  expect_true(all(is.finite(predict(borrowing, data, type = "prob", estimate = "predictive"))))
  expect_error(
    predict(model, data, estimate = "bayes"), class = "bayesrisk_error_argument"
  )
})

test_that("a class without rows, and lazy tables", {
  skip_on_cran()
  data <- iris
  data$Species <- factor(data$Species, c(levels(data$Species), "none"))
  for (spec in list(bayes_naive(), bayes_full(), bayes_full(covariance = "pooled"))) {
    model <- suppressMessages(fit(spec, Species ~ ., data))
    p <- predict(model, iris[c(1, 80), ], type = "prob", estimate = "predictive")
    expect_equal(unname(p[, "none"]), c(0, 0))
    expect_equal(unname(rowSums(p)), c(1, 1))
  }
  skip_if_not_installed("dbplyr")
  skip_if_not_installed("RSQLite")
  expect_error(
    predict(model, dbplyr::memdb_frame(Sepal.Length = 1), estimate = "predictive"),
    class = "bayesrisk_error_argument"
  )
})

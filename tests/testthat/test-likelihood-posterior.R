# Intervals and covariances of parameters against the tests and tables of other functions, and
# against draws of the engine.

tidy_label <- function(rows) {
  paste(rows$class, rows$term, ifelse(is.na(rows$level), "", rows$level), rows$statistic)
}

test_that("intervals of a mean and a standard deviation are the classical ones", {
  data <- iris[c(1:7, 51:60), c(1, 5)]
  data$Species <- droplevels(data$Species)
  model <- fit(bayes_naive(), Species ~ ., data)
  found <- confint(model, "Sepal.Length", level = 0.9)
  for (k in levels(data$Species)) {
    x <- data$Sepal.Length[data$Species == k]
    at <- found$class == k
    expect_equal(
      unlist(found[at & found$statistic == "mean", c("lower", "upper")], use.names = FALSE),
      as.double(stats::t.test(x, conf.level = 0.9)$conf.int), tolerance = 1e-12
    )
    square <- sum((x - mean(x))^2)
    expect_equal(
      unlist(found[at & found$statistic == "sd", c("lower", "upper")], use.names = FALSE),
      sqrt(square / stats::qchisq(c(0.95, 0.05), length(x) - 1)), tolerance = 1e-12
    )
  }
  expect_equal(found$estimate, tidy(model)$estimate[-(1:2)])
})

test_that("intervals of probabilities and rates are those of beta and gamma distributions", {
  data <- data.frame(
    y = rep(c("a", "b"), c(9, 6)), g = rep_len(c("u", "v", "w", "u"), 15), n = c(3, 1, 0:6, 4:9),
    x = seq(0, 7, length.out = 15)
  )
  singles <- list(
    n = likelihood_poisson(pseudo_count = 1), x = likelihood_histogram(2, laplace = 1)
  )
  model <- fit(bayes_naive(laplace = 2, features = singles), y ~ g + n + x, data)
  found <- confint(model)
  expect_equal(names(found), c(
    "class", "term", "level", "statistic", "estimate", "lower", "upper"
  ))
  a <- found[found$class == "a", ]
  expect_equal(
    unlist(a[a$term == "(prior)", c("lower", "upper")], use.names = FALSE),
    stats::qbeta(c(0.025, 0.975), 9, 6)
  )
  count <- table(data$g[data$y == "a"])
  for (level in names(count)) {
    expect_equal(
      unlist(a[a$level %in% level, c("lower", "upper")], use.names = FALSE),
      stats::qbeta(c(0.025, 0.975), count[[level]] + 2, 9 - count[[level]] + 4)
    )
  }
  expect_equal(
    unlist(a[a$statistic == "rate", c("lower", "upper")], use.names = FALSE),
    stats::qgamma(c(0.025, 0.975), sum(data$n[data$y == "a"]) + 1, 9)
  )
  bins <- a[a$term == "x", ]
  probability <- bins[bins$statistic == "probability", ]
  density <- bins[bins$statistic == "density", ]
  expect_equal(density$lower, probability$lower / 2)
  expect_equal(density$upper, probability$upper / 2)
})

test_that("intervals of a covariance are quantiles of the posterior", {
  skip_on_cran()
  model <- fit(bayes_full(), Species ~ ., iris[c(1:20, 51:80, 101:115), c(1, 3, 4, 5)])
  draws <- as.data.frame(simulate_parameters(model, 4000, seed = 3))
  found <- confint(model, level = 0.8)
  expect_true(all(found$lower < found$upper))
  key <- tidy_label(draws)
  drawn <- t(sapply(split(draws$estimate, factor(key, unique(key))), stats::quantile, c(0.1, 0.9)))
  width <- found$upper - found$lower
  at <- match(tidy_label(found), rownames(drawn))
  # the standard error of a quantile of 4000 draws is about 0.01 of the width
  expect_lt(max(abs(found$lower - drawn[at, 1L]) / width), 0.06)
  expect_lt(max(abs(found$upper - drawn[at, 2L]) / width), 0.06)
})

test_that("the covariance matrix is that of draws", {
  skip_on_cran()
  data <- iris[c(1:20, 51:80, 101:125), c(1, 3, 4, 5)]
  data$g <- rep_len(c("u", "v", "v", "w"), nrow(data))
  data$n <- rep_len(c(0, 2, 1, 5, 3), nrow(data))
  specs <- list(
    bayes_naive(features = list(n = likelihood_poisson())),
    bayes_blocks(list(b = c("Sepal.Length", "Petal.Length", "Petal.Width"))),
    bayes_full(covariance = "pooled", laplace = 1)
  )
  formulas <- list(
    Species ~ Sepal.Length + g + n, Species ~ ., Species ~ Sepal.Length + Petal.Width
  )
  for (i in seq_along(specs)) {
    model <- fit(specs[[i]], formulas[[i]], data)
    covariance <- vcov(model)
    expect_equal(covariance, t(covariance))
    draws <- as.data.frame(simulate_parameters(model, 3000, seed = 5))
    drawn <- matrix(draws$estimate, 3000, byrow = TRUE)
    sd <- sqrt(diag(covariance))
    expect_equal(length(sd), ncol(drawn))
    # standard errors of a correlation and of a variance of 3000 draws: 0.02 and about 0.04
    expect_lt(max(abs(stats::cov(drawn) - covariance) / tcrossprod(sd)), 0.2)
    expect_equal(colMeans(drawn), tidy(model)$estimate, tolerance = 0.02)
  }
  labels <- colnames(vcov(fit(bayes_naive(laplace = 1), Species ~ Sepal.Length + g, data)))
  expect_true(all(c(
    "setosa:(prior):probability", "virginica:g:w:probability", "setosa:Sepal.Length:sd"
  ) %in% labels))
})

test_that("a scatter beyond the largest double has no interval", {
  model <- fit(bayes_full(shrinkage = 0.1), y ~ x + n + z, valid_data())
  model$spec$borrow <- 1e308
  intervals <- as.data.frame(confint(model))
  expect_true(anyNA(intervals$lower))
  expect_identical(is.na(intervals$lower), is.na(intervals$upper))
})

test_that("parameters without a posterior have no interval", {
  data <- valid_data()
  model <- fit(
    bayes_naive(numeric = likelihood_kernel(), prior = c(a = 0.3, b = 0.7)), y ~ x, data
  )
  expect_true(all(is.na(confint(model)$lower)))
  expect_true(all(is.na(diag(vcov(model)))))
  few <- suppressWarnings(fit(bayes_full(), y ~ x + z, data[c(1, 3, 5, 7, 2, 4), ]))
  found <- confint(few)
  # two rows of class b leave no degrees of freedom
  expect_true(all(is.na(found$lower[found$class == "b" & found$term != "(prior)"])))
  expect_true(all(!is.na(found$lower[found$class == "a"])))
})

test_that("terms of a bag have Dirichlet posteriors, their presences beta posteriors", {
  skip_on_cran()
  x <- rbind(c(u = 3, v = 0, w = 1), c(1, 2, 0), c(0, 0, 4), c(2, 0, 5))
  class <- c("a", "a", "b", "b")
  count <- rowsum(x, class) + 0.5
  multinomial <- fit(bayes_text(laplace = 0.5), x, class)
  presence <- rowsum((x > 0) + 0, class) + 0.5
  bernoulli <- fit(bayes_text("bernoulli", laplace = 0.5), x, class)
  sides <- list(
    list(model = multinomial, of = count, total = rowSums(count)),
    list(model = bernoulli, of = presence, total = c(3, 3))
  )
  for (side in sides) {
    found <- confint(side$model, "terms", level = 0.9)
    expect_equal(found$estimate, as.vector(side$of / side$total), tolerance = 1e-14)
    limits <- lapply(c(0.05, 0.95), function(p) {
      as.vector(stats::qbeta(p, side$of, side$total - side$of))
    })
    expect_equal(found$lower, limits[[1]], tolerance = 1e-12)
    expect_equal(found$upper, limits[[2]], tolerance = 1e-12)
    # Covariances against draws of the engine
    draws <- as.data.frame(simulate_parameters(side$model, 4000))
    draws <- draws[draws$term == "terms", ]
    drawn <- matrix(draws$estimate, 4000, byrow = TRUE)
    expected <- vcov(side$model)[-(1:2), -(1:2)]
    error <- sqrt(outer(diag(expected), diag(expected)) / 4000)
    expect_lt(max(abs(colMeans(drawn) - found$estimate) / sqrt(diag(expected) / 4000)), 5)
    expect_lt(max(abs(stats::cov(drawn) - expected) / error), 6)
  }
  share <- count["a", ] / sum(count["a", ])
  expect_equal(
    unname(vcov(multinomial)[c(3, 5, 7), c(3, 5, 7)]),
    unname((diag(share) - tcrossprod(share)) / (sum(count["a", ]) + 1)), tolerance = 1e-12
  )
  off <- vcov(bernoulli)[-(1:2), -(1:2)]
  expect_true(all(off[row(off) != col(off)] == 0))
  for (way in c("complement", "poisson")) {
    known <- fit(bayes_text(way), x, class)
    expect_true(all(is.na(confint(known, "terms")[c("lower", "upper")])))
    expect_true(all(is.na(vcov(known)[-(1:2), -(1:2)])))
    expect_identical(coef(simulate_parameters(known, 1)[[1]])$terms, coef(known)$terms)
  }
})

test_that("decisions about texts are as stable as the probabilities of their terms", {
  x <- rbind(c(u = 3, v = 0, w = 1), c(1, 2, 0), c(0, 0, 4), c(2, 0, 5))
  y <- c("a", "a", "b", "b")
  model <- fit(bayes_text(), x, y)
  more <- fit(bayes_text(laplace = 10), x[rep(1:4, 10), ], rep(y, 10))
  # The estimates are the same, the evidence is ten times as large.
  expect_within(coef(more)$terms, coef(model)$terms, 1e-15)
  cost <- zero_one_cost(model)
  stays <- function(model) mean(decision_stability(model, x, cost, n = 400)$stays)
  expect_gt(stays(more), stays(model))
})

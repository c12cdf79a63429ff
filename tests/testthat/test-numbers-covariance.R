# Full covariance: exact small cases, near-singular ones, and large blocks.

test_that("nine points: covariances, determinants and posteriors (G1)", {
  x <- cbind(u = c(0, -2, -2, -1, -1, 1, 1, 2, 2), v = c(0, -2, -1, -1, -2, 3, 2, 1, 2))
  model <- fit_xy(bayes_full(), x, rep(c("1", "2"), c(5, 4)))
  s <- covariances_of(model)
  expect_within(s[[1]], c(.7, .45, .45, .7), 1e-14)
  expect_within(s[[2]], c(1, -1, -1, 2) / 3, 1e-14)
  expect_within(vapply(s, det, 1), c(23 / 80, 1 / 9), 1e-14)
  shares <- predict(model, data.frame(u = 0:1, v = 0), type = "prob")
  likelihood <- predict(model, data.frame(u = 0, v = 0), type = "log_likelihood")
  quadratic <- -2 * likelihood - log(c(23 / 80, 1 / 9)) - 2 * log(2 * pi)
  expect_within(quadratic, c(288 / 115, 87 / 2), 1e-14)
  expect_within(shares[, "1"], c(0.99999999838773137, 0.99748948574571098), 1e-14)
})

test_that("classes within 2^-26 of a line keep their digits (G5)", {
  posterior <- function(e) {
    x <- rbind(c(0, 0), c(1, 1), c(2, 2), c(3, 3 + e), c(0, 1), c(1, 0), c(2, 3), c(3, 2))
    colnames(x) <- c("u", "v")
    model <- fit_xy(bayes_full(), x, rep(c("A", "B"), each = 4))
    predict(model, data.frame(u = 1, v = 1 + e), type = "prob")[, "B"]
  }
  expect_gte(log_relative_error(posterior(2^-10), 0.016567583156950522), 11)
  expect_gte(log_relative_error(posterior(2^-20), 1.6448575369815221e-05), 8)
  exact <- 2.5701310635954619e-07
  found <- tryCatch(posterior(2^-26), bayesrisk_error_degenerate = function(e) exact)
  expect_gte(log_relative_error(found, exact), 6)
})

test_that("200 features: a determinant of 1e-1260 does not underflow (G6)", {
  x <- rbind(diag(200), -diag(200)) / 100
  model <- fit_xy(bayes_full(), rbind(x, x * 2), rep(c("a", "b"), each = 400))
  scatter <- 2 * .01^2 / 399
  expect_within(diag(covariances_of(model)[[1]]), rep(scatter, 200), 1e-12)
  log_determinant <- 2 * sum(log(abs(diag(bank_of(model)$factor[[1]]))))
  expect_within(log_determinant, 200 * log(scatter), 1e-13)
  expect_within(log_determinant, -2901.2309216612202, 1e-12)
  p <- predict(model, x[c(1, 399), ], type = "prob")
  expect_true(all(is.finite(p)))
  likelihood <- predict(model, x[3, , drop = FALSE] * 0, type = "log_likelihood")
  expect_within(likelihood[, "a"], -100 * log(2 * pi) - log_determinant / 2, 1e-12)
})

test_that("a linear map of the features changes no posterior (G7)", {
  x <- as.matrix(iris[1:4])
  map <- matrix(c(2, .5, 0, 1, -1, 3, .25, 0, 0, 1, 1.5, -.5, .75, 0, 1, 2), 4)
  mapped <- sweep(x %*% map, 2, c(5, -3, 100, 0), "+")
  colnames(mapped) <- colnames(x)
  p <- predict(fit_xy(bayes_full(), x, iris$Species), x, type = "prob")
  q <- predict(fit_xy(bayes_full(), mapped, iris$Species), mapped, type = "prob")
  expect_within(q, p, 1e-9, scale = 1)
  moved <- x[, c(3, 1, 4, 2)]
  r <- predict(fit_xy(bayes_full(), moved, iris$Species), moved, type = "prob")
  expect_within(r, p, 1e-12, scale = 1)
})

test_that("exactly diagonal covariances: full is naive (G8)", {
  corners <- as.matrix(expand.grid(u = c(-1, 1), v = c(-2, 2), w = c(-1, 0, 1)))
  x <- rbind(corners, sweep(corners %*% diag(c(2, 1, 3)), 2, c(1, 2, 0.5), "+"))
  colnames(x) <- c("u", "v", "w")
  y <- rep(c("a", "b"), each = 12)
  at <- sweep(x, 2, c(.3, -.7, .1), "+")
  expect_same_predictions(fit_xy(bayes_naive(), x, y), fit_xy(bayes_full(), x, y), at, 1e-12)
})

test_that("columns on scales from 1e-8 to 1e4 (G9)", {
  x <- as.matrix(iris[1:4])
  scaled <- sweep(x, 2, c(1, 1e2, 1e4, 1e-8), "*")
  for (spec in list(bayes_full(), bayes_full(covariance = "pooled"), bayes_naive())) {
    first <- fit_xy(spec, x, iris$Species)
    second <- fit_xy(spec, scaled, iris$Species)
    expect_identical(predict(first, x), predict(second, scaled))
    p <- predict(first, x, type = "prob")
    expect_within(predict(second, scaled, type = "prob"), p, 1e-9, scale = 1)
  }
})

test_that("a variance hardly above the least double keeps what shrinkage adds to it", {
  x <- as.matrix(iris[1:3])
  scaled <- sweep(x, 2, c(2^-508, 1, 1), "*")
  for (spec in list(bayes_full(shrinkage = 0.01), bayes_full(covariance = "pooled"))) {
    p <- predict(fit_xy(spec, x, iris$Species), x, type = "prob")
    expect_within(predict(fit_xy(spec, scaled, iris$Species), scaled, type = "prob"), p, 1e-12)
  }
})

test_that("an ill-conditioned block at scale: QR keeps what Cholesky of the product loses", {
  # v = u + noise of 1e-7: condition about 1e7, so that the product has condition 1e14.
  n <- 3000
  u <- sin(1:n) + 100
  noise <- cos(3 * (1:n)) * 2^-23
  y <- rep(c("a", "b"), n / 2)
  model <- fit_xy(bayes_full(), data.frame(u, v = u + noise), y)
  exact <- fit_xy(bayes_full(), data.frame(u, v = noise), y)
  # The determinant does not change by v -> v - u, which doubles subtract exactly.
  log_determinant <- function(model) {
    vapply(bank_of(model)$factor, function(f) sum(log(abs(diag(f)))), 1)
  }
  stored <- fit_xy(bayes_full(), data.frame(u, v = (u + noise) - u), y)
  expect_within(log_determinant(model), log_determinant(stored), 1e-8)
  expect_within(log_determinant(exact), log_determinant(stored), 1e-6)
})

test_that("means and covariances are recovered from draws", {
  set.seed(11)
  n <- 2e4
  root <- matrix(c(1, 0, .5, .8), 2)
  x <- matrix(rnorm(2 * n), n) %*% root
  x[seq_len(n / 2), ] <- sweep(x[seq_len(n / 2), ], 2, c(1, -2), "+")
  colnames(x) <- c("u", "v")
  model <- fit_xy(bayes_full(), x, rep(c("a", "b"), each = n / 2))
  expect_equal(bank_of(model)$mean, rbind(c(1, -2), c(0, 0)), tolerance = .05)
  for (s in covariances_of(model)) expect_equal(s, crossprod(root), tolerance = .05)
})

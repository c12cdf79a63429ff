test_that("the evidence of one number is the integral over its prior", {
  withr::local_seed(1)
  x <- stats::rnorm(7, 3, 2)
  v <- mean((x - mean(x))^2)
  # The trapezoidal rule is exact here: the integrand is smooth and vanishes at both ends.
  grid <- expand.grid(m = seq(-18, 18, by = 0.05), t = seq(-9, 14, by = 0.05))
  variance <- v * exp(grid$t)
  mean <- mean(x) + grid$m * sqrt(variance)
  # Inverse gamma of shape 1 and rate v / 2, times the derivative of the variance by t.
  log_prior <- log(v / 2) - log(variance) - v / 2 / variance + stats::dnorm(grid$m, log = TRUE)
  log_likelihood <- rowSums(stats::dnorm(outer(mean, x, `-`), 0, sqrt(variance), log = TRUE))
  integral <- sum(exp(log_prior + log_likelihood)) * 0.05^2
  expect_equal(log_evidence_numbers(matrix(x)), log(integral), tolerance = 1e-8)
  found <- search_blocks(bayes_naive(), y ~ ., data.frame(y = "a", x = x))
  expect_equal(attr(found, "search")$start, log(integral), tolerance = 1e-8)
})

test_that("the evidence of two numbers is the integral over covariances", {
  skip_on_cran()
  withr::local_seed(2)
  x <- cbind(a = stats::rnorm(6), b = stats::rnorm(6))
  x[, 2] <- x[, 2] * 3 + x[, 1] * 2
  n <- nrow(x)
  scatter <- crossprod(sweep(x, 2, colMeans(x)))
  v <- diag(scatter) / n
  grid <- expand.grid(s = seq(-8, 12, by = 0.2), t = seq(-8, 12, by = 0.2),
                      z = seq(-9, 9, by = 0.1))
  s <- v[[1]] * exp(grid$s)
  t <- v[[2]] * exp(grid$t)
  r <- tanh(grid$z)
  log_det <- log(s) + log(t) + log1p(-r^2)
  trace <- function(m) {
    (m[1, 1] / s + m[2, 2] / t - 2 * r * m[1, 2] / sqrt(s * t)) / (1 - r^2)
  }
  # Inverse Wishart with 3 degrees of freedom; the area of covariance by s, t and z.
  log_prior <- 1.5 * sum(log(v)) - 3 * log(2) - log_gamma_p(1.5, 2) - 3 * log_det -
    trace(diag(v)) / 2
  log_area <- 1.5 * log(s) + 1.5 * log(t) + log1p(-r^2)
  log_likelihood <- -n * log(2 * pi) - n / 2 * log_det - trace(scatter) / 2 - log(1 + n)
  integral <- sum(exp(log_prior + log_area + log_likelihood)) * 0.2 * 0.2 * 0.1
  expect_equal(log_evidence_numbers(x), log(integral), tolerance = 1e-6)
  data <- data.frame(y = "a", x)
  start <- attr(search_blocks(bayes_full(), y ~ ., data, max_size = 2), "search")$start
  expect_equal(start, log(integral), tolerance = 1e-6)
})

test_that("the evidence of a table is the product of the predictions of its rows", {
  withr::local_seed(3)
  data <- data.frame(
    y = rep(c("a", "b"), 20), g = sample(c("u", "v", "w"), 40, TRUE),
    h = sample(c("p", "q"), 40, TRUE), stringsAsFactors = TRUE
  )
  urn <- function(cell, cells) {
    before <- vapply(seq_along(cell), function(i) sum(cell[seq_len(i - 1L)] == cell[[i]]), 1L)
    sum(log((before + 1 / cells) / seq_along(cell)))
  }
  expected <- sum(vapply(split(data, data$y), function(part) {
    urn(paste(part$g, part$h), 6)
  }, 1))
  start <- attr(search_blocks(bayes_full(), y ~ ., data), "search")$start
  expect_equal(start, expected, tolerance = 1e-12)
  expect_equal(start, log_evidence(data[-1], data$y), tolerance = 1e-12)
})

test_that("scores are those of the formulas, for classes, weights, and a pooled covariance", {
  start <- function(...) attr(search_blocks(bayes_full(...), Species ~ ., iris), "search")$start
  expect_equal(start(), log_evidence(iris[1:4], iris$Species), tolerance = 1e-12)
  # A weight is a number of copies.
  copies <- rep(1:3, 50)
  weighted <- search_blocks(bayes_full(), Species ~ ., iris, weights = copies)
  copied <- iris[rep(1:150, copies), ]
  expect_equal(
    attr(weighted, "search")$start, log_evidence(copied[1:4], copied$Species), tolerance = 1e-12
  )
  # One covariance of all classes, and a mean in each.
  centred <- as.matrix(do.call(rbind, lapply(split(iris[1:4], iris$Species), function(part) {
    scale(part, scale = FALSE)
  })))
  pooled <- log_evidence_numbers(centred) + 4 / 2 * log(1 + 150) - 3 * 4 / 2 * log(1 + 50)
  expect_equal(start(covariance = "pooled"), pooled, tolerance = 1e-12)
  expect_equal(start(shrinkage = 1), pooled, tolerance = 1e-12)
  expect_identical(start(identity = 0.5), start())
})

test_that("a gain in BIC is that of the fitted models", {
  score <- function(spec, formula, data) -stats::BIC(fit(spec, formula, data)) / 2
  gains <- function(found) sum(as.data.frame(found)$gain)
  for (spec in list(bayes_naive(variance = "ml"), bayes_blocks(list(
    c("Sepal.Length", "Sepal.Width")), variance = "ml", covariance = "pooled"))) {
    found <- search_blocks(spec, Species ~ ., iris, criterion = "bic")
    expect_equal(
      gains(found), score(found, Species ~ ., iris) - score(spec, Species ~ ., iris),
      tolerance = 1e-10
    )
  }
  titanic <- as.data.frame(Titanic)[rep(1:32, as.data.frame(Titanic)$Freq), -5]
  found <- search_blocks(bayes_naive(), Survived ~ ., titanic, criterion = "bic")
  expect_equal(
    gains(found), score(found, Survived ~ ., titanic) - score(bayes_naive(), Survived ~ ., titanic),
    tolerance = 1e-10
  )
  # A class with too few rows for a covariance says nothing.
  few <- rbind(iris[1:100, ], iris[101:103, ])
  found <- search_blocks(bayes_naive(), Species ~ ., few, criterion = "bic")
  expect_true(all(is.finite(as.data.frame(found)$gain)))
})

test_that("to split takes back what to merge gave", {
  withr::local_seed(4)
  data <- block_data(list(c("p", "q", "r")), 60)
  merged <- search_blocks(bayes_naive(), y ~ ., data)
  again <- search_blocks(merged, y ~ ., data)
  path <- as.data.frame(merged)
  expect_identical(nrow(as.data.frame(again)), 0L)
  expect_equal(attr(merged, "search")$start + cumsum(path$gain), path$score, tolerance = 1e-12)
  expect_equal(attr(again, "search")$start, path$score[[nrow(path)]], tolerance = 1e-12)
  noise <- data.frame(y = rep(c("a", "b"), 50), p = stats::rnorm(100), q = stats::rnorm(100))
  split <- as.data.frame(search_blocks(bayes_full(), y ~ ., noise))
  expect_identical(split$change, "split")
  gain <- log_evidence(noise["p"], noise$y) + log_evidence(noise["q"], noise$y) -
    log_evidence(noise[c("p", "q")], noise$y)
  expect_equal(split$gain, gain, tolerance = 1e-10)
})

test_that("the out-of-fold cost is that of cv_risk() on the same folds", {
  withr::local_seed(6)
  data <- data.frame(y = rep(c("a", "b"), 100), p = stats::rnorm(200), r = stats::rnorm(200))
  # Only the sign of a correlation tells the classes apart.
  data$q <- ifelse(data$y == "a", data$p, -data$p) + stats::rnorm(200) / 4
  folds <- rep(1:5, 40)
  cost <- cost_matrix(a = c(a = 0, b = 3), b = c(a = 1, b = 0))
  found <- search_blocks(bayes_naive(), y ~ ., data, cost, "cost", folds = folds)
  expect_identical(sorted_blocks(found), list(c("p", "q")))
  risks <- cv_risk(
    list(naive = bayes_naive(), found = bayes_blocks(list(c("p", "q")))), y ~ ., data, cost,
    folds = folds
  )
  path <- as.data.frame(found)
  expect_equal(path$gain[[1]], risks$cost[[1]] - risks$cost[[2]], tolerance = 1e-12)
  expect_equal(path$score[[1]], risks$cost[[2]], tolerance = 1e-12)
  # One case more is no gain.
  expect_identical(nrow(as.data.frame(search_blocks(
    bayes_naive(), Species ~ ., iris, criterion = "cost", folds = rep(1:5, 30)
  ))), 0L)
  # Without a class there is no model of a given prior.
  given <- bayes_naive(prior = c(0.2, 0.3, 0.5))
  expect_error(
    search_blocks(given, Species ~ ., iris, criterion = "cost", folds = Species),
    "No held-out case", class = "bayesrisk_error_data"
  )
})

test_that("missing rows are left out by kind, and counted", {
  data <- transform(iris, g = rep(c("u", "v"), 75), h = rep(c("p", "q", "q"), 50))
  data$Sepal.Length[1:10] <- NA
  data$g[5:24] <- NA
  found <- search_blocks(bayes_naive(), Species ~ ., data)
  expect_match(printed_text(found), "numeric feature is missing: 10 rows")
  expect_match(printed_text(found), "categorical feature is missing: 20 rows")
  expected <- sum(vapply(names(data)[c(1:4)], function(name) {
    log_evidence(data[-(1:10), name, drop = FALSE], data$Species[-(1:10)])
  }, 1)) + sum(vapply(c("g", "h"), function(name) {
    part <- data[-(5:24), name, drop = FALSE]
    part[[1]] <- factor(part[[1]], unique(stats::na.omit(data[[name]])))
    log_evidence(part, data$Species[-(5:24)])
  }, 1))
  expect_equal(attr(found, "search")$start, expected, tolerance = 1e-12)
  data$Sepal.Width <- rep(c(NA, 1), 75)
  data$Sepal.Length <- rep(c(1, NA), 75)
  expect_error(search_blocks(bayes_naive(), Species ~ ., data), class = "bayesrisk_error_data")
})

test_that("copies and constants are never merged into a singular block", {
  odd <- transform(
    iris, twice = 2 * Sepal.Length + 1, still = ifelse(Species == "setosa", 1, Petal.Width)
  )
  for (criterion in c("evidence", "bic")) {
    found <- search_blocks(bayes_naive(), Species ~ ., odd, criterion = criterion)
    expect_false(any(vapply(found$blocks, function(b) all(c("Sepal.Length", "twice") %in% b), NA)))
    expect_match(printed_text(found), "would be singular")
    expect_s3_class(suppressWarnings(fit(found, Species ~ ., odd)), "bayesrisk_model")
  }
  expect_error(
    search_blocks(bayes_full(), Species ~ ., odd), "singular", class = "bayesrisk_error_degenerate"
  )
  # Without borrowing, a covariance must exist in every class.
  small <- rbind(iris[1:100, ], iris[101:103, ])
  strict <- search_blocks(bayes_naive(degenerate = "stop"), Species ~ ., small)
  expect_true(all(lengths(strict$blocks) <= 2L))
  expect_s3_class(fit(strict, Species ~ ., small), "bayesrisk_model")
})

# The warning that features contradict the estimate.

test_that("it fires on a naive model of repeated features, and temper() mends the estimate", {
  case <- repeated_feature(noise = 0.2)
  model <- fit(bayes_naive(), y ~ ., case$train)
  expect_warning(found <- estimate_prior(model, case$new), "By X[1-5] alone",
                 class = "bayesrisk_warning_calibration")
  truth <- mean(case$new$y == "a")
  expect_gt(abs(found$prior[["a"]] - truth), 0.08)
  expect_lt(min(found$check$p_value), 1e-10)
  # A feature alone has the right density.
  expect_true(all(abs(found$check$prior_a - truth) < 0.06))
  set.seed(1)
  tempered <- temper(model, case$train, bias = TRUE)
  expect_silent(mended <- estimate_prior(tempered, case$new))
  expect_lt(abs(mended$prior[["a"]] - truth), 0.06)
  # So does a model of the dependence.
  expect_silent(estimate_prior(fit(bayes_full(), y ~ ., case$train), case$new))
})

test_that("it is silent for right models, known or estimated, under several seeds", {
  skip_on_cran()
  p <- vapply(1001:1040, function(seed) {
    case <- shifted(400L, seed = seed)
    withr::local_seed(seed)
    y <- sample(letters[1:3], 300L, TRUE)
    at <- match(y, letters)
    train <- data.frame(
      y = y, x = stats::rnorm(300L, 1.5 * at),
      g = ifelse(stats::runif(300L) < c(0.3, 0.6, 0.9)[at], "v", "u")
    )
    fitted <- fit(bayes_naive(), y ~ ., train)
    expect_silent(known <- estimate_prior(case$model, case$rows))
    expect_silent(learned <- estimate_prior(fitted, case$rows))
    c(known$check$p_value[[1L]], learned$check$p_value[[1L]])
  }, numeric(2))
  # The p-values of a known model are uniform. With estimated densities the variance is an upper
  # bound, and they are larger.
  expect_gt(stats::ks.test(p[1, ], "punif")$p.value, 0.01)
  expect_gt(mean(p[2, ]), 0.45)
})

test_that("the statistic is that of the formula", {
  case <- shifted(250L)
  withr::local_seed(4)
  y <- sample(letters[1:3], 90L, TRUE)
  at <- match(y, letters)
  g <- ifelse(stats::runif(90L) < c(0.3, 0.6, 0.9)[at], "v", "u")
  train <- data.frame(y = y, x = stats::rnorm(90L, 1.5 * at), g = g)
  model <- fit(bayes_naive(), y ~ ., train)
  found <- suppressWarnings(estimate_prior(model, case$rows))
  n <- 250
  cases <- as.vector(table(y))
  relative <- function(rows) exp(log_likelihood_rows(model, rows))
  slopes <- function(likelihood, first) {
    mixture <- drop(likelihood %*% found$prior)
    (likelihood[, -first] - likelihood[, first]) / mixture
  }
  first <- which.max(found$prior)
  together <- relative(case$rows)
  joint <- together * rep(found$prior, each = n)
  learned <- drop((joint / rowSums(joint)) %*% (found$prior / cases))
  t <- slopes(together, first)
  for (feature in c("x", "g")) {
    alone <- case$rows
    alone[[setdiff(c("x", "g"), feature)]] <- NA
    s <- slopes(relative(alone), first)
    u <- s - t %*% solve(crossprod(t), crossprod(t, s))
    variance <- crossprod(u * (1 / n + learned), u) / n
    # Two levels have slopes in one direction.
    axes <- eigen(variance, symmetric = TRUE)
    kept <- seq_len(if (feature == "x") 2L else 1L)
    along <- drop(crossprod(axes$vectors[, kept], colMeans(s)))
    row <- found$check[found$check$feature == feature, ]
    expect_equal(row$statistic, sum(along^2 / axes$values[kept]), tolerance = 1e-4)
    expect_identical(row$df, length(kept))
    own <- unlist(row[paste0("prior_", letters[1:3])], use.names = FALSE)
    expect_equal(sum(log(relative(alone) %*% own)),
                 sum(log(relative(alone) %*% estimate_prior(model, alone)$prior)))
  }
})

test_that("features of joint blocks are read alone", {
  model <- fit(bayes_full(laplace = 1), y ~ x1 + x2 + g + h, overlapping())
  new <- overlapping()[1:200, ]
  found <- suppressWarnings(estimate_prior(model, new))
  expect_identical(found$check$feature, c("x1", "x2", "g", "h"))
  for (feature in found$check$feature) {
    alone <- new
    alone[setdiff(c("x1", "x2", "g", "h"), feature)] <- NA
    row <- found$check[found$check$feature == feature, ]
    expect_equal(unlist(row[paste0("prior_", c("a", "b", "c"))], use.names = FALSE),
                 unname(suppressWarnings(estimate_prior(model, alone))$prior), tolerance = 1e-5)
  }
})

test_that("one feature, and few rows, have nothing to be compared with", {
  model <- fit(bayes_naive(), Species ~ Petal.Width, iris)
  expect_null(estimate_prior(model, iris)$check)
  naive <- fit(bayes_naive(), Species ~ ., iris)
  expect_null(estimate_prior(naive, iris[1:5, ])$check)
})

test_that("an estimate prints its rows, its test, its costs and its doubts", {
  case <- shifted()
  found <- estimate_prior(case$model, rbind(case$rows, NA), zero_one_cost(case$model))
  shown <- paste(format(found), collapse = " ")
  expect_match(shown, "300 rows")
  expect_match(shown, "1 without values")
  expect_match(shown, "95 % intervals")
  expect_match(shown, "2 degrees of freedom")
  expect_match(shown, "Cost per case")
  expect_no_match(shown, "contradicts")
  expect_snapshot(found)
  gains <- utility_matrix(a = c(a = 3, b = 0), b = c(a = 0, b = 2))
  gained <- estimate_prior(
    bayes_known(c(a = 0.5, b = 0.5), x = likelihood_gaussian(mean = c(a = 0, b = 2), sd = 1)),
    data.frame(x = c(0, 0.1, 2)), gains
  )
  said <- sprintf("Gain per case: %s if", format(-gained$cost_kept, digits = 3))
  expect_match(paste(format(gained, digits = 3), collapse = " "), said, fixed = TRUE)
  sure <- repeated_feature(noise = 0.2)
  doubtful <- suppressWarnings(estimate_prior(fit(bayes_naive(), y ~ ., sure$train), sure$new))
  expect_match(paste(format(doubtful), collapse = " "), "`X[1-5]` contradicts the model")
})

test_that("rows are classes", {
  case <- shifted()
  found <- estimate_prior(case$model, case$rows)
  rows <- as.data.frame(found)
  expect_identical(names(rows), c("class", "prior", "lower", "upper", "model"))
  expect_identical(rows$prior, unname(found$prior))
  expect_identical(tidy(found), rows)
  expect_identical(summary(found), found)
})

test_that("with clusters the features are silent for a right model, and find a wrong one", {
  skip_on_cran()
  # Ten copies of a row are one row.
  p <- vapply(1:60, function(seed) {
    case <- shifted(60L, seed = seed)
    copies <- case$rows[rep(1:60, each = 10), ]
    found <- quietly(estimate_prior(case$model, copies, cluster = rep(1:60, each = 10)))
    alone <- quietly(estimate_prior(case$model, copies))
    c(found$check$p_value[[1L]], alone$check$p_value[[1L]])
  }, numeric(2))
  expect_gt(stats::ks.test(p[1, ], "punif")$p.value, 0.01)
  expect_lt(stats::ks.test(p[2, ], "punif")$p.value, 1e-6)
  case <- repeated_feature()
  model <- fit(bayes_naive(), y ~ ., case$train)
  expect_warning(
    estimate_prior(model, case$new, cluster = rep_len(1:200, 2000)), "single features contradict",
    class = "bayesrisk_warning_calibration"
  )
  one <- quietly(estimate_prior(shifted()$model, shifted()$rows, cluster = rep(1, 300)))
  expect_identical(one$check$p_value, c(1, 1))
})

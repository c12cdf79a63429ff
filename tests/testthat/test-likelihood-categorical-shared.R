# laplace = "shared" against its definition.

shared_counts <- function(n) {
  p <- colSums(n) / sum(n)
  # Each row is predicted from the others.
  log_left_out <- function(log_m) {
    sum(vapply(which(n > 0), function(cell) {
      level <- col(n)[[cell]]
      class <- row(n)[[cell]]
      if (sum(n[, level]) == 1) return(0)
      rest <- n
      rest[[cell]] <- rest[[cell]] - 1
      share <- sum(rest[, level]) / sum(rest)
      n[[cell]] * log((rest[[cell]] + exp(log_m) * share) / (sum(rest[class, ]) + exp(log_m)))
    }, 1))
  }
  m <- exp(optimize(log_left_out, c(-4, 14), maximum = TRUE, tol = 1e-9)$maximum)
  (n + rep(m * p, each = nrow(n))) / (rowSums(n) + m)
}

many_levels <- function(rows = 2000, levels = 60) {
  withr::local_seed(6)
  y <- factor(sample(c("a", "b", "c"), rows, TRUE))
  share <- matrix(rgamma(3 * levels, 0.4), 3)
  data.frame(
    y, z = factor(vapply(as.integer(y), function(k) sample(levels, 1, prob = share[k, ]), 1)),
    same = factor(sample(8, rows, TRUE))
  )
}

test_that("the shares of all classes are added as often as predicts rows best", {
  data <- many_levels()
  model <- fit(bayes_naive(laplace = "shared"), y ~ z + same, data)
  expect_equal(coef(model)$z, shared_counts(unclass(table(data$y, data$z))), tolerance = 1e-4,
               ignore_attr = TRUE)
  p <- predict(model, data.frame(z = NA, same = data$same[1:20]), type = "prob")
  alike <- matrix(coef(model)$prior, 20, 3, byrow = TRUE)
  expect_lt(max(abs(p - alike)), 0.05)
})

test_that("a level that no row has counts as unknown", {
  data <- many_levels()
  data$z <- factor(data$z, c(levels(data$z), "new"))
  model <- fit(bayes_naive(laplace = "shared"), y ~ z + same, data)
  unseen <- data.frame(z = factor("new", levels(data$z)), same = data$same[1:5])
  unknown <- transform(unseen, z = factor(NA, levels(data$z)))
  expect_equal(
    predict(model, unseen, type = "prob"), predict(model, unknown, type = "prob"),
    tolerance = 1e-12
  )
  expect_equal(rowSums(coef(model)$z), c(a = 1, b = 1, c = 1))
  # A level of one class alone is possible in the others.
  expect_true(all(coef(model)$z[, colSums(table(data$y, data$z)) > 0] > 0))
})

test_that("counts decide: order of rows, names of classes, parts and weights do not matter", {
  data <- many_levels(600, 20)
  spec <- bayes_naive(laplace = "shared")
  model <- fit(spec, y ~ z + same, data)
  expect_equal(coef(fit(spec, y ~ z + same, data[rev(seq_len(nrow(data))), ])), coef(model))
  parts <- update(fit(spec, y ~ z + same, data[1:300, ]), data[301:600, ])
  expect_equal(coef(parts), coef(model))
  twice <- fit(spec, y ~ z + same, rbind(data, data))
  expect_equal(coef(fit(spec, y ~ z + same, data, weights = rep(2, 600))), coef(twice))
  renamed <- transform(data, y = factor(y, c("c", "a", "b")))
  expect_equal(
    predict(fit(spec, y ~ z + same, renamed), data[1:9, ], type = "prob")[, c("a", "b", "c")],
    predict(model, data[1:9, ], type = "prob"), tolerance = 1e-10
  )
})

test_that("cross-validation, draws, SQL, JSON and groups know it", {
  data <- transform(many_levels(600, 20), site = rep(1:3, 200))
  spec <- bayes_naive(laplace = "shared")
  model <- fit(spec, y ~ z + same, data)
  expect_s3_class(cv_risk(spec, y ~ z + same, data, folds = 5), "bayesrisk_cv")
  drawn <- simulate(model, 500, seed = 1)
  expect_identical(levels(drawn$z), levels(data$z))
  json <- withr::local_tempfile(fileext = ".json")
  write_model_json(model, json)
  expect_equal(read_model_json(json), model, tolerance = 0)
  models <- fit(spec, y ~ z + same, data, by = site)
  expect_equal(
    coef(models[["2"]]), coef(fit(spec, y ~ z + same, data[data$site == 2, ])), tolerance = 1e-12
  )
  pooled <- fit(spec, y ~ z + same, data, by = site, pool = TRUE)
  expect_false(anyNA(predict(pooled, data, type = "prob")))
})

test_that("it is for single features, and is described", {
  expect_snapshot(bayes_naive(laplace = "shared"))
  expect_error(likelihood_categorical(laplace = "all"), class = "bayesrisk_error_argument")
  expect_error(
    likelihood_categorical(laplace = "shared", m = 2), class = "bayesrisk_error_argument"
  )
  expect_snapshot(
    fit(bayes_full(laplace = "shared"), y ~ z + same, many_levels(100, 5)), error = TRUE
  )
})

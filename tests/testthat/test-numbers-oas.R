# `identity = "auto"`: oracle approximating shrinkage, in the form of scikit-learn.

# The covariance in plain R. `x`: the rows, about the means of their classes; `n`: their number.
oas <- function(x, divisor = nrow(x), n = nrow(x)) {
  s <- crossprod(x) / n
  p <- ncol(x)
  a <- mean(s^2)
  mu <- sum(diag(s)) / p
  excess <- a - mu^2 / p
  g <- if (excess > 0) min(1, (a + mu^2) / ((n + 1) * excess)) else 1
  list(covariance = ((1 - g) * s + g * mu * diag(p)) * n / divisor, weight = g)
}

centred <- function(x, y = rep("a", nrow(x))) x - apply(x, 2L, ave, y)

in_classes <- function(x, y) {
  lapply(split(seq_along(y), y), function(i) centred(x[i, , drop = FALSE]))
}

expect_oas <- function(model, expected) {
  block <- coef(model)$numeric
  covariance <- if (is.list(block$covariance)) block$covariance else list(block$covariance)
  expect_within(unname(block$identity), vapply(expected, `[[`, 1, "weight"), 1e-12)
  for (k in seq_along(expected)) {
    expect_within(
      unname(covariance[[k]]), expected[[k]]$covariance, 1e-12,
      scale = max(abs(expected[[k]]$covariance))
    )
  }
}

test_that("the covariances are those of scikit-learn", {
  stored <- read.csv(test_path("oracle", "oas.csv"))
  needs <- c(crabs = "MASS", Sonar = "mlbench", Khan = "ISLR2")
  for (name in unique(stored$data)) {
    if (name %in% names(needs) && !requireNamespace(needs[[name]], quietly = TRUE)) next
    data <- oas_data(name)
    own <- coef(fit_xy(bayes_full(variance = "ml", identity = "auto"), data$x, data$y))$numeric
    pooled <- bayes_full(variance = "ml", identity = "auto", covariance = "pooled")
    all <- coef(fit_xy(pooled, data$x, data$y))$numeric
    weights <- c(own$identity, all = all$identity)
    covariances <- c(own$covariance, list(all = all$covariance))
    for (i in which(stored$data == name)) {
      s <- covariances[[stored$class[[i]]]]
      found <- c(s[1, 1], s[1, 2], s[ncol(s), ncol(s)], sqrt(sum(s^2)))
      expected <- unlist(stored[i, c("first", "second", "last", "norm")])
      expect_within(weights[[stored$class[[i]]]], stored$shrinkage[[i]], 1e-12)
      expect_within(found, expected, 1e-12, scale = max(abs(expected[-4])))
    }
  }
})

test_that("the covariances are those of the formula, and keep the divisor of `variance`", {
  data <- oas_data("waves")
  rows <- in_classes(data$x, data$y)
  fitted <- function(...) fit_xy(bayes_full(identity = "auto", ...), data$x, data$y)
  expect_oas(fitted(variance = "ml"), lapply(rows, oas))
  expect_oas(fitted(), lapply(rows, function(x) oas(x, nrow(x) - 1)))
  all <- do.call(rbind, rows)
  expect_oas(fitted(covariance = "pooled"), list(oas(all, 60)))
  expect_oas(fitted(covariance = "pooled", variance = "ml"), list(oas(all, 63)))
  expect_identical(coef(fitted(shrinkage = 1)), coef(fitted(covariance = "pooled")))
  # Between them, the cases are between them, too.
  block <- coef(fitted(shrinkage = 0.5))$numeric
  for (k in 1:3) {
    s <- 0.5 * crossprod(rows[[k]]) / (nrow(rows[[k]]) - 1) + 0.5 * crossprod(all) / 60
    mu <- mean(diag(s))
    n <- (nrow(rows[[k]]) + 63) / 2
    g <- (mean(s^2) + mu^2) / ((n + 1) * (mean(s^2) - mu^2 / 200))
    expect_within(block$identity[[k]], g, 1e-12)
    s <- (1 - g) * s + g * mu * diag(200)
    expect_within(unname(block$covariance[[k]]), s, 1e-12, scale = max(s))
  }
})

test_that("weights, chunks, update, merge, groups and files give the same model", {
  skip_on_cran()
  x <- as.data.frame(oas_data("waves")$x[, 1:30])
  data <- cbind(y = oas_data("waves")$y, x)
  spec <- bayes_full(identity = "auto", variance = "ml")
  model <- fit(spec, y ~ ., data)
  expected <- lapply(in_classes(as.matrix(x), data$y), oas)
  expect_oas(model, expected)
  w <- rep(1:3, 21)
  copies <- rep(1:63, w)
  expect_oas(
    fit(spec, y ~ ., data, weights = w),
    lapply(in_classes(as.matrix(x)[copies, ], data$y[copies]), oas)
  )
  parts <- c(1, 0)[1 + seq_len(63) %% 2] == 1
  first <- suppressWarnings(fit(spec, y ~ ., data[parts, ]))
  expect_oas(update(first, data[!parts, ]), expected)
  expect_oas(merge(first, fit(spec, y ~ ., data[!parts, ])), expected)
  half <- fit(bayes_full(identity = 0.5), y ~ ., data)
  expect_oas(update(half, identity = "auto", variance = "ml"), expected)
  groups <- fit(spec, y ~ ., rbind(cbind(data, g = 1), cbind(data, g = 2)), by = g)
  expect_oas(groups[["2"]], expected)
  file <- withr::local_tempfile()
  saveRDS(model, file)
  expect_identical(predict(readRDS(file), data, type = "prob"), predict(model, data, type = "prob"))
  skip_if_not_installed("jsonlite")
  write_model_json(model, file)
  expect_identical(coef(read_model_json(file)), coef(model))
})

test_that("chunks and databases give the same model", {
  skip_on_cran()
  skip_if_not_installed("data.table")
  x <- as.data.frame(oas_data("waves")$x[, 1:12])
  data <- cbind(y = as.character(oas_data("waves")$y), x)
  spec <- bayes_full(identity = "auto", variance = "ml", covariance = "pooled")
  expected <- list(oas(do.call(rbind, in_classes(as.matrix(x), data$y))))
  file <- withr::local_tempfile(fileext = ".csv")
  data.table::fwrite(data, file)
  expect_oas(fit(spec, y ~ ., csv_chunks(file, rows = 10)), expected)
  for (package in c("RSQLite", "dbplyr")) skip_if_not_installed(package)
  con <- DBI::dbConnect(RSQLite::SQLite())
  withr::defer(DBI::dbDisconnect(con))
  DBI::dbWriteTable(con, "waves", data)
  expect_oas(fit(spec, y ~ ., dplyr::tbl(con, "waves")), expected)
})

test_that("the weight is shown, and a class that needs none of it is isotropic", {
  model <- fit(bayes_full(identity = "auto"), Species ~ ., iris)
  expect_output(print(model), "Estimated weight of the identity: \"setosa\" 0.08818, \"versic")
  expect_output(print(bayes_full(identity = "auto")), "an estimated weight (OAS)", fixed = TRUE)
  expect_output(print(summary(model)), "Estimated weight of the identity")
  pooled <- update(model, covariance = "pooled")
  expect_output(print(pooled), "Estimated weight of the identity: 0.03307.")
  # Two features, as far as possible from dependence: the excess of the mean square is 0.
  withr::local_options(bayesrisk.columns = FALSE)
  square <- data.frame(y = rep(c("a", "b"), each = 4), u = c(1, 1, -1, -1), v = c(1, -1))
  round <- fit(bayes_full(identity = "auto"), y ~ ., square)
  expect_identical(coef(round)$numeric$identity, c(a = 1, b = 1))
  expect_bayesrisk_error(confint(round), "argument", "auto")
  expect_bayesrisk_error(bayes_full(identity = "oas"), "argument", "auto")
})

test_that("too few rows are an error of few lines, whose first remedy is `identity`", {
  data <- cbind(y = oas_data("waves")$y, as.data.frame(oas_data("waves")$x))
  strict <- list(bayes_full(), bayes_full(covariance = "pooled"), bayes_full(degenerate = "stop"))
  for (spec in strict) {
    error <- expect_bayesrisk_error(fit(spec, y ~ ., data), "degenerate", "identity = \"auto\"")
    lines <- strsplit(conditionMessage(error), "\n")[[1]]
    expect_lte(length(lines), 8L)
    expect_match(grep("^(i|\u2139) ", lines, value = TRUE)[[1]], "identity = \"auto\"")
  }
  expect_false(anyNA(predict(fit(bayes_full(identity = "auto"), y ~ ., data), data)))
  # Features that depend on others, of enough rows.
  iris$sum <- iris[[1]] + iris[[2]]
  error <- expect_bayesrisk_error(
    fit(bayes_full(), Species ~ ., iris), "degenerate", "identity = \"auto\""
  )
  expect_match(conditionMessage(error), "sum = Sepal.Length \\+ Sepal.Width")
})

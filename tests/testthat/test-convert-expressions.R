# Expressions against predict(), in R and in SQLite.

skip_if_not_installed("tidypredict")
skip_if_not_installed("dplyr")

awkward <- function() {
  withr::local_seed(1)
  n <- 200
  data <- data.frame(
    y = sample(c("a", "b's", "c"), n, TRUE), g = sample(c("u", "v \"w\""), n, TRUE),
    f = sample(c(TRUE, FALSE), n, TRUE), x = stats::rnorm(n), z = stats::rexp(n),
    k = stats::rpois(n, 3)
  )
  data$`a b` <- 1e4 + data$x + stats::rnorm(n) + (data$y == "c")
  data$w <- data$x^2 + stats::rnorm(n)
  data$v <- data$w + stats::rnorm(n)
  data$z <- data$z + (data$y == "a")
  data
}

new_rows <- function(data) {
  new <- data[-1L]
  withr::with_seed(2, for (name in c("g", "f", "x", "a b", "w")) new[sample(200, 25), name] <- NA)
  new$z[1:3] <- c(NA, -1, 30)
  new$k[4:5] <- c(NA, 0.5)
  new$g[6] <- "new"
  new
}

expression_models <- function(data) {
  mixed <- list(z = likelihood_gamma(), k = likelihood_poisson())
  bins <- list(z = likelihood_histogram(breaks = c(0, 1, 2, 20), laplace = 1))
  blocks <- list(b = c("x", "a b"), t = c("g", "f"))
  list(
    naive = fit(bayes_naive(laplace = 1, features = mixed), y ~ ., data),
    raw = fit(bayes_naive(features = mixed, prior = "uniform"), y ~ g + f + z + k, data),
    blocks = fit(bayes_blocks(blocks, features = bins), y ~ x + `a b` + g + f + z, data),
    pooled = fit(bayes_full(covariance = "pooled"), y ~ x + w, data),
    tempered = temper(fit(bayes_naive(), y ~ g + x + w, data), data, by = "block", bias = TRUE,
                      folds = 2),
    terms = fit(bayes_naive(), y ~ log(z) + x, data),
    shut = bayes_known(c(a = 0, `b's` = 0.5, c = 0.5), g = rbind(
      a = c(u = 0.5, `v "w"` = 0.5), `b's` = c(0, 1), c = c(0.5, 0.5)
    ))
  )
}

expect_expressed <- function(answer, model, new, name, tolerance) {
  joint <- suppressWarnings(predict(model, new, type = "log_joint"))
  columns <- paste0(".log_joint_", colnames(joint))
  found <- as.matrix(answer[columns])
  found[found < -1e299] <- -Inf
  expect_identical(unname(is.finite(found)), unname(is.finite(joint)), info = name)
  possible <- is.finite(joint)
  expect_within(found[possible], joint[possible], tolerance, scale = pmax(1, abs(joint[possible])))
  class <- suppressWarnings(as.character(predict(model, new)))
  expect_identical(answer$.pred_class, class, info = name)
}

test_that("expressions are the log joints and the class, in R", {
  data <- awkward()
  models <- expression_models(data)
  for (name in names(models)) {
    new <- new_rows(data)
    if (name == "terms") new$z <- abs(new$z)
    answer <- dplyr::mutate(new, !!!tidypredict::tidypredict_fit(models[[name]]))
    expect_expressed(answer, models[[name]], new, name, 1e-13)
  }
})

test_that("expressions are the log joints and the class, in SQLite", {
  skip_on_cran()
  skip_if_not_installed("dbplyr")
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  data <- awkward()
  models <- expression_models(data)
  for (name in names(models)) {
    new <- new_rows(data)
    if (name == "terms") new$z <- abs(new$z)
    DBI::dbWriteTable(con, "rows", cbind(id = seq_len(nrow(new)), new), overwrite = TRUE)
    expressions <- tidypredict::tidypredict_fit(models[[name]])
    answer <- dplyr::collect(dplyr::mutate(dplyr::tbl(con, "rows"), !!!expressions))
    expect_expressed(answer[order(answer$id), ], models[[name]], new, name, 1e-13)
  }
  sql <- tidypredict::tidypredict_sql(models$pooled, con)
  expect_match(as.character(sql[[1L]]), "CASE")
})

test_that("every likelihood has expressions, with missing, unknown and far values", {
  skip_if_not_installed("dbplyr")
  skip_if_not_installed("RSQLite")
  con <- local_database("sqlite")
  new <- lazy_newdata()
  table <- put_table(con, new)
  models <- lazy_models()
  # With so many points its expression would be too long.
  models$kernel <- fit(
    bayes_naive(numeric = likelihood_kernel()), y ~ offset + f, lazy_training()[1:30, ]
  )
  for (name in names(models)) {
    expressions <- tidypredict::tidypredict_fit(models[[name]])
    expect_no_warning(answer <- dplyr::mutate(new, !!!expressions))
    expect_expressed(answer, models[[name]], new, name, 1e-12)
    # dbplyr does not know I().
    if (name == "functions") next
    answer <- dplyr::collect(dplyr::mutate(table, !!!expressions))
    expect_expressed(answer[order(answer$id), ], models[[name]], new, name, 1e-12)
  }
})

test_that("squares of numbers near 0 are no error of an engine that stops at an underflow", {
  con <- local_database("postgresql")
  model <- fit(bayes_full(), y ~ x + z, data.frame(
    y = c("a", "b"), x = c(-1, 1, 0.5, -0.25, 0, 2, 1, -3), z = c(0, 1, -2, 0.5, 1, 1, 3, -1)
  ))
  new <- data.frame(x = c(0, 1e-160, -1e-300, 1), z = c(1e-160, 1e-200, 0, NA), id = 1:4)
  for (model in list(model, normal_model())) {
    expressions <- tidypredict::tidypredict_fit(model)
    answer <- dplyr::collect(dplyr::mutate(put_table(con, new), !!!expressions))
    expect_expressed(answer[order(answer$id), ], model, new, "near 0", 1e-13)
  }
})

test_that("what has no expression is refused with the reason", {
  data <- awkward()
  refused <- function(model, pattern) {
    expect_error(
      tidypredict::tidypredict_fit(model), pattern, class = "bayesrisk_error_argument"
    )
  }
  kernels <- bayes_naive(numeric = likelihood_kernel())
  refused(fit(kernels, y ~ x, data), "too long a formula")
  more <- data.frame(y = data$y, x = c(data$x, data$w))
  refused(fit(kernels, y ~ x, more), "too many points")
  refused(valid_text()$model, "no formula")
  shift <- 3
  refused(fit(bayes_naive(), y ~ I(x + shift), data), "values")
  wide <- as.data.frame(matrix(rep_len(c("a", "b", "c"), 200), 20, 10))
  wide$y <- rep(c("a", "b"), 10)
  refused(fit(bayes_full(laplace = 1), y ~ ., wide), "combinations")
})

test_that("a class without rows is impossible in expressions", {
  d <- data.frame(
    y = factor(c("a", "b", "a", "b"), c("a", "b", "c")), f = c("u", "v", "u", "u"),
    x = c(1, 2, 4, 3)
  )
  histograms <- bayes_naive(laplace = 1, numeric = likelihood_histogram(2))
  for (spec in list(bayes_naive(laplace = 1), histograms)) {
    model <- suppressMessages(fit(spec, y ~ ., d))
    answer <- dplyr::mutate(d, !!!tidypredict::tidypredict_fit(model))
    expect_identical(answer$.pred_class, as.character(predict(model, d)))
  }
})

test_that("a large block is for complete rows", {
  data <- iris
  data$sum <- rowSums(iris[1:4]) + rep_len(c(1, 3, 2), 150)
  model <- fit(bayes_full(), Species ~ ., data)
  new <- data[c(1, 60, 120), -5]
  new[2, 1] <- NA
  answer <- dplyr::mutate(new, !!!tidypredict::tidypredict_fit(model))
  expect_identical(is.na(answer$.pred_class), c(FALSE, TRUE, FALSE))
  expect_within(
    as.matrix(answer[c(1, 3), paste0(".log_joint_", levels(iris$Species))]),
    predict(model, new[c(1, 3), ], type = "log_joint"), 1e-12
  )
})

# likelihood_gaussian(pooled = TRUE): one variance for all classes, diagonal discriminant analysis.

dlda <- bayes_naive(numeric = likelihood_gaussian(pooled = TRUE))

# The same in plain R. `new`: may miss values; `w`: weights.
dlda_posterior <- function(x, y, new, w = rep(1, nrow(x)), ml = FALSE) {
  x <- as.matrix(x)
  new <- as.matrix(new)
  y <- factor(y)
  total <- tapply(w, y, sum)
  means <- rowsum(x * w, y) / as.vector(total)
  away <- x - means[as.integer(y), ]
  variance <- colSums(w * away^2) / (sum(w) - if (ml) 0 else nlevels(y))
  score <- vapply(seq_len(nlevels(y)), function(k) {
    terms <- dnorm(t(new), means[k, ], sqrt(variance), log = TRUE)
    log(total[[k]] / sum(w)) + colSums(terms, na.rm = TRUE)
  }, numeric(nrow(new)))
  p <- exp(score - apply(score, 1L, max))
  p / rowSums(p)
}

expect_dlda <- function(model, new, expected) {
  expect_within(unname(predict(model, new, type = "prob")), expected, 1e-12, scale = 1)
}

x <- iris[1:4]
y <- iris$Species

test_that("posteriors are those of the formula, with weights, missing values and both divisors", {
  model <- fit(dlda, Species ~ ., iris)
  expect_dlda(model, iris, dlda_posterior(x, y, x))
  sd <- coef(model)$Petal.Width[, "sd"]
  s <- sapply(split(iris$Petal.Width, y), function(v) sum((v - mean(v))^2))
  expect_within(unname(sd), rep(sqrt(sum(s) / 147), 3), 1e-14)
  ml <- update(model, numeric = likelihood_gaussian("ml", pooled = TRUE))
  expect_dlda(ml, iris, dlda_posterior(x, y, x, ml = TRUE))
  w <- rep(c(1, 2, 0.5), 50)
  expect_dlda(fit(dlda, Species ~ ., iris, weights = w), iris, dlda_posterior(x, y, x, w))
  holes <- as.data.frame(replace(as.matrix(x), cbind(1:60, 1:4), NA))
  expect_dlda(model, cbind(holes, Species = y), dlda_posterior(x, y, holes))
  expect_identical(attr(logLik(model), "df"), 2 + 4 * (3 + 1))
})

test_that("a single feature is a pooled block of one, also of few cases", {
  for (spec in list(list(), list(prior = "uniform"))) {
    single <- do.call(bayes_naive, c(list(numeric = likelihood_gaussian(pooled = TRUE)), spec))
    block <- do.call(bayes_full, c(list(covariance = "pooled"), spec))
    few <- iris[c(1:3, 51:54, 101), c("Petal.Width", "Species")]
    one <- fit(single, Species ~ ., few)
    other <- fit(block, Species ~ ., few)
    for (estimate in c("plugin", "predictive")) {
      expect_within(
        predict(one, iris, type = "prob", estimate = estimate),
        predict(other, iris, type = "prob", estimate = estimate), 1e-12, scale = 1
      )
    }
    sds <- paste0(levels(y), ":Petal.Width:sd")
    variance <- vcov(one)[sds, sds]
    expect_true(all(abs(variance / variance[[1]] - 1) < 1e-12))
    draws <- as.data.frame(simulate_parameters(one, 3))
    drawn <- matrix(draws$estimate[draws$statistic == "sd"], 3)
    expect_identical(drawn[1, ], drawn[2, ])
    expect_identical(confint(one)$lower[7:9], rep(confint(one)$lower[[7]], 3))
  }
})

test_that("update, merge, groups, chunks, files and databases give the same model", {
  skip_on_cran()
  model <- fit(dlda, Species ~ ., iris)
  odd <- seq_len(150) %% 2 == 1
  expected <- dlda_posterior(x, y, x)
  first <- fit(dlda, Species ~ ., iris[odd, ])
  expect_dlda(update(first, iris[!odd, ]), iris, expected)
  expect_dlda(merge(first, fit(dlda, Species ~ ., iris[!odd, ])), iris, expected)
  groups <- fit(dlda, Species ~ ., rbind(cbind(iris, g = "a"), cbind(iris, g = "b")), by = g)
  expect_dlda(groups[["b"]], iris, expected)
  file <- withr::local_tempfile()
  if (requireNamespace("jsonlite", quietly = TRUE)) {
    write_model_json(model, file)
    expect_identical(coef(read_model_json(file)), coef(model))
  }
  skip_if_not_installed("data.table")
  data.table::fwrite(iris, file)
  expect_dlda(fit(dlda, Species ~ ., csv_chunks(file, rows = 40)), iris, expected)
  for (package in c("RSQLite", "dbplyr")) skip_if_not_installed(package)
  con <- DBI::dbConnect(RSQLite::SQLite())
  withr::defer(DBI::dbDisconnect(con))
  DBI::dbWriteTable(con, "flowers", transform(iris, Species = as.character(Species)))
  table <- dplyr::tbl(con, "flowers")
  in_database <- fit(dlda, Species ~ ., table)
  expect_dlda(in_database, iris, expected)
  scored <- as.data.frame(dplyr::collect(predict(in_database, table, type = "prob")))
  expect_within(as.matrix(scored[paste0(".pred_", levels(y))]), expected, 1e-9, scale = 1)
})

test_that("the rules are linear: one border between two classes, and a distance to it", {
  two <- droplevels(iris[51:150, c("Petal.Width", "Species")])
  model <- fit(dlda, Species ~ ., two)
  means <- tapply(two$Petal.Width, two$Species, mean)
  regions <- decision_regions(model, zero_one_cost(levels(two$Species)))
  borders <- unique(unlist(regions[c("from", "to")]))
  expect_within(borders[is.finite(borders)], mean(means), 1e-10)
  found <- as.data.frame(flip(model, two[1, ], cost = zero_one_cost(levels(two$Species))))
  expect_within(found$value, mean(means), 1e-10)
})

test_that("settings that contradict it are errors, and a class of one case is none", {
  expect_bayesrisk_error(likelihood_gaussian(pooled = TRUE, borrow = 1), "argument", "borrow")
  share <- list(pooled = TRUE, min_variance_share = 0.1)
  expect_bayesrisk_error(do.call(likelihood_gaussian, share), "argument", "min_variance_share")
  expect_bayesrisk_error(likelihood_gaussian(pooled = NA), "argument", "pooled")
  known <- list(mean = c(a = 0, b = 1), sd = 1, pooled = TRUE)
  expect_bayesrisk_error(do.call(likelihood_gaussian, known), "argument", "pooled")
  expect_bayesrisk_error(bayes_naive(variance = "pooled"), "argument", "pooled = TRUE")
  expect_bayesrisk_error(bayes_full(variance = "pooled"), "argument", "covariance = \"pooled\"")
  expect_output(print(dlda), "one pooled unbiased variance")
  one <- iris[c(1, 51:100), ]
  expect_silent(model <- fit(dlda, Species ~ ., droplevels(one)))
  expect_dlda(model, one, dlda_posterior(one[1:4], droplevels(one$Species), one[1:4]))
  strict <- update(dlda, degenerate = "stop")
  constant <- data.frame(y = rep(c("a", "b"), each = 3), x = rep(1:2, each = 3))
  withr::local_options(bayesrisk.columns = FALSE)
  expect_bayesrisk_error(fit(strict, y ~ x, constant), "degenerate", "constant")
  expect_bayesrisk_error(fit(dlda, y ~ x, constant), "degenerate", "differs between classes")
  # A class that misses the feature borrows its mean.
  holes <- transform(iris, Petal.Width = replace(Petal.Width, 1:50, NA))
  expect_warning(model <- fit(dlda, Species ~ ., holes), class = "bayesrisk_warning_degenerate")
  expect_within(coef(model)$Petal.Width[1, "mean"], mean(iris$Petal.Width[51:150]), 1e-14)
})

test_that("the terms of a bag can share their variances", {
  terms <- as.matrix(x)
  skip_if_not_installed("Matrix")
  sparse <- Matrix::Matrix(terms, sparse = TRUE)
  expect_dlda(fit(dlda, sparse, y), sparse, dlda_posterior(x, y, x))
})

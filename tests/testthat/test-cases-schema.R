# New data that look different and are the same, and what a fit says about its data.

test_that("S7: numbers and categories by name, whatever they are stored as", {
  flags <- c(TRUE, FALSE, TRUE, TRUE, NA, FALSE)
  data <- data.frame(
    y = c("a", "a", "a", "b", "b", "b"), n = c(1, 2, 4, 3, 7, 9), l = factor(flags), d = flags
  )
  model <- fit(bayes_naive(laplace = 1), y ~ ., data)
  expected <- posterior(model, data)
  forms <- list(
    transform(data, n = as.integer(n)), transform(data, l = flags), transform(data, d = factor(d)),
    transform(data, l = as.character(flags), d = factor(d, c("TRUE", "other", "FALSE")))
  )
  for (form in forms) {
    expect_silent(answer <- posterior(model, form))
    expect_identical(answer, expected)
  }
  for (form in forms[1:3]) {
    expect_identical(posterior(fit(bayes_naive(laplace = 1), y ~ ., form), data), expected)
  }
  expect_bayesrisk_error(predict(model, transform(data, l = 1)), "schema",
                         "l is numeric.*categorical")
  expect_bayesrisk_error(predict(model, transform(data, n = n > 3)), "schema",
                         "n is categorical.*numeric")
})

test_that("S8: an ordered factor goes by name, whatever the order of its levels", {
  sizes <- c("small", "large", "medium", "small", "large", "large")
  data <- data.frame(
    y = c("a", "a", "b", "b", "b", "a"),
    size = factor(sizes, c("small", "medium", "large"), ordered = TRUE)
  )
  model <- fit(bayes_naive(laplace = 1), y ~ size, data)
  for (levels in list(c("large", "medium", "small"), c("medium", "huge", "small", "large"))) {
    for (ordered in c(TRUE, FALSE)) {
      other <- data.frame(size = factor(sizes, levels, ordered = ordered))
      expect_silent(answer <- posterior(model, other))
      expect_identical(answer, posterior(model, data))
    }
  }
})

test_that("S13: one feature, one class and one row, alone and together, keep their shape", {
  data <- data.frame(y = c("a", "a", "b", "b"), x = c(1, 2, 4, 7), g = c("u", "v", "v", "v"))
  for (spec in list(bayes_naive(laplace = 1), bayes_full(laplace = 1))) {
    for (feature in c("x", "g")) {
      model <- fit(spec, stats::reformulate(feature, "y"), data)
      for (rows in list(1:4, 3L, integer())) {
        new <- data[rows, feature, drop = FALSE]
        expect_identical(dim(posterior(model, new)), c(length(rows), 2L))
        expect_identical(colnames(posterior(model, new)), c("a", "b"))
        expect_identical(levels(predict(model, new)), c("a", "b"))
        expect_length(predict(model, new), length(rows))
      }
      alone <- one_class(fit(spec, stats::reformulate(feature, "y"), data[1:2, ]))
      expect_identical(dim(posterior(alone, data[1, ])), c(1L, 1L))
    }
  }
})

test_that("S16: odd names, and the sign of a format in an error", {
  odd <- c("a b", "1x", "%s%n%d", "\u00e4 + \u00df", "class", ".")
  numbers <- as.data.frame(matrix(c(1, 2, 4, 3, 7, 9, 5, 5, 8), 9, 6) + outer(1:9, 1:6, "%%"))
  y <- rep(c("a", "b", "c"), 3)
  plain <- fit_xy(bayes_naive(), numbers, y)
  named <- stats::setNames(numbers, odd)
  model <- fit_xy(bayes_naive(), named, y)
  expect_identical(posterior(model, named[6:1]), posterior(plain, numbers))
  for (name in odd) {
    error <- rlang::catch_cnd(predict(model, named[odd != name]), "bayesrisk_error_schema")
    expect_match(conditionMessage(error), paste("no column", name), fixed = TRUE)
  }
})

test_that("T1: each feature has its own cases, which the summary counts", {
  data <- data.frame(
    y = c("a", "a", "a", "b", "b", "b"), x = c(1, NA, 3, 4, 5, 9),
    g = c("u", "v", NA, NA, "u", "v"), z = c(1, 2, 4, 3, NaN, 6), n = c(1L, NA, 2L, 3L, 4L, NA)
  )
  model <- fit(bayes_naive(laplace = 1), y ~ ., data)
  shown <- summary(model)$features
  expect_identical(shown$feature, c("x", "g", "z", "n"))
  expect_identical(as.numeric(shown$available), c(5, 4, 5, 4))
  expect_identical(as.numeric(shown$missing), c(1, 2, 1, 2))
  expect_within(bank_of(model)$mean, rbind(c(2, 7 / 3, 1.5), c(6, 4.5, 3.5)), 1e-15)
  expect_identical(nobs(model), 6)
})

features <- data.frame(x = c(1, 2, 4, 3, 7, 9, 8))
levels_of <- function(y) levels(predict(fit_xy(bayes_naive(), features, y), features))

test_that("the class may be of any categorical type, its labels come back (T3)", {
  codes <- c(2L, 2L, 1L, 1L, 2L, 1L, 2L)
  expect_identical(levels_of(c("no", "yes")[codes]), c("no", "yes"))
  expect_identical(levels_of(codes == 2L), c("FALSE", "TRUE"))
  expect_identical(levels_of(c(10L, 9L)[codes]), c("9", "10"))
  expect_identical(levels_of(c(1, -1)[codes]), c("-1", "1"))
  expect_identical(levels_of(c(1e15, 123456789)[codes]), c("123456789", "1000000000000000"))
  expect_identical(levels_of(c("b", "A")[codes]), c("A", "b"))
  expect_identical(levels_of(factor(codes, 2:1, c("z", "a"))), c("z", "a"))
  for (labels in list(c(" ", "  "), c("TRUE", "1"), c("%s", "{x}"))) {
    expect_setequal(levels_of(labels[codes]), labels)
  }
})

test_that("the type of the class changes nothing but the labels (T3)", {
  codes <- c(2L, 2L, 1L, 1L, 2L, 1L, 2L)
  reference <- unname(posterior(fit_xy(bayes_naive(), features, codes), features))
  types <- list(
    codes + 0, codes == 2L, c("a", "b")[codes], factor(codes), factor(codes, ordered = TRUE)
  )
  for (y in types) {
    expect_identical(unname(posterior(fit_xy(bayes_naive(), features, y), features)), reference)
  }
})

test_that("an ordered class stays ordered", {
  y <- factor(c("low", "low", "high", "high", "low", "high", "low"), c("low", "high"),
              ordered = TRUE)
  class <- predict(fit_xy(bayes_naive(), features, y), features)
  expect_identical(class(class), c("ordered", "factor"))
  expect_identical(levels(class), c("low", "high"))
})

test_that("levels in another order move the columns and nothing else (T7)", {
  y <- c("a", "c", "b", "a", "c", "b", "c")
  first <- posterior(fit_xy(bayes_naive(), features, factor(y, c("a", "b", "c"))), features)
  second <- posterior(fit_xy(bayes_naive(), features, factor(y, c("c", "a", "b"))), features)
  expect_equal(second[, colnames(first)], first, tolerance = 1e-12)
})

test_that("a class that is no category is an error that says what it is (T2, T3)", {
  wrong <- list(
    c(0.5, 1.2, 1, 1, 2, 2, 2), c(1, 2, Inf, 1, 2, 2, 2), as.Date("2020-01-01") + 1:7,
    as.list(1:7), 1:7 + 0i, iris[1:7, ], structure(1:7, class = "strange")
  )
  for (y in wrong) {
    expect_bayesrisk_error(fit_xy(bayes_naive(), features, y), "data", "class y|class .*y")
  }
  expect_bayesrisk_error(fit_xy(bayes_naive(), features, wrong[[1]]), "data", "not whole")
  expect_bayesrisk_error(fit_xy(bayes_naive(), features, wrong[[2]]), "data", "infinite in 1 row")
  large <- 2^53 + c(0, 2, 0, 2, 0, 2, 0)
  expect_bayesrisk_error(fit_xy(bayes_naive(), features, large), "data", "2\\^53 or more")
  expect_bayesrisk_error(fit_xy(bayes_naive(), features, NULL), "data", "NULL")
  expect_bayesrisk_error(fit_xy(bayes_naive(), features), "data", "y")
  expect_bayesrisk_error(fit_xy(bayes_naive(), features, 1:3), "data", "3 values for 7 rows")
  expect_bayesrisk_error(fit_xy(bayes_naive(), features, character()), "data",
                         "0 values for 7 rows")
})

test_that("a matrix of one column is a class, of two columns an error", {
  y <- c(1, 1, 2, 2, 1, 2, 1)
  expect_message(model <- fit_xy(bayes_naive(), features, matrix(y)),
                 class = "bayesrisk_message_class")
  expect_identical(posterior(model, features),
                   posterior(fit_xy(bayes_naive(), features, y), features))
  expect_bayesrisk_error(fit_xy(bayes_naive(), features, cbind(y, y)), "data", "7 x 2")
})

test_that("a missing class is an error that counts the rows, also where NA is a level (T1)", {
  y <- factor(c("a", "a", "b", NA, "a", "b", NA))
  for (missing in list(y, as.character(y), as.integer(y), y == "a", as.double(y), addNA(y))) {
    expect_bayesrisk_error(fit_xy(bayes_naive(), features, missing), "data", "y.*missing in 2 rows")
  }
  data <- cbind(features, outcome = y)
  expect_bayesrisk_error(fit(bayes_naive(), outcome ~ x, data), "data",
                         "outcome.*missing in 2 rows")
  expect_error(fit_xy(bayes_naive(), features, rep(NA, 7)), class = "bayesrisk_error_data")
})

test_that("a row that weighs nothing or is left out may miss its class", {
  data <- cbind(features, y = c("a", "a", "b", NA, "a", "b", "b"))
  expected <- fit(bayes_naive(), y ~ x, data[-4, ])$parameters
  expect_identical(fit(bayes_naive(), y ~ x, data, subset = -4)$parameters, expected)
  expect_identical(fit(bayes_naive(), y ~ x, data, subset = !is.na(y))$parameters, expected)
  expect_identical(fit(bayes_naive(), y ~ x, data, na.action = na.omit)$parameters, expected)
  weighted <- fit(bayes_naive(), y ~ x, data, weights = c(1, 1, 1, 0, 1, 1, 1))
  expect_equal(weighted$parameters, expected, tolerance = 1e-12)
})

test_that("a damaged factor as class is an error (R6)", {
  y <- structure(c(1L, 99L, 0L, -5L, 2L, 1L, 2L), levels = c("a", "b"), class = "factor")
  expect_bayesrisk_error(fit_xy(bayes_naive(), features, y), "data", "y.*damaged factor")
  y <- structure(c(1:2, 1:2, 2:1, 3L), levels = c("a", "a", "b"), class = "factor")
  expect_bayesrisk_error(fit_xy(bayes_naive(), features, y), "data", "y.*damaged factor")
})

test_that("classes that own one row each have no Gaussian, but a table (T6)", {
  strict <- bayes_naive(degenerate = "stop")
  expect_bayesrisk_error(fit_xy(strict, features, 1:7), "degenerate", "class \"1\".*class \"7\"")
  strict <- bayes_full(degenerate = "stop")
  expect_bayesrisk_error(fit_xy(strict, cbind(features, z = 7:1), 1:7), "degenerate",
                         "class \"1\"")
  expect_bayesrisk_error(fit_xy(bayes_naive(), features, 1:7), "degenerate", "no spread")
  tables <- fit_xy(bayes_naive(), data.frame(x = letters[1:7]), 1:7)
  expect_identical(unname(posterior(tables, data.frame(x = letters[1:7]))), diag(7))
})

test_that("a table of one column as the class shows how to give the column", {
  expect_bayesrisk_error(
    fit_xy(bayes_naive(), iris[1:4], iris["Species"]), "data", "table of one column.*y\\[\\[1\\]\\]"
  )
})

test_that("classes may be texts without a declared encoding", {
  skip_if_not(l10n_info()$`UTF-8`, "The letters are those of another encoding here.")
  marked <- data.frame(y = rep(c("N \u00e9", "b"), 20), x = sin(1:40) + 0:1)
  plain <- marked
  Encoding(plain$y) <- "unknown"
  model <- fit(bayes_naive(), y ~ x, plain)
  expect_identical(model$schema$classes$levels, c("N \u00e9", "b"))
  expect_identical(assess_decisions(model, plain), assess_decisions(model, marked))
})

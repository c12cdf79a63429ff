cases_of <- function(formulas, weights = NULL, subset = NULL) {
  quo <- function(x) if (is.null(x)) rlang::quo() else rlang::new_quosure(x, baseenv())
  read_cases(mixed(), list(
    several = formulas, weights = quo(weights), subset = quo(subset), na_action = "na.pass",
    threads = 1L
  ), NULL)
}

test_that("cases are the rows that count, with their class", {
  cases <- cases_of(list(y ~ x + g), subset = quote(x > 2), weights = quote(z + 100))
  expect_identical(is.na(cases$group), !(mixed()$x > 2))
  expect_identical(cases$weights, mixed()$z + 100)
  expect_identical(cases$read, as.double(sum(mixed()$x > 2)))
  expect_named(cases$schema$features, c("x", "g"))
  expect_identical(cases$schema$formula, y ~ x + g, ignore_formula_env = TRUE)
  expect_identical(names(cases_of(list(y ~ 1))$schema$features), character())
})

test_that("several formulas of one class are read together, each feature once", {
  cases <- cases_of(list(a = y ~ x + g, b = y ~ log(x) + x))
  expect_named(cases$schema$features, c("x", "g", "log(x)"))
  expect_identical(cases$features, list(a = c("x", "g"), b = c("log(x)", "x")))
  expect_bayesrisk_error(cases_of(list(y ~ x, g ~ x)), "argument", "different classes")
})

test_that("na.action, weights and subset mean the same in a fit and in cross-validation", {
  data <- transform(iris, Sepal.Width = replace(Sepal.Width, c(3, 60), NA))
  folds <- rep_len(1:5, 150)
  whole <- cv_predict(
    bayes_full(), Species ~ ., data, folds = folds, na.action = na.omit, subset = Sepal.Length < 7
  )
  used <- !is.na(data$Sepal.Width) & data$Sepal.Length < 7
  part <- cv_predict(bayes_full(), Species ~ ., data[used, ], folds = folds[used])
  expect_equal(whole[used, ], part, tolerance = 1e-12, ignore_attr = TRUE)
  expect_true(all(is.na(whole[!used, ])))
  expect_bayesrisk_error(
    cv_risk(bayes_full(), Species ~ ., data, na.action = na.fail), "data", "2 rows"
  )
})

test_that("the probabilities of a joint table are the weights", {
  joint <- joint_table(prop.table(table(play_tennis[c("play", "wind")])))
  fitted <- fit(bayes_naive(), play ~ wind, joint)
  collected <- bayes_statistics(bayes_naive(), play ~ wind, joint)
  expect_equal(nobs(collected), 1, tolerance = 1e-15)
  expect_identical(fit(bayes_naive(), collected)$parameters, fitted$parameters)
  expect_bayesrisk_error(
    fit(bayes_naive(), play ~ wind, joint, weights = 1), "argument", "leave.*weights"
  )
})

test_that("a level of a text column that only rows of weight 0 have is named", {
  data <- data.frame(y = c("a", "b", "a", "b", "c"), g = c("u", "v", "u", "w", "z"), x = 1:5)
  spec <- bayes_naive(laplace = 1)
  expect_message(
    model <- fit(spec, y ~ g, data[1:4, ], weights = c(1, 1, 1, 0)), "g loses level \"w\"",
    class = "bayesrisk_message_weightless_level"
  )
  expect_identical(colnames(coef(model)$g), c("u", "v"))
  expect_message(
    expect_message(fit(spec, y ~ g, data, weights = c(1, 1, 1, 1, 0)), "g loses level \"z\""),
    "y loses level \"c\""
  )
  # A subset says itself which rows count, and a factor keeps its levels.
  expect_no_message(fit(spec, y ~ g, data, weights = c(1, 1, 1, 1, 0), subset = x < 5))
  factors <- transform(data, y = factor(y), g = factor(g))[1:4, ]
  factors$y <- droplevels(factors$y)
  expect_no_message(fit(spec, y ~ g, factors, weights = c(1, 1, 1, 0)))
})

data <- data.frame(
  y = c("a", "a", "a", "b", "b", "b", "b"), u = c(1, 2, 4, 3, 7, 9, 8),
  g = c("k", "l", "l", "k", "l", "m", "k"), n = c(1, 2, 0, 3, 1, 0, 2)
)
smooth <- bayes_naive(laplace = 1)

test_that("a weight of w is w copies of the row, a weight of 0 is no row", {
  copies <- data[rep(1:7, data$n), ]
  weighted <- fit(smooth, y ~ u + factor(g, c("k", "l", "m")), data, weights = n)
  expanded <- fit(smooth, y ~ u + factor(g, c("k", "l", "m")), copies)
  expect_equal(weighted$parameters, expanded$parameters, tolerance = 1e-13)
})

test_that("weights of 1 are no weights; 1, 2, 1 on 1, 2, 4 is 1, 2, 2, 4", {
  expect_equal(fit(smooth, y ~ u + g, data, weights = rep(1, 7))$parameters,
               fit(smooth, y ~ u + g, data)$parameters, tolerance = 1e-14)
  single <- data.frame(y = "a", u = c(1, 2, 4), n = c(1, 2, 1))
  bank <- bank_of(one_class(fit(bayes_naive(), y ~ u, single, weights = n)))
  expect_equal(c(bank$mean, bank$sd^2), c(9 / 4, 19 / 12), tolerance = 1e-15)
  bank <- bank_of(one_class(fit(bayes_naive(variance = "ml"), y ~ u, single, weights = n)))
  expect_equal(bank$sd[1]^2, 19 / 16, tolerance = 1e-15)
})

test_that("weights too small for an unbiased variance name the way out", {
  strict <- bayes_naive(degenerate = "stop")
  expect_bayesrisk_error(fit(strict, y ~ u, data, weights = rep(0.1, 7)), "degenerate",
                         "variance = \"ml\"")
})

test_that("weights that are none are errors that say why", {
  skip_on_cran()
  wrong <- list(1:3, rep(-1, 7), c(NA, rep(1, 6)), c(Inf, rep(1, 6)), rep("1", 7), rep(TRUE, 7),
                matrix(1, 7, 2), as.list(rep(1, 7)), as.Date(1:7, "1970-01-01"))
  for (w in wrong) {
    expect_bayesrisk_error(fit(bayes_naive(), y ~ u, data, weights = w), "argument", "weights")
    expect_bayesrisk_error(fit_xy(bayes_naive(), data["u"], data$y, weights = w), "argument",
                           "weights")
  }
  expect_bayesrisk_error(fit(bayes_naive(), y ~ u, data, weights = nowhere), "argument",
                         "weights.*nowhere")
})

test_that("weights may be columns, variables, or computed from both", {
  twice <- rep(2, 7)
  expected <- fit(smooth, y ~ u + g, data, weights = 2 * c(1, 2, 0, 3, 1, 0, 2))$parameters
  expect_identical(fit(smooth, y ~ u + g, data, weights = twice * n)$parameters, expected)
  wrapper <- function(w) fit(smooth, y ~ u + g, data, weights = {{ w }})
  expect_identical(wrapper(n * 2)$parameters, expected)
})

test_that("a subset is the same as its rows alone, also for what its columns hold", {
  rows <- c(1, 2, 3, 4, 5, 7)
  alone <- fit(smooth, y ~ u + g, data[rows, ])
  ways <- list(
    fit(smooth, y ~ u + g, data, subset = rows), fit(smooth, y ~ u + g, data, subset = -6),
    fit(smooth, y ~ u + g, data, subset = g != "m"),
    fit(smooth, y ~ u + g, data, subset = c(TRUE, TRUE, TRUE, TRUE, TRUE, NA, TRUE))
  )
  for (way in ways) {
    expect_identical(way$schema$features, alone$schema$features)
    expect_identical(way$parameters, alone$parameters)
  }
})

test_that("a class outside the subset is no class, unless a factor declares it", {
  data$y <- c("a", "a", "c", "b", "b", "b", "b")
  expect_silent(model <- fit(smooth, y ~ g, data, subset = -3))
  expect_identical(model$schema$classes$levels, c("a", "b"))
  data$y <- factor(data$y)
  expect_message(model <- fit(smooth, y ~ g, data, subset = -3), "\"c\"")
  expect_identical(model$schema$classes$levels, c("a", "b", "c"))
})

test_that("a subset that is none is an error", {
  for (rows in list(8, 0.5, c(-1, 1), "a", TRUE, c(TRUE, FALSE), list(1), c(1, NA), NaN, Inf)) {
    expect_bayesrisk_error(fit(bayes_naive(), y ~ u, data, subset = rows), "argument", "subset")
  }
  expect_bayesrisk_error(fit(bayes_naive(), y ~ u, data, subset = c(1, 1, 2)), "argument", "twice")
  expect_bayesrisk_error(fit(bayes_naive(), y ~ u, data, subset = integer()), "data", "no row")
  expect_bayesrisk_error(fit(bayes_naive(), y ~ u, data, subset = u > 100), "data", "no row")
  expect_bayesrisk_error(fit(bayes_naive(), data["u"], data$y, subset = 1:3), "argument", "subset")
})

test_that("na.action leaves out, keeps, or stops", {
  gaps <- transform(data, u = replace(u, 2, NA), g = replace(g, 6, NA))
  complete <- fit(smooth, y ~ u + g, gaps[c(1, 3, 4, 5, 7), ])
  for (action in list(na.omit, "na.omit", na.exclude, "na.exclude")) {
    expect_identical(fit(smooth, y ~ u + g, gaps, na.action = action)$parameters,
                     complete$parameters)
  }
  kept <- fit(smooth, y ~ u + g, gaps)
  expect_equal(kept$parameters$prior, c(3, 4) / 7, tolerance = 1e-15)
  expect_identical(kept$parameters$banks[[1]]$mean[1], 2.5)
  expect_bayesrisk_error(fit(smooth, y ~ u + g, gaps, na.action = na.fail), "data", "2 rows")
  expect_identical(fit(smooth, y ~ u, data, na.action = na.fail)$parameters,
                   fit(smooth, y ~ u, data)$parameters)
  expect_bayesrisk_error(fit(smooth, y ~ u, data, na.action = mean), "argument", "na.action")
  expect_bayesrisk_error(fit(smooth, y ~ u, transform(data, u = NA_real_), na.action = na.omit),
                         "data", "no row")
})

test_that("the order of the rows does not matter", {
  order <- c(5, 2, 7, 1, 4, 6, 3)
  shuffled <- fit(smooth, y ~ u + g, data[order, ])
  model <- fit(smooth, y ~ u + g, data)
  expect_identical(shuffled$parameters$banks[[2]], model$parameters$banks[[2]])
  expect_equal(posterior(shuffled, data), posterior(model, data), tolerance = 1e-12)
})

test_that("weights whose sum no double holds are refused", {
  data <- mixed()
  expect_bayesrisk_error(
    fit(bayes_naive(), y ~ x, data, weights = rep(1e308, nrow(data))), "argument", "is infinite"
  )
})

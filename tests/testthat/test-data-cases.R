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

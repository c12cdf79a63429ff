cases_of <- function(formulas, weights = NULL, subset = NULL) {
  quo <- function(x) if (is.null(x)) rlang::quo() else rlang::new_quosure(x, baseenv())
  formula_cases(formulas, mixed(), quo(weights), quo(subset), "na.pass", 1L, NULL)
}

test_that("cases are the rows that count, with their class", {
  cases <- cases_of(list(y ~ x + g), subset = quote(x > 2), weights = quote(z + 100))
  expect_identical(is.na(cases$group), !(mixed()$x > 2))
  expect_identical(cases$weights, mixed()$z + 100)
  expect_identical(cases$read, sum(mixed()$x > 2))
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

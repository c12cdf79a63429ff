data <- data.frame(
  y = c("a", "a", "a", "b", "b", "b", "b"), u = c(1, 2, 4, 3, 7, 9, 8),
  v = c(2.5, 1, 0.5, 4, 3, 3, 5), `1 w` = c("k", "l", "l", "k", "l", "k", "k"), check.names = FALSE
)
features_of <- function(formula, ...) names(fit(bayes_naive(), formula, data, ...)$schema$features)

test_that("a formula names the features", {
  expect_identical(features_of(y ~ .), c("u", "v", "1 w"))
  expect_identical(features_of(y ~ . - v), c("u", "1 w"))
  expect_identical(features_of(y ~ . - (u + v)), "1 w")
  expect_identical(features_of(y ~ v + u + v), c("v", "u"))
  expect_identical(features_of(y ~ (u + v) - u), "v")
  expect_identical(features_of(y ~ `1 w` + log(u)), c("1 w", "log(u)"))
  expect_identical(features_of(y ~ u + 1), "u")
  expect_identical(features_of(y ~ u - 1), "u")
  expect_identical(features_of(y ~ y + u), "u")
  expect_identical(features_of(factor(y) ~ .), c("u", "v", "1 w"))
  expect_identical(features_of(y ~ 1), character())
})

test_that("formula, transformed columns and x/y give the same answers (S21)", {
  by_formula <- fit(bayes_naive(), y ~ ., data)
  by_table <- fit_xy(bayes_naive(), data[-1], data$y)
  expect_identical(by_formula$parameters, by_table$parameters)
  forwarded <- fit(bayes_naive(), data[-1], data$y)
  expect_identical(forwarded, by_table)
  logged <- fit(bayes_naive(), y ~ log(u) + v, data)
  before <- fit(bayes_naive(), y ~ l + v, transform(data, l = log(u)))
  expect_identical(logged$parameters, before$parameters)
  expect_identical(posterior(logged, data), posterior(before, transform(data, l = log(u))))
})

test_that("y ~ 1 predicts the prior alone (S21)", {
  model <- fit(bayes_naive(), y ~ 1, data)
  expect_equal(unname(posterior(model, data[1:2, ])), matrix(c(3, 3, 4, 4) / 7, 2),
               tolerance = 1e-15)
  expect_equal(unname(posterior(model, data.frame(any = 1))), matrix(c(3, 4) / 7, 1),
               tolerance = 1e-15)
})

test_that("terms that are no features are errors that show the term (S21)", {
  skip_on_cran()
  wrong <- list(
    `u:v` = y ~ u:v, `u * v` = y ~ u * v, `(u + v)^2` = y ~ (u + v)^2, offset = y ~ u + offset(v),
    `u/v` = y ~ u / v, `u | v` = y ~ u | v, `2` = y ~ 2, `0` = y ~ 0 + u, `\"u\"` = y ~ "u"
  )
  for (term in names(wrong)) {
    error <- rlang::catch_cnd(fit(bayes_naive(), wrong[[term]], data), "bayesrisk_error_argument")
    expect_match(conditionMessage(error), term, fixed = TRUE)
  }
})

test_that("the class stands on the left side, alone (S21)", {
  expect_bayesrisk_error(fit(bayes_naive(), ~u, data), "argument", "left side")
  expect_bayesrisk_error(fit(bayes_naive(), NULL, data), "argument", "left side")
  expect_bayesrisk_error(fit(bayes_naive(), cbind(y, u) ~ v, data), "argument",
                         "one class.*cbind\\(y, u\\)")
  expect_error(fit(bayes_naive(), nowhere ~ u, data), "nowhere", class = "bayesrisk_error_data")
  expect_error(fit(bayes_naive(), stop("no") ~ u, data), "stop", class = "bayesrisk_error")
  expect_error(fit(bayes_naive(), "y ~ u", data), "vector|formula", class = "bayesrisk_error")
})

test_that("columns are looked for in the data alone", {
  nowhere <- 1:7
  expect_bayesrisk_error(fit(bayes_naive(), y ~ u + nowhere, data), "data", "no column.*nowhere")
  expect_bayesrisk_error(fit(bayes_naive(), y ~ log(nowhere), data), "data", "no column.*nowhere")
  expect_bayesrisk_error(fit(bayes_naive(), y ~ u), "argument", "data.*missing")
})

test_that("a term that cannot be computed is an error that shows it", {
  expect_bayesrisk_error(fit(bayes_naive(), y ~ log(y), data), "data",
                         "log\\(y\\).*cannot be computed")
  expect_bayesrisk_error(fit(bayes_naive(), y ~ mean(u), data), "data",
                         "mean\\(u\\).*1 value for 7 rows")
  expect_bayesrisk_error(fit(bayes_naive(), y ~ nosuch(u), data), "data", "nosuch")
})

test_that("a column named like a constant of R is asked for at prediction", {
  for (name in c("pi", "T")) {
    named <- stats::setNames(data[c("y", "u")], c("y", name))
    model <- fit(bayes_naive(), stats::as.formula(sprintf("y ~ log(%s)", name)), named)
    expect_bayesrisk_error(predict(model, data.frame(other = 1)), "schema",
                           paste0("no column.*", name))
    expect_identical(nrow(posterior(model, named)), 7L)
  }
})

test_that("a column used as weights is left out of the dot", {
  data$n <- c(1, 2, 1, 3, 1, 1, 2)
  model <- fit(bayes_naive(), y ~ ., data, weights = n)
  expect_identical(names(model$schema$features), c("u", "v", "1 w"))
  model <- fit(bayes_naive(), y ~ ., data, weights = .data$n / 2)
  expect_identical(names(model$schema$features), c("u", "v", "1 w"))
  expect_identical(names(fit(bayes_naive(), y ~ . + n, data, weights = n)$schema$features)[4], "n")
})

test_that("odd names of columns work in every role (S16)", {
  skip_in_c_locale()
  odd <- c("a b", "1x", "%s%n%d", "\u00e4 + \u00df", "class", ".", "{x}", "TRUE", "if", "y ")
  for (name in odd) {
    renamed <- stats::setNames(data[c("y", "u", "v")], c("y", name, "v"))
    model <- fit(bayes_naive(), y ~ ., renamed)
    expect_identical(names(model$schema$features), c(name, "v"))
    expect_identical(posterior(model, renamed),
                     posterior(fit(bayes_naive(), y ~ u + v, data), data))
    one <- stats::as.formula(call("~", as.name(name), quote(v)))
    swapped <- stats::setNames(data[c("y", "u", "v")], c(name, "u", "v"))
    expect_identical(fit(bayes_naive(), one, swapped)$parameters,
                     fit(bayes_naive(), y ~ v, data)$parameters)
  }
})

test_that("a formula keeps nothing of where it was written", {
  local_fit <- function() {
    ballast <- stats::rnorm(1e5)
    fit(bayes_naive(), y ~ log(u) + v, data)
  }
  withr::with_preserve_seed(model <- local_fit())
  expect_null(attr(model$schema$formula, ".Environment"))
  expect_lt(length(serialize(model, NULL)), 2e4)
})

test_that("a sum of thousands of terms is read, added or taken away", {
  skip_on_cran()
  wide <- as.data.frame(matrix(c(1, 2, 4, 3, 5, 9), 6, 3000))
  wide$y <- rep(c("a", "b"), each = 3)
  names <- paste0("V", 1:3000)
  all <- fit(bayes_naive(), stats::reformulate(names, "y"), wide)
  expect_named(all$schema$features, names)
  fewer <- stats::as.formula(paste("y ~ .", paste("-", names[1:2900], collapse = " ")))
  expect_named(fit(bayes_naive(), fewer, wide)$schema$features, names[2901:3000])
})

test_that("what is taken away must be there", {
  expect_bayesrisk_error(
    fit(bayes_naive(), Species ~ . - Petal.Lenght, iris), "data", "Petal.Lenght.*Petal.Length"
  )
  kept <- fit(bayes_naive(), Species ~ . - (Petal.Length + Petal.Width), iris)
  expect_named(kept$schema$features, c("Sepal.Length", "Sepal.Width"))
})

test_that("a feature that is taken away first is none", {
  model <- fit(bayes_naive(), y ~ -x + z, mixed())
  expect_identical(names(model$schema$features), "z")
})

# Models made again from their own coefficients.

test_that("the coefficients of a model are the model", {
  data <- valid_data()
  models <- c(valid_models()[c("full", "pooled", "blocks", "mixtures", "points", "known")], list(
    counts = fit(bayes_naive(numeric = likelihood_negative_binomial()), y ~ n, data),
    gamma = fit(bayes_naive(numeric = likelihood_gamma()), y ~ exp, cbind(data, exp = exp(data$x))),
    normals = fit(bayes_naive(numeric = likelihood_mixture(1:2, starts = 2)), y ~ x, data)
  ))
  data$exp <- exp(data$x)
  for (name in names(models)) {
    again <- do.call(bayes_known, coef(models[[name]]))
    expect_within(
      predict(again, data, type = "log_joint"), predict(models[[name]], data, type = "log_joint"),
      1e-13, scale = 1
    )
    expect_setequal(names(again$schema$features), names(models[[name]]$schema$features))
  }
})

test_that("single elements, and other names of classes", {
  model <- fit(bayes_naive(), Species ~ Petal.Length + Petal.Width, iris)
  again <- bayes_known(coef(model)$prior, width = coef(model)$Petal.Width)
  expect_within(
    predict(again, data.frame(width = 1.5), type = "log_likelihood"),
    stats::dnorm(1.5, coef(model)$Petal.Width[, "mean"], coef(model)$Petal.Width[, "sd"], TRUE),
    1e-14
  )
  expect_error(
    bayes_known(c(a = 0.5, b = 0.5), width = coef(model)$Petal.Width),
    "setosa", class = "bayesrisk_error_argument"
  )
})

test_that("what coefficients do not determine is refused", {
  refused <- function(model, pattern) {
    expect_error(
      do.call(bayes_known, coef(model)), pattern, class = "bayesrisk_error_argument"
    )
  }
  refused(valid_models()$cells, "write_model_json")
  words <- valid_text()$data$words
  y <- valid_data()$y
  refused(fit(bayes_text("complement"), words, y), "terms")
  numbers <- bayes_naive(features = list(words = likelihood_gaussian()))
  refused(fit_xy(numbers, list(words = words), y), "terms")
  data <- valid_data()
  refused(temper(fit(bayes_naive(), y ~ x, data), data, folds = 2), "exponents")
  wrong <- list(
    data.frame(a = 1), data.frame(class = "a", value = 1), list(a = 1), list(mean = 1, sd = 1),
    matrix(1, 2, 2, dimnames = list(class = c("a", "b"), statistic = c("u", "v"))),
    array(0.5, c(2, 2), list(class = c("a", "b"), statistic = c("mean", "sd")))[, 1]
  )
  for (part in wrong) {
    expect_error(
      bayes_known(c(a = 0.5, b = 0.5), x = part), class = "bayesrisk_error_argument"
    )
  }
})

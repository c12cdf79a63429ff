test_that("a missing feature leaves the rest of its row; the class counts all rows", {
  holes <- iris
  holes$Sepal.Width[c(1:20, 60)] <- NA
  holes$Petal.Width[c(15:30, 130)] <- NaN
  naive <- fit(bayes_naive(), Species ~ ., holes)
  expect_identical(naive$parameters$prior, rep(1, 3) / 3)
  by_class <- split(holes[1:4], holes$Species)
  mean_of <- function(f) t(vapply(by_class, function(x) vapply(x, f, 1, na.rm = TRUE), numeric(4)))
  expect_within(bank_of(naive)$mean, mean_of(mean), 1e-14)
  expect_within(bank_of(naive)$sd, mean_of(sd), 1e-13)

  full <- fit(bayes_full(), Species ~ ., holes)
  complete <- lapply(by_class, function(x) cov(x[stats::complete.cases(x), ]))
  Map(function(found, s) expect_within(found, s, 1e-11), covariances_of(full), complete)
  expect_identical(full$parameters$prior, rep(1, 3) / 3)
})

test_that("a categorical feature that is missing counts in no level", {
  holes <- play_tennis
  holes$outlook[1:3] <- NA
  model <- fit(bayes_naive(), play ~ outlook, holes)
  probability <- exp(bank_of(model)$log_probability)
  expect_within(probability[1, ], c(2, 3, 3) / 8, 1e-15)
  expect_within(probability[2, ], c(1, 0, 2) / 3, 1e-15)
  expect_within(model$parameters$prior, c(9, 5) / 14, 1e-15)
})

test_that("a fit does not depend on the fits before it", {
  data <- list(iris, transform(iris, Sepal.Width = cut(Sepal.Width, 3)), iris[c(5, 4:1)])
  specs <- list(
    bayes_naive(), bayes_naive(laplace = 1, numeric = likelihood_gaussian(min_variance = 1)),
    bayes_full(1, shrinkage = 0.1)
  )
  fits <- function(order) {
    tried <- expand.grid(data = seq_along(data), spec = seq_along(specs))[order, ]
    models <- Map(function(i, j) {
      fit(specs[[j]], Species ~ ., data[[i]])
    }, tried$data, tried$spec)
    lapply(models, unclass)[order(order)]
  }
  expected <- fits(1:9)
  expect_identical(fits(9:1), expected)
  expect_identical(fits(c(1, 4, 7, 3, 6, 9, 2, 5, 8)), expected)
  again <- lapply(1:2, function(i) fit(specs[[1L]], Species ~ ., data[[1L]])$schema$features)
  expect_true(rlang::is_reference(again[[1L]], again[[2L]]))
})

change_parameter <- function(model, name, value) {
  model$parameters[[name]] <- value
  model
}

test_that("a feature must have its name, kind and levels", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  expect_null(model_problem(model))
  damaged <- model
  damaged$schema$features$Sepal.Width$kind <- "text"
  expect_match(model_problem(damaged), "lost a name, kind or level")
  names(model$schema$features)[[2L]] <- "other"
  expect_match(model_problem(model), "lost a name")
})

test_that("the parts must fit each other (R5)", {
  model <- fit(bayes_naive(laplace = 1), y ~ x + g, mixed())
  broken <- model
  broken$plan$banks[[1L]]$features <- 2L
  expect_match(model_problem(broken), "its plan does not fit its specification")
  broken <- model
  broken$plan$banks[[2L]]$levels <- 3L
  expect_match(model_problem(broken), "its plan does not fit its specification")
  broken <- model
  broken$plan$banks <- rev(model$plan$banks)
  expect_match(model_problem(broken), "its plan does not fit its specification")
  broken <- model
  broken$spec$numeric <- likelihood_poisson()
  expect_match(model_problem(broken), "its plan does not fit its specification")
  broken <- model
  broken$parameters$log_likelihood <- "a"
  expect_match(model_problem(broken), "its log likelihood is gone")
  broken <- model
  broken$spec$numeric$min_variance <- -1
  expect_match(model_problem(broken), "specification has lost a part")
  broken <- model
  broken$schema$formula <- other ~ x
  expect_match(model_problem(broken), "its formula does not fit")
  known <- bayes_known(c(a = 0.5, b = 0.5), n = likelihood_poisson(c(a = 1, b = 2)))
  expect_null(model_problem(update(known, prior = c(a = 1 / 3, b = 2 / 3))))
  known$schema$features$n$type <- "factor"
  expect_match(model_problem(known), "lost a name, kind or level")
})

test_that("a known specification determines the schema (R5)", {
  of <- function(...) bayes_known(c(a = 0.5, b = 0.5), ...)
  known <- of(n = likelihood_poisson(c(a = 1, b = 2)))
  expect_null(model_problem(known))
  known["schema"] <- unclass(of(m = likelihood_poisson(c(a = 1, b = 2))))["schema"]
  expect_match(model_problem(known), "its plan does not fit its specification")
})

test_that("numbers of rows that are integers are added as numbers (R5)", {
  model <- fit(bayes_naive(), y ~ x, mixed())
  model$rows$read <- .Machine$integer.max
  expect_identical(merge(model, model)$rows$read, 2 * .Machine$integer.max)
})

test_that("what predict(), print() and update() read is checked (R5)", {
  tempered <- fit(bayes_naive(laplace = 1), y ~ x + g, mixed())
  for (temper in list(mean, "a", list())) {
    tempered$parameters$temper <- temper
    expect_bayesrisk_error(predict(tempered, mixed()), "object", "exponents are damaged")
  }
  known <- bayes_known(c(a = 0.5, b = 0.5), n = likelihood_poisson(c(a = 1, b = 2)))
  for (rows in list(-1, list(read = 1, used = 1, read = 1))) {
    known$rows <- rows
    expect_bayesrisk_error(format(known), "object", "rows are gone")
  }
  model <- fit(bayes_naive(laplace = 1), y ~ x + g, mixed())
  bare <- model
  bare["statistics"] <- bare["rows"] <- list(NULL)
  expect_null(model_problem(bare))
  bare$parameters$notes$bank <- 1L
  expect_bayesrisk_error(format(bare), "object", "notes")
  text <- valid_text()$model
  text$spec["bag"] <- list(NULL)
  text$spec$numeric <- likelihood_kernel()
  expect_bayesrisk_error(format(text), "object", "does not fit its specification")
  text <- valid_text()$model
  weight <- text$statistics$banks[[2L]]$weight
  text$statistics$banks[[2L]]$weight <- t(weight)
  expect_identical(coef(text), coef(valid_text()$model))
  points <- fit(bayes_naive(numeric = likelihood_empirical()), y ~ x, mixed())
  points$statistics$classes$weight[[1L]] <- 0
  expect_bayesrisk_error(update(points, prior = "uniform"), "object", "more rows than it has")
  table <- fit(bayes_naive(laplace = 1), y ~ g, mixed())
  for (count in c(6, 1e308, Inf)) {
    table$statistics$banks[[1L]]$count[[1L]] <- count
    expect_bayesrisk_error(update(table, laplace = 2), "object", "more rows than it has")
  }
  model$statistics$banks[[1L]]$mean_low[[1L]] <- Inf
  expect_bayesrisk_error(update(model, prior = "uniform"), "object", "not finite")
})

test_that("shares that lose a digit when they are divided again are sound (R5)", {
  third <- c(a = 0.1, b = 0.3, c = 0.6) / 3
  model <- bayes_known(third / sum(third) * (1 + 1e-12), x = likelihood_mixture(
    weights = list(a = c(0.1, 0.2, 0.7), b = 1, c = 1), mean = list(a = 0:2, b = 1, c = 1),
    sd = list(a = 1:3, b = 1, c = 1)
  ))
  expect_null(model_problem(model))
})

test_that("a model that was changed after a prediction is checked again (R5)", {
  skip_on_cran()
  model <- fit(bayes_naive(), Species ~ ., iris)
  row <- iris[71, ]
  before <- predict(model, row, type = "prob")
  changes <- list(
    prior = function(m) change_parameter(m, "prior", c(NaN, 0.5, 0.5)),
    short_prior = function(m) change_parameter(m, "prior", c(0.5, 0.5)),
    no_banks = function(m) change_parameter(m, "banks", list()),
    kind = function(m) {
      m$schema$features[[2L]]$kind <- "text"
      m
    },
    classes = function(m) {
      m$schema$classes$levels <- m$schema$classes$levels[-1L]
      m
    },
    features = function(m) {
      m$schema$features <- m$schema$features[-1L]
      m
    },
    plan = function(m) {
      m$plan$banks[[1L]]$features[[1L]] <- 5L
      m
    },
    parameters = function(m) {
      m$parameters$banks[[1L]]$mean <- m$parameters$banks[[1L]]$mean[, -1L]
      m
    },
    version = function(m) {
      m$version <- NULL
      m
    }
  )
  for (change in changes) {
    expect_bayesrisk_error(predict(change(model), row), "object", "damaged")
    expect_bayesrisk_error(decide(change(model), row), "object", "damaged")
    expect_identical(predict(model, row, type = "prob"), before)
  }
})

test_that("models of the same data are told apart after each other (R5)", {
  rows <- list(1:150, c(1:50, 51:60, 101:150))
  models <- lapply(rows, function(rows) fit(bayes_naive(), Species ~ ., iris[rows, ]))
  expected <- lapply(models, predict, iris[71, ], type = "prob")
  for (i in c(1L, 2L, 1L, 2L)) {
    expect_identical(predict(models[[i]], iris[71, ], type = "prob"), expected[[i]])
  }
  expect_false(identical(expected[[1L]], expected[[2L]]))
})

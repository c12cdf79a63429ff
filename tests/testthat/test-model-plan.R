data <- data.frame(
  y = c("a", "a", "a", "a", "b", "b", "b", "b"),
  n = c(1L, 2L, 4L, 3L, 7L, 9L, 8L, 4L),
  g = c("k", "l", "l", "k", "l", "m", "k", "m"),
  x = c(0.5, 2, 1, 3, 2, 4, 7, 1),
  h = c("p", "q", "p", "q", "q", "q", "p", "p"),
  z = c(3, 1, 2, 5, 4, 4, 1, 7)
)
banks_of <- function(spec) fit(spec, y ~ ., data)$plan$banks
features_of <- function(banks) lapply(banks, `[[`, "features")
types_of <- function(banks) vapply(banks, `[[`, "", "type")

test_that("a naive model has one bank for each kind", {
  banks <- banks_of(bayes_naive())
  expect_identical(types_of(banks), c("gaussian", "categorical"))
  expect_identical(features_of(banks), list(c(1L, 3L, 5L), c(2L, 4L)))
  expect_identical(banks[[2]]$levels, c(3L, 2L))
})

test_that("a full model has one block for each kind", {
  banks <- banks_of(bayes_full(laplace = 1))
  expect_identical(types_of(banks), c("multivariate_gaussian", "joint_table"))
  expect_identical(features_of(banks), list(c(1L, 3L, 5L), c(2L, 4L)))
})

test_that("blocks keep their order and that of their features; the rest is single", {
  banks <- banks_of(bayes_blocks(list(pair = c("z", "n"), c("h", "g")), laplace = 1))
  expect_identical(types_of(banks), c("gaussian", "multivariate_gaussian", "joint_table"))
  expect_identical(features_of(banks), list(3L, c(5L, 1L), c(4L, 2L)))
  expect_identical(banks[[3]]$levels, c(2L, 3L))
})

test_that("blocks of one feature are naive Bayes", {
  single <- fit(bayes_blocks(list("n", "x", "z", "g", "h"), laplace = 1), y ~ ., data)
  naive <- fit(bayes_naive(laplace = 1), y ~ ., data)
  expect_equal(posterior(single, data), posterior(naive, data), tolerance = 1e-12)
})

test_that("a block of a feature that is not there is an error that names it", {
  spec <- bayes_blocks(list(c("n", "nowhere")))
  expect_bayesrisk_error(fit(spec, y ~ ., data), "argument", "blocks.*nowhere")
  expect_bayesrisk_error(fit(bayes_blocks(list(c("n", "y"))), y ~ ., data), "argument", "blocks.*y")
})

test_that("a block of two kinds is an error that names both sides", {
  spec <- bayes_blocks(list(both = c("n", "g", "x")))
  expect_bayesrisk_error(fit(spec, y ~ ., data), "argument", "both.*n.*x.*numeric.*g.*categorical")
})

test_that("a likelihood for a feature must find it, and fit its kind", {
  absent <- bayes_naive(features = list(nowhere = likelihood_gaussian()))
  expect_bayesrisk_error(fit(absent, y ~ ., data), "argument", "features.*nowhere")
  unfit <- bayes_naive(features = list(g = likelihood_gaussian()))
  expect_bayesrisk_error(fit(unfit, y ~ ., data), "argument", "g.*categorical.*gaussian")
})

test_that("settings by feature reach that feature only", {
  spec <- bayes_naive(features = list(z = likelihood_gaussian("ml"), h = likelihood_categorical(2)))
  model <- fit(spec, y ~ ., data)
  expect_equal(model$parameters$banks[[1]]$sd[2, ],
               c(sd(c(7, 9, 8, 4)), sd(c(2, 4, 7, 1)),
                 sqrt(mean((c(4, 4, 1, 7) - 4)^2))), tolerance = 1e-14)
  expect_equal(exp(model$parameters$banks[[2]]$log_probability[1, ]),
               c(2, 2, 0, 4, 4) / c(4, 4, 4, 8, 8),
               tolerance = 1e-14)
})

test_that("settings by level must name the levels of each feature", {
  by_level <- bayes_naive(categorical = likelihood_categorical(c(k = 1, l = 2, m = 0)))
  model <- fit(by_level, y ~ g, data)
  expect_equal(exp(model$parameters$banks[[1]]$log_probability),
               rbind(c(3, 4, 0) / 7, c(2, 3, 2) / 7), tolerance = 1e-14)
  expect_bayesrisk_error(fit(by_level, y ~ h, data), "argument", "laplace.*h.*p.*q")
})

test_that("a joint table beyond 2^62 cells is refused before anything is counted", {
  wide <- as.data.frame(matrix(c("a", "b", "b"), 3, 63))
  wide$y <- c("k", "l", "k")
  expect_bayesrisk_error(fit(bayes_full(laplace = 1), y ~ ., wide), "degenerate",
                         "categorical.*cells.*2\\^62")
  expect_equal(rowSums(posterior(fit(bayes_naive(laplace = 1), y ~ ., wide), wide)), rep(1, 3),
               tolerance = 1e-14)
})

test_that("bins are settled for single features alone, and stay once they are", {
  spec <- bayes_blocks(list(petal = c("Petal.Length", "Petal.Width")),
    numeric = likelihood_histogram(width = 1)
  )
  model <- fit(spec, Species ~ ., iris)
  has_bins <- vapply(model$schema$features, function(f) !is.null(f$bins), NA)
  expect_identical(names(has_bins)[has_bins], c("Sepal.Length", "Sepal.Width"))
  expect_identical(model$schema$features$Sepal.Width$bins$origin, 2)
  expect_identical(build_plan(spec, model$schema, NULL), model$plan)
  other <- bayes_naive(numeric = likelihood_histogram(width = 2))
  expect_null(build_plan(other, model$schema, NULL)$banks[[1]]$edges)
  rule <- fit(bayes_naive(numeric = likelihood_histogram()), Species ~ Sepal.Width, iris)
  assigned <- assign_likelihoods(rule$spec, rule$schema, NULL)
  again <- settle_features(assigned, rule$schema$features, list(), NULL)
  expect_identical(again, rule$schema$features)
  expect_length(assign_likelihoods(bayes_naive(), rule$schema, NULL)$settles, 0L)
  expect_identical(
    assign_likelihoods(spec, model$schema, NULL)$settles,
    match(c("Sepal.Length", "Sepal.Width"), names(model$schema$features))
  )
})

test_that("a block does not bear the name of a feature outside it", {
  spec <- bayes_blocks(list(g = c("x", "z")))
  expect_bayesrisk_error(fit(spec, y ~ x + z + g, mixed()), "argument", "g is the name of a block")
})

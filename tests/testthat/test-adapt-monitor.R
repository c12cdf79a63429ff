# What a monitor starts with, and what it cannot watch.

two_normals <- function() {
  bayes_known(prior = c(a = 0.7, b = 0.3), x = likelihood_gaussian(mean = c(a = 0, b = 2), sd = 1))
}

test_that("a monitor without rows says so, and has the prior of the model", {
  watch <- monitor(fit(bayes_naive(), Species ~ ., iris), zero_one_cost(levels(iris$Species)))
  expect_s3_class(watch, c("bayesrisk_monitor", "bayesrisk_result"), exact = TRUE)
  expect_false(watch$alarm)
  expect_identical(watch$prior, watch$trained)
  expect_identical(watch$size, NA_real_)
  expect_identical(watch$training, "draws")
  expect_identical(watch$evidence$watched, c(levels(iris$Species), names(iris)[1:4]))
})

test_that("one seed gives one monitor, whatever the threads", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  first <- monitor(model, seed = 3, threads = 1)
  expect_identical(monitor(model, seed = 3, threads = 2)$state, first$state)
  expect_false(identical(monitor(model, seed = 4)$state, first$state))
})

test_that("the limits of all processes share alpha", {
  # Limits are logarithms of 1 / (alpha weight).
  for (model in list(
    fit(bayes_naive(laplace = 1), play ~ ., play_tennis), fit(bayes_naive(), Species ~ ., iris),
    two_normals()
  )) {
    state <- monitor(model, alpha = 0.1)$state
    used <- c(state$shares$limit, state$changes$limit[rep(state$features$others, each = 3) == 0 |
                                                        seq_along(state$changes$limit) %% 3 != 0])
    expect_equal(sum(exp(-used)), 0.1)
  }
})

test_that("the share before a change has the error of the training rows", {
  # With classes: the Dirichlet posterior of the shares, n = 150, and half a case of each kind.
  model <- fit(bayes_naive(), Species ~ ., iris)
  shares <- monitor(model)$state$shares
  mean_of <- function(i) {
    share <- shares$before[, i] / (2 + shares$before[, i])
    weighted <- sum(share * shares$null[, i])
    c(weighted, sqrt(sum((share - weighted)^2 * shares$null[, i])))
  }
  with_class <- mean_of(2L)
  expect_equal(with_class[[1L]], 1 / 3, tolerance = 0.01)
  expect_equal(with_class[[2L]], sqrt(2 / 9 / 150), tolerance = 0.03)
  # Without classes it is wider, by what the features do not tell.
  expect_gt(mean_of(3L)[[2L]], with_class[[2L]])
  expect_lt(mean_of(3L)[[2L]], 1.3 * with_class[[2L]])
})

test_that("known parameters have no training error", {
  watch <- monitor(two_normals())
  expect_identical(watch$training, "known")
  fitted <- fit(bayes_naive(), class ~ x, simulate(two_normals(), 200, seed = 1))
  spread <- function(watch) {
    shares <- watch$state$shares
    sqrt(sum(log(shares$before[, 1L])^2 * shares$null[, 1L]))
  }
  # The rows of the sample have an error, too.
  expect_lt(spread(watch), 0.1 * spread(monitor(fitted)))
})

test_that("a prior that was given is known", {
  even <- fit(bayes_naive(prior = "uniform"), Species ~ ., iris)
  shares <- monitor(even)$state$shares
  expect_lt(max(abs(log(shares$before[shares$null[, 2L] > 1e-3, 2L]))), 1e-4)
})

test_that("features that cannot be watched are named", {
  data <- cbind(iris, same = 1)
  model <- suppressWarnings(fit(bayes_naive(), Species ~ ., data))
  expect_message(watch <- monitor(model), "same", class = "bayesrisk_message_unwatched")
  expect_identical(watch$unwatched, "same")
})

test_that("a bag of terms needs a reference", {
  expect_bayesrisk_error(monitor(valid_text()$model), "argument", "reference")
  words <- matrix(stats::rpois(400, 1), 40, dimnames = list(NULL, letters[1:10]))
  model <- fit(bayes_text(), words, rep(c("a", "b"), 20))
  expect_message(
    watch <- monitor(model, reference = words + 1, truth = rep(c("a", "b"), 20)),
    class = "bayesrisk_message_unwatched"
  )
  expect_identical(watch$training, "reference")
})

test_that("a reference has two rows of each class", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  expect_bayesrisk_error(monitor(model, reference = iris[1:60, ]), "argument", "virginica")
  expect_bayesrisk_error(monitor(model, reference = iris[, -5]), "argument", "classes of")
  expect_bayesrisk_error(monitor(model, truth = iris$Species), "argument", "goes with")
  missing <- replace(iris$Species, 1:3, NA)
  expect_bayesrisk_error(
    monitor(model, reference = iris, truth = missing), "argument", "3 rows lack"
  )
})

test_that("a reference takes the place of a model that does not hold", {
  withr::local_seed(1)
  skewed <- function(n) data.frame(y = factor(rep_len(1:2, n)), x = stats::rexp(n)^2)
  model <- fit(bayes_naive(), y ~ x, skewed(2000))
  new <- skewed(4000)["x"]
  expect_true(update(monitor(model), new)$alarm)
  watch <- monitor(model, reference = skewed(300))
  expect_false(update(watch, new)$alarm)
  expect_true(update(watch, new + 1)$alarm)
})

test_that("bad arguments are named", {
  model <- two_normals()
  expect_bayesrisk_error(monitor(1), "argument", "object")
  expect_bayesrisk_error(monitor(model, alpha = 0), "argument", "alpha")
  expect_bayesrisk_error(monitor(model, alpha = 2), "argument", "alpha")
  by_case <- cost_matrix(a = c(a = 0, b = ~x), b = c(a = 1, b = 0))
  expect_bayesrisk_error(monitor(model, by_case), "argument", "case")
  groups <- fit(bayes_naive(), Species ~ Sepal.Width, iris, by = Petal.Width > 1)
  expect_bayesrisk_error(monitor(groups), "argument", "model of a group")
})

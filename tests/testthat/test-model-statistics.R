# Statistics against the same fit in one go, and against sums written out.

test_that("statistics, estimated, are the fit", {
  collected <- bayes_statistics(bayes_full(), Species ~ ., iris)
  expect_s3_class(collected, "bayesrisk_statistics")
  expect_identical(fit(bayes_full(), collected), fit(bayes_full(), Species ~ ., iris))
})

test_that("statistics can be estimated under other settings", {
  collected <- bayes_statistics(bayes_naive(), play ~ ., play_tennis)
  expect_identical(
    fit(bayes_naive(laplace = 1, prior = "uniform"), collected),
    fit(bayes_naive(laplace = 1, prior = "uniform"), play ~ ., play_tennis)
  )
})

test_that("classes too small in each part are estimated after a merge", {
  parts <- lapply(split(iris, rep(1:50, 3)), function(rows) {
    bayes_statistics(bayes_full(), Species ~ ., rows)
  })
  whole <- fit(bayes_full(), Species ~ ., iris)
  expect_same_predictions(fit(bayes_full(), Reduce(merge, parts)), whole, iris)
})

test_that("na.action: pass uses what is there, omit leaves rows out, fail stops", {
  holes <- iris
  holes$Sepal.Width[3:5] <- NA
  omitted <- fit(bayes_naive(), Species ~ ., holes, na.action = na.omit)
  expect_identical(omitted$parameters, fit(bayes_naive(), Species ~ ., iris[-(3:5), ])$parameters)
  expect_error(fit(bayes_naive(), Species ~ ., holes, na.action = na.fail), "3 rows",
               class = "bayesrisk_error_data")
})

test_that("weights and subset see the columns of data", {
  rows <- transform(iris, w = rep(c(0, 1, 2), 50))
  weighted <- fit(bayes_full(), Species ~ ., rows, weights = w)
  expect_identical(names(weighted$schema$features), names(iris)[1:4])
  copies <- iris[rep(1:150, rows$w), ]
  expect_same_predictions(weighted, fit(bayes_full(), Species ~ ., copies), iris)
  positive <- fit(bayes_full(), Species ~ . - w, rows, subset = w > 0)
  kept <- fit(bayes_full(), Species ~ ., iris[rows$w > 0, ])
  expect_identical(positive$parameters, kept$parameters)
  by_number <- fit(bayes_full(), Species ~ . - w, rows, subset = which(w > 0))
  expect_identical(by_number$parameters, positive$parameters)
})

test_that("what cannot be collected is named", {
  collect <- function(data = iris, formula = Species ~ ., ...) {
    bayes_statistics(bayes_naive(), formula, data, ...)
  }
  infinite <- iris
  infinite$Petal.Width[7:8] <- c(Inf, -Inf)
  expect_error(collect(infinite), "Petal.Width (2 rows)", fixed = TRUE,
               class = "bayesrisk_error_data")
  unknown <- iris
  unknown$Species[4] <- NA
  expect_error(collect(unknown), "Species.*missing in 1 row", class = "bayesrisk_error_data")
  expect_error(collect(weights = c(1, -1)), "weights", class = "bayesrisk_error_argument")
  expect_error(collect(weights = rep(-1, 150)), "negative", class = "bayesrisk_error_argument")
  expect_error(collect(subset = 151), "subset", class = "bayesrisk_error_argument")
  expect_error(collect(formula = Species ~ Sepal.Girth), "Sepal.Girth",
               class = "bayesrisk_error_data")
  expect_error(bayes_statistics(list(), Species ~ ., iris), "object",
               class = "bayesrisk_error_argument")
  expect_error(collect(threads = 0), "threads", class = "bayesrisk_error_argument")
})

test_that("counts below min_count are an error that names feature, class and level", {
  data <- data.frame(
    y = rep(c("a", "b"), each = 20), f = c(rep("u", 18), "v", "v", rep("v", 20)), x = 1:40
  )
  spec <- bayes_naive(laplace = 1)
  error <- expect_error(
    bayes_statistics(spec, y ~ ., data, min_count = 3),
    "class \"a\", feature \"f\", level \"v\": 2", class = "bayesrisk_error_small_cells"
  )
  expect_s3_class(error, "bayesrisk_error_data")
  expect_identical(error$cells$count, 2)
  expect_identical(
    bayes_statistics(spec, y ~ ., data, min_count = 2), bayes_statistics(spec, y ~ ., data)
  )
  # The known values of a number, a class, and a cell of a joint table.
  data$x[4:20] <- NA
  small <- function(spec, formula, what, min_count = 5) {
    expect_error(bayes_statistics(spec, formula, data, min_count = min_count), what,
                 class = "bayesrisk_error_small_cells")
  }
  small(spec, y ~ x, "class \"a\", feature \"x\": 3")
  small(spec, y ~ 1, "class \"a\": 20", 21)
  small(bayes_full(), y ~ f + I(x > 2), "feature \"f:I\\(x > 2\\)\"")
})

test_that("statistics that are values of rows are refused", {
  values <- list(
    likelihood_kernel(), likelihood_empirical(), likelihood_mixture(1),
    likelihood_negative_binomial(), likelihood_histogram(), likelihood_histogram(width = 1)
  )
  data <- data.frame(y = rep(c("a", "b"), 20), x = rep(0:3, 10))
  for (likelihood in values) {
    expect_error(
      bayes_statistics(bayes_naive(numeric = likelihood), y ~ x, data, min_count = 2), "x",
      class = "bayesrisk_error_argument"
    )
  }
  expect_error(
    bayes_statistics(bayes_full(joint = likelihood_histogram()), y ~ x, data, min_count = 2), "x",
    class = "bayesrisk_error_argument"
  )
  sums <- list(
    likelihood_gaussian(), likelihood_poisson(), likelihood_histogram(width = 1, origin = 0)
  )
  for (likelihood in sums) {
    spec <- bayes_naive(numeric = likelihood)
    expect_identical(
      bayes_statistics(spec, y ~ x, data, min_count = 10), bayes_statistics(spec, y ~ x, data)
    )
  }
  expect_error(
    bayes_statistics(bayes_naive(), y ~ 1, data, weights = x + 1, min_count = 2), "weights",
    class = "bayesrisk_error_argument"
  )
  expect_error(
    bayes_statistics(bayes_naive(), y ~ 1, data, min_count = 0), "min_count",
    class = "bayesrisk_error_argument"
  )
})

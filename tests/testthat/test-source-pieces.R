test_that("weights and subset from outside, or that depend on other rows, are errors", {
  data <- late_data(200L)
  outside <- runif(200)
  spec <- bayes_naive()
  wrong <- function(...) {
    expect_error(bayes_statistics(spec, y ~ z, chunked(data, 50L), ...),
                 class = "bayesrisk_error_argument")
  }
  wrong(weights = outside)
  wrong(weights = w * outside)
  wrong(weights = w / sum(w))
  wrong(weights = 2)
  wrong(weights = paste(w))
  wrong(subset = 1:10)
  wrong(subset = which(z > 1))
  wrong(subset = z > mean(z))
  wrong(subset = w)
})

test_that("levels that lose their rows in some chunks only are not reported", {
  data <- data.frame(y = c("a", "b"), f = rep(c("p", "q", "r", "s"), each = 10), w = 1)
  data$w[c(11:15, 21:30)] <- 0
  expect_message(
    fit(bayes_naive(laplace = 1), y ~ f, chunked(data, 5L), weights = w), "r",
    class = "bayesrisk_message_weightless_level"
  )
  data$w <- rep(c(0, 1), each = 4)
  expect_no_message(fit(bayes_naive(laplace = 1), y ~ f, chunked(data, 3L), weights = w))
})

test_that("an argument y cannot be divided", {
  model <- fit_xy(bayes_naive(), iris[1:4], iris$Species)
  expect_error(
    update(model, chunked(iris, 50L), y = iris$Species), "y", class = "bayesrisk_error_argument"
  )
})

test_that("a request that is sent elsewhere holds only the values that it needs", {
  limit <- 2
  large <- numeric(2e5)
  request <- portable_request(fit_request(
    y ~ I(x * limit), rlang::quo(w), rlang::quo(z < limit + large), stats::na.pass, 1L
  ))
  expect_identical(ls(rlang::quo_get_env(request$subset)), "limit")
  expect_identical(ls(rlang::f_env(request$formula)), "limit")
  expect_lt(length(serialize(request, NULL)), 20000)
})

test_that("groups of rows in pieces give the models of one table", {
  data <- late_data(200L)
  data$g <- rep(c("p", "q", "r"), length.out = 200L)
  data$g[1:40] <- "p"
  expect_same_models <- function(found, expected) {
    expect_identical(names(found), names(expected))
    for (name in names(found)) {
      expect_equal(coef(found[[name]]), coef(expected[[name]]), tolerance = 1e-12)
      expect_identical(nobs(found[[name]]), nobs(expected[[name]]))
    }
  }
  for (spec in list(bayes_naive(laplace = 1), bayes_naive(numeric = likelihood_histogram(3)))) {
    expected <- fit(spec, y ~ z + f, data, weights = w, subset = z > -1, by = g)
    expect_same_models(
      fit(spec, y ~ z + f, chunked(data, 30L), weights = w, subset = z > -1, by = g), expected
    )
    parts <- data_parts(split(data, rep(1:4, 50)))
    expect_same_models(fit(spec, y ~ z + f, parts, weights = w, subset = z > -1, by = g), expected)
    expect_same_models(
      update(expected, chunked(data, 30L)), update(expected, data)
    )
  }
})

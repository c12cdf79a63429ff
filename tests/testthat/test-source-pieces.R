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

test_that("rows that no model uses are counted for their group, also in a piece without others", {
  data <- data.frame(
    y = rep(c("a", "b"), 30), x = sin(1:60), g = rep(c("p", "q", "r"), each = 20),
    w = rep(c(0, 1, 0, 1, 1, 0), each = 10)
  )
  read <- function(models) vapply(names(models), function(g) models[[g]]$rows$read, 1)
  expected <- fit(bayes_naive(), y ~ x, data, weights = w, by = g)
  expect_identical(read(expected), c(p = 20, q = 20, r = 20))
  for (size in c(5L, 10L, 15L)) {
    expect_identical(
      read(fit(bayes_naive(), y ~ x, chunked(data, size), weights = w, by = g)), read(expected)
    )
  }
  expect_error(
    fit(bayes_naive(), y ~ x, chunked(data, 15L), weights = 0 * w, by = g),
    class = "bayesrisk_error_no_rows"
  )
})

# Estimates of the prior from sources in pieces against those in memory.

expect_same_estimate <- function(found, wanted) {
  parts <- c("prior", "lower", "upper", "log_likelihood", "test", "cost_kept", "cost_new", "rows")
  testthat::expect_equal(found[parts], wanted[parts], tolerance = 1e-7)
}

test_that("chunks and parts give the estimate of all rows", {
  case <- shifted(500L)
  rows <- rbind(case$rows, data.frame(x = c(NA, Inf), g = NA))
  rows$w <- rep_len(c(1, 2, 0.5), 502)
  cost <- cost_matrix(a = list(a = 0, b = 1, c = ~ 2 * w), b = c(a = 1, b = 0, c = 1), c = ~ w)
  estimate <- function(source) {
    suppressWarnings(estimate_prior(case$model, source, cost, weights = w))
  }
  wanted <- estimate(rows)
  expect_same_estimate(estimate(chunked(rows, 100L)), wanted)
  expect_same_estimate(estimate(chunked(rows, 60L, again = FALSE)), wanted)
  parts <- data_parts(list(rows[1:200, ], chunked(rows[201:502, ], 50L)))
  expect_same_estimate(estimate(parts), wanted)
  tests <- c("feature", "statistic", "df", "p_value")
  expect_equal(estimate(chunked(rows, 100L))$check[tests], wanted$check[tests], tolerance = 1e-6)
  expect_warning(estimate_prior(case$model, chunked(rows, 100L)), "1 row",
                 class = "bayesrisk_warning_infinite")
})

test_that("a cluster may have rows in several pieces", {
  case <- shifted(300L)
  rows <- transform(case$rows, id = rep(1:30, 10))
  wanted <- estimate_prior(case$model, rows, cluster = id)
  expect_same_estimate(estimate_prior(case$model, chunked(rows, 70L), cluster = id), wanted)
  parts <- data_parts(list(rows[1:200, ], rows[201:300, ]))
  expect_same_estimate(estimate_prior(case$model, parts, cluster = id), wanted)
  expect_bayesrisk_error(
    estimate_prior(case$model, parts, cluster = 1:300), "argument", "computed from columns"
  )
})

test_that("weights of pieces are functions of their columns", {
  case <- shifted(20L)
  rows <- chunked(case$rows, 10L)
  expect_bayesrisk_error(
    estimate_prior(case$model, rows, weights = rep(1, 20)), "argument", "computed from columns"
  )
  expect_bayesrisk_error(
    estimate_prior(case$model, rows, weights = x^2 / sum(x^2)), "argument", "other rows"
  )
})

test_that("chunks without rows are an error", {
  case <- shifted(20L)
  expect_bayesrisk_error(
    estimate_prior(case$model, data_chunks(function() NULL)), "degenerate", "No row"
  )
})

test_that("a lazy table is read in blocks, also by a tempered model", {
  con <- local_database("sqlite")
  case <- shifted(300L)
  rows <- rbind(case$rows, data.frame(x = NA, g = "v"))
  table <- put_table(con, rows)
  cost <- zero_one_cost(case$model)
  expect_same_estimate(
    estimate_prior(case$model, table, cost), estimate_prior(case$model, rows, cost)
  )
  data <- overlapping()
  set.seed(1)
  tempered <- temper(fit(bayes_naive(laplace = 1), y ~ x1 + g, data), data)
  table <- put_table(con, data)
  expect_same_estimate(estimate_prior(tempered, table), estimate_prior(tempered, data))
})

test_that("exponents need rows in memory", {
  data <- overlapping()
  spec <- bayes_naive(temper = TRUE)
  for (source in list(chunked(data, 50L), data_parts(list(data)))) {
    expect_error(fit(spec, y ~ x1, source), "memory", class = "bayesrisk_error_argument")
  }
  con <- local_database("sqlite")
  table <- put_table(con, data)
  expect_error(fit(spec, y ~ x1, table), "memory", class = "bayesrisk_error_argument")
})

test_that("bins by the range of all rows need the weights and rows that are used", {
  data <- late_data()
  spec <- bayes_naive(numeric = likelihood_histogram(breaks = "FD", laplace = 1))
  for (by in list("FD", "Sturges")) {
    spec <- bayes_naive(numeric = likelihood_histogram(breaks = by, laplace = 1))
    found <- bayes_statistics(spec, y ~ x + z, chunked(data, 100L), w, z < 3)
    wanted <- bayes_statistics(spec, y ~ x + z, data, w, z < 3)
    expect_identical(found$schema$features$z$bins, wanted$schema$features$z$bins)
    expect_identical(found$schema$features$x$bins, wanted$schema$features$x$bins)
    expect_equal(counts(found), counts(wanted))
  }
})

test_that("a column of NA alone in some chunks has its range from the others", {
  data <- data.frame(y = c("a", "b"), x = c(rep(NA, 40), 1:20))
  spec <- bayes_naive(numeric = likelihood_histogram(width = 3))
  expect_equal(
    counts(fit(spec, y ~ x, chunked(data, 10L))), counts(fit(spec, y ~ x, data))
  )
})

test_that("the bins of a joint block are settled by all rows, too", {
  data <- late_data()
  for (spec in list(
    bayes_full(joint = likelihood_histogram(breaks = "FD")),
    bayes_blocks(list(xz = c("x", "z")), joint = list(xz = likelihood_histogram(width = 0.5)))
  )) {
    found <- bayes_statistics(spec, y ~ x + z, chunked(data, 100L))
    wanted <- bayes_statistics(spec, y ~ x + z, data)
    expect_identical(found$schema$features$z$bins, wanted$schema$features$z$bins)
    expect_equal(counts(found), counts(wanted))
  }
})

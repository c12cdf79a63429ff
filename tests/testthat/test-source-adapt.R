# Estimates from sources in pieces against those in memory.

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

test_that("large tables, histograms and kernels are errors that say what to do", {
  skip_if_not_installed("dbplyr")
  con <- dbplyr::simulate_sqlite()
  data <- withr::with_seed(1, data.frame(
    y = rep(c("a", "b"), 600), x = stats::rnorm(1200), f = sample(letters, 1200, TRUE),
    g = sample(LETTERS, 1200, TRUE), h = sample(letters, 1200, TRUE)
  ))
  expect_refused <- function(spec, formula, text) {
    model <- suppressWarnings(fit(spec, formula, data))
    expect_error(as_sql(model, con, "t"), text, class = "bayesrisk_error_argument")
  }
  expect_refused(bayes_naive(numeric = likelihood_kernel()), y ~ x, "`?x`? has too many points")
  expect_refused(bayes_naive(numeric = likelihood_empirical()), y ~ x, "too many values")
  expect_refused(
    bayes_naive(numeric = likelihood_histogram(width = 0.001, laplace = 1)), y ~ x, "too many bins"
  )
  expect_refused(bayes_full(laplace = 1), y ~ f + g + h, "too many combinations of levels")
  data$z <- rev(data$x)
  expect_refused(
    bayes_full(joint = likelihood_histogram(width = 0.1, laplace = 1)), y ~ x + z,
    "too many combinations of bins"
  )
})

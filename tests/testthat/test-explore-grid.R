test_that("features without room are left out, or are an error", {
  skip_if_not_installed("htmlwidgets")
  d <- withr::with_seed(1, data.frame(
    y = gl(2, 100), matrix(stats::rnorm(6 * 200), 200) + rep(1:2, each = 100)
  ))
  model <- fit(bayes_full(joint = likelihood_mixture(2, starts = 1)), y ~ ., d)
  expect_message(page <- explorer(model), "not drawn", class = "bayesrisk_message")
  expect_length(page_part(page)$features, 4L)
  expect_error(explorer(model, features = names(d)[-1]), "fewer `features`",
               class = "bayesrisk_error_argument")
})

test_that("a class without rows has a page, and is impossible on it", {
  skip_if_not_installed("htmlwidgets")
  d <- iris[iris$Species != "setosa", ]
  for (spec in list(bayes_naive(), bayes_full(), bayes_naive(prior = "uniform"))) {
    page <- suppressMessages(explorer(fit(spec, Species ~ ., d)))
    expect_identical(as.double(page_part(page)$prior), c(0, 0.5, 0.5))
  }
})

test_that("many bins, single values and counts have axes", {
  skip_if_not_installed("htmlwidgets")
  d <- withr::with_seed(1, data.frame(y = gl(2, 2000), x = stats::rnorm(4000), z = 1:4000))
  singles <- list(x = likelihood_histogram(0.005, laplace = 1), z = likelihood_empirical())
  page <- suppressMessages(explorer(fit(bayes_naive(features = singles), y ~ ., d), data = d))
  kinds <- vapply(page_part(page)$features, `[[`, "", "kind")
  expect_equal(kinds, c("line", "levels"))
  expect_equal(vapply(page_part(page)$features, `[[`, 1L, "n"), c(257L, 400L))
  expect_lt(page_size(page), 160e3)
  counts <- explorer(bayes_known(c(a = 0.5, b = 0.5), n = likelihood_poisson(c(a = 9, b = 5))))
  axis <- page_part(counts)$features[[1]]
  expect_equal(diff(as.vector(axis$edges)), rep(1, axis$n))
  table <- matrix(page_numbers(axis$table), ncol = 2)
  at <- as.vector(axis$edges)[-1] - 0.5
  expect_equal(table[, 1] - table[, 2], dpois(at, 9, TRUE) - dpois(at, 5, TRUE), tolerance = 1e-6)
})

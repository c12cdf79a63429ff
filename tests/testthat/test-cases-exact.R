# Small cases whose answers are fractions, and what must hold whatever the numbers are.

test_that("X2: words as present or absent, smoothed (Manning et al. 2008, example 13.2)", {
  words <- c("Beijing", "Chinese", "Japan", "Macao", "Shanghai", "Tokyo")
  present <- rbind(
    c(1, 1, 0, 0, 0, 0), c(0, 1, 0, 0, 1, 0), c(0, 1, 0, 1, 0, 0), c(0, 1, 1, 0, 0, 1),
    c(0, 1, 1, 0, 0, 1)
  )
  words <- as.data.frame(lapply(stats::setNames(as.data.frame(present), words), factor, 0:1))
  model <- fit_xy(bayes_naive(laplace = 1), words[1:4, ], c("Y", "Y", "Y", "N"))
  expect_within(posterior(model, words[5, ])[, "Y"], 59049 / 309049, 1e-14)
})

test_that("X12: a negative code is no level", {
  codes <- function(...) structure(c(...), levels = c("u", "v"), class = "factor")
  for (spec in list(bayes_naive(laplace = 1), bayes_full(laplace = 1))) {
    y <- c("a", "a", "b", "b")
    expect_bayesrisk_error(
      fit_xy(spec, data.frame(g = codes(1L, -1L, 2L, 1L)), y), "data", "g \\(1 row\\)"
    )
    model <- fit_xy(spec, data.frame(g = codes(1L, 2L, 2L, 1L)), y)
    expect_bayesrisk_error(predict(model, data.frame(g = codes(-1L))), "schema", "g.*damaged")
  }
})

test_that("X21: features of one kind are estimated alike, alone and beside others", {
  both <- fit(bayes_naive(laplace = 1), y ~ x + z + g, mixed())
  numbers <- fit(bayes_naive(), y ~ x + z, mixed())
  categories <- fit(bayes_naive(laplace = 1), y ~ g, mixed())
  expect_identical(bank_of(both, 1), bank_of(numbers))
  expect_identical(bank_of(both, 2), bank_of(categories))
  no_numbers <- transform(mixed(), x = NA_real_, z = NA_real_)
  expect_identical(posterior(both, no_numbers), posterior(categories, mixed()))
  no_category <- transform(mixed(), g = NA_character_)
  expect_identical(posterior(both, no_category), posterior(numbers, mixed()))
})

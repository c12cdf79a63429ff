birds <- function(rows) {
  withr::local_seed(12)
  data <- data.frame(
    region = sample(c("east", "north", "west"), 300L, TRUE), size = rnorm(300L),
    kind = sample(c("a", "b", "c"), 300L, TRUE), y = sample(c("yes", "no"), 300L, TRUE)
  )
  data[rows, ]
}

test_that("update() adds rows, groups and levels", {
  first <- birds(1:150)
  first <- first[first$region != "east" & first$kind != "b", ]
  more <- birds(151:300)
  models <- update(fit(bayes_naive(laplace = 1), y ~ kind + size, first, by = region), more)
  whole <- fit(bayes_naive(laplace = 1), y ~ kind + size, rbind(first, more), by = region)
  expect_identical(names(models), names(whole))
  for (region in names(whole)) {
    expect_equal(coef(models[[region]]), coef(whole[[region]]), tolerance = 1e-12)
  }
})

test_that("update() changes settings without data, and merge() unites models of groups", {
  models <- fit(bayes_naive(), y ~ kind + size, birds(1:200), by = region)
  smoothed <- update(models, laplace = 2)
  expect_equal(
    coef(smoothed$north),
    coef(fit(bayes_naive(laplace = 2), y ~ kind + size, birds(1:200), by = region)$north)
  )
  others <- fit(bayes_naive(), y ~ kind + size, birds(201:300), by = region)
  whole <- fit(bayes_naive(), y ~ kind + size, birds(1:300), by = region)
  both <- merge(models, others)
  for (region in names(whole)) {
    expect_equal(coef(both[[region]]), coef(whole[[region]]), tolerance = 1e-12)
  }
  different <- fit(bayes_naive(), y ~ kind + size, birds(1:200), by = kind == "a")
  expect_error(merge(models, different), class = "bayesrisk_error_argument")
  expect_error(update(models, weights = 1), class = "bayesrisk_error_argument")
})

test_that("keys cannot change", {
  models <- fit(bayes_naive(), y ~ kind + size, birds(), by = region)
  expect_error(
    update(models, birds(), by = region), "keep their keys", class = "bayesrisk_error_argument"
  )
})

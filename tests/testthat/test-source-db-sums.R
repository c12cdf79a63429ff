test_that("more features than a query has columns", {
  con <- local_database("sqlite")
  set.seed(8)
  rows <- data.frame(matrix(rnorm(40L * 600L) + 1e6, 40L))
  rows$y <- rep(c("a", "b"), 20L)
  table <- lazy_table(put_table(con, rows), "sql")
  expect_as_in_memory(
    bayes_statistics(bayes_naive(), y ~ ., table), bayes_statistics(bayes_naive(), y ~ ., rows)
  )
})

test_that("sums about any centre give the same moments", {
  x <- c(1, 2, 4, 8) + 1e8
  of <- function(shift, scale) {
    d <- (x - shift) * scale
    moments_of_sums_cpp(
      matrix(4), matrix(shift), matrix(sum(d)), matrix(sum(d^2)), scale
    )
  }
  expected <- list(
    weight = matrix(4), mean = matrix(1e8 + 3.75), mean_low = matrix(0), scatter = matrix(28.75)
  )
  for (shift in c(1e8, 1e8 + 1, 1e8 + 3.75)) {
    for (scale in 2^c(-20, 0, 20)) expect_equal(of(shift, scale), expected, tolerance = 1e-15)
  }
})

test_that("a feature with one value in a class is centred at this value", {
  cases <- list(scale = c(1, 1), guarded = FALSE)
  summary <- data.frame(
    m1 = 0.1 + 1e-17, lo1 = 0.1, hi1 = 0.1, m2 = 5, lo2 = 4, hi2 = 6
  )
  expect_identical(class_centres(summary, 1:2, cases), matrix(c(0.1, 5), 1L))
  cases <- list(scale = c(1, 2^100), guarded = TRUE)
  summary$m2 <- 0
  centre <- class_centres(summary, 1:2, cases)
  expect_identical(centre[[2L]], 6 * 2^70)
})

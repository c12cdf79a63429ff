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

# Known histograms: densities are shares divided by widths.

test_that("shares of bins, the same bins in all classes or bins by class", {
  table <- rbind(b = c(0.2, 0.8), a = c(0.5, 0.5))
  same <- bayes_known(
    c(a = 0.5, b = 0.5), x = likelihood_histogram(breaks = c(0, 1, 3), table = table)
  )
  at <- data.frame(x = c(0, 0.5, 1, 3, 4, NA))
  found <- suppressWarnings(predict(same, at, type = "log_likelihood"))
  expect_within(exp(found[, "a"]), c(0.5, 0.5, 0.25, 0.25, 0, 1), 1e-15)
  expect_within(exp(found[, "b"]), c(0.2, 0.2, 0.4, 0.4, 0, 1), 1e-15)
  expect_within(coef(same)$x$probability, c(0.5, 0.5, 0.2, 0.8), 1e-15)
  apart <- bayes_known(c(a = 0.5, b = 0.5), x = likelihood_histogram(
    breaks = list(a = c(0, 1), b = c(0, 1, 2)), table = list(a = 1, b = c(0.25, 0.75))
  ))
  found <- exp(predict(apart, data.frame(x = c(0.5, 1.5)), type = "log_likelihood"))
  expect_within(found, cbind(c(1, 0), c(0.25, 0.75)), 1e-15)
  expect_within(bayes_risk(apart)$total, 0.125, 1e-12)
})

test_that("wrong tables are classed errors", {
  refused <- function(pattern, ...) {
    expect_error(likelihood_histogram(...), pattern, class = "bayesrisk_error_argument")
  }
  table <- rbind(a = c(0.5, 0.5), b = c(0.2, 0.8))
  refused("breaks", table = table)
  refused("breaks", breaks = "FD", table = table)
  refused("breaks", width = 1, table = table)
  refused("laplace", breaks = 0:2, table = table, laplace = 1)
  refused("2 bins", breaks = 0:2, table = rbind(a = c(0.5, 0.2, 0.3)))
  refused("sum to 1", breaks = 0:2, table = rbind(a = c(0.5, 0.2)))
  refused("0 or more", breaks = 0:2, table = rbind(a = c(1.5, -0.5)))
  refused("row names", breaks = 0:2, table = unname(table))
  refused("list by class", breaks = 0:2, table = 1)
  refused("bins", breaks = list(a = 0:2), table = list(b = c(0.5, 0.5)))
  histogram <- likelihood_histogram(breaks = 0:2, table = table)
  expect_error(bayes_known(c(a = 0.5, c = 0.5), x = histogram), class = "bayesrisk_error_argument")
  expect_error(bayes_naive(numeric = histogram), class = "bayesrisk_error_argument")
  for (arg in "table") {
    expect_fuzz_proof(likelihood_histogram, arg, list(breaks = 0:2), is_likelihood)
  }
})

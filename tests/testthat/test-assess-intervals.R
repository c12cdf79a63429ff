test_that("shares have Jeffreys' interval", {
  ends <- share_interval(c(1, 0, 0.3), 10, 0.95)
  expect_equal(ends$lower, c(stats::qbeta(0.025, 10.5, 0.5), 0, stats::qbeta(0.025, 3.5, 7.5)))
  expect_equal(ends$upper, c(1, stats::qbeta(0.975, 0.5, 10.5), stats::qbeta(0.975, 3.5, 7.5)))
})

test_that("an area of many cases has DeLong's interval, one of few is between two of a share", {
  error <- 0.005
  found <- area_interval(0.8, error, 5e3, 5e3, 0.9)
  margin <- stats::qnorm(0.95) * error
  expect_equal(unlist(found), 0.8 + c(lower = -1, upper = 1) * margin, tolerance = 1e-3)
  # Four cases above six others: exponential scores have the variance of 8 cases.
  found <- area_interval(1, NA, 4, 6, 0.95)
  ends <- c(exact = stats::qbeta(0.025, 8, 1), jeffreys = stats::qbeta(0.025, 8.5, 0.5))
  expect_true(ends[["exact"]] < found$lower && found$lower < ends[["jeffreys"]])
  expect_identical(found$upper, 1)
})

test_that("a difference of shares has Newcombe's interval", {
  # Newcombe (1998), table II, row (a) with Wilson's limits: 56/70 - 48/80.
  of <- function(x, n) c(list(share = x / n), wilson_interval(x / n, n))
  found <- difference_interval(of(56, 70), of(48, 80))
  expect_equal(unlist(found), c(lower = 0.0524, upper = 0.3339), tolerance = 1e-3)
})

# The share `right` of `number` cases as likelihood ratios read it.
share_of_ratio <- function(right, number) {
  of_share(right / number, number, 0.95, added = 0.25)
}

test_that("the interval of a ratio has the ratios that that of a difference allows", {
  first <- share_of_ratio(14, 20)
  second <- share_of_ratio(9, 50)
  for (correlation in c(0, -0.6, 0.9)) {
    found <- ratio_interval(first, second, correlation)
    denied <- function(end) {
      stats::uniroot(function(r) difference_interval(first, second, 1, r, correlation)[[end]],
                     c(1e-3, 100), tol = 1e-10)$root
    }
    expect_equal(found$lower, denied("lower"), tolerance = 1e-6)
    expect_equal(found$upper, denied("upper"), tolerance = 1e-6)
  }
})

test_that("the interval of a ratio of many cases is that of its logarithm", {
  found <- ratio_interval(share_of_ratio(7e5, 1e6), share_of_ratio(2e5, 1e6))
  error <- sqrt((1 - 0.7) / 7e5 + (1 - 0.2) / 2e5)
  expect_equal(log(unlist(found) / 3.5), c(lower = -1, upper = 1) * stats::qnorm(0.975) * error,
               tolerance = 1e-3)
})

test_that("a ratio of nothing has a bound on one side", {
  ends <- function(a, b) ratio_interval(share_of_ratio(a, 20), share_of_ratio(b, 30))
  none <- ends(12, 0)
  expect_identical(none$upper, Inf)
  expect_gt(none$lower, 1)
  expect_equal(ends(0, 6)$lower, 0)
  expect_true(ends(0, 6)$upper < 1)
  expect_identical(ends(0, 0), list(lower = NA, upper = NA))
})

test_that("the interval of a likelihood ratio covers it at its level, by enumeration", {
  skip_on_cran()
  covered <- function(own, others, sensitivity, alarms) {
    cells <- expand.grid(hits = 0:own, alarms = 0:others)
    p <- stats::dbinom(cells$hits, own, sensitivity) * stats::dbinom(cells$alarms, others, alarms)
    ends <- ratio_interval(share_of_ratio(cells$hits, own), share_of_ratio(cells$alarms, others))
    ratio <- sensitivity / alarms
    # Without a hit and an alarm there is no ratio and no interval.
    known <- !is.na(ends$lower)
    sum(p[known & ends$lower <= ratio & ratio <= ends$upper]) / sum(p[known])
  }
  for (sizes in list(c(20, 20), c(50, 50), c(20, 180), c(100, 100))) {
    for (sensitivity in c(0.3, 0.7, 0.98)) {
      for (alarms in c(0.01, 0.05, 0.2, 0.5)) {
        expect_gte(covered(sizes[[1L]], sizes[[2L]], sensitivity, alarms), 0.95)
      }
    }
  }
})

test_that("standardised net benefit is net benefit by the share of the class", {
  cases <- half_ill(400)
  p <- stats::plogis(cases$x - 1)
  posterior <- cbind(ill = p, well = 1 - p)
  weight <- ifelse(cases$y == "ill", 0.2, 1)
  plain <- assess_decisions(posterior, truth = cases$y, class = "ill")$benefit
  expect_equal(plain$standardised, plain$benefit / 0.5)
  expect_equal(plain$standardised[[1L]], 1)
  rare <- assess_decisions(posterior, truth = cases$y, class = "ill", weights = weight)$benefit
  expect_equal(rare$standardised, rare$benefit / (0.2 / 1.2))
  # Kerr et al. (2016): sensitivity - odds of the threshold / odds of the class * false alarms
  at <- which.min(abs(rare$threshold - 0.3))
  ill <- cases$y == "ill"
  by_hand <- mean(p[ill] >= 0.3) - (0.3 / 0.7) / 0.2 * mean(p[!ill] >= 0.3)
  expect_equal(rare$standardised[[at]], by_hand)
})

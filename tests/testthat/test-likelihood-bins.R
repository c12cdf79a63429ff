x_bins <- function(x, ...) {
  model <- fit(
    bayes_naive(numeric = likelihood_histogram(...)), y ~ x,
    data.frame(y = rep(c("a", "b"), length.out = length(x)), x = x)
  )
  subset(coef(model)$x, class == "a")
}

edges_of <- function(bins) c(bins$from, utils::tail(bins$to, 1L))

test_that("a grid has the cells that the range needs, on both sides of its origin", {
  expect_identical(edges_of(x_bins(c(0, 3), width = 1)), as.double(0:4))
  expect_identical(edges_of(x_bins(c(0, 2.9), width = 1, origin = 10)), as.double(0:3))
  expect_identical(edges_of(x_bins(c(-.1, 2.9), width = 2, origin = 1)), c(-1, 1, 3))
  expect_identical(edges_of(x_bins(c(5, 5), width = 2)), c(5, 7))
  # 0.1 * 3 is above 0.3, and 0.3 / 0.1 below 3.
  expect_identical(edges_of(x_bins(c(0, .3), width = .1, origin = 0)), c(0, .1, .2, .3, .4))
  cell <- grid_cells(.1, 0, list(weight = 2, lowest = .1 * 3, highest = 1e6), "x", NULL)
  expect_identical(cell$first, 3)
  expect_lte(cell$last * .1, 1e6)
  expect_gt((cell$last + 1) * .1, 1e6)
})

test_that("every value lies in the cell that its edges say", {
  x <- c(outer(c(-3, 0, 1 / 3, 7, 1e4), 0:40 * .1, `+`))
  bins <- x_bins(x, width = .1, origin = -3)
  a <- x[c(TRUE, FALSE)]
  counts <- tabulate(findInterval(a, edges_of(bins)), nrow(bins))
  expect_within(bins$probability * length(a), counts, 1e-12)
})

test_that("decimals begin the cells that they are meant to", {
  for (origin in c(0, -3, 1.7, -5)) {
    x <- as.numeric(sprintf("%.1f", origin + 0:60 / 10))
    bins <- x_bins(rep(x, each = 2L), width = .1, origin = origin)
    expect_within(bins$probability, rep(1 / 61, 61L), 1e-14)
    expect_equal(bins$from, x, tolerance = 1e-14)
  }
  # Numbers that no decimals say stay where they are.
  thirds <- x_bins(rep(0:9 / 3, each = 2L), width = 1 / 3, origin = 0)
  expect_within(thirds$probability, rep(1 / 10, 10L), 1e-14)
  huge <- x_bins(1e22 + 0:4 * 2^22, width = 2^22, origin = 1e22)
  expect_identical(nrow(huge), 5L)
})

test_that("rules divide the range into equal bins", {
  x <- c(0, 1, 2, 3, 4, 5, 6, 8)
  expect_identical(edges_of(x_bins(x)), 0:4 * 2)
  # 2 (5.25 - 1.75) / 8^(1/3) = 3.5, so that there are three, as nclass.FD() has it.
  expect_identical(edges_of(x_bins(x, breaks = "FD")), 8 * 0:3 / 3)
  expect_identical(grDevices::nclass.FD(x), 3)
  expect_identical(edges_of(x_bins(c(0, rep(1, 6), 8), breaks = "FD")), 0:4 * 2)
  expect_identical(utils::tail(edges_of(x_bins(c(.1, .2, .7), breaks = "Sturges")), 1L), .7)
})

test_that("rules without a range are refused", {
  expect_error(x_bins(c(2, 2)), "one value only", class = "bayesrisk_error_degenerate")
  for (setting in list(list(), list(width = 1))) {
    expect_error(
      do.call(x_bins, c(list(x = c(NA_real_, NA)), setting)), "no value",
      class = "bayesrisk_error_data"
    )
  }
  for (x in list(c(-1, 1), c(-1, -1, -1, 1), c(-1, 0, 1))) {
    for (rule in c("Sturges", "FD")) {
      expect_error(
        x_bins(1.7e308 * x, breaks = rule), "too large", class = "bayesrisk_error_degenerate"
      )
    }
  }
})

test_that("too many bins, and bins that a double cannot tell apart, are refused", {
  expect_error(x_bins(c(0, 1e9), width = .5), "2e\\+09 bins", class = "bayesrisk_error_degenerate")
  expect_error(x_bins(c(0, 1e308), width = 1e-10), "bins", class = "bayesrisk_error_degenerate")
  expect_error(
    x_bins(1e9 + c(0, 1e-6), width = 1e-8), "too narrow", class = "bayesrisk_error_degenerate"
  )
  grid <- bayes_naive(numeric = likelihood_histogram(width = 1, origin = 0))
  part <- function(x) {
    bayes_statistics(grid, y ~ x, data.frame(y = c("a", "b"), x = x))
  }
  expect_error(merge(part(c(0, 1)), part(c(1e7, 1e7))), "1e\\+07 bins",
    class = "bayesrisk_error_degenerate"
  )
})

test_that("grids unite, other bins do not", {
  grid <- list(asked = list(width = 1), origin = 0, width = 1, first = 2, last = 5)
  wide <- unite_bins(grid, replace(grid, c("first", "last"), c(-1, 3)), "x", NULL)
  expect_identical(wide[c("first", "last")], list(first = -1, last = 5))
  expect_error(unite_bins(grid, replace(grid, "origin", .5), "x", NULL), "other bins",
    class = "bayesrisk_error_argument"
  )
  given <- list(asked = list(breaks = 1:3), edges = 1:3)
  expect_identical(unite_bins(given, given, "x", NULL), given)
})

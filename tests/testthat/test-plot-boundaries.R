# The boundaries of a rule on a grid, as matrices.
lines_on <- function(decide, x = seq(-1, 1, length.out = 41), y = x) {
  codes <- matrix(decide(rep(x, length(y)), rep(y, each = length(x))), length(x))
  boundary_lines(list(x, y), codes, decide)
}

test_that("points of a curve are exact on the grid and a cell's square apart from it between", {
  circle <- lines_on(function(x, y) 1L + (x^2 + y^2 < 0.5))
  expect_length(circle, 1L)
  radius <- sqrt(rowSums(circle[[1L]]^2))
  odd <- seq(1, length(radius), by = 2L)
  expect_lte(max(abs(radius[odd] - sqrt(0.5))), 1e-12)
  expect_lte(max(abs(radius - sqrt(0.5))), 0.05^2 / 4 / sqrt(0.5))
  expect_identical(circle[[1L]][1L, ], circle[[1L]][length(radius), ])
})

test_that("steps have right corners where they jump, wherever the grid is", {
  stairs <- lines_on(function(x, y) 1L + (y > floor(3.7 * x) / 3.7))
  for (line in stairs) {
    expect_true(all(abs(diff(line[, "x"])) < 1e-12 | abs(diff(line[, "y"])) < 1e-12))
  }
  quarter <- lines_on(function(x, y) 1L + (x > 0.317 & y > -0.123))[[1L]]
  corner <- which(abs(quarter[, "x"] - 0.317) < 1e-12 & abs(quarter[, "y"] + 0.123) < 1e-12)
  expect_length(corner, 1L)
})

test_that("three and four regions meet in one point, and lines end there or on the frame", {
  three <- lines_on(function(x, y) ifelse(x > 0.111, 1L, ifelse(y > 0.222, 2L, 3L)))
  expect_length(three, 3L)
  ends <- do.call(rbind, lapply(three, function(line) line[c(1L, nrow(line)), ]))
  meeting <- abs(ends[, "x"] - 0.111) < 1e-12 & abs(ends[, "y"] - 0.222) < 1e-12
  expect_identical(sum(meeting), 3L)
  expect_true(all(meeting | abs(ends[, "x"]) == 1 | abs(ends[, "y"]) == 1))
  four <- lines_on(function(x, y) 1L + (x > 0.111) + 2L * (y > 0.222))
  expect_length(four, 4L)
})

test_that("an edge with a third decision between its ends is crossed where the first one ends", {
  found <- lines_on(function(x, y) ifelse(x < 0.01, 1L, ifelse(x < 0.02, 2L, 3L)))
  expect_lte(max(abs(found[[1L]][, "x"] - 0.01)), 1e-12)
})

test_that("one decision has no boundary", {
  expect_identical(lines_on(function(x, y) rep(1L, length(x))), list())
})

test_that("links are joined to open paths, then to rings", {
  expect_identical(join_links(c(2L, 1L, 5L), c(3L, 2L, 6L)), list(c(1L, 2L, 3L), c(5L, 6L)))
  expect_identical(join_links(c(1L, 2L, 3L), c(2L, 3L, 1L)), list(c(1L, 2L, 3L, 1L)))
})

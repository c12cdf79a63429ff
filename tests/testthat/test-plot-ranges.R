desk <- function() {
  bayes_known(
    prior = c(ill = 0.1, well = 0.9),
    marker = likelihood_gaussian(mean = c(ill = 3, well = 1), sd = 1)
  )
}

desk_cost <- function(wait_ill = 50, refer = 2) {
  # Some of these actions are never worth taking.
  suppressWarnings(cost_matrix(
    treat = c(ill = 1, well = 4), wait = c(ill = wait_ill, well = 0), refer = refer
  ))
}

desk_rows <- data.frame(marker = c(0.5, 1.9, 2.8))

area <- function(p) abs(sum(p$x * c(p$y[-1], p$y[1]) - c(p$x[-1], p$x[1]) * p$y)) / 2

test_that("a tornado has the longest bar on top", {
  found <- cost_ranges(desk(), desk_rows, desk_cost(), vary = list(
    prior = list(ill = c(0.05, 0.2)), wait = list(ill = c(30, 100)), refer = c(1, 3)
  ))
  drawn <- draw(found)
  spans <- abs(drawn$cost_to - drawn$cost_from)
  expect_false(is.unsorted(-spans))
  expect_setequal(drawn$parameter, found$parameter)
})

test_that("a map: polygons that fill the rectangle, with the decisions of decide() inside", {
  both <- cost_ranges(desk(), desk_rows, desk_cost(), vary = list(
    wait = list(ill = c(0, 100)), refer = c(0, 5)
  ))
  drawn <- draw(both, "map")
  expect_setequal(drawn$row, 1:3)
  p <- predict(desk(), desk_rows, type = "prob")[, "ill"]
  for (i in 1:3) {
    regions <- split(drawn[drawn$row == i, ], droplevels(drawn$decision[drawn$row == i]))
    expect_within(sum(vapply(regions, area, 1)), 500, 1e-10)
    for (region in regions) {
      inside <- colMeans(region[c("x", "y")])
      decided <- decide(desk(), desk_rows[i, , drop = FALSE], desk_cost(inside[[1]], inside[[2]]))
      expect_identical(decided$decision, region$decision[[1]])
      # At each corner inside of the rectangle two actions or more cost the same.
      costs <- cbind(4 - 3 * p[[i]], region$x * p[[i]], region$y)
      within <- region$x > 0 & region$x < 100 & region$y > 0 & region$y < 5
      gap <- apply(costs, 1L, function(cost) diff(sort(cost)[1:2]))
      expect_true(all(gap[within] < 1e-12))
    }
  }
  expect_identical(unique(draw(both, "map", rows = 2)$row), 2L)
})

test_that("arguments that are wrong are named", {
  one <- cost_ranges(desk(), desk_rows, desk_cost(), vary = list(refer = c(0, 5)))
  expect_bayesrisk_error(draw(one, "map"), "argument", "two costs")
  expect_bayesrisk_error(draw(one, rows = 1), "argument", "rows")
  expect_bayesrisk_error(draw(one, "bars"), "argument", "type")
  both <- cost_ranges(desk(), desk_rows, desk_cost(), vary = list(
    wait = list(ill = c(0, 100)), refer = c(0, 5)
  ))
  expect_bayesrisk_error(draw(both, "map", rows = 9), "argument", "rows")
})

test_that("labels of a tornado are short", {
  labels <- c("cost of wait when truth is ill", "prior of ill", "cost of refer")
  short <- c("cost of wait if ill", "prior of ill", "cost of refer")
  expect_identical(tornado_labels(labels), short)
})

test_that("the ends of a tornado have their numbers outside of the bars", {
  figure <- do.call(plot, figures()$tornado)
  texts <- layer_of(figure, "GeomText")
  bars <- layer_of(figure, "GeomTile")
  right <- texts$hjust == 0
  expect_equal(texts$x[right], bars$xmax[right])
  expect_equal(texts$x[!right], bars$xmin[!right])
})

test_that("a map has a panel and a cross for each case", {
  figure <- do.call(plot, figures()$map)
  cross <- layer_of(figure, "GeomPoint")
  expect_equal(cross$x, c(5, 5))
  expect_equal(cross$y, c(0.2, 0.2))
  expect_bayesrisk_error(
    plot(figures()$map[[1L]], rows = 1), "argument", "`rows` is for"
  )
})

five <- function() list(cbind(1:5, log(c(.1, .2, .3, .2, .2))), matrix(0, 0, 2), cbind(7, 0))

test_that("points are a data frame, a class without rows one row of NA", {
  points <- points_frame(five(), c("a", "b", "c"), "share")
  expect_identical(as.character(points$class), c(rep("a", 5), "b", "c"))
  expect_identical(points$value, c(1:5, NA, 7))
  expect_within(points$share, c(.1, .2, .3, .2, .2, NA, 1), 1e-15)
  expect_within(
    summarise_points(points), cbind(points = c(5, 0, 1), from = c(1, NA, 7), to = c(5, NA, 7)), 0
  )
})

test_that("printed points are cut", {
  many <- points_frame(list(cbind(seq(0, 1, length.out = 3000), -1)), "a{x}", "share")
  lines <- capture.output(printed <- print(many))
  expect_length(lines, 22L)
  expect_match(lines[[22]], "... and 2980 more points")
  expect_identical(printed, many)
  expect_length(capture.output(print(many[1:3, ])), 4L)
  expect_identical(class(many[, character()]), "data.frame")
})

test_that("a plot reaches from the first point to the last, and looks at some of them", {
  ends <- outer_points(five(), c(.1, NaN, .2))
  expect_identical(ends$mean, c(1, 5, NA, NA, 7, 7))
  expect_identical(ends$sd, c(.1, .1, NaN, NaN, .2, .2))
  expect_identical(values_within(five(), c(2, 7), 10L), c(2, 3, 4, 5, 7))
  expect_identical(values_within(five(), c(2, 7), 3L), c(2, 4, 7))
  expect_identical(values_within(five(), c(8, 9), 3L), numeric())
})

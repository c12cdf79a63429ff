skip_if_not_installed("ggplot2")

test_that("the strip of decisions changes at the cuts", {
  figure <- do.call(ggplot2::autoplot, figures()$interval)
  drawn <- do.call(draw, figures()$interval)
  strip <- layer_of(figure, "GeomRect")
  expect_equal(strip$xmax[-nrow(strip)], attr(drawn, "regions")$cut)
  expect_equal(layer_of(figure, "GeomVline")$xintercept, attr(drawn, "regions")$cut)
  expect_identical(nrow(layer_of(figure, "GeomPoint")), 150L)
  # Each class has a row of its own.
  points <- layer_of(figure, "GeomPoint", 2L)
  expect_identical(rowSums(table(points$y, points$colour) > 0), c(1, 1, 1), ignore_attr = TRUE)
})

test_that("a rule has a line at its cut, and no label above it", {
  figure <- do.call(ggplot2::autoplot, figures()$rule)
  expect_equal(layer_of(figure, "GeomVline", 2L)$xintercept, 20)
  expect_match(figure$labels$caption, "the best rule would save")
})

test_that("the plane has the boundaries and the cases", {
  figure <- do.call(ggplot2::autoplot, figures()$plane)
  lines <- do.call(rbind, attr(do.call(draw, figures()$plane), "boundaries"))
  path <- layer_of(figure, "GeomPath")
  expect_equal(path$x, unname(lines[, 1L]))
  expect_equal(path$y, unname(lines[, 2L]))
  expect_equal(layer_of(figure, "GeomPoint")$x, iris$Petal.Length)
  fills <- unique(layer_of(figure, "GeomRaster")$fill)
  expect_setequal(fills, region_colours(levels(iris$Species), label_style(
    levels(iris$Species), list()
  )))
  expect_identical(nrow(line_points(list())), 0L)
})

test_that("a plane without boundaries, and cases of unknown class", {
  model <- fit(bayes_naive(), Species ~ Petal.Length + Petal.Width, iris)
  figure <- ggplot2::autoplot(model, "regions", data = iris[-5L], cost = zero_one_cost(model))
  expect_silent(ggplot2::ggplot_build(figure))
  expect_identical(unique(layer_of(figure, "GeomPoint", 2L)$colour), "grey20")
})

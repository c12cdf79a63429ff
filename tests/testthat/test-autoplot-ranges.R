skip_if_not_installed("ggplot2")

test_that("a sweep marks the decision's changes, the prior now and the Bayes risk", {
  object <- figures()$sweep[[1L]]
  figure <- ggplot2::autoplot(object)
  expect_equal(layer_of(figure, "GeomVline")$xintercept, 0.75)
  expect_equal(layer_of(figure, "GeomVline", 2L)$xintercept, utils::head(object$to, -1L))
  risk <- layer_of(figure, "GeomLine", 3L)
  expect_equal(risk$y, attr(draw(object), "risk")$risk)
  # The grey line below is the least cost at each corner.
  least <- layer_of(figure, "GeomLine")
  expect_equal(tapply(least$y, least$x, max), tapply(figure$data$cost, figure$data$x, min))
})

test_that("xlim and rows choose what is computed", {
  object <- figures()$sweep_cases[[1L]]
  figure <- ggplot2::autoplot(object, rows = 2, xlim = c(0.2, 0.6))
  expect_identical(range(figure$data$x), c(0.2, 0.6))
  expect_identical(unique(figure$data$row), 2L)
  expect_bayesrisk_error(ggplot2::autoplot(object, rows = 9), "argument", "rows of `object`")
})

test_that("the ends of a tornado have their numbers outside of the bars", {
  figure <- do.call(ggplot2::autoplot, figures()$tornado)
  texts <- layer_of(figure, "GeomText")
  bars <- layer_of(figure, "GeomTile")
  right <- texts$hjust == 0
  expect_equal(texts$x[right], bars$xmax[right])
  expect_equal(texts$x[!right], bars$xmin[!right])
})

test_that("a map has a panel and a cross for each case", {
  figure <- do.call(ggplot2::autoplot, figures()$map)
  cross <- layer_of(figure, "GeomPoint")
  expect_equal(cross$x, c(5, 5))
  expect_equal(cross$y, c(0.2, 0.2))
  expect_bayesrisk_error(
    ggplot2::autoplot(figures()$map[[1L]], rows = 1), "argument", "`rows` is for"
  )
})

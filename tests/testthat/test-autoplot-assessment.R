skip_if_not_installed("ggplot2")

test_that("a cost curve has the constant decisions and the weight now", {
  figure <- do.call(ggplot2::autoplot, figures()$cost_curve)
  lines <- layer_of(figure, "GeomLine")
  expect_equal(lines$y[lines$group == 3L], figure$data$weight)
  expect_equal(lines$y[lines$group == 4L], 1 - figure$data$weight)
  # 50 cases each, errors of 4 and 1.
  expect_equal(layer_of(figure, "GeomVline")$xintercept, 0.8)
})

test_that("the first few cases do not set the limits of coverage", {
  figure <- do.call(ggplot2::autoplot, figures()$coverage)
  lines <- layer_of(figure, "GeomLine")
  shown <- figure$data$cost[figure$data$coverage >= 0.05]
  expect_lte(max(lines$y[lines$PANEL == 1L], na.rm = TRUE), max(shown, figure$data$risk[-1L]))
  expect_identical(nlevels(lines$PANEL), 2L)
})

test_that("calibration has a panel for each class, and bars of its cases", {
  figure <- do.call(ggplot2::autoplot, figures()$calibration_three)
  bars <- layer_of(figure, "GeomRect")
  longest <- tapply(bars$ymax - bars$ymin, bars$PANEL, max)
  expect_equal(as.vector(longest), rep(0.14, 3))
  one <- ggplot2::autoplot(figures()$roc[[1L]], "calibration", class = "virginica")
  expect_identical(one$labels$x, "probability of virginica")
  expect_bayesrisk_error(
    ggplot2::autoplot(figures()$roc[[1L]], class = "virginica"), "argument", "does not use `class`"
  )
  expect_bayesrisk_error(ggplot2::autoplot(figures()$roc[[1L]], "cost"), "argument", "two classes")
})

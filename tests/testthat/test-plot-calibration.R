test_that("Wilson's interval is that of prop.test() without correction", {
  tested <- stats::prop.test(3, 17, correct = FALSE)$conf.int
  expect_equal(unlist(wilson_interval(3 / 17, 17), use.names = FALSE), as.vector(tested))
  expect_identical(wilson_interval(0, 4)$lower, 0)
  expect_identical(wilson_interval(1, 4)$upper, 1)
})

test_that("calibration has a panel for each class, and bars of its cases", {
  figure <- do.call(plot, figures()$calibration_three)
  bars <- layer_of(figure, "GeomRect")
  longest <- tapply(bars$ymax - bars$ymin, bars$PANEL, max)
  expect_equal(as.vector(longest), rep(0.14, 3))
  one <- plot(figures()$roc[[1L]], "calibration", class = "virginica")
  expect_identical(one$labels$x, "probability of virginica")
})

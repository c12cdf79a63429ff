test_that("symbols with a frame become filled ones, letters stay", {
  expect_identical(solid_symbols(c(21L, 24L, 3L)), c(16L, 17L, 3L))
  expect_identical(solid_symbols(c("x", "24")), c("x", "2"))
})

test_that("bars stand between their ends", {
  data <- data.frame(level = c("a", "b"), from = c(0, 3), to = c(2, 1))
  figure <- start_figure(data, level_scales("x", data$level)) +
    bars_of(data, "x", "level", "from", "to", shade = "grey")
  bars <- layer_of(figure, "GeomTile")
  expect_equal(bars[c("ymin", "ymax")], data.frame(ymin = c(0, 1), ymax = c(2, 3)),
               ignore_attr = TRUE)
})

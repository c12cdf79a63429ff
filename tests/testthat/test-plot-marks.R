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

test_that("a line of one point is a symbol, without a message of ggplot2", {
  # All cases have the same posterior: one price, one bin, one cut.
  p <- cbind(a = rep(0.3, 6), b = 0.7)
  assessed <- assess_decisions(p, truth = c("a", "b", "b", "b", "a", "b"))
  for (type in c("coverage", "calibration", "lift")) {
    expect_no_message(ggplot2::ggplotGrob(figure <- plot(assessed, type)))
    symbols <- Filter(function(layer) inherits(layer$geom, "GeomPoint"), figure$layers)
    expect_length(symbols, 1L)
  }
  worth <- value_of_data(fit(bayes_naive(), Species ~ ., iris), n = 10, draws = 10)
  expect_no_message(ggplot2::ggplotGrob(plot(worth)))
  rows <- data.frame(
    x = c(1, 2, 1, 2, 1), y = c(1, 2, 3, NA, 5), by = c("a", "a", "b", "b", "c"),
    panel = c("one", "two", "one", "one", "one")
  )
  expect_identical(are_alone(rows[-4], "x", "y", "by"), c(FALSE, FALSE, TRUE, FALSE, TRUE))
  expect_identical(are_alone(rows, "x", "y", "by"), c(TRUE, TRUE, TRUE, FALSE, TRUE))
  expect_identical(are_alone(rows[0, ], "x", "y", "by"), logical())
})

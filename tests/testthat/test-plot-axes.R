test_that("levels and numbers share a figure, and only levels are turned", {
  data <- data.frame(
    y = rep(c("a", "b"), 20), n = seq_len(40), g = factor(rep(sprintf("a long level %d", 1:8), 5))
  )
  figure <- plot(fit(bayes_naive(laplace = 1), y ~ n + g, data))
  built <- ggplot2::ggplot_build(figure)
  panels <- built$layout$panel_params
  expect_false(anyNA(as.numeric(Filter(Negate(is.na), panels[[1L]]$x$get_labels()))))
  expect_match(panels[[2L]]$x$get_labels(), "level")
  # Before version 3.5.0 of ggplot2 a guide is a list of its parameters.
  settings <- function(guide) if (is.environment(guide)) guide$params else guide
  angles <- lapply(panels, function(panel) settings(panel$x$guide)$angle)
  expect_false(is.numeric(angles[[1L]]))
  expect_identical(angles[[2L]], 90)
  ranges <- lapply(panels, function(panel) panel$x$continuous_range)
  expect_true(all(diff(ranges[[2L]]) > 7, ranges[[2L]][[1L]] < 0.6))
  # Levels have the order of the feature, not of the alphabet.
  built <- ggplot2::ggplot_build(do.call(plot, figures()$tennis))
  expect_identical(built$layout$panel_params[[1L]]$x$get_labels(), levels(play_tennis$outlook))
})

test_that("of many levels some have a label", {
  rows <- data.frame(level = sprintf("level %03d", 1:500), y = 1)
  figure <- start_figure(rows, level_scales("x", rows$level)) +
    ggplot2::geom_col(aes_of(x = "level", y = "y"), rows)
  built <- ggplot2::ggplot_build(figure)
  axis <- built$layout$panel_params[[1L]]$x
  expect_lte(length(axis$get_labels()), 50L)
  expect_identical(axis$get_labels()[[2L]], sprintf("level %03d", axis$get_breaks()[[2L]]))
  expect_identical(nrow(built$data[[1L]]), 500L)
})

test_that("crowded labels are turned", {
  expect_false(are_crowded(c("sunny", "overcast", "rain"), 27))
  expect_true(are_crowded(c("sunny", "overcast", "rain"), 18))
})

test_that("the last number of a panel does not touch the next panel", {
  expect_null(shared_axis(1L))
  breaks <- shared_axis(2L)$scale_x_continuous()$breaks
  expect_equal(breaks(c(0, 1)), c(0, 0.2, 0.4, 0.6, 0.8))
})

test_that("cuts are labelled with four digits, and more far from 0", {
  expect_identical(cut_labels(c(20.3456, 1.23456), 30), c("20.35", "1.235"))
  expect_identical(cut_labels(1e6 + c(1.04, 1.31), 4), c("1000001.04", "1000001.31"))
  expect_identical(cut_labels(0, 1), "0")
  expect_identical(cut_labels(c(-2e-16, 1), 10), c("0", "1"))
  expect_identical(cut_labels(123456, 1e5), "123500")
})

test_that("labels are cut in their middle", {
  expect_identical(cut_to(c("short", "a label that is long"), 10), c("short", "a la...ong"))
})

test_that("a long title has two lines of about the same width", {
  expect_identical(halves("probability from which on A is decided"),
                   c("probability from", "which on A is decided"))
  expect_identical(halves("word"), "word")
})

test_that("text becomes smaller on small devices, down to one half", {
  expect_identical(device_inches(), c(6, 4))
  for (size in list(c(9, 9, 1), c(3, 3, 2 / 3), c(1, 1, 0.5))) {
    withr::local_pdf(NULL, width = size[[1L]], height = size[[2L]])
    expect_equal(text_scale(), size[[3L]])
    expect_equal(text_room(), size[1:2] / size[[3L]])
    grDevices::dev.off()
  }
})

test_that("panels stand as facet_wrap() has them", {
  expect_equal(vapply(c(1, 2, 3, 4, 5, 9), panel_columns, 1), c(1, 2, 3, 2, 3, 3))
})

test_that("an axis ends at the largest finite number, or at 1", {
  expect_identical(finite_max(c(2, Inf, NA)), 2)
  expect_identical(finite_max(c(0, -Inf)), 1)
})

test_that("a positive axis has numbers in its own range", {
  breaks <- positive_axis()$scale_y_continuous()$breaks
  expect_equal(breaks(c(-0.2, 1.05)), seq(0, 1.2, 0.2))
  expect_gte(sum(breaks(c(0.95, 1)) >= 0.95), 5)
})

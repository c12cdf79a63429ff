test_that("stacked bars stand on each other, grouped ones side by side", {
  bars <- list()
  recorded <- function(draw) {
    environment(draw) <- list2env(list(draw_bars = function(left, bottom, right, top, keys, k) {
      bars[[k]] <<- list(left = left, bottom = bottom, right = right, top = top)
    }), parent = environment(draw))
    draw
  }
  values <- cbind(c(0.2, 0.5), c(0.3, 0.1))
  recorded(draw_stacked_bars)(values, NULL)
  expect_equal(bars[[2L]][c("bottom", "top")], list(bottom = values[, 1L], top = rowSums(values)))
  recorded(draw_grouped_bars)(values, NULL)
  expect_equal(bars[[1L]]$right, bars[[2L]]$left)
  expect_equal(bars[[2L]][c("bottom", "top")], list(bottom = 0, top = values[, 2L]))
})

test_that("a case of unknown class has a symbol of its own", {
  withr::local_pdf(NULL)
  plot.new()
  keys <- label_style(c("a", "b"), list())
  expect_no_error(draw_symbols(1:3, 1:3, keys, c(1L, NA, 2L)))
  keys$pch <- c("x", "y")
  expect_no_error(draw_symbols(1:3, 1:3, keys, c(1L, NA, 2L)))
})

test_that("an axis ends at the largest finite number, or at 1", {
  expect_identical(finite_max(c(2, Inf, NA)), 2)
  expect_identical(finite_max(c(0, -Inf)), 1)
})

test_that("numbers at bars are drawn where they fit", {
  withr::local_pdf(NULL)
  plot.new()
  plot.window(c(0, 5), 0:1)
  expect_identical(number_size(c("+0.25", "-1")), 0.85)
  plot.window(c(0, 15), 0:1)
  size <- number_size(c("+0.25", "-1"))
  expect_equal(size * strwidth("+0.25"), 0.95)
  plot.window(c(0, 100), 0:1)
  expect_lt(number_size(c("+0.25", "-1")), 0.5)
  expect_no_error(draw_numbers(1:2, 0:1, c("+0.25", "-1"), 3L))
})

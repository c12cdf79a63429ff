test_that("panels are laid out in as square a grid as there is", {
  expect_equal(lapply(c(1, 2, 4, 5, 9), panel_layout), list(
    c(1, 1), c(1, 2), c(2, 2), c(2, 3), c(3, 3)
  ))
})

test_that("levels that do not fit side by side are turned, and cut where they are too long", {
  withr::local_pdf(NULL, width = 4, height = 4)
  expect_identical(level_labels(c("a", "b"), 1L)$las, 1L)
  turned <- level_labels(c(state.name, strrep("long ", 40)), 1L)
  expect_identical(turned$las, 2L)
  expect_match(turned$labels[[51L]], "[.]{3}$")
  expect_true(all(strwidth(turned$labels, "inches") <= 0.3 * 4))
  expect_identical(level_labels(c("a", "b"), 2L)$las, 1L)
})

test_that("legends together take at most a quarter of the height", {
  withr::local_pdf(NULL, width = 3, height = 3)
  keys <- label_style(sprintf("class %02d", 1:30), list())
  legends <- list(legend_entries(keys[1:2, ], line = TRUE), legend_entries(keys, line = TRUE))
  fitted <- fit_legends(rep(legends, 3L), list())
  expect_lte(sum(vapply(fitted, legend_rows, 1)) * row_height(), 0.25 * 3)
  expect_true(length(fitted) %in% 1:5)
  expect_true(all(vapply(fitted, function(legend) length(legend$shown) > 0, NA)))
})

test_that("labels may be expressions, and one for each panel", {
  expect_no_error(draw(two_classes(), main = expression(x^2), ylab = quote(p(x)), xlab = "mm"))
  expect_no_error(draw(iris_naive(), xlab = c("first", "second")))
  expect_identical(user_label(c("first", "second"), "own", 3L), "first")
  expect_identical(user_label(NULL, "own", 3L), "own")
})

test_that("the numbers of an axis differ, however far from 0 they are", {
  for (offset in c(0, 1e6, -1e6, 1e9, 2^40)) {
    at <- offset + c(0, 0.5, 1, 1.5)
    expect_identical(as.double(number_labels(at)), at)
  }
  expect_identical(number_labels(seq(-0.4, 0.4, by = 0.2)), c("-0.4", "-0.2", "0.0", "0.2", "0.4"))
  expect_identical(number_labels(c(0, 0.1 + 0.2)), c("0.0", "0.3"))
})

test_that("cuts are labelled with four digits, and more far from 0", {
  expect_identical(cut_labels(c(20.3456, 1.23456), 30), c("20.35", "1.235"))
  expect_identical(cut_labels(1e6 + c(1.04, 1.31), 4), c("1000001.04", "1000001.31"))
  expect_identical(cut_labels(0, 1), "0")
  expect_identical(cut_labels(123456, 1e5), "123500")
})

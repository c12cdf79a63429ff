test_that("panels are laid out in as square a grid as there is", {
  expect_equal(lapply(c(1, 2, 4, 5, 9), panel_layout), list(
    c(1, 1), c(1, 2), c(2, 2), c(2, 3), c(3, 3)
  ))
})

test_that("levels that do not fit side by side are turned, and cut where they are too long", {
  withr::local_pdf(NULL, width = 4, height = 4)
  expect_identical(axis_labels(c("a", "b"), 1L, 1, NULL)$las, 1L)
  turned <- axis_labels(c(state.name, strrep("long ", 40)), 1L, 1, NULL)
  expect_identical(turned$las, 2L)
  expect_match(turned$labels[[51L]], "^long.*[.]{3}.*long $")
  expect_true(all(strwidth(turned$labels, "inches", turned$size) <= 0.3 * 4))
  expect_identical(axis_labels(c("a", "b"), 2L, 1, NULL)$las, 1L)
})

test_that("legends together take at most 30 % of the height", {
  withr::local_pdf(NULL, width = 3, height = 3)
  keys <- label_style(sprintf("class %02d", 1:30), list())
  legends <- list(legend_entries(keys[1:2, ], line = TRUE), legend_entries(keys, line = TRUE))
  fitted <- fit_legends(rep(legends, 3L), list(margins = rep(0.5, 4)))
  expect_lte(sum(vapply(fitted, legend_rows, 1)) * row_height(), 0.3 * 3)
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

test_that("a small device makes text small, but is no error", {
  for (inches in c(0.3, 1, 3)) {
    local({
      withr::local_pdf(NULL, width = inches, height = inches)
      expect_no_error(plot(two_classes(), "regions", main = "small"))
      expect_no_error(plot(iris_naive(), main = "small"))
      expect_identical(graphics::par("cex"), 1)
    })
  }
  withr::local_pdf(NULL, width = 3, height = 3)
  laid <- lay_out(list(list(xlab = "x", ylab = "y", levels = letters)), list(), list(), FALSE)
  expect_true(leave_room(laid$panels[[1L]]$margins))
})

test_that("horizontal numbers of a vertical axis move its title outward", {
  withr::local_pdf(NULL)
  expect_equal(axis_labels(NULL, 2L, 1, c(0, 1))$lines, 4.1)
  graphics::par(las = 1)
  expect_equal(axis_labels(NULL, 2L, 1, c(0, 1))$lines, 4.1)
  room <- axis_labels(NULL, 2L, 1, c(0, 12345))$lines
  expect_equal((room - 2.1) * line_height(), strwidth("14000", "inches"))
})

test_that("on a small device text becomes smaller where it makes legends complete", {
  withr::local_pdf(NULL, width = 3, height = 3)
  short <- data.frame(labels = paste("class", 1:8))
  legends <- list(
    legend_entries(label_style(short$labels, list()), line = TRUE),
    legend_entries(data.frame(labels = c("few", "many")), fill = c("red", "blue"), title = "cost:")
  )
  panel <- list(xlab = "x", ylab = "y", xlim = 0:1, ylim = 0:1)
  laid <- lay_out(list(panel), legends, list(), FALSE)
  expect_true(laid$complete)
  expect_gte(graphics::par("cex"), 0.6)
  # Where that is not enough, text keeps its size, and the short legend keeps its row.
  graphics::par(cex = 1)
  legends[[1L]] <- legend_entries(label_style(paste("class", 1:80), list()), line = TRUE)
  laid <- lay_out(list(panel), legends, list(), FALSE)
  expect_false(laid$complete)
  expect_identical(graphics::par("cex"), 1)
  expect_length(laid$legends, 2L)
})

test_that("labels side by side leave room for the margins of the device", {
  withr::local_pdf(NULL, width = 8, height = 8)
  levels <- paste("a level with a long name", 1:5)
  panel <- lay_out_panel(list(xlab = "x", ylab = "y", levels = levels), 1L, list(), 0.1)
  step <- (8 - sum(panel$margins[c(2, 4)])) / 5
  expect_identical(panel$labels[[1L]]$las, 1L)
  expect_true(all(strwidth(panel$labels[[1L]]$labels, "inches") <= step / 1.1))
})

test_that("the titles of both axes never meet", {
  for (inches in c(1, 3, 7)) {
    withr::local_pdf(NULL, width = inches, height = inches)
    title <- strrep("long ", 60)
    panel <- lay_out_panel(list(xlab = title, ylab = title, ylim = 0:1), 1L, list(), 0.2)
    y_title <- panel$titles[[2L]]
    expect_gt(length(unlist(y_title$lines)), 0L)
    room <- inches - 0.2 - panel$margins[[1L]]
    expect_true(all(strwidth(unlist(y_title$lines), "inches", y_title$size) <= max(room, 0.3)))
    grDevices::dev.off()
  }
})

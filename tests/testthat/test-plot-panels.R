test_that("panels are laid out in as square a grid as there is", {
  expect_equal(lapply(c(1, 2, 4, 5, 9), panel_layout), list(
    c(1, 1), c(1, 2), c(2, 2), c(2, 3), c(3, 3)
  ))
})

test_that("levels that do not fit side by side are turned, and cut where they are too long", {
  grDevices::pdf(NULL, width = 4, height = 4)
  on.exit(grDevices::dev.off())
  expect_identical(label_room(list(levels = c("a", "b")))$las, 1L)
  room <- label_room(list(levels = c(state.name, strrep("long ", 40))))
  expect_identical(room$las, 2L)
  expect_match(room$labels[[51L]], "[.]{3}$")
  expect_true(all(strwidth(room$labels, "inches") <= 0.3 * 4))
})

test_that("text is cut to a width", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(fit_text("short", 7), "short")
  expect_lte(strwidth(fit_text(strrep("m", 300), 2), "inches"), 2)
  expect_identical(fit_text("text", 0.01), "...")
  expect_identical(fit_text(quote(x^2), 0.01), quote(x^2))
})

test_that("labels may be expressions, and one for each panel", {
  expect_no_error(draw(two_classes(), main = expression(x^2), ylab = quote(p(x)), xlab = "mm"))
  expect_no_error(draw(iris_naive(), xlab = c("first", "second")))
})

test_that("the numbers of an axis differ, however far from 0 they are", {
  for (offset in c(0, 1e6, -1e6, 1e9, 2^40)) {
    at <- offset + c(0, 0.5, 1, 1.5)
    labels <- format(at, digits = digits_apart(at, 0.5, 7L), trim = TRUE)
    expect_identical(as.double(labels), at)
  }
  expect_identical(digits_apart(c(0, 0.2, 0.4), 0.2, 7L), 7L)
  expect_identical(digits_apart(c(0, 0), Inf, 7L), 7L)
  expect_identical(digits_apart(1e20 + 0:1, 1, 7L), 15L)
})

test_that("cuts are labelled with four digits, and more far from 0", {
  expect_identical(cut_labels(c(20.3456, 1.23456), 30), c("20.35", "1.235"))
  expect_identical(cut_labels(1e6 + c(1.04, 1.31), 4), c("1000001.04", "1000001.31"))
  expect_identical(cut_labels(0, 1), "0")
  expect_identical(cut_labels(123456, 1e5), "123500")
})

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

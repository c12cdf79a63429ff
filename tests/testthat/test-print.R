test_that("columns stand side by side, text to the left and numbers to the right", {
  expect_equal(
    capture.output(print_aligned(list(class = c("a", "long"), rows = c(1, 20)), "classes")),
    c("  class rows", "  a        1", "  long    20")
  )
})

test_that("long columns are cut, and the rest is counted", {
  printed <- capture.output(print_aligned(list(row = seq_len(max_table_rows + 3)), "rows"))
  expect_length(printed, max_table_rows + 2L)
  expect_equal(printed[[max_table_rows + 2L]], "  ... and 3 more rows")
})

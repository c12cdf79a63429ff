test_that("columns stand side by side, text to the left and numbers to the right", {
  part <- table_part(data.frame(class = c("a", "long"), rows = c(1, 20)))
  show <- list(digits = NULL, n = NULL)
  expect_identical(console_table(part, show), c("  class rows", "  a        1", "  long    20"))
})

test_that("columns that do not fit go on below, with the keys again", {
  expect_identical(column_blocks(c(5L, 5L, 5L), 1L), list(1:3))
  withr::local_options(width = 14L)
  expect_identical(column_blocks(c(5L, 5L, 5L), 1L), list(c(1L, 2L), c(1L, 3L)))
  # A column that is wider than the console stands alone.
  expect_identical(column_blocks(c(5L, 50L, 5L), 1L), list(c(1L, 2L), c(1L, 3L)))
})

test_that("lines that are too long go on below, and others stay as they are", {
  withr::local_options(width = 20L)
  expect_identical(wrap_lines("two  spaces", 2L), "  two  spaces")
  expect_identical(
    wrap_lines("a line of some twenty letters", 2L), c("  a line of some", "    twenty letters")
  )
})

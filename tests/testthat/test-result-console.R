test_that("columns stand side by side, text to the left and numbers to the right", {
  item <- table_item(data.frame(class = c("a", "long"), rows = c(1, 20)))
  show <- show_settings(NULL, NULL, NULL)
  expect_identical(console_table(item, show), c("  class rows", "  a        1", "  long    20"))
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

test_that("a print of many classes, features and cases has about 40 lines and fits the width", {
  skip_on_cran()
  large <- suppressWarnings(large_objects())
  # Sources of data print the same few lines, whatever their size.
  sources <- c("bayesrisk_chunks", "bayesrisk_parts")
  expect_identical(setdiff(names(valid_objects()), c(names(large), sources)), character())
  for (width in c(60L, 80L)) {
    withr::local_options(width = width)
    for (i in seq_along(large)) {
      lines <- format.bayesrisk_result(large[[i]])
      expect_lte(length(lines), 45L, label = sprintf("lines of %s", names(large)[[i]]))
      label <- sprintf("width of %s", names(large)[[i]])
      expect_lte(max(nchar(lines, "width")), width, label = label)
    }
  }
})

test_that("with n, all tables, columns and rows are shown", {
  x <- matrix(0.5, 30, 30, dimnames = list(a = 1:30, b = sprintf("column %d", 1:30)))
  item <- table_item(x, digits = 2L)
  withr::local_options(width = 60L)
  short <- console_table(item, show_settings(NULL, NULL, NULL))
  expect_match(short[[length(short)]], "... and 19 more rows and 20 more columns", fixed = TRUE)
  long <- console_table(item, show_settings(NULL, 100L, NULL))
  expect_length(long, 31L * 6L)
})

test_that("keys are cut only if the columns do not fit, and then stay different", {
  withr::local_options(width = 60L)
  keys <- sprintf("Undifferentiated carcinoma, group %02d", 1:3)
  show <- show_settings(NULL, NULL, NULL)
  whole <- console_table(table_item(data.frame(keys, n = 1:3)), show)
  expect_match(whole[[2L]], keys[[1L]], fixed = TRUE)
  wide <- data.frame(keys, first_column = 1, second_column = 2, third = 1:3)
  lines <- console_table(table_item(wide), show)
  expect_length(lines, 4L)
  expect_lte(max(nchar(lines)), 60L)
  expect_match(lines, "group 0[123]", all = FALSE)
  expect_identical(anyDuplicated(substr(lines, 1L, 28L)), 0L)
})

test_that("a word that is wider than a line is cut", {
  withr::local_options(width = 30L)
  lines <- wrap_lines(paste("a word", strrep("long", 20), "too wide"), 2L)
  expect_lte(max(nchar(lines)), 30L)
  expect_match(paste(lines, collapse = " "), "longlong.*[.]{3}.*longlong +too wide")
})

test_that("a table of measures is never shortened", {
  item <- table_item(data.frame(measure = letters, value = 1:26), whole = TRUE)
  expect_length(console_table(item, show_settings(NULL, NULL, NULL)), 27L)
  expect_length(console_table(item, show_settings(NULL, 3L, NULL)), 27L)
})

skip_if_not_installed("data.table")

test_that("samples find the separator and types of fields with line ends", {
  file <- withr::local_tempfile(lines = c("y;\"a \"\"b\"\"\"", "\"x;\ny\";1,5", "z;2"))
  found <- csv_samples(file, list(header = TRUE, dec = ","), environment())
  expect_identical(found$sep, ";")
  expect_identical(found$types, c(y = "character", "a \"b\"" = "double"))
  writeLines(c("x", 1:3), file)
  expect_identical(csv_samples(file, list(header = TRUE), environment())$sep, no_separator)
})

test_that("a file of whole numbers alone is read", {
  file <- withr::local_tempfile(lines = c("x,y", "1,2", "3,4"))
  expect_identical(as.data.frame(csv_chunks(file)), data.frame(x = c(1L, 3L), y = c(2L, 4L)))
})

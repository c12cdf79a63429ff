skip_if_not_installed("data.table")

test_that("a line with more or fewer fields is an error that names the line", {
  rows <- rep(c("a,1", "b,2"), 250)
  file <- withr::local_tempfile()
  said <- function(lines, message) {
    writeLines(lines, file)
    for (size in c(1, 7, 100, 1e6)) {
      error <- expect_error(as.data.frame(csv_chunks(file, size)), message,
                            class = "bayesrisk_error_data")
      expect_match(conditionMessage(error), basename(file), fixed = TRUE)
    }
  }
  said(c("y,x", rows, "a", rows), "line 502 has 1 field,")
  said(c("y,x", rows, "a,1,2", rows), "line 502 has 3 fields")
  said(c("y,x", rows, "a"), "line 502 has 1 field,")
  said(c("y,x", "a", rows), "line 2 has 1 field,")
  said(c("y,x", "\"a,\nb\",1", rows, "\"c,d\""), "line 504 has 1 field,")
})

test_that("a quote that is not doubled is an error", {
  rows <- rep(c("a,1", "b,2"), 250)
  file <- withr::local_tempfile(lines = c("y,x", rows, "\"a\"b\",1", rows))
  expect_csv_error(file, "line 502 has a quote within")
  read <- as.data.frame(csv_chunks(file, 100, quote = ""))
  expect_identical(read$y[[501L]], "\"a\"b\"")
})

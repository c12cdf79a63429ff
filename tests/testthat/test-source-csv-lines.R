skip_if_not_installed("data.table")

test_that("fields with line ends, doubled quotes and lone quotes are those of read.csv()", {
  fields <- c("said \"no\"\nthen, left", "\"q\"", "", "\"", "a\r\nb", "\n\n", "f\u00e9\"e", "plain")
  withr::local_seed(3)
  for (end in c("\n", "\r\n")) {
    data <- data.frame(y = sample(fields, 200L, TRUE), x = 1:200)
    file <- withr::local_tempfile()
    con <- base::file(file, "wb")
    utils::write.table(data, con, sep = ",", row.names = FALSE, qmethod = "double", eol = end)
    close(con)
    for (rows in c(1, 7, 1000)) {
      read <- as.data.frame(csv_chunks(file, rows, encoding = "UTF-8"))
      expect_identical(read, data)
    }
  }
  # A field that does not begin with a quote has quotes as ordinary characters.
  writeLines(c("y,\"a \"\"b\"", "5\" pipe,1", "6\" pipe,2", "\"x\ny\",3", " \"q\" ,4"), file)
  for (rows in c(1, 100)) {
    expect_identical(
      as.data.frame(csv_chunks(file, rows)),
      data.frame(y = c("5\" pipe", "6\" pipe", "x\ny", "q"), "a \"b" = 1:4, check.names = FALSE)
    )
  }
})

test_that("blank lines are left out, and lines count", {
  rows <- rep(c("a,1", "b,2"), 250)
  file <- withr::local_tempfile()
  for (blank in list("", c("", "  ", ""))) {
    writeLines(c("y,x", rows, blank, rows, blank), file)
    for (size in c(1, 100, 1e6)) {
      expect_identical(as.data.frame(csv_chunks(file, size))$x, rep(1:2, 500))
    }
  }
  writeLines(c("y,x", "", "\"a\n\n\",1", "", rows, "a,b,c"), file)
  expect_csv_error(file, "line 507 has 3 fields")
})

test_that("a quote that is not closed, and a byte 0, are errors that name the line", {
  rows <- rep(c("a,1", "b,2"), 250)
  file <- withr::local_tempfile(lines = c("y,x", rows, "\"a,1", rows))
  expect_csv_error(file, "quote in line 502 is not closed")
  zero <- c(charToRaw(paste0(paste(c("y,x", rows), collapse = "\n"), "\n")), as.raw(0:1))
  writeBin(c(zero, charToRaw("a,1\n")), file)
  expect_csv_error(file, "line 502 has a byte 0")
})

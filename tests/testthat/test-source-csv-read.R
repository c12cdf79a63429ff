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

test_that("fields with line ends, doubled quotes and lone quotes are those of read.csv()", {
  fields <- c("said \"no\"\nthen, left", "\"q\"", "", "\"", "a\r\nb", "\n\n", "plain")
  # write.table() writes the encoding of the session.
  if (l10n_info()$`UTF-8`) fields <- c(fields, "f\u00e9\"e")
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

test_that("samples find the separator and types of fields with line ends", {
  file <- withr::local_tempfile(lines = c("y;\"a \"\"b\"\"\"", "\"x;\ny\";1,5", "z;2"))
  found <- csv_samples(file, csv_settings(dec = ",", call = NULL), environment())
  expect_identical(found$sep, ";")
  expect_identical(found$types, c(y = "character", "a \"b\"" = "double"))
  writeLines(c("x", 1:3), file)
  expect_identical(csv_samples(file, csv_settings(call = NULL), environment())$sep, no_separator)
})

test_that("a file of whole numbers alone is read", {
  file <- withr::local_tempfile(lines = c("x,y", "1,2", "3,4"))
  expect_identical(as.data.frame(csv_chunks(file)), data.frame(x = c(1L, 3L), y = c(2L, 4L)))
})

test_that("quotes in fields without quotes are ordinary, and control characters stay", {
  file <- withr::local_tempfile(lines = c("y,x", "{\"k\":\"v\"},1", "6\",2", "\x10b\x12,3"))
  wanted <- data.frame(y = c("{\"k\":\"v\"}", "6\"", "\x10b\x12"), x = 1:3)
  for (rows in c(1, 100)) expect_identical(as.data.frame(csv_chunks(file, rows)), wanted)
  cat("\"p\nq\",4\n", file = file, append = TRUE)
  expect_bayesrisk_error(as.data.frame(csv_chunks(file)), "data", "line 4 has .* control character")
})

test_that("the mark at the beginning of a text in UTF-8 is no part of its first name", {
  file <- withr::local_tempfile()
  for (text in c("y,x\na,1\nb,2", "x\n1\n2\n")) {
    writeBin(c(as.raw(c(0xef, 0xbb, 0xbf)), charToRaw(text)), file)
    for (rows in 1:2) {
      expect_identical(as.data.frame(csv_chunks(file, rows)), utils::read.csv(text = text))
    }
  }
})

test_that("a header with other fields than the rows is an error", {
  file <- withr::local_tempfile()
  for (sep in c(" ", ",")) {
    lines <- c(paste("y", "x", "z", "w", sep = sep), paste("a", "1", sep = sep))
    # fread() would take the first row for the header.
    writeLines(lines, file)
    expect_csv_error(file, "lines from 1 on|line 1 has 4")
    utils::write.table(iris, file, sep = sep)
    expect_csv_error(file, "lines from 1 on|line 1 has 5")
  }
})

test_that("samples all over a large file find the types", {
  skip_on_cran()
  n <- 150000L
  late <- c(rep("1", n / 2), "1e400", rep("2", n / 2 - 1L))
  data <- data.frame(x = 1:n, late, text = replace(late, n / 2 + 0:9999, "a\n\"b\""))
  file <- withr::local_tempfile()
  for (sep in c(",", " ")) {
    data.table::fwrite(data, file, sep = sep)
    expect_gt(file.size(file), 2^20)
    found <- csv_samples(file, csv_settings(sep = sep, call = NULL), environment())
    expect_identical(found$types[c("x", "text")], c(x = "integer", text = "character"))
    read <- as.data.frame(csv_chunks(file, 20000, sep = sep))
    expect_identical(read$late[n / 2 + 0:2], c(1, Inf, 2))
    expect_identical(read$text, data$text)
  }
})

test_that("dates that fread() leaves as text are dates", {
  expect_identical(sampled_type(c("2024-01-02", ""), "."), "Date")
  read <- text_times(c("2024-1-2", "", NA, "2024-02-30", "x"), "Date")
  expect_identical(read$wrong, 4:5)
  expect_identical(read$value, as.Date(c("2024-01-02", NA, NA, NA, NA)))
  expect_identical(text_times(c("x", "2024-01-02"), "Date")$wrong, 1:2)
})

skip_if_not_installed("data.table")

csv_of <- function(data, ..., extension = ".csv", env = parent.frame()) {
  file <- withr::local_tempfile(fileext = extension, .local_envir = env)
  data.table::fwrite(data, file, na = "NA", ...)
  file
}

test_that("a file in chunks is the file as a whole", {
  data <- late_data()
  for (sep in c(",", ";", "\t")) {
    file <- csv_of(data, sep = sep)
    whole <- data.table::fread(file, na.strings = "NA", data.table = FALSE)
    for (rows in c(20, 70, 1e6)) {
      expect_identical(as.data.frame(csv_chunks(file, rows, na.strings = "NA")), whole)
    }
  }
  spec <- bayes_naive(laplace = 1)
  found <- bayes_statistics(spec, y ~ ., csv_chunks(file, 100, na.strings = "NA"), weights = w)
  expect_same_statistics(found, bayes_statistics(spec, y ~ ., whole, weights = w), "csv")
})

test_that("line ends, quotes and compression", {
  file <- withr::local_tempfile(lines = c("a,b", "1,\"x", "y\"", "2,\"\"\"q\"\"\"", "3,"))
  whole <- utils::read.csv(file)
  expect_identical(as.data.frame(csv_chunks(file, 1)), whole)
  writeBin(charToRaw("a,b\r\n1,x\r\n2,y"), file)
  expect_identical(as.data.frame(csv_chunks(file, 1)), data.frame(a = 1:2, b = c("x", "y")))
  packed <- withr::local_tempfile(fileext = ".csv.gz")
  con <- gzfile(packed, "w")
  utils::write.csv(iris, con, row.names = FALSE)
  close(con)
  read <- as.data.frame(csv_chunks(packed, 40))
  expect_equal(transform(read, Species = factor(Species)), iris)
})

test_that("the kinds of columns are those of the whole file", {
  n <- 60000L
  data <- data.frame(
    y = rep(c("a", "b"), n / 2), whole = 1:n, part = c(rep(1L, n - 5L), 1:5 + 0.5),
    text = c(rep("1", n - 9L), rep("x", 9L)), empty = NA, big = c(rep(1, n - 1L), 2^40)
  )
  file <- csv_of(data)
  expect_gt(file.size(file), 2^20)
  read <- as.data.frame(csv_chunks(file, 5000))
  expect_identical(
    vapply(read, typeof, ""),
    c(y = "character", whole = "integer", part = "double", text = "character", empty = "logical",
      big = "double")
  )
})

test_that("a column that turns into text is an error that names the line and the remedy", {
  n <- 80000L
  data <- data.frame(
    y = rep(c("a", "b"), n / 2), x = as.character(1:n), s = paste0("a\n", strrep("b", 150))
  )
  # About 13 MB, of which the samples have half: the text is in a row between two samples.
  for (row in seq(50000L, 51000L, 100L)) {
    file <- csv_of(replace(data, 2L, list(replace(data$x, row, "seven"))))
    found <- csv_samples(file, csv_settings(call = NULL), environment())
    if (found$types[["x"]] == "integer") break
  }
  # A header, and two lines for each row.
  error <- expect_error(
    fit(bayes_naive(), y ~ x, csv_chunks(file, 5000)),
    paste0("x.*", format_count(2 * row), ".*seven"), class = "bayesrisk_error_data"
  )
  expect_match(conditionMessage(error), "col_types = c(x = \"character\")", fixed = TRUE)
  as_text <- csv_chunks(file, 5000, col_types = c(x = "character"))
  expect_type(as.data.frame(as_text)$x, "character")
})

test_that("wrong arguments and files are classed errors", {
  wrong <- function(...) expect_error(csv_chunks(...), class = "bayesrisk_error_argument")
  file <- csv_of(iris)
  wrong("nowhere.csv")
  wrong(tempdir())
  wrong(file, rows = 0)
  wrong(file, col_types = "double")
  wrong(file, col_types = c(Species = "date"))
  expect_error(csv_chunks(file, seps = ","), "sep", class = "bayesrisk_error_argument")
  expect_error(
    as.data.frame(csv_chunks(file, col_types = c(Specis = "character"))), "Species",
    class = "bayesrisk_error_argument"
  )
  empty <- withr::local_tempfile(lines = character())
  expect_error(as.data.frame(csv_chunks(empty)), class = "bayesrisk_error_data")
})

test_that("files without rows, with one line, and with one column", {
  file <- withr::local_tempfile(lines = "y,x")
  expect_error(fit(bayes_naive(), y ~ x, csv_chunks(file)), "no rows to fit",
               class = "bayesrisk_error_no_rows")
  data <- data.frame(y = rep(c("a", "b"), 3), x = c(1:5, 0.33))
  for (last in c("", "\n")) {
    lines <- c("y,x", paste(data$y, data$x, sep = ","))
    writeChar(paste0(paste(lines, collapse = "\n"), last), file, eos = NULL)
    for (rows in 1:6) expect_identical(as.data.frame(csv_chunks(file, rows)), data)
  }
  writeLines(c("x", 1:9), file)
  expect_identical(as.data.frame(csv_chunks(file, 2)), data.frame(x = 1:9))
  writeLines(c("x,z", "1,2", "3,4"), file)
  expect_identical(as.data.frame(csv_chunks(file, 1)), data.frame(x = c(1L, 3L), z = c(2L, 4L)))
})

test_that("a file that is deleted before it is read is a classed error", {
  file <- csv_of(iris)
  chunks <- csv_chunks(file)
  unlink(file)
  expect_error(fit(bayes_naive(), Species ~ ., chunks), "does not exist",
               class = "bayesrisk_error_data")
})

test_that("separators and quotes are one character", {
  file <- csv_of(iris)
  expect_error(csv_chunks(file, sep = ",,"), "sep", class = "bayesrisk_error_argument")
  expect_error(csv_chunks(file, quote = 1), "quote", class = "bayesrisk_error_argument")
  expect_identical(dim(as.data.frame(csv_chunks(file, sep = "\n", quote = ""))), c(150L, 1L))
  expect_identical(dim(as.data.frame(csv_chunks(file, sep = "auto"))), c(150L, 5L))
})

test_that("the last row may lack a line end, but no field", {
  file <- withr::local_tempfile()
  writeChar("y,x\na,1\nb,2", file, eos = NULL)
  expect_identical(as.data.frame(csv_chunks(file)), data.frame(y = c("a", "b"), x = 1:2))
  writeChar("y,x\na,1\nb", file, eos = NULL)
  expect_csv_error(file, "line 3 has 1 field")
  writeChar("y,x\na,1\n\"b,2\n", file, eos = NULL)
  expect_csv_error(file, "line 3 is not closed")
})

test_that("a column of numbers with needless zeros is text on each way in", {
  skip_if_not_installed("data.table")
  lines <- c("y,code,x", "a,01234,1.5", "b,94043,2", "a,00501,3", "b,\"1234\",0.5")
  file <- withr::local_tempfile(fileext = ".csv", lines = lines)
  packed <- withr::local_tempfile(fileext = ".csv.gz")
  con <- gzfile(packed, "wb")
  writeLines(lines, con)
  close(con)
  levels <- c("00501", "01234", "1234", "94043")
  for (rows in c(1, 100)) {
    for (source in list(csv_chunks(file, rows), csv_chunks(packed, rows),
                        data_parts(file, function(file) csv_chunks(file, rows)))) {
      model <- fit(bayes_naive(laplace = 1), y ~ code + x, source)
      expect_identical(model$schema$features$code$levels, levels)
      expect_identical(model$schema$features$x$kind, "numeric")
    }
    expect_identical(
      as.data.frame(predict(model, csv_chunks(file, rows)))$.pred_class,
      predict(model, data.frame(code = c("01234", "94043", "00501", "1234"),
                                x = c(1.5, 2, 3, 0.5)))
    )
    numbers <- as.data.frame(csv_chunks(file, rows, col_types = c(code = "double")))
    expect_equal(numbers$code, c(1234, 94043, 501, 1234))
  }
  plain <- withr::local_tempfile(fileext = ".csv", lines = c("y,code,x", "a,94043,1", "b,1234,2"))
  expect_error(as.data.frame(predict(model, csv_chunks(plain))), "code.*categorical")
  expect_identical(
    as.data.frame(csv_chunks(plain, col_types = c(code = "character")))$code, c("94043", "1234")
  )
  commas <- withr::local_tempfile(fileext = ".csv", lines = c("y;x", "a;01,50", "b;2,25"))
  read <- csv_chunks(commas, sep = ";", dec = ",", col_types = c(x = "double"))
  expect_identical(as.data.frame(read)$x, c(1.5, 2.25))
})

test_that("needless zeros that no sample shows are an error with their line", {
  skip_if_not_installed("data.table")
  file <- withr::local_tempfile(fileext = ".csv.gz")
  con <- gzfile(file, "wb")
  writeLines(c("y,code", paste0("a,", 100000 + 1:20000), "b,01234"), con)
  close(con)
  for (rows in c(1e4, 1e6)) {
    expect_error(
      as.data.frame(csv_chunks(file, rows)), "line 20002 has \"01234\".*character.*double",
      class = "bayesrisk_error_data"
    )
  }
  codes <- as.data.frame(csv_chunks(file, col_types = c(code = "character")))$code
  expect_identical(codes[c(1L, 20001L)], c("100001", "01234"))
  wrong <- withr::local_tempfile(fileext = ".csv", lines = c("y,x", "a,01", "b,no"))
  expect_error(
    as.data.frame(csv_chunks(wrong, col_types = c(x = "double"))), "line 3 has \"no\""
  )
})

test_that("na.strings and quotes tell missing text, empty text and NA apart", {
  skip_if_not_installed("data.table")
  file <- withr::local_tempfile(fileext = ".csv", lines = c(
    "y,g,n", "a,\"NA\",1", "b,NA,NA", "c,\"\",", "d,,4", "e,x,5", "f,-,-"
  ))
  read <- function(rows, ...) as.data.frame(csv_chunks(file, rows, ...))
  for (rows in c(1, 100)) {
    found <- read(rows, na.strings = c("NA", "-"))
    expect_identical(found$g, c("NA", NA, "", "", "x", NA))
    expect_identical(found$n, c(1L, NA, NA, 4L, 5L, NA))
    expect_identical(read(rows)$g, c("NA", NA, "", "", "x", "-"))
    expect_identical(read(rows, na.strings = "")$g, c("NA", "NA", "", NA, "x", "-"))
    for (none in list(NULL, character())) {
      expect_identical(read(rows, na.strings = none)$g, c("NA", "NA", "", "", "x", "-"))
    }
    withr::with_options(list(datatable.na.strings = "x"), expect_identical(read(rows)$g[[5L]], "x"))
  }
  for (wrong in list(NA_character_, NA, 1, list("NA"))) {
    expect_bayesrisk_error(csv_chunks(file, na.strings = wrong), "argument", "na.strings")
  }
})

test_that("what was written is read back: missing text, empty text, NA and zeros", {
  skip_if_not_installed("data.table")
  data <- data.frame(
    y = c("a", "b", "a", "b"), g = c("NA", NA, "", "x"), n = c(1.5, NA, 3, 4),
    code = c("01", "1", NA, "0")
  )
  file <- withr::local_tempfile(fileext = ".csv")
  write_chunks(chunked(data, 2L), file)
  expect_identical(as.data.frame(csv_chunks(file, na.strings = "")), data)
})

# The samples of a compressed file are from its first 64 kB.
test_that("a number is a number in the samples and later", {
  numbers <- c("Inf", "-Inf", "NaN", "nan", "INFINITY", "1e400", "-1E-400", "\"Inf\"", " Inf ")
  plain <- sprintf("%d.25", 1:20000)
  file <- withr::local_tempfile(fileext = ".csv.gz")
  for (at in c(0, 10, length(plain))) {
    for (dec in c(".", ",")) {
      x <- sub(".", dec, append(plain, numbers, at), fixed = TRUE)
      writeLines(c("x;y", paste0(x, ";a")), con <- gzfile(file))
      close(con)
      read <- as.data.frame(csv_chunks(file, 5000, sep = ";", dec = dec))$x
      expect_identical(read, utils::read.csv(file, sep = ";", dec = dec)$x)
    }
  }
})

test_that("the error names the value that is no number, and whole numbers lose no digit", {
  plain <- sprintf("%d", 1:20000)
  file <- withr::local_tempfile(fileext = ".csv.gz")
  for (other in c("b", "0x1F", "12345678901234567890")) {
    writeLines(c("x", plain, "Infinity", "1e400", other), con <- gzfile(file))
    close(con)
    expect_error(as.data.frame(csv_chunks(file, 5000)), paste("line 20004 has", encodeString(
      other, quote = "\""
    )), class = "bayesrisk_error_data")
    writeLines(c("x", 1:3, other), con <- gzfile(file))
    close(con)
    expect_identical(as.data.frame(csv_chunks(file))$x, c("1", "2", "3", other))
  }
})

test_that("the decimal mark is that which is given, whatever fread() would guess", {
  file <- withr::local_tempfile(fileext = ".csv", lines = c("x;z;y", "1,5;1.234;a", "2,25;2;b"))
  plain <- as.data.frame(csv_chunks(file))
  expect_identical(plain$x, c("1,5", "2,25"))
  expect_identical(plain$z, c(1.234, 2))
  # Beside decimal commas a point separates thousands: no number of fread(), and none of ours.
  for (rows in c(1, 9)) {
    commas <- as.data.frame(csv_chunks(file, rows, dec = ","))
    expect_identical(commas$x, c(1.5, 2.25))
    expect_identical(commas$z, c("1.234", "2"))
  }
  for (wrong in list("auto", ";", 1)) {
    expect_bayesrisk_error(csv_chunks(file, dec = wrong), "argument", "dec")
  }
})

test_that("dates and times have their class, whatever fread() makes of a block", {
  n <- 20000L
  days <- as.Date("2024-01-01") + rep_len(0:300, n)
  data <- data.frame(
    y = rep(c("a", "b"), n / 2), day = days, time = as.POSIXct(days, tz = "UTC") + 3600.5,
    late = as.Date(ifelse(seq_len(n) < n / 2, NA, days), "1970-01-01")
  )
  attr(data$time, "tzone") <- "UTC"
  file <- csv_of(data)
  for (rows in c(3000, 1e6)) expect_equal(as.data.frame(csv_chunks(file, rows)), data)
  text <- as.data.frame(csv_chunks(file, col_types = c(day = "character")))
  expect_identical(text$day, format(days))
  plain <- withr::local_tempfile(lines = c("t,y", paste0(format(data$time[1:9]), ",a"), ",b"))
  whole <- as.POSIXct(trunc(data$time[1:10]))
  expect_equal(as.data.frame(csv_chunks(plain, 1))$t, replace(whole, 10, NA))
  # fread() reads times without a zero at their beginning itself.
  late <- as.POSIXct("2024-11-15 14:22:33", tz = "UTC") + 3600 * 0:4
  no_zero <- csv_of(data.frame(t = format(late), y = "a"))
  for (rows in 2:9) expect_equal(as.data.frame(csv_chunks(no_zero, rows))$t, late)
  packed <- withr::local_tempfile(fileext = ".csv.gz")
  writeLines(c("y,day", paste0("a,", format(days)), "b,soon"), con <- gzfile(packed))
  close(con)
  expect_error(
    as.data.frame(csv_chunks(packed, 3000)), "day is dates.*line 20002 has \"soon\".*character",
    class = "bayesrisk_error_data"
  )
})

test_that("a compressed file that is damaged or ends too early is an error", {
  withr::local_seed(1)
  data <- data.frame(y = sample(letters, 1000L, TRUE), x = stats::rnorm(1000L))
  packed <- function(data, header = TRUE) {
    file <- withr::local_tempfile()
    con <- gzfile(file, "w")
    utils::write.table(data, con, sep = ",", row.names = FALSE, col.names = header)
    close(con)
    readBin(file, "raw", 1e6)
  }
  file <- withr::local_tempfile(fileext = ".csv.gz")
  rows <- function(bytes, size = 1e6) {
    writeBin(bytes, file)
    nrow(as.data.frame(csv_chunks(file, size)))
  }
  whole <- packed(data)
  expect_identical(rows(whole), 1000L)
  for (left in c(0.75 * length(whole), length(whole) - c(1, 4, 8), 30)) {
    for (size in c(10, 1e6)) {
      expect_error(rows(utils::head(whole, left), size), class = "bayesrisk_error_data")
    }
  }
  expect_error(
    rows(utils::head(whole, -4L)), "[0-9]+ bytes, 1000 rows can", class = "bayesrisk_error_data"
  )
  expect_error(rows(c(whole, charToRaw("a,1\n"))), "damaged", class = "bayesrisk_error_data")
  expect_error(rows(c(whole, raw(512))), class = "bayesrisk_error_data")
  damaged <- replace(whole, 3000L, xor(whole[[3000L]], as.raw(7)))
  expect_error(rows(damaged), class = "bayesrisk_error_data")
  # Archives that follow each other, and a file that is not compressed.
  two <- c(whole, packed(data, header = FALSE))
  expect_identical(rows(two, 100), 2000L)
  expect_error(rows(utils::head(two, -300L)), "ends too early", class = "bayesrisk_error_data")
  expect_identical(rows(charToRaw("y,x\na,1\n")), 1L)
})

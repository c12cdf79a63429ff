skip_if_not_installed("jsonlite")

test_that("every double is read bit for bit", {
  withr::local_seed(1)
  bits <- as.raw(sample(0:255, 8e4, TRUE))
  x <- readBin(bits, "double", 1e4)
  x <- c(x[is.finite(x)], NA, NaN, Inf, -Inf, 0, -0, 5e-324, .Machine$double.xmax, 0.1, 1e22)
  file <- withr::local_tempfile()
  read <- function(x) {
    write_json(list(x = x), "model", file, environment())
    read_json(file, "model", NULL)$x
  }
  expect_same_bits(read(x), x)
  others <- list(
    integer = c(1L, NA, -7L), logical = c(TRUE, NA, FALSE),
    text = c("NA", NA, "\u00e9\n\"\\\u0001"),
    empty = double(), nothing = NULL, list = list(1, "a", NULL), code = quote(a + b * 0.1),
    named = list(.a = 1, b = 2), twice = list(a = 1, a = 2), matrix = matrix(1:6 + 0, 2),
    factor = factor(c("a", NA)), day = as.Date("2024-02-29"), labels = c(a = 1, b = 2)
  )
  for (name in names(others)) expect_same_bits(read(others[[name]]), others[[name]], name)
})

test_that("a file says what it holds, and in which format", {
  file <- withr::local_tempfile()
  read <- function(text) {
    writeLines(text, file)
    tryCatch(read_whole(read_json(file, "model", NULL), "file", NULL), error = conditionMessage)
  }
  expect_match(read("{}"), "holds no model")
  expect_match(read('{"format": "bayesrisk statistics"}'), "holds no model")
  expect_match(read('{"format": "bayesrisk model", "format_version": 2}'), "another\\s+version")
  expect_match(read('{"format": "bayesrisk model", "format_version": [1]}'), "another\\s+version")
  expect_match(read('{"format": "bayesrisk model", "format_version": 1}'), "damaged")
  expect_match(read('{"format": "bayesrisk model"'), "damaged")
  expect_identical(
    read('{"format": "bayesrisk model", "format_version": 1, "model": {"a": {".double": ["-0"]}}}'),
    list(a = -0)
  )
})

test_that("a value has one type, and its numbers are of this type", {
  read <- function(text) {
    read <- jsonlite::parse_json(text, simplifyVector = FALSE)
    refused <- function(e) "refused"
    tryCatch(decode_object(read), error = refused, warning = refused)
  }
  expect_identical(read('{".integer": [1, "NA"]}'), c(1L, NA))
  expect_identical(read('{".double": []}'), double())
  wrong <- c(
    '{".integer": [1.5]}', '{".integer": ["Inf"]}', '{".logical": [1]}', '{".double": [true]}',
    '{".double": [[1]]}', '{".double": [null]}', '{".double": ["1"]}', '{".double": {"a": 1}}',
    '{".logical": ["NaN"]}', '{".character": [1]}', '{".double": [1], ".integer": [1]}',
    '{".double": [1], ".double": [1]}', '{".double": [1], "a": null}', '{".other": [1]}',
    '{".class": ["a"], ".class": ["b"]}', '{".attributes": {}}', '{"a": null, "a": null}',
    '{".double": [1], ".attributes": {"dim": {".integer": [1]}, "dim": {".integer": [1]}}}',
    '{".double": [1], ".attributes": {"other": {".integer": [1]}}}'
  )
  for (text in wrong) expect_identical(read(text), "refused", info = text)
})

# A file of a model of y ~ log(x) in which texts are replaced.
changed_file <- function(..., env = parent.frame()) {
  data <- data.frame(y = c("a", "b", "a", "b"), x = 1:4 + 0.5)
  file <- withr::local_tempfile(fileext = ".json", .local_envir = env)
  write_model_json(fit(bayes_naive(), y ~ log(x), data), file)
  text <- jsonlite::minify(paste(readLines(file), collapse = "\n"))
  for (change in list(...)) {
    expect_true(grepl(change[[1L]], text, fixed = TRUE))
    text <- sub(change[[1L]], change[[2L]], text, fixed = TRUE)
  }
  writeLines(text, file)
  file
}

test_that("no method of a class and no operand of a sum runs code", {
  ran <- withr::local_tempfile()
  code <- sprintf("file.create('%s')", ran)
  classed <- function(class) {
    attributes <- sprintf("{\"class\": {\".character\": [\"%s\"]}}", class)
    sprintf("{\".code\": \"log(%s)\", \".attributes\": %s}", code, attributes)
  }
  for (class in c("POSIXlt", "formula", "factor", "data.frame")) {
    file <- changed_file(list("{\".code\":\"log(x)\"}", classed(class)))
    expect_error(read_model_json(file), class = "bayesrisk_error_object")
  }
  sum <- sprintf("`+`(%s, 1, y)", code)
  file <- changed_file(
    list("\"y ~ log(x)\"", sprintf("\"%s ~ log(x)\"", sum)),
    list("\"response\":{\".character\":[\"y\"]}",
         sprintf("\"response\":{\".character\":[\"%s\"]}", sub("'(.*)'", "\\\\\"\\1\\\\\"", sum)))
  )
  expect_error(read_model_json(file), class = "bayesrisk_error_object")
  # Operands that are shown, but are no features.
  file <- changed_file(list("\"y ~ log(x)\"", "\"y ~ `+`(age, income, log(x))\""))
  expect_error(read_model_json(file), class = "bayesrisk_error_object")
  expect_false(file.exists(ran))
})

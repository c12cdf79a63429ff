skip_if_not_installed("jsonlite")

again <- function(x, format = "json") {
  file <- withr::local_tempfile()
  write_statistics(x, file, format)
  read_statistics(file)
}

test_that("statistics of every kind of bank are read as they were written, bit for bit", {
  data <- late_data()
  data$`it's "x" {.y}` <- data$z / 3
  data$.double <- data$k
  day <- as.Date("2024-02-29")
  specs <- c(source_specs(), list(
    all = list(bayes_naive(laplace = 1), y ~ .),
    kept = list(bayes_naive(), y ~ I(z > as.numeric(day)) + I(z * 0.1) + `it's "x" {.y}`),
    prior = list(bayes_full(prior = c(a = 1 / 3, b = 1 / 3, c = 1 / 3)), y ~ z + f)
  ))
  for (name in names(specs)) {
    x <- bayes_statistics(specs[[name]][[1L]], specs[[name]][[2L]], data)
    for (format in c("json", "rds")) expect_same_bits(again(x, format), x, name)
    suppressWarnings(expect_same_bits(fit(x$spec, again(x)), fit(x$spec, x), name))
  }
})

test_that("a damaged file is a classed error", {
  skip_on_cran()
  x <- bayes_statistics(bayes_naive(), Species ~ ., iris)
  file <- withr::local_tempfile()
  write_statistics(x, file)
  text <- readChar(file, file.size(file))
  try_text <- function(text) {
    writeBin(charToRaw(text), file)
    tryCatch(read_statistics(file), error = identity)
  }
  withr::local_seed(3)
  size <- nchar(text)
  for (i in 1:150) {
    at <- sample(size, 1L)
    damaged <- switch(i %% 3 + 1,
      substr(text, 1L, at),
      paste0(substr(text, 1L, at - 1L), sample(c("7", "\"", "{", "]", "x", ","), 1L),
             substr(text, at + 1L, size)),
      paste0(substr(text, 1L, at), substr(text, at + sample(40L, 1L), size))
    )
    outcome <- try_text(damaged)
    expect_true(
      inherits(outcome, c("bayesrisk_error", "bayesrisk_statistics")),
      info = paste(i, class(outcome)[[1L]])
    )
  }
  for (text in c("", "{", "{}", "[1]", "{\"format\": \"bayesrisk statistics\"}", "nonsense",
                 strrep("{\"a\":", 1e5))) {
    expect_s3_class(try_text(text), "bayesrisk_error_object")
  }
  saveRDS(iris, file)
  expect_error(read_statistics(file), class = "bayesrisk_error_object")
  for (part in names(x)) {
    broken <- x
    broken[[part]] <- NULL
    saveRDS(broken, file)
    expect_error(read_statistics(file), class = "bayesrisk_error_object")
  }
})

test_that("statistics from any file run no code that is not a known function", {
  x <- bayes_statistics(bayes_naive(laplace = 1), y ~ I(x * 2) + g, valid_data())
  file <- withr::local_tempfile()
  read_rds <- function(x, ...) {
    saveRDS(x, file)
    read_statistics(file, ...)
  }
  wrong <- function(x, text, ...) expect_bayesrisk_error(read_rds(x, ...), "object", text)
  changed <- function(path, value) {
    x[[path]] <- value
    x
  }
  expect_identical(read_rds(x), x)
  code <- quote(I(system("false") + x))
  wrong(changed(c("schema", "features", "I(x * 2)", "expression"), code), "system")
  for (value in list(globalenv(), mean, quote(a), y ~ x, structure(list(), class = "other"))) {
    wrong(changed(c("rows", "read"), value), "more than data")
    wrong(changed(c("schema", "features", "g", "levels"), value), "more than data")
  }
  evil <- new.env()
  evil$log <- function(...) stop("it runs")
  with_environment <- changed("schema", x$schema)
  environment(with_environment$schema$formula) <- evil
  wrong(with_environment, "more than data")
  wrong(structure(x, class = c("other", class(x))), "no result of")
  # With consent
  own <- bayes_statistics(bayes_naive(), y ~ I(vapply(x, exp, 1)), valid_data())
  wrong(own, "vapply")
  expect_message(expect_equal(read_rds(own, trust = TRUE), own), class = "bayesrisk_message_code")
})

test_that("a promise in a file is not evaluated", {
  # list(1, <promise of stop("it runs")>) as R 4.2 writes it, but with the class of statistics
  promise <- c("1029", "253", "252", "6", "1", "262153", "4", "stop", "2", "16", "1", "262153", "4",
               "runs", "254")
  class <- c("1026", "1", "262153", "5", "class", "16", "2", "262153", "20", "bayesrisk_statistics",
             "262153", "16", "bayesrisk_result", "254")
  file <- withr::local_tempfile()
  writeLines(c("A", "2", "262658", "131840", "787", "1", promise, class), file)
  expect_bayesrisk_error(read_statistics(file), "object", "more than data|damaged")
  # A promise instead of an object
  writeLines(c("A", "2", "262658", "131840", promise), file)
  expect_bayesrisk_error(read_statistics(file), "object", "no result|damaged")
})

test_that("wrong arguments are classed errors, and a file is complete or not there", {
  x <- bayes_statistics(bayes_naive(), Species ~ ., iris)
  folder <- withr::local_tempdir()
  wrong <- function(expr) expect_error(expr, class = "bayesrisk_error_argument")
  wrong(write_statistics(iris, file.path(folder, "x")))
  wrong(write_statistics(x, file.path(folder, "no", "x")))
  wrong(write_statistics(x, folder))
  wrong(write_statistics(x, 7))
  wrong(write_statistics(x, file.path(folder, "x"), "xml"))
  wrong(read_statistics(file.path(folder, "x")))
  expect_identical(dir(folder), character())
  expect_identical(write_statistics(x, file.path(folder, "x")), x)
  expect_identical(dir(folder), "x")
})

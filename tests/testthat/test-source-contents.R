skip_if_not_installed("jsonlite")

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

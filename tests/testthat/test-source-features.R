test_that("all features are listed, of chunks and of tables too", {
  data <- data.frame(
    y = rep(c("a", "b"), 30), x = c(NA, rnorm(59)), flag = rep(0:1, 30),
    g = rep(c("u", NA, "v"), 20)
  )
  found <- check_features(y ~ x + flag + g, data)
  expect_identical(found$feature, c("x", "flag", "g"))
  expect_identical(found$kind, c("numeric", "numeric", "categorical"))
  expect_identical(found$values, c(59L, 2L, 2L))
  expect_identical(found$missing, c(1L, 0L, 20L))
  expect_output(print(found), "<3 features of 60 rows>")
  expect_output(print(found), "data$flag <- factor(data$flag)", fixed = TRUE)
  expect_output(print(check_features(y ~ g, data)), "No column is suspicious.")
  plain <- as.data.frame(found)
  # What a source has can only be changed in a formula.
  plain$remedy[[2]] <- "In the formula: factor(flag)"
  expect_equal(as.data.frame(check_features(y ~ ., chunked(data, 13L))), plain)
})

test_that("a remedy is printed on one line, however wide it is", {
  name <- strrep("share ", 15)
  data <- data.frame(y = c("a", "b"), x = sprintf("%d %%", 1:60))
  names(data)[[2]] <- name
  found <- check_features(y ~ ., data)
  expect_gt(nchar(found$remedy), 100)
  expect_true(found$remedy %in% capture.output(print(found)))
  skip_if_not_installed("knitr")
  expect_match(knitr::knit_print(found), found$remedy, fixed = TRUE)
})

test_that("at most 10,000 rows of a source are read", {
  read <- 0
  counted <- data_chunks(function() {
    read <<- read + 1
    if (read > 30) return(NULL)
    data.frame(y = rep(1:2, 500), x = rnorm(1000))
  })
  found <- check_features(y ~ x, counted)
  expect_identical(attr(found, "rows"), 10000)
  expect_lte(read, 11)
})

test_that("the first rows of a lazy table are read", {
  skip_if_not_installed("RSQLite")
  skip_if_not_installed("dbplyr")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  data <- data.frame(y = rep(c("a", "b"), 30), flag = rep(c(0, 0, 1), 20), z = rnorm(60))
  DBI::dbWriteTable(con, "t", data)
  found <- check_features(y ~ ., dplyr::tbl(con, "t"))
  same <- c("feature", "kind", "values", "missing", "remark")
  expect_equal(as.data.frame(found)[same], as.data.frame(check_features(y ~ ., data))[same])
})

test_that("what cannot be checked is an error", {
  data <- data.frame(y = rep(c("a", "b"), 30), x = 1)
  expect_bayesrisk_error(check_features(y ~ ., data_parts(list(data))), "argument", "parts")
  expect_bayesrisk_error(check_features(y ~ nothing, data), "data", "nothing")
  expect_bayesrisk_error(check_features(y ~ x, data, rows = 3), "argument", "rows")
})

numbers <- data.frame(u = c(1, 2, 4, 3, 7, 9, 8), v = c(2.5, 1, 0, 4, 3, 3, 5))
class <- c("a", "a", "a", "b", "b", "b", "b")

test_that("data frame, tibble, data.table and matrix give the same model and predictions (S15)", {
  skip_if_not_installed("tibble")
  skip_if_not_installed("data.table")
  tables <- list(tibble::as_tibble(numbers), data.table::as.data.table(numbers), as.matrix(numbers))
  reference <- fit_xy(bayes_naive(), numbers, class)
  for (table in tables) {
    expect_identical(fit_xy(bayes_naive(), table, class), reference)
    expect_identical(unname(posterior(reference, table)), unname(posterior(reference, numbers)))
  }
  by_formula <- fit(bayes_naive(), class ~ ., cbind(numbers, class))
  expect_identical(by_formula$parameters, reference$parameters)
})

test_that("integer, logical and character matrices are read", {
  counts <- matrix(c(1L, 2L, 4L, 3L, 7L, 9L, 8L), dimnames = list(NULL, "u"))
  expect_identical(fit_xy(bayes_naive(), counts, class)$parameters,
                   fit_xy(bayes_naive(), numbers["u"], class)$parameters)
  flags <- counts > 2L
  expected <- fit_xy(bayes_naive(laplace = 1), data.frame(u = numbers$u > 2), class)
  model <- fit_xy(bayes_naive(laplace = 1), flags, class)
  expect_identical(model$parameters, expected$parameters)
  words <- ifelse(flags, "TRUE", "FALSE")
  expect_identical(posterior(model, words), posterior(model, flags))
})

test_that("what is no table of data is an error that names the argument (T2)", {
  skip_on_cran()
  for (x in list(NULL, 1:7, list(u = 1:7), array(1, c(7, 1, 1)), mean, quote(u))) {
    expect_bayesrisk_error(fit_xy(bayes_naive(), x, class), "data", "`x`")
    expect_bayesrisk_error(fit(bayes_naive(), class ~ u, x),
                           if (is.null(x)) "argument" else "data", "data")
  }
  expect_bayesrisk_error(fit_xy(bayes_naive(), numbers$u, class), "data", "vector.*data.frame")
})

test_that("a sparse matrix is one feature; a model of several columns does not know it", {
  sparse <- Matrix::Matrix(as.matrix(numbers), sparse = TRUE)
  bag <- fit_xy(bayes_naive(), sparse, class)
  model <- fit_xy(bayes_naive(), numbers, class)
  expect_within(
    predict(bag, sparse, type = "prob"), predict(model, numbers, type = "prob"), 1e-9, scale = 1
  )
  expect_bayesrisk_error(predict(model, sparse), "schema", "no column u and v.*terms")
})

test_that("zero rows, zero columns and one row are errors that say so (T2)", {
  expect_bayesrisk_error(fit_xy(bayes_naive(), numbers[0, ], character()), "data", "no rows")
  expect_bayesrisk_error(fit(bayes_naive(), class ~ ., cbind(numbers, class)[0, ]), "data",
                         "no ro|no level")
  expect_bayesrisk_error(fit_xy(bayes_naive(), numbers[0], class), "data", "no columns")
  expect_bayesrisk_error(fit_xy(bayes_naive(), matrix(0, 7, 0), class), "data", "no columns")
  expect_bayesrisk_error(fit_xy(bayes_naive(degenerate = "stop"), numbers[1, ], "a"), "degenerate",
                         "class \"a\" .*1 ")
  expect_bayesrisk_error(fit(bayes_naive(), class ~ ., data.frame()), "data", "class")
})

test_that("a column is used once, and has a name (S19)", {
  twice <- stats::setNames(numbers, c("u", "u"))
  expect_bayesrisk_error(fit_xy(bayes_naive(), twice, class), "data", "more than one column.*u")
  data <- cbind(twice, class)
  expect_bayesrisk_error(fit(bayes_naive(), class ~ ., data), "data", "more than one column.*u")
  expect_bayesrisk_error(fit(bayes_naive(), class ~ log(u), data), "data",
                         "more than one column.*u")
  expect_bayesrisk_error(fit_xy(bayes_naive(), as.matrix(twice), class), "data", "more than one")
  for (name in c("", NA)) {
    unnamed <- stats::setNames(numbers, c("u", name))
    expect_bayesrisk_error(fit_xy(bayes_naive(), unnamed, class), "data", "without a name")
  }
  nameless <- structure(list(numbers$u), class = "data.frame", row.names = 1:7)
  expect_bayesrisk_error(fit_xy(bayes_naive(), nameless, class), "data", "name")
})

test_that("a duplicated column that is not used does no harm", {
  data <- cbind(class, stats::setNames(cbind(numbers, 1), c("u", "v", "v")))
  expect_identical(fit(bayes_naive(), class ~ u, data)$parameters,
                   fit(bayes_naive(), class ~ u, cbind(class, numbers))$parameters)
})

test_that("a ragged data frame is an error that names the column (R7)", {
  ragged <- structure(list(u = c(1, 2, 4), v = c(3, 5)), class = "data.frame", row.names = 1:3)
  expect_bayesrisk_error(fit_xy(bayes_naive(), ragged, c("a", "a", "b")), "data",
                         "v.*2 values for 3 rows")
  model <- fit_xy(bayes_naive(), numbers, class)
  expect_bayesrisk_error(predict(model, ragged), "schema", "v.*2 values for 3 rows")
  short <- structure(list(y = c("a", "b"), u = 1:3), class = "data.frame", row.names = 1:3)
  expect_bayesrisk_error(fit(bayes_naive(), y ~ u, short), "data", "y.*2 values for 3 rows")
  rowless <- structure(list(u = 1:3, v = 1:3), class = "data.frame")
  expect_bayesrisk_error(predict(model, rowless), "schema", "u.*3 values for 0 rows")
})

test_that("row names come back, and automatic ones stay automatic", {
  model <- fit_xy(bayes_naive(), numbers, class)
  named <- numbers[2:3, ]
  expect_identical(rownames(posterior(model, named)), c("2", "3"))
  rownames(named) <- c("first", "second")
  expect_identical(dimnames(posterior(model, named)), list(c("first", "second"), c("a", "b")))
  expect_identical(names(predict(model, named, type = "log_evidence")), c("first", "second"))
  expect_null(rownames(posterior(model, numbers)))
})

test_that("columns that data.frame() got as I(x) are what they were", {
  mail <- mails()
  mail$words <- dense(mail$words)
  plain <- fit(bayes_text(), y ~ words + size, mail)
  data <- data.frame(y = I(as.character(mail$y)), size = I(mail$size), words = I(mail$words))
  model <- fit(bayes_text(), y ~ words + size, data)
  expect_identical(coef(model)$words, coef(plain)$words[levels(factor(data$y)), ])
  expect_identical(coef(model)$size, coef(plain)$size[levels(factor(data$y)), ])
  expect_identical(predict(plain, data, type = "prob"), predict(plain, mail, type = "prob"))
  expect_identical(predict(plain, data[1:2, ]), predict(plain, mail[1:2, ]))
  expect_identical(augment(plain, data)$.pred_class, predict(plain, mail))
})

test_that("an element of a list that is no table is named", {
  skip_on_cran()
  mail <- mails()
  model <- fit(bayes_text(), list(words = mail$words), mail$y)
  for (bad in list(1:60, NULL, "a", list(), unname(dense(mail$words)), matrix("a", 60, 2))) {
    expect_bayesrisk_error(
      fit(bayes_text(), list(words = bad, more = mail$words), mail$y), "data",
      "element \"words\" must be a data frame or a matrix of numbers"
    )
    expect_bayesrisk_error(predict(model, list(mail["size"], bad)), "schema", "element 2 must be")
  }
  expect_bayesrisk_error(
    fit(bayes_text(), list(words = mail$words[1:3, ], mail["size"]), mail$y), "data",
    "words has 3.*2 has 60"
  )
})

test_that("rows that others hold are errors that name the way in", {
  skip_on_cran()
  of <- function(...) structure(list(), class = c(...))
  file <- withr::local_tempfile(fileext = ".csv", lines = "x,y")
  ways <- list(
    list(of("dtplyr_step_first", "dtplyr_step"), "as.data.frame()"),
    list(of("H2OFrame"), "as.data.frame()"),
    list(of("survey.design2", "survey.design"), "weights(design, \"sampling\")"),
    list(of("SQLiteConnection", "DBIConnection"), "dplyr::tbl(data, \"name\")"),
    list(of("Pool", "R6"), "dplyr::tbl(data, \"name\")"),
    list(file, "csv_chunks()"), list("no such file.parquet", "parquet_chunks()"),
    list(of("file", "connection"), "csv_chunks()")
  )
  model <- fit(bayes_naive(), Species ~ ., iris)
  for (way in ways) {
    error <- said_error(fit(bayes_naive(), y ~ x, way[[1L]]))
    expect_match(error, way[[2L]], fixed = TRUE)
    expect_match(said_error(predict(model, way[[1L]])), "newdata", fixed = TRUE)
    expect_bayesrisk_error(fit(bayes_naive(), y ~ x, way[[1L]]), "data", "must be a data frame")
  }
  expect_match(said_error(fit(bayes_naive(), y ~ x, "abc")), "is a vector")
})

test_that("a data.table that dtplyr holds is read by as.data.frame()", {
  skip_if_not_installed("dtplyr")
  lazy <- getExportedValue("dtplyr", "lazy_dt")(iris)
  expect_match(said_error(fit(bayes_naive(), Species ~ ., lazy)), "as.data.frame()", fixed = TRUE)
  expect_identical(
    coef(fit(bayes_naive(), Species ~ ., as.data.frame(lazy))),
    coef(fit(bayes_naive(), Species ~ ., iris))
  )
})

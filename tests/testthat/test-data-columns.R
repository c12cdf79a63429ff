class <- c("a", "a", "a", "b", "b", "b", "b")
fit_column <- function(column, ...) {
  x <- data.frame(id = seq_along(class))
  x$column <- column
  fit_xy(bayes_naive(laplace = 1), x["column"], class, ...)
}

test_that("categories are the same as factor, character, ordered factor and logical", {
  words <- c("u", "v", "v", "u", "u", "w", "u")
  reference <- fit_column(words)
  for (column in list(factor(words), factor(words, ordered = TRUE))) {
    expect_identical(fit_column(column)$parameters, reference$parameters)
  }
  flags <- words == "u"
  expect_identical(fit_column(flags)$parameters, fit_column(as.character(flags))$parameters)
  expect_identical(fit_column(flags)$schema$features$column$levels, c("FALSE", "TRUE"))
})

test_that("integers and doubles are the same numbers", {
  numbers <- c(1L, 2L, 4L, 3L, NA, 9L, 8L)
  expect_identical(fit_column(numbers)$parameters, fit_column(as.double(numbers))$parameters)
})

test_that("a missing integer or logical is never a number (S10)", {
  model <- fit_column(c(1L, 2L, 4L, 3L, NA, 9L, 8L))
  gaussian <- model$parameters$banks[[1]]
  expect_equal(as.vector(gaussian$mean + gaussian$mean_low), c(7 / 3, 20 / 3), tolerance = 1e-15)
  flags <- fit_column(c(TRUE, NA, TRUE, FALSE, FALSE, TRUE, FALSE))
  expect_equal(exp(flags$parameters$banks[[1]]$log_probability),
               rbind(c(1 / 4, 3 / 4), c(4 / 6, 2 / 6)), tolerance = 1e-14)
})

test_that("characters are sorted as in the C locale", {
  model <- fit_column(c("b", "B", "a", "A", "b", "_", "a"))
  expect_identical(model$schema$features$column$levels, c("A", "B", "_", "a", "b"))
})

test_that("text of several encodings is one level", {
  skip_in_c_locale()
  latin <- iconv(c("caf\u00e9", "na\u00efve"), "UTF-8", "latin1")
  utf <- enc2utf8(latin)
  expect_identical(Encoding(c(latin, utf)), rep(c("latin1", "UTF-8"), each = 2))
  words <- c(latin[[1]], utf[[1]], utf[[2]], latin[[2]], "", NA, latin[[1]])
  model <- fit_column(words)
  expect_identical(model$schema$features$column$levels, c("", "caf\u00e9", "na\u00efve"))
  expect_identical(Encoding(model$schema$features$column$levels), c("unknown", "UTF-8", "UTF-8"))
  expect_identical(fit_column(enc2utf8(words))$parameters, model$parameters)
  expect_identical(
    fit_column(factor(words, levels = c("", utf)))$parameters, model$parameters
  )
  for (words in list(latin, utf, c(latin[[1]], utf[[2]]))) {
    expect_identical(
      predict(model, data.frame(column = words), "prob"),
      predict(model, data.frame(column = utf), "prob")
    )
  }
  expect_warning(
    predict(model, data.frame(column = iconv(c("\u00fc", ""), "UTF-8", "latin1"))), "\u00fc",
    class = "bayesrisk_warning_unknown_level"
  )
})

test_that("text of unknown bytes, of no value and of one value is read", {
  bytes <- "\xff\xfe"
  Encoding(bytes) <- "bytes"
  expect_identical(distinct_text_cpp(c(bytes, "a", NA, bytes, "")), list(
    values = c(bytes, "a", ""), codes = c(1L, 2L, NA, 1L, 3L)
  ))
  expect_identical(distinct_text_cpp(character()), list(values = character(), codes = integer()))
  expect_identical(character_levels(c(NA, NA_character_), c(TRUE, FALSE)), character())
  expect_identical(character_levels(c("b", "a", NA, "c", "b"), c(1L, 3L, 5L)), "b")
  expect_identical(character_levels(rev(letters), rep(c(TRUE, NA), 13)), letters[seq(2, 26, 2)])
})

test_that("different texts are those of unique() and match(), in their order", {
  set.seed(3)
  for (n in c(1, 31, 33, 65, 5000)) {
    text <- sample(c(NA, as.character(seq_len(n))), 3 * n, TRUE)
    found <- distinct_text_cpp(text)
    values <- unique(text[!is.na(text)])
    expect_identical(found$values, values)
    expect_identical(found$codes, match(text, values))
  }
  # A vector that R has not written out yet.
  expect_identical(
    distinct_text_cpp(as.character(3:1)), list(values = c("3", "2", "1"), codes = 1:3)
  )
})

test_that("rows without weight have no levels of text, and classes of text are read the same", {
  x <- data.frame(word = c("b", "a", "d", "c", "a"))
  y <- c("v", "u", "v", "w", "u")
  model <- suppressMessages(fit_xy(bayes_naive(laplace = 1), x, y, weights = c(1, 1, 0, 0, 2)))
  expect_identical(model$schema$features$word$levels, c("a", "b"))
  expect_identical(model$schema$classes$levels, c("u", "v"))
})

test_that("other classes and types are errors that name column and type (S18)", {
  skip_on_cran()
  strange <- list(
    list = as.list(1:7), complex = 1:7 + 0i, raw = as.raw(1:7),
    Date = as.Date("2020-01-01") + 1:7, POSIXct = as.POSIXct("2020-01-01", tz = "UTC") + 1:7,
    POSIXlt = as.POSIXlt(as.POSIXct("2020-01-01", tz = "UTC") + 1:7),
    difftime = as.difftime(1:7, units = "mins"), strange = structure(1:7, class = "strange"),
    integer64 = structure(as.double(1:7), class = "integer64")
  )
  model <- fit_column(as.double(1:7))
  for (type in names(strange)) {
    x <- data.frame(id = 1:7)
    x$column <- strange[[type]]
    expect_bayesrisk_error(fit_xy(bayes_naive(), x["column"], class), "data",
                           paste0("column.*", type))
    expect_bayesrisk_error(predict(model, x["column"]), "schema", "column")
  }
})

test_that("a matrix column is an error that shows its size (S18)", {
  x <- data.frame(id = 1:7)
  x$column <- cbind(1:7, 7:1)
  expect_bayesrisk_error(fit_xy(bayes_naive(), x, class), "data", "column.*matrix.*7 x 2")
  expect_bayesrisk_error(fit(bayes_naive(), class ~ scale(id), cbind(x["id"], class)), "data",
                         "scale")
  nested <- data.frame(id = 1:7)
  nested$column <- data.frame(u = 1:7)
  expect_bayesrisk_error(fit_xy(bayes_naive(), nested, class), "data", "column")
})

test_that("I() in a formula is the column that it holds", {
  data <- data.frame(class, u = c(1, 2, 4, 3, 7, 9, 8))
  model <- fit(bayes_naive(), class ~ I(u^2), data)
  expected <- fit(bayes_naive(), class ~ square, transform(data, square = u^2))
  expect_identical(model$parameters, expected$parameters)
  expect_identical(posterior(model, data), posterior(expected, transform(data, square = u^2)))
})

test_that("damaged factors are errors, and nothing outside their levels is read (R6)", {
  codes <- structure(c(1L, 99L, 0L, -5L, 2L, 1L, 2L), levels = c("u", "v"), class = "factor")
  expect_bayesrisk_error(fit_column(codes), "data", "column.*3 rows")
  nothing <- structure(c(1:6, 1L), class = "factor")
  twice <- structure(c(1:2, 1:2, 1:3), class = "factor", levels = c("u", "u", "v"))
  numeric_levels <- structure(rep(1:2, c(3, 4)), class = "factor", levels = 1:2)
  model <- fit_column(c("u", "v", "v", "u", "u", "v", "u"))
  for (column in list(nothing, twice, numeric_levels)) {
    x <- structure(list(column = column), class = "data.frame", row.names = 1:7)
    expect_bayesrisk_error(fit_xy(bayes_naive(), x, class), "data", "column.*damaged factor")
    expect_bayesrisk_error(predict(model, x), "schema", "column.*damaged factor")
  }
  expect_bayesrisk_error(predict(model, data.frame(column = codes)), "schema", "column.*damaged")
})

test_that("the same letters in latin1 and UTF-8 are one level and one column (S17)", {
  skip_in_c_locale()
  utf8 <- c("\u00e9", "u")[c(1, 2, 2, 1, 1, 2, 1)]
  latin1 <- iconv(utf8, "UTF-8", "latin1")
  model <- fit_column(utf8)
  expect_identical(fit_column(latin1)$parameters, model$parameters)
  expect_identical(posterior(model, data.frame(column = latin1)),
                   posterior(model, data.frame(column = utf8)))
  as_factor <- data.frame(column = factor(latin1))
  expect_identical(posterior(model, as_factor), posterior(model, data.frame(column = utf8)))
  both <- fit_column(c(latin1[1:3], utf8[4:7]))
  expect_length(both$schema$features$column$levels, 2L)
  named <- stats::setNames(data.frame(1:7 / 2), iconv("\u00e9", "UTF-8", "latin1"))
  model <- fit_xy(bayes_naive(), stats::setNames(data.frame(1:7 / 2), "\u00e9"), class)
  expect_identical(unname(posterior(model, named)),
                   unname(posterior(model, data.frame("\u00e9" = 1:7 / 2))))
})

test_that("a column without one level or number is an error that names it", {
  for (column in list(NA_character_, factor(NA), factor(rep(NA, 7), levels = "u"), NA, NA_real_)) {
    x <- data.frame(column = rep_len(column, 7))
    for (spec in list(bayes_naive(degenerate = "stop"), bayes_full())) {
      error <- rlang::catch_cnd(fit_xy(spec, x, class), "bayesrisk_error")
      expect_match(class(error)[[1]], "_data|_degenerate")
      expect_match(conditionMessage(error), "column")
    }
  }
})

test_that("NA is a level only where the training data declare it (S11, S12)", {
  words <- factor(c("u", NA, "u", "v", NA, NA, "v"))
  model <- fit_column(addNA(words))
  expect_identical(model$schema$features$column$levels, c("u", "v", NA))
  missing <- data.frame(column = factor(NA, levels = "u"))
  expect_equal(as.vector(posterior(model, missing)), c(3, 4) / 7, tolerance = 1e-14)
  declared <- data.frame(column = addNA(factor(NA)))
  expected <- c(3 / 7 * 2 / 6, 4 / 7 * 3 / 7)
  expect_equal(as.vector(posterior(model, declared)), expected / sum(expected), tolerance = 1e-14)
  plain <- fit_column(words)
  expect_silent(answer <- posterior(plain, declared))
  expect_equal(as.vector(answer), c(3, 4) / 7, tolerance = 1e-14)
  text <- fit_column(c("u", "NA", "u", "v", NA, NA, "v"))
  expect_identical(text$schema$features$column$levels, c("NA", "u", "v"))
})

test_that("columns of R's compact kind (1:n) are read like any other", {
  x <- data.frame(id = 1:7)
  x$column <- 1:7
  plain <- data.frame(column = c(1, 2, 3, 4, 5, 6, 7))
  expect_identical(fit_xy(bayes_naive(), x["column"], class)$parameters,
                   fit_xy(bayes_naive(), plain, class)$parameters)
})

test_that("codes of an encoded column are those of the model's levels", {
  levels <- c("a", "b", "c")
  expect_identical(column_codes(encode_column(factor(c("c", NA, "a"), levels), "factor", levels)),
                   c(3L, NA, 1L))
  expect_identical(column_codes(encode_column(factor(c("c", "d", "a")), "factor", levels)),
                   c(3L, NA, 1L))
  expect_identical(column_codes(encode_column(c("b", "z", NA), "character", levels)), c(2L, NA, NA))
  logical <- matrix(c(NA, TRUE, TRUE, FALSE), 2)
  expect_identical(column_codes(encode_matrix(logical, 2L)[[1L]]), c(2L, 1L))
})

test_that("text that is marked as bytes is refused where it would be compared", {
  bytes <- rep(c("\xff", "ok"), 4)
  Encoding(bytes) <- "bytes"
  data <- data.frame(y = rep(1:2, 4), bytes)
  expect_bayesrisk_error(fit(bayes_naive(), y ~ bytes, data), "data", "bytes holds text")
  expect_bayesrisk_error(fit(bayes_naive(), y ~ rev(bytes), data), "data", "bytes")
  expect_bayesrisk_error(fit(bayes_naive(), bytes ~ y, data), "data", "bytes holds text")
  expect_bayesrisk_error(confusion_table(bytes, bytes), "argument", "truth holds text")
})

test_that("new text that is marked as bytes is no level of the model", {
  bytes <- "a\xff"
  Encoding(bytes) <- "bytes"
  for (level in c("a", "\u00e9")) {
    model <- fit(bayes_naive(), y ~ t, data.frame(y = c(1, 1, 2, 2), t = c(level, "b")))
    expect_warning(
      found <- predict(model, data.frame(t = c(level, bytes, "new")), "prob"),
      "2 rows with a level.*\"new\", \"a.+xff\"", class = "bayesrisk_warning_unknown_level"
    )
    expect_identical(found[2L, ], found[3L, ])
  }
})

test_that("the value of a case as text, by the model's levels", {
  levels <- c("w", "u", "v")
  text <- function(x, row, type = column_type(x), known = levels) {
    case_text(one_case(encode_column(x, type, known), row), known)
  }
  expect_identical(text(c("u", "new", NA), 1L), "\"u\"")
  expect_identical(text(c("u", "new", NA), 2L), "NA")
  expect_identical(text(c("u", "new", NA), 3L), "NA")
  expect_identical(text(factor(c("v", NA)), 1L), "\"v\"")
  expect_identical(text(factor("u", levels), 1L), "\"u\"")
  expect_identical(text(TRUE, 1L, known = c("FALSE", "TRUE")), "\"TRUE\"")
  expect_identical(text(c(1, 2.5), 2L, known = NULL), "2.5")
})

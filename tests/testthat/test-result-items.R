shown <- function(digits = NULL, n = NULL) show_settings(digits, n, environment())

test_that("the last dimension of an array stands side by side, the others before it", {
  counts <- array(1:12, c(2, 2, 3), list(a = c("x", "y"), b = c("u", "v"), d = c("k", "l", "m")))
  columns <- array_columns(counts)
  expect_named(columns, c("a", "b / d", "k", "l", "m"))
  expect_identical(columns$a, c("x", "x", "y", "y"))
  expect_identical(columns[["b / d"]], c("u", "v", "u", "v"))
  expect_identical(columns$m, c(counts["x", , "m"], counts["y", , "m"]), ignore_attr = TRUE)
  plain <- array_columns(matrix(1:4, 2, dimnames = list(NULL, c("p", "q"))))
  expect_identical(plain, list(c("1", "2"), p = 1:2, q = 3:4), ignore_attr = "names")
})

test_that("rows beyond the limit are counted, however many are handed over", {
  part <- table_item(data.frame(x = 1:25), c("case", "cases"))
  expect_identical(cut_table(part, shown(), 7L)$more, "... and 5 more cases")
  expect_identical(cut_table(part, shown(n = 24L), 7L)$more, "... and 1 more case")
  expect_null(cut_table(part, shown(n = 25L), 7L)$more)
  first <- table_item(data.frame(x = 1:3), total = 1e6)
  expect_identical(cut_table(first, shown(), 7L)$more, "... and 999997 more rows")
  answers <- answers_item(letters, c("line", "lines"))
  expect_identical(cut_answers(answers, shown(n = 2L)), list(
    text = c("a", "b"), more = "... and 24 more lines"
  ))
})

test_that("whole numbers are written in full, others with the digits asked for", {
  expect_identical(format_column(c(1e5, NA, Inf), 3L, "-"), c("100000", "-", "Inf"))
  expect_identical(format_column(c(1 / 3, NaN), 3L, "-"), c("0.333", "NaN"))
  expect_identical(format_column(1e300, 3L, "-"), "1e+300")
})

test_that("a part that has nothing to show is none", {
  expect_null(table_item(data.frame()))
  expect_null(table_item(data.frame(x = numeric())))
  expect_null(sentences_item(NULL))
  expect_null(answers_item(character()))
  expect_null(code_item(NULL))
})

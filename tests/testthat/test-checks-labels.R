test_that("a label that differs a little is recognised as a misspelling, another one is not", {
  expect_identical(likely_misspellings("helthy", c("ill", "healthy")), "\"helthy\" for \"healthy\"")
  expect_identical(likely_misspellings("Ill", "ill"), "\"Ill\" for \"ill\"")
  expect_identical(
    likely_misspellings(c("x", "fraud"), c("y", "frauds")), "\"fraud\" for \"frauds\""
  )
  expect_length(likely_misspellings("sick", "healthy"), 0)
  expect_length(likely_misspellings(character(), "healthy"), 0)
  expect_length(likely_misspellings("sick", character()), 0)
})

test_that("of thousands of names only some are compared", {
  names <- sprintf("gene%d", 1:3000)
  same <- sprintf("\"%s\" for \"%s\"", names, names)
  expect_identical(likely_misspellings(names, names), same[1:3])
})

test_that("labels are levels in the order of their kind, never of the locale", {
  call <- environment()
  expect_identical(levels(label_factor(c(10, 9, NA), "x", call)), c("9", "10"))
  expect_identical(levels(label_factor(100000, "x", call)), "100000")
  expect_identical(levels(label_factor(c(TRUE, FALSE), "x", call)), c("FALSE", "TRUE"))
  expect_identical(levels(label_factor(c("b", "a", "B"), "x", call)), c("B", "a", "b"))
  expect_identical(levels(label_factor(factor("b", c("c", "b", "a")), "x", call)), c("c", "b", "a"))
  expect_identical(levels(label_factor(addNA(factor(c("b", NA))), "x", call)), "b")
})

test_that("what is no label is refused by name", {
  call <- environment()
  damaged <- structure(c(1L, 99L), levels = c("a", "b"), class = "factor")
  for (bad in list(damaged, 1.5, Inf, Sys.Date(), list("a"), NULL, matrix("a"), 1i)) {
    expect_error(label_factor(bad, "truth", call), "truth", class = "bayesrisk_error_argument")
  }
})

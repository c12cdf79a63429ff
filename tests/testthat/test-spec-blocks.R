test_that("blocks without a name are called by their features", {
  expect_identical(
    check_blocks(list(petal = c("Petal.Length", "Petal.Width"), c("a", "b", "c")), NULL),
    list(petal = c("Petal.Length", "Petal.Width"), `a+b+c` = c("a", "b", "c"))
  )
  expect_identical(names(check_blocks(list("a", c("b", "c")), NULL)), c("a", "b+c"))
})

test_that("what is wrong with blocks is named", {
  bad <- function(blocks, pattern) {
    expect_error(check_blocks(blocks, NULL), pattern, class = "bayesrisk_error_argument")
  }
  bad(c("a", "b"), "blocks.*list of character vectors")
  bad(list(), "blocks.*bayes_naive")
  bad(list("a", character()), "blocks\\[\\[2\\]\\].*one or more features")
  bad(list("a", 1), "blocks\\[\\[2\\]\\]")
  bad(list(c("a", NA)), "blocks\\[\\[1\\]\\].*NA")
  bad(list(c("a", "")), "blocks\\[\\[1\\]\\].*empty")
  bad(list(c("a", "b", "a")), "blocks.*a is in it twice")
  bad(list(c("a", "b"), c("c", "b")), "blocks.*b is in it twice")
  bad(list(u = "a", u = "b"), "blocks.*u.*more than once")
})

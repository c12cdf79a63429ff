test_that("a joint table is smoothed per cell, by one number", {
  joint <- function(...) joint_pseudo_count(likelihood_categorical(...), 6, "block_1", NULL)
  expect_identical(joint(), 0)
  expect_identical(joint(laplace = 2), 2)
  expect_identical(joint(m = 3), 0.5)
  expect_error(joint(laplace = c(1, 2)), "laplace.*block_1", class = "bayesrisk_error_argument")
  expect_error(joint(laplace = c(a = 1)), "laplace.*block_1", class = "bayesrisk_error_argument")
  expect_error(joint(m = 1, p = c(a = 0.4, b = 0.6)), "`p`.*block_1",
    class = "bayesrisk_error_argument"
  )
})

test_that("a known table is read back as it was given, classes in the order of the prior", {
  table <- array(
    c(0.1, 0.25, 0.2, 0, 0.3, 0.25, 0.1, 0.5, 0.3, 0, 0, 0), c(2, 2, 3),
    list(c("n", "y"), f = c("u", "v"), g = c("p", "q", "r"))
  )
  model <- bayes_known(c(y = 0.4, n = 0.6), both = table)
  read <- coef(model)$both
  expect_identical(dimnames(read), list(
    f = c("u", "v"), g = c("p", "q", "r"), class = c("y", "n")
  ))
  expect_within(read[, , "y"], table["y", , ], 1e-15, scale = 1)
  expect_within(read[, , "n"], table["n", , ], 1e-15, scale = 1)
  best <- summary(model)$blocks$both
  expect_identical(as.character(best$class), rep(c("y", "n"), c(3, 5)))
  expect_identical(attr(best, "title"), "most probable cells")
})

test_that("a known table without named dimnames does not say what its features are", {
  nameless <- array(1 / 4, c(2, 2, 2), list(c("a", "b"), c("u", "v"), c("p", "q")))
  expect_bayesrisk_error(bayes_known(c(a = 0.5, b = 0.5), both = nameless), "argument",
                         "both.*named dimnames")
})

hospital <- function() {
  cost_matrix(treat = c(ill = 1, healthy = 4), wait = c(healthy = 0, ill = 50), refer = 2)
}

test_that("actions are rows and true classes columns, both by name", {
  values <- as.matrix(hospital())
  expect_identical(values, matrix(
    c(1, 50, 2, 4, 0, 2), 3,
    dimnames = list(decision = c("treat", "wait", "refer"), truth = c("ill", "healthy"))
  ))
})

test_that("the classes are in the order of the first action that names them", {
  cost <- cost_matrix(refer = 2, wait = c(healthy = 0, ill = 50), treat = c(ill = 1, healthy = 4))
  expect_identical(colnames(as.matrix(cost)), c("healthy", "ill"))
  expect_identical(as.matrix(cost)["treat", ], c(healthy = 4, ill = 1))
})

test_that("a list, a spliced list and integers are read alike", {
  actions <- list(
    treat = list(ill = 1L, healthy = 4), wait = list(ill = 50, healthy = 0), refer = list(2)
  )
  expect_identical(do.call(cost_matrix, actions), hospital())
  expect_identical(cost_matrix(!!!actions), hospital())
})

test_that("any name can be an action", {
  cost <- cost_matrix(call = 1, m = 2, rows = 3, `a {b}` = 4, .homonyms = 5, `...` = 6)
  expect_identical(rownames(as.matrix(cost)), c("call", "m", "rows", "a {b}", ".homonyms", "..."))
})

test_that("four actions for three classes, one action, and one class", {
  expect_warning(
    four <- cost_matrix(
      a = c(x = 0, y = 1, z = 8), b = c(x = 2, y = 0, z = 1), c = c(x = 1, y = 5, z = 0), d = Inf
    ),
    class = "bayesrisk_warning_never_best"
  )
  expect_identical(dim(as.matrix(four)), c(4L, 3L))
  expect_identical(as.matrix(four)["d", ], c(x = Inf, y = Inf, z = Inf))
  one <- as.matrix(cost_matrix(go = c(x = -1, y = 3)))
  expect_identical(one["go", , drop = TRUE], c(x = -1, y = 3))
  expect_identical(dim(as.matrix(cost_matrix(go = c(x = 0)))), c(1L, 1L))
})

test_that("a cost of numbers alone names no class and fits any model", {
  cost <- cost_matrix(a = 3, b = 1)
  expect_identical(
    as.matrix(cost), matrix(c(3, 1), 2, dimnames = list(decision = c("a", "b"), truth = NULL))
  )
  aligned <- align_cost(cost, c("x", "y", "z"))
  expect_identical(aligned, matrix(
    c(3, 1), 2, 3, dimnames = list(decision = c("a", "b"), truth = c("x", "y", "z"))
  ))
})

test_that("every odd value is a cost or an error of the package", {
  is_cost <- function(x) inherits(x, "bayesrisk_cost")
  expect_fuzz_proof(unwise_cost, "wait", list(refer = 1), is_cost)
  expect_fuzz_proof(unwise_cost, "wait", list(refer = c(ill = 1, healthy = 2)), is_cost)
  expect_fuzz_proof(cost_matrix, "", is_valid = is_cost)
  expect_fuzz_proof(zero_one_cost, "classes", is_valid = is_cost)
  expect_fuzz_proof(zero_one_cost, "reject", list(classes = c("x", "y")), is_cost)
})

test_that("the 0-1 cost follows the classes of text, a factor or a model", {
  cost <- zero_one_cost(c("b", "a", "c"))
  expect_identical(unname(as.matrix(cost)), 1 - diag(3))
  expect_identical(rownames(as.matrix(cost)), c("b", "a", "c"))
  expect_identical(zero_one_cost(factor("a", c("b", "a", "c"))), cost)
  expect_identical(zero_one_cost(c(x = "b", y = "a", z = "c")), cost)
  model <- structure(
    list(schema = list(classes = list(levels = c("b", "a", "c")))), class = "bayesrisk_model"
  )
  expect_identical(zero_one_cost(model), cost)
  expect_identical(as.matrix(zero_one_cost("a"))[1, 1], 0)
})

test_that("rejecting is one action more, at its price whatever is true", {
  cost <- as.matrix(zero_one_cost(c("a", "b"), reject = 0.2))
  expect_identical(cost["reject", ], c(a = 0.2, b = 0.2))
  expect_identical(dim(cost), c(3L, 2L))
})

test_that("what is wrong with a 0-1 cost is said", {
  expect_snapshot({
    said(zero_one_cost(1:3))
    said(zero_one_cost(c("a", "a")))
    said(zero_one_cost(character()))
    said(zero_one_cost(c("a", "reject"), reject = 0.1))
    said(zero_one_cost(c("a", "b"), reject = Inf))
  })
})

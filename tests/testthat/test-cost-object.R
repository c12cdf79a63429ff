test_that("cells without a formula become a plain double matrix", {
  cost <- cost_matrix(go = list(x = 1L, y = 2), stay = list(1.5))
  expect_identical(class(cost), c("bayesrisk_cost", "bayesrisk_result"))
  expect_type(unclass(cost), "double")
})

test_that("the sign is turned, and turned back as it was", {
  fee <- 2
  cells <- list(0, -3, Inf, c(1, NA), rlang::quo(amount), rlang::quo(-amount), rlang::quo(a - b))
  for (cell in cells[-6]) expect_identical(turn_sign(turn_sign(cell)), cell)
  expect_identical(cell_text(turn_sign(turn_sign(cells[[6]]))), "~-amount")
  expect_identical(1 / turn_sign(0), Inf)
  value <- function(cell) rlang::eval_tidy(cell, list(amount = 5, a = 1, b = 4))
  for (cell in cells[5:7]) expect_identical(value(turn_sign(cell)), -value(cell))
  # The quosures that `+` and `*` make.
  sum <- add_cells(rlang::quo(amount * fee), add_cells(3, rlang::quo(a)))
  expect_identical(value(turn_sign(sum)), -14)
  expect_identical(turn_sign(turn_sign(sum)), sum)
  product <- rlang::new_quosure(rlang::call2("*", sum, 10), baseenv())
  expect_identical(value(turn_sign(product)), -140)
})

test_that("the cell at fault is named, as a cost or as a gain", {
  expect_snapshot({
    said(cost_matrix(a = c(x = 1, y = NA), b = -Inf))
    said(utility_matrix(a = c(x = 1, y = NA), b = Inf))
    said(utility_matrix(a = list(x = ~amount, y = Inf)))
  })
})

hospital <- function() {
  cost_matrix(treat = c(ill = 1, healthy = 4), wait = c(healthy = 0, ill = 50), refer = 2)
}

test_that("a cost is aligned to a model by name", {
  read <- read_cost(hospital(), c("healthy", "ill"), call = NULL)
  expect_identical(read$fixed, matrix(
    c(4, 0, 2, 1, 50, 2), 3,
    dimnames = list(decision = c("treat", "wait", "refer"), truth = c("healthy", "ill"))
  ))
  expect_identical(as.matrix(kept_cost(read)), read$fixed)
  expect_identical(read$class_of, c(0L, 0L, 0L))
  expect_identical(read_cost(NULL, c("healthy", "ill"), call = NULL)$class_of, 1:2)
  turned <- read_cost(hospital(), c("ill", "healthy"), call = NULL)
  expect_identical(reorder_cost(turned, c("healthy", "ill"))[-6], read[-6])
})

test_that("what does not fit a model is said", {
  predict_with <- function(cost, classes) {
    read_cost(cost, classes, call = rlang::current_env())
  }
  turned <- hospital()
  dim(turned) <- c(2, 3)
  expect_snapshot({
    said(predict_with(hospital(), c("helthy", "ill")))
    said(predict_with(hospital(), c("healthy", "ill", "dead")))
    said(predict_with(as.matrix(hospital()), c("healthy", "ill")))
    said(predict_with(5, c("healthy", "ill")))
    said(predict_with(turned, c("healthy", "ill")))
  })
})

test_that("a name that stands twice is no cost", {
  twice <- zero_one_cost(c("a", "b"))
  rownames(twice) <- c("a", "a")
  expect_bayesrisk_error(decide(cbind(a = 1, b = 0), twice), "argument", "no longer")
})

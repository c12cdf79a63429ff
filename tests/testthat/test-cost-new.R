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

# nolint start: spaces_inside_linter.
test_that("what is wrong with the actions is said", {
  expect_snapshot({
    said(cost_matrix())
    said(cost_matrix(3))
    said(cost_matrix(wait = 1, 2))
    said(cost_matrix(wait = ))
    said(cost_matrix(, wait = 1))
    said(cost_matrix(wait = 1, wait = 2))
    said(cost_matrix(wait = c(1, 2)))
    said(cost_matrix(wait = c(ill = 1, 2)))
    said(cost_matrix(wait = c(ill = 1, ill = 2)))
    said(cost_matrix(wait = c(ill = 1, healthy = 2), treat = c(ill = 3, helthy = 4), refer = 1))
    said(cost_matrix(wait = c(ill = 1, healthy = 2), treat = c(ill = 3)))
    said(cost_matrix(wait = c(ill = 1, healthy = 2), treat = c(ill = 3, healthy = 4, dead = 9)))
    said(cost_matrix(wait = c(ill = NA, healthy = 2), treat = -Inf))
    said(cost_matrix(wait = NaN))
    said(cost_matrix(wait = list(ill = 1, healthy = "free")))
    said(cost_matrix(wait = c(ill = "1")))
    said(cost_matrix(wait = matrix(1)))
  })
})
# nolint end

test_that("the last comma may have nothing behind it", {
  expect_identical(cost_matrix(wait = 1, ), cost_matrix(wait = 1)) # nolint: commas_linter.
})

test_that("a list of numbers and formulas is read cell by cell", {
  amount <- ~amount
  cost <- cost_matrix(pay = list(fraud = amount, ok = 0L), refuse = 2, refer = list(~ fee + 1))
  expect_s3_class(cost, c("bayesrisk_case_cost", "bayesrisk_cost", "bayesrisk_result"), exact = TRUE)
  cells <- check_case_cost(cost, environment())
  expect_identical(cells[["pay", "ok"]], 0)
  expect_identical(cells[["refer", "ok"]], cells[["refer", "fraud"]])
  expect_identical(cell_text(cells[["pay", "fraud"]]), "~amount")
  # c() of a formula and a number is a list too.
  expect_identical(cost_matrix(pay = c(fraud = amount, ok = 0), refuse = 2)[["pay", "fraud"]],
                   cells[["pay", "fraud"]])
})

test_that("what is wrong with a formula or its neighbours is said", {
  expect_snapshot({
    said(cost_matrix(pay = list(fraud = y ~ amount, ok = 0)))
    said(cost_matrix(pay = list(~amount, ok = 0)))
    said(cost_matrix(pay = list(fraud = ~amount, ok = 1:2)))
    said(cost_matrix(pay = list(fraud = ~amount, ok = NA), refuse = -Inf))
    said(cost_matrix(pay = list(fraud = ~amount, ok = 0), refuse = c(fraud = 1, okay = 2)))
  })
})

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
  expect_refusals(
    "a & y & b & x" = cost_matrix(a = c(x = 1, y = NA), b = -Inf),
    "a & y & b & x" = utility_matrix(a = c(x = 1, y = NA), b = Inf),
    "a & y" = utility_matrix(a = list(x = ~amount, y = Inf))
  )
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
  expect_refusals(
    "cost & helthy & ill & healthy" = predict_with(hospital(), c("helthy", "ill")),
    "cost & healthy & ill & dead" = predict_with(hospital(), c("healthy", "ill", "dead")),
    "cost & matrix/array" = predict_with(as.matrix(hospital()), c("healthy", "ill")),
    "cost & 5" = predict_with(5, c("healthy", "ill")),
    "cost & as_cost_matrix()" = predict_with(turned, c("healthy", "ill"))
  )
})

test_that("a name that stands twice is no cost", {
  twice <- zero_one_cost(c("a", "b"))
  rownames(twice) <- c("a", "a")
  expect_bayesrisk_error(decide(cbind(a = 1, b = 0), twice), "argument", "no longer")
})

test_that("a cost reads as sentences", {
  expect_snapshot(hospital())
  expect_length(capture.output(print(flat_cost(a = 1, b = Inf))), 3L)
  expect_identical(format(hospital())[[3]], "deciding wait when truth is ill costs 50")
})

test_that("costs by case show formulas as they were written, and ranges", {
  costs <- array(
    c(1, 2, NA, 3, 3, 3, NA, NA, NA, -1.5, 0, 1e6), c(3, 2, 2),
    list(NULL, decision = c("a", "b"), truth = c("x", "y"))
  )
  expect_snapshot(
    cost_matrix(pay = list(fraud = ~ amount * (1 + rate), ok = 0), refuse = 2, refer = ~fee)
  )
  cells <- function(costs) sub(".* costs ", "", format(as_cost_matrix(costs))[1:4])
  expect_identical(cells(costs), c("1 to 2", "NA", "3", "-1.5 to 1e+06"))
  expect_identical(cells(costs[1, , , drop = FALSE]), c("1", "NA", "3", "-1.5"))
})

test_that("a large cost is a table", {
  expect_length(capture.output(print(zero_one_cost(letters[1:4], reject = 0.125))), 7L)
  rates <- stats::setNames(as.list(1:13 / 3), letters[1:13])
  by_case <- cost_matrix(go = replace(rates, 2, list(~amount)), stay = 1)
  shown <- capture.output(print(by_case, digits = 3))
  expect_match(shown, "12 of 13 true classes", all = FALSE)
  expect_match(shown, "go +0.333 +~amount +1 +1.33", all = FALSE)
})

test_that("a huge cost is shown in part", {
  shown <- capture.output(print(zero_one_cost(sprintf("c%02d", 1:50))))
  expect_lt(length(shown), 50)
  expect_match(shown, "the first 12 of 50 true classes", all = FALSE)
  expect_identical(utils::tail(shown, 1), "  ... and 30 more actions")
})

test_that("printed numbers follow the digits asked for", {
  third <- cost_matrix(go = c(x = 1 / 3, y = 1e6))
  withr::local_options(digits = 3)
  expect_identical(format(third)[[1]], "deciding go when truth is x costs 0.333")
  expect_identical(format(third, digits = 5)[[1]], "deciding go when truth is x costs 0.33333")
  expect_output(print(third, digits = 2), "0.33\n", fixed = TRUE)
})

test_that("printing returns its argument invisibly", {
  capture.output(shown <- withVisible(print(hospital())))
  expect_false(shown$visible)
  expect_identical(shown$value, hospital())
})

test_that("a cost that was changed behind its back is not printed as one", {
  cost <- hospital()
  dim(cost) <- NULL
  expect_refusals("x" = print(cost))
})

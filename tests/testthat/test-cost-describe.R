hospital <- function() {
  cost_matrix(treat = c(ill = 1, healthy = 4), wait = c(ill = 50, healthy = 0), refer = 2)
}

test_that("a cost reads as sentences", {
  expect_snapshot({
    hospital()
    cost_matrix(a = 1, b = Inf)
    cost_matrix(go = c(x = -1 / 3))
    zero_one_cost(c("a", "b", "c"), reject = 0.25)
  })
  expect_identical(format(hospital())[[3]], "deciding wait when truth is ill costs 50")
})

test_that("costs by case show formulas as they were written, and ranges", {
  costs <- array(
    c(1, 2, NA, 3, 3, 3, NA, NA, NA, -1.5, 0, 1e6), c(3, 2, 2),
    list(NULL, decision = c("a", "b"), truth = c("x", "y"))
  )
  one <- costs[1, , , drop = FALSE]
  expect_snapshot({
    cost_matrix(pay = list(fraud = ~ amount * (1 + rate), ok = 0), refuse = 2, refer = ~fee)
    cost_matrix(pay = ~amount, refuse = 2)
    as_cost_matrix(costs)
    as_cost_matrix(one)
  })
})

test_that("a large cost is a table", {
  expect_snapshot(zero_one_cost(c("one", "two", "three", "four"), reject = 0.125))
  rates <- stats::setNames(as.list(1:13 / 3), letters[1:13])
  by_case <- cost_matrix(go = replace(rates, 2, list(~amount)), stay = 1)
  expect_snapshot(print(by_case, digits = 3))
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
  expect_snapshot(said(print(cost)))
})

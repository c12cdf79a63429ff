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

test_that("the data frame has a row per pair, in the order of the actions", {
  expect_identical(as.data.frame(hospital()), data.frame(
    truth = factor(rep(c("ill", "healthy"), 3), c("ill", "healthy")),
    decision = factor(
      rep(c("treat", "wait", "refer"), each = 2), c("treat", "wait", "refer")
    ),
    cost = c(1, 4, 50, 0, 2, 2)
  ))
  free <- as.data.frame(cost_matrix(a = 1, b = 2))
  expect_identical(free$truth, factor(c(NA, NA)))
  expect_identical(free$cost, c(1, 2))
  expect_identical(rownames(as.data.frame(cost_matrix(a = 1), row.names = "r")), "r")
})

test_that("matrix and data frame of a cost by case hold text", {
  cost <- cost_matrix(pay = list(fraud = ~amount, ok = 0), refuse = 2)
  expect_identical(as.matrix(cost), matrix(
    c("~amount", "2", "0", "2"), 2,
    dimnames = list(decision = c("pay", "refuse"), truth = c("fraud", "ok"))
  ))
  expect_identical(as.data.frame(cost)$cost, c("~amount", "0", "2", "2"))
  expect_identical(as.character(as.data.frame(cost)$decision), rep(c("pay", "refuse"), each = 2))
})

test_that("a part of a cost, or a turned one, is plain numbers", {
  cost <- hospital()
  plain <- as.matrix(cost)
  expect_identical(cost["wait", "ill"], 50)
  expect_identical(cost[["wait", "ill"]], 50)
  expect_identical(cost["wait", ], plain["wait", ])
  expect_identical(cost[, "ill", drop = FALSE], plain[, "ill", drop = FALSE])
  expect_identical(cost[cost > 3], c(50, 4))
  expect_identical(t(cost), t(plain))
  expect_identical(as_cost_matrix(t(cost)), cost)
})

test_that("a cost can be replaced in its place, by a cost only", {
  cost <- hospital()
  cost["wait", "ill"] <- 60
  expect_s3_class(cost, "bayesrisk_cost")
  expect_identical(cost["wait", "ill"], 60)
  expect_snapshot({
    said(cost["wait", "ill"] <- NA)
    said(cost["wait", "ill"] <- "60")
    said(cost[10] <- 1)
  })
})

test_that("a cost by case is not changed in place", {
  cost <- cost_matrix(pay = list(fraud = ~amount, ok = 0), refuse = 2)
  expect_error(cost["pay", "ok"] <- 1, "make it again", class = "bayesrisk_error_argument")
})

test_that("a cost that was changed behind its back is not printed as one", {
  cost <- hospital()
  dim(cost) <- NULL
  expect_snapshot(said(print(cost)))
})

test_that("a report's table has what is seen", {
  skip_if_not_installed("knitr")
  shown <- knitr::kable(cost_matrix(a = c(x = 0, y = 1), b = c(x = 2, y = 0)), format = "pipe")
  expect_identical(shown[[3]], "|a  |  0|  1|")
})

posterior_of <- function(rows) cbind(a = rep(0.5, rows), b = 0.5)

decided_by <- function(cost, data) decide(posterior_of(nrow(data)), cost = cost, newdata = data)

test_that("a cost keeps the values that its formulas name, as they were, and nothing else", {
  made_with <- function(fee, rates) {
    ballast <- numeric(5e6)
    cost_matrix(go = list(a = ~ amount * rates[["low"]] + fee, b = 0), stay = ~ .env$fee)
  }
  cost <- made_with(3, c(low = 0.5, high = 2))
  expect_lt(length(serialize(cost, NULL)), 5000)
  kept <- rlang::quo_get_env(unclass(cost)[["go", "a"]])
  expect_setequal(ls(kept), c("fee", "rates"))
  data <- data.frame(amount = c(2, 8))
  expected <- decided_by(
    cost_matrix(go = list(a = ~ amount / 2 + 3, b = 0), stay = 3), data
  )
  fee <- 1000
  expect_equal(decided_by(cost, data)$cost, expected$cost, tolerance = 1e-15)
  elsewhere <- unserialize(serialize(cost, NULL))
  expect_identical(decided_by(elsewhere, data)$cost, decided_by(cost, data)$cost)
  # A column comes first.
  with_fee <- decided_by(cost, cbind(data, fee = 0))
  expect_equal(with_fee$cost, pmin(c(2, 8) / 4, 3), tolerance = 1e-15)
})

test_that("a value that a cost cannot keep is a classed error, unless it is a column", {
  data <- data.frame(amount = c(2, 8))
  with_value <- function(fee) cost_matrix(go = ~ amount + fee, stay = 1)
  for (fee in list(as.numeric(1:101), list(1), data)) {
    cost <- with_value(fee)
    expect_bayesrisk_error(decided_by(cost, data), "schema", "fee.*no column.*does not keep")
    expect_bayesrisk_error(decided_by(cost + cost, data), "schema", "does not keep its value")
    expect_equal(decided_by(cost, cbind(data, fee = -2))$cost, c(0, 1))
  }
  # A number is kept without what it carries.
  carried <- with_value(structure(-3, carried = data))
  expect_equal(decided_by(carried, data)$cost, c(-1, 1))
  expect_identical(carried, with_value(-3))
  # An argument that was not given has no value.
  expect_bayesrisk_error(decided_by(with_value(), data), "schema", "no column.*fee")
  # A function of the caller is not replaced by another one of the same name.
  with_function <- function() {
    sqrt <- function(x) x
    cost_matrix(go = ~ sqrt(amount), stay = 1)
  }
  expect_bayesrisk_error(decided_by(with_function(), data), "schema", "sqrt.*a function")
})

test_that("functions are looked up from the package that makes the cost", {
  here <- new.env(parent = asNamespace("bayesrisk"))
  cost <- eval(quote(cost_matrix(go = ~ nchar(capitalise(amount)), stay = 9)), here)
  expect_identical(decided_by(cost, data.frame(amount = c("a", "bc")))$cost, c(1, 2))
})

test_that("arguments of functions and parts are not values that a cost needs", {
  x <- amount <- as.numeric(1:200)
  data <- data.frame(amount = c(2, 8))
  cost <- cost_matrix(go = ~ vapply(amount, function(x) x / 4, 0), stay = 1)
  expect_equal(decided_by(cost, data)$cost, c(0.5, 1))
  expect_equal(decided_by(cost_matrix(go = ~ .data$amount / 4, stay = 1), data)$cost, c(0.5, 1))
  # In a package that imports the pronouns.
  imports <- list2env(list(.data = rlang::.data), parent = asNamespace("bayesrisk"))
  cost <- eval(quote(cost_matrix(go = ~ .data$amount / 4, stay = 1)), new.env(parent = imports))
  expect_equal(decided_by(cost, data)$cost, c(0.5, 1))
})

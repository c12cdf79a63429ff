mailing <- function() {
  utility_matrix(send = c(generous = 19, thrifty = 2, silent = -1), skip = 0)
}

test_that("a utility is the cost of minus its gains", {
  cost <- cost_matrix(send = c(generous = -19, thrifty = -2, silent = 1), skip = 0)
  expect_s3_class(mailing(), c("bayesrisk_utility", "bayesrisk_cost", "bayesrisk_result"), exact = TRUE)
  expect_identical(as.matrix(mailing()), as.matrix(cost))
  expect_identical(as.data.frame(mailing()), as.data.frame(cost))
  expect_identical(mailing()["send", "silent"], 1)
  classes <- c("silent", "generous", "thrifty")
  expect_identical(align_cost(mailing(), classes), align_cost(cost, classes))
  expect_identical(as_cost_matrix(mailing()), mailing())
  expect_identical(as_cost_matrix(as.matrix(mailing())), cost)
})

test_that("it prints as gains", {
  expect_snapshot({
    mailing()
    utility_matrix(pay = list(fraud = ~ -amount, ok = ~fee), refuse = c(fraud = 0, ok = -Inf))
  })
})

test_that("everything that takes a cost takes it", {
  counted <- confusion_table(
    c("generous", "silent", "silent", "thrifty"), c("send", "send", "skip", "skip")
  )
  expect_identical(expected_cost(counted, mailing()), (-19 + 1) / 4)
  model <- fit(bayes_naive(), y ~ x, data.frame(
    y = rep(c("generous", "thrifty", "silent"), 4), x = c(9, 5, 1, 8, 4, 2, 7, 6, 3, 9, 5, 0)
  ))
  cost <- cost_matrix(send = c(generous = -19, thrifty = -2, silent = 1), skip = 0)
  new <- data.frame(x = seq(-5, 5, by = 0.5))
  expect_identical(predict(model, new, cost = mailing()), predict(model, new, cost = cost))
  expect_setequal(as.character(predict(model, new, cost = mailing())), c("send", "skip"))
})

test_that("gains by case are turned too", {
  gains <- utility_matrix(pay = list(fraud = ~ -amount, ok = ~fee), refuse = 0)
  expect_s3_class(
    gains, c("bayesrisk_utility", "bayesrisk_case_cost", "bayesrisk_cost", "bayesrisk_result"),
    exact = TRUE
  )
  data <- data.frame(amount = c(5, 7), fee = c(1, NA))
  read <- case_cost_cells(gains, c("fraud", "ok"), data, 2L, environment())
  expect_identical(read$cells, list(c(5, 7), 0, c(-1, NA), 0))
})

test_that("it stays a utility when changed in place", {
  gains <- mailing()
  gains["send", "silent"] <- 4
  expect_identical(format(gains)[[3]], "deciding send when truth is silent gains -4")
})

test_that("every odd value is a utility or an error of the package", {
  is_utility <- function(x) inherits(x, "bayesrisk_utility")
  quiet <- function(...) suppressWarnings(utility_matrix(...), "bayesrisk_warning_never_best")
  expect_fuzz_proof(quiet, "wait", list(refer = 1), is_utility)
  expect_fuzz_proof(utility_matrix, "", is_valid = is_utility)
})

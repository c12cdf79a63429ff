test_that("shares, costs and the error believed are those of the probabilities", {
  p <- c(0.05, 0.1, 0.45, 0.95, NA)
  cost <- zero_one_cost(c("no", "yes"), reject = 0.3)
  found <- summary(decide(cbind(no = 1 - p, yes = p), cost))
  expect_identical(found$actions$action, factor(c("no", "yes", "reject"), c("no", "yes", "reject")))
  expect_identical(found$actions$cases, c(2L, 1L, 1L))
  expect_equal(found$actions$share, c(2, 1, 1) / 4)
  expect_equal(found$actions$cost, c(0.075, 0.05, 0.3), tolerance = 1e-14)
  expect_identical(c(found$cases, found$missing), c(5L, 1L))
  # Decided: 5 %, 10 % and 5 % wrong, of four cases and of three.
  expect_equal(found$coverage, 3 / 4)
  expect_equal(found$error, 0.2 / 4, tolerance = 1e-14)
  expect_equal(found$error_decided, 0.2 / 3, tolerance = 1e-14)
  expect_equal(found$cost, (0.05 + 0.1 + 0.3 + 0.05) / 4, tolerance = 1e-14)
})

test_that("with every action a class the error believed is the 0-1 cost", {
  model <- fit(bayes_naive(), Species ~ Sepal.Length, iris)
  found <- summary(decide(model, newdata = iris))
  expect_identical(found$coverage, 1)
  expect_equal(found$error, found$cost, tolerance = 1e-13)
})

test_that("errors far below the rounding of 1 are believed in full", {
  p <- cbind(no = c(1, 1e-30), yes = c(1e-25, 1))
  expect_equal(summary(decide(p))$error * 2, 1e-25 + 1e-30, tolerance = 1e-14)
})

test_that("actions that are no classes have no error, and parts of rows neither", {
  cost <- cost_matrix(go = c(a = 0, b = 3), stay = c(a = 1, b = 0))
  p <- cbind(a = c(0.2, 0.9), b = c(0.8, 0.1))
  expect_identical(summary(decide(p, cost))$coverage, NA_real_)
  both <- decide(p, zero_one_cost(c("a", "b")))
  expect_identical(summary(both[1, ])$error, NA_real_)
  expect_identical(summary(both)$coverage, 1)
})

test_that("the summary prints what it holds", {
  p <- c(0.05, 0.45, 0.95, NA)
  printed <- capture.output(print(summary(decide(
    cbind(no = 1 - p, yes = p), zero_one_cost(c("no", "yes"), reject = 0.3)
  ))))
  expect_match(printed, "4 cases", all = FALSE)
  expect_match(printed, "1 case without a decision", all = FALSE)
  expect_match(printed, "Decided for a class: 66.7 %", all = FALSE)
})

test_that("what an action that is never taken costs is not known", {
  never <- summary(decide(cbind(a = c(.9, .8), b = c(.1, .2))))$actions
  expect_identical(never$cost[[2L]], NA_real_)
  expect_identical(never$share, c(1, 0))
  nothing <- summary(decide(cbind(a = NA_real_, b = NA_real_)))$actions
  expect_identical(nothing$share, c(NA_real_, NA_real_))
})

test_that("a summary takes no other arguments", {
  expect_bayesrisk_error(summary(decide(cbind(a = 0.2, b = 0.8)), digits = 3), "argument", "digits")
})

test_that("resampled rows have no summed errors, reordered rows have", {
  x <- decide(cbind(a = c(.9, .6, .2), b = c(.1, .4, .8)))
  expect_identical(summary(x[c(1, 1, 1), ])$error, NA_real_)
  expect_equal(summary(x[3:1, ])$error, summary(x)$error)
})

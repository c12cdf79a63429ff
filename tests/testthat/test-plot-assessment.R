assessed_ten <- function(...) {
  ten <- ten_cases()
  assess_decisions(ten$posterior, cost = ten$cost, truth = ten$truth, ...)
}

test_that("each plot gives back what it drew", {
  result <- assessed_ten()
  expect_identical(draw(result), result$cells)
  expect_identical(draw(result, "confusion", main = "Ten"), result$cells)
  expect_identical(draw(result, "cost"), result$cost_curve)
  expect_identical(draw(result, "coverage"), result$risk_coverage)
  expect_identical(draw(result, "benefit"), result$benefit)
  expect_named(draw(result, "calibration"), c(names(result$calibration), "lower", "upper"))
})

test_that("what needs probabilities or two classes says so", {
  ten <- ten_cases()
  decided <- assess_decisions(decide(ten$posterior, ten$cost), truth = ten$truth)
  expect_bayesrisk_error(draw(decided, "calibration"), "argument", "probabilities")
  three <- assess_decisions(fit(bayes_naive(), Species ~ Petal.Width, iris), iris)
  expect_bayesrisk_error(draw(three, "cost"), "argument", "two classes, not 3")
  alone <- bayes_known(c(a = 1), x = likelihood_gaussian(mean = c(a = 0), sd = 1))
  alone <- assess_decisions(alone, data.frame(x = 1:3), truth = rep("a", 3))
  expect_bayesrisk_error(draw(alone, "benefit"), "argument", "two classes, not 1")
  one <- assess_decisions(ten$posterior[1:2, ], truth = ten$truth[1:2])
  expect_bayesrisk_error(draw(one, "benefit"), "argument", "both classes")
  expect_bayesrisk_error(draw(decided, "roc"), "argument", "type")
  expect_bayesrisk_error(draw(decided, tpye = "cost"), "argument", "tpye")
})

test_that("ROC and lift are drawn from the assessment", {
  ten <- ten_cases()
  two <- assess_decisions(ten$posterior, truth = ten$truth)
  roc <- draw(two, "roc")
  expect_identical(roc, two$ranking[two$ranking$class == "ill", ])
  lift <- draw(two, "lift", col = c(ill = "red"))
  expect_identical(lift, roc)
  expect_identical(lift$lift[2:3], c(2, 2))
  three <- assess_decisions(fit(bayes_naive(), Species ~ ., iris), iris)
  expect_identical(draw(three, "roc"), three$ranking)
  expect_setequal(as.character(draw(three, "lift", class = "setosa")$class), "setosa")
})

test_that("what has no curve is an error that says why", {
  ten <- ten_cases()
  decided <- assess_decisions(decide(ten$posterior, ten$cost), truth = ten$truth)
  expect_bayesrisk_error(plot(decided, "roc"), "argument", "needs probabilities")
  ill <- ten$truth == "ill"
  alone <- assess_decisions(ten$posterior[ill, ], truth = ten$truth[ill])
  expect_bayesrisk_error(plot(alone, "lift"), "argument", "two classes or more")
})

test_that("the first few cases do not set the scale of the lift", {
  expect_identical(lift_top(data.frame(depth = c(0.001, 0.01, 1), lift = c(15, 3, 1))), 3)
})

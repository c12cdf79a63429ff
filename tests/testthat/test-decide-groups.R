test_that("each row is decided by the model of its group", {
  flowers <- transform(iris, site = rep(c("hill", "lake", "wood"), 50))
  models <- fit(bayes_naive(), Species ~ ., flowers, by = site)
  cost <- zero_one_cost(levels(iris$Species), reject = 0.2)
  decided <- decide(models, flowers, cost)
  expect_s3_class(decided, "bayesrisk_decision")
  expect_identical(decided$decision, predict(models, flowers, cost = cost))
  expect_equal(
    decided$cost[flowers$site == "lake"],
    decide(models$lake, flowers[flowers$site == "lake", ], cost)$cost
  )
})

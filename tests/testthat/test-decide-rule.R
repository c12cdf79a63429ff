test_that("decide() follows the rule", {
  model <- valid_models()$naive
  data <- valid_data()[rep(1:24, 20), ]
  rule <- guarantee(model, data, bound = 0.6)
  decided <- decide(model, data, rule = rule)
  kept <- decided$decision != "refer"
  expect_equal(mean(kept), rule$groups$decided)
  expect_equal(mean(as.character(decided$decision)[kept] != data$y[kept]), rule$groups$cost)
  expect_identical(levels(decided$decision), c("a", "b", "refer"))
  expect_true(all(decided$cost_refer == 0))
  expect_output(print(decided), "Decided by a rule: refer if its expected cost is above")
  # Probabilities, chunks and the same cost named again.
  by_matrix <- decide(predict(model, data, type = "prob"), rule = rule)
  expect_identical(by_matrix$decision, decided$decision)
  expect_identical(decide(model, data, zero_one_cost(c("a", "b")), rule = rule)$decision,
                   decided$decision)
  assessed <- assess_decisions(decided, truth = data$y)
  expect_equal(assessed$cost, mean(kept) * rule$groups$cost)
})

test_that("a referral that has a price, and another name, is an action of the cost", {
  model <- valid_models()$naive
  data <- valid_data()[rep(1:24, 20), ]
  cost <- valid_cost()
  rule <- guarantee(model, data, cost = cost, bound = 2, refer = "ask")
  decided <- decide(model, data, cost, rule = rule)
  expect_identical(levels(decided$decision), c("a", "b", "ask"))
  expect_equal(range(decided$cost_ask), c(0.4, 0.4))
  other <- cost_matrix(a = c(a = 0, b = 9), b = c(a = 1, b = 0), ask = 0.4)
  expect_error(decide(model, data, other, rule = rule), "another one than the cost of `rule`",
               class = "bayesrisk_error_argument")
  # The order of actions and classes does not matter.
  turned <- cost_matrix(ask = 0.4, b = c(b = 0, a = 1), a = c(b = 5, a = 0))
  expect_identical(
    as.character(decide(model, data, turned, rule = rule)$decision), as.character(decided$decision)
  )
})

counted <- confusion_table(
  c("a", "a", "b", "b", "b"), factor(c("a", "b", "b", "b", "ask"), c("a", "b", "ask"))
)

test_that("cells with their costs, by truth and decision", {
  drawn <- draw(counted)
  expect_named(drawn, c("truth", "decision", "n", "cost", "share"))
  expect_identical(drawn$n, c(1, 1, 0, 0, 2, 1))
  expect_true(all(is.na(drawn$cost)))
  cost <- cost_matrix(b = c(b = 1, a = 6), a = c(b = 3, a = 0), ask = 2)
  priced <- draw(counted, cost = cost)
  expect_identical(priced$cost, c(0, 6, 0, 0, 2, 2))
  expect_identical(priced$share, priced$cost / 10)
})

test_that("an infinite cost without a case plays no part", {
  cost <- cost_matrix(a = c(a = 0, b = Inf), b = c(a = 1, b = 0), ask = 0.7)
  expect_identical(sum(draw(counted, cost = cost)$cost), 1.7)
})

test_that("classes without a case, one tile, many tiles", {
  expect_no_error(draw(confusion_table(factor("a", c("a", "b")), "reject")))
  expect_no_error(draw(confusion_table("a", "a")))
  many <- rep(sprintf("a rather long class name %d", 1:15), 2)
  expect_no_error(draw(confusion_table(many, rev(many)), main = "many"))
})

test_that("what cannot be drawn is said", {
  expect_bayesrisk_error(draw(counted, cost = 1), "argument", "cost")
  expect_bayesrisk_error(draw(counted, cost = zero_one_cost(c("a", "b"))), "argument", "ask")
  expect_bayesrisk_error(draw(counted, colour = 1), "argument", "colour")
})

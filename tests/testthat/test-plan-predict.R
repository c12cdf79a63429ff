test_that("a plan follows its own tree", {
  p <- rbind(ill = c(pos = 0.9, neg = 0.1), well = c(0.2, 0.8))
  model <- bayes_known(prior = c(ill = 0.1, well = 0.9), first = p, second = p)
  cost <- cost_matrix(treat = c(ill = 0, well = 4), wait = c(ill = 8, well = 0))
  plan <- test_plan(model, cost, price = 0.1)
  cases <- data.frame(first = c(NA, "pos", "neg", "pos", NA), second = c(NA, NA, NA, "pos", "pos"))
  found <- predict(plan, cases)
  expect_identical(found$test, c("first", "second", NA, NA, "first"))
  expect_identical(found$action, c(NA, NA, "wait", "treat", NA))
  expect_within(found$cost, plan$tree$cost[c(1, 2, 5, 3, 2)], 1e-12)
  expect_identical(predict(plan, cases[5:1, ])$cost, rev(found$cost))
  given <- test_plan(model, cost, price = 0.1, given = list(first = "pos"))
  expect_within(given$value, plan$tree$cost[[2]], 1e-12)
  expect_identical(predict(given, data.frame(second = c("pos", NA)))$test, c(NA, "second"))
  once <- test_plan(model, cost, price = 0.1, max_tests = 1)
  expect_identical(predict(once, cases)$test, rep(NA_character_, 5))
  expect_error(predict(plan), class = "bayesrisk_error_argument")
  expect_error(predict(plan, cases, 3), class = "bayesrisk_error_argument")
  damaged <- plan
  damaged$setup <- NULL
  expect_error(predict(damaged, cases), class = "bayesrisk_error")
})

test_that("what is known of a joint table changes its other tests", {
  data <- data.frame(
    a = rep(c("x", "y"), 20), b = rep(c("u", "u", "v"), length.out = 40), y = rep(c("k", "l"), 20)
  )
  data$y[3:9] <- "k"
  model <- fit(bayes_blocks(list(c("a", "b")), laplace = 1), y ~ a + b, data)
  cost <- cost_matrix(k = c(k = 0, l = 3), l = c(k = 4, l = 0))
  plan <- test_plan(model, cost, price = 0.01)
  for (level in c("x", "y")) {
    known <- test_plan(model, cost, price = 0.01, given = list(a = level))
    found <- predict(plan, data.frame(a = level, b = NA))
    expect_within(found$cost, known$value, 1e-10)
  }
  alone <- test_plan(model, cost, price = 0.01, features = "a")
  expect_error(predict(alone, data.frame(a = NA, b = "u")), "given", class = "bayesrisk_error")
})

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

test_that("cases of any pattern, panels and limits included, are judged as their own plans", {
  p <- rbind(i = c(p = 0.9, n = 0.1), w = c(0.3, 0.7))
  model <- bayes_known(prior = c(i = 0.3, w = 0.7), a = p, b = p, c = p)
  cost <- cost_matrix(t = c(i = 0, w = 4), s = c(i = 8, w = 0))
  price <- c(both = 0.1, c = 0.1)
  plan <- function(...) test_plan(model, cost, price, panels = list(both = c("a", "b")), ...)
  for (case in list(list(a = "p"), list(a = "p", c = "n"), list(b = "n"))) {
    newdata <- data.frame(a = NA, b = NA, c = NA)
    newdata[names(case)] <- case
    expect_within(predict(plan(), newdata)$cost, plan(given = case)$value, 1e-12)
  }
  limited <- plan(max_tests = 2)
  done <- predict(limited, data.frame(a = "p", b = "n", c = NA))
  expect_within(done$cost, plan(max_tests = 1, given = list(a = "p", b = "n"))$value, 1e-12)
  none <- predict(limited, data.frame(a = "p", b = "n", c = NA)[0, ])
  expect_identical(dim(none), c(0L, 3L))
  alone <- test_plan(model, cost, c(a = 5, one = 0.1, b = 1, c = 1), panels = list(one = "a"))
  expect_within(alone$all - test_plan(model, cost, c(a = 0.1, b = 1, c = 1))$all, 0, 1e-12)
  known <- test_plan(model, cost, 0.1, given = list(a = "p", b = "p", c = "n"))
  expect_within(known$value, known$now, 1e-12)
})

test_that("numbers far from the plan's own case are judged as integrals do", {
  model <- bayes_known(
    prior = c(i = 0.05, w = 0.95), x = likelihood_gaussian(mean = c(i = 0, w = 1), sd = 1),
    z = likelihood_gaussian(mean = c(i = 0, w = 2), sd = 1)
  )
  cost <- cost_matrix(t = c(i = 0, w = 10), s = c(i = 10, w = 0))
  plan <- test_plan(model, cost, price = 2.4)
  case <- data.frame(x = -2.08, z = NA_real_)
  one <- next_feature(model, case, cost, price = 2.4)
  expect_identical(predict(plan, case)$test, "z")
  expect_within(predict(plan, case)$cost, one$cost_after + 2.4, 1e-3 * one$cost_now)
})

test_that("what a plan was given is a label, whatever the column is", {
  p <- rbind(ill = c(u = 0.9, v = 0.1), well = c(0.2, 0.8))
  model <- bayes_known(prior = c(ill = 0.1, well = 0.9), f = p, x = p)
  cost <- cost_matrix(treat = c(ill = 0, well = 4), wait = c(ill = 8, well = 0))
  cases <- data.frame(f = c("u", NA), x = NA)
  values <- list("v", factor("v", c("v", "u")), factor("v"))
  for (value in values) {
    plan <- test_plan(model, cost, price = 0.01, given = list(f = value))
    columns <- list(c("u", NA), factor(c("u", NA)), factor(c("u", NA), c("v", "u")))
    for (column in columns) {
      found <- predict(plan, data.frame(f = column, x = NA))
      expect_within(found$cost[[2]], plan$value, 1e-12)
    }
  }
})

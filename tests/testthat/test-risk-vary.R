test_that("what is wrong with what varies is said", {
  cost <- cost_matrix(wait = c(ill = 50, healthy = 0), treat = c(ill = 1, healthy = 4))
  model <- bayes_known(c(ill = .1, healthy = .9))
  three <- bayes_known(c(u = .2, v = .3, w = .5))
  expect_snapshot({
    said(break_even(model, cost = cost, vary = "cost"))
    said(break_even(model, cost = cost, vary = c(decision = "wiat")))
    said(break_even(model, cost = cost, vary = c(decision = "wait", truth = "treat")))
    said(break_even(model, cost = cost, vary = c(truth = "ill")))
    said(break_even(model, cost = cost, vary = c(decision = "wait"), class = "ill"))
    said(break_even(model, cost = cost, class = "helthy"))
    said(cost_sweep(three))
    said(break_even(bayes_known(c(a = 1))))
    said(cost_sweep(three, class = "w", prior = c(0, 0, 1)))
  })
})

test_that("the base prior keeps the proportions of the others", {
  varied <- prior_vary(2L, c(.2, .5, .3), c("u", "v", "w"), NULL, NULL)
  expect_identical(varied$base, c(.4, 1, .6))
  expect_identical(varied$prior, .5)
  expect_identical(other_shares(1L, c(1, 0), NULL), c(0, 1))
  expect_null(other_shares(1L, c(1, 0, 0), NULL))
  expect_null(other_shares(1L, c(1, 0), c(5, 0)))
})

test_that("no cases are one case of which nothing is known", {
  model <- fit(bayes_full(), Species ~ ., cbind(iris, f = factor(rep(1:3, 50))))
  read <- read_cases(model, NULL, NULL)
  joint <- score(model, read, "log_joint", c(.2, .3, .5), NULL, 1L, NULL)
  expect_identical(as.vector(joint), log(c(.2, .3, .5)))
})

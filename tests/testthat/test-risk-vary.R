test_that("what is wrong with what varies is said", {
  cost <- cost_matrix(wait = c(ill = 50, healthy = 0), treat = c(ill = 1, healthy = 4))
  model <- bayes_known(c(ill = .1, healthy = .9))
  three <- bayes_known(c(u = .2, v = .3, w = .5))
  expect_refusals(
    "vary & prior & cost" = break_even(model, cost = cost, vary = "cost"),
    "vary & wiat" = break_even(model, cost = cost, vary = c(decision = "wiat")),
    "vary & treat" = break_even(model, cost = cost, vary = c(decision = "wait", truth = "treat")),
    "vary & truth" = break_even(model, cost = cost, vary = c(truth = "ill")),
    "class & vary" = break_even(model, cost = cost, vary = c(decision = "wait"), class = "ill"),
    "class & helthy" = break_even(model, cost = cost, class = "helthy"),
    "class & u & v & w" = cost_sweep(three),
    "vary & class" = break_even(bayes_known(c(a = 1))),
    "w" = cost_sweep(three, class = "w", prior = c(0, 0, 1))
  )
})

test_that("the base prior keeps the proportions of the others", {
  varied <- prior_vary(2L, c(.2, .5, .3), c("u", "v", "w"), NULL, NULL)
  expect_identical(varied$base, c(.4, 1, .6))
  expect_identical(varied$prior, .5)
  expect_identical(other_shares(1L, c(1, 0), NULL), c(0, 1))
  expect_null(other_shares(1L, c(1, 0, 0), NULL))
  expect_null(other_shares(1L, c(1, 0), c(5, 0)))
})

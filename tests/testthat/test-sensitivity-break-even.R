nba <- function() {
  bayes_known(
    prior = c(NBA = 0.5, other = 0.5),
    height = rbind(NBA = c(tall = 0.85, short = 0.15), other = c(tall = 0.1, short = 0.9))
  )
}

test_that("a tall man is a basketball player from a prior of 2/19", {
  flips <- break_even(nba(), data.frame(height = c("tall", "short")))
  expect_named(flips, c("row", "parameter", "value", "below", "above"))
  expect_identical(flips$row, 1:2)
  expect_identical(flips$parameter, rep("prior of NBA", 2))
  expect_within(flips$value, c(2 / 19, 6 / 7), 1e-14)
  expect_identical(flips$below, factor(c("other", "other"), c("NBA", "other")))
  expect_identical(flips$above, factor(c("NBA", "NBA"), c("NBA", "other")))
  complement <- break_even(nba(), data.frame(height = "tall"), class = "other")
  expect_within(complement$value, 17 / 19, 1e-14)
})

test_that("the letters: at 20 pixels a miss of 3 breaks even, and the cut of each cost", {
  cost <- cost_matrix(a = c(a = 0, b = 1), b = c(a = 1, b = 0))
  miss_of_b <- c(decision = "a", truth = "b")
  one <- break_even(letters_model(), data.frame(pixels = 20), cost, vary = miss_of_b)
  expect_within(one$value, 3, 1e-14)
  expect_identical(as.character(c(one$below, one$above)), c("a", "b"))
  # The cost breaks even at the cut that it moves.
  miss <- c(1, 3, 5, 10)
  cuts <- data.frame(pixels = 20 + 1.6 * log(3 / miss))
  expect_within(
    break_even(letters_model(), cuts, cost, vary = rev(miss_of_b))$value, miss, 1e-13
  )
})

test_that("without a case: thresholds 1/2, 1/11, 1/101, 1/1001 of the smoke detector", {
  model <- fit(bayes_naive(), y ~ 1, data.frame(y = c("fire", "none")))
  threshold <- vapply(10^(0:3), function(miss) {
    cost <- cost_matrix(alarm = c(fire = 0, none = 1), wait = c(fire = miss, none = 0))
    break_even(model, cost = cost, class = "fire")$value
  }, 1)
  expect_within(threshold, 1 / (1 + 10^(0:3)), 1e-15)
  nothing <- data.frame(pixels = NA)
  expect_identical(break_even(letters_model()), break_even(letters_model(), nothing))
  expect_identical(break_even(letters_model(), NULL)$value, 0.5)
})

test_that("the decision of predict() changes there, and nowhere else", {
  skip_on_cran()
  model <- fit(bayes_full(), Species ~ ., iris)
  cases <- iris[c(1, 15, 51, 71, 84, 101, 107, 134), ]
  cost <- iris_cost()
  prior <- c(setosa = 0.2, versicolor = 0.5, virginica = 0.3)
  flips <- break_even(model, cases, cost, prior = prior)
  expect_identical(unique(flips$row), 1:8)
  expect_false(is.unsorted(flips$row))
  decide_at <- function(i, class, t) {
    others <- prior[names(prior) != class]
    moved <- c(stats::setNames(t, class), others / sum(others) * (1 - t))
    as.character(predict(model, cases[i, ], cost = cost, prior = moved[names(prior)]))
  }
  for (class in names(prior)) {
    of_class <- flips[flips$parameter == paste("prior of", class), ]
    for (i in seq_len(8)) {
      mine <- of_class[of_class$row == i, ]
      value <- mine$value[!is.na(mine$value)]
      expect_false(is.unsorted(value, strictly = TRUE))
      edges <- c(0, value, 1)
      held <- unique(c(as.character(mine$below), as.character(mine$above)))
      for (piece in seq_along(held)) {
        inside <- edges[piece] + (edges[piece + 1] - edges[piece]) * c(1e-6, 0.5, 1 - 1e-6)
        for (t in inside) expect_identical(decide_at(i, class, t), held[[piece]])
      }
    }
  }
})

test_that("the break-even of a cost is where another action costs the same", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  cost <- iris_cost()
  p <- predict(model, iris, type = "prob")
  expected <- predict(model, iris, type = "cost", cost = cost)
  # All costs of an action: the smallest expected cost of the others.
  price <- break_even(model, iris, cost, vary = c(decision = "ask"))
  expect_within(price$value, apply(expected[, 1:3], 1, min), 1e-12)
  expect_identical(unique(price$below), factor("ask", rownames(cost)))
  others <- cost_matrix(!!!lapply(c(keep = "keep", sell = "sell", burn = "burn"), function(a) {
    as.matrix(cost)[a, ]
  }))
  expect_identical(as.character(price$above), as.character(predict(model, iris, cost = others)))
  # One cost: what the cheapest other action costs more without it, per probability.
  one <- break_even(model, iris, cost, vary = c(decision = "keep", truth = "versicolor"))
  rest <- expected[, "keep"] - p[, "versicolor"] * 1
  by_hand <- (apply(expected[, c("sell", "burn", "ask")], 1, min) - rest) / p[, "versicolor"]
  likely <- p[, "versicolor"] > 1e-3
  expect_within(one$value[likely], by_hand[likely], 1e-10)
})

test_that("prior odds far out keep their digits on the log scale", {
  model <- bayes_known(c(a = .5, b = .5), x = likelihood_gaussian(mean = c(a = 0, b = 100), sd = 1))
  # log odds of a at x: 5000 - 100 x.
  far <- break_even(model, data.frame(x = c(43.2, 50, 60, -400)), class = "a")
  expect_within(far$value[1:2], c(exp(-680), 0.5), 1e-10)
  # Nearer to 1 or 0 than a double can be: no prior changes it.
  expect_identical(far$value[3:4], c(NA_real_, NA_real_))
  expect_identical(as.character(far$below), c("b", "b", "b", "a"))
  expect_within(break_even(model, data.frame(x = 56.8), class = "b")$value, exp(-680), 1e-10)
})

test_that("a decision that nothing changes is a row with NA", {
  cost <- unwise_cost(go = c(a = 1, b = 2), stay = c(a = 0, b = 1))
  none <- break_even(letters_model(), data.frame(pixels = c(10, 20)), cost)
  expect_identical(none$value, c(NA_real_, NA_real_))
  expect_identical(as.character(none$below), c("stay", "stay"))
  expect_identical(none$below, none$above)
  same <- break_even(letters_model(), cost = cost_matrix(one = 1, two = 1))
  expect_identical(as.character(same$below), "one")
  expect_identical(break_even(letters_model(), cost = cost_matrix(one = 1))$value, NA_real_)
})

test_that("infinite costs rule out, unless the class is impossible", {
  cost <- cost_matrix(go = c(a = 0, b = Inf), stay = c(a = 3, b = 1), call = c(a = 1, b = 4))
  flips <- break_even(letters_model(), data.frame(pixels = 5), cost)
  expect_identical(as.character(c(flips$below, flips$above)), c("stay", "call"))
  sure <- bayes_known(c(a = .5, b = .5), f = rbind(a = c(u = .5, v = .5), b = c(u = 0, v = 1)))
  expect_identical(as.character(break_even(sure, data.frame(f = "u"), cost)$below), "go")
  # The price of the cost that is infinite now.
  price <- break_even(sure, data.frame(f = "v"), cost, vary = c(decision = "go", truth = "b"))
  expect_within(price$value, (1 / 3 * 3 + 2 / 3 * 1) / (2 / 3), 1e-14)
  all <- unwise_cost(go = Inf, stay = c(a = Inf, b = 1))
  expect_identical(as.character(break_even(letters_model(), cost = all)$below), "go")
})

test_that("costs by case: as each case with its own", {
  cases <- data.frame(pixels = c(12, 20, 23), sum = c(1, 7, 40))
  by_sum <- cost_matrix(a = list(a = 0, b = ~ sum), b = c(a = 1, b = 0), ask = 0.2)
  fixed <- function(sum) cost_matrix(a = c(a = 0, b = sum), b = c(a = 1, b = 0), ask = 0.2)
  for (vary in list("prior", c(decision = "ask"), c(decision = "b", truth = "a"))) {
    together <- break_even(letters_model(), cases, by_sum, vary = vary)
    for (i in 1:3) {
      alone <- break_even(letters_model(), cases[i, ], fixed(cases$sum[[i]]), vary = vary)
      mine <- together[together$row == i, ]
      expect_identical(mine[-1], alone[names(mine)[-1]], ignore_attr = "row.names")
    }
  }
  # The cost that varies need not be known, the others must be.
  cases$sum[[2]] <- NA
  itself <- break_even(letters_model(), cases, by_sum, vary = c(decision = "a", truth = "b"))
  expect_false(anyNA(itself$value))
  expect_warning(
    flips <- break_even(letters_model(), cases, by_sum), class = "bayesrisk_warning_unpriced"
  )
  expect_identical(unique(flips$row[is.na(flips$below)]), 2L)
  expect_bayesrisk_error(break_even(letters_model(), cost = by_sum), "argument", "newdata")
  array <- as_cost_matrix(array(
    c(0, 0, 1, 2, 3, 7, 0, 0), c(2, 2, 2),
    list(NULL, decision = c("a", "b"), truth = c("a", "b"))
  ))
  two <- break_even(letters_model(), data.frame(pixels = c(20, 20)), array)
  expect_within(two$value, c(3 / 4, 7 / 9), 1e-14)
})

test_that("priors of 0 and 1, and classes without rows", {
  out <- letters_model(c(a = 1, b = 0))
  expect_within(break_even(out, data.frame(pixels = 20), class = "b")$value, 0.5, 1e-15)
  expect_within(break_even(out, data.frame(pixels = 20), class = "a")$value, 0.5, 1e-15)
  three <- suppressMessages(fit(
    bayes_naive(prior = c(a = 1, b = 0, c = 0)), y ~ x,
    data.frame(y = factor(c("a", "a", "b", "b"), c("a", "b", "c")), x = c(0, 1, 4, 5))
  ))
  flips <- break_even(three, data.frame(x = 2.5))
  expect_identical(flips$parameter, "prior of b")
  expect_within(flips$value, 0.5, 1e-14)
  expect_bayesrisk_error(break_even(three, class = "a"), "argument", "proportions")
  expect_bayesrisk_error(break_even(three, class = "c"), "argument", "no rows")
})

test_that("rows without a posterior are NA, with a warning", {
  model <- letters_model()
  cases <- data.frame(pixels = c(20, Inf, 15))
  expect_warning(flips <- break_even(model, cases), class = "bayesrisk_warning_infinite")
  expect_identical(flips$row, 1:3)
  expect_true(is.na(flips$value[[2]]) && is.na(flips$below[[2]]) && is.na(flips$above[[2]]))
  never <- bayes_known(c(a = .5, b = .5), f = rbind(a = c(u = 0, v = 1), b = c(0, 1)))
  expect_warning(
    flips <- break_even(never, data.frame(f = c("u", "v"))), class = "bayesrisk_warning_impossible"
  )
  expect_identical(is.na(flips$below), c(TRUE, FALSE))
  expect_identical(nrow(break_even(model, data.frame(pixels = numeric()))), 0L)
})

test_that("every odd argument is read or refused by design", {
  case <- data.frame(pixels = 20)
  fixed <- list(object = letters_model(), newdata = case, cost = zero_one_cost(c("a", "b"), 0.1))
  is_flips <- function(x) is.data.frame(x) && identical(names(x)[3:5], c("value", "below", "above"))
  for (arg in c("cost", "vary", "class", "prior")) {
    expect_fuzz_proof(break_even, arg, fixed, is_flips)
  }
  expect_fuzz_proof(break_even, "object", fixed, is_flips, "bayesrisk_error")
  expect_fuzz_proof(break_even, "newdata", fixed, is_flips, "bayesrisk_error_schema")
  fixed$cost <- cost_matrix(a = list(a = 0, b = ~ pixels), b = c(a = 1, b = 0))
  expect_fuzz_proof(break_even, "newdata", fixed, is_flips, "bayesrisk_error")
  expect_fuzz_proof(break_even, "prior", fixed, is_flips)
})

test_that("no prior varies where one class alone has rows", {
  for (empty in list("b", c("b", "c"))) {
    data <- data.frame(y = factor(rep("a", 4), c("a", empty)), x = c(1, 2, 4, 5))
    model <- one_class(fit(bayes_naive(), y ~ x, data))
    expect_bayesrisk_error(break_even(model), "argument", "no other class has rows")
  }
})

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

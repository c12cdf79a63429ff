# Decisions by cost. A feature with one level tells nothing: the posterior is the prior,
# so that expected costs can be written down.

decide_by <- function(prior, cost, type = "decision") {
  certain <- matrix(1, length(prior), 1, dimnames = list(names(prior), "any"))
  predict(bayes_known(prior, f = certain), data.frame(f = "any"), type = type, cost = cost)
}

test_that("false alarm 1, miss 10: the threshold is 1/11 (C1)", {
  cost <- cost_matrix(no = c(healthy = 0, ill = 10), yes = c(healthy = 1, ill = 0))
  p <- c(.02, .05, .08, .10, .15, .30, .60, .95)
  decision <- vapply(p, function(p) as.character(decide_by(c(ill = p, healthy = 1 - p), cost)), "")
  expect_identical(decision, rep(c("no", "yes"), c(3, 5)))
})

test_that("an asymmetric cost: risks 9/4, 5/4, 7/4, action 2 (C2, C3)", {
  p <- c(a = 1 / 2, b = 1 / 4, c = 1 / 4)
  cost <- cost_matrix(
    one = c(a = 0, b = 1, c = 8), two = c(a = 2, b = 0, c = 1), three = c(a = 1, b = 5, c = 0)
  )
  risk <- decide_by(p, cost, "cost")
  expect_identical(colnames(risk), c("one", "two", "three"))
  expect_within(risk, c(9, 5, 7) / 4, 1e-15)
  expect_identical(decide_by(p, cost), factor("two", c("one", "two", "three")))
  permuted <- as_cost_matrix(as.matrix(cost)[c(3, 1, 2), c("c", "a", "b")], rows = "decision")
  expect_identical(as.character(decide_by(p, permuted)), "two")
  transposed <- as_cost_matrix(t(as.matrix(cost)), rows = "truth")
  expect_identical(decide_by(p, transposed), decide_by(p, cost))
})

test_that("equal costs go to the first action, within the band (C4)", {
  cost <- cost_matrix(no = c(healthy = 0, ill = 3), yes = c(healthy = 1, ill = 0))
  expect_identical(as.character(decide_by(c(healthy = .75, ill = .25), cost)), "no")
  other <- cost_matrix(yes = c(healthy = 1, ill = 0), no = c(healthy = 0, ill = 3))
  expect_identical(as.character(decide_by(c(healthy = .75, ill = .25), other)), "yes")
  nearly <- c(healthy = .75 - 1e-13, ill = .25 + 1e-13)
  expect_identical(as.character(decide_by(nearly, cost)), "no")
  clearly <- c(healthy = .75 - 1e-11, ill = .25 + 1e-11)
  expect_identical(as.character(decide_by(clearly, cost)), "yes")
})

test_that("an infinite cost counts unless its class is impossible (C5)", {
  cost <- cost_matrix(go = c(a = 0, b = Inf), stop = c(a = 7, b = 5))
  expect_within(decide_by(c(a = 1, b = 0), cost, "cost"), c(0, 7), 0)
  expect_identical(as.character(decide_by(c(a = 1, b = 0), cost)), "go")
  expect_within(decide_by(c(a = .5, b = .5), cost, "cost"), c(Inf, 6), 0)
  expect_identical(as.character(decide_by(c(a = .5, b = .5), cost)), "stop")
  both <- cost_matrix(stop = c(a = Inf, b = 1), go = c(a = 0, b = Inf))
  expect_identical(as.character(decide_by(c(a = .5, b = .5), both)), "stop")
  expect_within(decide_by(c(a = .5, b = .5), both, "cost"), c(Inf, Inf), 0)
})

test_that("a posterior that underflowed is not an impossible class", {
  model <- bayes_known(c(a = .5, b = .5), x = likelihood_gaussian(mean = c(a = 0, b = 100), sd = 1))
  cost <- cost_matrix(go = c(a = 0, b = Inf), stop = 1)
  far <- data.frame(x = -10)
  expect_identical(as.vector(predict(model, far, type = "prob")), c(1, 0))
  expect_within(predict(model, far, type = "cost", cost = cost), c(Inf, 1), 0)
  expect_identical(as.character(predict(model, far, cost = cost)), "stop")
})

test_that("gains, shifts by class and scales leave the decision (C6)", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  values <- rbind(one = c(0, 1, 8), two = c(2, 0, 1), three = c(1, 5, 0), four = c(1, 1, 1))
  colnames(values) <- levels(iris$Species)
  decided <- function(values) predict(model, iris, cost = as_cost_matrix(values, rows = "decision"))
  expected <- decided(values)
  expect_identical(levels(expected), rownames(values))
  expect_identical(decided(sweep(values, 2, c(3, -9, 20))), expected)
  expect_identical(decided(values * 1000), expected)
  p <- predict(model, iris, type = "prob")
  expect_identical(as.integer(expected), apply(p %*% t(values), 1, which.min), ignore_attr = TRUE)
})

test_that("expected costs are posterior times cost, for any number of actions (C8)", {
  model <- fit(bayes_full(), Species ~ ., iris)
  cost <- cost_matrix(
    keep = c(virginica = 10, setosa = 0, versicolor = 1),
    sell = c(setosa = 2, versicolor = 2.5, virginica = 0), ask = 1.25,
    burn = c(setosa = -1, versicolor = 4, virginica = 4)
  )
  expected <- predict(model, iris, type = "prob") %*% t(unclass(cost)[, levels(iris$Species)])
  expect_within(predict(model, iris, type = "cost", cost = cost), expected, 1e-14, scale = 10)
  expect_identical(dim(expected), c(150L, 4L))
  alone <- cost_matrix(wait = c(virginica = 10, setosa = 0, versicolor = 1))
  expect_identical(unique(predict(model, iris, cost = alone)), factor("wait"))
  expect_within(predict(model, iris, type = "cost", cost = alone), expected[, 1], 1e-14, scale = 10)
})

test_that("0-1 cost decides as the class rule, ties included (C9)", {
  model <- fit(bayes_full(), Species ~ ., iris)
  expect_identical(predict(model, iris, cost = zero_one_cost(model)), predict(model, iris))
  tie <- c(b = .4, a = .4, c = .2)
  expect_identical(as.character(decide_by(tie, NULL, "class")), "b")
  expect_identical(decide_by(tie, NULL), decide_by(tie, NULL, "class"))
  # The first action as the cost declares them, whatever the order of the classes.
  expect_identical(as.character(decide_by(tie, zero_one_cost(c("a", "b", "c")))), "a")
})

test_that("without a cost, cost is the posterior error", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  expect_within(
    predict(model, iris, type = "cost"), 1 - predict(model, iris, type = "prob"), 1e-15, scale = 1
  )
})

test_that("abstaining costs .2: only below a posterior of .8 (C7)", {
  cost <- zero_one_cost(c("a", "b"), reject = .2)
  reject <- function(p) as.character(decide_by(c(a = p, b = 1 - p), cost))
  expect_identical(reject(.79), "reject")
  expect_identical(reject(.8), "a")
  expect_identical(reject(.81), "a")
  expect_identical(reject(.2), "b")
})

test_that("pixels: costs move the cut to the lecture's places", {
  gaussian <- likelihood_gaussian(mean = c(a = 15, b = 25), sd = 4)
  model <- bayes_known(c(a = .75, b = .25), pixels = gaussian)
  for (miss in c(1, 3, 5, 10)) {
    cost <- cost_matrix(a = c(a = 0, b = miss), b = c(a = 1, b = 0))
    cut <- 20 + 1.6 * log(3 / miss)
    beside <- data.frame(pixels = cut + c(-1e-6, 1e-6))
    expect_identical(as.character(predict(model, beside, cost = cost)), c("a", "b"))
  }
  cuts <- c(17.046677, 26.468882) + rep(c(-2e-6, 2e-6), each = 2)
  reject <- zero_one_cost(c("a", "b"), reject = .05)
  abstained <- predict(model, data.frame(pixels = cuts), cost = reject)
  expect_identical(as.character(abstained), c("a", "reject", "reject", "b"))
})

test_that("a row without a posterior has no decision (C10)", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  rows <- transform(iris[1:3, ], Petal.Width = c(.2, Inf, .2))
  cost <- cost_matrix(keep = 1, sell = c(setosa = 0, versicolor = 2, virginica = 2))
  expect_warning(d <- predict(model, rows, cost = cost), class = "bayesrisk_warning_infinite")
  expect_identical(d, factor(c("sell", NA, "sell"), c("keep", "sell")))
})

test_that("a test set by hand: expected cost of a confusion table (C11)", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  cost <- cost_matrix(
    setosa = c(setosa = 0, versicolor = 1, virginica = 5),
    versicolor = c(setosa = 1, versicolor = 0, virginica = 5),
    virginica = c(setosa = 1, versicolor = 1, virginica = 0)
  )
  confusion <- confusion_table(iris$Species, predict(model, iris))
  expect_within(expected_cost(confusion, cost), (3 * 1 + 3 * 5) / 150, 1e-15)
})

test_that("a cost that does not fit names the classes", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  wrong <- cost_matrix(keep = c(setosa = 1, versicolour = 2, virginica = 3))
  expect_error(predict(model, iris, cost = wrong), "versicolor", class = "bayesrisk_error_argument")
  expect_error(predict(model, iris, cost = 1), "cost", class = "bayesrisk_error_argument")
})

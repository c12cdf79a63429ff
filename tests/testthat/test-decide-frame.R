decided <- function() {
  p <- c(0.01, 0.05, 0.9)
  cost <- cost_matrix(
    treat = c(ill = 1, healthy = 4), wait = c(ill = 50, healthy = 0), refer = 2
  )
  decide(cbind(ill = p, healthy = 1 - p), cost)
}

test_that("rows of a decision are a decision, and fewer columns are not", {
  x <- decided()
  part <- x[2:3, ]
  expect_s3_class(part, "bayesrisk_decision")
  expect_identical(attr(part, "cost"), attr(x, "cost"))
  expect_identical(part$cost, x$cost[2:3])
  columns <- x[, c("decision", "cost")]
  expect_identical(class(columns), "data.frame")
  expect_null(attr(columns, "cost"))
  expect_identical(x[, "cost"], x$cost)
})

test_that("what is printed is the number of cases, their cost and the first rows", {
  printed <- capture.output(print(decided(), n = 2L))
  expect_match(printed[[1]], "3 cases, 3 actions, expected cost per case 1.26", fixed = TRUE)
  expect_length(printed, 5L)
  expect_match(printed[[5]], "1 more row", fixed = TRUE)
  expect_bayesrisk_error(print(decided(), n = "a"), "argument", "n")
})

test_that("an action may be called as it likes", {
  p <- cbind(a = 0.2, b = 0.8)
  cost <- cost_matrix(cost = c(a = 0, b = 1), `of decision` = c(a = 2, b = 0), tie = 0.3)
  x <- decide(p, cost)
  expect_identical(names(x)[3:5], c("cost_cost", "cost_of decision", "cost_tie"))
  expect_equal(x$cost, 0.3, tolerance = 1e-15)
  expect_identical(as.character(x$decision), "tie")
})

test_that("a utility stays one", {
  gains <- utility_matrix(go = c(ill = 3, healthy = -1), stay = 0)
  decided <- decide(cbind(healthy = c(.2, .9), ill = c(.8, .1)), gains)
  kept <- attr(decided, "cost")
  expect_s3_class(kept, c("bayesrisk_utility", "bayesrisk_cost", "bayesrisk_result"), exact = TRUE)
  expect_identical(as.matrix(kept)[, "ill"], as.matrix(gains)[, "ill"])
  known <- bayes_known(
    c(healthy = .5, ill = .5), x = likelihood_gaussian(mean = c(healthy = 0, ill = 1), sd = 1)
  )
  expect_true(is_utility(attr(decide(known, data.frame(x = 0), gains), "cost")))
  expect_false(is_utility(attr(decide(known, data.frame(x = 0), NULL), "cost")))
})

test_that("rows of several results keep the cost that all were decided by, and no other", {
  x <- decided()
  expect_identical(attr(rbind(x, x[2, ]), "cost"), attr(x, "cost"))
  expect_identical(attr(rbind(x, x)[1:2, ], "cost"), attr(x, "cost"))
  p <- cbind(ill = 0.3, healthy = 0.7)
  mixed <- rbind(decide(p), decide(p, zero_one_cost(c("ill", "healthy")) * 2))
  expect_null(attr(mixed, "cost"))
  expect_bayesrisk_error(assess_decisions(mixed, truth = c("ill", "ill")), "argument", "cost")
  # As other packages unite rows: the attributes of the first.
  united <- structure(x[c(1:3, 1:3), ], rows = 3L)
  expect_null(decided_by(united))
})

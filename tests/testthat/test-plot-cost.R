clinic <- cost_matrix(
  operate = c(malignant = 0, benign = 5), wait = c(malignant = 50, benign = 0), refer = 1
)

two_features <- function() {
  bayes_known(
    c(benign = 0.65, malignant = 0.35),
    size = likelihood_gaussian(
      mean = c(benign = 2, malignant = 6), sd = c(benign = 1, malignant = 2)
    ),
    thickness = likelihood_gaussian(mean = c(benign = 3, malignant = 7), sd = 2)
  )
}

test_that("two classes: straight lines against the posterior of the second", {
  drawn <- draw(two_features(), "cost", cost = clinic)
  expect_named(drawn, c("feature", "x", "action", "cost", "chosen"))
  expect_true(all(is.na(drawn$feature)))
  p <- drawn$x
  by_hand <- cbind(operate = 5 * (1 - p), wait = 50 * p, refer = 1)
  expected <- by_hand[cbind(seq_along(p), as.integer(drawn$action))]
  expect_equal(drawn$cost, expected, tolerance = 1e-14)
  chosen <- drawn[drawn$chosen, ]
  expect_identical(anyDuplicated(chosen$x), 0L)
  # The points include those at which lines meet: wait up to 1/50, operate from 4/5.
  expect_equal(max(chosen$x[chosen$action == "wait"]), 1 / 50, tolerance = 1e-14)
  expect_equal(max(chosen$x[chosen$action == "refer"]), 0.795, tolerance = 1e-14)
  costs <- read_cost(clinic, c("benign", "malignant"), call = NULL)
  expect_equal(envelope_cuts(costs, crossings(costs)), c(1 / 50, 4 / 5), tolerance = 1e-14)
})

test_that("against a feature: the expected costs of predict(), the smallest chosen", {
  model <- two_features()
  drawn <- draw(model, "cost", features = "size", cost = clinic, prior = "uniform")
  by_action <- matrix(drawn$cost, ncol = 3)
  x <- drawn$x[seq_len(nrow(by_action))]
  ill <- dnorm(x, 6, 2) / (dnorm(x, 6, 2) + dnorm(x, 2, 1))
  expect_equal(by_action, cbind(5 * (1 - ill), 50 * ill, 1), tolerance = 1e-12)
  chosen <- matrix(drawn$chosen, ncol = 3)
  expect_identical(max.col(chosen), max.col(-by_action, "first"))
})

test_that("without a cost: the probability of an error", {
  drawn <- draw(two_classes(), "cost")
  expect_identical(unique(drawn$feature), "x")
  a <- drawn[drawn$action == "A", ]
  expect_equal(a$cost, 1 / (1 + exp(-(a$x - 20) * 10 / 16)), tolerance = 1e-12)
  expect_identical(a$chosen, a$x <= 20)
})

test_that("infinite costs rule an action out, but not where the class is impossible", {
  cost <- cost_matrix(keep = c(A = 0, B = Inf), drop = c(A = 3, B = 1))
  model <- fit(bayes_naive(), y ~ 1, data.frame(y = c("A", "B", "B")))
  drawn <- draw(model, "cost", cost = cost)
  keep <- drawn[drawn$action == "keep", ]
  expect_identical(keep$cost, ifelse(keep$x == 0, 0, Inf))
  expect_identical(keep$chosen, keep$x == 0)
})

test_that("equal actions: the first is chosen, and nothing is cut", {
  cost <- unwise_cost(first = c(A = 1, B = 2), second = c(A = 1, B = 2))
  drawn <- draw(two_classes(), "cost", features = "x", cost = cost)
  expect_true(all(drawn$chosen == (drawn$action == "first")))
  expect_identical(crossings(list(fixed = matrix(c(1, 1, 2, 2), 2))), numeric())
})

test_that("without a feature it needs two classes, and then no prior", {
  expect_error(draw(iris_naive(), "cost"), "features", class = "bayesrisk_error_argument")
  expect_error(
    draw(two_features(), "cost", features = c("size", "thickness")), "features",
    class = "bayesrisk_error_argument"
  )
  expect_error(
    draw(two_features(), "cost", prior = "uniform"), "prior", class = "bayesrisk_error_argument"
  )
})

test_that("one very large cost does not press the others onto the axis", {
  p <- seq(0, 1, length.out = 11)
  expect_equal(cost_limits(cbind(5 * (1 - p), 50 * p, 1)), c(0, 1.25 * 4.5))
  expect_identical(cost_limits(cbind(p, 1 - p)), c(0, 1))
  expect_identical(cost_limits(cbind(c(Inf, Inf), c(-2, Inf))), c(-2, 0))
  expect_identical(cost_limits(matrix(0, 3, 1)), c(0, 1))
})

test_that("with a prior everything is that of its population", {
  cases <- half_ill(4000, 2)
  prior <- c(ill = 0.02, well = 0.98)
  model <- rare_model(c(ill = 0.5, well = 0.5))
  risk <- bayes_risk(update(model, prior = prior), rare_cost())$total
  expect_no_warning(
    found <- assess_decisions(model, cases, rare_cost(), truth = cases$y, prior = prior)
  )
  expect_lt(abs(found$cost - risk), 0.01)
  expect_lt(found$lower, risk)
  expect_gt(found$upper, risk)
  expect_equal(found$constant$cost, c(0.2, 0.98))
  expect_identical(as.character(found$constant$action), c("wait", "treat"))
  expect_equal(rowSums(unclass(found$confusion)), 4000 * prior)
  expect_equal(found$n, 4000)
  expect_equal(found$benefit$all[[1L]], 0.02)
  # The same by hand, from the decisions.
  decided <- decide(model, cases, rare_cost(), prior = prior)$decision
  loss <- unclass(rare_cost())[cbind(as.character(decided), as.character(cases$y))]
  expect_equal(found$cost, sum(prior * tapply(loss, cases$y, mean)))
  spread <- sum(prior^2 * tapply(loss, cases$y, stats::var) / 2000)
  expect_equal(found$std.error, sqrt(spread))
  expect_bayesrisk_error(
    assess_decisions(model, cases[1:9, ], rare_cost(), truth = cases$y[1:9], prior = prior),
    "data", "well"
  )
})

test_that("equal weights change nothing but counts; whole ones are copies", {
  cases <- half_ill(300)
  model <- rare_model(c(ill = 0.5, well = 0.5))
  run <- function(rows, ...) {
    assess_decisions(model, cases[rows, ], rare_cost(), truth = cases$y[rows], ...)
  }
  plain <- run(1:300)
  equal <- run(1:300, weights = rep(7, 300))
  same <- setdiff(names(plain), c(
    "n", "confusion", "cells", "calibration", "certain", "total", "by_truth", "risk_coverage"
  ))
  expect_identical(equal[same], plain[same])
  expect_equal(equal$n, 7 * plain$n)
  weight <- withr::with_seed(2, sample(0:3, 300, TRUE))
  copies <- run(rep(1:300, weight))
  weighted <- run(1:300, weights = weight)
  same <- c("n", "cost", "best", "regret", "believed", "constant", "log_loss", "brier", "total")
  expect_equal(weighted[same], copies[same])
  expect_equal(weighted$measures$estimate, copies$measures$estimate)
  expect_equal(unclass(weighted$confusion), unclass(copies$confusion), ignore_attr = TRUE)
  expect_equal(
    weighted$calibration[c("cases", "predicted", "observed")],
    copies$calibration[c("cases", "predicted", "observed")]
  )
  expect_equal(weighted$cost_curve, copies$cost_curve)
  expect_equal(weighted$benefit$benefit, copies$benefit$benefit)
  expect_equal(
    unclass(confusion_table(cases$y, cases$x > 1, weights = weight)),
    unclass(confusion_table(rep(cases$y, weight), rep(cases$x > 1, weight))), ignore_attr = TRUE
  )
  refuse <- function(...) expect_bayesrisk_error(run(1:300, ...), "argument", "weights")
  refuse(weights = 1:3)
  refuse(weights = rep(-1, 300))
})

test_that("clusters make intervals wider, and change no estimate", {
  cases <- half_ill(300)
  cases$patient <- rep(sprintf("p%02d", 1:30), 10)
  # The rows of a patient are alike.
  cases$x <- cases$x + stats::ave(cases$x, cases$patient)
  model <- rare_model(c(ill = 0.5, well = 0.5))
  cost <- zero_one_cost(c("ill", "well"))
  plain <- suppressWarnings(assess_decisions(model, cases, cost, truth = cases$y))
  grouped <- assess_decisions(model, cases, cost, truth = cases$y, cluster = patient)
  expect_identical(grouped$measures$estimate, plain$measures$estimate)
  expect_identical(grouped$confusion, plain$confusion)
  # The linear standard error of a mean over clusters.
  wrong <- as.character(predict(model, cases)) != cases$y
  sums <- rowsum(wrong - mean(wrong), cases$patient)
  expect_equal(grouped$std.error, sqrt(sum(sums^2) * 30 / 29) / 300)
  width <- function(x) x$upper - x$lower
  expect_gt(width(grouped), width(plain))
  number <- grouped$cost * (1 - grouped$cost) / grouped$std.error^2
  factor <- stats::qt(0.975, 29) / stats::qnorm(0.975)
  expect_equal(
    as.list(grouped$measures[1L, c("lower", "upper")]),
    share_interval(1 - grouped$cost, min(number, 300), 0.95, factor)
  )
  refuse <- function(text, patients) {
    expect_bayesrisk_error(
      assess_decisions(model, cases, cost, truth = cases$y, cluster = patients), "argument", text
    )
  }
  refuse("missing in 1 row", replace(cases$patient, 3, NA))
  refuse("300 rows", 1:3)
  expect_output(
    print(confusion_table(cases$y, cases$x > 1, cluster = cases$patient)),
    "300 cases of 30 clusters"
  )
})

test_that("intervals of two clusters end where costs do", {
  p <- c(0.9, 0.8, 0.3, 0.4, 0.7, 0.2)
  p <- cbind(a = p, b = 1 - p)
  truth <- c("a", "b", "b", "b", "a", "a")
  patient <- rep(1:2, each = 3)
  # Widened by Student's t they are from -3.0 to 41.2, and from -32.3 to 37.5.
  cost <- cost_matrix(a = c(a = 0, b = 8), b = c(a = 1, b = 0))
  found <- assess_decisions(p, cost = cost, truth = truth, cluster = patient)
  expect_identical(c(found$lower, found$upper), c(0, 8))
  other <- p[, 2:1]
  colnames(other) <- c("a", "b")
  pair <- compare_decisions(list(p = p, other = other), cost = cost, truth = truth,
                            cluster = patient)
  expect_identical(c(pair$lower[[2L]], pair$upper[[2L]]), c(-8, 8))
  # Of every case: benefit 1 if all are rightly, minus the odds if all are wrongly decided.
  odds <- found$benefit$threshold / (1 - found$benefit$threshold)
  expect_true(all(found$benefit$lower >= -odds & found$benefit$upper <= 1))
  # Costs by case: those of the cases.
  cost <- cost_matrix(a = c(a = 0, b = ~ amount), b = c(a = 1, b = 0))
  found <- assess_decisions(p, data.frame(amount = 1:6), cost, truth = truth, cluster = patient)
  expect_identical(c(found$lower, found$upper), c(0, 6))
  # A gain has the same limits, and a cost of Inf that no case has is none.
  cost <- cost_matrix(a = c(a = -2, b = Inf), b = c(a = 1, b = 0))
  found <- assess_decisions(p[-(1:3), ], cost = cost, truth = truth[-(1:3)], cluster = c(1, 2, 2))
  expect_identical(c(found$lower, found$upper), c(-2, 1))
})

test_that("errors of one cluster are one surprise", {
  # A hundred cases in ten clusters; the five errors of the first cluster have one reason.
  p <- rep(0.995, 100)
  truth <- rep(c("a", "b"), c(95, 5))
  assess <- function(...) assess_decisions(cbind(a = p, b = 1 - p), truth = truth, ...)
  expect_warning(assess(), class = "bayesrisk_warning_calibration")
  expect_no_warning(found <- assess(cluster = rep(10:1, each = 10)))
  expect_equal(
    found$certain, c(from = 0.99, cases = 100, expected = 0.5, wrong = 5, scale = 0.1),
    tolerance = 1e-12
  )
  # Errors in every cluster are many, and clusters of one case are cases.
  truth <- rep(rep(c("a", "b"), c(5, 5)), 10)
  expect_warning(assess(cluster = rep(1:10, each = 10)), class = "bayesrisk_warning_calibration")
  expect_equal(suppressWarnings(assess(cluster = 1:100))$certain[["scale"]], 1)
})

test_that("a right model of clustered cases is rarely called overconfident", {
  skip_on_cran()
  warned <- vapply(1:300, function(seed) {
    set.seed(seed)
    # All cases of a cluster have the same truth.
    truth <- rep(ifelse(stats::runif(30) < 0.01, "b", "a"), each = 20)
    p <- rep(0.99, 600)
    found <- suppressWarnings(assess_decisions(
      cbind(a = p, b = 1 - p), truth = truth, cluster = rep(1:30, each = 20), interval = "none"
    ))
    c(is_overconfident(found$certain), is_overconfident(replace(found$certain, "scale", 1)))
  }, c(NA, NA))
  # Without clusters the warning comes whenever there is an error: .26 of the data sets.
  expect_lte(sum(warned[1L, ]), 3)
  expect_gt(mean(warned[2L, ]), 0.15)
})

test_that("intervals cover with clusters, and in a population with another prior", {
  skip_on_cran()
  cost <- cost_matrix(treat = c(ill = 0, well = 1), wait = c(ill = 30, well = 0))
  feature <- likelihood_gaussian(mean = c(ill = 2.5, well = 0), sd = 1)
  rare <- c(ill = 0.05, well = 0.95)
  even <- bayes_known(c(ill = 0.5, well = 0.5), x = feature)
  risk <- bayes_risk(bayes_known(rare, x = feature), cost)$total
  covers <- function(x, truth) x$lower <= truth && truth <= x$upper
  runs <- vapply(1:150, function(seed) {
    cases <- simulate(even, 300, seed = seed)
    set.seed(seed)
    # Thirty patients, whose cases are right or wrong together in part.
    patient <- rep(1:30, each = 10)
    right <- stats::runif(300) < stats::rbeta(30, 2, 0.35)[patient]
    p <- ifelse(right == (cases[[1L]] == "ill"), 0.9, 0.1)
    clustered <- suppressWarnings(assess_decisions(
      cbind(ill = p, well = 1 - p), truth = cases[[1L]], cluster = patient
    ))
    accuracy <- clustered$measures[1L, ]
    population <- suppressWarnings(assess_decisions(
      even, cases["x"], cost, truth = cases[[1L]], prior = rare
    ))
    c(covers(clustered, 0.35 / 2.35), covers(accuracy, 2 / 2.35), covers(population, risk))
  }, c(NA, NA, NA))
  # Three standard errors below .95.
  expect_gte(min(rowMeans(runs)), 0.897)
})

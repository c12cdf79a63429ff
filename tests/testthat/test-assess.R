test_that("decisions, costs and errors of ten cases, by hand", {
  ten <- ten_cases()
  # Expected costs: healthy 10 p, ill 4 - 3 p, refer 2.5: from p = 1/4 to 1/2 refer.
  result <- assess_decisions(ten$posterior, cost = ten$cost, truth = ten$truth)
  expect_s3_class(result, "bayesrisk_assessment")
  expect_identical(result$n, 10)
  expected <- matrix(
    c(3L, 1L, 1L, 3L, 1L, 1L), 2,
    dimnames = list(truth = c("healthy", "ill"), decision = c("healthy", "ill", "refer"))
  )
  expect_equal(unclass(result$confusion), expected, ignore_attr = "left_out")
  expect_equal(result$cost, (3 * 0 + 10 + 4 + 3 * 1 + 2 * 2.5) / 10)
  expect_equal(result$best, (5 * 0 + 5 * 1) / 10)
  expect_equal(result$regret, result$cost - result$best)
  p <- ten$posterior[, "ill"]
  expect_equal(result$believed, mean(pmin(10 * p, 4 - 3 * p, 2.5)))
  expect_identical(result$error, 2 / 10)
  expect_identical(result$coverage, 8 / 10)
  expect_identical(result$error_decided, 2 / 8)
  losses <- c(1, 1, 4, 1, 2.5, 2.5, 0, 10, 0, 0)
  expect_equal(result$std.error, stats::sd(losses) / sqrt(10))
  expect_equal(result$cost, expected_cost(result$confusion, ten$cost))
  expect_identical(result$cost_matrix, ten$cost)
})

test_that("log loss, Brier score and calibration are their definitions", {
  ten <- ten_cases()
  result <- assess_decisions(ten$posterior, truth = ten$truth)
  p <- ten$posterior[cbind(1:10, match(ten$truth, colnames(ten$posterior)))]
  expect_equal(result$log_loss, -mean(log(p)))
  expect_equal(result$brier, mean(2 * (1 - p)^2))
  expect_identical(result$impossible, 0)
  ill <- result$calibration[result$calibration$class == "ill", ]
  expect_identical(ill$cases, c(2, 1, 1, 1, 1, 0, 1, 1, 0, 2))
  expect_equal(ill$predicted[[1]], 0.035)
  expect_identical(ill$observed, c(0, 1, 0, 0, 1, NA, 1, 0, NA, 1))
  expect_identical(levels(result$calibration$class), c("healthy", "ill"))
})

test_that("giving the dearest cases back: coverage, cost and risk, by hand", {
  ten <- ten_cases()
  curve <- assess_decisions(ten$posterior, cost = ten$cost, truth = ten$truth)$risk_coverage
  p <- ten$posterior[, "ill"]
  expected <- pmin(10 * p, 4 - 3 * p, 2.5)
  losses <- c(1, 1, 4, 1, 2.5, 2.5, 0, 10, 0, 0)
  wrong <- c(0, 0, 1, 0, 0, 0, 0, 1, 0, 0)
  prices <- sort(unique(expected))
  kept <- outer(expected, prices, "<=")
  expect_equal(curve$reject, prices)
  expect_equal(curve$coverage, colMeans(kept))
  expect_equal(curve$cost, colSums(losses * kept) / colSums(kept))
  expect_equal(curve$error, colSums(wrong * kept) / colSums(kept))
  expect_equal(curve$risk, colMeans(losses * kept) + prices * colMeans(!kept))
})

test_that("a model decides, and the truth stands in the data", {
  model <- fit(bayes_naive(), Species ~ Petal.Width + Sepal.Width, iris)
  cost <- iris_costs()
  result <- assess_decisions(model, iris, cost)
  decided <- predict(model, iris, cost = cost)
  expect_identical(unclass(result$confusion), unclass(confusion_table(iris$Species, decided)),
                   ignore_attr = TRUE)
  losses <- unclass(cost)[cbind(as.character(decided), as.character(iris$Species))]
  expect_equal(result$cost, mean(losses))
  expect_equal(result$believed, mean(decide(model, iris, cost)$cost))
  p <- predict(model, iris, type = "prob")
  truth <- outer(as.character(iris$Species), colnames(p), "==")
  expect_equal(result$brier, mean(rowSums((p - truth)^2)))
  expect_equal(result$log_loss, -mean(predict(model, iris, type = "log_prob")[truth]))
  given <- assess_decisions(model, iris[-5], cost, truth = as.character(iris$Species))
  expect_identical(given, result)
  by_matrix <- assess_decisions(p, cost = cost, truth = iris$Species)
  # Rounded otherwise, cases of equal expected cost may be one more step of a curve.
  same <- setdiff(names(result), "risk_coverage")
  expect_equal(by_matrix[same], result[same])
})

test_that("decisions alone are assessed by their own cost, without probabilities", {
  model <- fit(bayes_naive(), Species ~ Petal.Width, iris)
  decided <- decide(model, iris, iris_costs())
  result <- assess_decisions(decided, truth = iris$Species)
  whole <- assess_decisions(model, iris, iris_costs())
  same <- c("n", "confusion", "error", "cost", "lower", "upper", "believed", "best", "cells",
            "risk_coverage")
  expect_equal(result[same], whole[same])
  expect_identical(result$log_loss, NA_real_)
  expect_null(result$calibration)
  # By other costs than they were made with, nothing was believed.
  plain <- rbind(zero_one_cost(model)[], ask = 0.3)
  other <- assess_decisions(
    decided, cost = as_cost_matrix(plain, rows = "decision"), truth = iris$Species
  )
  expect_identical(other$believed, NA_real_)
  expect_null(other$risk_coverage)
  expect_identical(other$confusion, result$confusion)
})

test_that("costs that differ by case are counted case by case", {
  payments <- data.frame(
    score = c(2, 2, 4, 1, 5, 0.5), amount = c(10, 500, 500, 30, 20, 1000),
    truth = c("ok", "fraud", "fraud", "ok", "ok", "fraud")
  )
  model <- bayes_known(
    c(fraud = 0.02, ok = 0.98), score = likelihood_gaussian(mean = c(fraud = 3, ok = 0), sd = 1)
  )
  cost <- cost_matrix(pay = list(fraud = ~ amount, ok = 0), refuse = 20)
  expect_warning(
    result <- assess_decisions(model, payments, cost, truth = payments$truth),
    class = "bayesrisk_warning_calibration"
  )
  decided <- decide(model, payments, cost)
  pay <- decided$decision == "pay"
  fraud <- payments$truth == "fraud"
  losses <- ifelse(pay, ifelse(fraud, payments$amount, 0), 20)
  expect_equal(result$cost, mean(losses))
  expect_equal(result$best, mean(ifelse(fraud, pmin(payments$amount, 20), 0)))
  expect_equal(result$cells$cost[result$cells$truth == "fraud" & result$cells$decision == "pay"],
               sum(losses[pay & fraud]))
  expect_identical(result$error, NA_real_)
  expect_null(result$cost_matrix)
  again <- assess_decisions(decided, payments, cost, truth = payments$truth)
  expect_equal(again$cost, result$cost)
  expect_bayesrisk_error(assess_decisions(decided, truth = payments$truth), "argument", "by case")
})

test_that("cases that cannot be counted are counted apart", {
  ten <- ten_cases()
  posterior <- ten$posterior
  posterior[2, ] <- NA
  truth <- replace(ten$truth, c(1, 4), NA)
  expect_warning(
    result <- assess_decisions(posterior, cost = ten$cost, truth = truth),
    "2 rows without a truth and 1 row without a decision", class = "bayesrisk_warning_missing"
  )
  expect_identical(result$n, 7)
  expect_identical(result$left_out, c(truth = 2, decision = 1, cost = 0))
  expect_error(
    assess_decisions(posterior, cost = ten$cost, truth = rep(NA_character_, 10)), "no case",
    class = "bayesrisk_error_argument"
  )
})

test_that("one unknown cost takes its case out of everything, and is reported once", {
  ten <- ten_cases()
  data <- data.frame(amount = replace(rep(10, 10), 3, NA))
  cost <- cost_matrix(
    healthy = list(healthy = 0, ill = 10), ill = list(healthy = ~ amount, ill = 1), refer = 2.5
  )
  fixed <- cost_matrix(
    healthy = c(healthy = 0, ill = 10), ill = c(healthy = 10, ill = 1), refer = 2.5
  )
  without <- assess_decisions(ten$posterior[-3, ], cost = fixed, truth = ten$truth[-3])
  same <- c("n", "error", "cost", "believed", "best", "regret", "log_loss", "brier", "calibration",
            "certain", "cost_curve", "risk_coverage")
  warnings <- testthat::capture_warnings(
    result <- assess_decisions(ten$posterior, data, cost, truth = ten$truth)
  )
  expect_identical(warnings, "1 row without a decision is left out of the assessment.")
  expect_equal(result[same], without[same])
  # Decisions that were made by other costs stand; here the unknown cell was not taken.
  decided <- decide(ten$posterior, zero_one_cost(c("healthy", "ill")))
  data$amount <- replace(rep(10, 10), 6, NA)
  expect_warning(
    result <- assess_decisions(decided, data, cost, truth = ten$truth),
    "^1 row without a cost is left out", class = "bayesrisk_warning_missing"
  )
  without <- assess_decisions(decided[-6, ], cost = fixed, truth = ten$truth[-6])
  same <- c("n", "error", "cost", "best", "regret", "cells", "lower", "by_truth")
  expect_equal(result[same], without[same])
  expect_identical(result$left_out, c(truth = 0, decision = 0, cost = 1))
  expect_identical(attr(result$confusion, "left_out"), result$left_out)
  expect_output(print(result$confusion), "1 row without a cost is left out")
})

test_that("the cost curve takes out the prior that the probabilities contain", {
  ten <- ten_cases()
  curve <- function(...) {
    assess_decisions(ten$posterior, cost = ten$cost, truth = ten$truth, ...)$cost_curve
  }
  expect_identical(curve(), curve(trained_prior = c(ill = 0.5, healthy = 0.5)))
  ratio <- ten$posterior[, "ill"] / ten$posterior[, "healthy"] / (0.2 / 0.8)
  ill <- ten$truth == "ill"
  weight <- 0.3
  called <- weight * ratio / (weight * ratio + 1 - weight) >= 0.5
  by_hand <- weight * mean(!called[ill]) + (1 - weight) * mean(called[!ill])
  stated <- curve(trained_prior = c(ill = 0.2, healthy = 0.8))
  expect_equal(stated$cost[abs(stated$weight - weight) < 1e-9], by_hand)
  expect_null(curve(trained_prior = c(ill = 0, healthy = 1)))
  expect_bayesrisk_error(curve(trained_prior = c(ill = 1)), "argument", "trained_prior")
  of_decisions <- quote(
    assess_decisions(decide(ten$posterior), truth = ten$truth, trained_prior = "uniform")
  )
  expect_bayesrisk_error(eval(of_decisions), "argument", "trained_prior")
})

test_that("a model that rules a class out has no cost curve", {
  model <- bayes_known(c(a = 1, b = 0), x = likelihood_gaussian(mean = c(a = 0, b = 1), sd = 1))
  cases <- data.frame(x = c(0, 1, 2))
  result <- suppressWarnings(assess_decisions(model, cases, truth = c("a", "b", "b")))
  expect_null(result$cost_curve)
  expect_s3_class(result$benefit, "data.frame")
  expect_bayesrisk_error(plot(result, "cost"), "argument", "prior of each above 0")
})

test_that("the bootstrap follows its seed and leaves R's alone", {
  ten <- ten_cases()
  run <- function(seed, ...) {
    assess_decisions(
      ten$posterior, cost = ten$cost, truth = ten$truth, seed = seed, interval = "bootstrap", ...
    )
  }
  before <- withr::with_seed(1, {
    first <- run(1)
    stats::runif(1)
  })
  expect_identical(before, withr::with_seed(1, stats::runif(1)))
  expect_identical(run(1, threads = 2), first)
  expect_false(identical(run(2)[c("lower", "upper")], first[c("lower", "upper")]))
  losses <- c(1, 1, 4, 1, 2.5, 2.5, 0, 10, 0, 0)
  means <- withr::with_seed(3, replicate(20000, mean(sample(losses, 10, TRUE))))
  expect_lt(abs(first$lower - stats::quantile(means, .025)), 0.1)
  expect_lt(abs(first$upper - stats::quantile(means, .975)), 0.15)
})

test_that("the order of cases and of classes changes nothing", {
  ten <- ten_cases()
  first <- assess_decisions(ten$posterior, cost = ten$cost, truth = ten$truth)
  order <- c(7, 3, 1, 10, 2, 9, 4, 8, 6, 5)
  turned <- assess_decisions(
    ten$posterior[order, 2:1], cost = ten$cost,
    truth = factor(ten$truth[order], c("ill", "healthy"))
  )
  same <- setdiff(names(first), c("lower", "upper"))
  # The bootstrap draws cases by their position.
  first$measures[c("lower", "upper")] <- turned$measures[c("lower", "upper")]
  expect_equal(turned[same], first[same])
})

test_that("posteriors that are sure and wrong are warned of", {
  p <- c(rep(0.999, 500), rep(0.001, 500))
  truth <- rep(c("yes", "no"), each = 500)
  truth[c(1:20, 501:510)] <- rep(c("no", "yes"), c(20, 10))
  expect_warning(
    result <- assess_decisions(cbind(no = 1 - p, yes = p), truth = truth),
    "1000 cases.*30 are wrong where 1 was expected", class = "bayesrisk_warning_calibration"
  )
  expect_equal(result$certain, c(from = 0.99, cases = 1000, expected = 1, wrong = 30))
  truth[] <- rep(c("yes", "no"), each = 500)
  expect_no_warning(assess_decisions(cbind(no = 1 - p, yes = p), truth = truth))
})

test_that("a truth that was held impossible is an infinite log loss", {
  posterior <- cbind(a = c(1, .5, 0), b = c(0, .5, 1))
  expect_warning(
    result <- assess_decisions(posterior, truth = c("b", "a", "b")),
    class = "bayesrisk_warning_calibration"
  )
  expect_identical(result$log_loss, Inf)
  expect_identical(result$impossible, 1)
})

test_that("an infinite cost that was met is infinite, and the regret with it", {
  cost <- cost_matrix(a = c(a = 0, b = Inf), b = c(a = 1, b = 0))
  posterior <- cbind(a = c(1, .5), b = c(0, .5))
  expect_warning(
    result <- assess_decisions(posterior, cost = cost, truth = c("b", "a")),
    class = "bayesrisk_warning_calibration"
  )
  expect_identical(result$cost, Inf)
  expect_identical(result$regret, Inf)
  expect_identical(result$cells$share, c(0, 0, NA, 0))
  expect_output(print(result), "cost per case *Inf")
})

test_that("what cannot be assessed is said", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  known <- bayes_known(c(a = .5, b = .5), x = likelihood_gaussian(mean = c(a = 0, b = 1), sd = 1))
  ten <- ten_cases()
  decided <- decide(ten$posterior, ten$cost)
  expect_refusals(
    "data" = assess_decisions(model),
    "truth" = assess_decisions(known, data.frame(x = 1)),
    "truth" = assess_decisions(ten$posterior),
    "truth & 9 & 10" = assess_decisions(ten$posterior, truth = ten$truth[-1]),
    "truth & helthy" = assess_decisions(ten$posterior, truth = replace(ten$truth, 3, "helthy")),
    "cots & cost" = assess_decisions(ten$posterior, truth = ten$truth, cots = ten$cost),
    "object & 10" = assess_decisions(ten$posterior[, 1], truth = ten$truth),
    "cost & refer" =
      assess_decisions(decided, cost = zero_one_cost(c("healthy", "ill")), truth = ten$truth),
    "truth" = assess_decisions(decided)
  )
  expect_refusals(
    .kind = "schema",
    "data & Species" = assess_decisions(model, iris[1:4])
  )
})

test_that("every odd value is a right answer or an error of the package", {
  ten <- ten_cases()
  is_assessment <- function(x) inherits(x, "bayesrisk_assessment")
  fixed <- list(object = ten$posterior, truth = ten$truth, cost = ten$cost)
  for (arg in c("object", "cost", "truth", "seed", "trained_prior", "threads")) {
    suppressWarnings(
      expect_fuzz_proof(assess_decisions, arg, fixed, is_assessment), classes = "bayesrisk_warning"
    )
  }
  model <- list(object = fit(bayes_naive(), Species ~ Petal.Width, iris))
  expect_fuzz_proof(assess_decisions, "data", model, is_assessment, error = "bayesrisk_error")
})

test_that("another prior is that of the model, or of its probabilities", {
  model <- fit(bayes_naive(), Species ~ Petal.Length + Sepal.Width, iris)
  prior <- c(virginica = 0.7, setosa = 0.1, versicolor = 0.2)
  expected <- assess_decisions(model, iris, prior = prior)
  # The classes have equal shares of the rows.
  by_weight <- assess_decisions(
    update(model, prior = prior), iris, weights = 3 * prior[as.character(Species)]
  )
  estimates <- setdiff(
    names(expected), c("std.error", "lower", "upper", "measures", "benefit", "certain")
  )
  expect_equal(by_weight[estimates], expected[estimates])
  expect_equal(by_weight$measures$estimate, expected$measures$estimate)
  of_table <- assess_decisions(
    predict(model, iris, type = "prob"), truth = iris$Species, prior = prior,
    trained_prior = "uniform"
  )
  expect_equal(of_table, expected, tolerance = 1e-12)
  two <- iris[iris$Species != "setosa", ]
  two$Species <- droplevels(two$Species)
  both <- fit(bayes_naive(), Species ~ Petal.Length, two)
  rare <- c(versicolor = 0.9, virginica = 0.1)
  of_table <- assess_decisions(
    predict(both, two, type = "prob"), truth = two$Species, prior = rare, trained_prior = "uniform"
  )
  expect_equal(of_table$cost_curve, assess_decisions(both, two, prior = rare)$cost_curve)
  expect_bayesrisk_error(
    assess_decisions(predict(model, iris, type = "prob"), truth = iris$Species, prior = prior),
    "argument", "trained_prior"
  )
  decided <- decide(model, iris)
  expect_bayesrisk_error(
    assess_decisions(decided, truth = iris$Species, prior = prior), "argument", "prior"
  )
})

test_that("the class of a formula may be a function of columns", {
  model <- fit(bayes_naive(), cyl > 4 ~ mpg, mtcars)
  result <- assess_decisions(model, mtcars)
  by_hand <- confusion_table(mtcars$cyl > 4, predict(model, mtcars))
  expect_identical(unclass(result$confusion), unclass(by_hand), ignore_attr = TRUE)
  expect_bayesrisk_error(assess_decisions(model, mtcars["mpg"]), "schema", "cyl")
})

test_that("a model from columns needs the truth", {
  model <- fit_xy(bayes_naive(), iris[1:4], iris$Species)
  expect_bayesrisk_error(assess_decisions(model, iris), "argument", "truth")
  result <- assess_decisions(model, iris, truth = iris$Species)
  expect_identical(result$n, 150)
})

test_that("a changed decision is no decision", {
  decided <- decide(ten_cases()$posterior)
  attr(decided, "rows") <- NULL
  expect_bayesrisk_error(assess_decisions(decided, truth = ten_cases()$truth), "argument", "cost")
  damaged <- structure(list(decision = "a"), row.names = 1L, class = class(decided))
  expect_bayesrisk_error(assess_decisions(damaged, truth = "a"), "object", "decide()")
})

test_that("costs that name no class take the classes of the truth", {
  ten <- ten_cases()
  decided <- decide(ten$posterior, flat_cost(wait = 2, refer = 1))
  expect_identical(assess_decisions(decided, truth = ten$truth)$cost, 1)
})

test_that("a matrix of logarithms, and its columns, are read where they lie", {
  frame <- matrix_frame(matrix(1:6 / 7, 3))
  expect_identical(frame$rows, 3)
  expect_identical(vapply(frame$columns, `[[`, 1L, "column"), 1:2)
})

test_that("what was believed is known exactly where the costs are those of the decisions", {
  ten <- ten_cases()
  decided <- decide(ten$posterior, ten$cost)
  own <- assess_decisions(decided, truth = ten$truth)
  expect_false(is.na(own$believed))
  turned <- cost_matrix(
    refer = 2.5, ill = c(ill = 1, healthy = 4), healthy = c(ill = 10, healthy = 0)
  )
  same <- assess_decisions(decided, cost = turned, truth = ten$truth)
  expect_equal(same$believed, own$believed)
  expect_equal(same$risk_coverage, own$risk_coverage)
  other <- assess_decisions(decided, cost = 2 * turned, truth = ten$truth)
  expect_identical(other$believed, NA_real_)
  expect_null(other$risk_coverage)
  flat <- flat_cost(wait = 2, refer = 1)
  flat_decided <- decide(ten$posterior, flat)
  expect_identical(assess_decisions(flat_decided, cost = flat, truth = ten$truth)$believed, 1)
  gains <- utility_matrix(go = c(ill = 3, healthy = -1), stay = 0)
  gained <- assess_decisions(decide(ten$posterior, gains), cost = gains, truth = ten$truth)
  expect_false(is.na(gained$believed))
})

test_that("decisions by costs that differ by case keep no costs to compare with", {
  ten <- ten_cases()
  data <- data.frame(amount = 1:10)
  cost <- cost_matrix(go = list(healthy = 0, ill = ~ amount), stay = 2)
  decided <- decide(ten$posterior, cost, data)
  for (priced in list(cost, cost_matrix(go = c(healthy = 0, ill = 5), stay = 2))) {
    result <- assess_decisions(decided, data, priced, truth = ten$truth)
    expect_identical(result$believed, NA_real_)
    expect_null(result$risk_coverage)
  }
})

test_that("a utility stays one, whatever is assessed", {
  ten <- ten_cases()
  gains <- utility_matrix(go = c(ill = 3, healthy = -1), stay = 0)
  model <- bayes_known(
    c(healthy = .5, ill = .5), x = likelihood_gaussian(mean = c(healthy = 0, ill = 1), sd = 1)
  )
  results <- list(
    assess_decisions(ten$posterior, cost = gains, truth = ten$truth),
    assess_decisions(decide(ten$posterior, gains), truth = ten$truth),
    assess_decisions(model, data.frame(x = 1:10 / 5), gains, truth = ten$truth)
  )
  for (result in results) expect_true(is_utility(result$cost_matrix))
  expect_bayesrisk_error(
    assess_decisions(ten$posterior, truth = ten$truth, seed = -1), "argument", "seed"
  )
})

test_that("no row is scored twice", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  cost <- zero_one_cost(model, reject = 0.1)
  posterior <- predict(model, iris, type = "prob")
  scored <- 0
  scorers <- mget(
    c("score_cpp", "decide_model_cpp", "decide_posterior_cpp"), asNamespace("bayesrisk")
  )
  withr::defer(replace_functions("bayesrisk", scorers))
  replace_functions("bayesrisk", lapply(scorers, function(binding) {
    function(...) {
      scored <<- scored + 1
      binding(...)
    }
  }))
  passes <- function(run) {
    scored <<- 0
    force(run)
    scored
  }
  expect_identical(passes(assess_decisions(model, iris, cost)), 1)
  expect_identical(passes(augment(model, iris, cost = cost)), 1)
  expect_identical(passes(decision_stability(model, iris, cost, n = 10)), 1)
  expect_identical(passes(compare_decisions(list(a = model, b = model), data = iris)), 2)
  expect_identical(passes(assess_decisions(
    posterior, iris, cost, "uniform", iris$Species, trained_prior = "uniform"
  )), 1)
})

test_that("models of groups are assessed, compared and tuned by the posteriors of their rows", {
  flowers <- transform(iris, site = rep(c("hill", "lake", "wood"), 50))
  models <- fit(bayes_naive(), Species ~ ., flowers, by = site)
  posterior <- predict(models, flowers, type = "prob")
  truth <- flowers$Species
  expect_equal(assess_decisions(models, flowers), assess_decisions(posterior, truth = truth))
  prior <- c(setosa = 0.8, versicolor = 0.1, virginica = 0.1)
  own <- predict(models, flowers, type = "prob", prior = prior)
  expect_equal(
    assess_decisions(models, flowers, prior = prior),
    assess_decisions(own, truth = truth, prior = prior, trained_prior = prior)
  )
  one <- fit(bayes_naive(), Species ~ . - site, flowers)
  both <- compare_decisions(list(groups = models, one = one), data = flowers)
  expect_identical(both$errors[[1]], sum(predict(models, flowers) != truth))
  expect_identical(both$errors[[2]], sum(predict(one, flowers) != truth))
  expect_equal(
    tune_threshold(models, flowers, class = "virginica"),
    tune_threshold(posterior, truth = truth, class = "virginica")
  )
  expect_bayesrisk_error(assess_decisions(models), "argument", "data")
  expect_bayesrisk_error(
    assess_decisions(models, flowers, estimate = "predictive"), "argument", "estimate"
  )
})

test_that("the truth is matched by name, whatever its type", {
  classes <- c("b", "a", "2")
  expect_identical(truth_codes(c("a", "b", NA), classes, 3, NULL), c(2L, 1L, NA))
  expect_identical(truth_codes(factor("a", c("z", "a")), classes, 1, NULL), 2L)
  expect_identical(truth_codes(2, classes, 1, NULL), 3L)
  expect_identical(truth_codes(c(TRUE, FALSE), c("FALSE", "TRUE"), 2, NULL), 2:1)
  expect_bayesrisk_error(truth_codes("c", classes, 1, NULL), "argument", "\"c\"")
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

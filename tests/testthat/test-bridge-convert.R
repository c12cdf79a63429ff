test_cost <- function() {
  cost_matrix(ill = c(ill = -1, well = 5), well = c(ill = 50, well = 0))
}

test_that("a cost for yardstick prices probabilities, and is read again", {
  pairs <- as_yardstick(test_cost())
  expect_identical(pairs, data.frame(
    truth = c("ill", "ill", "well", "well"), estimate = c("ill", "well", "ill", "well"),
    cost = c(-1, 50, 5, 0)
  ))
  expect_identical(as_cost_matrix(pairs), test_cost())
  skip_if_not_installed("yardstick")
  data <- data.frame(truth = factor(c("ill", "well", "well"), c("well", "ill")))
  data$p <- c(0.7, 0.2, 0.4)
  found <- yardstick::classification_cost(data, truth, p, costs = pairs, event_level = "second")
  # By hand: the mean of 0.7 * -1 + 0.3 * 50, 0.2 * 5 and 0.4 * 5.
  expect_equal(found$.estimate, (-0.7 + 15 + 1 + 2) / 3, tolerance = 1e-12)
})

test_that("a cost for mlr3 prices responses, and is read again", {
  m <- as_mlr3(test_cost())
  expect_identical(m, matrix(
    c(-1, 50, 5, 0), 2, dimnames = list(response = c("ill", "well"), truth = c("ill", "well"))
  ))
  plain <- m
  dimnames(plain) <- unname(dimnames(m))
  expect_identical(as_cost_matrix(plain, rows = "decision"), test_cost())
  skip_if_not_installed("mlr3")
  truth <- factor(c("ill", "well", "well", "ill"))
  response <- factor(c("ill", "ill", "well", "well"))
  prediction <- mlr3::PredictionClassif$new(row_ids = 1:4, truth = truth, response = response)
  measure <- mlr3::msr("classif.costs", costs = m)
  expect_equal(unname(prediction$score(measure)), (-1 + 5 + 0 + 50) / 4, tolerance = 1e-12)
  expect_equal(expected_cost(confusion_table(truth, response), test_cost()), 54 / 4)
})

test_that("gains are costs elsewhere, and the order of actions stays", {
  gains <- utility_matrix(well = c(ill = -50, well = 0), ill = c(ill = 0, well = -5))
  expect_identical(as_mlr3(gains)["well", ], c(ill = 50, well = 0))
  expect_identical(rownames(as_mlr3(gains)), c("well", "ill"))
})

test_that("costs that other packages cannot express are refused with the reason", {
  refused <- function(cost, reason) {
    for (convert in list(as_yardstick, as_mlr3)) {
      expect_error(convert(cost), reason, class = "bayesrisk_error_argument")
    }
  }
  refused(zero_one_cost(c("a", "b"), reject = 0.1), "no action that is not a class: \"reject\"")
  refused(cost_matrix(a = list(a = 0, b = ~ amount), b = c(a = 1, b = 0)), "case to case")
  refused(cost_matrix(a = c(a = 0, b = 1, c = 2), b = c(a = 1, b = 0, c = 1)), "lacks \"c\"")
  refused(cost_matrix(a = c(a = 0, b = 1), b = c(a = Inf, b = 0)), "finite")
  refused(suppressWarnings(cost_matrix(a = 1, b = 2)), "names none")
  refused(diag(2), "cost_matrix")
})

test_that("decisions become predictions of probably, and abstentions equivocal", {
  skip_if_not_installed("probably")
  p <- cbind(ill = c(0.95, 0.5, 0.1, NA, 0.02), well = c(0.05, 0.5, 0.9, NA, 0.98))
  decided <- decide(p, zero_one_cost(c("well", "ill"), reject = 0.2))
  found <- probably::as_class_pred(decided)
  expect_s3_class(found, "class_pred")
  expect_identical(levels(found), c("well", "ill"))
  expect_identical(probably::is_equivocal(found), c(FALSE, TRUE, FALSE, FALSE, FALSE))
  expect_identical(as.character(found), c("ill", NA, "well", NA, "well"))
  more <- probably::as_class_pred(decided, which = c(2L, 5L), equivocal = "[?]")
  expect_identical(probably::is_equivocal(more), c(FALSE, TRUE, FALSE, FALSE, TRUE))
  expect_output(print(more), "[?]", fixed = TRUE)
})

test_that("decisions without classes are no predictions", {
  skip_if_not_installed("probably")
  cost <- cost_matrix(pay = list(fraud = ~ amount, ok = 0), ok = c(fraud = 9, ok = 0), ask = 1)
  by_case <- decide(cbind(fraud = c(0.01, 0.5), ok = c(0.99, 0.5)), cost, data.frame(amount = 1:2))
  expect_error(probably::as_class_pred(by_case), "differ by case",
               class = "bayesrisk_error_argument")
  treatment <- cost_matrix(treat = c(ill = 0, well = 1), wait = c(ill = 2, well = 0))
  expect_error(probably::as_class_pred(decide(cbind(ill = 0.5, well = 0.5), treatment)),
               "No action", class = "bayesrisk_error_argument")
})

# Posteriors of biopsy under a cost with an action that is no class: `truth` and `.pred_<class>`.
referral_cost <- function() {
  cost_matrix(
    malignant = c(malignant = 0, benign = 5), benign = c(malignant = 50, benign = 0), refer = 1
  )
}

biopsy_posteriors <- function() {
  skip_if_not_installed("yardstick")
  skip_if_not_installed("MASS")
  skip_if_not_installed("tibble")
  biopsy <- tibble::as_tibble(MASS::biopsy[-1])
  held <- seq_len(nrow(biopsy)) %% 3 == 0
  model <- fit(bayes_naive(), class ~ V1 + V2 + V6, biopsy, subset = !held)
  augment(model, biopsy[held, ])
}

# The realised cost of assess_decisions(), which prices each case in the engine.
assessed <- function(p, truth, cost) {
  suppressWarnings(assess_decisions(p, cost = cost, truth = truth)$cost)
}

test_that("two classes: the cost of assess_decisions(), from the column of either event", {
  p <- biopsy_posteriors()
  decision_cost <- decision_cost_metric(referral_cost())
  found <- decision_cost(p, class, .pred_benign)
  expect_named(found, c(".metric", ".estimator", ".estimate"))
  expect_identical(found$.metric, "decision_cost")
  expect_identical(found$.estimator, "binary")
  expect_equal(found$.estimate, assessed(p, p$class, referral_cost()), tolerance = 1e-12)
  second <- decision_cost(p, class, .pred_malignant, event_level = "second")
  expect_equal(second, found, tolerance = 1e-12)
  # Cases that are referred cost 1 whatever they are.
  decided <- decide(p, referral_cost())$decision
  expect_gt(sum(decided == "refer"), 3)
  each <- ifelse(decided == "refer", 1, ifelse(
    decided == "malignant", 5 * (p$class == "benign"), 50 * (p$class == "malignant")
  ))
  expect_equal(found$.estimate, mean(each), tolerance = 1e-12)
})

test_that("more classes: columns in the order of the levels, or by their names", {
  skip_if_not_installed("yardstick")
  p <- augment(fit(bayes_naive(), Species ~ Sepal.Length + Sepal.Width, iris), iris)
  cost <- cost_matrix(
    keep = c(setosa = 0, versicolor = 1, virginica = 10),
    discard = c(setosa = 2, versicolor = 2, virginica = 0), ask = 1.5
  )
  decision_cost <- decision_cost_metric(cost, name = "florist")
  found <- decision_cost(p, Species, .pred_setosa:.pred_virginica)
  expect_identical(as.list(found)[1:2], list(.metric = "florist", .estimator = "multiclass"))
  expect_equal(found$.estimate, assessed(p, p$Species, cost), tolerance = 1e-12)
  turned <- decision_cost(p, Species, .pred_virginica, .pred_setosa, .pred_versicolor)
  expect_identical(turned, found)
  names(p)[startsWith(names(p), ".pred_s")] <- "first"
  expect_identical(decision_cost(p, Species, first:.pred_virginica), found)
})

test_that("weights weight the mean, as repeated rows do", {
  p <- biopsy_posteriors()
  decision_cost <- decision_cost_metric(referral_cost())
  p$times <- rep_len(0:3, nrow(p))
  weighted <- decision_cost(p, class, .pred_benign, case_weights = times)
  repeated <- p[rep(seq_len(nrow(p)), p$times), ]
  expect_equal(weighted, decision_cost(repeated, class, .pred_benign), tolerance = 1e-12)
  skip_if_not_installed("parsnip")
  p$times <- parsnip::frequency_weights(p$times)
  expect_equal(decision_cost(p, class, .pred_benign, case_weights = times), weighted)
  p$times <- parsnip::importance_weights(as.double(p$times) / 7)
  expect_equal(decision_cost(p, class, .pred_benign, case_weights = times), weighted,
               tolerance = 1e-12)
})

test_that("missing values are left out, or make the cost NA", {
  p <- biopsy_posteriors()
  decision_cost <- decision_cost_metric(referral_cost())
  whole <- decision_cost(p[-(1:2), ], class, .pred_benign)
  p$class[[1]] <- NA
  p$.pred_benign[[2]] <- NA
  expect_equal(decision_cost(p, class, .pred_benign), whole, tolerance = 1e-12)
  expect_identical(decision_cost(p, class, .pred_benign, na_rm = FALSE)$.estimate, NA_real_)
  expect_identical(decision_cost(p[1:2, ], class, .pred_benign)$.estimate, NA_real_)
  expect_identical(decision_cost(p[0, ], class, .pred_benign)$.estimate, NA_real_)
})

test_that("an infinite cost counts only if it is met", {
  p <- biopsy_posteriors()
  cost <- cost_matrix(
    malignant = c(malignant = 0, benign = 5), benign = c(malignant = Inf, benign = 0)
  )
  found <- decision_cost_metric(cost)(p, class, .pred_benign)$.estimate
  expect_equal(found, assessed(p, p$class, cost), tolerance = 1e-12)
  expect_lt(found, 5)
})

test_that("groups and metric sets have their own costs", {
  p <- biopsy_posteriors()
  skip_if_not_installed("dplyr")
  decision_cost <- decision_cost_metric(referral_cost())
  errors <- decision_cost_metric(zero_one_cost(levels(p$class)), name = "errors")
  p$large <- p$V2 > 3
  by_size <- decision_cost(dplyr::group_by(p, large), class, .pred_benign)
  expect_identical(by_size$large, c(FALSE, TRUE))
  for (row in 1:2) {
    part <- p[p$large == by_size$large[[row]], ]
    expect_equal(by_size$.estimate[[row]], assessed(part, part$class, referral_cost()),
                 tolerance = 1e-12)
  }
  both <- yardstick::metric_set(decision_cost, errors, yardstick::accuracy)
  found <- both(p, truth = class, estimate = .pred_class, .pred_benign)
  expect_setequal(found$.metric, c("decision_cost", "errors", "accuracy"))
  estimates <- stats::setNames(found$.estimate, found$.metric)
  expect_equal(estimates[["errors"]], 1 - estimates[["accuracy"]], tolerance = 1e-12)
})

test_that("tune selects by the cost, and each resample has the cost of its predictions", {
  for (package in c("yardstick", "tune", "rsample", "workflows", "parsnip", "rpart", "MASS")) {
    skip_if_not_installed(package)
  }
  tree <- parsnip::decision_tree("classification", "rpart", cost_complexity = tune::tune())
  decision_cost <- decision_cost_metric(referral_cost())
  found <- withr::with_seed(1, tune::tune_grid(
    workflows::workflow(class ~ ., tree), rsample::vfold_cv(MASS::biopsy[-1], 3),
    grid = data.frame(cost_complexity = c(0.001, 0.01, 0.1)),
    metrics = yardstick::metric_set(decision_cost, yardstick::mn_log_loss),
    control = tune::control_grid(save_pred = TRUE)
  ))
  expect_identical(nrow(tune::collect_notes(found)), 0L)
  means <- tune::collect_metrics(found)
  means <- means[means$.metric == "decision_cost", ]
  best <- tune::select_best(found, metric = "decision_cost")
  expect_identical(best$cost_complexity, means$cost_complexity[[which.min(means$mean)]])
  each <- tune::collect_metrics(found, summarize = FALSE)
  each <- each[each$.metric == "decision_cost", ]
  predictions <- tune::collect_predictions(found)
  expect_identical(nrow(each), 9L)
  for (row in seq_len(nrow(each))) {
    same <- predictions$id == each$id[[row]] & predictions$.config == each$.config[[row]]
    part <- predictions[same, ]
    expect_equal(each$.estimate[[row]], assessed(part, part$class, referral_cost()),
                 tolerance = 1e-12)
  }
  plain <- parsnip::decision_tree("classification", "rpart")
  resampled <- withr::with_seed(1, tune::fit_resamples(
    workflows::workflow(class ~ ., plain), rsample::vfold_cv(MASS::biopsy[-1], 3),
    metrics = yardstick::metric_set(decision_cost)
  ))
  expect_equal(tune::collect_metrics(resampled)$mean, means$mean[[2L]], tolerance = 1e-12)
})

test_that("a metric says what it cannot price", {
  skip_if_not_installed("yardstick")
  expect_error(decision_cost_metric(diag(2)), "cost_matrix", class = "bayesrisk_error_argument")
  by_case <- cost_matrix(a = list(a = 0, b = ~ amount), b = c(a = 1, b = 0))
  expect_error(decision_cost_metric(by_case), "case to case", class = "bayesrisk_error_argument")
  p <- biopsy_posteriors()
  wrong <- function(code, text, class = "bayesrisk_error_argument") {
    expect_error(code, text, class = class)
  }
  decision_cost <- decision_cost_metric(zero_one_cost(c("a", "b")))
  wrong(decision_cost(p, class, .pred_benign), "\"benign\" and \"malignant\"")
  decision_cost <- decision_cost_metric(referral_cost())
  wrong(decision_cost(p, class, V1), "must hold probabilities")
  wrong(decision_cost(p, class, .pred_benign, event_level = "third"), "event_level")
  wrong(decision_cost(p, class, .pred_benign, na_rm = 1), "na_rm")
  wrong(decision_cost(p, class, .pred_benign:.pred_malignant), "binary metric", "rlang_error")
})

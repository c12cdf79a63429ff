# Tumours without missing values, and the decisions by the probabilities of a logistic regression.
tumours <- function() {
  skip_if_not_installed("MASS")
  stats::na.omit(MASS::biopsy[c("V1", "V2", "class")])
}

referral <- function() {
  cost_matrix(
    operate = c(malignant = 0, benign = 5), wait = c(malignant = 50, benign = 0), refer = 1
  )
}

by_glm <- function(data, newdata) {
  p <- stats::predict(stats::glm(class ~ V1 + V2, "binomial", data), newdata, type = "response")
  decide(cbind(benign = 1 - p, malignant = p), referral())
}

expect_same_decisions <- function(found, wanted) {
  expect_identical(found$decision, wanted$decision)
  expect_equal(as.matrix(found[2:5]), as.matrix(wanted[2:5]), tolerance = 1e-12)
}

test_that("fitted workflows and models of parsnip decide new cases", {
  skip_if_not_installed("workflows")
  skip_if_not_installed("parsnip")
  data <- tumours()
  new <- data[c(3, 50, 22), ]
  wanted <- by_glm(data, new)
  model <- fit(parsnip::logistic_reg(), class ~ V1 + V2, data)
  flow <- fit(workflows::workflow(class ~ V1 + V2, parsnip::logistic_reg()), data)
  expect_same_decisions(decide(model, new, referral()), wanted)
  expect_identical(decide(flow, new, referral()), decide(model, new, referral()))
  expect_identical(rownames(decide(flow, new, referral())), rownames(new))
  expect_identical(decide(augment(flow, new), referral())$cost, decide(flow, new, referral())$cost)
  # A row with a missing value has no decision; the others keep theirs.
  new$V1[[2]] <- NA
  holes <- decide(flow, new, referral())
  expect_identical(is.na(holes$decision), c(FALSE, TRUE, FALSE))
  expect_identical(holes$cost[c(1, 3)], decide(flow, new[c(1, 3), ], referral())$cost)
})

test_that("other priors, capacities and costs by case work as for probabilities", {
  skip_if_not_installed("parsnip")
  data <- tumours()
  model <- fit(parsnip::logistic_reg(), class ~ V1 + V2, data)
  p <- stats::predict(model, data, type = "prob")
  shares <- proportions(table(data$class))
  shares <- stats::setNames(as.vector(shares), names(shares))
  expect_same_decisions(
    decide(model, data, referral(), "uniform", shares, c(refer = 10)),
    decide(p, referral(), NULL, "uniform", shares, c(refer = 10))
  )
  expect_error(decide(model, data, referral(), "uniform"), "trained_prior",
               class = "bayesrisk_error_argument")
  by_size <- cost_matrix(
    operate = list(malignant = 0, benign = ~ V2), wait = c(malignant = 9, benign = 0)
  )
  expect_same_decisions(decide(model, data, by_size), decide(p, by_size, data))
  expect_identical(levels(decide(model, data)$decision), c("benign", "malignant"))
})

test_that("engines with their own classes and more classes are read by name", {
  skip_if_not_installed("parsnip")
  skip_if_not_installed("rpart")
  tree <- fit(parsnip::decision_tree("classification", "rpart"), Species ~ ., iris)
  cost <- zero_one_cost(rev(levels(iris$Species)), reject = 0.05)
  plain <- stats::predict(rpart::rpart(Species ~ ., iris), iris)
  expect_same_decisions(decide(tree, iris, cost), decide(plain, cost))
})

test_that("caret's models decide new cases, also with missing values", {
  skip_if_not_installed("caret")
  data <- tumours()
  trained <- caret::train(class ~ V1 + V2, data, "glm",
                          trControl = caret::trainControl("none", classProbs = TRUE))
  new <- data[c(3, 50, 22), ]
  expect_same_decisions(decide(trained, new, referral()), by_glm(data, new))
  new$V1[[2]] <- NA
  expect_identical(is.na(decide(trained, new, referral())$decision), c(FALSE, TRUE, FALSE))
  numbers <- caret::train(V1 ~ V2, data, "lm", trControl = caret::trainControl("none"))
  expect_error(decide(numbers, new, referral()), "caret.*probabilities",
               class = "bayesrisk_error_argument")
})

test_that("mlr3's learners and predictions decide", {
  skip_if_not_installed("mlr3")
  skip_if_not_installed("rpart")
  task <- mlr3::as_task_classif(tumours(), "class", "tumours")
  learner <- mlr3::lrn("classif.rpart", predict_type = "prob")$train(task)
  wanted <- decide(stats::predict(rpart::rpart(class ~ ., tumours(), xval = 0)), referral())
  expect_same_decisions(decide(learner$predict(task), referral()), wanted)
  expect_same_decisions(decide(learner, tumours(), referral()), wanted)
  expect_same_decisions(decide(learner, as.matrix(tumours()[1:2]), referral()), wanted)
  learner$predict_type <- "response"
  refused <- function(code) {
    expect_error(code, "predict_type = \"prob\"", class = "bayesrisk_error_argument")
  }
  refused(decide(learner, tumours(), referral()))
  refused(decide(learner$predict(task), referral()))
})

test_that("calibrated probabilities of probably decide", {
  skip_if_not_installed("probably")
  p <- seq(0.02, 0.98, length.out = 60)
  p <- cbind(benign = p, malignant = 1 - p)
  data <- stats::setNames(as.data.frame(p), c(".pred_benign", ".pred_malignant"))
  data$class <- factor(ifelse((1:60 * 7) %% 60 < 1:60, "benign", "malignant"))
  calibrated <- probably::cal_apply(
    data, probably::cal_estimate_logistic(data, truth = "class", smooth = FALSE)
  )
  plain <- cbind(
    benign = as.vector(calibrated$.pred_benign), malignant = as.vector(calibrated$.pred_malignant)
  )
  expect_identical(decide(calibrated, referral()), decide(plain, referral()))
})

test_that("models without probabilities and misplaced arguments are explained", {
  skip_if_not_installed("workflows")
  skip_if_not_installed("parsnip")
  data <- tumours()
  refused <- function(code, text, class = "bayesrisk_error_argument") {
    expect_error(code, text, class = class)
  }
  flow <- workflows::workflow(class ~ V1, parsnip::logistic_reg())
  refused(decide(flow, data, referral()), "workflows.*no probabilities")
  numbers <- fit(parsnip::linear_reg(), V1 ~ V2, data)
  refused(decide(numbers, data, referral()), "parsnip.*no probabilities")
  flow <- fit(flow, data)
  refused(decide(flow), "newdata")
  refused(decide(flow, referral(), data), "Write `cost = referral\\(\\), newdata = data`")
  refused(decide(flow, referral()), "newdata")
  refused(decide(flow, data, zero_one_cost(c("a", "b"))), "predict\\(object\\)")
  refused(decide(flow, data, referral(), trained = 1), "trained_prior")
  refused(decide(flow, 1:3), "newdata", "bayesrisk_error_schema")
})

test_that("a workflow that leaves rows out has no decisions", {
  skip_if_not_installed("workflows")
  skip_if_not_installed("parsnip")
  skip_if_not_installed("recipes")
  data <- tumours()
  whole <- recipes::step_naomit(recipes::recipe(class ~ ., data), V1, skip = FALSE)
  flow <- fit(workflows::workflow(whole, parsnip::logistic_reg()), data)
  new <- data[1:4, ]
  expect_identical(nrow(decide(flow, new, referral())), 4L)
  new$V1[[2]] <- NA
  expect_error(decide(flow, new, referral()), "3 of the 4 rows", class = "bayesrisk_error_schema")
})

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

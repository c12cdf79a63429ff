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

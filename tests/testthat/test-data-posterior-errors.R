two_actions <- function() cost_matrix(a = c(yes = 1, no = 4), b = c(yes = 9, no = 0))

test_that("what is no posterior gets an example of one", {
  expect_bayesrisk_error(decide(c(0.1, 0.2), two_actions()), "argument", "cbind\\(yes = 1 - p")
  expect_bayesrisk_error(decide(c(yes = 0.1, no = 0.9), two_actions()), "argument", "rbind")
  expect_bayesrisk_error(decide(matrix(0.5, 2, 2), two_actions()), "argument", "named by class")
  expect_bayesrisk_error(
    decide(cbind(yse = 0.5, no = 0.5), two_actions()), "argument", "yes"
  )
  expect_bayesrisk_error(
    decide(data.frame(yes = "a", no = 0.5), two_actions()), "argument", "yes"
  )
})

test_that("what holds no probabilities is said, and of many wrong rows the first are named", {
  expect_bayesrisk_error(decide(data.frame(k = "a")), "argument", "no column of probabilities")
  half <- cbind(a = rep(0.5, 30), b = 0.6)
  expect_bayesrisk_error(decide(half), "argument", "rows 1, 2, 3, 4, 5 and 25 more")
})

test_that("a vector, an unnamed matrix and labels get the code of a table", {
  p <- c(0.1, 0.4)
  cost <- cost_matrix(treat = c(ill = 1, well = 4), wait = c(ill = 50, well = 0))
  three <- zero_one_cost(c("a", "b c", "d"))
  by_row <- c(0.1, 0.2, 0.7, 0.3, 0.3, 0.4)
  named <- c(well = 0.9, ill = 0.1)
  single <- matrix(p, 2, 1, dimnames = list(NULL, "s1"))
  unnamed <- cbind(p, 1 - p, deparse.level = 0)
  layers <- array(0.5, c(2, 2, 3), list(NULL, c("ill", "well"), NULL))
  forest <- structure(list(predictions = factor("ill")), class = "ranger.prediction")
  expect_refusals(
    "object & well & `cbind(ill = 1 - p, well = p)`" = decide(p, cost),
    "object & `cbind(no = 1 - p, yes = p)`" = decide(c(0.1, 0.4)),
    "object & cbind(ill = 1 - p, well = p)" =
      break_even(p, cost = cost, vary = c(decision = "wait")),
    "object & cbind(ill = 1 - p, well = p)" =
      assess_decisions(p, cost = cost, truth = c("ill", "well")),
    "object$mine & cbind(ill = 1 - p, well = p)" =
      compare_decisions(list(mine = p), cost = cost, truth = c("ill", "well")),
    "object & `matrix(p, ncol = 3, byrow = TRUE, dimnames" = decide(by_row, three),
    "object & `rbind(p)`" = decide(named, cost),
    "object & `cbind(ill = 1 - p, well = p)`" = decide(single, cost),
    "object & colnames(p) <- c(\"ill\", \"well\")" = decide(unnamed, cost),
    "object & p[, , 1]" = decide(layers, cost),
    "object & factor & probability = TRUE" = decide(factor(c("ill", "well")), cost),
    "object & ranger.prediction & probability = TRUE" = decide(forest, cost),
    "object & list" = decide(list(1), cost),
    "object & cost & prior & `cost = cost, prior = named`" = decide(cost, named),
    "object & bayesrisk_spec/bayesrisk_result & fit()" =
      assess_decisions(bayes_naive(), truth = "ill")
  )
})

test_that("the code that the error shows is right", {
  p <- c(0.1, 0.4)
  cost <- zero_one_cost(c("a", "b c", "d"))
  by_row <- c(0.1, 0.2, 0.7, 0.3, 0.3, 0.4)
  right <- decide(rbind(c(a = 0.1, `b c` = 0.2, d = 0.7), c(0.3, 0.3, 0.4)), cost)
  shown <- function(call) {
    text <- cli::ansi_strip(conditionMessage(tryCatch(call, error = identity)))
    text <- gsub("[[:space:]]+", " ", text)
    str2lang(sub("^.*: `([^`]*)`[.].*$", "\\1", text))
  }
  expect_identical(with(list(p = by_row), decide(eval(shown(decide(by_row, cost))), cost)), right)
  pair <- zero_one_cost(c("no", "yes"))
  expect_identical(eval(shown(decide(p, pair))), cbind(no = 1 - p, yes = p))
})

test_that("the code for columns, rows and elements can be pasted and works", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  cost <- zero_one_cost(model)
  good <- predict(model, iris, type = "prob")
  right <- decide(good, cost)$decision
  code <- function(expr) {
    body <- cli::ansi_strip(tryCatch(expr, error = identity)$body)
    line <- grep("^(Take|Make|If the columns|The classes are in)", body, value = TRUE)
    sub("^[^`]*`(.*)`\\.$", "\\1", line)
  }
  p <- t(good)
  expect_identical(code(decide(p, cost)), "t(p)")
  colnames(p) <- seq_len(150)
  expect_identical(decide(eval(str2lang(code(decide(p, cost)))), cost)$decision, right)
  p <- as.data.frame(unname(good))
  eval(str2lang(code(decide(p, cost))))
  expect_identical(decide(p, cost)$decision, right)
  p <- good
  colnames(p) <- 0:2
  eval(str2lang(code(decide(p, cost))))
  expect_identical(decide(p, cost)$decision, right)
  p <- list(predictions = good)
  expect_identical(decide(eval(str2lang(code(decide(p, cost)))), cost)$decision, right)
  p <- list(good)
  expect_identical(decide(eval(str2lang(code(decide(p, cost)))), cost)$decision, right)
  p <- as.list(as.data.frame(good))
  expect_identical(decide(eval(str2lang(code(decide(p, cost)))), cost)$decision, right)
  cv <- cv_risk(bayes_naive(), Species ~ ., iris)
  expect_error(decide(cv, cost), "cv_predict()", fixed = TRUE)
})

test_that("the error names which of the models to compare it is about", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  cost <- zero_one_cost(model)
  v <- as.vector(t(predict(model, iris, type = "prob")))
  said <- function(expr) {
    gsub("[[:space:]]+", " ", cli::ansi_strip(tryCatch(expr, error = conditionMessage)))
  }
  expect_match(said(compare_decisions(model, v, iris, cost)), "^`other` must")
  models <- list(a = model, b = v)
  expect_match(said(compare_decisions(models, data = iris, cost = cost)), "^`object[$]b` must")
})

test_that("a prediction of mlr3 without probabilities says what its learner needs", {
  prediction <- structure(new.env(), class = c("PredictionClassif", "Prediction", "R6"))
  expect_error(decide(prediction), "predict_type = \"prob\"", class = "bayesrisk_error_argument")
})

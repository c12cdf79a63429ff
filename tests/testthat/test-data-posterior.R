two_actions <- function() cost_matrix(a = c(yes = 1, no = 4), b = c(yes = 9, no = 0))

test_that("matrices, tables, data frames and tibbles with .pred_ names are read alike", {
  p <- c(0.1, 0.3, 0.6)
  wanted <- decide(cbind(yes = p, no = 1 - p), two_actions())
  same <- function(x) {
    expect_identical(as.data.frame(unclass(decide(x, two_actions()))),
                     as.data.frame(unclass(wanted)), ignore_attr = TRUE)
  }
  same(cbind(no = 1 - p, yes = p))
  same(as.table(cbind(yes = p, no = 1 - p)))
  same(data.frame(no = 1 - p, id = letters[1:3], yes = p))
  same(array(c(1 - p, p), c(3, 2, 1), list(NULL, c("no", "yes"), "s0")))
  # Columns that are arrays of one dimension, as cal_apply() of probably makes them.
  calibrated <- data.frame(id = 1:3)
  calibrated$.pred_no <- array(1 - p)
  calibrated$.pred_yes <- array(p)
  same(calibrated)
  skip_if_not_installed("tibble")
  same(tibble::tibble(.pred_class = factor("no"), .pred_no = 1 - p, .pred_yes = p))
})

test_that("classes are those of the columns where the cost names none", {
  p <- cbind(x = c(0.2, 0.5), y = c(0.3, 0.3), z = c(0.5, 0.2))
  expect_identical(as.character(decide(p)$decision), c("z", "x"))
  flat <- decide(p, flat_cost(refer = 2, ignore = 3))
  expect_identical(flat$cost, c(2, 2))
})

test_that("row names are kept, and only those that a data frame can have", {
  p <- matrix(0.5, 2, 2, dimnames = list(c("u", "v"), c("yes", "no")))
  expect_identical(row.names(decide(p, two_actions())), c("u", "v"))
  rownames(p) <- c("u", "u")
  expect_identical(row.names(decide(p, two_actions())), c("1", "2"))
})

test_that("names of tidymodels tell the classes without a cost; other columns do not count", {
  p <- data.frame(.pred_class = "a", .pred_a = c(.9, .3), .pred_b = c(.1, .7), amount = 1:2)
  expect_identical(decide(p)$decision, factor(c("a", "b")))
})

iris_rows <- c(1, 60, 71, 99, 134)
iris_cost_reject <- function() zero_one_cost(levels(iris$Species), reject = 0.1)

# `given` decides as the plain matrix `p` does.
expect_read_as <- function(given, p) {
  p <- matrix(p, nrow(p), ncol(p), dimnames = list(NULL, colnames(p)))
  for (cost in list(NULL, iris_cost_reject())) {
    expect_identical(plain(decide(given, cost)), plain(decide(p, cost)))
  }
}

plain <- function(x) as.list(unclass(x))[c("decision", "cost", "runner_up", "margin", "tie")]

test_that("what MASS, klaR, e1071, nnet, rpart and naivebayes return is read as it is", {
  skip_on_cran()
  # These packages match names partially.
  withr::local_options(
    warnPartialMatchArgs = FALSE, warnPartialMatchAttr = FALSE, warnPartialMatchDollar = FALSE
  )
  cases <- iris[iris_rows, ]
  for (package in c("MASS", "klaR", "e1071", "nnet", "rpart", "naivebayes")) {
    skip_if_not_installed(package)
  }
  discriminant <- stats::predict(MASS::lda(Species ~ ., iris), cases)
  expect_read_as(discriminant, discriminant$posterior)
  left_out <- MASS::lda(Species ~ ., iris, CV = TRUE)
  expect_read_as(left_out[c("class", "posterior")], left_out$posterior)
  regular <- stats::predict(klaR::rda(Species ~ ., iris, gamma = 0.1, lambda = 0.5), cases)
  expect_read_as(regular, regular$posterior)
  naive <- stats::predict(klaR::NaiveBayes(Species ~ ., iris), cases)
  expect_read_as(naive, naive$posterior)
  machine <- withr::with_seed(1, e1071::svm(Species ~ ., iris, probability = TRUE))
  by_attribute <- stats::predict(machine, cases, probability = TRUE)
  expect_read_as(by_attribute, attr(by_attribute, "probabilities")[, levels(iris$Species)])
  raw <- stats::predict(e1071::naiveBayes(Species ~ ., iris), cases, type = "raw")
  expect_read_as(raw, raw)
  logistic <- nnet::multinom(Species ~ ., iris, trace = FALSE)
  expect_read_as(stats::predict(logistic, cases, "probs"), stats::predict(logistic, cases, "probs"))
  net <- withr::with_seed(1, nnet::nnet(Species ~ ., iris, size = 2, trace = FALSE))
  expect_read_as(stats::predict(net, cases), stats::predict(net, cases))
  tree <- stats::predict(rpart::rpart(Species ~ ., iris), cases, type = "prob")
  expect_read_as(tree, tree)
  other <- suppressWarnings(naivebayes::naive_bayes(Species ~ ., iris))
  shares <- suppressWarnings(stats::predict(other, cases[1:4], type = "prob"))
  expect_read_as(shares, shares)
})

test_that("the forms of other packages are read", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  p <- predict(model, iris[iris_rows, ], type = "prob")
  classes <- colnames(p)
  # glmnet 4.1: predict(type = "response") of a multinomial model with one s.
  expect_read_as(array(p, c(5, 3, 1), list(NULL, classes, "s1")), p)
  # ranger 0.16: predict() of a forest with probability = TRUE.
  expect_read_as(structure(
    list(predictions = p, num.trees = 500, treetype = "Probability estimation"),
    class = "ranger.prediction"
  ), p)
  # randomForest 4.7: predict(type = "prob").
  expect_read_as(structure(p, class = c("matrix", "array", "votes")), p)
  # caret 6.0: predict(type = "prob").
  expect_read_as(as.data.frame(p), p)
  # parsnip 1.2 and tune 1.2: predict(type = "prob"), collect_predictions().
  tidy <- as.data.frame(p)
  names(tidy) <- paste0(".pred_", classes)
  expect_read_as(tidy, p)
  expect_read_as(cbind(id = "Fold1", .row = 1:5, tidy, .pred_class = iris$Species[iris_rows]), p)
  # mlr3 0.20: a prediction, its matrix, and as.data.table(prediction).
  prediction <- new.env()
  prediction$prob <- p
  class(prediction) <- c("PredictionClassif", "Prediction", "R6")
  expect_read_as(prediction, p)
  names(tidy) <- paste0("prob.", classes)
  expect_read_as(cbind(row_ids = 1:5, truth = "setosa", tidy), p)
  # type = "both" of this package.
  expect_read_as(predict(model, iris[iris_rows, ], type = "both"), p)
})

test_that("every function that takes probabilities takes the result of another package", {
  skip_if_not_installed("MASS")
  found <- stats::predict(MASS::lda(Species ~ ., iris), iris)
  p <- found$posterior
  truth <- iris$Species
  cost <- iris_cost_reject()
  same <- function(f) expect_identical(f(found), f(p))
  same(function(x) glance(assess_decisions(x, cost = cost, truth = truth)))
  same(function(x) break_even(x, cost = cost, trained_prior = "uniform"))
  same(function(x) break_even(x, cost = cost, vary = c(decision = "reject")))
  same(function(x) as.data.frame(cost_sweep(x, cost = cost, vary = c(decision = "reject"))))
  naive <- cv_predict(bayes_naive(), Species ~ ., iris, folds = rep(1:10, 15))
  both <- compare_decisions(list(lda = found, naive = naive), truth = truth, cost = cost)
  pair <- compare_decisions(found, naive, truth = truth, cost = cost)
  expect_identical(pair[-1], both[-1], ignore_attr = TRUE)
  decision <- as.character(decide(p, cost)$decision)
  expect_equal(both$cost[[1]], mean(ifelse(decision == "reject", 0.1, decision != truth)))
})

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
  skip_on_cran()
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
  skip_on_cran()
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

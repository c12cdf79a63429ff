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
  skip_if_not_installed("tibble")
  same(tibble::tibble(.pred_class = factor("no"), .pred_no = 1 - p, .pred_yes = p))
})

test_that("classes are those of the columns where the cost names none", {
  p <- cbind(x = c(0.2, 0.5), y = c(0.3, 0.3), z = c(0.5, 0.2))
  expect_identical(as.character(decide(p)$decision), c("z", "x"))
  flat <- decide(p, cost_matrix(refer = 2, ignore = 3))
  expect_identical(flat$cost, c(2, 2))
})

test_that("row names are kept, and only those that a data frame can have", {
  p <- matrix(0.5, 2, 2, dimnames = list(c("u", "v"), c("yes", "no")))
  expect_identical(row.names(decide(p, two_actions())), c("u", "v"))
  rownames(p) <- c("u", "u")
  expect_identical(row.names(decide(p, two_actions())), c("1", "2"))
})

test_that("numbers that are no probabilities are named by their rows", {
  p <- cbind(yes = c(0.1, 0.2, -0.1), no = c(0.9, 0.9, 1.1))
  expect_bayesrisk_error(decide(p, two_actions()), "argument", "row 3")
  expect_bayesrisk_error(decide(p[1:2, ], two_actions()), "argument", "row 2.*sum")
  # Rounding is forgiven up to 1e-8.
  close <- cbind(yes = 0.1, no = 0.9 + 5e-9)
  expect_s3_class(decide(close, two_actions()), "bayesrisk_decision")
  expect_bayesrisk_error(decide(close + 1e-8, two_actions()), "argument", "sum")
})

test_that("what is no posterior gets an example of one", {
  expect_bayesrisk_error(decide(c(0.1, 0.2), two_actions()), "argument", "cbind\\(no = 1 - p")
  expect_bayesrisk_error(decide(c(yes = 0.1, no = 0.9), two_actions()), "argument", "rbind")
  expect_bayesrisk_error(decide(matrix(0.5, 2, 2), two_actions()), "argument", "named by class")
  expect_bayesrisk_error(
    decide(cbind(yse = 0.5, no = 0.5), two_actions()), "argument", "yes"
  )
  expect_bayesrisk_error(
    decide(data.frame(yes = "a", no = 0.5), two_actions()), "argument", "yes"
  )
})

test_that("another prior needs the one that the posterior contains", {
  p <- cbind(yes = c(0.5, 0.2), no = c(0.5, 0.8))
  expect_bayesrisk_error(
    decide(p, two_actions(), prior = c(yes = 0.1, no = 0.9)), "argument", "trained_prior"
  )
  expect_bayesrisk_error(
    decide(p, two_actions(), trained_prior = c(yes = 0.5, no = 0.5)), "argument", "prior"
  )
  shifted <- decide(p, two_actions(), prior = c(no = 0.9, yes = 0.1),
                    trained_prior = c(yes = 0.5, no = 0.5))
  # Elkan (2001): p' = .1 p / (.1 p + .9 (1 - p)) from equal shares.
  yes <- 0.1 * p[, "yes"] / (0.1 * p[, "yes"] + 0.9 * p[, "no"])
  expect_equal(shifted$cost_a, unname(yes + 4 * (1 - yes)), tolerance = 1e-14)
  expect_bayesrisk_error(
    decide(p, two_actions(), prior = "uniform", trained_prior = c(yes = 0, no = 1)),
    "argument", "yes"
  )
  expect_warning(
    lost <- decide(cbind(yes = 1, no = 0), two_actions(), prior = c(yes = 0, no = 1),
                   trained_prior = c(yes = 0.5, no = 0.5)),
    class = "bayesrisk_warning_impossible"
  )
  expect_identical(is.na(lost$decision), TRUE)
  sure <- decide(cbind(yes = 0.9, no = 0.1), prior = "uniform",
                 trained_prior = c(yes = 1e-310, no = 1))
  expect_lt(sure$cost, 1e-300)
})

test_that("names of tidymodels tell the classes without a cost; other columns do not count", {
  p <- data.frame(.pred_class = "a", .pred_a = c(.9, .3), .pred_b = c(.1, .7), amount = 1:2)
  expect_identical(decide(p)$decision, factor(c("a", "b")))
})

test_that("a model's own posterior, shifted, is the model with that prior", {
  model <- fit(bayes_naive(), Species ~ Sepal.Length, iris)
  prior <- c(setosa = 0.7, versicolor = 0.1, virginica = 0.2)
  cost <- zero_one_cost(model, reject = 0.3)
  given <- decide(predict(model, iris, "prob"), cost, prior = prior, trained_prior = "uniform")
  own <- decide(model, iris, cost, prior = prior)
  expect_identical(given$decision, own$decision)
  expect_equal(given$cost, own$cost, tolerance = 1e-12)
})

test_that("what holds no probabilities is said, and of many wrong rows the first are named", {
  expect_bayesrisk_error(decide(data.frame(k = "a")), "argument", "no column of probabilities")
  half <- cbind(a = rep(0.5, 30), b = 0.6)
  expect_bayesrisk_error(decide(half), "argument", "rows 1, 2, 3, 4, 5 and 25 more")
})

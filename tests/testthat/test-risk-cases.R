# A model and its own posterior probabilities, a class named by the data.
a_model <- function() {
  bayes_known(c(a = 0.2, b = 0.5, c = 0.3), x = likelihood_gaussian(
    mean = c(a = 0, b = 1, c = 4), sd = c(a = 1, b = 2, c = 1)
  ))
}
some_cases <- function() data.frame(x = c(-1, 0.3, 2, 2.9, 6), sum = c(1, 5, 2, 9, 3))
a_cost <- function() {
  cost_matrix(a = c(a = 0, b = 2, c = 9), b = list(a = 1, b = 0, c = ~ sum), ask = 0.6)
}
a_prior <- c(a = 0.1, b = 0.2, c = 0.7)

test_that("a model and its posterior break even alike, for every prior and cost", {
  model <- a_model()
  p <- predict(model, some_cases(), type = "prob")
  trained <- c(c = 0.3, a = 0.2, b = 0.5)
  for (prior in list(NULL, a_prior)) {
    for (vary in list("prior", c(decision = "ask"), c(decision = "b", truth = "c"))) {
      given <- if (identical(vary, "prior") || !is.null(prior)) trained
      by_model <- break_even(model, some_cases(), a_cost(), prior, vary)
      by_table <- break_even(p, some_cases(), a_cost(), prior, vary, trained_prior = given)
      expect_identical(by_table[names(by_table) != "value"], by_model[names(by_model) != "value"])
      expect_equal(by_table$value, by_model$value, tolerance = 1e-10)
    }
  }
})

test_that("a sweep of a table has the lines of its model", {
  model <- a_model()
  p <- predict(model, some_cases(), type = "prob")
  swept <- function(x, ...) {
    lines <- attr(cost_sweep(x, some_cases(), a_cost(), class = "c", ...), "lines")
    cbind(lines$intercept, lines$slope)
  }
  of_model <- swept(model, prior = a_prior)
  of_table <- swept(p, prior = a_prior, trained_prior = c(0.2, 0.5, 0.3))
  expect_equal(of_table, of_model, tolerance = 1e-12)
  expect_equal(swept(p, trained_prior = c(0.2, 0.5, 0.3)), swept(model), tolerance = 1e-12)
})

test_that("a prior needs the prior that the probabilities contain, and a model has its own", {
  p <- cbind(ill = c(0.1, 0.6), well = c(0.9, 0.4))
  expect_refusals(
    "trained_prior & object" = break_even(p),
    "trained_prior & object" = cost_sweep(p, class = "ill", prior = "uniform"),
    "prior & trained_prior & object" = break_even(p, vary = c(decision = "ill"), prior = "uniform"),
    "trained_prior & prior" = break_even(p, vary = c(decision = "ill"), trained_prior = "uniform"),
    "trained_prior & ill & prior" = break_even(p, trained_prior = c(ill = 0, well = 1)),
    "trained_prior" = break_even(a_model(), trained_prior = "uniform"),
    "newdata & cost" = break_even(p, zero_one_cost(c("ill", "well"))),
    "object & 1 & 2" = break_even(p + 0.1, trained_prior = "uniform"),
    "newdata & bayesrisk_model/bayesrisk_result" = break_even(iris, a_model())
  )
})

test_that("classes of probability 0, rows of NA and a prior that leaves no class", {
  p <- cbind(a = c(0, 0.3, NA), b = c(1, 0.7, NA))
  cost <- cost_matrix(go = c(a = 0, b = Inf), stay = c(a = 3, b = 1))
  flips <- break_even(p, cost = cost, trained_prior = "uniform")
  expect_identical(as.character(flips$below), c("stay", "stay", NA))
  sure <- cbind(a = c(1, 0.5), b = c(0, 0.5))
  expect_warning(
    lost <- cost_sweep(sure, prior = c(0, 1), vary = c(decision = "a"), trained_prior = "uniform"),
    "1 row in which `prior` leaves no class", class = "bayesrisk_warning_impossible"
  )
  expect_identical(is.na(lost$decision), c(TRUE, FALSE, FALSE))
  expect_identical(nrow(break_even(p[0, ], trained_prior = "uniform")), 0L)
})

test_that("cases are named where the data name them", {
  p <- rbind(first = c(a = 0.1, b = 0.9), second = c(a = 0.6, b = 0.4))
  flips <- break_even(p, trained_prior = "uniform")
  expect_named(flips, c("row", "case", "parameter", "value", "below", "above"))
  expect_identical(flips$case, c("first", "second"))
  swept <- cost_sweep(p, trained_prior = "uniform")
  expect_identical(swept$case, c("first", "second")[swept$row])
  rownames(p) <- 1:2
  expect_false("case" %in% names(break_even(p, trained_prior = "uniform")))
  some <- some_cases()[c(5, 2), ]
  expect_identical(break_even(a_model(), some, class = "a")$case, c("5", "2"))
  expect_null(break_even(a_model(), some_cases(), class = "a")$case)
})

test_that("several classes warn once, and threads change nothing", {
  cases <- data.frame(x = c(seq(-4, 8, length.out = 1500), Inf))
  warned <- testthat::capture_warnings(flips <- break_even(a_model(), cases))
  expect_length(warned, 1L)
  expect_identical(suppressWarnings(break_even(a_model(), cases, threads = 2)), flips)
  swept <- function(threads) {
    suppressWarnings(cost_sweep(a_model(), cases, class = "a", threads = threads))
  }
  expect_identical(swept(2), swept(1))
})

test_that("a sweep of a table is drawn, without a Bayes risk", {
  drawn <- draw(cost_sweep(cbind(a = 0.4, b = 0.6), trained_prior = "uniform"))
  expect_null(attr(drawn, "risk"))
  expect_identical(levels(drawn$action), c("a", "b"))
})

test_that("no cases are one case of which nothing is known", {
  model <- fit(bayes_full(), Species ~ ., cbind(iris, f = factor(rep(1:3, 50))))
  read <- known_rows(model, NULL, NULL)
  joint <- score(model, read, "log_joint", c(.2, .3, .5), NULL, 1L, NULL)
  expect_identical(as.vector(joint), log(c(.2, .3, .5)))
})

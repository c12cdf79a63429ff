test_that("the pieces are the cheapest lines, by hand for the letters", {
  cost <- cost_matrix(a = c(a = 0, b = 5), b = c(a = 1, b = 0), ask = 0.2)
  swept <- cost_sweep(letters_model(), data.frame(pixels = c(15, 20)), cost, class = "b")
  expect_s3_class(swept, "bayesrisk_sweep")
  expect_named(swept, c("row", "from", "to", "decision", "intercept", "slope"))
  # At 20 both letters are as likely: the evidence is that likelihood, the lines the costs.
  at_20 <- swept[swept$row == 2, ]
  expect_identical(as.character(at_20$decision), c("a", "ask", "b"))
  expect_within(at_20$to, c(0.04, 0.8, 1), 1e-14)
  expect_within(at_20$from, c(0, 0.04, 0.8), 1e-14)
  expect_within(at_20$intercept, c(0, 0.2, 1), 1e-14)
  expect_within(at_20$slope, c(5, 0, -1), 1e-14)
  # At 15: likelihoods 1 and exp(-100/32) under a and b, relative to their mixture.
  ratio <- exp(-100 / 32)
  evidence <- 0.75 + 0.25 * ratio
  lines <- attr(swept, "lines")
  at_15 <- lines[lines$row == 1, ]
  expect_within(at_15$intercept, c(0, 1, 0.2) / evidence, 1e-14)
  expect_within(at_15$slope, c(5 * ratio, -1, 0.2 * (ratio - 1)) / evidence, 1e-13)
})

test_that("at the prior as it is, and at any cost, lines are the expected costs", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  prior <- c(setosa = 0.2, versicolor = 0.5, virginica = 0.3)
  expected <- predict(model, iris, type = "cost", cost = iris_cost(), prior = prior)
  now <- c(setosa = 0.2, versicolor = 0.5, virginica = 0.3)
  for (class in names(prior)) {
    swept <- cost_sweep(model, iris, iris_cost(), "prior", class, prior = prior)
    lines <- attr(swept, "lines")
    expect_within(lines$intercept + now[[class]] * lines$slope, expected, 1e-12, scale = 10)
  }
  swept <- cost_sweep(model, iris, iris_cost(), vary = c(decision = "burn", truth = "virginica"))
  dear <- as.matrix(iris_cost())
  dear["burn", "virginica"] <- 77
  dear <- as_cost_matrix(dear)
  lines <- attr(swept, "lines")
  expect_within(
    lines$intercept + 77 * lines$slope, predict(model, iris, "cost", cost = dear, prior = NULL),
    1e-12, scale = 77
  )
})

test_that("the envelope is below all lines, and continuous", {
  model <- fit(bayes_full(), Species ~ ., iris)
  swept <- cost_sweep(model, iris, iris_cost(), vary = "prior", class = "virginica")
  lines <- attr(swept, "lines")
  value <- function(x, t) x$intercept + t * x$slope
  middle <- (swept$from + swept$to) / 2
  of_row <- function(x) matrix(x, 150)[swept$row, ]
  by_row <- of_row(lines$intercept) + middle * of_row(lines$slope)
  expect_within(value(swept, middle), apply(by_row, 1, min), 1e-12, scale = 10)
  inner <- which(diff(swept$row) == 0)
  expect_identical(swept$to[inner], swept$from[inner + 1])
  expect_within(value(swept, swept$to)[inner], value(swept, swept$from)[inner + 1], 1e-12, 10)
  expect_identical(swept$from[!duplicated(swept$row)], rep(0, 150))
  expect_identical(swept$to[!duplicated(swept$row, fromLast = TRUE)], rep(1, 150))
})

test_that("a range cuts the pieces, and a cost ranges over all numbers", {
  whole <- cost_sweep(letters_model(), data.frame(pixels = 20), vary = c(decision = "a"))
  expect_identical(whole$from[[1]], -Inf)
  expect_identical(whole$to[[nrow(whole)]], Inf)
  expect_within(whole$to[[1]], 0.75, 1e-14)
  part <- cost_sweep(letters_model(), data.frame(pixels = 20), vary = c(decision = "a"), from = 1,
                     to = 2)
  expect_identical(part$from, 1)
  expect_identical(part$to, 2)
  expect_identical(as.character(part$decision), "b")
  expect_identical(cost_sweep(letters_model(), class = "a", from = 0.2, to = 0.4)$to, 0.4)
})

test_that("without a case: the prior alone, for the whole range of priors", {
  swept <- cost_sweep(letters_model())
  expect_identical(swept$row, c(1L, 1L))
  expect_identical(swept$to, c(0.5, 1))
  expect_identical(swept$slope, c(1, -1))
  expect_identical(as.character(swept$decision), c("b", "a"))
})

test_that("costs by case: the lines of each case are its own", {
  skip_on_cran()
  by_sum <- cost_matrix(a = list(a = 0, b = ~ sum), b = c(a = 1, b = 0))
  cases <- data.frame(pixels = 20, sum = c(2, 6))
  swept <- cost_sweep(letters_model(), cases, by_sum, class = "b")
  lines <- attr(swept, "lines")
  expect_within(lines$slope[lines$decision == "a"], c(2, 6), 1e-14)
  one <- cost_sweep(letters_model(), cases, by_sum, vary = c(decision = "a", truth = "b"))
  expect_identical(attr(one, "varied")$now, NA_real_)
  other <- cost_sweep(letters_model(), cases, by_sum, vary = c(decision = "b", truth = "a"))
  expect_identical(attr(other, "varied")$now, 1)
  expect_within(other$to[c(1, 3)], c(2, 6) / 3, 1e-14)
  expect_identical(unique(draw(swept)$row), 1:2)
  expect_identical(unique(draw(one)$row), 1:2)
  cases$sum[[1]] <- NA
  expect_warning(
    some <- cost_sweep(letters_model(), cases, by_sum), class = "bayesrisk_warning_unpriced"
  )
  expect_identical(is.na(some$decision), some$row == 1L)
  expect_identical(unique(draw(some)$row), 2L)
})

test_that("infinite costs and cases without an answer", {
  cost <- cost_matrix(go = c(a = 0, b = Inf), stay = c(a = 3, b = 1))
  expect_warning(
    swept <- cost_sweep(letters_model(), data.frame(pixels = c(20, Inf)), cost),
    class = "bayesrisk_warning_infinite"
  )
  expect_identical(as.character(swept$decision), c("stay", NA))
  expect_true(all(is.na(swept[2, -1])))
  lines <- attr(swept, "lines")
  expect_identical(lines$intercept[lines$decision == "go"], c(Inf, NaN))
  expect_identical(nrow(cost_sweep(letters_model(), data.frame(pixels = numeric()))), 0L)
})

test_that("every odd argument is read or refused by design", {
  fixed <- list(object = letters_model(), newdata = data.frame(pixels = 20), vary = "prior")
  is_sweep <- function(x) inherits(x, "bayesrisk_sweep")
  for (arg in c("cost", "vary", "class", "prior", "from", "to")) {
    expect_fuzz_proof(cost_sweep, arg, fixed, is_sweep)
  }
  for (arg in c("from", "to")) {
    expect_fuzz_proof(cost_sweep, arg, c(fixed[1:2], list(vary = c(decision = "b"))), is_sweep)
  }
  expect_fuzz_proof(cost_sweep, "object", fixed, is_sweep, "bayesrisk_error")
  expect_fuzz_proof(cost_sweep, "newdata", fixed, is_sweep, "bayesrisk_error_schema")
  fixed$cost <- cost_matrix(a = list(a = 0, b = ~ pixels), b = c(a = 1, b = 0))
  expect_fuzz_proof(cost_sweep, "newdata", fixed, is_sweep, "bayesrisk_error")
  expect_fuzz_proof(cost_sweep, "prior", fixed, is_sweep)
  expect_bayesrisk_error(cost_sweep(letters_model(), from = 0.5, to = 0.5), "argument", "less")
})

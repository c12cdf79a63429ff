# Bayes by hand: two thirds healthy, and three actions of which one is no class.
three_actions <- function() {
  cost_matrix(
    treat = c(ill = 1, healthy = 4), wait = c(ill = 50, healthy = 0), refer = 2
  )
}

# The definition, row by row.
by_definition <- function(posterior, cost) {
  expected <- posterior %*% t(as.matrix(cost)[, colnames(posterior), drop = FALSE])
  sorted <- t(apply(expected, 1L, sort))
  list(
    expected = expected, decision = rownames(cost)[apply(expected, 1L, which.min)],
    margin = sorted[, 2L] - sorted[, 1L]
  )
}

test_that("the decision is the action of smallest expected cost, for any classifier", {
  p <- c(0.01, 0.05, 0.3, 0.9)
  decided <- decide(cbind(healthy = 1 - p, ill = p), three_actions())
  expect_s3_class(decided, c("bayesrisk_decision", "bayesrisk_result", "data.frame"), exact = TRUE)
  expect_named(decided, c(
    "decision", "cost", "cost_treat", "cost_wait", "cost_refer", "runner_up", "margin", "tie"
  ))
  expect_identical(as.character(decided$decision), c("wait", "refer", "refer", "treat"))
  expect_identical(levels(decided$decision), c("treat", "wait", "refer"))
  # 50 p, 4 - 3 p and 2 by hand.
  expect_equal(decided$cost_wait, 50 * p, tolerance = 1e-14)
  expect_equal(decided$cost_treat, 4 - 3 * p, tolerance = 1e-14)
  expect_equal(decided$cost, c(0.5, 2, 2, 1.3), tolerance = 1e-14)
  expect_equal(decided$margin, c(1.5, 0.5, 1.1, 0.7), tolerance = 1e-13)
  expect_identical(as.character(decided$runner_up), c("refer", "wait", "treat", "refer"))
  expect_identical(attr(decided, "cost"), three_actions())
})

test_that("random costs of any shape are decided as the definition says", {
  set.seed(4)
  for (shape in list(c(4, 3), c(2, 5), c(7, 2))) {
    raw <- matrix(stats::rexp(400 * shape[[2]]), 400)
    posterior <- raw / rowSums(raw)
    colnames(posterior) <- letters[seq_len(shape[[2]])]
    m <- matrix(stats::rnorm(prod(shape)), shape[[1]])
    dimnames(m) <- list(decision = LETTERS[seq_len(shape[[1]])], truth = colnames(posterior))
    cost <- suppressWarnings(as_cost_matrix(m), classes = "bayesrisk_warning")
    wanted <- by_definition(posterior, cost)
    decided <- decide(posterior, cost)
    expect_identical(as.character(decided$decision), wanted$decision)
    expect_equal(as.matrix(as.data.frame(unclass(decided)[3:(2 + shape[[1]])])), wanted$expected,
                 tolerance = 1e-13, ignore_attr = TRUE)
    expect_equal(decided$margin, wanted$margin, tolerance = 1e-12)
    # Columns are matched by name, and the rows do not depend on threads or neighbours.
    shuffled <- posterior[, sample(ncol(posterior))]
    expect_identical(decide(shuffled, cost, threads = 2)$decision, decided$decision)
    expect_identical(decide(posterior[7, , drop = FALSE], cost)$cost, decided$cost[[7]])
  }
})

test_that("what every processor can do gives the same to 1e-12", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  cost <- cost_matrix(
    a = c(setosa = 0, versicolor = 1, virginica = 5),
    b = c(setosa = 2, versicolor = 0.1, virginica = 3), refer = 0.6
  )
  results <- function() {
    p <- predict(model, iris, type = "prob")
    list(
      p, predict(model, iris, type = "log_prob"), predict(model, iris, cost = cost),
      decide(model, iris, cost), decide(p, cost), summary(decide(p))
    )
  }
  wide <- results()
  withr::local_envvar(BAYESRISK_BASELINE = "1")
  expect_equal(results(), wide, tolerance = 1e-12)
})

test_that("scaling and a constant per truth change no decision (Elkan)", {
  p <- seq(0, 1, length.out = 101)
  posterior <- cbind(ill = p, healthy = 1 - p)
  m <- as.matrix(three_actions())
  moved <- 3 * m + rep(c(7, -11), each = 3)
  moved <- suppressWarnings(as_cost_matrix(moved), classes = "bayesrisk_warning")
  expect_identical(
    decide(posterior, moved)$decision, decide(posterior, three_actions())$decision
  )
})

test_that("a model decides as predict() does, ties included", {
  model <- fit(bayes_naive(), Species ~ Sepal.Length + Petal.Width, iris)
  cost <- cost_matrix(
    keep = c(setosa = 0, versicolor = 1, virginica = 10),
    drop = c(setosa = 2, versicolor = 2, virginica = 0), ask = 1.5
  )
  decided <- decide(model, iris, cost)
  expect_identical(decided$decision, predict(model, iris, cost = cost))
  expect_equal(
    unname(as.matrix(as.data.frame(unclass(decided)[3:5]))),
    unname(predict(model, iris, type = "cost", cost = cost)), tolerance = 1e-14
  )
  expect_identical(
    as.character(decide(model, newdata = iris)$decision), as.character(predict(model, iris))
  )
  expect_identical(decide(model, iris[3, ], cost)$cost, decided$cost[[3]])
})

test_that("ties go to the first action and are flagged", {
  # Costs 1 and 3 tie at p = 1/4 exactly (case C4).
  cost <- cost_matrix(pay = c(bad = 3, good = 0), refuse = c(bad = 0, good = 1))
  decided <- decide(cbind(good = 3 / 4, bad = 1 / 4), cost)
  expect_identical(as.character(decided$decision), "pay")
  expect_identical(decided$tie, TRUE)
  expect_identical(decided$margin, 0)
  turned <- cost_matrix(refuse = c(bad = 0, good = 1), pay = c(bad = 3, good = 0))
  again <- decide(cbind(good = 3 / 4, bad = 1 / 4), turned)
  expect_identical(as.character(again$decision), "refuse")
})

test_that("rows = action, columns = truth: case C2, and permuted names: case C3", {
  m <- matrix(c(0, 1, 8, 2, 0, 1, 1, 5, 0), 3, byrow = TRUE)
  dimnames(m) <- list(decision = letters[1:3], truth = letters[1:3])
  p <- rbind(c(a = 1 / 2, b = 1 / 4, c = 1 / 4))
  decided <- decide(p, as_cost_matrix(m))
  expect_equal(unlist(decided[3:5], use.names = FALSE), c(9, 5, 7) / 4, tolerance = 1e-15)
  expect_identical(as.character(decided$decision), "b")
  permuted <- decide(p, as_cost_matrix(m[c(3, 1, 2), c(2, 3, 1)]))
  expect_identical(as.character(permuted$decision), "b")
})

test_that("an infinite cost counts unless its class is impossible (case C5)", {
  cost <- cost_matrix(go = c(a = 0, b = Inf), stay = c(a = 5, b = 1))
  decided <- decide(cbind(a = c(1, 0.999), b = c(0, 0.001)), cost)
  expect_identical(as.character(decided$decision), c("go", "stay"))
  expect_identical(decided$cost_go, c(0, Inf))
  all_infinite <- cost_matrix(x = c(a = Inf, b = 1), y = c(a = 1, b = Inf))
  tied <- decide(cbind(a = 0.5, b = 0.5), all_infinite)
  expect_identical(as.character(tied$decision), "x")
  expect_identical(tied$tie, TRUE)
  expect_identical(tied$margin, 0)
  # The log joint decides for a model, not a probability that underflowed.
  far <- likelihood_gaussian(mean = c(a = 0, b = 100), sd = 1)
  model <- bayes_known(c(a = 0.5, b = 0.5), x = far)
  expect_identical(as.character(decide(model, data.frame(x = -50), cost)$decision), "stay")
})

test_that("one action, missing rows, and reject by Chow's rule (cases C7, C8, C10)", {
  alone <- decide(cbind(a = c(0.3, NA), b = c(0.7, NA)), cost_matrix(only = c(a = 1, b = 2)))
  expect_identical(alone$runner_up, factor(c(NA, NA), "only"))
  expect_identical(alone$margin, c(NA_real_, NA))
  expect_identical(alone$tie, c(FALSE, NA))
  expect_identical(is.na(alone$decision), c(FALSE, TRUE))
  p <- seq(0.5, 1, by = 0.01)
  rejected <- decide(cbind(a = p, b = 1 - p), zero_one_cost(c("a", "b"), reject = 0.2))
  inside <- abs(p - 0.8) > 1e-9
  expect_identical((rejected$decision == "reject")[inside], (p < 0.8)[inside])
})

test_that("costs by case are computed from the data", {
  cost <- cost_matrix(pay = list(fraud = ~ amount, ok = 0), refuse = 20)
  posterior <- cbind(fraud = 0.1, ok = 0.9)[c(1, 1, 1, 1), ]
  data <- data.frame(amount = c(100, 300, NA, 200))
  expect_warning(decided <- decide(posterior, cost, data), class = "bayesrisk_warning_unpriced")
  expect_identical(as.character(decided$decision), c("pay", "refuse", NA, "pay"))
  expect_equal(decided$cost_pay[c(1, 2, 4)], c(10, 30, 20), tolerance = 1e-14)
  expect_identical(decided$tie[[4]], TRUE)
  same <- likelihood_gaussian(mean = c(fraud = 0, ok = 0), sd = 1)
  model <- bayes_known(c(fraud = 0.1, ok = 0.9), x = same)
  of_model <- decide(model, data.frame(x = 0, amount = c(100, 300)), cost)
  expect_identical(as.character(of_model$decision), c("pay", "refuse"))
  expect_bayesrisk_error(decide(posterior, cost), "argument", "newdata")
  expect_bayesrisk_error(decide(posterior, cost, data.frame(amuont = 1:4)), "schema", "amount")
})

test_that("a cost of a single case that is NA leaves the case undecided, as one of many", {
  skip_on_cran()
  model <- letters_model()
  unpriced <- "bayesrisk_warning_unpriced"
  costs <- list(
    cost_matrix(a = list(a = 0, b = ~ sum), b = c(a = 1, b = 0)),
    cost_matrix(a = list(a = Inf, b = ~ sum), b = c(a = 1, b = 0))
  )
  for (cost in costs) for (rows in 1:2) {
    cases <- data.frame(pixels = 20, sum = c(NA, 3))[seq_len(rows), ]
    expect_warning(decided <- decide(model, cases, cost), class = unpriced)
    expect_identical(is.na(decided$decision), c(TRUE, FALSE)[seq_len(rows)])
    expect_identical(is.na(decided$cost_a), c(TRUE, FALSE)[seq_len(rows)])
    expect_warning(chosen <- predict(model, cases, cost = cost), class = unpriced)
    expect_identical(chosen, decided$decision)
    expect_warning(flips <- break_even(model, cases, cost), class = unpriced)
    expect_identical(flips$row[is.na(flips$below)], 1L)
    expect_warning(next_feature(model, cases, cost), class = unpriced)
  }
  certain <- decide(cbind(a = 1, b = 0), costs[[1L]], data.frame(sum = NA_real_))
  expect_identical(as.character(certain$decision), "a")
})

test_that("a bad call says what to write instead", {
  expect_bayesrisk_error(decide(), "argument", "missing")
  expect_bayesrisk_error(decide(bayes_naive()), "argument", "fit")
  model <- fit(bayes_naive(), Species ~ ., iris)
  expect_bayesrisk_error(decide(model), "argument", "newdata")
  expect_bayesrisk_error(decide(model, newdata = iris, tpye = "x"), "argument", "tpye")
})

test_that("whatever is handed over, decide() answers or says why not", {
  p <- cbind(ill = c(0.2, 0.9), healthy = c(0.8, 0.1))
  valid <- function(x) inherits(x, "bayesrisk_decision")
  fixed <- list(x = p, cost = three_actions())
  expect_fuzz_proof(decide, "x", fixed, valid)
  expect_fuzz_proof(decide, "cost", fixed, valid)
  expect_fuzz_proof(decide, "newdata", fixed, valid)
  expect_fuzz_proof(decide, "prior", fixed, valid)
  expect_fuzz_proof(decide, "trained_prior", fixed, valid)
  expect_fuzz_proof(decide, "threads", fixed, valid)
})

test_that("each row is decided by the model of its group", {
  flowers <- transform(iris, site = rep(c("hill", "lake", "wood"), 50))
  models <- fit(bayes_naive(), Species ~ ., flowers, by = site)
  cost <- zero_one_cost(levels(iris$Species), reject = 0.2)
  decided <- decide(models, flowers, cost)
  expect_s3_class(decided, "bayesrisk_decision")
  expect_identical(decided$decision, predict(models, flowers, cost = cost))
  expect_equal(
    decided$cost[flowers$site == "lake"],
    decide(models$lake, flowers[flowers$site == "lake", ], cost)$cost
  )
})

decided <- function() {
  p <- c(0.01, 0.05, 0.9)
  cost <- cost_matrix(
    treat = c(ill = 1, healthy = 4), wait = c(ill = 50, healthy = 0), refer = 2
  )
  decide(cbind(ill = p, healthy = 1 - p), cost)
}

test_that("rows of a decision are a decision, and fewer columns are not", {
  x <- decided()
  part <- x[2:3, ]
  expect_s3_class(part, "bayesrisk_decision")
  expect_identical(attr(part, "cost"), attr(x, "cost"))
  expect_identical(part$cost, x$cost[2:3])
  columns <- x[, c("decision", "cost")]
  expect_identical(class(columns), "data.frame")
  expect_null(attr(columns, "cost"))
  expect_identical(x[, "cost"], x$cost)
})

test_that("what is printed is the number of cases, their cost and the first rows", {
  printed <- capture.output(print(decided(), n = 2L))
  expect_match(printed[[1]], "3 cases, 3 actions, expected cost per case 1.26", fixed = TRUE)
  expect_length(printed, 5L)
  expect_match(printed[[5]], "1 more row", fixed = TRUE)
  expect_bayesrisk_error(print(decided(), n = "a"), "argument", "n")
})

test_that("an action may be called as it likes", {
  p <- cbind(a = 0.2, b = 0.8)
  cost <- cost_matrix(cost = c(a = 0, b = 1), `of decision` = c(a = 2, b = 0), tie = 0.3)
  x <- decide(p, cost)
  expect_identical(names(x)[3:5], c("cost_cost", "cost_of decision", "cost_tie"))
  expect_equal(x$cost, 0.3, tolerance = 1e-15)
  expect_identical(as.character(x$decision), "tie")
})

test_that("a utility stays one", {
  gains <- utility_matrix(go = c(ill = 3, healthy = -1), stay = 0)
  decided <- decide(cbind(healthy = c(.2, .9), ill = c(.8, .1)), gains)
  kept <- attr(decided, "cost")
  expect_s3_class(kept, c("bayesrisk_utility", "bayesrisk_cost", "bayesrisk_result"), exact = TRUE)
  expect_identical(as.matrix(kept)[, "ill"], as.matrix(gains)[, "ill"])
  known <- bayes_known(
    c(healthy = .5, ill = .5), x = likelihood_gaussian(mean = c(healthy = 0, ill = 1), sd = 1)
  )
  expect_true(is_utility(attr(decide(known, data.frame(x = 0), gains), "cost")))
  expect_false(is_utility(attr(decide(known, data.frame(x = 0), NULL), "cost")))
})

test_that("rows of several results keep the cost that all were decided by, and no other", {
  x <- decided()
  expect_identical(attr(rbind(x, x[2, ]), "cost"), attr(x, "cost"))
  expect_identical(attr(rbind(x, x)[1:2, ], "cost"), attr(x, "cost"))
  p <- cbind(ill = 0.3, healthy = 0.7)
  mixed <- rbind(decide(p), decide(p, zero_one_cost(c("ill", "healthy")) * 2))
  expect_null(attr(mixed, "cost"))
  expect_bayesrisk_error(assess_decisions(mixed, truth = c("ill", "ill")), "argument", "cost")
  # As other packages unite rows: the attributes of the first.
  united <- structure(x[c(1:3, 1:3), ], rows = 3L)
  expect_null(decided_by(united))
})

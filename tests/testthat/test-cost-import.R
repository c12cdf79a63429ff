# Rows are actions, columns truths: three actions, two classes, nothing symmetric.
by_decision <- function() {
  rbind(treat = c(ill = 1, healthy = 4), wait = c(ill = 50, healthy = 0), refer = c(2, 3))
}
expected <- function() {
  cost_matrix(
    treat = c(ill = 1, healthy = 4), wait = c(ill = 50, healthy = 0),
    refer = c(ill = 2, healthy = 3)
  )
}
with_axes <- function(m, axes) {
  names(dimnames(m)) <- axes
  m
}

test_that("a matrix is read by `rows` or by the names of its axes", {
  m <- by_decision()
  expect_identical(as_cost_matrix(m, rows = "decision"), expected())
  expect_identical(as_cost_matrix(t(m), rows = "truth"), expected())
  expect_identical(as_cost_matrix(with_axes(m, c("decision", "truth"))), expected())
  expect_identical(as_cost_matrix(with_axes(t(m), c("truth", "decision"))), expected())
  expect_identical(as_cost_matrix(as.table(m), rows = "decision"), expected())
  expect_identical(as_cost_matrix(as.data.frame(m), rows = "decision"), expected())
  # The axis names of mlr3.
  mlr3 <- with_axes(m, c("response", "truth"))
  expect_identical(as_cost_matrix(mlr3, rows = "decision"), expected())
})

test_that("integers become doubles", {
  m <- matrix(1:2, 1, dimnames = list(decision = "a", truth = c("x", "y")))
  expect_type(as.matrix(as_cost_matrix(m)), "double")
})

test_that("a cost is returned as it is", {
  expect_identical(as_cost_matrix(expected()), expected())
  expect_identical(as_cost_matrix(flat_cost(a = 1, b = 2)), flat_cost(a = 1, b = 2))
})

test_that("pairs are read in any order, by either name of the action", {
  pairs <- data.frame(
    note = "x",
    cost = c(50, 1, 3, 0, 4, 2),
    truth = c("ill", "ill", "healthy", "healthy", "healthy", "ill"),
    decision = factor(
      c("wait", "treat", "refer", "wait", "treat", "refer"), c("treat", "wait", "refer")
    )
  )
  expect_identical(as_cost_matrix(pairs), expected())
  names(pairs)[[4]] <- "estimate"
  expect_identical(as_cost_matrix(pairs), expected())
  expect_identical(as_cost_matrix(as.data.frame(expected())), expected())
})

test_that("costs of yardstick's help are read: truth, estimate, cost", {
  # Kuhn and Johnson (2013), as in yardstick::classification_cost().
  classes <- c("VF", "F", "M", "L")
  pairs <- data.frame(
    estimate = rep(classes, each = 4), truth = rep(classes, 4),
    cost = c(0, 1, 5, 10, 1, 0, 5, 5, 1, 1, 0, 1, 1, 1, 1, 0)
  )
  cost <- as_cost_matrix(pairs)
  expect_identical(cost["VF", ], c(VF = 0, F = 1, M = 5, L = 10))
  expect_identical(cost["F", ], c(VF = 1, F = 0, M = 5, L = 5))
  expect_identical(cost[, "L"], c(VF = 10, F = 5, M = 1, L = 0))
  # The pairs that it may leave out, at cost 0, are not guessed.
  expect_error(
    as_cost_matrix(pairs[pairs$estimate != pairs$truth, ]), "\"VF\" when truth is \"VF\"",
    class = "bayesrisk_error_argument"
  )
})

test_that("costs of mlr3's help are read: response in the rows, truth in the columns", {
  classes <- c("good", "bad")
  uci <- matrix(c(0, 5, 1, 0), 2, dimnames = list(truth = classes, predicted = classes))
  cost <- as_cost_matrix(t(uci), rows = "decision")
  expect_identical(cost["good", ], c(good = 0, bad = 5))
  expect_identical(as_cost_matrix(uci, rows = "truth"), cost)
  counts <- matrix(c(7, 1, 3, 4), 2, dimnames = list(decision = classes, truth = classes))
  # The measure is the sum of confusion (response x truth) times costs, per case.
  expect_identical(expected_cost(counts, cost), sum(counts * t(uci)) / 15)
})

test_that("a cost comes back from its matrix and from its data frame", {
  costs <- list(
    expected(), zero_one_cost(c("b", "a", "c"), reject = 0.2),
    cost_matrix(go = c(x = -1 / 3, y = Inf, z = 0), stay = c(x = 2, y = 1e-300, z = 1 / 7))
  )
  for (cost in costs) {
    expect_identical(as_cost_matrix(as.matrix(cost)), cost)
    expect_identical(as_cost_matrix(t(cost)), cost)
    expect_identical(as_cost_matrix(as.data.frame(cost)), cost)
    expect_identical(as_cost_matrix(as.data.frame(cost)[rev(seq_along(cost)), ]), cost)
    long <- as.data.frame(as.table(as.matrix(cost)), responseName = "cost")
    expect_identical(as_cost_matrix(long), cost)
  }
})

test_that("text keeps the order in which it comes, numbers and logicals are labels", {
  pairs <- data.frame(
    truth = c(1, 0, 1, 0), decision = c("z", "z", "a", "a"), cost = c(3, 2, 1, Inf)
  )
  values <- as.matrix(as_cost_matrix(pairs))
  expect_identical(dimnames(values), list(decision = c("z", "a"), truth = c("1", "0")))
  expect_identical(values["a", "0"], Inf)
})

test_that("case C2: rows are actions, and turned they would be another cost", {
  m <- matrix(
    c(0, 2, 1, 1, 0, 5, 8, 1, 0), 3, dimnames = list(c("a", "b", "c"), c("a", "b", "c"))
  )
  p <- c(1 / 2, 1 / 4, 1 / 4)
  risk <- function(cost) drop(as.matrix(cost) %*% p)
  expect_equal(risk(as_cost_matrix(m, rows = "decision")), c(a = 9, b = 5, c = 7) / 4)
  expect_equal(risk(as_cost_matrix(m, rows = "truth")), c(a = 3, b = 7, c = 17) / 4)
})

test_that("an array holds a matrix per case, its axes read as those of a matrix", {
  costs <- array(
    as.double(1:24), c(4, 3, 2), list(NULL, c("treat", "wait", "refer"), c("ill", "healthy"))
  )
  named <- costs
  names(dimnames(named)) <- c("case", "decision", "truth")
  cost <- as_cost_matrix(costs, rows = "decision")
  expect_s3_class(cost, "bayesrisk_case_cost")
  expect_identical(cost[["wait", "healthy"]], as.double(17:20))
  expect_identical(as_cost_matrix(named), cost)
  expect_identical(as_cost_matrix(aperm(named, c(1, 3, 2))), cost)
  expect_identical(as_cost_matrix(aperm(costs, c(1, 3, 2)), rows = "truth"), cost)
  expect_identical(as_cost_matrix(cost), cost)
  expect_refusals(
    "rows & m & decision & truth" = as_cost_matrix(costs),
    "rows & truth & m & decision" = as_cost_matrix(named, rows = "truth"),
    "m & dimnames(m)" = as_cost_matrix(unname(costs), rows = "decision"),
    "m & -Inf & 2" = as_cost_matrix(replace(named, 2:3, -Inf)),
    "m & array" = as_cost_matrix(array("1", c(1, 1, 1)))
  )
})

test_that("case C3: the order of the names is of no importance", {
  m <- matrix(
    c(0, 2, 1, 1, 0, 5, 8, 1, 0), 3, dimnames = list(decision = letters[1:3], truth = letters[1:3])
  )
  cost <- as_cost_matrix(m)
  for (turn in list(c(3, 1, 2), c(2, 1, 3), 3:1)) {
    permuted <- as_cost_matrix(m[turn, rev(turn)])
    expect_true(all(cost == permuted))
    read <- read_cost(permuted, letters[1:3], call = NULL)
    expect_identical(read$fixed[letters[1:3], ], as.matrix(cost))
  }
})

test_that("what cannot be read is said", {
  skip_on_cran()
  m <- by_decision()
  pairs <- as.data.frame(expected())
  expect_refusals(
    "rows & m & decision & truth" = as_cost_matrix(m),
    "m & rownames(m)" = as_cost_matrix(unname(m), rows = "decision"),
    "rows & truth & m & decision" =
      as_cost_matrix(with_axes(m, c("decision", "truth")), rows = "truth"),
    "rows & truth & m & decision" = as_cost_matrix(with_axes(m, c("decision", "")), rows = "truth"),
    "rows & truth & m & decision" = as_cost_matrix(expected(), rows = "truth"),
    "rows" = as_cost_matrix(m, rows = c("decision", "truth")),
    "rows & decision & truth" = as_cost_matrix(m, rows = "rows"),
    "m & treat" = as_cost_matrix(m[c(1, 1, 2), ], rows = "decision"),
    "wait & ill" = as_cost_matrix(replace(m, 2, NA), rows = "decision"),
    "m & rownames(m)" = as_cost_matrix(data.frame(ill = 1:2, healthy = 3:4), rows = "decision"),
    "m & data.frame" = as_cost_matrix(data.frame(ill = "1", row.names = "wait"), rows = "decision"),
    "m & confusion table" = as_cost_matrix(confusion_table(c("a", "b"), c("a", "b"))),
    "m & treat & ill & healthy" = as_cost_matrix(pairs[-(1:2), ]),
    "m & wait & healthy" = as_cost_matrix(rbind(pairs, pairs[4, ])),
    "rows & m" = as_cost_matrix(pairs, rows = "decision"),
    "m & decision & estimate" = as_cost_matrix(pairs[c("truth", "cost")]),
    "m & decision & estimate" = as_cost_matrix(transform(pairs, estimate = decision)),
    "m & truth" = as_cost_matrix(transform(pairs, truth = NA)),
    "m & cost" = as_cost_matrix(transform(pairs, cost = "1")),
    "wait & healthy" = as_cost_matrix(transform(pairs, cost = replace(cost, 4, NA))),
    "m & treat & ill & wait & refer" = as_cost_matrix(pairs[0, ])
  )
})

test_that("every odd value is a cost or an error of the package", {
  is_cost <- function(x) inherits(x, "bayesrisk_cost")
  expect_fuzz_proof(as_cost_matrix, "m", is_valid = is_cost)
  expect_fuzz_proof(as_cost_matrix, "m", list(rows = "truth"), is_cost)
  expect_fuzz_proof(as_cost_matrix, "rows", list(m = by_decision()[1:2, ]), is_cost)
  pairs <- as.data.frame(expected())
  expect_fuzz_proof(as_cost_matrix, "rows", list(m = pairs), is_cost)
  costs <- array(1, c(2, 1, 1), list(NULL, "go", "x"))
  expect_fuzz_proof(as_cost_matrix, "rows", list(m = costs), is_cost)
})

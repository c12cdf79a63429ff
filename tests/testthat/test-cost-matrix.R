hospital <- function() {
  cost_matrix(treat = c(ill = 1, healthy = 4), wait = c(healthy = 0, ill = 50), refer = 2)
}

test_that("actions are rows and true classes columns, both by name", {
  values <- as.matrix(hospital())
  expect_identical(values, matrix(
    c(1, 50, 2, 4, 0, 2), 3,
    dimnames = list(decision = c("treat", "wait", "refer"), truth = c("ill", "healthy"))
  ))
})

test_that("the classes are in the order of the first action that names them", {
  cost <- cost_matrix(refer = 2, wait = c(healthy = 0, ill = 50), treat = c(ill = 1, healthy = 4))
  expect_identical(colnames(as.matrix(cost)), c("healthy", "ill"))
  expect_identical(as.matrix(cost)["treat", ], c(healthy = 4, ill = 1))
})

test_that("a list, a spliced list and integers are read alike", {
  actions <- list(
    treat = list(ill = 1L, healthy = 4), wait = list(ill = 50, healthy = 0), refer = list(2)
  )
  expect_identical(do.call(cost_matrix, actions), hospital())
  expect_identical(cost_matrix(!!!actions), hospital())
})

test_that("any name can be an action", {
  cost <- flat_cost(call = 1, m = 2, rows = 3, `a {b}` = 4, .homonyms = 5, `...` = 6)
  expect_identical(rownames(as.matrix(cost)), c("call", "m", "rows", "a {b}", ".homonyms", "..."))
})

test_that("four actions for three classes, one action, and one class", {
  expect_warning(
    four <- cost_matrix(
      a = c(x = 0, y = 1, z = 8), b = c(x = 2, y = 0, z = 1), c = c(x = 1, y = 5, z = 0), d = Inf
    ),
    class = "bayesrisk_warning_never_best"
  )
  expect_identical(dim(as.matrix(four)), c(4L, 3L))
  expect_identical(as.matrix(four)["d", ], c(x = Inf, y = Inf, z = Inf))
  one <- as.matrix(cost_matrix(go = c(x = -1, y = 3)))
  expect_identical(one["go", , drop = TRUE], c(x = -1, y = 3))
  expect_identical(dim(as.matrix(cost_matrix(go = c(x = 0)))), c(1L, 1L))
})

test_that("a cost of numbers alone names no class and fits any model", {
  cost <- flat_cost(a = 3, b = 1)
  expect_identical(
    as.matrix(cost), matrix(c(3, 1), 2, dimnames = list(decision = c("a", "b"), truth = NULL))
  )
  aligned <- read_cost(cost, c("x", "y", "z"), call = NULL)$fixed
  expect_identical(aligned, matrix(
    c(3, 1), 2, 3, dimnames = list(decision = c("a", "b"), truth = c("x", "y", "z"))
  ))
})

test_that("every odd value is a cost or an error of the package", {
  is_cost <- function(x) inherits(x, "bayesrisk_cost")
  expect_fuzz_proof(flat_cost, "wait", list(refer = 1), is_cost)
  expect_fuzz_proof(unwise_cost, "wait", list(refer = c(ill = 1, healthy = 2)), is_cost)
  expect_fuzz_proof(cost_matrix, "", is_valid = is_cost)
  expect_fuzz_proof(zero_one_cost, "classes", is_valid = is_cost)
  expect_fuzz_proof(zero_one_cost, "reject", list(classes = c("x", "y")), is_cost)
})

test_that("the 0-1 cost follows the classes of text, a factor or a model", {
  cost <- zero_one_cost(c("b", "a", "c"))
  expect_identical(unname(as.matrix(cost)), 1 - diag(3))
  expect_identical(rownames(as.matrix(cost)), c("b", "a", "c"))
  expect_identical(zero_one_cost(factor("a", c("b", "a", "c"))), cost)
  expect_identical(zero_one_cost(c(x = "b", y = "a", z = "c")), cost)
  model <- structure(
    list(schema = list(classes = list(levels = c("b", "a", "c")))), class = "bayesrisk_model"
  )
  expect_identical(zero_one_cost(model), cost)
  expect_identical(as.matrix(zero_one_cost("a"))[1, 1], 0)
})

test_that("rejecting is one action more, at its price whatever is true", {
  cost <- as.matrix(zero_one_cost(c("a", "b"), reject = 0.2))
  expect_identical(cost["reject", ], c(a = 0.2, b = 0.2))
  expect_identical(dim(cost), c(3L, 2L))
})

test_that("what is wrong with a 0-1 cost is said", {
  expect_refusals(
    "classes & integer" = zero_one_cost(1:3),
    "classes & a" = zero_one_cost(c("a", "a")),
    "classes" = zero_one_cost(character()),
    "reject" = zero_one_cost(c("a", "reject"), reject = 0.1),
    "reject & Inf" = zero_one_cost(c("a", "b"), reject = Inf)
  )
})

mailing <- function() {
  utility_matrix(send = c(generous = 19, thrifty = 2, silent = -1), skip = 0)
}

test_that("a utility is the cost of minus its gains", {
  cost <- cost_matrix(send = c(generous = -19, thrifty = -2, silent = 1), skip = 0)
  classes <- c("bayesrisk_utility", "bayesrisk_cost", "bayesrisk_result")
  expect_s3_class(mailing(), classes, exact = TRUE)
  expect_identical(as.matrix(mailing()), as.matrix(cost))
  expect_identical(as.data.frame(mailing()), as.data.frame(cost))
  expect_identical(mailing()["send", "silent"], 1)
  classes <- c("silent", "generous", "thrifty")
  read <- function(cost) read_cost(cost, classes, call = NULL)
  expect_identical(read(mailing())$fixed, read(cost)$fixed)
  expect_identical(as_cost_matrix(mailing()), mailing())
  expect_identical(as_cost_matrix(as.matrix(mailing())), cost)
})

test_that("it prints as gains", {
  expect_snapshot(mailing())
})

test_that("everything that takes a cost takes it", {
  counted <- confusion_table(
    c("generous", "silent", "silent", "thrifty"), c("send", "send", "skip", "skip")
  )
  expect_identical(expected_cost(counted, mailing()), (-19 + 1) / 4)
  model <- fit(bayes_naive(), y ~ x, data.frame(
    y = rep(c("generous", "thrifty", "silent"), 4), x = c(9, 5, 1, 8, 4, 2, 7, 6, 3, 9, 5, 0)
  ))
  cost <- cost_matrix(send = c(generous = -19, thrifty = -2, silent = 1), skip = 0)
  new <- data.frame(x = seq(-5, 5, by = 0.5))
  expect_identical(predict(model, new, cost = mailing()), predict(model, new, cost = cost))
  expect_setequal(as.character(predict(model, new, cost = mailing())), c("send", "skip"))
})

test_that("gains by case are turned too", {
  gains <- utility_matrix(pay = list(fraud = ~ -amount, ok = ~fee), refuse = 0)
  expect_s3_class(
    gains, c("bayesrisk_utility", "bayesrisk_case_cost", "bayesrisk_cost", "bayesrisk_result"),
    exact = TRUE
  )
  data <- data.frame(amount = c(5, 7), fee = c(1, NA))
  read <- read_cost(gains, c("fraud", "ok"), data, 2L, environment())
  expect_identical(all_cells(read), list(c(5, 7), 0, c(-1, NA), 0))
})

test_that("it stays a utility when changed in place", {
  gains <- mailing()
  gains["send", "silent"] <- 4
  expect_identical(format(gains)[[3]], "deciding send when truth is silent costs 4")
})

test_that("every odd value is a utility or an error of the package", {
  is_utility <- function(x) inherits(x, "bayesrisk_utility")
  quiet <- function(...) suppressWarnings(utility_matrix(...), "bayesrisk_warning")
  expect_fuzz_proof(quiet, "wait", list(refer = 1), is_utility)
  expect_fuzz_proof(utility_matrix, "", is_valid = is_utility)
})

# nolint start: spaces_inside_linter.
test_that("what is wrong with the actions is said", {
  expect_refusals(
    "actions" = cost_matrix(),
    "actions" = cost_matrix(3),
    "actions" = cost_matrix(wait = 1, 2),
    "wait" = cost_matrix(wait = ),
    "actions" = cost_matrix(, wait = 1),
    "wait" = cost_matrix(wait = 1, wait = 2),
    "wait" = cost_matrix(wait = c(1, 2)),
    "wait" = cost_matrix(wait = c(ill = 1, 2)),
    "wait & ill" = cost_matrix(wait = c(ill = 1, ill = 2)),
    "treat & wait & healthy & helthy" =
      cost_matrix(wait = c(ill = 1, healthy = 2), treat = c(ill = 3, helthy = 4), refer = 1),
    "treat & wait & healthy" = cost_matrix(wait = c(ill = 1, healthy = 2), treat = c(ill = 3)),
    "wait & treat & dead" =
      cost_matrix(wait = c(ill = 1, healthy = 2), treat = c(ill = 3, healthy = 4, dead = 9)),
    "wait & ill & treat & healthy" = cost_matrix(wait = c(ill = NA, healthy = 2), treat = -Inf),
    "wait" = cost_matrix(wait = NaN),
    "healthy & wait & free" = cost_matrix(wait = list(ill = 1, healthy = "free")),
    "wait" = cost_matrix(wait = c(ill = "1")),
    "wait & matrix" = cost_matrix(wait = matrix(1))
  )
})
# nolint end

test_that("the last comma may have nothing behind it", {
  expect_identical(cost_matrix(wait = 1, ), cost_matrix(wait = 1)) # nolint: commas_linter.
})

test_that("a list of numbers and formulas is read cell by cell", {
  amount <- ~amount
  cost <- cost_matrix(pay = list(fraud = amount, ok = 0L), refuse = 2, refer = list(~ fee + 1))
  classes <- c("bayesrisk_case_cost", "bayesrisk_cost", "bayesrisk_result")
  expect_s3_class(cost, classes, exact = TRUE)
  cells <- cost_cells(cost, environment())
  expect_identical(cells[["pay", "ok"]], 0)
  expect_identical(cells[["refer", "ok"]], cells[["refer", "fraud"]])
  expect_identical(cell_text(cells[["pay", "fraud"]]), "~amount")
  # c() of a formula and a number is a list too.
  expect_identical(cost_matrix(pay = c(fraud = amount, ok = 0), refuse = 2)[["pay", "fraud"]],
                   cells[["pay", "fraud"]])
})

test_that("what is wrong with a formula or its neighbours is said", {
  expect_refusals(
    "fraud & pay" = cost_matrix(pay = list(fraud = y ~ amount, ok = 0)),
    "pay" = cost_matrix(pay = list(~amount, ok = 0)),
    "ok & pay" = cost_matrix(pay = list(fraud = ~amount, ok = 1:2)),
    "ok & pay & NA" = cost_matrix(pay = list(fraud = ~amount, ok = NA), refuse = -Inf),
    "refuse & pay & ok & okay" =
      cost_matrix(pay = list(fraud = ~amount, ok = 0), refuse = c(fraud = 1, okay = 2))
  )
})

test_that("the action that leaves out a class is named, wherever it stands", {
  pattern <- "Action \"operate\" must name.*as action \"wait\".*Missing: \"benign\""
  operate <- c(malignant = 0)
  wait <- c(malignant = 50, benign = 0)
  expect_bayesrisk_error(cost_matrix(operate = operate, wait = wait), "argument", pattern)
  expect_bayesrisk_error(cost_matrix(wait = wait, operate = operate), "argument", pattern)
})

posterior_of <- function(rows) cbind(a = rep(0.5, rows), b = 0.5)

decided_by <- function(cost, data) decide(posterior_of(nrow(data)), cost = cost, newdata = data)

test_that("a cost keeps the values that its formulas name, as they were, and nothing else", {
  skip_on_cran()
  made_with <- function(fee, rates) {
    ballast <- numeric(5e6)
    cost_matrix(go = list(a = ~ amount * rates[["low"]] + fee, b = 0), stay = ~ .env$fee)
  }
  cost <- made_with(3, c(low = 0.5, high = 2))
  expect_lt(length(serialize(cost, NULL)), 5000)
  kept <- rlang::quo_get_env(unclass(cost)[["go", "a"]])
  expect_setequal(ls(kept), c("fee", "rates"))
  data <- data.frame(amount = c(2, 8))
  expected <- decided_by(
    cost_matrix(go = list(a = ~ amount / 2 + 3, b = 0), stay = 3), data
  )
  fee <- 1000
  expect_equal(decided_by(cost, data)$cost, expected$cost, tolerance = 1e-15)
  elsewhere <- unserialize(serialize(cost, NULL))
  expect_identical(decided_by(elsewhere, data)$cost, decided_by(cost, data)$cost)
  # A column comes first.
  with_fee <- decided_by(cost, cbind(data, fee = 0))
  expect_equal(with_fee$cost, pmin(c(2, 8) / 4, 3), tolerance = 1e-15)
})

test_that("a value that a cost cannot keep is a classed error, unless it is a column", {
  skip_on_cran()
  data <- data.frame(amount = c(2, 8))
  with_value <- function(fee) cost_matrix(go = ~ amount + fee, stay = 1)
  for (fee in list(as.numeric(1:101), list(1), data)) {
    cost <- with_value(fee)
    expect_bayesrisk_error(decided_by(cost, data), "schema", "fee.*no column.*does not keep")
    expect_bayesrisk_error(decided_by(cost + cost, data), "schema", "does not keep its value")
    expect_equal(decided_by(cost, cbind(data, fee = -2))$cost, c(0, 1))
  }
  # A number is kept without what it carries.
  carried <- with_value(structure(-3, carried = data))
  expect_equal(decided_by(carried, data)$cost, c(-1, 1))
  expect_identical(carried, with_value(-3))
  # An argument that was not given has no value.
  expect_bayesrisk_error(decided_by(with_value(), data), "schema", "no column.*fee")
  # A function of the caller is not replaced by another one of the same name.
  with_function <- function() {
    sqrt <- function(x) x
    cost_matrix(go = ~ sqrt(amount), stay = 1)
  }
  expect_bayesrisk_error(decided_by(with_function(), data), "schema", "sqrt.*a function")
})

test_that("functions are looked up from the package that makes the cost", {
  here <- new.env(parent = asNamespace("bayesrisk"))
  cost <- eval(quote(cost_matrix(go = ~ nchar(capitalise(amount)), stay = 9)), here)
  expect_identical(decided_by(cost, data.frame(amount = c("a", "bc")))$cost, c(1, 2))
})

test_that("arguments of functions and parts are not values that a cost needs", {
  x <- amount <- as.numeric(1:200)
  data <- data.frame(amount = c(2, 8))
  cost <- cost_matrix(go = ~ vapply(amount, function(x) x / 4, 0), stay = 1)
  expect_equal(decided_by(cost, data)$cost, c(0.5, 1))
  expect_equal(decided_by(cost_matrix(go = ~ .data$amount / 4, stay = 1), data)$cost, c(0.5, 1))
  # In a package that imports the pronouns.
  imports <- list2env(list(.data = rlang::.data), parent = asNamespace("bayesrisk"))
  cost <- eval(quote(cost_matrix(go = ~ .data$amount / 4, stay = 1)), new.env(parent = imports))
  expect_equal(decided_by(cost, data)$cost, c(0.5, 1))
})

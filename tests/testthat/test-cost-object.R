test_that("cells without a formula become a plain double matrix", {
  cost <- cost_matrix(go = list(x = 1L, y = 2), stay = list(1.5))
  expect_identical(class(cost), c("bayesrisk_cost", "bayesrisk_result"))
  expect_type(unclass(cost), "double")
})

test_that("the sign is turned, and turned back as it was", {
  fee <- 2
  cells <- list(0, -3, Inf, c(1, NA), rlang::quo(amount), rlang::quo(-amount), rlang::quo(a - b))
  for (cell in cells[-6]) expect_identical(turn_sign(turn_sign(cell)), cell)
  expect_identical(cell_text(turn_sign(turn_sign(cells[[6]]))), "~-amount")
  expect_identical(1 / turn_sign(0), Inf)
  value <- function(cell) rlang::eval_tidy(cell, list(amount = 5, a = 1, b = 4))
  for (cell in cells[5:7]) expect_identical(value(turn_sign(cell)), -value(cell))
  # The quosures that `+` and `*` make.
  sum <- add_cells(rlang::quo(amount * fee), add_cells(3, rlang::quo(a)))
  expect_identical(value(turn_sign(sum)), -14)
  expect_identical(turn_sign(turn_sign(sum)), sum)
  product <- rlang::new_quosure(rlang::call2("*", sum, 10), baseenv())
  expect_identical(value(turn_sign(product)), -140)
})

test_that("the cell at fault is named, as a cost or as a gain", {
  expect_refusals(
    "a & y & b & x" = cost_matrix(a = c(x = 1, y = NA), b = -Inf),
    "a & y & b & x" = utility_matrix(a = c(x = 1, y = NA), b = Inf),
    "a & y" = utility_matrix(a = list(x = ~amount, y = Inf))
  )
})

hospital <- function() {
  cost_matrix(treat = c(ill = 1, healthy = 4), wait = c(healthy = 0, ill = 50), refer = 2)
}

test_that("a cost is aligned to a model by name", {
  read <- read_cost(hospital(), c("healthy", "ill"), call = NULL)
  expect_identical(read$fixed, matrix(
    c(4, 0, 2, 1, 50, 2), 3,
    dimnames = list(decision = c("treat", "wait", "refer"), truth = c("healthy", "ill"))
  ))
  expect_identical(as.matrix(kept_cost(read)), read$fixed)
  expect_identical(read$class_of, c(0L, 0L, 0L))
  expect_identical(read_cost(NULL, c("healthy", "ill"), call = NULL)$class_of, 1:2)
  turned <- read_cost(hospital(), c("ill", "healthy"), call = NULL)
  expect_identical(reorder_cost(turned, c("healthy", "ill"))[-6], read[-6])
})

test_that("what does not fit a model is said", {
  predict_with <- function(cost, classes) {
    read_cost(cost, classes, call = rlang::current_env())
  }
  turned <- hospital()
  dim(turned) <- c(2, 3)
  expect_refusals(
    "cost & helthy & ill & healthy" = predict_with(hospital(), c("helthy", "ill")),
    "cost & healthy & ill & dead" = predict_with(hospital(), c("healthy", "ill", "dead")),
    "cost & matrix/array" = predict_with(as.matrix(hospital()), c("healthy", "ill")),
    "cost & 5" = predict_with(5, c("healthy", "ill")),
    "cost & as_cost_matrix()" = predict_with(turned, c("healthy", "ill"))
  )
})

test_that("a name that stands twice is no cost", {
  twice <- zero_one_cost(c("a", "b"))
  rownames(twice) <- c("a", "a")
  expect_bayesrisk_error(decide(cbind(a = 1, b = 0), twice), "argument", "no longer")
})

test_that("a cost reads as sentences", {
  expect_snapshot(hospital())
  expect_length(capture.output(print(flat_cost(a = 1, b = Inf))), 3L)
  expect_identical(format(hospital())[[3]], "deciding wait when truth is ill costs 50")
})

test_that("costs by case show formulas as they were written, and ranges", {
  costs <- array(
    c(1, 2, NA, 3, 3, 3, NA, NA, NA, -1.5, 0, 1e6), c(3, 2, 2),
    list(NULL, decision = c("a", "b"), truth = c("x", "y"))
  )
  expect_snapshot(
    cost_matrix(pay = list(fraud = ~ amount * (1 + rate), ok = 0), refuse = 2, refer = ~fee)
  )
  cells <- function(costs) sub(".* costs ", "", format(as_cost_matrix(costs))[1:4])
  expect_identical(cells(costs), c("1 to 2", "NA", "3", "-1.5 to 1e+06"))
  expect_identical(
    cells(costs[1, , , drop = FALSE]), c("1", "NA", "3", "deciding b when truth is y gains 1.5")
  )
})

test_that("a large cost is a table", {
  expect_length(capture.output(print(zero_one_cost(letters[1:4], reject = 0.125))), 7L)
  rates <- stats::setNames(as.list(1:13 / 3), letters[1:13])
  by_case <- cost_matrix(go = replace(rates, 2, list(~amount)), stay = 1)
  shown <- capture.output(print(by_case, digits = 3))
  expect_match(shown, "12 of 13 true classes", all = FALSE)
  expect_match(shown, "go +0.333 +~amount +1 +1.33", all = FALSE)
})

test_that("a huge cost is shown in part", {
  shown <- capture.output(print(zero_one_cost(sprintf("c%02d", 1:50))))
  expect_lt(length(shown), 50)
  expect_match(shown, "the first 12 of 50 true classes", all = FALSE)
  expect_identical(utils::tail(shown, 1), "  ... and 30 more actions")
})

test_that("printed numbers follow the digits asked for", {
  third <- cost_matrix(go = c(x = 1 / 3, y = 1e6))
  withr::local_options(digits = 3)
  expect_identical(format(third)[[1]], "deciding go when truth is x costs 0.333")
  expect_identical(format(third, digits = 5)[[1]], "deciding go when truth is x costs 0.33333")
  expect_output(print(third, digits = 2), "0.33\n", fixed = TRUE)
})

test_that("printing returns its argument invisibly", {
  capture.output(shown <- withVisible(print(hospital())))
  expect_false(shown$visible)
  expect_identical(shown$value, hospital())
})

test_that("a cost that was changed behind its back is not printed as one", {
  cost <- hospital()
  dim(cost) <- NULL
  expect_refusals("x" = print(cost))
})

# The same names in another order.
fees <- function() {
  cost_matrix(refer = 3, wait = c(healthy = 0, ill = 60), treat = c(healthy = 5, ill = 2))
}

test_that("costs are added by name, in the order of the first", {
  expect_identical(hospital() + fees(), cost_matrix(
    treat = c(ill = 3, healthy = 9), wait = c(ill = 110, healthy = 0), refer = 5
  ))
  expect_identical(as.matrix(fees() + hospital())[c(3, 2, 1), 2:1], as.matrix(hospital() + fees()))
})

test_that("a cost that names no class is added whatever is true", {
  flat <- flat_cost(refer = 1, treat = 0.5, wait = 0)
  total <- cost_matrix(
    treat = c(ill = 1.5, healthy = 4.5), wait = c(ill = 50, healthy = 0), refer = 3
  )
  expect_identical(hospital() + flat, total)
  expect_equal(flat + hospital(), total[c("refer", "treat", "wait"), ], ignore_attr = TRUE)
  expect_identical(flat + flat, flat_cost(refer = 2, treat = 1, wait = 0))
})

test_that("a positive factor changes the unit, not the decision", {
  expect_identical(as.matrix(hospital() * 100), as.matrix(hospital()) * 100)
  expect_identical(100L * hospital(), hospital() * 100)
  expect_identical(as.matrix(hospital() / 3), as.matrix(hospital()) / 3)
  expect_identical((hospital() * 3)["wait", ], c(ill = 150, healthy = 0))
  expect_identical((flat_cost(a = Inf, b = 0) * 2)[["a", 1]], Inf)
  expect_bayesrisk_error(flat_cost(a = 1e300, b = 1) * 1e300, "argument", "too large")
  expect_bayesrisk_error(flat_cost(a = 1e-300, b = 1) / 1e200, "argument", "too small")
})

test_that("case C6: a constant for a class and a factor leave the decision as it is", {
  costs <- cost_matrix(a = c(x = -3, y = 4), b = c(x = 5, y = -1), c = c(x = 0, y = 0))
  always <- c(x = 7, y = -20)
  constant <- unwise_cost(c = always, a = always, b = always)
  model <- bayes_known(c(x = 0.4, y = 0.6), z = likelihood_gaussian(mean = c(x = 0, y = 2), sd = 1))
  new <- data.frame(z = seq(-3, 5, by = 0.25))
  decided <- predict(model, new, cost = costs)
  expect_identical(levels(droplevels(decided)), c("a", "b", "c"))
  expect_identical(predict(model, new, cost = costs * 1e6), decided)
  expect_identical(predict(model, new, cost = costs / 1e6), decided)
  expect_identical(predict(model, new, cost = costs + constant), decided)
})

test_that("costs by case are added and multiplied as formulas", {
  fee <- 3
  claims <- cost_matrix(pay = list(fraud = ~amount, ok = 0), refuse = c(fraud = 0, ok = 20))
  handling <- local({
    fee <- 100
    cost_matrix(refuse = ~fee, pay = 1)
  })
  total <- (claims + handling) * 2
  data <- data.frame(amount = c(10, 20))
  read <- read_cost(total, c("fraud", "ok"), data, 2L, environment())
  expect_identical(all_cells(read), list(c(22, 42), 200, 2, 240))
  expect_identical(format(total)[[1]], "deciding pay when truth is fraud costs ~(amount + 1) * 2")
})

test_that("arrays are added case by case, and to formulas", {
  costs <- array(
    as.double(1:12), c(3, 2, 2), list(NULL, decision = c("a", "b"), truth = c("x", "y"))
  )
  cost <- as_cost_matrix(costs)
  expect_identical(cost + cost, cost * 2)
  expect_identical(as_cost_matrix(costs * 2), cost * 2)
  mixed <- cost + cost_matrix(a = ~amount, b = 1)
  data <- data.frame(amount = c(10, 20, 30))
  read <- read_cost(mixed, c("x", "y"), data, 3L, environment())
  expect_identical(all_cells(read), list(c(11, 22, 33), c(5, 6, 7), c(17, 28, 39), c(11, 12, 13)))
  expect_error(
    cost + as_cost_matrix(costs[1:2, , ]), "3 cases, the other 2",
    class = "bayesrisk_error_argument"
  )
})

test_that("utilities stay utilities, unless a cost is added", {
  gains <- utility_matrix(go = c(x = 5, y = -1), stay = 0)
  cost <- cost_matrix(go = c(x = 2, y = 0), stay = 1)
  expect_identical(gains + gains, utility_matrix(go = c(x = 10, y = -2), stay = 0))
  expect_identical(gains * 2, gains + gains)
  expect_identical(class(gains + cost), c("bayesrisk_cost", "bayesrisk_result"))
  expect_identical((gains + cost)["go", ], c(x = -3, y = 1))
  by_case <- utility_matrix(go = list(x = ~won, y = -1), stay = 0)
  expect_identical(
    format(by_case + by_case * 3)[[1]], "deciding go when truth is x gains ~won + won * 3"
  )
})

test_that("costs are compared by name, or to a number", {
  turned <- as_cost_matrix(t(as.matrix(fees()))[2:1, 3:1])
  expect_true(all(turned == fees()))
  expect_identical(hospital() == fees(), as.matrix(hospital()) == 0)
  expect_identical(hospital() < fees(), as.matrix(hospital()) < as.matrix(fees())[3:1, 2:1])
  expect_identical(hospital() >= 4, as.matrix(hospital()) >= 4)
  expect_identical(4 > hospital(), 4 > as.matrix(hospital()))
  expect_true(isTRUE(all.equal(hospital(), hospital())))
  expect_false(isTRUE(all.equal(hospital(), hospital() * 1.1)))
  expect_identical(hospital(), hospital())
})

test_that("what is not defined is said", {
  skip_on_cran()
  claims <- cost_matrix(pay = list(fraud = ~amount, ok = 0), refuse = 2)
  expect_refusals(
    "`-`" = hospital() - fees(),
    "`-`" = -hospital(),
    "`+`" = +hospital(),
    "`!`" = !hospital(),
    "`+`" = hospital() + 1,
    "`/`" = 2 / hospital(),
    "`*`" = hospital() * hospital(),
    "`^`" = hospital()^2,
    "0" = hospital() * 0,
    "-1" = -1 * hospital(),
    "2" = hospital() / "2",
    "treat & wait & refer & pay & refuse" = hospital() + claims,
    "ill & il" = hospital() + cost_matrix(
      wait = 1, treat = c(il = 0, healthy = 2), refer = c(il = 3, healthy = 0)
    ),
    "matrix/array" = hospital() == as.matrix(hospital()),
    "identical()" = claims == claims
  )
})

test_that("every odd value is a cost, a comparison or an error of the package", {
  is_cost <- function(x) inherits(x, "bayesrisk_cost")
  # Between methods of two classes R chooses, not the package.
  with_plain <- function(x, operation) {
    if (is.object(x)) abort_argument("An object.") else operation(x)
  }
  expect_fuzz_proof(
    function(x) with_plain(x, function(x) hospital() + x), "x", is_valid = is_cost
  )
  expect_fuzz_proof(
    function(x) with_plain(x, function(x) hospital() * x), "x", is_valid = is_cost
  )
  expect_fuzz_proof(
    function(x) with_plain(x, function(x) x * hospital()), "x", is_valid = is_cost
  )
  expect_fuzz_proof(
    function(x) with_plain(x, function(x) hospital() / x), "x", is_valid = is_cost
  )
  expect_fuzz_proof(
    function(x) with_plain(x, function(x) hospital() < x), "x", is_valid = is.logical
  )
})

test_that("the data frame has a row per pair, in the order of the actions", {
  expect_identical(as.data.frame(hospital()), data.frame(
    truth = factor(rep(c("ill", "healthy"), 3), c("ill", "healthy")),
    decision = factor(
      rep(c("treat", "wait", "refer"), each = 2), c("treat", "wait", "refer")
    ),
    cost = c(1, 4, 50, 0, 2, 2)
  ))
  free <- as.data.frame(flat_cost(a = 1, b = 2))
  expect_identical(free$truth, factor(c(NA, NA)))
  expect_identical(free$cost, c(1, 2))
  expect_identical(rownames(as.data.frame(cost_matrix(a = 1), row.names = "r")), "r")
})

test_that("matrix and data frame of a cost by case hold text", {
  cost <- cost_matrix(pay = list(fraud = ~amount, ok = 0), refuse = 2)
  expect_identical(as.matrix(cost), matrix(
    c("~amount", "2", "0", "2"), 2,
    dimnames = list(decision = c("pay", "refuse"), truth = c("fraud", "ok"))
  ))
  expect_identical(as.data.frame(cost)$cost, c("~amount", "0", "2", "2"))
  expect_identical(as.character(as.data.frame(cost)$decision), rep(c("pay", "refuse"), each = 2))
})

test_that("a part of a cost, or a turned one, is plain numbers", {
  cost <- hospital()
  plain <- as.matrix(cost)
  expect_identical(cost["wait", "ill"], 50)
  expect_identical(cost[["wait", "ill"]], 50)
  expect_identical(cost["wait", ], plain["wait", ])
  expect_identical(cost[, "ill", drop = FALSE], plain[, "ill", drop = FALSE])
  expect_identical(cost[cost > 3], c(50, 4))
  expect_identical(t(cost), t(plain))
  expect_identical(as_cost_matrix(t(cost)), cost)
})

test_that("a cost can be replaced in its place, by a cost only", {
  cost <- hospital()
  cost["wait", "ill"] <- 60
  expect_s3_class(cost, "bayesrisk_cost")
  expect_identical(cost["wait", "ill"], 60)
  expect_refusals(
    "wait & ill" = cost["wait", "ill"] <- NA,
    "60" = cost["wait", "ill"] <- "60",
    "1" = cost[10] <- 1
  )
})

test_that("a cost by case is not changed in place", {
  cost <- cost_matrix(pay = list(fraud = ~amount, ok = 0), refuse = 2)
  expect_error(cost["pay", "ok"] <- 1, "make it again", class = "bayesrisk_error_argument")
})

test_that("a report's table has what is seen", {
  skip_if_not_installed("knitr")
  shown <- knitr::kable(cost_matrix(a = c(x = 0, y = 1), b = c(x = 2, y = 0)), format = "pipe")
  expect_identical(shown[[3]], "|a  |  0|  1|")
})

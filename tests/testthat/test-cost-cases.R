# Actions pay, refuse, refer; classes fraud, ok: nothing square, nothing symmetric.
claims <- function() {
  fee <- 3
  cost_matrix(
    pay = list(fraud = ~amount, ok = 0), refuse = c(fraud = 0, ok = 20), refer = ~ fee + amount / 10
  )
}
cells_of <- function(cost, data, rows = nrow(data), classes = c("ok", "fraud")) {
  read <- read_cost(cost, classes, data, rows, environment())
  stats::setNames(
    all_cells(read), outer(read$actions, classes, function(a, k) paste(a, k))
  )
}

test_that("formulas are evaluated per case, cells by action and then class", {
  data <- data.frame(amount = c(10, 20, 40), other = "x")
  expected <- list(
    "pay ok" = 0, "refuse ok" = 20, "refer ok" = c(4, 5, 7),
    "pay fraud" = c(10, 20, 40), "refuse fraud" = 0, "refer fraud" = c(4, 5, 7)
  )
  expect_identical(cells_of(claims(), data), expected)
  expect_identical(cells_of(claims(), cbind(amount = c(10, 20, 40))), expected)
  expect_identical(cells_of(claims(), data.frame(amount = c(10L, 20L, 40L))), expected)
  skip_if_not_installed("data.table")
  expect_identical(cells_of(claims(), data.table::as.data.table(data)), expected)
  skip_if_not_installed("tibble")
  expect_identical(cells_of(claims(), tibble::as_tibble(data)), expected)
})

test_that("the data are asked before the formula's environment", {
  limit <- 5
  cost <- cost_matrix(go = ~ pmin(amount, limit), stay = ~ .data$amount + .env$limit)
  expect_identical(
    cells_of(cost, data.frame(amount = 1:9 * 1.0, limit = 2), classes = "x")[[1L]],
    c(1, rep(2, 8))
  )
  expect_identical(
    cells_of(cost, data.frame(amount = c(1, 9), limit = 2), classes = "x")[[2L]], c(6, 14)
  )
  prices <- c(amount = 7)
  expect_identical(
    cells_of(cost_matrix(go = ~ prices[["amount"]]), data.frame(z = 1:2), classes = "x")[[1L]], 7
  )
  by_pronoun <- cost_matrix(go = ~ .data[["amount"]])
  expect_identical(cells_of(by_pronoun, cbind(amount = 1:2, z = 0), classes = "x")[[1L]], c(1, 2))
})

test_that("a formula without an environment, one row, and no row", {
  bare <- structure(quote(~amount), class = "formula")
  cost <- cost_matrix(go = bare)
  expect_identical(cells_of(cost, data.frame(amount = 4), classes = "x")[[1L]], 4)
  expect_identical(cells_of(cost, data.frame(amount = numeric()), classes = "x")[[1L]], numeric())
})

test_that("a cost that is not known for a case stays NA, and Inf stays", {
  data <- data.frame(amount = c(NA, NaN, Inf))
  expect_identical(cells_of(claims(), data)[["pay fraud"]], c(NA, NaN, Inf))
  expect_identical(cells_of(claims(), data.frame(amount = NA))[["pay fraud"]], NA_real_)
})

test_that("an array has a row per case", {
  costs <- array(
    c(1, NA, 3, 4, 5, 6, 7, 8, 9, 10, 11, Inf), c(2, 2, 3),
    list(NULL, decision = c("a", "b"), truth = c("x", "y", "z"))
  )
  cost <- as_cost_matrix(costs)
  read <- read_cost(cost, c("z", "x", "y"), NULL, 2L, environment())
  expect_identical(
    all_cells(read), list(c(9, 10), c(11, Inf), c(1, NA), c(3, 4), c(5, 6), c(7, 8))
  )
  one <- as_cost_matrix(costs[1, , , drop = FALSE])
  expect_error(
    read_cost(one, c("x", "y", "z"), NULL, 2L, environment()), "1 case",
    class = "bayesrisk_error_argument"
  )
})

test_that("what is wrong with the data is said", {
  skip_on_cran()
  decide_by <- function(cost, data, rows = nrow(data), classes = c("ok", "fraud")) {
    read_cost(cost, classes, data, rows, environment())
  }
  data <- data.frame(amount = c(1, 2), text = c("a", "b"))
  below <- cost_matrix(pay = list(fraud = ~ log(amount - 1), ok = 0))
  expect_refusals(
    "newdata & cost" = decide_by(claims(), NULL, 2),
    "cost & okay & fraud & ok" = decide_by(claims(), data, classes = c("okay", "fraud"))
  )
  expect_refusals(
    .kind = "schema",
    "newdata & 2 & 3" = decide_by(claims(), data, 3),
    "newdata & pay & fraud & amount" = decide_by(claims(), data.frame(amt = 1:2, amout = 1:2)),
    "newdata & pay & fraud & amount" = decide_by(claims(), cbind(1:2)),
    "pay & fraud & amount" = decide_by(claims(), data.frame(amount = c("1", "2"))),
    "pay & fraud & amount" = decide_by(claims(), data.frame(amount = as.Date("2020-01-01") + 0:1)),
    "pay & fraud & ~log(amount - 1)" = decide_by(below, data),
    "newdata & go & df" = decide_by(cost_matrix(go = ~ df), data),
    "go & ~1:3 & 3 & 2" = decide_by(cost_matrix(go = ~ 1:3), data),
    "go & no reason" = decide_by(cost_matrix(go = ~ stop("no reason")), data),
    "go & amuont" = decide_by(cost_matrix(go = ~ .data$amuont), data),
    "newdata & amount" = decide_by(claims(), cbind(data, amount = 3)),
    "newdata" = decide_by(claims(), 1:2, 2)
  )
})

test_that("a formula whose value for a row depends on other rows is an error with the remedy", {
  data <- data.frame(amount = c(4, 1, NA, 7, 3))
  by_row <- 1:5 + 0
  wrong <- list(
    ~ amount / mean(amount, na.rm = TRUE), ~ max(amount, 2, na.rm = TRUE), ~ sum(amount > 1),
    ~ rank(amount), ~ ifelse(is.na(amount), mean(amount, na.rm = TRUE), amount), ~ length(amount),
    ~ .data$amount - .data$amount[[1L]], ~by_row, ~ amount * by_row
  )
  for (formula in wrong) {
    for (cost in list(
      cost_matrix(go = formula), 2 * cost_matrix(go = formula), utility_matrix(go = formula),
      cost_matrix(go = 1) + cost_matrix(go = formula)
    )) {
      error <- rlang::catch_cnd(cells_of(cost, data, classes = "x"), "bayesrisk_error_schema")
      expect_match(conditionMessage(error), "depends on other rows.*m <- mean\\(data")
    }
  }
  expect_s3_class(
    rlang::catch_cnd(decide(
      fit(bayes_naive(), y ~ amount, data.frame(y = rep(c("p", "q"), 3), amount = 1:6)),
      cost_matrix(a = list(p = 0, q = ~ amount / max(amount)), b = c(p = 1, q = 0)),
      newdata = data.frame(amount = 1:3)
    ), "error"), "bayesrisk_error_schema"
  )
  # One row cannot show it.
  one <- data[1L, , drop = FALSE]
  expect_identical(cells_of(cost_matrix(go = wrong[[2L]]), one, classes = "x")[[1L]], 4)
})

test_that("formulas of a row alone are no error, also in sums with arrays", {
  data <- data.frame(amount = c(4, 1, NA, 7, 3), region = c("a", "b", "a", "c", "b"))
  fees <- c(a = 1, b = 2, c = 5)
  low <- 2
  good <- list(
    ~ pmax(amount, low), ~ ifelse(is.na(amount), 3, amount), ~ fees[region], ~ sum(low, fees),
    ~ vapply(amount, function(x) max(x, low), 1), ~ ifelse(amount > low, amount / 2, NA), ~NA
  )
  array <- as_cost_matrix(array(1:5 + 0, c(5, 1, 1), list(NULL, decision = "go", truth = "x")))
  for (formula in good) {
    cost <- cost_matrix(go = list(x = formula))
    value <- unname(rlang::eval_tidy(rlang::f_rhs(formula), data))
    expect_identical(cells_of(cost, data, classes = "x")[[1L]], as.double(value))
    expect_identical(cells_of(array + cost, data, classes = "x")[[1L]], as.double(1:5 + value))
  }
  expect_error(
    cells_of(array + cost_matrix(go = list(x = ~ rank(amount))), data, classes = "x"),
    "depends on other rows", class = "bayesrisk_error_schema"
  )
})

test_that("a damaged cost by case is an error, not a crash", {
  broken <- list(
    structure(claims(), dim = NULL), structure(claims(), dimnames = NULL),
    structure(list("a"), dim = c(1L, 1L), dimnames = list(decision = "a", truth = "x"),
              class = class(claims()))
  )
  for (cost in broken) {
    expect_error(
      read_cost(cost, c("ok", "fraud"), data.frame(amount = 1), 1L, environment()),
      "no longer a sound cost", class = "bayesrisk_error_argument"
    )
  }
})

test_that("where one cost for all cases is needed, a cost by case is an error", {
  expect_error(
    read_cost(claims(), c("ok", "fraud"), call = NULL), "from case to case",
    class = "bayesrisk_error_argument"
  )
  counted <- confusion_table(c("fraud", "ok"), c("pay", "pay"))
  expect_error(
    expected_cost(counted, claims()), "from case to case", class = "bayesrisk_error_argument"
  )
  model <- fit(bayes_naive(), y ~ x, data.frame(y = rep(c("fraud", "ok"), 3), x = 1:6))
  expect_error(
    plot(model, type = "cost", cost = claims()), "from case to case",
    class = "bayesrisk_error_argument"
  )
})

test_that("every odd value as new data is an answer or an error of the package", {
  cells <- function(newdata) {
    read_cost(cost_matrix(go = ~a), "x", newdata, 2L, environment())
  }
  is_cells <- function(x) length(all_cells(x)) == 1L
  expect_fuzz_proof(cells, "newdata", is_valid = is_cells, error = "bayesrisk_error")
})

test_that("a transposed cost is an error that names its classes and actions", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  cost <- unwise_cost(
    setosa = c(keep = 0, discard = 2), versicolor = c(keep = 1, discard = 2),
    virginica = c(keep = 10, discard = 0)
  )
  formula <- cost_matrix(
    setosa = list(keep = ~Petal.Width, no = 2), versicolor = 1, virginica = 2
  )
  expect_refusals(
    "cost & transposed & virginica & discard" = predict(model, iris, cost = cost),
    "cost & transposed & virginica & keep" = predict(model, iris, cost = formula)
  )
})

test_that("a transposed cost may name a reject option; classes in other letters are misspelt", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  cost <- cost_matrix(
    setosa = c(setosa = 0, versicolor = 1, virginica = 2, reject = 0.3),
    versicolor = c(setosa = 3, versicolor = 0, virginica = 4, reject = 0.3),
    virginica = c(setosa = 5, versicolor = 6, virginica = 0, reject = 0.3)
  )
  expect_bayesrisk_error(decide(model, iris, cost), "argument", "transposed")

  capital <- cost_matrix(
    setosa = c(Setosa = 0, Versicolor = 1, Virginica = 1),
    versicolor = c(Setosa = 1, Versicolor = 0, Virginica = 1),
    virginica = c(Setosa = 1, Versicolor = 1, Virginica = 0)
  )
  expect_bayesrisk_error(decide(model, iris, capital), "argument", "Perhaps misspelt")
})

# The histogram rule of the lecture "Bayesian Learning" on iris sepal lengths:
# 150 cases, errors 14 + 5 + 12 + 1 + 11 = 43.
kinds <- c("versicolor", "virginica", "setosa")
histogram_counts <- matrix(
  c(31, 14, 5, 12, 37, 1, 11, 0, 39), 3, byrow = TRUE,
  dimnames = list(truth = kinds, decision = kinds)
)
histogram_cases <- function() {
  cells <- as.data.frame(as.table(histogram_counts))
  cells[rep(seq_len(nrow(cells)), cells$Freq), c("truth", "decision")]
}
virginica_costs_5 <- function() {
  cost_matrix(
    setosa = c(setosa = 0, versicolor = 1, virginica = 5),
    versicolor = c(setosa = 1, versicolor = 0, virginica = 5),
    virginica = c(setosa = 1, versicolor = 1, virginica = 0)
  )
}

test_that("truth is in the rows and the decision in the columns", {
  cases <- histogram_cases()
  counted <- confusion_table(cases$truth, cases$decision)
  expect_s3_class(counted, c("bayesrisk_confusion", "bayesrisk_result", "table"), exact = TRUE)
  expect_equal(unclass(counted), histogram_counts, ignore_attr = "left_out")
  expect_identical(counted["versicolor", "virginica"], 14L)
})

test_that("the lecture's rule costs 19/30, not the 33/50 of swapped axes, and errs 43/150", {
  cases <- histogram_cases()
  counted <- confusion_table(as.character(cases$truth), cases$decision)
  expect_identical(expected_cost(counted, virginica_costs_5()), 19 / 30)
  expect_identical(expected_cost(t(counted), virginica_costs_5()), 19 / 30)
  expect_identical(expected_cost(histogram_counts, virginica_costs_5()), 19 / 30)
  expect_equal(expected_cost(histogram_counts / 150, virginica_costs_5()), 19 / 30)
  expect_identical(expected_cost(counted, zero_one_cost(kinds)), 43 / 150)
  swapped <- histogram_counts
  names(dimnames(swapped)) <- c("decision", "truth")
  expect_identical(expected_cost(swapped, virginica_costs_5()), 33 / 50)
})

test_that("labels of any kind are compared by name", {
  counted <- confusion_table(c(10, 9, 10), factor(c("10", "10", "9")))
  expect_identical(dimnames(counted), list(truth = c("9", "10"), decision = c("9", "10")))
  expect_identical(counted["10", "9"], 1L)
  logical <- confusion_table(c(TRUE, FALSE, TRUE), c("TRUE", "TRUE", "TRUE"))
  both <- c("FALSE", "TRUE")
  expect_identical(dimnames(logical), list(truth = both, decision = both))
})

test_that("classes come first in their order, then the other actions in theirs", {
  truth <- factor(c("b", "a", "b"), c("c", "b", "a"))
  decision <- factor(c("b", "reject", "ask"), c("reject", "a", "b", "ask"))
  counted <- confusion_table(truth, decision)
  expect_identical(colnames(counted), c("c", "b", "a", "reject", "ask"))
  expect_identical(rownames(counted), c("c", "b", "a"))
})

test_that("actions of which none is a class are the columns alone", {
  counted <- confusion_table(
    c("ill", "healthy", "ill", "ill"),
    factor(c("treat", "wait", "refer", "treat"), c("wait", "treat", "refer"))
  )
  expect_identical(dim(counted), 2:3)
  expect_identical(colnames(counted), c("wait", "treat", "refer"))
  cost <- cost_matrix(treat = c(ill = 1, healthy = 4), wait = c(ill = 50, healthy = 0), refer = 2)
  expect_identical(expected_cost(counted, cost), (2 * 1 + 2 + 0) / 4)
})

test_that("an abstention stays in the denominator", {
  counted <- confusion_table(c("a", "a", "b", "b"), c("a", "reject", "a", "b"))
  expect_equal(expected_cost(counted, zero_one_cost(c("a", "b"), reject = 0.25)), 1.25 / 4)
})

test_that("cases that cannot be counted are counted apart, with a warning", {
  expect_warning(
    counted <- confusion_table(c("a", NA, "b", NA, "a"), c("a", "b", NA, NA, NA)),
    "2 rows without a truth and 2 rows without a decision",
    class = "bayesrisk_warning_missing"
  )
  expect_identical(sum(counted), 1L)
  expect_identical(attr(counted, "left_out"), c(truth = 2L, decision = 2L))
  expect_identical(expected_cost(counted, zero_one_cost(c("a", "b"))), 0)
  expect_no_warning(confusion_table(c("a", "b"), c("a", "b")))
})

test_that("weights are counted under any option for missing values", {
  truth <- factor(c("a", NA, "b"))
  count <- function() suppressWarnings(confusion_table(truth, factor(c("a", "a", "b")), 1:3))
  expected <- count()
  withr::local_options(na.action = "na.fail")
  expect_identical(count(), expected)
})

test_that("a table is printed with shares and with what was left out", {
  cases <- histogram_cases()
  expect_snapshot(confusion_table(cases$truth, cases$decision))
  expect_output(print(confusion_table(factor("a", c("a", "b")), "reject")), "\n *b +-")
  left <- function(truth, decision) print(suppressWarnings(confusion_table(truth, decision)))
  expect_output(left(c("a", "b", "b"), c("a", NA, NA)), "2 rows without a decision")
  expect_output(left(c("a", NA), c("a", "a")), "1 row without a truth")
})

test_that("printing follows the digits asked for", {
  withr::local_options(digits = 3)
  expect_output(print(confusion_table(c("a", "a", "a"), c("a", "b", "b"))), "0.333 0.667")
})

test_that("an infinite cost counts only where there is a case", {
  counts <- matrix(c(3, 0, 1, 4), 2, dimnames = list(truth = c("x", "y"), decision = c("p", "q")))
  safe <- cost_matrix(p = c(x = 1, y = Inf), q = c(x = 2, y = 0))
  expect_identical(expected_cost(counts, safe), 5 / 8)
  expect_identical(expected_cost(counts, flat_cost(p = Inf, q = 0)), Inf)
})

test_that("names without a case need no partner", {
  counts <- matrix(
    c(3, 0, 1, 0, 0, 0), 2, dimnames = list(truth = c("x", "y"), decision = c("p", "q", "r"))
  )
  cost <- cost_matrix(q = c(z = 8, x = 2), p = c(z = 9, x = 1))
  expect_identical(expected_cost(counts, cost), 5 / 4)
})

test_that("four actions, and one", {
  counts <- matrix(
    c(1, 0, 2, 3, 4, 0, 0, 5, 1, 2, 2, 0), 3,
    dimnames = list(truth = c("x", "y", "z"), decision = c("a", "b", "c", "d"))
  )
  cost <- cost_matrix(
    d = 1, b = c(x = 2, y = 0, z = 1), a = c(x = 0, y = 1, z = 8), c = c(x = 1, y = 5, z = 0)
  )
  expect_equal(expected_cost(counts, cost), (0 + 16 + 6 + 0 + 0 + 25 + 0 + 2 + 2 + 0) / 20)
  one <- matrix(c(2, 3), 2, dimnames = list(truth = c("x", "y"), decision = "a"))
  expect_equal(expected_cost(one, cost_matrix(a = c(y = 1, x = 7))), 17 / 5)
})

test_that("what cannot be evaluated is said", {
  counted <- confusion_table(c("a", "b"), c("a", "b"))
  expect_refusals(
    "truth & decision & 2 & 1" = confusion_table(c("a", "b"), "a"),
    "truth & list" = confusion_table(list("a"), "a"),
    "decision & 1.5" = confusion_table("a", 1.5),
    "truth & decision & NA" = confusion_table(NA, "a"),
    "confusion & truth & decision" =
      expected_cost(table(c("a", "b"), c("a", "b")), zero_one_cost(c("a", "b"))),
    "confusion & 4" = expected_cost(1:4, zero_one_cost(c("a", "b"))),
    "cost" = expected_cost(counted, 1 - diag(2)),
    "cost & b & confusion" = expected_cost(counted, zero_one_cost(c("a", "c"))),
    "cost & a & b & confusion" =
      expected_cost(counted, cost_matrix(a = c(aa = 1, bb = 2), b = 1.5)),
    "cost & a & confusion" = expected_cost(counted, cost_matrix(alarm = 1, b = 1)),
    "confusion" = expected_cost(counted - 1, zero_one_cost(c("a", "b"))),
    "confusion" = expected_cost(counted * 0, zero_one_cost(c("a", "b")))
  )
})

test_that("every odd value is a right answer or an error of the package", {
  is_table <- function(x) inherits(x, "bayesrisk_confusion")
  is_number <- function(x) is.double(x) && length(x) == 1L && !is.nan(x)
  ab <- c("a", "b")
  suppressWarnings(classes = "bayesrisk_warning_missing", {
    expect_fuzz_proof(confusion_table, "truth", list(decision = "a"), is_table)
    expect_fuzz_proof(confusion_table, "truth", list(decision = ab), is_table)
    expect_fuzz_proof(confusion_table, "decision", list(truth = ab), is_table)
  })
  counted <- confusion_table(ab, ab)
  expect_fuzz_proof(expected_cost, "confusion", list(cost = zero_one_cost(ab)), is_number)
  expect_fuzz_proof(expected_cost, "cost", list(confusion = counted), is_number)
})

test_that("an empty cell costs nothing, whatever its cost, or without one", {
  table <- matrix(c(2, 0, 0, 3), 2, dimnames = list(truth = c("a", "b"), decision = c("x", "y")))
  cost <- matrix(c(1, Inf, NA, 4), 2, dimnames = list(c("x", "y"), c("a", "b")))
  expected <- table
  expected[] <- c(2, 0, 0, 12)
  expect_identical(cell_costs(table, cost), expected)
  expect_identical(cell_costs(table, cost[2:1, 2:1]), expected)
  expect_identical(cell_costs(0 * table, cost[0, 0]), 0 * table)
})

test_that("a missing argument is an error of the package", {
  expect_bayesrisk_error(confusion_table(), "argument", "`truth` must be")
  expect_bayesrisk_error(confusion_table("a"), "argument", "`decision` must be")
  expect_bayesrisk_error(zero_one_cost(), "argument", "`classes` must be")
})

test_that("swapped arguments are noticed where the names tell", {
  decision <- c("a", "b", "reject", "a")
  truth <- c("a", "b", "b", "a")
  expect_warning(
    confusion_table(decision, truth), "swapped.*t\\(confusion_table",
    class = "bayesrisk_warning_swapped"
  )
  expect_no_warning(confusion_table(truth, decision))
  # A class may have the name if it is decided, too.
  expect_no_warning(confusion_table(decision, rev(decision)))
  expect_no_warning(confusion_table(c("a", "b", "c"), c("a", "a", "b")))
})

test_that("a model in place of labels: the error names the class as the formula has it", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  expect_refusals(
    "truth & `Species`" = confusion_table(model, iris),
    "truth & assess_decisions(model" = confusion_table(model),
    "decision & `Species`" = confusion_table(iris$Species, model),
    "truth & `factor(am)`" = confusion_table(fit(bayes_naive(), factor(am) ~ mpg, mtcars), mtcars),
    "truth & the class" = confusion_table(fit_xy(bayes_naive(), iris[1:4], iris$Species), iris)
  )
})

test_that("a table or a decision in place of labels: the error names the column", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  decided <- decide(model, iris, zero_one_cost(model))
  expect_refusals(
    "decision & column decision" = confusion_table(iris$Species, decided),
    "truth & `[[1]]`" = confusion_table(iris["Species"], decided$decision)
  )
})

shares_table <- function() {
  confusion_table(rep(c("a", "b"), c(6, 4)), c(rep(c("a", "b"), c(4, 2)), "a", "b", "b", "ask"))
}

test_that("shares of all cases, of each truth and of each decision", {
  counts <- shares_table()
  plain <- matrix(c(4, 1, 2, 2, 0, 1), 2)
  all <- proportions(counts)
  expect_within(c(all), plain / 10, 1e-16)
  expect_s3_class(all, c("bayesrisk_shares", "bayesrisk_result", "table"), exact = TRUE)
  expect_identical(dimnames(all), dimnames(counts))
  truth <- proportions(counts, "truth")
  expect_within(c(truth), plain / c(6, 4), 1e-16)
  expect_identical(proportions(counts, 1), truth)
  decision <- prop.table(counts, 2)
  expect_within(c(decision), t(t(plain) / c(5, 4, 1)), 1e-16)
  expect_identical(
    vapply(list(all, truth, decision), attr, "", "of"), c("all", "truth", "decision")
  )
  expect_identical(attr(truth, "cases"), 10L)
  expect_identical(counts / sum(counts), all)
  expect_identical(counts / rowSums(counts), truth)
})

test_that("shares print as shares", {
  counts <- shares_table()
  none <- confusion_table(factor(c("a", "a"), c("a", "b")), c("a", "b"))
  large <- confusion_table(rep(letters, 2), c(letters, rev(letters)))
  expect_snapshot({
    proportions(counts, "truth")
    marginSums(counts, "truth")
  })
  expect_s3_class(round(proportions(counts), 1), "bayesrisk_shares")
  expect_output(print(100 * proportions(counts, "truth")), "^ *decision\n")
  expect_output(print(proportions(none, "truth")), "\n *b +- +-")
  expect_output(print(proportions(large, "truth"), n = 3), "49 more pairs")
})

test_that("shares are data, one row for each truth and decision", {
  rows <- as.data.frame(proportions(shares_table()))
  expect_named(rows, c("truth", "decision", "share"))
  expect_within(sum(rows$share), 1, 1e-15)
  expect_identical(tidy(proportions(shares_table())), rows)
})

test_that("other arithmetic gives plain tables, and counts can be added", {
  counts <- shares_table()
  expect_s3_class(counts / 2, "table", exact = TRUE)
  expect_s3_class(-counts, "table", exact = TRUE)
  expect_false(inherits(counts > 1, "bayesrisk_confusion"))
  expect_s3_class(proportions(counts) - proportions(counts), "table", exact = TRUE)
  expect_s3_class(-proportions(counts), "table", exact = TRUE)
  expect_s3_class(t(proportions(counts)), "table", exact = TRUE)
  expect_identical(c(proportions(counts) * 10), c(counts) / 10 * 10)
  left <- suppressWarnings(confusion_table(c("a", NA), c("a", "a")))
  both <- left + left
  expect_s3_class(both, "bayesrisk_confusion")
  expect_identical(attr(both, "left_out"), c(truth = 2L, decision = 0L))
  expect_s3_class(counts + 1, "table", exact = TRUE)
})

test_that("a cost of cases needs the shares of all cases", {
  counts <- shares_table()
  cost <- cost_matrix(a = c(a = 0, b = 5), b = c(a = 1, b = 0), ask = 0.4)
  expect_within(expected_cost(proportions(counts), cost), expected_cost(counts, cost), 1e-15)
  expect_bayesrisk_error(expected_cost(proportions(counts, 1), cost), "argument", "each truth")
})

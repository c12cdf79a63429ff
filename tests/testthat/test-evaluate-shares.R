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

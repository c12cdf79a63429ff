ocr <- function() {
  bayes_known(
    prior = c(a = 0.75, b = 0.25), pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = 4)
  )
}

wrong_model <- function() {
  bayes_known(
    prior = c(a = 0.5, b = 0.5), pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = 6)
  )
}

asymmetric <- function() {
  cost_matrix(a = c(a = 0, b = 10), b = c(a = 1, b = 0), ask = 0.5)
}

test_that("a risk prints as sentences and a table", {
  expect_snapshot({
    bayes_risk(ocr(), asymmetric(), rule = wrong_model())
    summary(bayes_risk(ocr(), asymmetric(), prior = c(1, 0)))
  })
})

test_that("digits are those that are asked for", {
  expect_match(format(bayes_risk(ocr()), digits = 3), "0.0864 ", fixed = TRUE)
  capture.output(expect_identical(print(bayes_risk(ocr())), bayes_risk(ocr())))
})

test_that("a row for each truth and decision, a row with the numbers", {
  risk <- bayes_risk(ocr(), asymmetric(), rule = wrong_model())
  rows <- as.data.frame(risk)
  expect_named(rows, c("truth", "decision", "probability", "cost", "share"))
  expect_identical(nrow(rows), 6L)
  cell <- rows[rows$truth == "b" & rows$decision == "a", ]
  expect_identical(cell$cost, 10)
  expect_identical(cell$probability, risk$table[["b", "a"]])
  expect_within(sum(rows$share), risk$total, 1e-15)
  expect_identical(generics::tidy(risk), rows)
  one <- generics::glance(risk)
  expect_named(
    one, c("total", "irreducible", "reducible", "believed", "accuracy", "method")
  )
  expect_identical(one$total, risk$total)
  expect_identical(generics::glance(bayes_risk(ocr()))$believed, NA_real_)
})

test_that("an infinite cost that is never met has no share", {
  cost <- cost_matrix(a = c(a = 0, b = Inf), b = c(a = 1, b = 0))
  rows <- as.data.frame(bayes_risk(ocr(), cost))
  expect_identical(rows$share, c(0, 0, 0.75, 0))
})

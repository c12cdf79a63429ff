test_that("update() keeps the exponents and says so", {
  data <- overlapping()
  tempered <- temper(fit(bayes_naive(laplace = 1), y ~ x1 + g, data), data, by = "block")
  expect_message(
    more <- update(tempered, data[1:10, ]), class = "bayesrisk_message_old_exponents"
  )
  expect_identical(coef(more)$temper, coef(tempered)$temper)
  expect_message(
    fewer <- update(tempered, . ~ . - g), class = "bayesrisk_message_old_exponents"
  )
  expect_identical(coef(fewer)$temper$power, coef(tempered)$temper$power["x1"])
  expect_error(update(tempered, temper = TRUE), class = "bayesrisk_error_argument")
})

test_that("a print says what was tempered, and merge() keeps it", {
  data <- overlapping()
  fold <- rep(1:5, 80)
  model <- fit(bayes_naive(laplace = 1), y ~ x1 + x2 + g, data)
  expect_match(
    format(temper(model, data, folds = fold)), "^Tempered: the likelihood to the power 0[.]",
    all = FALSE
  )
  tempered <- temper(model, data, by = "block", bias = TRUE, folds = fold)
  expect_match(
    format(tempered), "the blocks to powers of 0[.].* to .*, with a constant for each class",
    all = FALSE
  )
  other <- fit(bayes_naive(laplace = 1), y ~ x1 + x2 + g, data[1:50, ])
  for (merged in suppressMessages(list(merge(tempered, other), merge(other, tempered)))) {
    expect_identical(coef(merged)$temper, coef(tempered)$temper)
  }
})

test_that("summaries and models without features", {
  data <- overlapping()
  tempered <- temper(fit(bayes_naive(), y ~ x1 + x2, data), data)
  expect_match(format(summary(tempered)), "Tempered", all = FALSE)
  expect_null(naive(tempered)$temper)
  prior <- fit(bayes_naive(), y ~ 1, data)
  expect_identical(temper(prior, data), prior)
})

test_that("a large constant of an impossible class takes nothing from the others", {
  data <- overlapping()
  model <- temper(fit(bayes_naive(), y ~ x1, data), data, bias = TRUE)
  model$parameters$temper$offset <- c(a = 0, b = 0, c = 1000)
  prior <- c(a = 0.3, b = 0.7, c = 0)
  found <- predict(model, data.frame(x1 = NA_real_), type = "prob", prior = prior)
  expect_within(found[1, ], prior, 1e-15)
})

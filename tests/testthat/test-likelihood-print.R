test_that("a likelihood prints as a sentence and returns itself", {
  expect_identical(
    format(likelihood_categorical(laplace = 1)),
    "Categorical features by relative frequency with Laplace 1."
  )
  expect_identical(
    format(likelihood_gaussian("ml", min_variance = 0.01)),
    "Numeric features by Gaussians with maximum-likelihood variance of at least 0.01."
  )
  spec <- likelihood_gaussian()
  expect_output(returned <- withVisible(print(spec)), "Numeric features by Gaussians")
  expect_false(returned$visible)
  expect_identical(returned$value, spec)
})

test_that("numbers follow options(digits), names are escaped", {
  old <- options(digits = 3)
  on.exit(options(old))
  expect_identical(format_numbers(1 / 3), "0.333")
  expect_identical(format_numbers(c(a = 1 / 3, `b\n` = 2)), "a 0.333, b\\n 2")
})

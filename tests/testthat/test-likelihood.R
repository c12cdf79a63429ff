test_that("a likelihood has a name, a class of its own and the common class", {
  gaussian <- likelihood_gaussian()
  expect_s3_class(
    gaussian, c("bayesrisk_likelihood_gaussian", "bayesrisk_likelihood"), exact = TRUE
  )
  expect_identical(gaussian$name, "gaussian")
})

test_that("only a likelihood of a known kind is one", {
  expect_true(is_likelihood(likelihood_gaussian()))
  expect_true(is_likelihood(likelihood_categorical()))
  expect_false(is_likelihood("gaussian"))
  expect_false(is_likelihood(NULL))
  expect_false(is_likelihood(new_likelihood("strange")))
  expect_false(is_likelihood(structure(1, class = class(likelihood_gaussian()))))
})

test_that("the kinds of feature that a likelihood models", {
  expect_identical(likelihood_kinds(likelihood_categorical()), "categorical")
  expect_identical(likelihood_kinds(likelihood_gaussian()), "numeric")
})

test_that("given parameters are told from estimated ones", {
  expect_false(has_given_parameters(likelihood_categorical(laplace = 1)))
  expect_false(has_given_parameters(likelihood_gaussian("ml", 0.1)))
  expect_true(has_given_parameters(likelihood_gaussian(mean = c(a = 1), sd = 2)))
  expect_true(has_given_parameters(likelihood_categorical(table = rbind(a = c(x = 0.3, y = 0.7)))))
})

data <- data.frame(
  y = c("a", "a", "a", "b", "b", "b"), g = c("k", "l", "l", "k", "l", "k"),
  x = c(1, 2, 4, 3, 7, 9), z = c(3, 1, 2, 5, 4, 4)
)
schema_of <- function(data) fit(bayes_naive(), y ~ ., data)$schema

test_that("single features share a bank by likelihood, numeric ones before categorical", {
  likelihoods <- list(likelihood_categorical(), likelihood_gaussian("ml"), likelihood_gaussian())
  banks <- single_banks(1:3, list(all = likelihoods, of = 1:3), schema_of(data))
  expect_identical(lapply(banks, `[[`, "type"), list("gaussian", "categorical"))
  expect_identical(lapply(banks, `[[`, "features"), list(2:3, 1L))
  expect_identical(banks[[2]]$levels, 2L)
  expect_null(banks[[1]]$levels)
  none <- list(all = list(), of = integer())
  expect_identical(single_banks(integer(), none, schema_of(data)), list())
})

test_that("a likelihood may ask for a bank of its own for each feature", {
  points <- likelihood_empirical()
  banks <- single_banks(
    1:3, list(all = list(likelihood_categorical(), points), of = c(1L, 2L, 2L)), schema_of(data)
  )
  expect_identical(lapply(banks, `[[`, "features"), list(2L, 3L, 1L))
  counts <- likelihood_poisson()
  banks <- single_banks(2:3, list(all = list(counts), of = c(1L, 1L)), schema_of(data))
  expect_identical(lapply(banks, `[[`, "features"), list(2:3))
})

test_that("banks are in the order of their first features (numeric ones first)", {
  banks <- single_banks(1:3, list(
    all = list(likelihood_gaussian(), likelihood_categorical(), likelihood_poisson()),
    of = c(2L, 3L, 1L)
  ), schema_of(data))
  expect_identical(vapply(banks, `[[`, "", "type"), c("poisson", "gaussian", "categorical"))
  expect_identical(lapply(banks, `[[`, "features"), list(2L, 3L, 1L))
  expect_identical(bank_members(c(4L, 9L, 4L), c(TRUE, TRUE, TRUE)), list(c(1L, 3L), 2L))
  expect_identical(bank_members(c(7L, 7L), c(FALSE, FALSE)), list(1:2))
  expect_identical(bank_members(integer(), logical()), list())
})

test_that("blocks are counted in the order of the banks", {
  model <- fit(bayes_blocks(list(pair = c("x", "z")), laplace = 1), y ~ ., data)
  expect_identical(block_names(model), c("g", "pair"))
  types <- vapply(block_banks(model), `[[`, "", "type")
  expect_identical(types, c("categorical", "multivariate_gaussian"))
  naive <- fit(bayes_naive(), y ~ ., data)
  types <- vapply(block_banks(naive), `[[`, "", "type")
  expect_identical(types, c("gaussian", "gaussian", "categorical"))
  expect_identical(block_names(naive), c("x", "z", "g"))
  expect_length(block_banks(fit(bayes_naive(), y ~ 1, data)), 0L)
})

test_that("known parameters of single features are bound side by side", {
  parts <- list(
    z = list(components = matrix(2:1), mean = c(1, 5, 3)),
    x = list(components = matrix(1:2), mean = c(7, 8, 9))
  )
  expect_identical(
    bind_parameters(parts), list(components = cbind(2:1, 1:2), mean = c(1, 5, 3, 7, 8, 9))
  )
})

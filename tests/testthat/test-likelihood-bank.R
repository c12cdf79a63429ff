data <- data.frame(
  y = c("a", "a", "a", "b", "b", "b"), g = c("k", "l", "l", "k", "l", "k"),
  x = c(1, 2, 4, 3, 7, 9), z = c(3, 1, 2, 5, 4, 4)
)
schema_of <- function(data) fit(bayes_naive(), y ~ ., data)$schema

# A likelihood that is not there yet, for the length of a test.
local_likelihood <- function(name, ..., envir = parent.frame()) {
  methods <- c(list(likelihood_kinds = function(likelihood) "numeric"), list(...))
  table <- get(".__S3MethodsTable__.", asNamespace("bayesrisk"))
  labels <- paste0(names(methods), ".bayesrisk_likelihood_", name)
  for (i in seq_along(methods)) assign(labels[[i]], methods[[i]], table)
  withr::defer(rm(list = labels, envir = table), envir)
  new_likelihood(name)
}

test_that("single features share a bank by likelihood, numeric ones before categorical", {
  likelihoods <- list(likelihood_categorical(), likelihood_gaussian("ml"), likelihood_gaussian())
  banks <- single_banks(1:3, likelihoods, schema_of(data))
  expect_identical(lapply(banks, `[[`, "type"), list("gaussian", "categorical"))
  expect_identical(lapply(banks, `[[`, "features"), list(2:3, 1L))
  expect_identical(banks[[2]]$levels, 2L)
  expect_null(banks[[1]]$levels)
  expect_identical(single_banks(integer(), list(), schema_of(data)), list())
})

test_that("a likelihood may ask for a bank of its own for each feature", {
  alone <- local_likelihood("alone", shares_bank = function(likelihood) FALSE)
  banks <- single_banks(1:3, list(likelihood_categorical(), alone, alone), schema_of(data))
  expect_identical(lapply(banks, `[[`, "features"), list(2L, 3L, 1L))
  together <- local_likelihood("together")
  banks <- single_banks(2:3, list(together, together), schema_of(data))
  expect_identical(lapply(banks, `[[`, "features"), list(2:3))
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

test_that("a type has a kind, and what is no type has none", {
  kind <- function(type) bank_kind(list(type = type))
  expect_identical(kind("gaussian"), "numeric")
  expect_identical(kind("multivariate_gaussian"), "numeric")
  expect_identical(kind("mixture"), "numeric")
  expect_identical(kind("categorical"), "categorical")
  expect_identical(kind("joint_table"), "categorical")
  expect_null(kind("strange"))
  expect_null(kind(""))
})

test_that("single features share their statistics, blocks do not", {
  unites <- function(type) bank_unites(list(type = type))
  expect_identical(
    vapply(c("gaussian", "categorical", "multivariate_gaussian", "mixture"), unites, NA),
    c(gaussian = TRUE, categorical = TRUE, multivariate_gaussian = FALSE, mixture = FALSE)
  )
})

test_that("a bank says of how many normals a feature is a sum", {
  many <- list(components = matrix(c(1L, 2L, 3L, 1L), 2L))
  normals <- function(type, j = 1L) bank_normals(list(type = type), many, j)
  expect_equal(c(normals("gaussian"), normals("multivariate_gaussian")), c(1, 1))
  expect_equal(c(normals("mixture", 1L), normals("mixture", 2L)), c(2, 3))
  expect_identical(normals("categorical"), Inf)
  expect_identical(normals("not_yet_there"), Inf)
})

test_that("every type of bank that can be estimated has what a model shows of it", {
  shown <- c(
    "bank_options", "bank_remedies", "bank_cases", "bank_coefficients", "tidy_block"
  )
  for (type in c("gaussian", "categorical", "multivariate_gaussian", "joint_table")) {
    for (generic in shown) {
      method <- utils::getS3method(
        generic, paste0("bayesrisk_bank_", type), optional = TRUE, envir = asNamespace("bayesrisk")
      )
      expect_true(is.function(method), info = paste(generic, type))
    }
  }
})

test_that("remedies are those of the bank's problems, each said once", {
  problems <- list(problem = c("constant", "too_light", "empty"), class = c(1L, 2L, 1L))
  single <- bank_remedies(list(type = "gaussian"), problems)
  expect_match(single[[1]], "min_variance")
  expect_match(single[[2]], "weight - 1")
  expect_match(single[[3]], "Drop the feature or the class")
  joint <- bank_remedies(list(type = "multivariate_gaussian"), problems)
  expect_match(joint[[1]], "linear combination")
  expect_match(joint[[3]], "shrinkage")
  expect_match(bank_remedies(list(type = "joint_table"), problems), "laplace")
  light <- list(problem = "too_light", class = NA_integer_)
  expect_length(bank_remedies(list(type = "multivariate_gaussian"), light), 1L)
})

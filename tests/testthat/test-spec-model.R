is_spec <- function(x) inherits(x, "bayesrisk_spec") && is.character(format(x))
petals <- list(petal = c("Petal.Length", "Petal.Width"))

test_that("a specification holds what it was told", {
  spec <- bayes_naive(
    laplace = 1, variance = "ml", features = list(x = likelihood_gaussian(min_variance = 2)),
    prior = c(yes = 0.25, no = 0.75)
  )
  expect_identical(unclass(spec), list(
    structure = "naive", blocks = list(), categorical = likelihood_categorical(1),
    numeric = likelihood_gaussian("ml"),
    features = list(x = likelihood_gaussian(min_variance = 2)), joint = NULL,
    covariance = "class", shrinkage = 0, identity = 0, borrow = 0,
    missing = "complete", prior = c(yes = 0.25, no = 0.75), degenerate = "pool", temper = NULL,
    bag = NULL, version = package_version_string
  ))
  expect_identical(bayes_naive(), new_spec("naive"))
  expect_identical(bayes_full(), new_spec("full"))
  expect_identical(bayes_blocks(petals), new_spec("blocks", petals))
  pooled <- bayes_blocks(petals, covariance = "pooled", prior = "uniform")
  expect_identical(pooled, new_spec("blocks", petals, covariance = "pooled", prior = "uniform"))
  expect_identical(bayes_full(shrinkage = 1L)$shrinkage, 1)
})

test_that("laplace and variance are short for likelihoods", {
  expect_identical(
    bayes_naive(laplace = 2, variance = "ml"),
    bayes_naive(categorical = likelihood_categorical(2), numeric = likelihood_gaussian("ml"))
  )
  for (make in list(bayes_naive, function(...) bayes_blocks(petals, ...))) {
    expect_error(make(laplace = 1, categorical = likelihood_categorical()),
      "laplace.*categorical", class = "bayesrisk_error_argument"
    )
    expect_error(make(variance = "ml", numeric = likelihood_gaussian()),
      "variance.*numeric", class = "bayesrisk_error_argument"
    )
    expect_error(make(laplace = c(1, 2)), "laplace.*one finite number",
      class = "bayesrisk_error_argument"
    )
  }
})

test_that("a likelihood must be of the kind of its features, and one to estimate", {
  expect_error(bayes_naive(categorical = likelihood_gaussian()),
    "categorical.*categorical features.*gaussian", class = "bayesrisk_error_argument"
  )
  expect_error(bayes_naive(numeric = likelihood_categorical()),
    "numeric.*numeric features.*categorical", class = "bayesrisk_error_argument"
  )
  known <- likelihood_gaussian(mean = c(a = 1, b = 2), sd = 1)
  expect_error(bayes_naive(numeric = known), "numeric.*bayes_known",
    class = "bayesrisk_error_argument"
  )
  expect_error(bayes_blocks(petals, features = list(`a b` = known)), "a b.*bayes_known",
    class = "bayesrisk_error_argument"
  )
  expect_error(bayes_naive(categorical = structure(list(), class = "bayesrisk_likelihood")),
    "categorical.*must be a likelihood", class = "bayesrisk_error_argument"
  )
})

test_that("features are likelihoods named by feature, outside the blocks", {
  gaussian <- likelihood_gaussian()
  bad <- function(features, pattern) {
    expect_error(bayes_blocks(petals, features = features), pattern,
      class = "bayesrisk_error_argument"
    )
  }
  bad(list(gaussian), "features.*named by feature")
  bad(list(a = gaussian, gaussian), "features.*name is missing")
  bad(list(a = gaussian, a = gaussian), "features.*a.*more than once")
  bad(list(`{x}` = 1), "\\{x\\}.*must be a likelihood")
  bad(gaussian, "features.*list of likelihoods")
  bad(list(Petal.Width = gaussian), "Petal.Width.*features.*blocks")
})

test_that("pooling leaves nothing to shrink", {
  expect_identical(bayes_full(covariance = "pooled", shrinkage = 0)$covariance, "pooled")
  expect_error(bayes_full(covariance = "pooled", shrinkage = 0.5), "shrinkage.*covariance",
    class = "bayesrisk_error_argument"
  )
  expect_error(bayes_full(shrinkage = 1.01), "shrinkage.*from 0 to 1",
    class = "bayesrisk_error_argument"
  )
  expect_error(bayes_blocks(petals, covariance = "tied"), "covariance.*class.*pooled",
    class = "bayesrisk_error_argument"
  )
})

test_that("errors show the user's call", {
  error <- expect_error(bayes_full(shrinkage = 2), class = "bayesrisk_error_argument")
  expect_identical(conditionCall(error), quote(bayes_full(shrinkage = 2)))
  expect_error(bayes_blocks(), "blocks", class = "bayesrisk_error_argument")
})

test_that("a specification follows from its arguments, whatever was made before", {
  for (i in 1:2) {
    expect_identical(bayes_naive(laplace = 1)$categorical, likelihood_categorical(1))
    expect_identical(bayes_full(laplace = 1)$structure, "full")
    expect_bayesrisk_error(bayes_naive(laplace = -1), "argument", "laplace")
    expect_bayesrisk_error(bayes_naive(Species ~ ., iris), "argument", "fit_?")
    expect_bayesrisk_error(bayes_naive(laplase = 1), "argument", "laplase")
  }
  blocks <- list(petal = c("Petal.Length", "Petal.Width"))
  expect_identical(bayes_blocks(blocks), bayes_blocks(blocks, covariance = "class"))
})

test_that("vectors that data.table changes in place do not change a specification", {
  skip_if_not_installed("data.table")
  prior <- data.table::data.table(w = c(0.1, 0.9))
  before <- bayes_naive(prior = prior$w)
  data.table::set(prior, 1:2, "w", c(0.9, 0.1))
  expect_identical(before$prior, c(0.1, 0.9))
  expect_identical(bayes_naive(prior = prior$w)$prior, c(0.9, 0.1))
  block <- data.table::data.table(member = c("Sepal.Length", "Sepal.Width", "Petal.Length"))
  members <- function() {
    fit(bayes_blocks(list(a = block$member)), Species ~ ., iris)$plan$banks[[2L]]$features
  }
  expect_identical(members(), 1:3)
  data.table::set(block, 3L, "member", "Petal.Width")
  expect_identical(members(), c(1L, 2L, 4L))
  spec <- update(bayes_naive(), prior = prior$w)
  data.table::set(prior, 1:2, "w", c(0.5, 0.5))
  expect_identical(spec$prior, c(0.9, 0.1))
})

test_that("every argument is fuzz-proof", {
  arguments <- function(fun) setdiff(names(formals(fun)), "...")
  for (arg in arguments(bayes_naive)) expect_fuzz_proof(bayes_naive, arg, is_valid = is_spec)
  for (arg in arguments(bayes_full)) expect_fuzz_proof(bayes_full, arg, is_valid = is_spec)
  for (arg in arguments(bayes_blocks)) {
    expect_fuzz_proof(bayes_blocks, arg, list(blocks = petals), is_spec)
  }
})

test_that("settings of other packages are answered by the right call", {
  skip_on_cran()
  expect_refusals(
    "usekernel & numeric = likelihood_kernel" = bayes_naive(usekernel = TRUE),
    "Laplace & laplace = 1" = bayes_naive(Laplace = 1),
    "usepoisson & likelihood_poisson" = bayes_full(usepoisson = TRUE)
  )
  written <- function(code) {
    error <- expect_bayesrisk_error(code, "argument", "Unused argument")
    right <- sub("^Write `(.*)`\\.$", "\\1", cli::ansi_strip(error$body[["i"]]))
    str2lang(gsub("\n *", " ", right))
  }
  kernel <- written(bayes_naive(usekernel = TRUE))
  expect_identical(kernel, quote(bayes_naive(numeric = likelihood_kernel())))
  expect_true(is_spec(eval(kernel)))
  expect_identical(written(bayes_naive(usekernel = FALSE)), quote(bayes_naive()))
  expect_identical(
    written(bayes_naive(usekernel = TRUE, adjust = 1.5, fL = 2)),
    quote(bayes_naive(numeric = likelihood_kernel(adjust = 1.5), laplace = 2))
  )
  expect_identical(written(bayes_full(fL = 1)), quote(bayes_full(laplace = 1)))
  # A full model has no argument `numeric`.
  expect_identical(
    written(bayes_full(usepoisson = TRUE)), quote(bayes_naive(numeric = likelihood_poisson()))
  )
  expect_identical(
    written(bayes_blocks(list(a = c("x", "y")), fL = 1)), quote(bayes_blocks(blocks, laplace = 1))
  )
})

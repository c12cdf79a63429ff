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
    features = list(x = likelihood_gaussian(min_variance = 2)),
    covariance = "class", shrinkage = 0, prior = c(yes = 0.25, no = 0.75)
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

test_that("every argument is fuzz-proof", {
  arguments <- function(fun) setdiff(names(formals(fun)), "...")
  for (arg in arguments(bayes_naive)) expect_fuzz_proof(bayes_naive, arg, is_valid = is_spec)
  for (arg in arguments(bayes_full)) expect_fuzz_proof(bayes_full, arg, is_valid = is_spec)
  for (arg in arguments(bayes_blocks)) {
    expect_fuzz_proof(bayes_blocks, arg, list(blocks = petals), is_spec)
  }
})

test_that("update_spec() gives the specification as if written so", {
  spec <- bayes_blocks(petals, shrinkage = 0.25, prior = "uniform")
  expect_identical(update_spec(spec, list(), NULL), spec)
  expect_identical(
    update_spec(spec, list(laplace = 1, shrinkage = 0.5, prior = NULL), NULL),
    bayes_blocks(petals, laplace = 1, shrinkage = 0.5)
  )
  expect_identical(
    update_spec(spec, list(covariance = "pooled", shrinkage = 0, variance = "ml"), NULL),
    bayes_blocks(petals, covariance = "pooled", variance = "ml", prior = "uniform")
  )
  expect_identical(
    update_spec(bayes_full(laplace = 1), list(prior = c(a = 0.1, b = 0.9)), NULL),
    bayes_full(laplace = 1, prior = c(a = 0.1, b = 0.9))
  )
})

test_that("update_spec() keeps the settings that were not changed", {
  spec <- bayes_naive(
    categorical = likelihood_categorical(m = 2),
    numeric = likelihood_gaussian(min_variance = 0.1),
    features = list(x = likelihood_categorical(3))
  )
  changed <- update_spec(spec, list(variance = "ml"), NULL)
  expect_identical(changed$numeric, likelihood_gaussian("ml", min_variance = 0.1))
  expect_identical(changed$categorical, spec$categorical)
  expect_identical(changed$features, spec$features)
  expect_identical(
    update_spec(spec, list(laplace = 1), NULL)$categorical, likelihood_categorical(1)
  )
  expect_identical(update_spec(spec, list(features = list()), NULL)$features, list())
})

test_that("a model with known parameters can get another prior", {
  known <- new_spec(
    "naive", features = list(x = likelihood_gaussian(mean = c(a = 1, b = 2), sd = 1)),
    prior = c(a = 0.5, b = 0.5)
  )
  changed <- update_spec(known, list(prior = "uniform"), NULL)
  expect_identical(changed$prior, "uniform")
  expect_identical(changed$features, known$features)
})

test_that("update_spec() checks as the constructors do", {
  bad <- function(spec, changes, pattern) {
    expect_error(update_spec(spec, changes, NULL), pattern, class = "bayesrisk_error_argument")
  }
  bad(bayes_naive(), list(shrinkage = 0.5), "shrinkage.*bayes_naive")
  bad(bayes_naive(), list(laplce = 1), "laplce")
  bad(bayes_naive(), list(1), "without a name")
  bad(bayes_naive(), list(laplace = 1, laplace = 2), "laplace.*more than once")
  bad(bayes_blocks(petals), list(blocks = list("a")), "blocks")
  bad(bayes_full(shrinkage = 0.5), list(covariance = "pooled"), "shrinkage")
  bad(bayes_naive(), list(laplace = 1, categorical = likelihood_categorical()), "together")
  bad(bayes_naive(), list(variance = "ml", numeric = likelihood_gaussian()), "together")
  bad(bayes_blocks(petals), list(features = list(Petal.Width = likelihood_gaussian())), "blocks")
  for (arg in setdiff(names(formals(bayes_blocks)), "blocks")) {
    change <- function(value) {
      update_spec(bayes_blocks(petals), stats::setNames(list(value), arg), NULL)
    }
    expect_fuzz_proof(change, "value", is_valid = is_spec)
  }
})

test_that("a variance is that of Gaussians", {
  model <- fit(bayes_naive(numeric = likelihood_kernel()), y ~ x, mixed())
  expect_bayesrisk_error(update(model, variance = "ml"), "argument", "a setting of Gaussians")
})

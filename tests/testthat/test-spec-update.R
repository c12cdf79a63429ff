is_spec <- function(x) inherits(x, "bayesrisk_spec") && is.character(format(x))
petals <- list(petal = c("Petal.Length", "Petal.Width"))

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

test_that("update() of a specification is its constructor with the changed settings", {
  expect_identical(update(bayes_naive(), laplace = 1), bayes_naive(laplace = 1))
  expect_identical(update(bayes_full()), bayes_full())
  pooled <- update(bayes_blocks(petals), covariance = "pooled", prior = "uniform")
  expect_identical(pooled, bayes_blocks(petals, covariance = "pooled", prior = "uniform"))
  # The path of a search does not belong to the changed specification.
  found <- search_blocks(bayes_naive(), Species ~ ., iris)
  smooth <- update(found, laplace = 1)
  expect_identical(class(smooth), class(bayes_naive()))
  expect_identical(smooth$blocks, found$blocks)
  expect_bayesrisk_error(update(bayes_naive(), laplce = 1), "argument", "laplce")
  expect_bayesrisk_error(update(bayes_naive(), 1), "argument", "without a name")
  expect_identical(update(bayes_text(), laplace = 2), bayes_text(laplace = 2))
  expect_bayesrisk_error(update(bayes_text(), counts = "bernoulli"), "argument", "bayes_text")
  known <- bayes_known(c(a = 0.5, b = 0.5), x = likelihood_poisson(c(a = 1, b = 2)))
  expect_bayesrisk_error(update(known$spec, prior = "uniform"), "argument", "bayes_known")
})

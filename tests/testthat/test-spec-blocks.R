test_that("blocks without a name are called by their features", {
  expect_identical(
    check_blocks(list(petal = c("Petal.Length", "Petal.Width"), c("a", "b", "c")), NULL),
    list(petal = c("Petal.Length", "Petal.Width"), `a+b+c` = c("a", "b", "c"))
  )
  expect_identical(names(check_blocks(list("a", c("b", "c")), NULL)), c("a", "b+c"))
})

test_that("what is wrong with blocks is named", {
  bad <- function(blocks, pattern) {
    expect_error(check_blocks(blocks, NULL), pattern, class = "bayesrisk_error_argument")
  }
  bad(c("a", "b"), "blocks.*list of character vectors")
  bad(list(), "blocks.*bayes_naive")
  bad(list("a", character()), "blocks\\[\\[2\\]\\].*one or more features")
  bad(list("a", 1), "blocks\\[\\[2\\]\\]")
  bad(list(c("a", NA)), "blocks\\[\\[1\\]\\].*NA")
  bad(list(c("a", "")), "blocks\\[\\[1\\]\\].*empty")
  bad(list(c("a", "b", "a")), "blocks.*a is in it twice")
  bad(list(c("a", "b"), c("c", "b")), "blocks.*b is in it twice")
  bad(list(u = "a", u = "b"), "blocks.*u.*more than once")
})

pairs <- list(petal = c("Petal.Length", "Petal.Width"), sepal = c("Sepal.Length", "Sepal.Width"))

test_that("a Gaussian joint is that of old, bit for bit", {
  expect_identical(bayes_full(joint = likelihood_gaussian()), bayes_full())
  expect_identical(bayes_full("joint" = NULL), bayes_full())
  spec <- bayes_blocks(pairs, joint = list(petal = likelihood_gaussian()), shrinkage = 0.1)
  expect_identical(spec, bayes_blocks(pairs, shrinkage = 0.1))
  expect_identical(bayes_blocks(pairs, joint = list()), bayes_blocks(pairs))
  expect_identical(
    fit(bayes_full(variance = "ml", joint = likelihood_gaussian()), Species ~ ., iris),
    fit(bayes_full(variance = "ml"), Species ~ ., iris)
  )
})

test_that("other likelihoods are refused, and those that are possible are listed", {
  for (joint in list(likelihood_kernel(), likelihood_poisson(), likelihood_categorical(), 1, "a")) {
    expect_error(
      bayes_full(joint = joint), "joint.*joint blocks of numeric features.*likelihood_gaussian",
      class = "bayesrisk_error_argument"
    )
    expect_error(
      bayes_blocks(pairs, joint = list(petal = joint)), "joint\\$petal.*likelihood_gaussian",
      class = "bayesrisk_error_argument"
    )
  }
})

test_that("the settings of a covariance are those of the specification", {
  expect_error(
    bayes_full(joint = likelihood_gaussian("ml")), "without settings.*shrinkage.*identity",
    class = "bayesrisk_error_argument"
  )
  expect_error(
    bayes_full(joint = likelihood_mixture(), identity = 0.1), "identity.*joint.*no Gaussian",
    class = "bayesrisk_error_argument"
  )
  known <- likelihood_gaussian(mean = c(a = 1), sd = 1)
  expect_error(bayes_full(joint = known), "bayes_known", class = "bayesrisk_error_argument")
})

test_that("a list is named by block", {
  bad <- function(joint, pattern) {
    expect_error(bayes_blocks(pairs, joint = joint), pattern, class = "bayesrisk_error_argument")
  }
  gaussian <- likelihood_gaussian()
  bad(list(gaussian), "joint.*named by block")
  bad(list(petal = gaussian, petal = gaussian), "joint.*petal.*more than once")
  bad(list(leaf = gaussian), "leaf.*no block.*petal.*sepal")
  expect_error(
    bayes_full(joint = list(numeric = gaussian)), "joint.*class list",
    class = "bayesrisk_error_argument"
  )
})

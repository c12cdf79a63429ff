test_that("a specification reads as a sentence", {
  expect_identical(format(bayes_naive(laplace = 1)), paste(
    "Naive Bayes: categorical features by relative frequency with Laplace 1,",
    "numeric features by Gaussians with unbiased variance; prior from the class shares."
  ))
  expect_identical(format(bayes_full(variance = "ml", shrinkage = 0.1, prior = "uniform")), paste(
    "Full Bayes: categorical features jointly by relative frequency, numeric features by",
    "multivariate Gaussians with maximum-likelihood covariance per class, shrunk by 0.1",
    "towards the pooled one; uniform prior."
  ))
  expect_match(
    format(bayes_full(shrinkage = 0.1, identity = 0.2)),
    "per class, shrunk by 0.1 towards the pooled one and by 0.2 towards the identity; ",
    fixed = TRUE
  )
  expect_match(
    format(bayes_full(covariance = "pooled", identity = 1)),
    "one pooled unbiased covariance, shrunk by 1 towards the identity;", fixed = TRUE
  )
  spec <- bayes_blocks(
    list(petal = c("Petal.Length", "Petal.Width"), c("a", "b")),
    covariance = "pooled", features = list(u = likelihood_gaussian("ml")),
    prior = c(x = 0.2, y = 0.8)
  )
  expect_identical(format(spec), paste(
    "Bayes by blocks: petal (Petal.Length, Petal.Width), (a, b); in a block categorical",
    "features jointly by relative frequency, numeric features by multivariate Gaussians with",
    "one pooled unbiased covariance; outside them categorical features by relative frequency,",
    "numeric features by Gaussians with unbiased variance, u by Gaussians with",
    "maximum-likelihood variance; prior x 0.2, y 0.8."
  ))
})

test_that("print() wraps to the width and returns its argument invisibly", {
  old <- options(width = 40)
  on.exit(options(old))
  spec <- bayes_naive(prior = c(0.4, 0.6))
  lines <- capture.output(returned <- withVisible(print(spec)))
  expect_true(all(nchar(lines) <= 40))
  expect_identical(gsub("\\s+", " ", paste(lines, collapse = " ")), format(spec))
  expect_match(format(spec), "prior 0.4, 0.6 in level order", fixed = TRUE)
  expect_false(returned$visible)
  expect_identical(returned$value, spec)
})

test_that("summary() gives the parts as a data frame", {
  spec <- bayes_blocks(
    list(c("a", "b")), laplace = 1, features = list(u = likelihood_gaussian("ml"))
  )
  parts <- summary(spec)
  expect_identical(parts$part, c(
    "structure", "block a+b", "categorical", "numeric", "feature u", "covariance", "prior",
    "degenerate"
  ))
  expect_identical(parts$setting[[2]], "a, b")
  expect_identical(parts$setting[[6]], "unbiased covariance per class")
  expect_identical(
    summary(bayes_naive())$part, c("structure", "categorical", "numeric", "prior", "degenerate")
  )
})

test_that("strange names do not break the sentence", {
  spec <- bayes_blocks(list(`b\n{1}` = c("%s%n", "\u00e4 \\")))
  expect_match(format(spec), "b\\n{1} (%s%n, ", fixed = TRUE)
  expect_false(grepl("\n", format(spec)))
})

test_that("a block without a name of its own is described by its features", {
  text <- format(bayes_blocks(list(c("a", "b"), pair = c("x", "y"))))
  expect_match(text, "Bayes by blocks: (a, b), pair (x, y);", fixed = TRUE)
})

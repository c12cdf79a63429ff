# Posteriors of klaR, e1071 and naivebayes.

# Numbers, truth values and factors, with missing values.
mixed <- function() {
  withr::local_seed(1)
  data <- transform(
    iris, tall = Sepal.Width > 3, group = factor(sample(c("u", "v", "w"), 150, TRUE))
  )
  for (j in c(1:4, 7)) data[sample(150, 10), j] <- NA
  data
}

test_that("e1071: numbers, factors and truth values, with and without Laplace", {
  skip_if_not_installed("e1071")
  data <- mixed()
  for (laplace in 0:1) {
    theirs <- e1071::naiveBayes(Species ~ ., data, laplace = laplace)
    expect_same_posterior(as_bayes_model(theirs), data, predict(theirs, data, type = "raw"))
  }
})

test_that("naivebayes: Gaussians, tables and Poisson counts", {
  skip_if_not_installed("naivebayes")
  data <- mixed()
  for (laplace in 0:1) {
    theirs <- naivebayes::naive_bayes(Species ~ ., data, laplace = laplace, prior = 1:3 / 6)
    prob <- predict(theirs, data[-5], type = "prob")
    expect_same_posterior(as_bayes_model(theirs), data, prob)
  }
  theirs <- naivebayes::naive_bayes(spray ~ n, transform(InsectSprays, n = as.integer(count)),
                                    usepoisson = TRUE)
  new <- data.frame(n = 0:25)
  expect_same_posterior(as_bayes_model(theirs), new, predict(theirs, new, type = "prob"))
})

test_that("klaR: NaiveBayes and rda", {
  skip_if_not_installed("klaR")
  # klaR shortens names of its own lists.
  withr::local_options(warnPartialMatchDollar = FALSE)
  data <- stats::na.omit(mixed())
  for (laplace in 0:1) {
    theirs <- klaR::NaiveBayes(Species ~ ., data, fL = laplace, prior = 3:1 / 6)
    prob <- suppressWarnings(predict(theirs, data))$posterior
    expect_same_posterior(as_bayes_model(theirs), data, prob)
  }
  for (gamma in c(0, 0.3, 1)) {
    for (lambda in c(0, 0.6, 1)) {
      theirs <- klaR::rda(Species ~ ., iris, gamma = gamma, lambda = lambda)
      expect_same_posterior(as_bayes_model(theirs), iris, predict(theirs, iris)$posterior)
    }
  }
})

test_that("a zero is a zero here, and the threshold of the others there", {
  skip_if_not_installed("e1071")
  data <- data.frame(y = rep(c("a", "b"), each = 4), g = rep(c("u", "v"), c(5, 3)))
  theirs <- e1071::naiveBayes(y ~ g, data)
  new <- data.frame(g = "v")
  expect_within(predict(theirs, new, type = "raw")[, "a"], 0.001 / 0.751, 1e-12)
  expect_within(predict(as_bayes_model(theirs), new, type = "prob"), c(0, 1), 0)
})

test_that("kernels, tables that are no probabilities and constant features are refused", {
  refused <- function(x, pattern) {
    expect_error(as_bayes_model(x), pattern, class = "bayesrisk_error_argument")
  }
  if (rlang::is_installed("klaR")) {
    refused(klaR::NaiveBayes(Species ~ ., iris, usekernel = TRUE), "nearest")
  }
  if (rlang::is_installed("naivebayes")) {
    refused(naivebayes::naive_bayes(Species ~ ., iris, usekernel = TRUE), "between")
  }
  skip_if_not_installed("e1071")
  data <- data.frame(y = rep(c("a", "b"), 4), g = rep(c("u", "v"), c(5, 3)), x = 1)
  refused(e1071::naiveBayes(y ~ g, data, laplace = 1), "sum to 1")
  refused(e1071::naiveBayes(y ~ x, data), "sd")
  expect_error(
    as_bayes_model(structure(list(), class = "rda")), "another package",
    class = "bayesrisk_error_argument"
  )
})

test_that("with counts the statistics of e1071 are those of a fit", {
  skip_if_not_installed("e1071")
  data <- transform(iris, wide = Sepal.Width > 3)
  theirs <- e1071::naiveBayes(Species ~ ., data)
  model <- as_bayes_model(theirs, n = theirs$apriori)
  ours <- fit(bayes_naive(), Species ~ ., data)
  expect_within(logLik(model), logLik(ours), 1e-13)
  expect_identical(counts(model)$wide, counts(ours)$wide)
})

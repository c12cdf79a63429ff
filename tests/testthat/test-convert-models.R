# Posteriors of MASS and mclust.

test_that("quadratic discriminant analysis of MASS, in all its forms", {
  skip_if_not_installed("MASS")
  fits <- list(
    MASS::qda(Species ~ ., iris), MASS::qda(iris[1:4], iris$Species, prior = c(0.2, 0.3, 0.5)),
    MASS::qda(Species ~ ., iris, method = "mle"), MASS::qda(Species ~ ., iris, method = "t"),
    MASS::qda(Species ~ Petal.Width, iris)
  )
  for (theirs in fits) {
    new <- iris[rownames(iris), colnames(theirs$means), drop = FALSE]
    expect_same_posterior(as_bayes_model(theirs), new, predict(theirs, new)$posterior)
  }
})

test_that("levels without rows are no classes of lda()", {
  skip_if_not_installed("MASS")
  two <- iris[iris$Species != "setosa", ]
  for (theirs in suppressWarnings(list(
    MASS::lda(Species ~ ., two), MASS::lda(Species ~ Sepal.Length, two)
  ))) {
    model <- suppressMessages(as_bayes_model(theirs))
    expect_same_posterior(model, two, predict(theirs, two)$posterior)
  }
})

test_that("classes with a prior of 0 do not count in the directions of lda()", {
  skip_if_not_installed("MASS")
  d <- withr::with_seed(1, data.frame(y = gl(4, 50), matrix(stats::rnorm(600), 200)))
  d[-1] <- d[-1] + as.integer(d$y) * rep(c(0.5, 0.2, 0.9), each = 200)
  d$X2[d$y == 3] <- d$X2[d$y == 3] + 2
  for (prior in list(c(0, 0.3, 0.3, 0.4), c(0, 0, 0.6, 0.4))) {
    theirs <- MASS::lda(y ~ ., d, prior = prior)
    expect_message(model <- as_bayes_model(theirs), class = "bayesrisk_message_directions")
    expect_same_posterior(model, d, predict(theirs, d)$posterior)
  }
})

test_that("linear discriminant analysis of MASS, with all directions and with few", {
  skip_if_not_installed("MASS")
  for (features in list(1, 3:4, 1:4)) {
    data <- iris[c(features, 5)]
    theirs <- MASS::lda(Species ~ ., data, prior = c(0.5, 0.3, 0.2))
    convert <- function() as_bayes_model(theirs)
    if (length(features) > 2L) {
      model <- NULL
      expect_message(model <- convert(), "2 of 4", class = "bayesrisk_message_directions")
    } else {
      model <- expect_silent(convert())
    }
    expect_same_posterior(model, data, predict(theirs, data)$posterior)
  }
  expect_error(
    as_bayes_model(theirs, n = c(setosa = 50, versicolor = 50, virginica = 50)), "2 of 4",
    class = "bayesrisk_error_argument"
  )
})

test_that("collinear features of different units keep the digits of MASS", {
  skip_if_not_installed("MASS")
  for (noise in c(1, 1e-2, 1e-3)) {
    withr::local_seed(2)
    y <- factor(rep_len(c("a", "b", "c"), 300))
    directions <- matrix(stats::rnorm(1200), 300) + 0.5 * as.integer(y)
    x <- directions %*% matrix(stats::rnorm(120), 4) + noise * stats::rnorm(9000)
    x <- sweep(x, 2L, 10^stats::runif(30, -4, 4), "*")
    colnames(x) <- paste0("x", 1:30)
    for (theirs in list(MASS::lda(x, y, tol = 1e-12), MASS::qda(x, y))) {
      model <- suppressMessages(as_bayes_model(theirs))
      ours <- predict(model, x, type = "prob")
      expect_within(ours, predict(theirs, x)$posterior, 1e-11, scale = 1)
      expect_null(attr(model$spec$features[[1L]], "factor"))
      saved <- unserialize(serialize(model, NULL))
      expect_identical(predict(saved, x, type = "prob"), ours)
    }
  }
})

test_that("with counts the statistics of MASS are those of a fit", {
  skip_if_not_installed("MASS")
  n <- c(setosa = 50, versicolor = 50, virginica = 50)
  same <- function(theirs, spec, data = iris) {
    model <- as_bayes_model(theirs, n = n)
    ours <- fit(spec, Species ~ ., data)
    expect_identical(model$spec, ours$spec)
    expect_within(logLik(model), logLik(ours), 1e-13)
    expect_same_predictions(update(model, iris[1:20, 1:4], y = iris$Species[1:20]),
                            update(ours, iris[1:20, ]), iris)
  }
  same(MASS::qda(Species ~ ., iris), bayes_full())
  same(MASS::qda(Species ~ ., iris, method = "mle"), bayes_full(variance = "ml"))
  same(MASS::lda(Species ~ ., iris[3:5]), bayes_full(covariance = "pooled"), iris[3:5])
  expect_error(
    as_bayes_model(MASS::qda(Species ~ ., iris, method = "t"), n = n), "moment",
    class = "bayesrisk_error_argument"
  )
})

test_that("a method that the call does not tell is an error", {
  skip_if_not_installed("MASS")
  method <- "mle"
  fit <- MASS::qda(Species ~ ., iris, method = method)
  n <- c(setosa = 50, versicolor = 50, virginica = 50)
  expect_bayesrisk_error(as_bayes_model(fit, n = n), "argument", "does not tell the method")
  expect_equal(predict(as_bayes_model(fit), iris), predict(fit, iris)$class)
})

test_that("coded factors are refused", {
  skip_if_not_installed("MASS")
  data <- transform(iris, g = rep(c("u", "v", "w"), 50))
  expect_error(
    as_bayes_model(MASS::qda(Species ~ Petal.Width + g, data)), "`?g`?",
    class = "bayesrisk_error_argument"
  )
})

test_that("mclust: one and several features, one and several components", {
  skip_if_not_installed("mclust")
  # mclust shortens names of its own lists.
  withr::local_options(warnPartialMatchDollar = FALSE)
  for (type in c("EDDA", "MclustDA")) {
    theirs <- withr::with_package("mclust", mclust::MclustDA(
      iris[1:4], iris$Species, modelType = type, G = 1:2, verbose = FALSE
    ))
    expect_same_posterior(as_bayes_model(theirs), iris, predict(theirs, iris[1:4])$z)
    theirs <- withr::with_package("mclust", mclust::MclustDA(
      iris$Petal.Width, iris$Species, modelType = type, G = 1:2, verbose = FALSE
    ))
    new <- data.frame(x = iris$Petal.Width)
    expect_same_posterior(as_bayes_model(theirs), new, predict(theirs, iris$Petal.Width)$z)
  }
})

test_that("a model of ours stays, and other objects are errors", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  expect_identical(as_bayes_model(model), model)
  wrong <- list(iris, NULL, 1, stats::lm(Petal.Width ~ Species, iris))
  for (x in wrong) expect_error(as_bayes_model(x), class = "bayesrisk_error_argument")
  expect_error(as_bayes_model(), class = "bayesrisk_error_argument")
})

test_that("damaged models of other packages are classed errors", {
  fits <- list()
  if (rlang::is_installed("MASS")) {
    fits <- list(MASS::qda(Species ~ ., iris), MASS::lda(Species ~ ., iris[3:5]))
  }
  if (rlang::is_installed("klaR")) {
    fits <- c(fits, list(
      klaR::NaiveBayes(Species ~ ., iris), klaR::rda(Species ~ ., iris, gamma = 0.1, lambda = 0.1)
    ))
  }
  if (rlang::is_installed("e1071")) fits <- c(fits, list(e1071::naiveBayes(Species ~ ., iris)))
  if (rlang::is_installed("naivebayes")) {
    fits <- c(fits, list(naivebayes::naive_bayes(Species ~ ., iris)))
  }
  for (x in fits) {
    broken <- c(lapply(names(x), function(part) replace(x, part, list(NULL))),
                lapply(names(x), function(part) replace(x, part, list("a"))),
                list(structure(1, class = class(x)), structure(list(), class = class(x))))
    for (damaged in broken) {
      outcome <- tryCatch(muffle_ours(as_bayes_model(damaged)), error = identity)
      expect_true(
        inherits(outcome, c("bayesrisk_error", "bayesrisk_model")),
        info = paste(class(x), class(outcome)[[1L]], conditionMessage(outcome))
      )
    }
  }
})

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

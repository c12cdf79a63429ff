# m-estimate and four examples: lecture "Naive Bayes Learning (after Mooney)"; Gaussian
# estimates of iris: "Bayesian Learning (Galili, Shamir, Yakhini)", as exact fractions.

level_probabilities <- function(likelihood, counts = c(small = 4, medium = 0, large = 6)) {
  size <- factor(rep(names(counts), counts), names(counts))
  model <- one_class(
    fit_xy(bayes_naive(categorical = likelihood), data.frame(size), rep("positive", 10))
  )
  exp(as.vector(bank_of(model)$log_probability))
}

test_that("the m-estimate gives the lecture's 13/33, 1/33, 19/33", {
  m <- likelihood_categorical(m = 1, p = 1 / 3)
  expect_within(level_probabilities(m), c(13, 1, 19) / 33, 1e-14)
  expect_within(level_probabilities(likelihood_categorical(m = 3)), c(5, 1, 7) / 13, 1e-14)
  expect_within(level_probabilities(likelihood_categorical(laplace = 1)), c(5, 1, 7) / 13, 1e-14)
})

test_that("smoothing per level goes by name, or else by order", {
  p <- c(large = .5, small = .2, medium = .3)
  by_name <- likelihood_categorical(m = 2, p = p)
  expect_within(level_probabilities(by_name), (c(4, 0, 6) + 2 * c(.2, .3, .5)) / 12, 1e-14)
  in_order <- likelihood_categorical(laplace = c(1, 2, 3))
  expect_within(level_probabilities(in_order), c(5, 2, 9) / 16, 1e-14)
  named <- likelihood_categorical(laplace = c(medium = 2, large = 3, small = 1))
  expect_within(level_probabilities(named), c(5, 2, 9) / 16, 1e-14)
})

test_that("smoothing that does not fit the levels names the feature", {
  expect_error(level_probabilities(likelihood_categorical(m = 1, p = .5)), "size",
               class = "bayesrisk_error_argument")
  expect_error(level_probabilities(likelihood_categorical(laplace = c(1, 2))), "size",
               class = "bayesrisk_error_argument")
})

test_that("four examples: an unseen level is 0/0, or 49/65 and 9/13 when smoothed", {
  x <- data.frame(
    size = factor(c("small", "large", "small", "large"), c("small", "medium", "large")),
    color = factor(c("red", "red", "red", "blue"), c("red", "blue", "green")),
    shape = factor(c("circle", "circle", "triangle", "circle"), c("square", "triangle", "circle"))
  )
  y <- factor(c("positive", "positive", "negative", "negative"), c("positive", "negative"))
  query <- data.frame(size = "medium", color = "red", shape = "circle")
  expect_warning(
    p <- predict(fit_xy(bayes_naive(), x, y), query, type = "prob"),
    class = "bayesrisk_warning_impossible"
  )
  expect_true(all(is.na(p)))
  smooth <- function(m) {
    spec <- bayes_naive(categorical = likelihood_categorical(m = m))
    predict(fit_xy(spec, x, y), query, type = "prob")[, "positive"]
  }
  expect_within(smooth(1), 49 / 65, 1e-14)
  expect_within(smooth(3), 9 / 13, 1e-14)
})

test_that("a joint table is smoothed per cell", {
  x <- data.frame(a = c("p", "p", "q"), b = c("u", "u", "w"))
  x$b <- factor(x$b, c("u", "v", "w"))
  model <- one_class(fit_xy(bayes_full(laplace = 0.5), x, rep("k", 3)))
  grid <- expand.grid(a = c("p", "q"), b = c("u", "v", "w"))
  likelihood <- exp(predict(model, grid, type = "log_likelihood"))
  expect_within(likelihood, (c(2, 0, 0, 0, 0, 1) + 0.5) / (3 + 0.5 * 6), 1e-14)
})

test_that("sepal length: means, unbiased and ML variances are the exact fractions", {
  unbiased <- bank_of(fit(bayes_naive(), Species ~ Sepal.Length, iris))
  ml <- bank_of(fit(bayes_naive(variance = "ml"), Species ~ Sepal.Length, iris))
  expect_within(unbiased$mean, c(2503 / 500, 742 / 125, 1647 / 250), 1e-15)
  expect_within(unbiased$sd^2, c(30441 / 245000, 16319 / 61250, 1769 / 4375), 1e-14)
  expect_within(ml$sd^2, c(30441 / 250000, 16319 / 62500, 12383 / 31250), 1e-14)
})

test_that("sepal length 5.2: densities and posteriors of the lecture's question", {
  query <- data.frame(Sepal.Length = 5.2)
  for (variance in c("ml", "unbiased")) {
    model <- fit(bayes_naive(variance = variance, prior = "uniform"), Species ~ Sepal.Length, iris)
    density <- exp(predict(model, query, type = "log_likelihood"))
    expected <- if (variance == "ml") {
      list(c(.979563589, .276695196, .055741817), c(.746618247, .210895632, .042486121))
    } else {
      list(c(.972720416, .279656353, .057930727), c(.742360415, .213428034, .044211551))
    }
    expect_within(density, expected[[1]], 5e-10, scale = 1)
    expect_within(predict(model, query, type = "prob"), expected[[2]], 5e-10, scale = 1)
  }
})

test_that("case weights count as copies: mean 9/4, variance 19/12 or 19/16 (N11)", {
  x <- data.frame(x = c(1, 2, 4))
  sd <- function(variance) {
    bank <- one_class(fit_xy(bayes_naive(variance = variance), x, rep("k", 3), c(1, 2, 1)))
    bank <- bank_of(bank)
    expect_identical(as.vector(bank$mean), 9 / 4)
    as.vector(bank$sd)
  }
  expect_within(sd("unbiased")^2, 19 / 12, 1e-15)
  expect_within(sd("ml")^2, 19 / 16, 1e-15)
})

strict_full <- bayes_full(degenerate = "stop")

test_that("min_variance is a lower bound of single features, and nothing is added", {
  x <- data.frame(x = c(5, 5, 5, 4, 5, 6))
  y <- rep(c("a", "b"), each = 3)
  floored <- fit_xy(bayes_naive(numeric = likelihood_gaussian(min_variance = 0.25)), x, y)
  expect_within(bank_of(floored)$sd, c(0.5, 1), 1e-15)
  expect_error(fit_xy(bayes_naive(degenerate = "stop"), x, y), "\"a\".*`x`.*min_variance",
               class = "bayesrisk_error_degenerate")
})

test_that("covariances: per class, pooled and shrunk, as algebra says", {
  x <- as.matrix(iris[c(1:50, 61:100, 121:150), 1:3])
  y <- iris$Species[c(1:50, 61:100, 121:150)]
  n <- c(50, 40, 30)
  s <- lapply(split(seq_along(y), y), function(i) cov(x[i, ]))
  pooled <- Reduce(`+`, Map(`*`, s, n - 1)) / (sum(n) - 3)
  ml <- Map(function(s, n) s * (n - 1) / n, s, n)
  ml_pooled <- Reduce(`+`, Map(`*`, ml, n)) / sum(n)
  expect_covariances <- function(expected, ...) {
    found <- covariances_of(fit_xy(bayes_full(...), x, y))
    expect_length(found, length(expected))
    Map(function(a, b) expect_within(a, b, 1e-12), found, expected)
  }
  shrink <- function(s, pooled, g) lapply(s, function(s) (1 - g) * s + g * pooled)
  expect_covariances(s)
  expect_covariances(list(pooled), covariance = "pooled")
  expect_covariances(list(ml_pooled), covariance = "pooled", variance = "ml")
  expect_covariances(shrink(s, pooled, .3), shrinkage = .3)
  expect_covariances(shrink(ml, ml_pooled, .7), shrinkage = .7, variance = "ml")
  expect_same_predictions(
    fit_xy(bayes_full(shrinkage = 1), x, y), fit_xy(bayes_full(covariance = "pooled"), x, y), x
  )
})

test_that("covariances shrunk towards the identity are those of klaR's rda()", {
  skip_on_cran()
  skip_if_not_installed("klaR")
  x <- as.matrix(iris[c(1:50, 61:100, 121:150), 1:4])
  y <- iris$Species[c(1:50, 61:100, 121:150)]
  for (weights in list(c(0, 0.3), c(0.4, 0.2), c(1, 0.7), c(0.5, 1))) {
    shrinkage <- weights[[1]]
    identity <- weights[[2]]
    model <- fit_xy(bayes_full(shrinkage = shrinkage, identity = identity), x, y)
    other <- klaR::rda(x, y, gamma = identity, lambda = shrinkage)
    expect_within(
      unname(predict(model, x, type = "prob")), unname(predict(other, x)$posterior), 1e-12,
      scale = 1
    )
    s <- (1 - shrinkage) * other$covariances[, , 1] + shrinkage * other$covpooled
    s <- (1 - identity) * s + identity * mean(diag(s)) * diag(4)
    expect_within(unname(covariances_of(model)[[1]]), s, 1e-12)
  }
  ml <- covariances_of(fit_xy(bayes_full(identity = 0.3, variance = "ml"), x, y))[[2]]
  s <- cov(x[51:90, ]) * 39 / 40
  expect_within(ml, 0.7 * s + 0.3 * mean(diag(s)) * diag(4), 1e-12)
})

test_that("the identity mends dependent features, constants and few rows", {
  few <- transform(iris[c(1:3, 51:100), ], Species = droplevels(Species), Sum = Sepal.Length * 2)
  few$Petal.Width[1:3] <- 0.2
  spec <- bayes_full(identity = 0.1, degenerate = "stop")
  model <- fit(spec, Species ~ ., few)
  s <- cov(few[1:3, -5])
  expect_within(covariances_of(model)[[1]], 0.9 * s + 0.1 * mean(diag(s)) * diag(5), 1e-12)
  pooled <- fit(bayes_full(covariance = "pooled", identity = 0.1), Species ~ ., few)
  expect_false(anyNA(predict(pooled, few, type = "prob")))
  # One row has no covariance: it borrows, although the pooled one is singular.
  expect_warning(
    single <- fit(bayes_full(identity = 0.1), Species ~ ., few[3:53, ]), "setosa",
    class = "bayesrisk_warning_degenerate"
  )
  s <- cov(few[4:53, -5])
  expect_within(covariances_of(single)[[1]], 0.9 * s + 0.1 * mean(diag(s)) * diag(5), 1e-12)
  # Merged statistics have the same triangles.
  parts <- merge(fit(spec, Species ~ ., few[c(1:2, 4:30), ]), fit(spec, Species ~ ., few))
  twice <- fit(spec, Species ~ ., few[c(1:2, 4:30, 1:53), ])
  expect_within(covariances_of(parts)[[1]], covariances_of(twice)[[1]], 1e-12)
})

test_that("shrinkage mends a class with few rows; p + 1 rows need none (G3, G4)", {
  few <- iris[c(1:4, 51:100), ]
  few$Species <- droplevels(few$Species)
  expect_error(fit(strict_full, Species ~ ., few), "\"setosa\" has 4 rows.*shrinkage",
               class = "bayesrisk_error_degenerate")
  s <- lapply(split(few[1:4], few$Species), cov)
  pooled <- (3 * s$setosa + 49 * s$versicolor) / 52
  shrunk <- covariances_of(fit(bayes_full(shrinkage = .2), Species ~ ., few))
  expect_within(shrunk[[1]], .8 * s$setosa + .2 * pooled, 1e-11)
  five <- one_class(fit_xy(bayes_full(), iris[c(1, 14, 19, 42, 33), 1:4], rep("setosa", 5)))
  expect_true(all(is.finite(bank_of(five)$factor[[1]])))
})

test_that("the prior: shares, uniform, by name, in order", {
  prior <- function(prior) fit(bayes_naive(laplace = 1, prior = prior), play ~ ., play_tennis)
  expect_identical(prior(NULL)$parameters$prior, c(9, 5) / 14)
  expect_identical(prior("uniform")$parameters$prior, c(.5, .5))
  expect_identical(prior(c(no = .8, yes = .2))$parameters$prior, c(.2, .8))
  expect_identical(prior(c(.8, .2))$parameters$prior, c(.8, .2))
  expect_error(prior(c(no = .8, maybe = .2)), "prior", class = "bayesrisk_error_argument")
  expect_error(prior(c(.5, .3, .2)), "prior", class = "bayesrisk_error_argument")
})

test_that("the prior moves the posterior as Bayes' theorem says (P2, P5)", {
  x <- data.frame(a = c(-2, -1, -1, 1, 1, 2), b = c(-1, -1, -2, 1, 2, 1))
  y <- rep(1:2, each = 3)
  first <- function(variance) {
    model <- fit_xy(bayes_naive(variance = variance, prior = c(.3, .7)), x, y)
    predict(model, data.frame(a = -.1, b = -.1), type = "prob")[, "1"]
  }
  expect_within(first("unbiased"), 0.67976719658103483, 1e-13)
  expect_within(first("ml"), 0.82530366216168260, 1e-13)
  # The four-feature naive model of iris under two tiny priors.
  tiny <- fit(bayes_naive(prior = c(1e-12, 1 - 1e-11, 9e-12)), Species ~ ., iris)
  query <- data.frame(Sepal.Length = 5.2, Sepal.Width = 3.6, Petal.Length = 1.5, Petal.Width = .3)
  expect_within(predict(tiny, query, type = "prob")[, "setosa"], 0.999876506254, 1e-11)
})

test_that("a class without rows keeps its level, with prior and posterior 0 and one message", {
  expect_message(
    model <- fit(bayes_naive(), Species ~ ., iris[1:100, ]), "virginica",
    class = "bayesrisk_message_empty_class"
  )
  expect_identical(model$parameters$prior, c(.5, .5, 0))
  p <- predict(model, iris, type = "prob")
  expect_true(all(p[, "virginica"] == 0) && !anyNA(p))
  expect_identical(levels(predict(model, iris)), levels(iris$Species))
  expect_error(predict(model, iris, prior = c(.4, .3, .3)), "virginica",
               class = "bayesrisk_error_argument")
  expect_message(uniform <- update(model, prior = "uniform"), class = "bayesrisk_message")
  expect_identical(uniform$parameters$prior, c(.5, .5, 0))
})

test_that("one error lists every class and feature, and the remedy (N9, N10)", {
  x <- data.frame(flat = c(1, 1, 1, 7, 8, 9, 3), level = c(2, 2, 2, 5, 5, 5, 4))
  y <- c("a", "a", "a", "b", "b", "b", "lone")
  strict <- bayes_naive(degenerate = "stop")
  error <- expect_error(fit_xy(strict, x, y), class = "bayesrisk_error_degenerate")
  text <- conditionMessage(error)
  expect_match(text, "\"a\": `flat`, `level` constant")
  expect_match(text, "\"b\": `level` constant")
  expect_match(text, "\"lone\" weighs 1 in `flat`, `level`")
  expect_match(text, "min_variance")
  expect_match(text, "variance = \"ml\"", fixed = TRUE)
  expect_s3_class(fit_xy(bayes_naive(), data.frame(f = letters[1:7]), y), "bayesrisk_model")
})

test_that("a block says which count is too small, rows or weight", {
  skip_on_cran()
  light <- expect_error(
    fit(strict_full, Species ~ ., iris, weights = rep(1e-3, 150)), "\"setosa\"",
    class = "bayesrisk_error_degenerate"
  )
  expect_match(conditionMessage(light), "variance = \"ml\"", fixed = TRUE)
  expect_match(conditionMessage(light), "0.05")
  few <- iris[c(1:3, 51:100), ]
  error <- expect_error(fit(strict_full, Species ~ ., few), class = "bayesrisk_error_degenerate")
  expect_false(grepl("variance = \"ml\"", conditionMessage(error), fixed = TRUE))
})

test_that("singular covariances name class and rank (G2)", {
  x <- iris[1:4]
  x$double <- 2 * x$Sepal.Length
  expect_error(fit_xy(strict_full, x, iris$Species), "\"versicolor\".*rank 4 of 5",
               class = "bayesrisk_error_degenerate")
  x$double <- 7
  expect_error(fit_xy(strict_full, x, iris$Species), "`double` constant",
               class = "bayesrisk_error_degenerate")
})

test_that("statistics of another likelihood are not estimated", {
  collected <- bayes_statistics(bayes_naive(), y ~ x, mixed())
  other <- bayes_naive(numeric = likelihood_poisson())
  expect_bayesrisk_error(estimate_by(other, collected, NULL), "argument", "other likelihoods")
})

test_that("rows of one class are said once, and not when another class follows", {
  skip_on_cran()
  rows <- data.frame(y = "a", x = as.numeric(1:8), r = rep(1:2, 4), w = 1)
  both <- transform(rows, y = rep(c("a", "b"), each = 4), w = rep(c(1, 0), each = 4))
  spec <- bayes_naive()
  calls <- list(
    function() fit(spec, y ~ x, rows), function() fit(spec, y ~ 1, rows),
    function() fit(spec, y ~ x, transform(rows, y = factor(y, c("b", "a")))),
    function() fit(spec, y ~ x, both, weights = w),
    function() fit(spec, y ~ x, both, subset = x < 5),
    function() fit_xy(spec, rows["x"], rows$y), function() fit(spec, y ~ x, chunked(rows, 3L)),
    function() fit(spec, bayes_statistics(spec, y ~ x, rows)),
    function() fit(bayes_naive(temper = TRUE), y ~ x, rows),
    function() cv_risk(list(a = spec, b = bayes_full()), y ~ x, rows, folds = 4),
    function() fit(spec, y ~ x, rows, by = r)
  )
  for (f in calls) {
    said <- list()
    withCallingHandlers(
      f(), bayesrisk_warning_separated = function(w) rlang::cnd_muffle(w),
      warning = function(w) {
        said[[length(said) + 1L]] <<- w
        rlang::cnd_muffle(w)
      },
      bayesrisk_message_empty_class = function(m) testthat::fail(conditionMessage(m)),
      bayesrisk_message_weightless_level = function(m) rlang::cnd_muffle(m)
    )
    expect_length(said, 1L)
    expect_s3_class(said[[1L]], "bayesrisk_warning_one_class")
  }
  expect_warning(model <- fit(spec, y ~ x, rows), "class \"a\".*update\\(\\)")
  expect_no_warning(update(model, both))
  expect_no_warning(merge(model, fit(spec, y ~ x, both)))
  expect_no_warning(merge(bayes_statistics(spec, y ~ x, rows), bayes_statistics(spec, y ~ x, both)))
  expect_no_warning(bayes_known(
    c(a = 1), x = likelihood_gaussian(mean = c(a = 0), sd = 1), n = c(a = 4)
  ))
  expect_warning(fit(spec, y ~ x, both, by = y), "2 of 2 groups.*\"a\", \"b\"",
                 class = "bayesrisk_warning_one_class")
})

# PlayTennis: lectures "Chapter ML:IV Statistical Learning: Bayes Classification",
# "Applied Machine Learning Fundamentals, Unit III" (Wehner) and "CSE 4553 Lecture 5"
# (Mahmud); fractions worked out from the 14 rows. Iris counts: lecture "Bayesian
# Learning (Galili, Shamir, Yakhini)"; posteriors to 16 digits in 60-digit arithmetic.

test_that("PlayTennis gives the lectures' scores and posterior", {
  model <- fit(bayes_naive(), play ~ ., play_tennis)
  score <- exp(predict(model, play_query(), type = "log_joint"))
  expect_within(score, c(1 / 189, 18 / 875), 1e-14)
  expect_within(predict(model, play_query(), type = "prob"), c(125, 486) / 611, 1e-14)
  expect_within(predict(model, play_query(), type = "log_evidence"), log(611 / 23625), 1e-14)
  expect_identical(predict(model, play_query()), factor("no", c("yes", "no")))
})

test_that("13 of the 14 training rows are right; row 6 is the error", {
  model <- fit(bayes_naive(), play ~ ., play_tennis)
  expect_identical(which(predict(model, play_tennis) != play_tennis$play), 6L)
  posterior <- predict(model, play_tennis, type = "prob")
  expect_within(posterior[6, "yes"], 125 / 152, 1e-14)
  overcast <- play_tennis$outlook == "overcast"
  expect_true(all(posterior[overcast, "yes"] == 1))
  expect_true(all(posterior[overcast, "no"] == 0))
})

test_that("a value unseen in one class gives exactly 1 and 0", {
  model <- fit(bayes_naive(), play ~ ., play_tennis)
  query <- play_query("overcast")
  expect_identical(as.vector(predict(model, query, type = "prob")), c(1, 0))
  expect_identical(as.vector(predict(model, query, type = "log_prob")), c(0, -Inf))
  expect_within(exp(predict(model, query, type = "log_joint")), c(2 / 189, 0), 1e-14)
})

test_that("Laplace and the m-estimate give the exact posteriors", {
  laplace <- fit(bayes_naive(laplace = 1), play ~ ., play_tennis)
  score <- exp(predict(laplace, play_query(), type = "log_joint"))
  expect_within(score, c(6 / 847, 25 / 1372), 1e-14)
  expect_within(predict(laplace, play_query(), type = "prob")[, "no"], 3025 / 4201, 1e-14)
  overcast <- predict(laplace, play_query("overcast"), type = "prob")
  expect_within(overcast[, "yes"], 1568 / 2173, 1e-14)

  m <- fit(bayes_naive(categorical = likelihood_categorical(m = 1)), play ~ ., play_tennis)
  score <- exp(predict(m, play_query(), type = "log_joint"))
  expect_within(score, c(49 / 8000, 25 / 1296), 1e-14)
  expect_within(predict(m, play_query(), type = "prob")[, "no"], 12500 / 16469, 1e-14)
})

test_that("iris has the lecture's training errors (X14, X15)", {
  errors <- function(spec, formula = Species ~ .) {
    error_table(fit(spec, formula, iris), iris, "Species")[2:3, 2:3]
  }
  petals <- Species ~ Petal.Length + Petal.Width
  counts <- function(...) {
    matrix(c(...), 2, byrow = TRUE, dimnames = rep(list(c("versicolor", "virginica")), 2))
  }
  expect_equal(errors(bayes_naive()), counts(47, 3, 3, 47))
  expect_equal(errors(bayes_full()), counts(48, 2, 1, 49))
  expect_equal(sum(diag(errors(bayes_naive(), petals))), 94)
  expect_equal(errors(bayes_full(), petals), counts(49, 1, 2, 48))
  petal_block <- bayes_blocks(list(petal = c("Petal.Length", "Petal.Width")))
  expect_equal(errors(petal_block), counts(48, 2, 3, 47))
})

test_that("sepals alone: 33 naive and 30 full errors, 145 rows alike", {
  sepals <- Species ~ Sepal.Length + Sepal.Width
  naive <- predict(fit(bayes_naive(), sepals, iris), iris)
  full <- predict(fit(bayes_full(), sepals, iris), iris)
  expect_identical(sum(naive != iris$Species), 33L)
  expect_identical(sum(full != iris$Species), 30L)
  expect_identical(sum(naive == full), 145L)
})

test_that("naive iris posteriors and log joints have eleven digits (X14)", {
  model <- fit(bayes_naive(prior = "uniform"), Species ~ ., iris)
  expect_within(
    predict(model, iris[134, ], type = "prob"),
    c(1.128613216064610e-128, 0.7118948314665854, 0.2881051685334146), 1e-11
  )
  expect_within(
    predict(model, iris[71, ], type = "log_joint"),
    c(-295.6019106316772, -5.052319302242023, -3.401039476477107), 1e-11
  )
  versicolor <- predict(model, iris[71, ], type = "prob")[, "versicolor"]
  expect_within(versicolor, 0.1609360524821341, 1e-11)
})

test_that("full iris posteriors and determinants have eleven digits (X15)", {
  model <- fit(bayes_full(), Species ~ ., iris)
  posterior <- predict(model, iris[c(134, 71, 84), ], type = "prob")
  expect_within(
    posterior[, "versicolor"],
    c(0.6049611315124625, 0.3359441831241472, 0.1543483309816290), 1e-11
  )
  expect_within(posterior[1, "setosa"], 4.550669937646806e-111, 1e-11)
  log_determinant <- vapply(bank_of(model)$factor, function(u) 2 * sum(log(abs(diag(u)))), 1)
  expect_within(
    log_determinant, c(-13.067360326587802, -10.874325040246486, -8.9270584782588599), 1e-11
  )
})

test_that("Titanic: frequencies as weights equal their rows (X3)", {
  frequencies <- as.data.frame(Titanic)
  expanded <- frequencies[rep(seq_len(nrow(frequencies)), frequencies$Freq), 1:4]
  weighted <- fit(bayes_naive(), Survived ~ ., frequencies, weights = Freq)
  copied <- fit(bayes_naive(), Survived ~ ., expanded)
  expect_identical(weighted$parameters$banks, copied$parameters$banks)
  expect_identical(weighted$parameters$prior, copied$parameters$prior)
  who <- data.frame(Class = c("1st", "3rd"), Sex = c("Female", "Male"), Age = c("Child", "Adult"))
  expect_within(
    predict(weighted, who, type = "prob")[, "Yes"],
    c(26300414650 / 27503049109, 0.15338291877237057), 1e-14
  )
  smooth <- update(weighted, laplace = 1)
  expect_within(predict(smooth, who[1, ], type = "prob")[, "Yes"], 0.95560838715699344, 1e-14)
})

test_that("two features that contradict each other leave NA and one warning (X4, X6, X7)", {
  x <- data.frame(x1 = factor(1:2, 0:2), x2 = factor(4:5, 0:5))
  smooth <- fit_xy(bayes_naive(laplace = 1, prior = "uniform"), x, c("a", "b"))
  expect_within(predict(smooth, x[2, ], type = "prob"), c(1 / 5, 4 / 5), 1e-14)

  raw <- fit_xy(bayes_naive(), x, c("a", "b"))
  expect_identical(as.vector(predict(raw, x[1, ], type = "log_prob")), c(0, -Inf))
  crossed <- data.frame(x1 = c("1", "1", "2"), x2 = c("5", "4", "5"))
  expect_warning(p <- predict(raw, crossed, type = "prob"), class = "bayesrisk_warning_impossible")
  expect_true(all(is.na(p[1, ])))
  expect_identical(unname(p[2:3, ]), diag(2))
})

test_that("kinds mix: the log joint is the prior plus each feature's log likelihood", {
  cars <- transform(mtcars, gear = factor(gear), vs = vs == 1)
  model <- fit(bayes_naive(laplace = 1), am ~ gear + wt + vs, cars)
  single <- function(formula) {
    predict(fit(bayes_naive(laplace = 1), formula, cars), cars, type = "log_likelihood")
  }
  total <- single(am ~ gear) + single(am ~ wt) + single(am ~ vs)
  log_prior <- log(rep(c(19, 13) / 32, each = 32))
  expect_within(predict(model, cars, type = "log_joint"), total + log_prior, 1e-13)
})

test_that("fit, fit_xy, matrices and x/y in fit() give the same model", {
  model <- fit(bayes_full(), Species ~ ., iris)
  expect_identical(fit_xy(bayes_full(), iris[1:4], iris$Species)$parameters, model$parameters)
  matrix <- as.matrix(iris[1:4])
  expect_identical(fit_xy(bayes_full(), matrix, iris$Species)$parameters, model$parameters)
  expect_identical(fit(bayes_full(), iris[1:4], iris$Species)$parameters, model$parameters)
})

test_that("a model of one feature is the same, naive and full (G8)", {
  naive <- fit(bayes_naive(), Species ~ Sepal.Width, iris)
  full <- fit(bayes_full(), Species ~ Sepal.Width, iris)
  expect_same_predictions(naive, full, iris, 1e-13)
})

test_that("y ~ 1 is the prior, and one class alone is certain", {
  prior_only <- fit(bayes_naive(), play ~ 1, play_tennis)
  expect_within(predict(prior_only, play_tennis, type = "prob"), rep(c(9, 5) / 14, each = 14), 0)
  one <- one_class(fit(bayes_full(), Species ~ ., droplevels(iris[1:50, ])))
  expect_identical(
    predict(one, iris[c(1, 120), ], type = "prob"),
    matrix(1, 2, 1, dimnames = list(c("1", "120"), "setosa"))
  )
})

test_that("what fit() cannot use is named", {
  for (formula in list("Species ~ .", iris)) {
    expect_bayesrisk_error(fit(bayes_naive(), formula), "argument", "must be a formula")
  }
  expect_bayesrisk_error(fit(bayes_naive(), "Species ~ .", iris), "argument", "must be a formula")
  expect_error(fit(bayes_naive(), play ~ ., play_tennis, wieghts = 1), "wieghts",
               class = "bayesrisk_error_argument")
  expect_error(fit(bayes_naive(), play ~ .), "data", class = "bayesrisk_error_argument")
  expect_error(fit_xy(bayes_naive(), iris[0], iris$Species), "no columns",
               class = "bayesrisk_error_data")
  expect_error(fit(bayes_naive(), iris[1:4], iris$Species, subset = 1:9), "subset",
               class = "bayesrisk_error_argument")
})

test_that("a class that is NA by level, and a feature without any level, are named", {
  data <- data.frame(x = c(1, 2, 4, 7), y = addNA(factor(c("a", "a", NA, NA))))
  expect_error(fit(bayes_naive(), y ~ x, data), "`?y`?.*missing", class = "bayesrisk_error_data")
  data <- data.frame(y = c("a", "b"), hollow = NA_character_)
  for (spec in list(bayes_naive(laplace = 1), bayes_full(laplace = 1))) {
    error <- expect_error(fit(spec, y ~ ., data), "hollow", class = "bayesrisk_error")
    expect_false(inherits(error, "bayesrisk_error_object"))
  }
})

test_that("statistics are estimated by a specification that fits them", {
  collected <- bayes_statistics(bayes_naive(), Species ~ ., iris)
  expect_error(fit(bayes_full(), collected), "other blocks", class = "bayesrisk_error_argument")
  unknown <- bayes_naive(features = list(Petal.Girth = likelihood_gaussian("ml")))
  expect_error(fit(unknown, collected), "Petal.Girth", class = "bayesrisk_error_argument")
  wrong <- bayes_naive(features = list(Petal.Width = likelihood_categorical(laplace = 1)))
  expect_error(fit(wrong, collected), "Petal.Width", class = "bayesrisk_error_argument")
  expect_error(fit(bayes_naive(), collected, iris), "data", class = "bayesrisk_error_argument")
  expect_error(fit(bayes_naive(), collected, weights = 1:150), "weights",
               class = "bayesrisk_error_argument")
})

test_that("a function in place of a specification, and a table of counts, are answered", {
  expect_bayesrisk_error(fit(bayes_naive, Species ~ ., iris), "argument",
                         "fit\\(bayes_naive\\(\\), class")
  expect_bayesrisk_error(fit(bayesrisk::bayes_full, Species ~ ., iris), "argument",
                         "fit\\(bayes_full\\(\\), class")
  expect_bayesrisk_error(fit(mean, Species ~ ., iris), "argument", "is a function")
  expect_bayesrisk_error(fit_xy(bayes_naive, iris[1:4], iris$Species), "argument", "bayes_naive")
  right <- "fit(spec, class ~ ., as.data.frame(data), weights = Freq)"
  for (code in expression(
    fit(bayes_naive(), Survived ~ ., Titanic), cv_risk(bayes_naive(), Survived ~ ., Titanic)
  )) {
    error <- expect_bayesrisk_error(eval(code), "data", "weights = Freq")
    expect_match(gsub("\\s+", " ", conditionMessage(error)), right, fixed = TRUE)
  }
})

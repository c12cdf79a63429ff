# Closed form: R's dpois(), and weighted means.

sprays <- function(spec = bayes_naive(numeric = likelihood_poisson())) {
  fit(spec, spray ~ count, InsectSprays)
}

test_that("rates are the means of the classes, and scores those of dpois()", {
  model <- sprays()
  means <- tapply(InsectSprays$count, InsectSprays$spray, mean)
  expect_within(coef(model)$count[, "rate"], means, 1e-15)
  expect_identical(dimnames(coef(model)$count), list(class = LETTERS[1:6], statistic = "rate"))
  x <- c(0, 1, 7, 16, 40, 1e3, 1e6)
  score <- predict(model, data.frame(count = x), type = "log_likelihood")
  expect_within(score, vapply(means, function(m) dpois(x, m, log = TRUE), x), 1e-14)
  expect_within(
    as.double(logLik(model)),
    sum(dpois(InsectSprays$count, means[InsectSprays$spray], log = TRUE)) - 72 * log(6), 1e-13
  )
  expect_identical(attr(logLik(model), "df"), 5 + 6)
})

test_that("a weight is that many copies of its row; missing counts are left out", {
  data <- data.frame(y = c("a", "a", "b", "b", "b"), x = c(1L, 4L, 0L, 2L, NA))
  poisson <- bayes_naive(numeric = likelihood_poisson())
  weighted <- fit(poisson, y ~ x, data, weights = c(2, 1, 3, 1, 1))
  copied <- fit(poisson, y ~ x, data[c(1, 1, 2, 3, 3, 3, 4, 5), ])
  expect_identical(coef(weighted), coef(copied))
  expect_identical(coef(weighted)$x[, "rate"], c(a = 2, b = 0.5))
  expect_identical(summary(weighted)$features$missing, 1)
  p <- predict(weighted, data.frame(x = NA_real_), type = "prob")
  expect_identical(unname(p[1, ]), c(3, 5) / 8)
})

test_that("a class without any count is certain of 0", {
  data <- data.frame(y = c("a", "a", "b", "b"), x = c(0, 0, 1, 3))
  model <- fit(bayes_naive(numeric = likelihood_poisson()), y ~ x, data)
  p <- predict(model, data.frame(x = 0:2), type = "prob")
  expect_within(p[1, ], c(1, exp(-2)) / (1 + exp(-2)), 1e-15)
  expect_identical(unname(p[2:3, "a"]), c(0, 0))
})

test_that("numbers that are no counts are refused at the fit, impossible at prediction", {
  data <- data.frame(y = c("a", "a", "b", "b", "b"), x = c(1, 2.5, 3, -1, .5), z = 1:5)
  poisson <- bayes_naive(numeric = likelihood_poisson())
  expect_error(
    fit(poisson, y ~ ., data), 'x \\(class "a": 1 row\\).*x \\(class "b": 2 rows\\)',
    class = "bayesrisk_error_data"
  )
  expect_error(
    cv_risk(poisson, y ~ ., data[rep(1:5, 4), ], folds = 4), 'x \\(class "b": 8 rows\\)',
    class = "bayesrisk_error_data"
  )
  expect_error(
    fit(poisson, y ~ x, data.frame(y = c("a", "b"), x = c(1, Inf))), "Infinite.*x",
    class = "bayesrisk_error_data"
  )
  model <- sprays()
  expect_warning(
    p <- predict(model, data.frame(count = c(1, 1.5, -2, 3)), type = "prob"), "2 rows impossible",
    class = "bayesrisk_warning_impossible"
  )
  expect_identical(is.na(p[, 1]), c(FALSE, TRUE, TRUE, FALSE))
  expect_error(
    fit(poisson, y ~ x, data.frame(y = c("a", "b"), x = c(1, NA))), "no observed value of `x`",
    class = "bayesrisk_error_degenerate"
  )
})

test_that("parts merge, features drop and rows are added as if fitted at once", {
  poisson <- bayes_naive(numeric = likelihood_poisson())
  data <- warpbreaks
  data$half <- data$breaks %/% 2
  all <- fit(poisson, tension ~ ., data)
  first <- fit(poisson, tension ~ ., data[seq(1, 54, 2), ])
  second <- fit(poisson, tension ~ ., data[seq(2, 54, 2), ])
  expect_identical(coef(merge(first, second)), coef(all))
  expect_identical(coef(update(first, data[seq(2, 54, 2), ])), coef(all))
  dropped <- update(all, . ~ . - breaks)
  expect_identical(coef(dropped), coef(fit(poisson, tension ~ wool + half, data)))
  expect_error(
    update(all, numeric = likelihood_gaussian()), "other likelihoods",
    class = "bayesrisk_error_argument"
  )
})

test_that("known rates are matched by class, beside other likelihoods", {
  model <- bayes_known(
    c(a = .25, b = .75),
    x = likelihood_poisson(rate = c(b = 3, a = 1)), z = likelihood_poisson(rate = c(a = 0, b = .5)),
    w = likelihood_gaussian(mean = c(a = 0, b = 1), sd = 2)
  )
  at <- data.frame(x = c(0, 2), z = c(0, 1), w = c(.3, -2))
  score <- predict(model, at, type = "log_joint")
  a <- log(.25) + dpois(at$x, 1, TRUE) + dpois(at$z, 0, TRUE) + dnorm(at$w, 0, 2, TRUE)
  b <- log(.75) + dpois(at$x, 3, TRUE) + dpois(at$z, .5, TRUE) + dnorm(at$w, 1, 2, TRUE)
  expect_within(score[, "a"], a, 1e-14)
  expect_within(score[, "b"], b, 1e-14)
  expect_error(
    bayes_known(c(a = 1), x = likelihood_poisson()), "no parameters",
    class = "bayesrisk_error_argument"
  )
  expect_error(
    bayes_known(c(a = .5, b = .5), x = likelihood_poisson(c(a = 1, c = 2))), "Missing.*b",
    class = "bayesrisk_error_argument"
  )
  expect_error(
    bayes_naive(numeric = likelihood_poisson(c(a = 1))), "bayes_known",
    class = "bayesrisk_error_argument"
  )
})

test_that("a mix of kinds adds up, block by block", {
  model <- fit(
    bayes_naive(features = list(carb = likelihood_poisson(), cyl = likelihood_poisson())),
    am ~ carb + cyl + wt + gear, transform(mtcars, gear = factor(gear))
  )
  new <- transform(mtcars, gear = factor(gear))
  expect_within(
    apply(contributions(model, new), c(1, 3), sum), predict(model, new, type = "log_joint"), 1e-13
  )
  expect_identical(
    format(likelihood_poisson()), "Numeric features by Poisson distributions."
  )
  expect_output(print(model), "carb by Poisson distributions")
  expect_output(print(summary(model)), "rate")
  rows <- tidy(model)
  expect_identical(
    rows$estimate[rows$term == "carb" & rows$statistic == "rate"],
    unname(coef(model)$carb[, "rate"])
  )
})

test_that("counts are drawn where they are possible", {
  model <- sprays()
  drawn <- draw(model)
  expect_identical(drawn$x, round(drawn$x))
  expect_true(all(drawn$x >= 0))
  at <- drawn[drawn$class == "C", ]
  expect_within(at$density, dpois(at$x, coef(model)$count["C", ]), 1e-13)
  drawn <- draw(model, type = "posterior", xlim = c(2.2, 2.8))
  expect_identical(unique(drawn$x), c(2, 3))
  many <- bayes_known(c(a = .5, b = .5), x = likelihood_poisson(c(a = 1e6, b = 2e6)))
  expect_lte(length(unique(draw(many)$x)), 513L)
  none <- bayes_known(c(a = .5, b = .5), x = likelihood_poisson(c(a = 0, b = 0)))
  expect_identical(unique(draw(none)$x), c(0, 1))
})

test_that("the risk of deciding by a count is that of its sum", {
  model <- bayes_known(c(a = .4, b = .6), x = likelihood_poisson(c(a = 2, b = 5)))
  cost <- cost_matrix(a = c(a = 0, b = 3), b = c(a = 1, b = 0), ask = .3)
  x <- 0:200
  joint <- cbind(.4 * dpois(x, 2), .6 * dpois(x, 5))
  exact <- sum(pmin(3 * joint[, 2], joint[, 1], .3 * rowSums(joint)))
  risk <- bayes_risk(model, cost, tolerance = 1e-3)
  expect_identical(risk$method, "monte_carlo")
  expect_within(risk$total, exact, 5 * risk$accuracy, scale = 1)
  gaussian <- bayes_known(
    c(a = .4, b = .6), x = likelihood_gaussian(mean = c(a = 2, b = 5), sd = 2)
  )
  expect_identical(bayes_risk(model, rule = gaussian, tolerance = .01)$method, "monte_carlo")
  expect_identical(unname(is.na(risk_bounds(model)$value)), rep(TRUE, 5))
})

test_that("what needs cuts along a count is refused", {
  model <- bayes_known(
    c(a = .4, b = .6), x = likelihood_poisson(c(a = 2, b = 5)),
    y = likelihood_gaussian(mean = c(a = 2, b = 5), sd = 2)
  )
  refused <- function(code) {
    expect_error(code, "x.*poisson likelihood", class = "bayesrisk_error_argument")
  }
  refused(decision_regions(model, feature = "x"))
  refused(decision_regions(model))
  refused(next_feature(model))
  refused(value_of_information(model))
  refused(draw(model, type = "regions", features = "x"))
  refused(draw(model, type = "regions"))
  refused(draw(model, type = "cost", features = "x"))
  expect_error(bayes_risk(model, method = "quadrature"), "monte_carlo",
    class = "bayesrisk_error_argument"
  )
  expect_identical(nrow(decision_regions(model, feature = "y")), 2L)
  expect_identical(nrow(next_feature(model, features = "y")), 1L)
})

test_that("every argument is fuzz-proof", {
  is_poisson <- function(x) is_likelihood(x) && is.character(format(x))
  expect_fuzz_proof(likelihood_poisson, "rate", is_valid = is_poisson)
})

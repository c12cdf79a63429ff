# Numbers: lecture "Bayesian Learning (Galili, Shamir, Yakhini)", irises by the exact values
# of their sepal lengths; shares by R's table().

exact_sepals <- function(data = iris, prior = "uniform") {
  spec <- bayes_naive(features = list(Sepal.Length = likelihood_empirical()), prior = prior)
  fit(spec, Species ~ Sepal.Length, data)
}

lecture_order <- c("versicolor", "virginica", "setosa")

confusion_in_order <- function(levels) {
  data <- transform(iris, Species = factor(Species, levels))
  table <- confusion_table(data$Species, predict(exact_sepals(data), data))
  as.double(table[lecture_order, lecture_order])
}

test_that("the lecture's 35 errors come out, all nine cells, ties to the first class", {
  expect_identical(confusion_in_order(lecture_order), c(33, 12, 5, 11, 37, 0, 6, 1, 45))
  virginica_first <- c("virginica", "versicolor", "setosa")
  expect_identical(confusion_in_order(virginica_first), c(28, 7, 4, 16, 42, 1, 6, 1, 45))
})

test_that("the lecture's two sepals: shares of exact values, and their posteriors", {
  new <- data.frame(Sepal.Length = c(5.2, 6.1))
  share <- exp(predict(exact_sepals(), new, type = "log_likelihood"))
  expect_within(share, rbind(c(3, 1, 0), c(0, 4, 2)) / 50, 1e-15)
  expect_within(
    predict(exact_sepals(), new, type = "prob"), rbind(c(3, 1, 0) / 4, c(0, 2, 1) / 3), 1e-15
  )
})

test_that("values are compared as numbers; one that no class had has no answer", {
  data <- data.frame(y = c("a", "a", "a", "b", "b"), x = c(0, -0, 0.3, 0, 1e300))
  model <- fit(bayes_naive(numeric = likelihood_empirical()), y ~ x, data)
  new <- data.frame(x = c(-0, 0, 0.3, 0.1 + 0.2, 1e300, NA, Inf))
  # 0.1 + 0.2 is no value of the data, though it prints as one.
  expect_warning(
    expect_warning(p <- predict(model, new, type = "prob"), "1 row impossible",
      class = "bayesrisk_warning_impossible"
    ),
    "1 row", class = "bayesrisk_warning_infinite"
  )
  expect_within(p[, "a"], c(.4 / .6, .4 / .6, 1, NA, 0, .6, NA), 1e-15)
  expect_identical(coef(model)$x$value, c(0, .3, 0, 1e300))
  expect_within(coef(model)$x$probability, c(2 / 3, 1 / 3, .5, .5), 1e-15)
  data$x <- c(1:4, NA)
  whole <- fit(bayes_naive(numeric = likelihood_empirical()), y ~ x, data)
  expect_identical(predict(whole, data.frame(x = 4L)), factor("b", c("a", "b")))
})

test_that("the log likelihood is that of the shares; its parameters are not counted", {
  model <- exact_sepals(prior = NULL)
  share <- prop.table(table(iris$Species, iris$Sepal.Length), 1)
  own <- share[cbind(as.character(iris$Species), as.character(iris$Sepal.Length))]
  fitted <- logLik(model)
  expect_within(as.double(fitted), sum(log(own / 3)), 1e-13)
  expect_identical(attr(fitted, "df"), NA_real_)
  expect_identical(is.na(unlist(glance(model)[c("df", "logLik", "AIC", "BIC")])),
    c(df = TRUE, logLik = FALSE, AIC = TRUE, BIC = TRUE)
  )
  expect_output(print(summary(model)), "Log likelihood -\\d+\\.\\d+[.]$")
})

test_that("parts merge, rows are added and features dropped as if fitted at once, exactly", {
  spec <- bayes_naive(numeric = likelihood_empirical())
  parts <- split(iris, rep(1:3, length.out = 150))
  all <- fit(spec, Species ~ ., iris)
  models <- lapply(unname(parts), function(part) fit(spec, Species ~ ., part))
  expect_identical(coef(Reduce(merge, models)), coef(all))
  expect_identical(coef(update(update(models[[3]], parts[[1]]), parts[[2]])), coef(all))
  expect_identical(
    coef(update(all, . ~ . - Petal.Length)), coef(fit(spec, Species ~ . - Petal.Length, iris))
  )
  chunks <- lapply(parts, function(part) bayes_statistics(spec, Species ~ ., part))
  expect_identical(coef(fit(spec, Reduce(merge, chunks))), coef(all))
  few <- list(setosa = iris[1:50, ], others = iris[51:150, ])
  few <- lapply(few, function(part) {
    part$Species <- as.character(part$Species)
    one_class(fit(spec, Species ~ ., part))
  })
  expect_identical(coef(merge(few$others, few$setosa)), coef(all))
})

test_that("a class without a value, or without rows", {
  spec <- bayes_naive(numeric = likelihood_empirical())
  data <- data.frame(y = factor(c("a", "a", "b", "b"), c("a", "b", "c")), x = c(NA, NA, 1, 2))
  strict <- bayes_naive(numeric = likelihood_empirical(), degenerate = "stop")
  expect_error(fit(strict, y ~ x, droplevels(data)), 'class "a" has no observed value of `x`',
    class = "bayesrisk_error_degenerate"
  )
  data$x[[1]] <- 1
  expect_message(model <- fit(spec, y ~ x, data), "no rows")
  expect_identical(coef(model)$x$value, c(1, 1, 2, NA))
  expect_identical(unname(predict(model, data.frame(x = 1), type = "prob")[1, "c"]), 0)
  expect_identical(summary(model)$features$missing, 1)
  expect_error(fit(spec, y ~ x, transform(data, x = c(1, Inf, 2, 3))), "Infinite",
    class = "bayesrisk_error_data"
  )
})

test_that("cross-validation by exact values is what its folds say", {
  data <- transform(iris, fold = rep(1:5, 30))
  spec <- bayes_naive(numeric = likelihood_empirical())
  # A value that no class had in the other folds has no answer.
  expect_warning(
    found <- cv_risk(spec, Species ~ Sepal.Length, data, folds = data$fold), "naive 9"
  )
  wrong <- vapply(1:5, function(f) {
    model <- fit(spec, Species ~ Sepal.Length, data[data$fold != f, ])
    test <- data[data$fold == f, ]
    decided <- suppressWarnings(predict(model, test), classes = "bayesrisk_warning_impossible")
    c(sum(decided != test$Species, na.rm = TRUE), sum(is.na(decided)))
  }, c(1, 1))
  expect_within(found$error, sum(wrong[1, ]) / (150 - sum(wrong[2, ])), 1e-14)
})

test_that("draws are values of the class, in proportion", {
  model <- exact_sepals()
  drawn <- simulate(model, 4000, seed = 1)
  values <- split(iris$Sepal.Length, iris$Species)
  for (class in names(values)) {
    own <- drawn$Sepal.Length[drawn$Species == class]
    expect_true(all(own %in% values[[class]]))
    expected <- prop.table(table(values[[class]]))
    counts <- table(factor(own, names(expected)))
    expect_gt(suppressWarnings(chisq.test(counts, p = expected)$p.value), 1e-4)
  }
})

test_that("a plot looks at the values alone", {
  skip_on_cran()
  drawn <- draw(exact_sepals())
  expect_setequal(drawn$x, iris$Sepal.Length)
  at <- drawn[drawn$class == "setosa" & drawn$x == 5.2, ]
  expect_within(at$density, 3 / 50, 1e-15)
  expect_setequal(
    draw(exact_sepals(), xlim = c(5, 6), type = "posterior")$x,
    iris$Sepal.Length[iris$Sepal.Length >= 5 & iris$Sepal.Length <= 6]
  )
  expect_setequal(draw(exact_sepals(), xlim = c(5.01, 5.02))$x, c(5.01, 5.02))
  one <- data.frame(y = "a", x = 3)
  one <- one_class(fit(bayes_naive(numeric = likelihood_empirical()), y ~ x, one))
  expect_identical(unique(draw(one)$x), 3)
})

test_that("what a model says of itself is short", {
  model <- exact_sepals()
  expect_output(print(model), "Sepal.Length by the shares of their exact\\s+values")
  expect_output(print(summary(model)), "values from  to")
  rows <- tidy(model)
  setosa <- rows[rows$class == "setosa" & rows$term == "Sepal.Length", ]
  expect_identical(setosa$level[[10]], "5.2")
  expect_within(sum(setosa$estimate), 1, 1e-15)
  expect_identical(
    format(likelihood_empirical()), "Numeric features by the shares of their exact values."
  )
  expect_bayesrisk_error(likelihood_empirical(1), "argument", "named by class")
})

test_that("a damaged model is found", {
  skip_on_cran()
  model <- exact_sepals()
  for (broken in list(NULL, list(), 1, matrix(1, 2, 2), rep(list(matrix(1:4, 2)), 3),
                      rep(list(cbind(c(2, 1), -1)), 3), rep(list(matrix(1, 1, 3)), 3),
                      rep(list(cbind(1, 1)), 3), rep(list(matrix(0, 0, 2)), 3))) {
    damaged <- model
    damaged$parameters$banks[[1]]["points"] <- list(broken)
    expect_error(predict(damaged, iris), "damaged", class = "bayesrisk_error_object")
  }
})

test_that("what the model implies is a sum over the values", {
  model <- exact_sepals()
  share <- prop.table(table(iris$Species, iris$Sepal.Length), 1)
  expected <- unclass(iris_cost()) %*% (share / 3)
  risk <- bayes_risk(model, iris_cost())
  expect_identical(risk$method, "exact")
  expect_within(risk$total, sum(apply(expected, 2, min)), 1e-14)
  zero_one <- bayes_risk(model)
  expect_within(zero_one$total, 35 / 150, 1e-14)
  worth <- value_of_information(model, iris_cost())
  expect_within(worth$risk[2:3], rep(risk$total, 2), 1e-14)
  two <- fit(
    bayes_naive(numeric = likelihood_empirical(), prior = c(a = .3, b = .7)), y ~ x,
    data.frame(y = rep(c("a", "b"), c(4, 5)), x = c(0, 1, 1, 2, 1, 2, 2, 5, 9))
  )
  p <- c(.25, .5, .25, 0, 0)
  q <- c(0, .2, .4, .2, .2)
  values <- c(0, 1, 2, 5, 9)
  expect_within(bayes_risk(two)$total, sum(pmin(.3 * p, .7 * q)), 1e-15)
  bounds <- risk_bounds(two)$value
  expect_within(bounds[[2]], sqrt(.21) * sum(sqrt(p * q)), 1e-15)
  mean <- c(sum(p * values), sum(q * values))
  variance <- c(sum(p * values^2), sum(q * values^2)) - mean^2
  distance <- diff(mean)^2 / sum(c(.3, .7) * variance)
  expect_within(bounds[[4]], .42 / (1 + .21 * distance), 1e-14)
  # As a rule about counts: 2, 5 and 9 are b, 0 and 1 are a, others the first
  counts <- bayes_known(c(a = .5, b = .5), x = likelihood_poisson(c(a = 1, b = 4)))
  expect_within(
    bayes_risk(counts, rule = two)$total,
    .5 * sum(dpois(c(2, 5, 9), 1)) + .5 * (1 - sum(dpois(c(2, 5, 9), 4))), 1e-14
  )
  decided <- predict(counts, data.frame(x = values)) == "a"
  expect_within(
    bayes_risk(two, rule = counts)$total, .3 * sum(p[!decided]) + .7 * sum(q[decided]), 1e-15
  )
  asked <- bayes_risk(two, rule = function(data) ifelse(data$x %in% c(0, 5), "a", "b"))
  expect_identical(asked$method, "grid")
  expect_within(asked$total, .3 * .75 + .7 * .2, 1e-14)
  expect_lt(asked$accuracy, 1e-11)
})

test_that("there are no regions between values", {
  model <- exact_sepals()
  refused <- function(code) {
    expect_error(code, "Sepal.Length.*single values", class = "bayesrisk_error_argument")
  }
  refused(decision_regions(model))
  refused(draw(model, type = "regions"))
  refused(draw(model, type = "cost"))
  three <- fit(bayes_naive(features = list(cyl = likelihood_empirical())), am ~ cyl + wt, mtcars)
  expect_error(draw(three, type = "regions"), "cyl.*single", class = "bayesrisk_error_argument")
  two <- fit(bayes_naive(numeric = likelihood_empirical()), am ~ cyl, mtcars)
  cost <- cost_matrix(x = c(`0` = 0, `1` = 3), y = c(`0` = 1, `1` = 0))
  expect_null(decision_threshold(cost, object = two)$cut)
})

test_that("known values and their shares", {
  model <- bayes_known(c(a = 0.5, b = 0.5), x = likelihood_empirical(
    value = list(a = c(3, 1, 3, 7), b = 1), weights = list(b = 1, a = c(0.25, 0.5, 0.25, 0))
  ))
  expect_within(
    exp(suppressWarnings(predict(model, data.frame(x = c(1, 3, 7)), type = "log_likelihood"))),
    cbind(c(0.5, 0.5, 0), c(1, 0, 0)), 1e-15
  )
  equal <- likelihood_empirical(value = list(a = c(1, 2), b = 2))
  expect_identical(equal$weights, list(a = c(0.5, 0.5), b = 1))
  refused <- function(...) {
    expect_error(likelihood_empirical(...), class = "bayesrisk_error_argument")
  }
  refused(weights = list(a = 1))
  refused(value = list(a = 1), weights = list(a = c(0.5, 0.5)))
  refused(value = list(a = 1), weights = list(a = 0.5))
  refused(value = list(a = 1), weights = list(b = 1))
  expect_fuzz_proof(likelihood_empirical, "value", list(), is_likelihood)
  expect_fuzz_proof(likelihood_empirical, "weights", list(value = c(a = 1, b = 2)), is_likelihood)
})

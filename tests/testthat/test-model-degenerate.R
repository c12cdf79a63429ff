# The formulas of "Degenerate data" in ?bayes_naive are written out here and compared.

constant_in_a <- data.frame(
  y = rep(c("a", "b", "c"), c(3, 4, 5)),
  x = c(2, 2, 2, 1, 3, 5, 8, 4, 6, 7, 9, 13),
  z = c(0.3, 1.2, -0.7, 2, 2.5, 1, 0, -1, -2, 4, 1, 1)
)

scatter_of <- function(x, w = rep(1, length(x))) sum(w * (x - sum(w * x) / sum(w))^2)
class_scatter <- function(x, class) vapply(split(x, class), scatter_of, 1)

fit_quietly <- function(...) suppressWarnings(fit(...), classes = "bayesrisk_warning_degenerate")

test_that("a class without spread borrows one case from the pooled variance, and only there", {
  d <- constant_in_a
  expect_warning(
    model <- fit(bayes_naive(), y ~ ., d),
    "1 of 6 estimates.*borrows from the other classes",
    class = "bayesrisk_warning_degenerate"
  )
  scatter <- class_scatter(d$x, d$y)
  pooled <- sum(scatter) / sum(c(2, 3, 4))
  expect_equal(coef(model)$x["a", "sd"], sqrt(pooled / 3), tolerance = 1e-14)
  expect_equal(coef(model)$x["a", "mean"], 2)
  alone <- fit(bayes_naive(degenerate = "stop"), y ~ ., d[d$y != "a", ])
  expect_identical(coef(model)$x[c("b", "c"), ], coef(alone)$x)
  expect_identical(coef(model)$z[c("b", "c"), ], coef(alone)$z)

  ml <- fit_quietly(bayes_naive(variance = "ml"), y ~ ., d)
  expect_equal(coef(ml)$x["a", "sd"], sqrt(sum(scatter) / 12 / 4), tolerance = 1e-14)
})

test_that("weights count as rows where a class borrows", {
  w <- c(1, 2, 0.5, 1, 2, 1, 3, 1, 1, 2, 0.25, 1)
  model <- fit_quietly(bayes_naive(), y ~ x, constant_in_a, weights = w)
  parts <- split(data.frame(x = constant_in_a$x, w), constant_in_a$y)
  scatter <- vapply(parts, function(p) scatter_of(p$x, p$w), 1)
  divisor <- vapply(parts, function(p) sum(p$w), 1) - 1
  pooled <- sum(scatter) / sum(divisor)
  expect_equal(coef(model)$x["a", "sd"], sqrt(pooled / (divisor[["a"]] + 1)), tolerance = 1e-14)
  # A class of weight below 1 has no divisor, but its own scatter counts.
  light <- fit_quietly(
    bayes_naive(), y ~ x, constant_in_a, weights = c(0, 0, 0.5, 0.3, rep(1, 8)),
    subset = -(1:2)
  )
  expect_true(all(is.finite(coef(light)$x)))
})

test_that("a class of one row, and one without a value, borrow", {
  d <- rbind(constant_in_a, data.frame(y = c("d", "e", "e"), x = c(10, NA, NA), z = c(5, 1, 2)))
  model <- fit_quietly(bayes_naive(), y ~ x, d)
  scatter <- class_scatter(constant_in_a$x, constant_in_a$y)
  pooled <- sum(scatter) / 9
  expect_equal(unname(coef(model)$x["d", ]), c(10, sqrt(pooled)), tolerance = 1e-14)
  expect_equal(
    unname(coef(model)$x["e", ]), c(mean(d$x, na.rm = TRUE), sqrt(pooled)), tolerance = 1e-14
  )
})

test_that("a feature with the same value in all rows is left out", {
  d <- transform(constant_in_a, same = 7)
  expect_warning(
    model <- fit(bayes_naive(), y ~ z + same, d), "Left out, .*: same",
    class = "bayesrisk_warning_degenerate"
  )
  without <- fit(bayes_naive(), y ~ z, d)
  for (type in c("log_joint", "log_likelihood", "prob")) {
    new <- transform(d, same = c(7, 1e10, -3))
    expect_identical(predict(model, new, type), predict(without, d, type))
  }
  expect_identical(predict(model, transform(d, same = NA_real_), "log_joint"),
                   predict(without, d, "log_joint"))
  expect_identical(unname(coef(model)$same), cbind(rep(7, 3), 0))
  expect_identical(unique(simulate(model, 20, seed = 1)$same), 7)
  expect_equal(logLik(model)[[1L]], logLik(without)[[1L]])
})

test_that("a feature constant within classes but not over all rows is an error with a remedy", {
  d <- data.frame(y = rep(c("a", "b"), each = 3), `my x` = rep(1:2, each = 3), check.names = FALSE)
  error <- expect_error(fit(bayes_naive(), y ~ ., d), class = "bayesrisk_error_degenerate")
  message <- gsub("\\s+", " ", conditionMessage(error))
  expect_match(message, "constant within every class but differs between classes")
  expect_match(message, "factor(`my x`)", fixed = TRUE)
  expect_match(message, "list(`my x` = likelihood_empirical())", fixed = TRUE)
  exact <- fit(bayes_naive(features = list(`my x` = likelihood_empirical())), y ~ ., d)
  expect_equal(as.character(predict(exact, d)), d$y)
  one_each <- data.frame(y = c("a", "b"), x = c(1, 2))
  expect_error(fit(bayes_naive(), y ~ x, one_each), class = "bayesrisk_error_degenerate")
})

test_that("`degenerate = \"stop\"` is the error of every class and feature", {
  expect_error(
    fit(bayes_naive(degenerate = "stop"), y ~ ., constant_in_a),
    "class \"a\": `?x`? constant", class = "bayesrisk_error_degenerate"
  )
  expect_error(bayes_naive(degenerate = "no"), class = "bayesrisk_error_argument")
})

block <- bayes_full()

test_that("a block that is singular in a class borrows as many cases as it has features", {
  x <- as.matrix(iris[1:4])
  d <- data.frame(x, y = iris$Species)[c(1:3, 51:150), ]
  expect_warning(
    model <- fit(block, y ~ ., d), "numeric \\(class \"setosa\"\\)",
    class = "bayesrisk_warning_degenerate"
  )
  parts <- split(d[1:4], d$y)
  scatter <- lapply(parts, function(p) stats::var(p) * (nrow(p) - 1))
  pooled <- Reduce(`+`, scatter) / (nrow(d) - 3)
  expect_equal(
    coef(model)$numeric$covariance$setosa, (scatter$setosa + 4 * pooled) / (2 + 4),
    tolerance = 1e-12
  )
  expect_equal(coef(model)$numeric$covariance$virginica, stats::var(parts$virginica))
  # A class without a complete row has the mean of all complete rows and the pooled covariance.
  d$Sepal.Width[1:3] <- NA
  empty <- fit_quietly(block, y ~ ., d)
  complete <- d[-(1:3), ]
  expect_equal(coef(empty)$numeric$mean["setosa", ], colMeans(complete[1:4]), tolerance = 1e-13)
  others <- (scatter$versicolor + scatter$virginica) / (nrow(complete) - 2)
  expect_equal(coef(empty)$numeric$covariance$setosa, others, tolerance = 1e-12)
})

test_that("a constant column is left out of a block", {
  d <- transform(iris, same = 3)[c(1:4, 6, 5)]
  model <- fit_quietly(block, Species ~ ., d)
  without <- fit(block, Species ~ . - same, d)
  d$Sepal.Width[c(1, 60)] <- NA
  d$same[c(2, 60)] <- NA
  for (type in c("log_joint", "log_likelihood")) {
    expect_equal(predict(model, d, type), predict(without, d, type), tolerance = 1e-13)
  }
  expect_identical(unique(simulate(model, 20, seed = 1)$same), 3)
  expect_identical(coef(model)$numeric$covariance$setosa["same", ] == 0, c(
    Sepal.Length = TRUE, Sepal.Width = TRUE, Petal.Length = TRUE, Petal.Width = TRUE, same = TRUE
  ))
})

test_that("a pooled covariance that is singular names the dependence and what to drop", {
  d <- transform(iris[c(1, 2, 5)], total = Sepal.Length + Sepal.Width)
  error <- expect_error(fit(block, Species ~ ., d), class = "bayesrisk_error_degenerate")
  message <- gsub("\\s+", " ", conditionMessage(error))
  expect_match(message, "total = Sepal.Length + Sepal.Width", fixed = TRUE)
  expect_match(message, "rank 2 of 3", fixed = TRUE)
  expect_match(message, "Without `?total`? the covariance exists")
  expect_s3_class(fit(block, Species ~ . - total, d), "bayesrisk_model")
  half <- transform(iris[c(1, 2, 5)], half = 0.5 * Sepal.Length - 2 * Sepal.Width)
  for (strict in list(bayes_full(covariance = "pooled"), bayes_full(degenerate = "stop"))) {
    error <- expect_error(fit(strict, Species ~ ., half), class = "bayesrisk_error_degenerate")
    expect_match(
      gsub("\\s+", " ", conditionMessage(error)), "half = 0.5 Sepal.Length - 2 Sepal.Width",
      fixed = TRUE
    )
  }
})

test_that("`borrow` is the m-estimate of a variance and of a covariance", {
  scatter <- class_scatter(iris$Petal.Width, iris$Species)
  pooled <- sum(scatter) / 147
  spec <- bayes_naive(numeric = likelihood_gaussian(borrow = 5))
  expect_equal(
    unname(coef(fit(spec, Species ~ Petal.Width, iris))$Petal.Width[, "sd"]),
    unname(sqrt((scatter + 5 * pooled) / (49 + 5))), tolerance = 1e-14
  )
  parts <- split(iris[1:4], iris$Species)
  own <- lapply(parts, function(p) stats::var(p) * 49)
  shared <- Reduce(`+`, own) / 147
  model <- fit(bayes_full(borrow = 2.5), Species ~ ., iris)
  for (class in levels(iris$Species)) {
    expect_equal(
      coef(model)$numeric$covariance[[class]], (own[[class]] + 2.5 * shared) / (49 + 2.5),
      tolerance = 1e-12
    )
  }
  expect_error(bayes_full(covariance = "pooled", borrow = 1), class = "bayesrisk_error_argument")
  expect_error(likelihood_gaussian(borrow = -1), class = "bayesrisk_error_argument")
})

test_that("`min_variance_share` bounds the variance by a share of the pooled variance", {
  scatter <- class_scatter(iris$Petal.Width, iris$Species)
  pooled <- sum(scatter) / 147
  for (unit in c(1, 1e-8)) {
    d <- transform(iris, Petal.Width = unit * Petal.Width)
    spec <- bayes_naive(numeric = likelihood_gaussian(min_variance_share = 0.9))
    sd <- unname(coef(fit(spec, Species ~ Petal.Width, d))$Petal.Width[, "sd"])
    expect_equal(
      sd, unit * sqrt(pmax(unname(scatter) / 49, 0.9 * pooled)), tolerance = 1e-12
    )
  }
})

test_that("merging does not depend on the order, and borrowing ends when data suffice", {
  first <- constant_in_a[c(1:2, 4:5, 8:9), ]
  second <- constant_in_a[-c(1:2, 4:5, 8:9), ]
  spec <- bayes_naive()
  parts <- lapply(list(first, second), function(d) bayes_statistics(spec, y ~ ., d))
  one <- fit_quietly(spec, merge(parts[[1L]], parts[[2L]]))
  other <- fit_quietly(spec, merge(parts[[2L]], parts[[1L]]))
  whole <- fit_quietly(spec, y ~ ., constant_in_a)
  expect_equal(coef(one), coef(whole), tolerance = 1e-13)
  expect_equal(coef(other), coef(whole), tolerance = 1e-13)
  expect_no_warning(
    more <- update(whole, data.frame(y = "a", x = 4, z = 1)), class = "bayesrisk_warning_degenerate"
  )
  a <- c(2, 2, 2, 4)
  expect_equal(coef(more)$x["a", "sd"], stats::sd(a), tolerance = 1e-14)
  expect_length(more$parameters$notes$problem, 0L)
})

test_that("folds of a cross-validation borrow", {
  folds <- rep(1:3, 4)
  expect_warning(
    risk <- cv_risk(bayes_naive(), y ~ ., constant_in_a, folds = folds), "borrow",
    class = "bayesrisk_warning_degenerate"
  )
  expect_equal(attr(risk, "by_fold")$decided, rep(4, 3))
  expect_warning(
    strict <- cv_risk(bayes_naive(degenerate = "stop"), y ~ ., constant_in_a, folds = folds),
    class = "bayesrisk_warning_fold"
  )
  expect_equal(attr(strict, "by_fold")$decided, rep(0, 3))
})

test_that("kernels and gamma distributions borrow spread", {
  d <- constant_in_a
  kernel <- fit_quietly(bayes_naive(numeric = likelihood_kernel()), y ~ x, d)
  scatter <- class_scatter(d$x, d$y)
  borrowed <- (sum(scatter) / 9) / 3
  expect_equal(
    coef(kernel)$x$bandwidth[[1L]], 0.9 * sqrt(borrowed) * 4^(-0.2), tolerance = 1e-13
  )
  gamma <- fit_quietly(bayes_naive(numeric = likelihood_gamma()), y ~ x, d)
  deviance <- function(x) sum(log(mean(x) / x))
  pooled <- sum(tapply(d$x, d$y, deviance)) / 12
  shape <- coef(gamma)$x["a", "shape"]
  expect_equal(log(shape) - digamma(shape), pooled / 4, tolerance = 1e-10)
  expect_equal(shape / coef(gamma)$x["a", "rate"], 2, tolerance = 1e-13)
  same <- transform(d, x = 4)
  for (likelihood in list(likelihood_kernel(), likelihood_gamma())) {
    model <- fit_quietly(bayes_naive(numeric = likelihood), y ~ x + z, transform(same, z = z + 3))
    without <- fit_quietly(bayes_naive(numeric = likelihood), y ~ z, transform(same, z = z + 3))
    new <- transform(same, z = z + 3)
    expect_identical(predict(model, new, "log_joint"), predict(without, new, "log_joint"))
    expect_identical(unique(simulate(model, 5, seed = 1)$x), 4)
  }
})

test_that("a class without any value has the distribution of all classes", {
  d <- data.frame(
    y = rep(c("a", "b", "c"), each = 4), n = c(1, 2, 3, 1, 0, 5, 2, 2, NA, NA, NA, NA),
    f = factor(c("u", "v", "u", "u", "v", "v", "u", "v", NA, NA, NA, NA))
  )
  for (likelihood in list(
    likelihood_poisson(), likelihood_negative_binomial(), likelihood_empirical(),
    likelihood_histogram(breaks = c(-1, 1.5, 6))
  )) {
    expect_warning(
      model <- fit(bayes_naive(features = list(n = likelihood)), y ~ n, d),
      class = "bayesrisk_warning_degenerate"
    )
    all <- transform(d[1:8, ], y = "all")
    all <- one_class(fit(bayes_naive(features = list(n = likelihood)), y ~ n, all))
    new <- data.frame(n = 0:5)
    expect_equal(
      predict(model, new, "log_likelihood")[, "c"], predict(all, new, "log_likelihood")[, "all"],
      tolerance = 1e-10
    )
  }
  for (spec in list(bayes_naive(), bayes_full())) {
    model <- fit_quietly(spec, y ~ f, d)
    expect_equal(
      exp(unname(predict(model, data.frame(f = c("u", "v")), "log_likelihood")[, "c"])), c(0.5, 0.5)
    )
  }
})

test_that("print, summary and tidy mark what was borrowed or left out", {
  model <- fit_quietly(bayes_naive(), y ~ ., transform(constant_in_a, same = 1))
  expect_match(format(model), "borrows from the other classes: x", all = FALSE)
  expect_match(format(model), "Left out, .*same", all = FALSE)
  features <- summary(model)$features
  expect_identical(
    features$note[match(c("x", "z", "same"), features$feature)],
    c("borrows in 1 class", NA, "left out")
  )
  rows <- tidy(model)
  expect_setequal(rows$term[rows$borrowed], "x")
  expect_setequal(as.character(rows$class[rows$borrowed]), "a")
  expect_match(capture.output(print(summary(model))), "Borrowed or left out", all = FALSE)
  block <- fit_quietly(bayes_full(), Species ~ ., iris[c(1:3, 51:150), ])
  expect_true(all(tidy(block)$borrowed == (tidy(block)$class == "setosa" &
                                             tidy(block)$term != "(prior)")))
})

test_that("a model that borrows is saved, read and damaged like any other", {
  model <- fit_quietly(bayes_naive(), y ~ ., transform(constant_in_a, same = 1))
  path <- withr::local_tempfile()
  saveRDS(model, path)
  new <- transform(constant_in_a, same = 1)
  expect_identical(predict(readRDS(path), new), predict(model, new))
  model$parameters$notes$feature[[1L]] <- 99L
  expect_error(print(model), class = "bayesrisk_error_object")
})

test_that("a feature that is left out has no free parameters", {
  d <- transform(iris[c(1, 2, 5)], k = 3)
  df <- function(spec, formula) attr(logLik(fit_quietly(spec, formula, d)), "df")
  gamma <- bayes_naive(numeric = likelihood_gamma())
  specs <- list(
    bayes_naive(), gamma, bayes_full(), bayes_full(covariance = "pooled"),
    bayes_full(shrinkage = 1), bayes_full(borrow = 2)
  )
  for (spec in specs) expect_identical(df(spec, Species ~ .), df(spec, Species ~ . - k))
  model <- fit_quietly(bayes_naive(), Species ~ ., d)
  expect_equal(AIC(model), AIC(update(model, . ~ . - k)))
})

test_that("an empty column of categories or counts is left out", {
  for (empty in list(NA, factor(NA, c("p", "q")))) {
    d <- transform(constant_in_a[-2], e = empty)
    expect_warning(
      model <- fit(bayes_naive(), y ~ ., d), "Left out.*e", class = "bayesrisk_warning_degenerate"
    )
    without <- fit(bayes_naive(), y ~ z, d)
    expect_identical(predict(model, d, type = "prob"), predict(without, d, type = "prob"))
    expect_equal(logLik(model), logLik(without))
    expect_output(print(summary(model)), "e +left out")
    folds <- rep(1:2, 6)
    risk <- function(formula) {
      suppressWarnings(cv_risk(bayes_naive(), formula, d, folds = folds)$cost)
    }
    expect_identical(risk(y ~ .), risk(y ~ z))
    expect_error(
      fit(bayes_naive(degenerate = "stop"), y ~ ., d), "`e`", class = "bayesrisk_error_degenerate"
    )
    # Smoothed tables exist, so there is nothing to leave out.
    expect_no_warning(fit(bayes_naive(laplace = 1), y ~ ., d))
  }
  d$e <- NA_real_
  counts <- bayes_naive(features = list(e = likelihood_poisson()))
  model <- fit_quietly(counts, y ~ ., d)
  expect_equal(logLik(model), logLik(without))
  # The feature carries something as soon as it has values.
  known <- update(model, transform(d, e = c(0:10, 5)))
  expect_identical(
    coef(known)$e, coef(fit(counts, y ~ ., transform(d, e = c(0:10, 5))))$e
  )
})

test_that("a dependence is named with its constant", {
  said <- function(x) {
    d <- transform(iris, x = x)
    cli::ansi_strip(tryCatch(fit(bayes_full(), Species ~ ., d), error = conditionMessage))
  }
  expect_match(said(3 * iris$Petal.Width + 7), "x = 3 Petal.Width [+] 7[.]")
  expect_match(said(2 - iris$Petal.Width), "x = -Petal.Width [+] 2[.]")
  expect_match(said(iris$Petal.Width + iris$Sepal.Width), "= .*Sepal.Width[.]|Petal.Width[.]")
  shifted <- iris$Petal.Width + as.integer(iris$Species)
  expect_match(said(shifted), "x = Petal.Width [+] a constant of each class[.]")
})

test_that("terms of a bag of Gaussians are named and counted as features are", {
  x <- cbind(u = c(1, 4, 2, 6, 0.5, 3), v = 3, w = c(2, 2, 2, 1, 0, 5), z = 0)
  y <- c("a", "a", "a", "b", "b", "b")
  expect_warning(
    model <- fit(bayes_naive(), list(words = x), y),
    "1 of 8 estimates.*borrows.*w of words \\(class \"a\"\\)(.|\n)*or none: v, z of words",
    class = "bayesrisk_warning_degenerate"
  )
  single <- fit_quietly(bayes_naive(), as.data.frame(x), y)
  borrowed <- tidy(model)$borrowed
  rows <- tidy(single)
  rows <- rows[order(match(rows$term, c("(prior)", colnames(x))), rows$statistic), ]
  expect_identical(sum(borrowed), sum(tidy(single)$borrowed))
  expect_identical(unique(tidy(model)$level[borrowed]), "w")
  expect_output(print(model), "w of words")
  expect_bayesrisk_error(
    fit(bayes_naive(degenerate = "stop"), list(words = x), y), "degenerate",
    "class \"a\": `v`, `w`, `z` of `words` constant(.|\n)*class \"b\": `v`, `z` of `words` constant"
  )
  apart <- cbind(u = c(1, 4, 2, 6), v = c(0, 0, 2, 2))
  expect_bayesrisk_error(
    fit(bayes_naive(), list(words = apart), c("a", "a", "b", "b")), "degenerate",
    "`v` of `words`: constant within every class"
  )
  group <- rep(c("g", "h"), each = 6)
  grouped <- data.frame(y = c(y, y), group = group)
  grouped$words <- rbind(x, x)
  expect_warning(
    fit(bayes_naive(), y ~ words, grouped, by = group), "2 estimates borrow(.|\n)*w of words",
    class = "bayesrisk_warning_degenerate"
  )
})

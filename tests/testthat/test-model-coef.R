test_that("the prior is named by class and comes first", {
  model <- fit(bayes_naive(), play ~ outlook + wind, play_tennis)
  expect_named(coef(model), c("prior", "outlook", "wind"))
  expect_equal(coef(model)$prior, c(yes = 9 / 14, no = 5 / 14), tolerance = 1e-15)
  expect_named(coef(fit(bayes_naive(), play ~ 1, play_tennis)), "prior")
})

test_that("a categorical feature is a class x level matrix of probabilities", {
  # The tables of the lecture "CSE 4553 Lecture 5: Probabilistic Classifier (Mahmud)".
  parameters <- coef(fit(bayes_naive(), play ~ ., play_tennis))
  expect_equal(
    parameters$outlook,
    matrix(
      c(2 / 9, 3 / 5, 4 / 9, 0, 3 / 9, 2 / 5), 2,
      dimnames = list(class = c("yes", "no"), outlook = c("sunny", "overcast", "rain"))
    ),
    tolerance = 1e-15
  )
  expect_equal(parameters$wind["no", ], c(weak = 2 / 5, strong = 3 / 5), tolerance = 1e-15)
  expect_identical(parameters$outlook["no", "overcast"], 0)
  smoothed <- coef(fit(bayes_naive(laplace = 1), play ~ ., play_tennis))
  expect_equal(unname(smoothed$outlook["no", ]), c(4, 1, 3) / 8, tolerance = 1e-15)
})

test_that("a Gaussian feature is a class x (mean, sd) matrix, by name beside others", {
  data <- data.frame(
    y = c("a", "a", "a", "b", "b", "b", "b"), u = c(1, 2, 6, 0, 1, 1, 2),
    level = c("p", "q", "p", "q", "q", "q", "r"), v = c(5, 5, 8, 1, 3, 2, 2)
  )
  parameters <- coef(fit(bayes_naive(), y ~ ., data))
  expect_setequal(names(parameters), c("prior", "u", "level", "v"))
  expect_equal(
    parameters$u,
    matrix(
      c(3, 1, sqrt(7), sqrt(2 / 3)), 2,
      dimnames = list(class = c("a", "b"), statistic = c("mean", "sd"))
    ),
    tolerance = 1e-15
  )
  expect_equal(parameters$v[, "mean"], c(a = 6, b = 2), tolerance = 1e-15)
  expect_equal(unname(parameters$level["b", ]), c(0, 3 / 4, 1 / 4), tolerance = 1e-15)
})

test_that("a block of numbers has means and covariances, one where it is shared", {
  x <- mtcars[c("mpg", "wt", "qsec")]
  class <- factor(mtcars$am, labels = c("automatic", "manual"))
  own <- coef(fit_xy(bayes_full(), x, class))$numeric
  expect_equal(
    own$mean,
    structure(
      t(sapply(split(x, class), colMeans)),
      dimnames = list(class = levels(class), feature = names(x))
    ),
    tolerance = 1e-14
  )
  expect_equal(own$covariance, lapply(split(x, class), cov), tolerance = 1e-13)
  pooled <- coef(fit_xy(bayes_full(covariance = "pooled"), x, class))$numeric$covariance
  scatter <- Map(function(s, n) s * (n - 1), own$covariance, c(19, 13))
  expect_equal(pooled, (scatter[[1]] + scatter[[2]]) / 30, tolerance = 1e-13)
  expect_identical(dimnames(pooled), list(names(x), names(x)))
  expect_true(isSymmetric(pooled, tol = 0))
  shrunk <- coef(fit_xy(bayes_full(shrinkage = 0.25), x, class))$numeric$covariance
  expect_equal(shrunk$manual, 0.75 * own$covariance$manual + 0.25 * pooled, tolerance = 1e-13)
})

test_that("blocks keep their names, single features theirs", {
  spec <- bayes_blocks(list(petal = c("Petal.Width", "Petal.Length")))
  parameters <- coef(fit(spec, Species ~ ., iris))
  expect_named(parameters, c("prior", "Sepal.Length", "Sepal.Width", "petal"))
  expect_identical(colnames(parameters$petal$mean), c("Petal.Width", "Petal.Length"))
  expect_equal(
    parameters$petal$covariance$virginica,
    cov(iris[101:150, c("Petal.Width", "Petal.Length")]), tolerance = 1e-13
  )
})

test_that("a joint table is an array level x level x class", {
  table <- coef(fit(bayes_full(), play ~ outlook + wind, play_tennis))$categorical
  counts <- with(play_tennis, table(outlook, wind, play))
  expect_identical(names(dimnames(table)), c("outlook", "wind", "class"))
  expect_identical(unname(dimnames(table)), unname(dimnames(counts)))
  expect_equal(c(table), c(prop.table(counts, 3)), tolerance = 1e-15)
  smoothed <- coef(fit(bayes_full(laplace = 1), play ~ outlook + wind, play_tennis))$categorical
  expect_equal(c(smoothed), c(prop.table(counts + 1, 3)), tolerance = 1e-15)
})

test_that("a joint table beyond 1e5 cells is a data frame of the cells seen", {
  x <- as.data.frame(lapply(1:6, function(j) factor(c(1, 2, 2, 3) + (j == 2), 1:8)))
  names(x) <- letters[1:6]
  seen <- coef(fit_xy(bayes_full(laplace = 1), x, c("u", "u", "v", "v")))$categorical
  expect_named(seen, c(letters[1:6], "class", "probability"))
  expect_identical(as.character(seen$b), rep(c("2", "3", "4"), 2))
  expect_identical(as.character(seen$class), rep(c("u", "v"), each = 3))
  total <- 2 + 8^6
  expect_equal(seen$probability, c(2, 2, 1, 1, 2, 2) / total, tolerance = 1e-13)
  expect_equal(attr(seen, "unseen"), c(u = 1, v = 1) / total, tolerance = 1e-13)
})

test_that("a class without rows is NA, not a number that looks like one", {
  few <- rbind(iris[1:12, ], iris[51:65, ])
  suppressMessages({
    single <- coef(fit(bayes_naive(), Species ~ Petal.Width, few))
    block <- coef(fit(bayes_full(), Species ~ Petal.Width + Sepal.Width, few))$numeric
  })
  expect_identical(single$prior[["virginica"]], 0)
  expect_identical(unname(single$Petal.Width["virginica", ]), c(NA_real_, NA_real_))
  expect_false(any(is.nan(single$Petal.Width)))
  expect_true(all(is.na(block$covariance$virginica)))
  expect_false(any(is.nan(block$covariance$virginica)))
  expect_equal(block$covariance$versicolor[2, 2], var(iris$Sepal.Width[51:65]), tolerance = 1e-13)
})

test_that("a known model gives back what it was made from", {
  size <- rbind(positive = c(small = 0.4, medium = 0.1, large = 0.5), negative = c(0.4, 0.2, 0.4))
  joint <- array(
    c(0.1, 0.3, 0.2, 0, 0.3, 0.5, 0.4, 0.2), c(2, 2, 2),
    list(c("positive", "negative"), colour = c("red", "blue"), shape = c("round", "square"))
  )
  spread <- list(positive = matrix(c(2, 1, 1, 3), 2), negative = diag(2))
  model <- bayes_known(
    prior = c(positive = 0.25, negative = 0.75), size = size, look = joint,
    weight = likelihood_gaussian(
      mean = c(positive = 15, negative = 25), sd = c(negative = 2.5, positive = 4)
    ),
    place = likelihood_gaussian(
      mean = rbind(positive = c(x = 0, y = 1), negative = c(2, 3)), covariance = spread
    )
  )
  parameters <- coef(model)
  expect_equal(parameters$prior, c(positive = 0.25, negative = 0.75), tolerance = 1e-15)
  expect_equal(unname(parameters$size), unname(size), tolerance = 1e-15)
  expect_equal(unname(parameters$weight), cbind(c(15, 25), c(4, 2.5)), tolerance = 1e-15)
  expect_equal(c(parameters$look), c(aperm(joint, c(2, 3, 1))), tolerance = 1e-15)
  expect_identical(names(dimnames(parameters$look)), c("colour", "shape", "class"))
  expect_equal(
    unname(lapply(parameters$place$covariance, unname)), unname(spread), tolerance = 1e-14
  )
})

test_that("an unused argument and a damaged model are classed errors", {
  model <- fit(bayes_naive(), play ~ ., play_tennis)
  expect_error(coef(model, complete = TRUE), "complete", class = "bayesrisk_error_argument")
  model$parameters$prior <- NULL
  expect_error(coef(model), "damaged", class = "bayesrisk_error_object")
})

# The log joint at the true class, summed over the rows: an independent way to logLik().
direct_log_likelihood <- function(model, data, class, weights = 1) {
  joint <- predict(model, data, type = "log_joint")
  sum(weights * joint[cbind(seq_len(nrow(data)), match(class, colnames(joint)))])
}

expect_direct_sum <- function(model, data, class, weights = 1) {
  expect_equal(
    as.double(logLik(model)), direct_log_likelihood(model, data, class, weights),
    tolerance = 1e-12
  )
}

degrees <- function(model) attr(logLik(model), "df")

test_that("logLik() is the sum of the log joint over the training rows", {
  for (spec in list(
    bayes_naive(), bayes_naive(variance = "ml"), bayes_naive(prior = c(0.5, 0.2, 0.3)),
    bayes_full(), bayes_full(covariance = "pooled"), bayes_full(shrinkage = 0.3),
    bayes_full(shrinkage = 1), bayes_blocks(list(petal = c("Petal.Length", "Petal.Width")))
  )) {
    expect_direct_sum(fit(spec, Species ~ ., iris), iris, iris$Species)
  }
  for (spec in list(
    bayes_naive(), bayes_naive(laplace = 1), bayes_full(), bayes_full(laplace = 0.5),
    bayes_blocks(list(air = c("temperature", "humidity")))
  )) {
    expect_direct_sum(fit(spec, play ~ ., play_tennis), play_tennis, play_tennis$play)
  }
})

test_that("logLik() has the value of the closed form", {
  # PlayTennis: counts times the logs of the shares that they give.
  shares <- function(counts) sum(counts * log(prop.table(counts, 1)), na.rm = TRUE)
  tables <- lapply(play_tennis[1:4], function(x) unclass(table(play_tennis$play, x)))
  expected <- 9 * log(9 / 14) + 5 * log(5 / 14) + sum(vapply(tables, shares, 1))
  model <- fit(bayes_naive(), play ~ ., play_tennis)
  expect_equal(as.double(logLik(model)), expected, tolerance = 1e-14)
  # Maximum likelihood of a normal: -n/2 (log(2 pi s^2) + 1).
  x <- iris$Sepal.Length[1:50]
  one <- one_class(
    fit_xy(bayes_naive(variance = "ml"), iris[1:50, 1, drop = FALSE], rep("setosa", 50))
  )
  ml <- mean((x - mean(x))^2)
  expect_equal(as.double(logLik(one)), -25 * (log(2 * pi * ml) + 1), tolerance = 1e-13)
})

test_that("weights count as copies of a row, in logLik() and in nobs()", {
  frequencies <- as.data.frame(Titanic)
  expanded <- frequencies[rep(seq_len(32), frequencies$Freq), 1:4]
  for (spec in list(bayes_naive(), bayes_full(), bayes_naive(laplace = 2))) {
    weighted <- fit(spec, Survived ~ ., frequencies, weights = Freq)
    copies <- fit(spec, Survived ~ ., expanded)
    expect_identical(nobs(weighted), 2201)
    expect_equal(logLik(weighted), logLik(copies), tolerance = 1e-12)
    expect_direct_sum(copies, expanded, expanded$Survived)
  }
  weights <- rep(c(0.5, 2, 0), 50)
  model <- fit(bayes_full(), Species ~ ., iris, weights = weights)
  expect_equal(nobs(model), 125)
  expect_direct_sum(model, iris, iris$Species, weights)
})

test_that("a missing feature adds nothing to logLik(), nor does a skipped block", {
  air <- transform(airquality, Month = factor(Month))
  single <- fit(bayes_naive(), Month ~ Ozone + Solar.R + Temp, air)
  expect_direct_sum(single, air, air$Month)
  expect_identical(nobs(single), 153)
  joint <- fit(bayes_blocks(list(sky = c("Ozone", "Solar.R"))), Month ~ Ozone + Solar.R + Temp, air)
  parts <- contributions(joint, air)
  parts[!complete.cases(air[c("Ozone", "Solar.R")]), "sky", ] <- 0
  joint_log <- apply(parts, c(1, 3), sum)
  expect_equal(
    as.double(logLik(joint)), sum(joint_log[cbind(seq_len(153), as.integer(air$Month))]),
    tolerance = 1e-12
  )
})

test_that("the degrees of freedom count free parameters", {
  expect_identical(degrees(fit(bayes_naive(), play ~ 1, play_tennis)), 1)
  # Lecture "Chapter ML:IV Statistical Learning: Bayes Classification": 13 against 71.
  expect_identical(degrees(fit(bayes_naive(), play ~ ., play_tennis)), 2 * (2 + 2 + 1 + 1) + 1)
  expect_identical(degrees(fit(bayes_full(), play ~ ., play_tennis)), 2 * 35 + 1)
  expect_identical(
    degrees(fit(bayes_naive(prior = c(no = 0.5, yes = 0.5)), play ~ ., play_tennis)), 12
  )
  expect_identical(degrees(fit(bayes_naive(prior = "uniform"), play ~ 1, play_tennis)), 0)
  of <- function(spec) degrees(fit(spec, Species ~ ., iris))
  expect_identical(of(bayes_naive()), 2 + 3 * 4 * 2)
  expect_identical(of(bayes_full()), 2 + 3 * (4 + 10))
  expect_identical(of(bayes_full(shrinkage = 0.5)), 2 + 3 * (4 + 10))
  expect_identical(of(bayes_full(covariance = "pooled")), 2 + 3 * 4 + 10)
  expect_identical(of(bayes_full(shrinkage = 1)), 2 + 3 * 4 + 10)
  expect_identical(of(bayes_full(identity = 0.5)), 2 + 3 * (4 + 10))
  expect_identical(of(bayes_full(identity = 1)), 2 + 3 * (4 + 1))
  expect_identical(of(bayes_full(covariance = "pooled", identity = 1)), 2 + 3 * 4 + 1)
  expect_identical(
    of(bayes_blocks(list(c("Petal.Length", "Petal.Width")))), 2 + 3 * 2 * 2 + 3 * (2 + 3)
  )
})

test_that("a level that is declared counts, a class without rows does not", {
  data <- data.frame(y = factor(c("a", "a", "b"), c("a", "b", "c")), x = factor(1:3, 1:5))
  model <- suppressMessages(fit(bayes_naive(), y ~ x, data))
  expect_identical(degrees(model), 1 + 2 * 4)
})

test_that("AIC() and BIC() have R's sign", {
  model <- fit(bayes_full(), Species ~ ., iris)
  value <- as.double(logLik(model))
  expect_identical(AIC(model), -2 * value + 2 * 44)
  expect_equal(BIC(model), -2 * value + log(150) * 44, tolerance = 1e-15)
  naive <- fit(bayes_naive(), Species ~ ., iris)
  expect_identical(rownames(AIC(model, naive)), c("model", "naive"))
  expect_s3_class(logLik(model), "logLik", exact = TRUE)
  expect_identical(attr(logLik(model), "nobs"), 150)
})

test_that("a known model has no rows and no log likelihood", {
  model <- bayes_known(c(a = 0.5, b = 0.5), x = likelihood_gaussian(mean = c(a = 0, b = 1), sd = 1))
  expect_identical(nobs(model), 0)
  expect_error(logLik(model), "without data", class = "bayesrisk_error_argument")
  expect_error(AIC(model), class = "bayesrisk_error_argument")
  expect_null(formula(model))
})

test_that("formula() is as it was written, and holds no environment of the fit", {
  fit_somewhere <- function() {
    large <- numeric(1e6)
    fit(bayes_naive(), am ~ log(hp) + wt, mtcars)
  }
  model <- fit_somewhere()
  expect_identical(formula(model), structure(am ~ log(hp) + wt, .Environment = globalenv()))
  expect_null(environment(model$schema$formula))
  expect_null(formula(fit_xy(bayes_naive(), iris[1:4], iris$Species)))
})

test_that("statistics know how many cases they hold", {
  titanic <- as.data.frame(Titanic)
  statistics <- bayes_statistics(bayes_naive(), Survived ~ ., titanic, weights = Freq)
  expect_identical(nobs(statistics), 2201)
  expect_error(nobs(statistics, use = 1), "use", class = "bayesrisk_error_argument")
})

test_that("unused arguments and damaged models are classed errors", {
  model <- fit(bayes_naive(), play ~ ., play_tennis)
  damaged <- replace(model, "schema", list(NULL))
  for (method in list(nobs, logLik, formula)) {
    expect_error(method(model, REML = TRUE), "REML", class = "bayesrisk_error_argument")
    expect_error(method(damaged), "damaged", class = "bayesrisk_error_object")
  }
})

test_that("every likelihood with counted parameters has logLik, AIC and BIC", {
  set.seed(1)
  data <- data.frame(
    y = factor(rep(c("a", "b", "c"), c(20, 15, 25))), x = stats::rnorm(60), z = stats::rnorm(60),
    n = stats::rpois(60, 4), g = factor(rep(c("u", "v", "w"), 20)), h = factor(rep(1:4, 15))
  )
  # Three classes: 2 for the prior, and 3 times what a class has.
  cases <- list(
    list(bayes_naive(), y ~ x, 2), list(bayes_naive(laplace = 1), y ~ g, 2),
    list(bayes_naive(features = list(n = likelihood_poisson())), y ~ n, 1),
    list(bayes_naive(features = list(x = likelihood_histogram(breaks = c(-9, 0, 1, 9)))), y ~ x, 2),
    list(bayes_full(), y ~ x + z, 2 + 3), list(bayes_full(laplace = 1), y ~ g + h, 11),
    list(bayes_naive(features = list(n = likelihood_poisson()), laplace = 1), y ~ n + g + x, 5)
  )
  for (case in cases) {
    model <- fit(case[[1]], case[[2]], data)
    fitted <- logLik(model)
    joint <- predict(model, data, type = "log_joint")
    expect_equal(
      as.double(fitted), sum(joint[cbind(seq_len(60), as.integer(data$y))]), tolerance = 1e-12
    )
    expect_identical(attr(fitted, "df"), 2 + 3 * case[[3]])
    expect_equal(stats::AIC(model), 2 * attr(fitted, "df") - 2 * as.double(fitted))
    expect_equal(stats::BIC(model), log(60) * attr(fitted, "df") - 2 * as.double(fitted))
  }
})

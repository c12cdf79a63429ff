mean_matrix <- rbind(A = c(x = 0, y = 0, z = 1), B = c(0.5, 0.5, 2))
cov_a <- matrix(c(2, 0.3, 0.1, 0.3, 1, 0.2, 0.1, 0.2, 3), 3)
cov_b <- diag(c(1, 2, 4))
named <- function(covariance) {
  dimnames(covariance) <- list(c("x", "y", "z"), c("x", "y", "z"))
  covariance
}

test_that("a covariance is one matrix, a list by class or an array", {
  pooled <- likelihood_gaussian(mean = mean_matrix, covariance = cov_a)
  expect_identical(pooled$mean, mean_matrix)
  expect_identical(pooled$covariance, named(cov_a))
  by_class <- likelihood_gaussian(mean = mean_matrix, covariance = list(B = cov_b, A = cov_a))
  expect_identical(by_class$covariance, list(A = named(cov_a), B = named(cov_b)))
  slices <- array(c(cov_a, cov_b), c(3, 3, 2))
  expect_identical(likelihood_gaussian(mean = mean_matrix, covariance = slices), by_class)
  dimnames(slices) <- list(NULL, NULL, c("B", "A"))
  swapped <- likelihood_gaussian(mean = mean_matrix, covariance = slices)
  expect_identical(swapped$covariance, list(A = named(cov_b), B = named(cov_a)))
})

test_that("a covariance with names is matched to the features by name", {
  shuffled <- named(cov_a)[c("z", "x", "y"), c("y", "z", "x")]
  known <- likelihood_gaussian(mean = mean_matrix, covariance = shuffled)
  expect_identical(known$covariance, named(cov_a))
  wrong <- named(cov_a)
  rownames(wrong)[[2]] <- "v"
  expect_error(likelihood_gaussian(mean = mean_matrix, covariance = wrong),
    "row and column names.*covariance", class = "bayesrisk_error_argument"
  )
})

test_that("a block of one feature", {
  one <- likelihood_gaussian(
    mean = cbind(x = c(A = 1, B = 2)), covariance = array(c(4, 9), c(1, 1, 2))
  )
  expect_identical(one$covariance$B, matrix(9, 1, 1, dimnames = list("x", "x")))
})

test_that("covariances that do not fit name the class and what is wrong (G10)", {
  bad <- function(covariance, pattern, mean = mean_matrix) {
    expect_error(likelihood_gaussian(mean = mean, covariance = covariance), pattern,
      class = "bayesrisk_error_argument"
    )
  }
  asymmetric <- cov_b
  asymmetric[1, 2] <- 0.5
  bad(list(A = cov_a, B = asymmetric), "covariance.*class \"B\".*symmetric")
  bad(list(A = cov_a, B = diag(2)), "covariance.*class \"B\".*3 x 3")
  bad(list(A = cov_a), "covariance.*Missing.*B")
  bad(list(cov_a, cov_b), "covariance.*Missing.*A")
  for (value in c(Inf, NA, NaN)) bad(replace(cov_a, 5, value), "covariance.*finite")
  bad(array(0, c(3, 3, 3)), "covariance.*one matrix per class")
  bad(4, "covariance.*3 x 3")
  bad(cov_a, "mean.*needs.*sd", mean = c(A = 1, B = 2))
  bad(cov_a, "mean.*row names", mean = unname(mean_matrix))
  bad(cov_a, "mean.*finite", mean = replace(mean_matrix, 2, Inf))
  # rounding of a computed covariance is no asymmetry
  rounded <- cov_a
  rounded[1, 2] <- rounded[1, 2] * (1 + 1e-15)
  known <- likelihood_gaussian(mean = mean_matrix, covariance = rounded)$covariance
  expect_identical(known, t(known))
})

test_that("a known block is read back as it was given, classes in the order of the prior", {
  covariance <- list(A = cov_a, B = cov_b)
  model <- bayes_known(
    c(B = 0.3, A = 0.7), xyz = likelihood_gaussian(mean = mean_matrix, covariance = covariance)
  )
  read <- coef(model)$xyz
  expect_identical(read$mean, array(
    mean_matrix[2:1, ], c(2, 3), list(class = c("B", "A"), feature = c("x", "y", "z"))
  ))
  expect_within(read$covariance$A, cov_a, 1e-15)
  expect_within(read$covariance$B, cov_b, 1e-15)
  shown <- summary(model)$blocks$xyz
  expect_within(shown$sd["A", ], sqrt(diag(cov_a)), 1e-15)
  expect_within(shown$correlation$A, cov2cor(cov_a), 1e-15, scale = 1)
})

test_that("a plot looks where each class has the feature, also under one covariance", {
  pooled <- bayes_known(
    c(A = 0.7, B = 0.3), xyz = likelihood_gaussian(mean = mean_matrix, covariance = cov_a)
  )
  bank <- pooled$plan$banks[[1]]
  moments <- record_of(bank)$moments(bank, bank_of(pooled), 3L)
  expect_within(moments$mean, c(1, 2), 0)
  expect_within(moments$sd, sqrt(c(3, 3)), 1e-15)
})

# Rows with missing values: missing = "em" ------------------------------------------------------

holed <- function(share = 0.2) {
  withr::local_seed(7)
  data <- iris
  for (j in 1:4) data[sample(150, 150 * share), j] <- NA
  data
}
em <- bayes_full(missing = "em")

block_of <- function(model) coef(model)$numeric

expect_same_block <- function(found, wanted, tolerance = 1e-9) {
  expect_within(block_of(found)$mean, block_of(wanted)$mean, tolerance, scale = 1)
  Map(function(a, b) expect_within(a, b, tolerance, scale = 1), block_of(found)$covariance,
      block_of(wanted)$covariance)
}

test_that("monotone missing values have the closed form of Anderson (1957)", {
  data <- data.frame(class = "a", iris[1:50, 1:3])
  names(data)[2:4] <- c("x", "y", "z")
  data$y[31:50] <- NA
  data$z[21:50] <- NA
  fitted <- one_class(fit(bayes_full(missing = "em", variance = "ml"), class ~ ., data))
  fitted <- block_of(fitted)
  ml <- function(x) crossprod(sweep(x, 2, colMeans(x))) / nrow(x)
  # The moments of x, then the regression of y on x, then that of z on both.
  mean <- c(x = mean(data$x))
  covariance <- ml(as.matrix(data["x"]))
  for (name in c("y", "z")) {
    known <- as.matrix(data[!is.na(data[[name]]), c(names(mean), name)])
    s <- ml(known)
    given <- names(mean)
    slope <- solve(s[given, given, drop = FALSE], s[given, name])
    rest <- s[name, name] - sum(slope * s[given, name])
    cross <- drop(covariance %*% slope)
    mean[[name]] <- colMeans(known)[[name]] + sum(slope * (mean - colMeans(known)[given]))
    covariance <- rbind(cbind(covariance, cross), c(cross, rest + sum(slope * cross)))
    dimnames(covariance) <- rep(list(names(mean)), 2)
  }
  expect_within(fitted$mean["a", ], mean, 1e-9)
  expect_within(fitted$covariance$a, covariance, 1e-9, scale = 1)
})

test_that("without missing values both settings give the same model", {
  for (kind in c("class", "pooled")) {
    both <- lapply(c("em", "complete"), function(missing) {
      fit(bayes_full(covariance = kind, missing = missing), Species ~ ., iris)
    })
    expect_identical(coef(both[[1]]), coef(both[[2]]))
    expect_equal(logLik(both[[1]]), logLik(both[[2]]), tolerance = 1e-13)
  }
})

test_that("an EM estimate reads all rows: print(), counts(), logLik()", {
  data <- holed()
  model <- fit(em, Species ~ ., data)
  shown <- paste(format(model), collapse = " ")
  expect_match(shown, "by expectation-maximisation", fixed = TRUE)
  expect_match(
    shown, "Block numeric was estimated by expectation-maximisation: 5[0-9]% of its rows miss"
  )
  expect_identical(unname(counts(model)$numeric), c(50, 50, 50))
  # The density of the known values of each row, by the formula of the normal.
  x <- as.matrix(data[1:4])
  own <- vapply(seq_len(150), function(i) {
    seen <- !is.na(x[i, ])
    s <- block_of(model)$covariance[[data$Species[[i]]]][seen, seen, drop = FALSE]
    d <- x[i, seen] - block_of(model)$mean[data$Species[[i]], seen]
    -(determinant(s)$modulus + sum(d * solve(s, d)) + sum(seen) * log(2 * pi)) / 2
  }, 1)
  expect_equal(as.numeric(logLik(model)), sum(own) + 150 * log(1 / 3), tolerance = 1e-12)
  empty <- data
  empty[1:2, 1:4] <- NA
  expect_match(
    format(fit(em, Species ~ ., empty)), "used 148 of 150 rows: the others miss all", all = FALSE
  )
})

test_that("an EM estimate of merged parts, updates and fewer features is that of all rows", {
  data <- holed()
  data[3, 1:3] <- NA
  model <- fit(em, Species ~ ., data)
  half <- seq(1, 150, 2)
  expect_same_block(update(fit(em, Species ~ ., data[half, ]), data[-half, ]), model)
  expect_same_block(
    merge(fit(em, Species ~ ., data[-half, ]), fit(em, Species ~ ., data[half, ])), model
  )
  expect_no_warning(fewer <- update(model, . ~ . - Petal.Width))
  expect_same_block(fewer, fit(em, Species ~ ., data[-4]))
  ml <- fit(update(em, variance = "ml"), Species ~ ., data)
  expect_identical(coef(update(model, variance = "ml")), coef(ml))
  # Eighths keep all their digits beside 2^30.
  eighths <- transform(data, Sepal.Length = round(8 * Sepal.Length) / 8)
  near <- block_of(fit(em, Species ~ ., eighths))
  far <- block_of(fit(em, Species ~ ., transform(eighths, Sepal.Length = 2^30 + Sepal.Length)))
  expect_within(far$mean[, 1] - 2^30, near$mean[, 1], 1e-6)
  expect_within(far$covariance$setosa, near$covariance$setosa, 1e-9, scale = 1)
})

test_that("shrinkage and the pooled covariance follow from the EM estimate", {
  data <- holed()
  ml <- block_of(fit(bayes_full(missing = "em", variance = "ml"), Species ~ ., data))$covariance
  half <- block_of(fit(
    bayes_full(missing = "em", variance = "ml", shrinkage = 0.5), Species ~ ., data
  ))$covariance
  expect_within(half$setosa, ml$setosa / 2 + Reduce(`+`, ml) / 6, 1e-12, scale = 1)
  pooled <- fit(bayes_full(missing = "em", covariance = "pooled"), Species ~ ., data)
  shrunk <- fit(bayes_full(missing = "em", shrinkage = 1), Species ~ ., data)
  expect_identical(block_of(pooled), block_of(shrunk))
  unbiased <- block_of(fit(em, Species ~ ., data))$covariance
  expect_within(unbiased$setosa, ml$setosa * 50 / 49, 1e-12, scale = 1)
})

test_that("a class without a value of a feature, or with a line, borrows", {
  data <- holed()
  data$Petal.Width[data$Species == "setosa"] <- NA
  expect_warning(
    model <- fit(em, Species ~ ., data), "borrows.*setosa", class = "bayesrisk_warning_degenerate"
  )
  strict <- update(em, degenerate = "stop")
  expect_bayesrisk_error(
    fit(strict, Species ~ ., data), "degenerate", "no observed value of one"
  )
  unknown <- transform(holed(), Petal.Width = NA_real_)
  found <- expect_bayesrisk_error(fit(em, Species ~ ., unknown), "degenerate", "Petal.Width")
  expect_length(found$problems, 3L)
  line <- holed()
  line$Petal.Width[1:50] <- 7 - line$Sepal.Width[1:50]
  expect_warning(
    fit(em, Species ~ ., line), "borrows.*setosa", class = "bayesrisk_warning_degenerate"
  )
  infinite <- holed()
  infinite[1, 1] <- Inf
  expect_bayesrisk_error(fit(em, Species ~ ., infinite), "data", "Infinite")
})

test_that("what an EM estimate cannot do is an error with a remedy", {
  skip_on_cran()
  data <- holed()
  model <- fit(em, Species ~ ., data)
  complete <- fit(bayes_full(), Species ~ ., data)
  expect_bayesrisk_error(confint(model), "argument", "no posterior.*complete")
  expect_bayesrisk_error(predict(model, data, estimate = "predictive"), "argument", "no posterior")
  expect_bayesrisk_error(simulate_parameters(model, 2), "argument", "no posterior")
  expect_bayesrisk_error(naive(model), "argument", "no naive view")
  expect_bayesrisk_error(merge(model, complete), "argument", "specifications differ")
  expect_bayesrisk_error(update(complete, missing = "em"), "argument", "another `missing`")
  expect_bayesrisk_error(
    bayes_statistics(em, Species ~ ., data, min_count = 5), "argument", "hold values of rows"
  )
  expect_bayesrisk_error(bayes_full(missing = "all"), "argument", "complete")
  expect_bayesrisk_error(
    bayes_full(missing = "em", joint = likelihood_mixture()), "argument", "missing"
  )
  expect_s3_class(search_blocks(em, Species ~ ., data), "bayesrisk_spec")
})

test_that("features that are rarely known together have a warning", {
  # No row has all features, and the likelihood is nearly flat along a ridge.
  rare <- withr::with_seed(109, {
    size <- c(sample(c(8, 15, 30, 60, 200), 1), sample(2:5, 1))
    missing <- stats::runif(1, 0.1, 0.8)
    x <- matrix(stats::rnorm(prod(size)), size[[1]])
    x <- x %*% matrix(stats::rnorm(size[[2]]^2), size[[2]])
    x[stats::runif(prod(size)) < missing] <- NA
    data.frame(y = "a", x)
  })
  whole <- data.frame(y = "b", matrix(withr::with_seed(1, stats::rnorm(200)), 40))
  expect_warning(
    fit(em, y ~ ., rbind(rare, whole)), "stopped before its end in block numeric",
    class = "bayesrisk_warning_degenerate"
  )
  both <- rbind(whole, transform(whole, y = "a"))
  groups <- rbind(cbind(rare, g = "rare"), cbind(whole, g = "rare"), cbind(both, g = "whole"))
  expect_warning(
    fit(em, y ~ ., groups, by = "g"), "In 1 of 2 groups an estimate stopped before its end: .rare.",
    class = "bayesrisk_warning_degenerate"
  )
})

test_that("an EM estimate of classes that weigh 1 or less needs the divisor of the likelihood", {
  data <- holed()
  weights <- rep(1 / 300, 150)
  expect_bayesrisk_error(
    fit(em, Species ~ ., data, weights = weights), "degenerate", "no class weighs\\s+more than 1"
  )
  ml <- update(em, variance = "ml")
  expect_same_block(
    fit(ml, Species ~ ., data, weights = weights), fit(ml, Species ~ ., data)
  )
})

test_that("a class without a maximum of the likelihood learns from its complete rows", {
  withr::local_seed(4)
  x <- rnorm(40)
  data <- data.frame(y = rep(c("a", "b"), each = 20), x = x, z = x + rnorm(40))
  # All complete rows of class a lie on a line.
  data$z[1:10] <- 1 - 2 * data$x[1:10]
  data$z[11:20] <- NA
  expect_warning(em <- fit(bayes_full(missing = "em"), y ~ ., data), "borrow")
  expect_warning(complete <- fit(bayes_full(), y ~ ., data), "borrow")
  expect_equal(coef(em), coef(complete), tolerance = 1e-12)
  half <- function(rows) bayes_statistics(bayes_full(missing = "em"), y ~ ., data[rows, ])
  odd <- seq(1, 40, 2)
  expect_warning(merged <- fit(bayes_full(missing = "em"), merge(half(odd), half(-odd))), "borrow")
  expect_equal(coef(merged), coef(em), tolerance = 1e-12)
  expect_bayesrisk_error(
    fit(bayes_full(missing = "em", degenerate = "stop"), y ~ ., data), "degenerate", "z.*x"
  )
})

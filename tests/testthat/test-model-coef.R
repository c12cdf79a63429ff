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

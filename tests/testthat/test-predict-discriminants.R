# Coordinates beside MASS::lda(), closed forms and the posterior. Coordinates of MASS have other
# signs.

pooled <- function(formula, data, ...) fit(bayes_full(covariance = "pooled"), formula, data, ...)

# Scaling, proportion of the trace, singular values and scores are those of a fit of lda().
expect_mass <- function(model, theirs, data, within = 1e-10, ...) {
  close <- function(x, y) expect_within(unname(x), unname(y), within, scale = 1)
  found <- discriminants(model, ...)
  expect_identical(dim(found$scaling), dim(theirs$scaling))
  signs <- diag(sign(colSums(found$scaling * theirs$scaling)), ncol(found$scaling))
  size <- rep(apply(abs(theirs$scaling), 2L, max), each = nrow(theirs$scaling))
  close(found$scaling / size, theirs$scaling %*% signs / size)
  close(found$proportion, theirs$svd^2 / sum(theirs$svd^2))
  scores <- predict(theirs, data)$x %*% signs
  if (...length() > 0L) return(invisible())
  ours <- predict(model, data, type = "discriminant")
  close(ours, scores)
  expect_identical(colnames(ours), colnames(theirs$scaling))
}

test_that("coordinates of flowers are those of MASS, as are those of its unequal classes", {
  skip_if_not_installed("MASS")
  model <- pooled(Species ~ ., iris)
  theirs <- MASS::lda(Species ~ ., iris)
  expect_mass(model, theirs, iris)
  expect_within(
    unname(discriminants(model)$between) * sqrt(150 / 2), theirs$svd, 1e-10
  )
  some <- iris[c(1:10, 51:85, 101:150), ]
  expect_mass(pooled(Species ~ ., some), MASS::lda(Species ~ ., some), some)
  prior <- c(setosa = 0.1, versicolor = 0.6, virginica = 0.3)
  given <- fit(bayes_full(covariance = "pooled", prior = prior), Species ~ ., some)
  expect_mass(given, MASS::lda(Species ~ ., some, prior = prior), some)
  expect_equal(
    discriminants(pooled(Species ~ ., some), prior = prior)[1:5], discriminants(given)[1:5],
    tolerance = 1e-12
  )
})

test_that("two classes, fewer features than classes, one feature: those of MASS", {
  skip_if_not_installed("MASS")
  two <- droplevels(iris[51:150, ])
  expect_mass(pooled(Species ~ ., two), MASS::lda(Species ~ ., two), two)
  expect_mass(
    pooled(Species ~ Sepal.Width, iris), MASS::lda(Species ~ Sepal.Width, iris), iris
  )
  glass <- MASS::fgl
  expect_mass(pooled(type ~ RI + Mg, glass), MASS::lda(type ~ RI + Mg, glass), glass)
  expect_mass(pooled(type ~ ., glass), MASS::lda(type ~ ., glass), glass)
  ml <- fit(bayes_full(variance = "ml", covariance = "pooled"), type ~ ., glass)
  expect_mass(ml, MASS::lda(type ~ ., glass, method = "mle"), glass)
})

test_that("a weight counts as copies of its row", {
  skip_if_not_installed("MASS")
  w <- rep_len(1:4, 150)
  copies <- iris[rep(seq_len(150), w), ]
  expect_mass(pooled(Species ~ ., iris, weights = w), MASS::lda(Species ~ ., copies), iris)
})

test_that("with the tolerance of MASS the directions of nearly collinear features are left out", {
  skip_if_not_installed("MASS")
  close <- iris
  close$Sum <- close$Sepal.Length + close$Sepal.Width + 1e-6 * sin(seq_len(150))
  model <- pooled(Species ~ ., close)
  theirs <- suppressWarnings(MASS::lda(Species ~ ., close))
  expect_mass(model, theirs, close, tolerance = 1e-4)
  found <- discriminants(model, tolerance = 1e-4)
  expect_identical(found$directions, c(searched = 4, features = 5))
  expect_output(print(found), "1 direction of the features")
  expect_identical(discriminants(model)$directions, c(searched = 5, features = 5))
  # A sum that is exact has no covariance to invert; the model of MASS has.
  close$Sum <- close$Sepal.Length + close$Sepal.Width
  theirs <- suppressWarnings(MASS::lda(Species ~ ., close))
  expect_mass(suppressMessages(as_bayes_model(theirs)), theirs, close)
})

test_that("the printed examples: Modern Applied Statistics with S, section 12.1", {
  skip_if_not_installed("MASS")
  flowers <- data.frame(log(rbind(iris3[, , 1], iris3[, , 2], iris3[, , 3])))
  flowers$species <- rep(c("s", "c", "v"), each = 50)
  found <- discriminants(pooled(species ~ ., flowers))
  printed <- cbind(c(3.7798, 3.9405, -9.0240, -1.5328), c(4.27690, 6.59422, 0.30952, -0.13605))
  expect_within(unname(abs(found$scaling)), abs(printed), 5e-5, 1)
  expect_within(unname(found$proportion), c(0.9965, 0.0035), 5e-5, 1)
  crabs <- data.frame(log(MASS::crabs[4:8]), g = interaction(MASS::crabs$sp, MASS::crabs$sex))
  found <- discriminants(pooled(g ~ ., crabs))
  printed <- c(31.217, 9.485, 9.822, -65.950, 17.998)
  expect_within(unname(abs(found$scaling[, 1L])), abs(printed), 5e-4, 1)
  expect_within(unname(found$proportion), c(0.6891, 0.3018, 0.0091), 5e-5, 1)
  # ?lda
  train <- data.frame(rbind(iris3[, , 1], iris3[, , 2], iris3[, , 3]), Sp = flowers$species)
  expect_mass(pooled(Sp ~ ., train), MASS::lda(Sp ~ ., train, prior = rep(1, 3) / 3), train)
})

test_that("models of MASS keep its coordinates, whatever the units", {
  skip_if_not_installed("MASS")
  units <- iris
  units[1:4] <- Map(`*`, units[1:4], c(1e4, 1e-3, 1, 1e2))
  for (method in c("moment", "mle")) {
    theirs <- MASS::lda(Species ~ ., units, method = method)
    expect_mass(suppressMessages(as_bayes_model(theirs)), theirs, units)
  }
  whole <- MASS::lda(Species ~ Sepal.Length + Petal.Width, iris)
  expect_mass(as_bayes_model(whole), whole, iris)
  expect_error(
    discriminants(as_bayes_model(MASS::qda(Species ~ ., iris))), "covariance of Sepal.Length",
    class = "bayesrisk_error_argument"
  )
})

test_that("within a class the covariance is the identity, and the coordinates give the posterior", {
  model <- pooled(Species ~ ., iris[-(1:20), ])
  found <- discriminants(model)
  within <- t(found$scaling) %*% coef(model)$numeric$covariance %*% found$scaling
  expect_within(unname(within), diag(2), 1e-12, 1)
  scores <- predict(model, iris, type = "discriminant")
  log_joint <- sapply(1:3, function(k) {
    log(found$prior[[k]]) - colSums((t(scores) - found$means[k, ])^2) / 2
  })
  posterior <- exp(log_joint) / rowSums(exp(log_joint))
  expect_within(posterior, unname(predict(model, iris, type = "prob")), 1e-12, 1)
  expect_within(sum(found$prior * found$means[, 1L]), 0, 1e-12, 1)
  expect_within(unname(sqrt(colSums(found$prior * found$means^2))), unname(found$between), 1e-12)
})

test_that("closed form of two classes: the inverse covariance times the difference of the means", {
  covariance <- matrix(c(2, 0.6, 0.6, 1), 2)
  mean <- rbind(a = c(u = 1, v = 4), b = c(3, 5))
  model <- bayes_known(
    c(a = 0.8, b = 0.2), block = likelihood_gaussian(mean = mean, covariance = covariance)
  )
  found <- discriminants(model)
  apart <- mean["b", ] - mean["a", ]
  slope <- solve(covariance, apart)
  distance <- sqrt(sum(slope * apart))
  expect_within(unname(found$scaling[, 1L]), unname(slope / distance), 1e-14)
  expect_within(found$means[, 1L], c(a = -0.2, b = 0.8) * distance, 1e-14)
  expect_within(found$between[[1L]], sqrt(0.8 * 0.2) * distance, 1e-14)
  expect_within(found$centre, c(u = 1.4, v = 4.2), 1e-14)
  expect_identical(found$proportion, c(LD1 = 1))
})

test_that("more features than rows: with a share of the identity, by the dense eigenproblem", {
  few <- withr::with_seed(1, matrix(stats::rnorm(12 * 30), 12, dimnames = list(NULL, 1:30)))
  y <- rep(c("a", "b", "c"), 4)
  few[y == "b", 1:3] <- few[y == "b", 1:3] + 2
  model <- fit_xy(bayes_full(covariance = "pooled", identity = 0.2), few, y)
  found <- discriminants(model)
  within <- coef(model)$numeric$covariance
  away <- sweep(coef(model)$numeric$mean, 2L, found$centre)
  root <- Re(eigen(solve(within, t(away) %*% (found$prior * away)))$values[1:2])
  expect_within(found$between^2, root, 1e-12)
  expect_within(t(found$scaling) %*% within %*% found$scaling, diag(2), 1e-12, 1)
})

test_that("blocks and single features together: the covariance has zeros between the blocks", {
  mean <- rbind(a = c(u = 1, v = 4), b = c(3, 5), c = c(0, 2))
  covariance <- matrix(c(2, 0.6, 0.6, 1), 2)
  prior <- c(a = 0.5, b = 0.2, c = 0.3)
  model <- bayes_known(
    prior, w = likelihood_gaussian(mean = c(a = 7, b = 1, c = 2), sd = 3),
    block = likelihood_gaussian(mean = mean, covariance = covariance),
    g = rbind(a = c(x = 0.1, y = 0.9), b = c(0.5, 0.5), c = c(0.2, 0.8))
  )
  found <- discriminants(model)
  means <- cbind(w = c(7, 1, 2), mean)
  within <- rbind(c(9, 0, 0), cbind(0, covariance))
  away <- sweep(means, 2L, colSums(prior * means))
  root <- eigen(solve(within, t(away) %*% (prior * away)))$values
  expect_within(unname(found$between)^2, Re(root)[1:2], 1e-13)
  expect_identical(rownames(found$scaling), c("w", "u", "v"))
  expect_within(unname(t(found$scaling) %*% within %*% found$scaling), diag(2), 1e-14, 1)
  expect_within(unname(away %*% found$scaling), unname(found$means), 1e-13, 1)
  expect_output(print(found), "Without a part in the coordinates: g")
  case <- data.frame(w = 3, u = 1, v = NA, g = "x")
  expect_identical(
    predict(model, case, type = "discriminant"),
    matrix(NA_real_, 1L, 2L, dimnames = list(NULL, c("LD1", "LD2")))
  )
})

test_that("the last class lies above the first one, and if they are level the one before it", {
  at <- function(...) {
    means <- c(...)
    names(means) <- letters[seq_along(means)]
    prior <- proportions(0 * means + 1)
    model <- bayes_known(prior, x = likelihood_gaussian(mean = means, sd = 2))
    discriminants(model)$scaling[[1L]]
  }
  expect_identical(at(1, 5), 0.5)
  expect_identical(at(5, 1), -0.5)
  expect_identical(at(1, 9, 3), 0.5)
  expect_identical(at(1, 9, 1), 0.5)
  expect_identical(at(9, 1, 9), -0.5)
})

test_that("scores of chunks, matrices and far rows; missing and infinite numbers", {
  model <- pooled(Species ~ ., iris)
  scores <- predict(model, iris, type = "discriminant")
  expect_identical(predict(model, as.matrix(iris[-5]), type = "discriminant"),
                   scores)
  expect_identical(predict(model, iris, type = "discriminant", threads = 2), scores)
  expect_identical(predict(model, iris, type = "discriminants"), scores)
  chunks <- as.data.frame(predict(model, chunked(iris, 40L), type = "discriminant"))
  expect_identical(chunks$.discriminant_LD2, unname(scores[, "LD2"]))
  expect_identical(dim(predict(model, iris[0, ], type = "discriminant")), c(0L, 2L))
  # The differences are exact; MASS keeps 6 digits of the far numbers.
  far <- near <- iris
  far[1:4] <- far[1:4] + 2^30
  near[1:4] <- far[1:4] - 2^30
  of <- function(data) predict(pooled(Species ~ ., data), data, type = "discriminant")
  expect_within(of(far), of(near), 1e-12, 1)
  holes <- iris[1:3, ]
  holes[2, 1] <- NA
  holes[3, 2] <- Inf
  expect_warning(
    found <- predict(model, holes, type = "discriminant"), "1 row with an infinite number",
    class = "bayesrisk_warning_infinite"
  )
  expect_identical(unname(is.na(found[, 1L])), c(FALSE, TRUE, TRUE))
})

test_that("a constant feature has no coefficient, a class without rows no mean", {
  data <- iris
  data$k <- 3
  model <- suppressWarnings(pooled(Species ~ ., data))
  expect_equal(
    discriminants(model)$scaling, discriminants(pooled(Species ~ ., iris))$scaling,
    tolerance = 1e-12
  )
  expect_identical(discriminants(model)$others, "k")
  data$k <- NA
  expect_false(anyNA(predict(model, data, type = "discriminant")))
  empty <- suppressWarnings(pooled(Species ~ ., iris[1:100, ]))
  found <- discriminants(empty)
  expect_identical(dim(found$scaling), c(4L, 1L))
  expect_identical(unname(is.na(found$means[, 1L])), c(FALSE, FALSE, TRUE))
})

test_that("a tempered model has the coordinates of its densities", {
  model <- pooled(Species ~ ., iris)
  tempered <- withr::with_seed(1, temper(model, iris, folds = 3))
  expect_message(found <- discriminants(tempered), class = "bayesrisk_message_untempered")
  expect_identical(found, discriminants(model))
})

test_that("a lazy table is an error that names the way", {
  skip_if_not_installed("dbplyr")
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  DBI::dbWriteTable(con, "flowers", iris)
  expect_error(
    predict(pooled(Species ~ ., iris), dplyr::tbl(con, "flowers"), type = "discriminant"),
    "query_chunks", class = "bayesrisk_error_argument"
  )
})

test_that("the print has coefficients, means and the proportion of the trace", {
  found <- discriminants(pooled(Species ~ ., iris))
  expect_snapshot(print(found))
  rows <- as.data.frame(found)
  expect_named(rows, c("feature", "coordinate", "coefficient"))
  expect_identical(rows$coefficient[[3L]], found$scaling[[2L, 1L]])
})

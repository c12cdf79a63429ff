# Missing values are marginalised exactly: against sub-matrices and explicit sums.

test_that("a Gaussian block uses the sub-covariance of what is observed (S9)", {
  model <- fit(bayes_full(), Species ~ ., iris)
  s <- lapply(split(iris[1:4], iris$Species), cov)
  m <- lapply(split(iris[1:4], iris$Species), colMeans)
  patterns <- as.matrix(expand.grid(rep(list(c(FALSE, TRUE)), 4)))
  patterns <- patterns[rowSums(patterns) < 4 & rowSums(patterns) > 0, ]
  x <- as.matrix(iris[seq(1, 150, length.out = nrow(patterns)), 1:4])
  expected <- t(vapply(seq_len(nrow(x)), function(i) {
    seen <- !patterns[i, ]
    mapply(function(m, s) log_dmvnorm(x[i, seen], m[seen], s[seen, seen, drop = FALSE]), m, s)
  }, numeric(3)))
  x[patterns] <- NA
  expect_within(predict(model, x, type = "log_likelihood"), expected, 1e-11)
})

test_that("so does a pooled or shrunk one", {
  holes <- as.matrix(iris[c(3, 77, 141), 1:4])
  holes[cbind(1:3, c(2, 4, 1))] <- NaN
  for (spec in list(bayes_full(covariance = "pooled"), bayes_full(shrinkage = .4))) {
    model <- fit(spec, Species ~ ., iris)
    s <- rep_len(covariances_of(model), 3)
    expected <- t(vapply(1:3, function(i) {
      seen <- !is.nan(holes[i, ])
      vapply(1:3, function(k) {
        log_dmvnorm(holes[i, seen], bank_of(model)$mean[k, seen], s[[k]][seen, seen])
      }, 1)
    }, numeric(3)))
    expect_within(predict(model, holes, type = "log_likelihood"), expected, 1e-11)
  }
})

# Twelve features: rows that miss up to three are scored by projection, other rows by themselves.
wide_data <- function(n = 240, p = 12) {
  set.seed(4)
  x <- matrix(rnorm(n * p), n) %*% matrix(rnorm(p^2), p)
  y <- rep(c("a", "b", "c"), length.out = n)
  x <- x + match(y, letters) * 2
  colnames(x) <- paste0("x", seq_len(p))
  holes <- x[seq_len(60), ]
  for (i in seq_len(60)) holes[i, sample(p, (i - 1) %% p)] <- NA
  list(x = x, y = y, holes = holes)
}

test_that("a wide block uses the sub-covariance, for each number of missing values", {
  d <- wide_data()
  for (spec in list(
    bayes_full(), bayes_full(covariance = "pooled"), bayes_full(shrinkage = .4, identity = .1)
  )) {
    model <- fit_xy(spec, d$x, d$y)
    s <- rep_len(covariances_of(model), 3)
    densities <- function(log_density) {
      t(apply(d$holes, 1, function(row) {
        seen <- !is.na(row)
        vapply(1:3, function(k) {
          log_density(row[seen], bank_of(model)$mean[k, seen], s[[k]][seen, seen, drop = FALSE], k)
        }, 1)
      }))
    }
    expected <- densities(function(x, mean, s, k) log_dmvnorm(x, mean, s))
    found <- predict(model, d$holes, type = "log_likelihood")
    expect_within(found, expected, 1e-11)
    expect_identical(unname(contributions(model, d$holes)[, "numeric", ]), unname(found))
    sample <- c(59, 12, 3, 40)
    expect_identical(predict(model, d$holes[sample, ], type = "log_likelihood"), found[sample, ])
    expect_identical(predict(model, d$holes, type = "log_likelihood", threads = 2), found)
  }
})

test_that("the predictive distribution of a wide block is a multivariate t of the known features", {
  d <- wide_data()
  model <- fit_xy(bayes_full(), d$x, d$y)
  n <- 80
  p <- ncol(d$x)
  freedom <- n - p
  s <- lapply(covariances_of(model), function(s) s * (n - 1) / freedom * (1 + 1 / n))
  expected <- t(apply(d$holes, 1, function(row) {
    seen <- !is.na(row)
    m <- sum(seen)
    vapply(1:3, function(k) {
      part <- s[[k]][seen, seen, drop = FALSE]
      away <- row[seen] - bank_of(model)$mean[k, seen]
      log_determinant <- as.vector(determinant(part)$modulus)
      lgamma((freedom + m) / 2) - lgamma(freedom / 2) - m / 2 * log(freedom * pi) -
        log_determinant / 2 - (freedom + m) / 2 * log1p(sum(away * solve(part, away)) / freedom)
    }, 1)
  }))
  found <- predict(model, d$holes, type = "log_likelihood", estimate = "predictive")
  expect_within(found, expected, 1e-11)
})

test_that("a single feature is left out, as if the model did not have it", {
  holes <- transform(iris, Petal.Width = NA_real_)
  naive <- fit(bayes_naive(), Species ~ ., iris)
  without <- update(naive, . ~ . - Petal.Width)
  expect_identical(
    predict(naive, holes, type = "log_joint"), predict(without, iris, type = "log_joint")
  )
  tennis <- fit(bayes_naive(), play ~ ., play_tennis)
  expect_within(
    predict(tennis, transform(play_tennis, wind = NA), type = "log_joint"),
    predict(update(tennis, . ~ . - wind), play_tennis, type = "log_joint"), 1e-15
  )
})

test_that("a joint table is summed over what is missing", {
  for (laplace in c(0, .5)) {
    model <- fit(bayes_full(laplace = laplace), play ~ ., play_tennis)
    grid <- expand.grid(lapply(play_tennis[1:4], levels))
    cells <- exp(predict(model, grid, type = "log_likelihood"))
    rows <- play_tennis[c(1, 6, 9, 12), 1:4]
    rows[1, "outlook"] <- NA
    rows[2, c("temperature", "wind")] <- NA
    rows[3, c("outlook", "humidity", "wind")] <- NA
    expected <- t(vapply(1:4, function(i) {
      known <- names(rows)[!is.na(rows[i, ])]
      fits <- Reduce(`&`, lapply(known, function(f) grid[[f]] == rows[i, f]))
      colSums(cells[fits, , drop = FALSE])
    }, numeric(2)))
    expect_within(exp(predict(model, rows, type = "log_likelihood")), expected, 1e-13)
  }
})

test_that("a row that misses everything gets the prior, exactly", {
  nothing <- iris[1:2, ]
  nothing[1, 1:4] <- NA
  prior <- c(.2, .3, .5)
  petals <- bayes_blocks(list(petal = c("Petal.Length", "Petal.Width")))
  for (spec in list(bayes_naive(), bayes_full(), petals)) {
    model <- fit(spec, Species ~ ., iris)
    p <- predict(model, nothing, type = "prob", prior = prior)
    expect_identical(as.vector(p[1, ]), prior)
    expect_identical(as.vector(predict(model, nothing, type = "log_likelihood")[1, ]), numeric(3))
    expect_identical(as.character(predict(model, nothing, prior = prior)), c("virginica", "setosa"))
  }
})

test_that("integer and logical NA are missing, not numbers (S10)", {
  l <- c(TRUE, FALSE, TRUE, TRUE, FALSE, FALSE, TRUE, FALSE)
  data <- data.frame(y = rep(c("a", "b"), each = 4), i = c(1:4, 3:6), l)
  model <- fit(bayes_naive(), y ~ ., data)
  expect_identical(
    as.vector(predict(model, data.frame(i = NA_integer_, l = NA), type = "prob")), c(.5, .5)
  )
  only_i <- predict(update(model, . ~ i), data.frame(i = 4L), type = "log_joint")
  expect_within(predict(model, data.frame(i = 4L, l = NA), type = "log_joint"), only_i, 1e-15)
})

test_that("an unknown level counts as missing, with one warning that counts rows (S6)", {
  model <- fit(bayes_naive(), play ~ ., play_tennis)
  fog <- transform(play_tennis, outlook = as.character(outlook))
  fog$outlook[c(2, 5)] <- "fog"
  expect_warning(p <- predict(model, fog, type = "prob"), "2 rows.*outlook",
                 class = "bayesrisk_warning_unknown_level")
  known <- predict(model, play_tennis[-c(2, 5), ], type = "prob")
  expect_identical(unname(p[-c(2, 5), ]), unname(known))
  without <- predict(update(model, . ~ . - outlook), fog[c(2, 5), ], type = "prob")
  expect_within(p[c(2, 5), ], without, 1e-15)
})

test_that("NA is a level only where it was trained as one; the string is not NA (S11, S12)", {
  f <- factor(c("u", NA, "u", "v", NA, NA))
  y <- rep(c("a", "b"), each = 3)
  trained <- fit_xy(bayes_naive(laplace = 1), data.frame(f = addNA(f)), y)
  p <- predict(trained, data.frame(f = addNA(f)), type = "prob")
  expect_within(p[2, ], c(2, 3) / 5, 1e-15)
  plain <- fit_xy(bayes_naive(laplace = 1), data.frame(f = f), y)
  expect_warning(p <- predict(plain, data.frame(f = addNA(f)), type = "prob"), NA)
  expect_identical(as.vector(p[2, ]), c(.5, .5))
  expect_warning(predict(plain, data.frame(f = "NA")), class = "bayesrisk_warning_unknown_level")
})

test_that("an infinite number gives a row of NA and one warning; other rows are untouched", {
  rows <- iris[c(5, 60, 110), ]
  rows$Petal.Width[2] <- Inf
  for (spec in list(bayes_naive(), bayes_full())) {
    model <- fit(spec, Species ~ ., iris)
    for (type in c("prob", "log_joint", "cost")) {
      expect_warning(p <- predict(model, rows, type = type), "1 row",
                     class = "bayesrisk_warning_infinite")
      expect_true(all(is.na(p[2, ])))
      expect_identical(p[-2, ], predict(model, iris[c(5, 110), ], type = type))
    }
    expect_warning(class <- predict(model, rows), class = "bayesrisk_warning_infinite")
    expect_identical(is.na(class), c(FALSE, TRUE, FALSE))
  }
})

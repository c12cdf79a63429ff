test_that("a likelihood has a name, a class of its own and the common class", {
  gaussian <- likelihood_gaussian()
  expect_s3_class(
    gaussian, c("bayesrisk_likelihood_gaussian", "bayesrisk_likelihood", "bayesrisk_result"),
    exact = TRUE
  )
  expect_identical(gaussian$name, "gaussian")
})

test_that("a matrix of estimates by statistic for each feature", {
  found <- statistic_matrices(list(mean = cbind(1:2, 3:4), sd = cbind(5:6, c(NaN, 8))), c("a", "b"))
  labels <- list(class = c("a", "b"), statistic = c("mean", "sd"))
  expect_identical(found, list(
    matrix(c(1, 2, 5, 6), 2L, dimnames = labels), matrix(c(3, 4, NA, 8), 2L, dimnames = labels)
  ))
})

test_that("known numbers are matched to the classes", {
  known <- known_numbers(list(mean = c(b = 2, a = 1), sd = c(b = 4, a = 3)), "x", c("a", "b"), NULL)
  expect_identical(
    known$parameters, list(mean = matrix(c(1, 2)), sd = matrix(c(3, 4)), left_out = integer())
  )
  expect_identical(known$features[[1]]$name, "x")
})

# One feature for each likelihood that is estimated, and two blocks; gaps in some.
every_kind <- function() {
  set.seed(21)
  n <- 160
  y <- factor(sample(c("a", "b", "c"), n, TRUE, c(.5, .3, .2)), c("c", "a", "b"))
  k <- as.integer(y)
  data <- data.frame(
    y,
    categorical = factor(sample(letters[1:4], n, TRUE), letters[5:1]), logical = rnorm(n) > k - 2,
    gaussian = rnorm(n, k), histogram = rexp(n) * k, poisson = rpois(n, k),
    kernel = rcauchy(n, k), empirical = sample(9, n, TRUE) / 10
  )
  for (j in 2:8) data[sample(n, 4), j] <- NA
  data
}

kinds_spec <- function(features = c("histogram", "poisson", "kernel", "empirical")) {
  likelihoods <- list(
    histogram = likelihood_histogram(breaks = 4^(-9:9), laplace = 1),
    poisson = likelihood_poisson(), kernel = likelihood_kernel(),
    empirical = likelihood_empirical()
  )
  bayes_naive(laplace = 1, features = likelihoods[features])
}

test_that("X21: of all likelihoods in one model the logs add up to the log joint", {
  data <- every_kind()
  features <- names(data)[-1]
  model <- fit(kinds_spec(), y ~ ., data)
  log_likelihoods <- lapply(features, function(name) {
    spec <- kinds_spec(intersect(name, c("histogram", "poisson", "kernel", "empirical")))
    single <- fit(spec, stats::reformulate(name, "y"), data)
    predict(single, data, type = "log_likelihood")
  })
  log_prior <- log(prop.table(table(data$y)))
  expected <- Reduce(`+`, log_likelihoods) + rep(log_prior, each = nrow(data))
  expect_within(
    predict(model, data, type = "log_joint"), expected, 1e-13, scale = pmax(1, abs(expected))
  )
  expect_within(
    apply(contributions(model, data), c(1, 3), sum), expected, 1e-13, scale = pmax(1, abs(expected))
  )
  expect_identical(vapply(model$plan$banks, `[[`, "", "type"), c(
    "gaussian", "histogram", "poisson", "kernel", "empirical", "categorical"
  ))
  expect_identical(nrow(simulate(model, 10, seed = 1)), 10L)
})

test_that("of every likelihood a missing number is left out, an infinite one has no answer", {
  data <- every_kind()
  model <- fit(kinds_spec(), y ~ ., data)
  row <- data[!rowSums(is.na(data)), ][1, ]
  for (name in c("gaussian", "histogram", "poisson", "kernel", "empirical")) {
    gap <- replace(row, name, NA)
    without <- update(model, stats::as.formula(paste(". ~ . -", name)))
    expect_within(
      predict(model, gap, type = "log_joint"), predict(without, row, type = "log_joint"), 1e-13
    )
    for (infinite in c(Inf, -Inf)) {
      expect_warning(
        p <- predict(model, rbind(row, replace(row, name, infinite)), type = "prob"),
        "1 row.*infinite", class = "bayesrisk_warning_infinite"
      )
      expect_identical(unname(is.na(p[, "a"])), c(FALSE, TRUE))
    }
    expect_error(
      fit(kinds_spec(), y ~ ., replace(data, name, replace(data[[name]], 3, Inf))),
      paste0("Infinite.*", name), class = "bayesrisk_error_data"
    )
  }
})

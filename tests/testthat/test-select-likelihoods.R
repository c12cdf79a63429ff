skewed <- function(n = 300L) {
  withr::local_seed(5)
  y <- rep(c("a", "b", "c"), n / 3)
  k <- match(y, c("a", "b", "c"))
  data.frame(
    y = y, normal = rnorm(n, k), wait = rgamma(n, 1.2, rate = 1 / k^2),
    count = rnbinom(n, 2, mu = 2 * k), g = sample(c("u", "v"), n, TRUE)
  )
}

# A second implementation: the log posteriors of models of the other folds, of one feature.
losses_of <- function(data, name, likelihood, folds) {
  p <- numeric(nrow(data))
  for (f in unique(folds)) {
    inside <- folds == f
    spec <- bayes_naive(features = stats::setNames(list(likelihood), name))
    model <- fit(spec, stats::reformulate(name, "y"), data[!inside, ])
    of <- predict(model, data[inside, ], type = "log_prob")
    p[inside] <- -of[cbind(seq_len(sum(inside)), match(data$y[inside], colnames(of)))]
  }
  p
}

test_that("losses and gains are those of models of the other folds", {
  data <- skewed()
  folds <- rep(1:5, each = 3, length.out = 300)
  found <- as.data.frame(search_likelihoods(bayes_naive(), y ~ ., data, folds = folds))
  expect_setequal(found$likelihood[found$feature == "normal"],
                  c("as before", "gaussian", "kernel", "mixture"))
  expect_true("gamma" %in% found$likelihood[found$feature == "wait"])
  expect_true("poisson" %in% found$likelihood[found$feature == "count"])
  base <- losses_of(data, "wait", likelihood_gaussian(), folds)
  gamma <- losses_of(data, "wait", likelihood_gamma(), folds)
  row <- found[found$feature == "wait" & found$likelihood == "gamma", ]
  expect_equal(row$loss, mean(gamma), tolerance = 1e-12)
  expect_equal(row$gain, mean(base - gamma), tolerance = 1e-10)
  expect_equal(row$std_error, sqrt(mean((base - gamma - mean(base - gamma))^2) / 300),
               tolerance = 1e-10)
  expect_identical(as.vector(tapply(found$chosen, found$feature, sum)), c(1L, 1L, 1L))
})

test_that("what fits better is found, and what does not stays", {
  skip_on_cran()
  data <- skewed(1500L)
  set.seed(1)
  found <- search_likelihoods(bayes_naive(), y ~ ., data)
  expect_identical(names(found$features), c("wait", "count"))
  expect_identical(found$features$wait$name, "gamma")
  expect_output(print(found), "2 of 3 likelihoods changed.")
  model <- fit(found, y ~ ., data)
  expect_identical(class(model$spec), class(bayes_naive()))
  new <- skewed(600L)
  loss <- function(m) {
    p <- predict(m, new, type = "prob")
    -mean(log(p[cbind(seq_len(600), match(new$y, colnames(p)))]))
  }
  expect_lt(loss(model), loss(fit(bayes_naive(), y ~ ., data)))
  blocks <- search_blocks(found, y ~ ., data)
  expect_identical(blocks$features, found$features)
})

test_that("a likelihood is rarely changed by chance", {
  skip_on_cran()
  changed <- vapply(1:40, function(seed) {
    set.seed(seed)
    data <- data.frame(y = rep(1:2, 40), x = rnorm(80), z = rnorm(80) + rep(1:2, 40))
    candidates <- list(kernel = likelihood_kernel(), mixture = likelihood_mixture(2, starts = 3))
    found <- suppressWarnings(search_likelihoods(bayes_naive(), y ~ ., data, candidates))
    length(found$features)
  }, 1L)
  # Two features with two candidates: 160 comparisons.
  expect_lte(sum(changed), 8)
})

test_that("densities are compared where that is asked", {
  data <- skewed()
  set.seed(1)
  found <- as.data.frame(search_likelihoods(bayes_naive(), y ~ wait, data, criterion = "evidence"))
  expect_identical(found$likelihood[found$chosen], "gamma")
  set.seed(1)
  folds <- rep(1:3, each = 3, length.out = 300)
  found <- as.data.frame(search_likelihoods(
    bayes_naive(), y ~ wait, data, list(likelihood_gamma()), "evidence", folds = folds
  ))
  density <- numeric(300)
  for (f in 1:3) {
    model <- fit(bayes_naive(numeric = likelihood_gamma()), y ~ wait, data[folds != f, ])
    of <- predict(model, data[folds == f, ], type = "log_likelihood")
    truth <- match(data$y[folds == f], colnames(of))
    density[folds == f] <- of[cbind(seq_along(truth), truth)]
  }
  expect_equal(found$loss[found$likelihood == "gamma"], -mean(density), tolerance = 1e-12)
})

test_that("what stays, and what is refused", {
  skip_on_cran()
  data <- skewed()
  kept <- bayes_naive(features = list(wait = likelihood_kernel()))
  set.seed(1)
  found <- search_likelihoods(kept, y ~ wait + count, data, list(likelihood_poisson()))
  expect_identical(unique(as.data.frame(found)$feature), "count")
  expect_identical(found$features$wait, likelihood_kernel())
  blocks <- bayes_blocks(list(c("normal", "wait")))
  found <- search_likelihoods(blocks, y ~ ., data, list(likelihood_kernel()))
  expect_identical(unique(as.data.frame(found)$feature), "count")
  expect_refusals(
    "numeric feature & alone" = search_likelihoods(bayes_full(), y ~ normal + wait, data),
    "candidates & list" = search_likelihoods(bayes_naive(), y ~ ., data, likelihood_kernel()),
    "candidates" = search_likelihoods(bayes_naive(), y ~ ., data, list(1)),
    "candidates" = search_likelihoods(
      bayes_naive(), y ~ ., data, list(likelihood_kernel(), likelihood_kernel())
    ),
    "criterion" = search_likelihoods(bayes_naive(), y ~ ., data, criterion = "bic")
  )
  # A candidate that does not apply to a feature is not tried there.
  found <- as.data.frame(search_likelihoods(bayes_naive(), y ~ ., data, list(likelihood_gamma())))
  expect_identical(found$feature[found$likelihood == "gamma"], "wait")
})

test_that("changes that make the whole model worse are taken back", {
  skip_if_not_installed("MASS")
  data <- MASS::biopsy[stats::complete.cases(MASS::biopsy), -1]
  folds <- rep(1:5, length.out = nrow(data))
  found <- search_likelihoods(bayes_naive(), class ~ ., data, folds = folds)
  loss <- function(spec) {
    p <- do.call(rbind, lapply(1:5, function(f) {
      set.seed(f)
      model <- temper(fit(spec, class ~ ., data[folds != f, ]), data[folds != f, ])
      predict(model, data[folds == f, ], type = "prob")
    }))
    truth <- unlist(split(data$class, folds))
    -mean(log(p[cbind(seq_along(truth), as.integer(truth))]))
  }
  expect_lt(loss(found), loss(bayes_naive()) + 0.005)
  path <- as.data.frame(found)
  chosen <- path[path$chosen & path$likelihood != "as before", ]
  expect_setequal(as.character(names(found$features)), as.character(chosen$feature))
})

test_that("counts that are 0 throughout a class are no Poisson counts", {
  withr::local_seed(1)
  data <- data.frame(y = rep(c("a", "b"), 100), x = stats::rpois(200, 2), z = stats::rpois(200, 2))
  data$z[data$y == "a"] <- 0
  found <- as.data.frame(search_likelihoods(bayes_naive(), y ~ ., data))
  counts <- c("poisson", "negative_binomial")
  expect_identical(found$likelihood[found$feature == "x" & found$likelihood %in% counts], counts)
  expect_false(any(found$likelihood[found$feature == "z"] %in% counts))
})

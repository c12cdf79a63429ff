# Forgetting against fits with weights, which it equals.

forgetful_specs <- function() {
  list(
    naive = bayes_naive(laplace = 1, features = list(eggs = likelihood_poisson())),
    full = bayes_full(laplace = 1, variance = "ml"),
    em = bayes_full(laplace = 1, missing = "em"),
    kernel = bayes_naive(numeric = likelihood_kernel(bandwidth = 0.3), laplace = 1),
    empirical = bayes_naive(numeric = likelihood_empirical()),
    negative_binomial = bayes_naive(features = list(eggs = likelihood_negative_binomial())),
    gamma = bayes_naive(features = list(weight = likelihood_gamma())),
    histogram = bayes_naive(numeric = likelihood_histogram(breaks = seq(-5, 20, 0.5), laplace = 1)),
    mixture = bayes_naive(numeric = likelihood_mixture(2)),
    joint_mixture = bayes_blocks(
      list(numbers = c("size", "weight")), laplace = 1,
      joint = list(numbers = likelihood_mixture(2))
    )
  )
}

test_that("rows before the new ones count forget to the power of the new weight", {
  data <- birds()
  data$size[c(4, 90, 300)] <- NA
  old <- 1:320
  forget <- 0.99
  weight <- ifelse(seq_len(400) %in% old, forget^80, 1)
  formula <- y ~ kind + size + eggs + weight
  for (name in names(forgetful_specs())) {
    spec <- forgetful_specs()[[name]]
    updated <- update(fit(spec, formula, data[old, ]), data[-old, ], forget = forget)
    expected <- fit(spec, formula, data, weights = !!weight)
    expect_equal(coef(updated), coef(expected), tolerance = 1e-10, info = name)
    expect_equal(nobs(updated), 320 * forget^80 + 80)
  }
})

test_that("the weights of bags of terms are forgotten, too", {
  counts <- cbind(a = c(1, 0, 3, 2, 0, 1), b = c(0, 2, 1, 0, 4, 0), c = c(1, 1, 0, 2, 2, 3))
  class <- factor(c("x", "y", "x", "y", "x", "y"))
  for (kind in c("multinomial", "bernoulli", "poisson")) {
    spec <- if (kind == "multinomial") bayes_text(weights_ok = TRUE) else bayes_text(kind)
    old <- fit_xy(spec, counts[1:4, ], class[1:4])
    updated <- update(old, counts[5:6, ], y = class[5:6], half_life = 3)
    expected <- fit_xy(spec, counts, class, weights = rep(c(0.5^(2 / 3), 1), c(4, 2)))
    expect_equal(coef(updated), coef(expected), tolerance = 1e-12, info = kind)
  }
})

test_that("forget = 1 is update(), and a half life is a share", {
  data <- birds()
  model <- fit(bayes_naive(laplace = 1), y ~ kind + size, data[1:300, ])
  expect_identical(update(model, data[301:400, ], forget = 1), update(model, data[301:400, ]))
  expect_equal(
    coef(update(model, data[301:400, ], half_life = 50)),
    coef(update(model, data[301:400, ], forget = 2^(-1 / 50)))
  )
  expect_equal(nobs(update(model, data[301:400, ], half_life = 50)), 300 / 4 + 100)
  weighted <- update(model, data[301:400, ], weights = rep(0.5, 100), half_life = 50)
  expect_equal(nobs(weighted), 300 / 2 + 50)
  expect_identical(update(model, data[0, ], half_life = 50), model)
})

test_that("row by row a stream keeps a bounded weight, and begins with its first row", {
  spec <- bayes_naive(laplace = 1)
  seen <- bayes_statistics(spec, play ~ ., play_tennis[0, ])
  for (i in 1:14) seen <- update(seen, play_tennis[i, ], forget = 0.8)
  model <- fit(spec, seen)
  expect_equal(nobs(model), (1 - 0.8^14) / (1 - 0.8))
  expected <- fit(spec, play ~ ., play_tennis, weights = 0.8^(13:0))
  expect_equal(coef(model), coef(expected), tolerance = 1e-12)
})

test_that("a group forgets by its own new rows", {
  data <- birds()
  old <- 1:300
  models <- fit(bayes_naive(laplace = 1), y ~ kind + size, data[old, ], by = region)
  updated <- update(models, data[-old, ], half_life = 20)
  for (region in names(models)) {
    own <- data$region == region
    alone <- fit(bayes_naive(laplace = 1), y ~ kind + size, data[intersect(old, which(own)), ])
    alone <- update(alone, data[setdiff(which(own), old), ], half_life = 20)
    expect_equal(coef(updated[[region]]), coef(alone), tolerance = 1e-12)
  }
  one <- update(models, data[data$region == "west", ][1:5, ], half_life = 2)
  expect_equal(coef(one$south), coef(models$south), tolerance = 1e-12)
})

test_that("bad values are named", {
  model <- fit(bayes_naive(), y ~ size, birds())
  for (bad in list(list(forget = 0), list(forget = 1.1), list(forget = NA), list(half_life = 0),
                   list(half_life = -1), list(half_life = 1e-5),
                   list(forget = 0.9, half_life = 3))) {
    expect_error(
      do.call(update, c(list(model, birds()), bad)), class = "bayesrisk_error_argument"
    )
  }
  expect_snapshot(update(model, birds(), forget = 0.9, half_life = 3), error = TRUE)
  expect_snapshot(update(model, laplace = 1, forget = 0.9), error = TRUE)
})

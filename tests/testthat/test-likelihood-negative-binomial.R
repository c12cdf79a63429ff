# Closed forms: R's dnbinom(), and the equation that maximum likelihood solves. tools/oracle has
# probabilities and fits in 60 digits.

# Class b varies less than a Poisson variable does.
visits <- function(n = 200) {
  withr::local_seed(4)
  y <- factor(rep_len(c("a", "b", "c"), n))
  x <- stats::rnbinom(n, size = c(.6, 1, 4)[y], mu = c(5, 1, 20)[y])
  data.frame(y, x = ifelse(y == "b", 3 + seq_len(n) %% 2, x), z = stats::rnorm(n))
}

binomials <- function(...) bayes_naive(numeric = likelihood_negative_binomial(), ...)

by_class <- function(at, x) {
  vapply(seq_len(nrow(at)), function(k) {
    dnbinom(x, size = at[k, "size"], mu = at[k, "mean"], log = TRUE)
  }, x)
}

# The derivative of the log likelihood by the size.
slope <- function(x, weight, size) {
  mean <- stats::weighted.mean(x, weight)
  sum(weight * (digamma(x + size) - digamma(size))) - sum(weight) * log1p(mean / size)
}

test_that("the mean is that of the class, the size where the likelihood is greatest", {
  data <- visits()
  for (w in list(rep(1, 200), rep_len(c(1, .5, 2, 3), 200))) {
    model <- fit(binomials(), y ~ x, data, weights = w)
    at <- coef(model)$x
    expect_identical(dimnames(at), list(class = c("a", "b", "c"), statistic = c("size", "mean")))
    for (k in rownames(at)) {
      of <- data$y == k
      expect_within(at[[k, "mean"]], stats::weighted.mean(data$x[of], w[of]), 1e-14)
      if (k == "b") {
        expect_identical(at[[k, "size"]], Inf)
      } else {
        near <- at[[k, "size"]] * c(1 - 1e-9, 1 + 1e-9)
        signs <- sign(vapply(near, slope, 1, x = data$x[of], weight = w[of]))
        expect_identical(signs, c(1, -1))
      }
    }
  }
  skip_if_not_installed("MASS")
  x <- data$x[data$y == "a"]
  found <- MASS::theta.ml(x, mean(x), limit = 100)
  expect_within(coef(fit(binomials(), y ~ x, data))$x[["a", "size"]], as.numeric(found), 1e-6)
})

test_that("scores are those of dnbinom() and dpois(), and the log likelihood their sum", {
  data <- visits()
  model <- fit(binomials(), y ~ x, data)
  at <- coef(model)$x
  x <- c(0, 1, 3, 17, 200, 1e4)
  score <- predict(model, data.frame(x = x), type = "log_likelihood")
  expected <- by_class(at, x)
  expect_within(score, expected, 1e-12, scale = pmax(1, abs(expected)))
  expect_within(score[, "b"], dpois(x, at[["b", "mean"]], log = TRUE), 1e-13)
  total <- sum(by_class(at, data$x)[cbind(1:200, as.integer(data$y))])
  prior <- sum(log(prop.table(table(data$y)))[data$y])
  expect_within(as.double(logLik(model)), total + prior, 1e-12)
  expect_identical(attr(logLik(model), "df"), 2 + 6)
})

test_that("a class that is not overdispersed says that it is Poisson", {
  model <- fit(binomials(), y ~ x, visits())
  said <- "x is not overdispersed, and so Poisson, in class \"b\"."
  expect_true(said %in% format(model))
  expect_output(print(model), "not overdispersed, and so Poisson, in class \"b\"")
  expect_output(print(summary(model)), "Poisson, in class")
  expect_output(print(summary(model)), "Inf")
  poisson <- fit(bayes_naive(numeric = likelihood_poisson()), y ~ x, visits())
  at <- data.frame(x = c(0, 3, 12))
  expect_within(
    predict(model, at, type = "log_likelihood")[, "b"],
    predict(poisson, at, type = "log_likelihood")[, "b"], 1e-14
  )
  none <- fit(binomials(), y ~ x, data.frame(y = c("a", "a", "b", "b"), x = c(0, 0, 1, 9)))
  p <- predict(none, data.frame(x = 0:1), type = "prob")
  expect_identical(p[[2, "a"]], 0)
  expect_false(any(grepl("Poisson", format(fit(binomials(), y ~ x, visits()[-seq(2, 200, 3), ])))))
})

test_that("numbers that are no counts are refused at the fit, impossible at prediction", {
  data <- data.frame(y = c("a", "a", "b", "b", "b"), x = c(1, 2.5, 3, -1, .5))
  expect_error(
    fit(binomials(), y ~ x, data), 'x \\(class "a": 1 row\\).*x \\(class "b": 2 rows\\)',
    class = "bayesrisk_error_data"
  )
  model <- fit(binomials(), y ~ x, visits())
  expect_warning(
    p <- predict(model, data.frame(x = c(1, 1.5, -2, NA)), type = "prob"), "2 rows impossible",
    class = "bayesrisk_warning_impossible"
  )
  expect_identical(unname(is.na(p[, 1])), c(FALSE, TRUE, TRUE, FALSE))
  expect_error(
    fit(
      bayes_naive(numeric = likelihood_negative_binomial(), degenerate = "stop"), y ~ x,
      data.frame(y = c("a", "b"), x = c(1, NA))
    ),
    "no observed value of `x`",
    class = "bayesrisk_error_degenerate"
  )
})

test_that("parts merge, rows are added and features dropped as if fitted at once", {
  data <- cbind(visits(), n = 0:199)
  data$x[5] <- NA
  all <- fit(binomials(), y ~ x + n, data)
  odd <- data[seq(1, 200, 2), ]
  even <- data[seq(2, 200, 2), ]
  first <- fit(binomials(), y ~ x + n, odd)
  expect_identical(coef(merge(first, fit(binomials(), y ~ x + n, even))), coef(all))
  expect_identical(coef(update(first, even)), coef(all))
  expect_identical(coef(update(all, . ~ . - n)), coef(fit(binomials(), y ~ x, data)))
  expect_identical(summary(all)$features$missing, c(1, 0))
  expect_bayesrisk_error(update(all, numeric = likelihood_poisson()), "argument", "other like")
})

test_that("known sizes and means are matched by class, an infinite size is Poisson", {
  model <- bayes_known(
    c(a = .25, b = .75),
    x = likelihood_negative_binomial(size = c(b = Inf, a = .5), mean = c(a = 3, b = 4)),
    z = likelihood_gaussian(mean = c(a = 0, b = 1), sd = 2)
  )
  at <- data.frame(x = c(0, 7), z = c(.3, -2))
  score <- predict(model, at, type = "log_joint")
  a <- log(.25) + dnbinom(at$x, .5, mu = 3, log = TRUE) + dnorm(at$z, 0, 2, TRUE)
  b <- log(.75) + dpois(at$x, 4, TRUE) + dnorm(at$z, 1, 2, TRUE)
  expect_within(score[, "a"], a, 1e-13)
  expect_within(score[, "b"], b, 1e-13)
  expect_within(
    apply(contributions(model, at), c(1, 3), sum), predict(model, at, type = "log_joint"), 1e-13
  )
  expect_identical(coef(model)$x[, "size"], c(a = .5, b = Inf))
})

test_that("wrong parameters are named", {
  known <- likelihood_negative_binomial
  expect_bayesrisk_error(known(size = c(a = 1)), "argument", "`size` needs `mean`")
  expect_bayesrisk_error(known(mean = c(a = 1)), "argument", "`mean` needs `size`")
  expect_bayesrisk_error(known(c(a = 0), 1), "argument", "`size` must be positive")
  expect_bayesrisk_error(known(c(a = NA_real_), 1), "argument", "`size` must hold finite")
  expect_bayesrisk_error(known(1, c(a = Inf)), "argument", "`mean` must hold finite")
  expect_bayesrisk_error(known(1, c(a = -1)), "argument", "from 0 to 9007199254740992")
  expect_bayesrisk_error(known(Inf, 1), "argument", "named by class")
  expect_bayesrisk_error(
    bayes_known(c(a = 1), x = likelihood_negative_binomial()), "argument", "size.*mean"
  )
  expect_bayesrisk_error(bayes_naive(numeric = known(1, c(a = 1))), "argument", "bayes_known")
  is_binomial <- function(x) is_likelihood(x) && is.character(format(x))
  for (arg in c("size", "mean")) expect_fuzz_proof(known, arg, is_valid = is_binomial)
})

test_that("it says what it is: format, coef and tidy", {
  expect_identical(
    format(likelihood_negative_binomial()),
    "Numeric features by negative binomial distributions."
  )
  expect_match(format(likelihood_negative_binomial(1, c(a = 1))), "of given size and mean")
  model <- fit(binomials(), y ~ x, visits())
  rows <- tidy(model)
  rows <- rows[rows$term == "x", ]
  expect_identical(rows$statistic, rep(c("size", "mean"), each = 3))
  expect_identical(rows$estimate, as.vector(coef(model)$x))
})

test_that("draws are counts with the distribution of their class", {
  model <- bayes_known(c(a = .5, b = .5), x = likelihood_negative_binomial(
    c(a = .3, b = Inf), c(a = 4, b = 2)
  ))
  rows <- simulate(model, 4000, seed = 1)
  expect_identical(rows$x, round(rows$x))
  for (k in c("a", "b")) {
    at <- coef(model)$x[k, ]
    x <- factor(pmin(rows$x[rows$class == k], 5), 0:5)
    p <- dnbinom(0:4, at[["size"]], mu = at[["mean"]])
    expect_gt(stats::chisq.test(table(x), p = c(p, 1 - sum(p)))$p.value, 1e-3)
  }
})

# Two classes, the smaller joint probability summed over counts.
two_binomials <- function(prior = c(a = .4, b = .6)) {
  bayes_known(prior, x = likelihood_negative_binomial(c(a = .5, b = 3), c(a = 4, b = 9)))
}

joint_visits <- function(prior = c(.4, .6), x = 0:4000) {
  cbind(prior[[1]] * dnbinom(x, .5, mu = 4), prior[[2]] * dnbinom(x, 3, mu = 9))
}

test_that("regions are those of predict(), risks the sums over counts", {
  model <- two_binomials()
  regions <- decision_regions(model)
  decided <- as.character(regions$decision)[findInterval(0:300, regions$from)]
  expect_identical(decided, as.character(predict(model, data.frame(x = 0:300))))
  least <- sum(apply(joint_visits(), 1, min))
  risk <- bayes_risk(model)
  expect_identical(risk$method, "exact")
  expect_within(risk$total, least, 1e-12)
  expect_within(value_of_information(model)$risk[[2]], least, 1e-12)
  cost <- cost_matrix(a = c(a = 0, b = 3), b = c(a = 1, b = 0), ask = .3)
  expect_within(
    bayes_risk(model, cost)$total, sum(apply(joint_visits() %*% t(unclass(cost)), 1, min)), 1e-12
  )
  worst <- minimax_prior(model)
  expect_within(worst$risk, bayes_risk(two_binomials(worst$prior))$total, 1e-10)
})

test_that("the risk of large counts is as accurate as it says", {
  # At any large mean it is that of two gamma densities.
  gamma <- bayes_known(
    c(a = 0.5, b = 0.5), x = likelihood_gamma(shape = 30, rate = 30 / c(a = 1, b = 1.3))
  )
  expected <- bayes_risk(gamma)$total
  for (mean in c(1e10, 1e12, 1e15)) {
    size <- c(a = 30, b = 30)
    counts <- likelihood_negative_binomial(size, c(a = mean, b = 1.3 * mean))
    risk <- bayes_risk(bayes_known(c(a = 0.5, b = 0.5), x = counts))
    expect_within(risk$total, expected, risk$accuracy + 1 / mean)
    expect_lt(risk$accuracy, 1e-7)
    expect_gt(risk$accuracy, 1e-9)
  }
})

test_that("the cut of two large means is that of the closed form", {
  for (case in list(
    c(0.1, 1e14, 1.1e14), c(1, 0.9 * 2^53, 2^53), c(10, 1e13, 1.0001e13), c(2e10, 2e10, 2.00004e10)
  )) {
    size <- case[[1]]
    mean <- stats::setNames(case[2:3], c("a", "b"))
    cut <- unname(size * log((mean[[2]] + size) / (mean[[1]] + size)) / -diff(log1p(size / mean)))
    below <- pnbinom(floor(cut), size, mu = mean)
    model <- bayes_known(c(a = 0.5, b = 0.5), x = likelihood_negative_binomial(size, mean))
    expect_equal(decision_threshold(model)$cut, cut, tolerance = 1e-10)
    risk <- bayes_risk(model)
    expect_within(risk$total, 0.5 * (1 - abs(diff(below))), risk$accuracy)
  }
})

test_that("rules of other kinds have a risk under counts, and counts decide nothing else", {
  model <- two_binomials()
  rule <- bayes_known(c(a = .5, b = .5), x = likelihood_poisson(c(a = 4, b = 9)))
  decided <- as.integer(predict(rule, data.frame(x = 0:4000)))
  wrong <- sum(joint_visits()[cbind(0:4000 + 1, 3 - decided)])
  expect_within(bayes_risk(model, rule = rule)$total, wrong, 1e-12)
  expect_within(
    bayes_risk(model, rule = function(x) ifelse(x$x < 4.5, "a", "b"))$total,
    .4 * pnbinom(4, .5, mu = 4, lower.tail = FALSE) + .6 * pnbinom(4, 3, mu = 9), 1e-9
  )
  gaussian <- bayes_known(
    c(a = .5, b = .5), x = likelihood_gaussian(mean = c(a = 2, b = 6), sd = 2)
  )
  expect_within(bayes_risk(gaussian, rule = model)$total, .5, 1e-15)
})

test_that("bounds are sums over counts; next_feature() looks at each", {
  bounds <- risk_bounds(two_binomials())
  joint <- joint_visits()
  expect_within(bounds$value[[1]], sum(apply(joint, 1, min)), 1e-12)
  expect_within(bounds$value[[2]], sum(sqrt(joint[, 1] * joint[, 2])), 1e-10)
  model <- bayes_known(
    c(a = .4, b = .6), x = likelihood_negative_binomial(c(a = .5, b = 3), c(a = 4, b = 9)),
    g = rbind(a = c(u = .2, v = .8), b = c(.7, .3))
  )
  after <- next_feature(model, data.frame(x = NA, g = "u"), zero_one_cost(c("a", "b")))
  cell <- joint_visits(c(.4 * .2, .6 * .7) / .5)
  expect_within(after$cost_after, sum(apply(cell, 1, min)), 1e-12)
})

test_that("plots look at counts", {
  skip_on_cran()
  model <- two_binomials()
  for (type in c("density", "posterior", "regions", "cost")) {
    drawn <- draw(model, type = type)
    expect_identical(drawn$x, round(drawn$x), info = type)
    expect_true(all(drawn$x >= 0), info = type)
  }
  drawn <- draw(model)
  at <- drawn[drawn$class == "a", ]
  expect_within(at$density, dnbinom(at$x, .5, mu = 4), 1e-13)
})

test_that("cross-validation counts it as any other", {
  data <- visits()
  folds <- rep_len(1:4, 200)
  found <- cv_risk(binomials(), y ~ x, data, folds = folds)
  wrong <- vapply(1:4, function(f) {
    model <- fit(binomials(), y ~ x, data[folds != f, ])
    sum(predict(model, data[folds == f, ]) != data$y[folds == f])
  }, 1)
  expect_within(found$error, sum(wrong) / 200, 1e-14)
})

# Closed forms: R's dgamma() and pgamma(), and the equations that maximum likelihood solves.
# tools/oracle has densities and fits in 60 digits.

durations <- function(n = 200) {
  withr::local_seed(3)
  y <- factor(sample(c("a", "b", "c"), n, TRUE, c(.5, .3, .2)))
  data.frame(y, t = stats::rgamma(n, c(.7, 3, 9)[y], c(.1, .2, 2)[y]), x = stats::rnorm(n))
}

gammas <- function(...) bayes_naive(numeric = likelihood_gamma(), ...)

by_formula <- function(model, t) {
  at <- coef(model)$t
  vapply(seq_len(nrow(at)), function(k) dgamma(t, at[k, "shape"], at[k, "rate"], log = TRUE), t)
}

test_that("shape and rate solve the equations of maximum likelihood", {
  data <- durations()
  weight <- rep_len(c(1, .5, 2), 200)
  for (w in list(rep(1, 200), weight)) {
    model <- fit(gammas(), y ~ t, data, weights = w)
    at <- coef(model)$t
    expect_identical(dimnames(at), list(class = c("a", "b", "c"), statistic = c("shape", "rate")))
    for (k in rownames(at)) {
      of <- data$y == k
      mean <- stats::weighted.mean(data$t[of], w[of])
      gap <- log(mean) - stats::weighted.mean(log(data$t[of]), w[of])
      shape <- at[[k, "shape"]]
      expect_within(log(shape) - digamma(shape), gap, 1e-12)
      expect_within(shape / at[[k, "rate"]], mean, 1e-14)
    }
  }
  model <- fit(gammas(), y ~ t, data)
  expect_within(
    as.double(logLik(model)),
    sum(by_formula(model, data$t)[cbind(1:200, as.integer(data$y))]) +
      sum(log(prop.table(table(data$y)))[data$y]), 1e-13
  )
  expect_identical(attr(logLik(model), "df"), 2 + 6)
  skip_if_not_installed("MASS")
  # Its search meets NaN on the way.
  found <- suppressWarnings(MASS::fitdistr(data$t[data$y == "b"], "gamma"))$estimate
  expect_within(coef(model)$t["b", ], found, 1e-4)
})

test_that("scores are those of dgamma(), near and far", {
  model <- fit(gammas(), y ~ t, durations())
  t <- c(1e-300, 1e-8, .01, 1, 7.5, 40, 1e3, 1e5)
  score <- predict(model, data.frame(t = t), type = "log_likelihood")
  expect_within(score, by_formula(model, t), 1e-13, scale = pmax(1, abs(score)))
})

test_that("missing numbers are left out, and what is not positive has no answer", {
  data <- durations()
  data$t[c(3, 9)] <- NA
  model <- fit(gammas(), y ~ t, data)
  expect_identical(coef(model)$t, coef(fit(gammas(), y ~ t, data[-c(3, 9), ]))$t)
  expect_identical(summary(model)$features$missing, 2)
  expect_warning(
    p <- predict(model, data.frame(t = c(1, 0, -2, NA)), type = "prob"), "2 rows impossible",
    class = "bayesrisk_warning_impossible"
  )
  expect_identical(unname(is.na(p[, "a"])), c(FALSE, TRUE, TRUE, FALSE))
  expect_within(p[4, ], prop.table(table(data$y)), 1e-15)
})

test_that("numbers that are not positive are refused at the fit, by column and class", {
  data <- data.frame(y = c("a", "a", "b", "b", "b"), t = c(1, 0, 3, -1, 0))
  expect_error(
    fit(gammas(), y ~ t, data),
    't \\(class "a": 1 row\\).*t \\(class "b": 2 rows\\).*likelihood_gaussian',
    class = "bayesrisk_error_data"
  )
  expect_error(
    cv_risk(gammas(), y ~ t, data[rep(1:5, 4), ], folds = 4), 't \\(class "b": 8 rows\\)',
    class = "bayesrisk_error_data"
  )
})

test_that("one value, or none, is degenerate, with what helps", {
  data <- data.frame(y = c("a", "a", "b", "b"), t = c(1, 2, 3, 3))
  strict <- bayes_naive(numeric = likelihood_gamma(), degenerate = "stop")
  expect_error(
    fit(strict, y ~ t, data), 'class "b".*`t` constant.*Drop the feature.*min_variance',
    class = "bayesrisk_error_degenerate"
  )
  expect_error(
    fit(strict, y ~ t, replace(data, "t", c(1, 2, NA, NA))), "no observed value of `t`",
    class = "bayesrisk_error_degenerate"
  )
})

test_that("parts merge, rows are added and features dropped as if fitted at once", {
  data <- cbind(durations(), s = 1:200)
  all <- fit(gammas(), y ~ t + s, data)
  odd <- data[seq(1, 200, 2), ]
  even <- data[seq(2, 200, 2), ]
  first <- fit(gammas(), y ~ t + s, odd)
  merged <- merge(first, fit(gammas(), y ~ t + s, even))
  expect_within(unlist(coef(merged)), unlist(coef(all)), 1e-13)
  expect_within(unlist(coef(update(first, even))), unlist(coef(all)), 1e-13)
  dropped <- update(all, . ~ . - s)
  expect_identical(coef(dropped), coef(fit(gammas(), y ~ t, data)))
  expect_bayesrisk_error(update(all, numeric = likelihood_gaussian()), "argument", "other like")
})

test_that("known shapes and rates are matched by class, beside other likelihoods", {
  model <- bayes_known(
    c(a = .25, b = .75), t = likelihood_gamma(shape = c(b = 3, a = .5), rate = c(a = 1, b = 2)),
    s = likelihood_gamma(2, c(a = 1, b = 4)), n = likelihood_poisson(c(a = 1, b = 2))
  )
  at <- data.frame(t = c(.3, 4), s = c(1, 2), n = c(0, 3))
  score <- predict(model, at, type = "log_joint")
  log_gamma <- function(x, ...) dgamma(x, ..., log = TRUE)
  expect_within(
    score[, "a"],
    log(.25) + log_gamma(at$t, .5, 1) + log_gamma(at$s, 2, 1) + dpois(at$n, 1, TRUE), 1e-14
  )
  expect_within(
    score[, "b"],
    log(.75) + log_gamma(at$t, 3, 2) + log_gamma(at$s, 2, 4) + dpois(at$n, 2, TRUE), 1e-14
  )
  expect_identical(coef(model)$s[, "shape"], c(a = 2, b = 2))
  exponential <- bayes_known(c(a = .5, b = .5), t = likelihood_gamma(1, c(a = 1, b = 3)))
  expect_within(
    predict(exponential, data.frame(t = 2), type = "log_likelihood")[1, ],
    dexp(2, c(1, 3), log = TRUE), 1e-15
  )
})

test_that("wrong parameters are named", {
  expect_bayesrisk_error(likelihood_gamma(shape = c(a = 1)), "argument", "`shape` needs `rate`")
  expect_bayesrisk_error(likelihood_gamma(rate = c(a = 1)), "argument", "`rate` needs `shape`")
  expect_bayesrisk_error(likelihood_gamma(1, 2), "argument", "named by class")
  expect_bayesrisk_error(likelihood_gamma(c(a = 0), 2), "argument", "`shape` must be positive")
  expect_bayesrisk_error(likelihood_gamma(2, c(a = Inf)), "argument", "`rate` must hold finite")
  expect_bayesrisk_error(likelihood_gamma(1:2, c(a = 1, b = 2)), "argument", "one per class, named")
  expect_bayesrisk_error(
    likelihood_gamma(c(a = 1, b = 2), c(a = 1, c = 2)), "argument", "rate.*Missing.*b"
  )
  expect_bayesrisk_error(likelihood_gamma(1e300, c(a = 1e-300)), "argument", "the mean")
  expect_bayesrisk_error(bayes_known(c(a = 1), t = likelihood_gamma()), "argument", "shape.*rate")
  expect_bayesrisk_error(
    bayes_naive(numeric = likelihood_gamma(1, c(a = 1))), "argument", "bayes_known"
  )
  is_gamma <- function(x) is_likelihood(x) && is.character(format(x))
  for (arg in c("shape", "rate")) expect_fuzz_proof(likelihood_gamma, arg, is_valid = is_gamma)
})

test_that("it says what it is: print, summary, coef and tidy", {
  expect_identical(format(likelihood_gamma()), "Numeric features by gamma distributions.")
  expect_match(format(likelihood_gamma(1, c(a = 1))), "of given shape and rate")
  model <- fit(gammas(), y ~ t, durations())
  expect_output(print(model), "gamma distributions")
  expect_output(print(summary(model)), "shape +rate")
  rows <- tidy(model)
  rows <- rows[rows$term == "t", ]
  expect_identical(rows$statistic, rep(c("shape", "rate"), each = 3))
  expect_identical(rows$estimate, as.vector(coef(model)$t))
})

test_that("draws are positive, and have the distribution of their class", {
  model <- bayes_known(
    c(a = .5, b = .5), t = likelihood_gamma(c(a = .05, b = 40), c(a = 1, b = 2))
  )
  rows <- simulate(model, 4000, seed = 1)
  expect_true(all(rows$t > 0))
  for (k in c("a", "b")) {
    at <- coef(model)$t[k, ]
    p <- stats::pgamma(rows$t[rows$class == k], at[["shape"]], at[["rate"]])
    expect_gt(suppressWarnings(stats::ks.test(p, "punif"))$p.value, 1e-3)
  }
})

# Integrals of the smaller of two joint densities.
two_gammas <- function(prior = c(a = .4, b = .6)) {
  bayes_known(prior, t = likelihood_gamma(c(a = 2, b = 6), c(a = .5, b = 1)))
}

test_that("two gamma distributions change places where a log and a line meet", {
  model <- two_gammas()
  regions <- decision_regions(model)
  cuts <- regions$to[2:3]
  lead <- function(t) log(.4) + dgamma(t, 2, .5, log = TRUE) - log(.6) - dgamma(t, 6, 1, log = TRUE)
  expect_within(lead(cuts), c(0, 0), 1e-12, scale = 1)
  expect_identical(regions$to[[1]], 0)
  expect_identical(as.character(regions$decision), c(NA, "a", "b", "a"))
  a <- diff(pgamma(cuts, 2, .5))
  b <- diff(pgamma(cuts, 6, 1))
  risk <- bayes_risk(model)
  expect_identical(risk$method, "exact")
  expect_within(risk$total, .4 * a + .6 * (1 - b), 1e-13)
  expect_within(value_of_information(model)$risk[[2]], risk$total, 1e-13)
  least <- function(t) pmin(.4 * dgamma(t, 2, .5), .6 * dgamma(t, 6, 1))
  sum <- stats::integrate(least, 0, Inf, rel.tol = 1e-9)$value
  expect_within(risk$total, sum, 1e-7)
})

test_that("what is not positive decides nothing: regions begin at 0", {
  regions <- decision_regions(two_gammas())
  t <- c(.01, 1, 3, 8, 50, 300)
  decided <- as.character(regions$decision)[findInterval(t, regions$from)]
  expect_identical(decided, as.character(predict(two_gammas(), data.frame(t = t))))
})

test_that("a gamma is the model of rules of other kinds, and rules decide for it", {
  model <- two_gammas()
  rule <- bayes_known(
    c(a = .5, b = .5), t = likelihood_gaussian(mean = c(a = 2, b = 6), sd = 1)
  )
  wrong <- .4 * pgamma(4, 2, .5, lower.tail = FALSE) + .6 * pgamma(4, 6, 1)
  expect_within(bayes_risk(model, rule = rule)$total, wrong, 1e-13)
  expect_within(
    bayes_risk(model, rule = function(x) ifelse(x$t < 4, "a", "b"))$total, wrong, 1e-6
  )
  normal <- bayes_known(
    c(a = .5, b = .5), t = likelihood_gaussian(mean = c(a = 2, b = 6), sd = 1)
  )
  equal <- decision_regions(model)
  cuts <- equal$to[2:3]
  a <- diff(pnorm(cuts, 2))
  b <- diff(pnorm(cuts, 6))
  total <- bayes_risk(normal, rule = model)$total
  # At 0 and below no class is possible, and the first action is taken.
  expect_within(total, .5 * a + .5 * (1 - b), 1e-10)
})

test_that("bounds, the minimax prior, next_feature() and contributions()", {
  model <- two_gammas()
  bounds <- risk_bounds(model)
  expect_true(all(bounds$value >= bayes_risk(model)$total - 1e-12 | grepl("lower", bounds$bound)))
  bhattacharyya <- sqrt(.24) * stats::integrate(
    function(t) sqrt(dgamma(t, 2, .5) * dgamma(t, 6, 1)), 0, Inf, rel.tol = 1e-10
  )$value
  expect_within(bounds$value[[2]], bhattacharyya, 1e-7)
  worst <- minimax_prior(model)
  expect_within(worst$risk, bayes_risk(two_gammas(worst$prior))$total, 1e-8)
  other <- bayes_known(
    c(a = .4, b = .6), t = likelihood_gamma(c(a = 2, b = 6), c(a = .5, b = 1)),
    g = rbind(a = c(u = .2, v = .8), b = c(.7, .3))
  )
  row <- data.frame(t = NA, g = "u")
  after <- next_feature(other, row, zero_one_cost(c("a", "b")))
  joint <- c(a = .4 * .2, b = .6 * .7)
  least <- bayes_risk(two_gammas(joint / sum(joint)))$total
  expect_within(after$cost_after, least, 1e-10)
  case <- data.frame(t = 2, g = "u")
  expect_within(
    apply(contributions(other, case), c(1, 3), sum), predict(other, case, type = "log_joint"), 1e-14
  )
})

test_that("plots look where the densities are, and never at 0 or below", {
  skip_on_cran()
  model <- fit(gammas(), y ~ t, durations())
  for (type in c("density", "posterior", "regions", "cost")) {
    drawn <- draw(model, type = type)
    expect_true(all(drawn$x > 0), info = type)
  }
  drawn <- draw(model)
  at <- drawn[drawn$class == "b", ]
  shown <- coef(model)$t["b", ]
  expect_within(at$density, dgamma(at$x, shown[["shape"]], shown[["rate"]]), 1e-12)
  both <- fit(bayes_naive(features = list(t = likelihood_gamma())), y ~ t + x, durations())
  drawn <- draw(both, type = "regions")
  seen <- predict(both, data.frame(t = drawn$x, x = drawn$y))
  expect_identical(as.character(drawn$decision), as.character(seen))
})

test_that("cross-validation and progress count it as any other", {
  data <- durations()
  folds <- rep_len(1:4, 200)
  found <- cv_risk(gammas(), y ~ t, data, folds = folds)
  wrong <- vapply(1:4, function(f) {
    model <- fit(gammas(), y ~ t, data[folds != f, ])
    sum(predict(model, data[folds == f, ]) != data$y[folds == f])
  }, 1)
  expect_within(found$error, sum(wrong) / 200, 1e-14)
})

test_that("values too small for a double are to be multiplied, values too large to be divided", {
  small <- transform(iris, Sepal.Length = Sepal.Length * 1e-310)
  spec <- bayes_naive(numeric = likelihood_gamma())
  expect_bayesrisk_error(
    fit(spec, Species ~ Sepal.Length, small), "degenerate", "too small.*Multiply the feature"
  )
})

test_that("coef() of a feature that is left out has no parameters", {
  d <- transform(iris[c(1, 5)], k = 3)
  model <- suppressWarnings(fit(bayes_naive(numeric = likelihood_gamma()), Species ~ ., d))
  expect_true(all(is.na(coef(model)$k)))
  expect_false(anyNA(coef(model)$Sepal.Length))
})

# Closed form: R's dpois(), and weighted means.

sprays <- function(spec = bayes_naive(numeric = likelihood_poisson())) {
  fit(spec, spray ~ count, InsectSprays)
}

test_that("rates are the means of the classes, and scores those of dpois()", {
  model <- sprays()
  means <- tapply(InsectSprays$count, InsectSprays$spray, mean)
  expect_within(coef(model)$count[, "rate"], means, 1e-15)
  expect_identical(dimnames(coef(model)$count), list(class = LETTERS[1:6], statistic = "rate"))
  x <- c(0, 1, 7, 16, 40, 1e3, 1e6)
  score <- predict(model, data.frame(count = x), type = "log_likelihood")
  expect_within(score, vapply(means, function(m) dpois(x, m, log = TRUE), x), 1e-14)
  expect_within(
    as.double(logLik(model)),
    sum(dpois(InsectSprays$count, means[InsectSprays$spray], log = TRUE)) - 72 * log(6), 1e-13
  )
  expect_identical(attr(logLik(model), "df"), 5 + 6)
})

test_that("a weight is that many copies of its row; missing counts are left out", {
  data <- data.frame(y = c("a", "a", "b", "b", "b"), x = c(1L, 4L, 0L, 2L, NA))
  poisson <- bayes_naive(numeric = likelihood_poisson())
  weighted <- fit(poisson, y ~ x, data, weights = c(2, 1, 3, 1, 1))
  copied <- fit(poisson, y ~ x, data[c(1, 1, 2, 3, 3, 3, 4, 5), ])
  expect_identical(coef(weighted), coef(copied))
  expect_identical(coef(weighted)$x[, "rate"], c(a = 2, b = 0.5))
  expect_identical(summary(weighted)$features$missing, 1)
  p <- predict(weighted, data.frame(x = NA_real_), type = "prob")
  expect_identical(unname(p[1, ]), c(3, 5) / 8)
})

test_that("a class without any count is certain of 0", {
  data <- data.frame(y = c("a", "a", "b", "b"), x = c(0, 0, 1, 3))
  model <- fit(bayes_naive(numeric = likelihood_poisson()), y ~ x, data)
  p <- predict(model, data.frame(x = 0:2), type = "prob")
  expect_within(p[1, ], c(1, exp(-2)) / (1 + exp(-2)), 1e-15)
  expect_identical(unname(p[2:3, "a"]), c(0, 0))
})

test_that("numbers that are no counts are refused at the fit, impossible at prediction", {
  data <- data.frame(y = c("a", "a", "b", "b", "b"), x = c(1, 2.5, 3, -1, .5), z = 1:5)
  poisson <- bayes_naive(numeric = likelihood_poisson())
  expect_error(
    fit(poisson, y ~ ., data), 'x \\(class "a": 1 row\\).*x \\(class "b": 2 rows\\)',
    class = "bayesrisk_error_data"
  )
  expect_error(
    cv_risk(poisson, y ~ ., data[rep(1:5, 4), ], folds = 4), 'x \\(class "b": 8 rows\\)',
    class = "bayesrisk_error_data"
  )
  expect_error(
    fit(poisson, y ~ x, data.frame(y = c("a", "b"), x = c(1, Inf))), "Infinite.*x",
    class = "bayesrisk_error_data"
  )
  model <- sprays()
  expect_warning(
    p <- predict(model, data.frame(count = c(1, 1.5, -2, 3)), type = "prob"), "2 rows impossible",
    class = "bayesrisk_warning_impossible"
  )
  expect_identical(is.na(p[, 1]), c(FALSE, TRUE, TRUE, FALSE))
  expect_error(
    fit(
      bayes_naive(numeric = likelihood_poisson(), degenerate = "stop"), y ~ x,
      data.frame(y = c("a", "b"), x = c(1, NA))
    ),
    "no observed value of `x`",
    class = "bayesrisk_error_degenerate"
  )
})

test_that("parts merge, features drop and rows are added as if fitted at once", {
  poisson <- bayes_naive(numeric = likelihood_poisson())
  data <- warpbreaks
  data$half <- data$breaks %/% 2
  all <- fit(poisson, tension ~ ., data)
  first <- fit(poisson, tension ~ ., data[seq(1, 54, 2), ])
  second <- fit(poisson, tension ~ ., data[seq(2, 54, 2), ])
  expect_identical(coef(merge(first, second)), coef(all))
  expect_identical(coef(update(first, data[seq(2, 54, 2), ])), coef(all))
  dropped <- update(all, . ~ . - breaks)
  expect_identical(coef(dropped), coef(fit(poisson, tension ~ wool + half, data)))
  expect_error(
    update(all, numeric = likelihood_gaussian()), "other likelihoods",
    class = "bayesrisk_error_argument"
  )
})

test_that("known rates are matched by class, beside other likelihoods", {
  model <- bayes_known(
    c(a = .25, b = .75),
    x = likelihood_poisson(rate = c(b = 3, a = 1)), z = likelihood_poisson(rate = c(a = 0, b = .5)),
    w = likelihood_gaussian(mean = c(a = 0, b = 1), sd = 2)
  )
  at <- data.frame(x = c(0, 2), z = c(0, 1), w = c(.3, -2))
  score <- predict(model, at, type = "log_joint")
  a <- log(.25) + dpois(at$x, 1, TRUE) + dpois(at$z, 0, TRUE) + dnorm(at$w, 0, 2, TRUE)
  b <- log(.75) + dpois(at$x, 3, TRUE) + dpois(at$z, .5, TRUE) + dnorm(at$w, 1, 2, TRUE)
  expect_within(score[, "a"], a, 1e-14)
  expect_within(score[, "b"], b, 1e-14)
  expect_error(
    bayes_known(c(a = 1), x = likelihood_poisson()), "no parameters",
    class = "bayesrisk_error_argument"
  )
  expect_error(
    bayes_known(c(a = .5, b = .5), x = likelihood_poisson(c(a = 1, c = 2))), "Missing.*b",
    class = "bayesrisk_error_argument"
  )
  expect_error(
    bayes_naive(numeric = likelihood_poisson(c(a = 1))), "bayes_known",
    class = "bayesrisk_error_argument"
  )
})

test_that("a mix of kinds adds up, block by block", {
  model <- fit(
    bayes_naive(features = list(carb = likelihood_poisson(), cyl = likelihood_poisson())),
    am ~ carb + cyl + wt + gear, transform(mtcars, gear = factor(gear))
  )
  new <- transform(mtcars, gear = factor(gear))
  expect_within(
    apply(contributions(model, new), c(1, 3), sum), predict(model, new, type = "log_joint"), 1e-13
  )
  expect_identical(
    format(likelihood_poisson()), "Numeric features by Poisson distributions."
  )
  expect_output(print(model), "carb by Poisson distributions")
  expect_output(print(summary(model)), "rate")
  rows <- tidy(model)
  expect_identical(
    rows$estimate[rows$term == "carb" & rows$statistic == "rate"],
    unname(coef(model)$carb[, "rate"])
  )
})

test_that("counts are drawn where they are possible", {
  skip_on_cran()
  model <- sprays()
  drawn <- draw(model)
  expect_identical(drawn$x, round(drawn$x))
  expect_true(all(drawn$x >= 0))
  at <- drawn[drawn$class == "C", ]
  expect_within(at$density, dpois(at$x, coef(model)$count["C", ]), 1e-13)
  drawn <- draw(model, type = "posterior", xlim = c(2.2, 2.8))
  expect_identical(unique(drawn$x), c(2, 3))
  many <- bayes_known(c(a = .5, b = .5), x = likelihood_poisson(c(a = 1e6, b = 2e6)))
  expect_lte(length(unique(draw(many)$x)), 513L)
  none <- bayes_known(c(a = .5, b = .5), x = likelihood_poisson(c(a = 0, b = 0)))
  expect_identical(unique(draw(none)$x), c(0, 1))
})

# The costs of three classes and four actions.
count_cost <- function() {
  cost_matrix(
    u = c(a = 0, b = 4, c = 2.5), v = c(a = 3, b = 0, c = 1), w = c(a = 7, b = 1, c = 0),
    ask = c(a = 1.5, b = .6, c = .7)
  )
}

known_counts <- function(rate, prior = prop.table(stats::setNames(seq_along(rate), names(rate)))) {
  bayes_known(prior, n = likelihood_poisson(rate))
}

# Joint probabilities of counts and classes, by enumeration.
joint_counts <- function(rate, prior, counts = 0:400) {
  vapply(seq_along(rate), function(k) prior[[k]] * dpois(counts, rate[[k]]), counts * 1)
}

decided_region <- function(regions, x) {
  as.character(regions$decision)[findInterval(x, regions$from)]
}

test_that("the cut of two rates, its risk and its bounds are in closed form", {
  prior <- c(a = .3, b = .7)
  model <- known_counts(c(a = 3, b = 7), prior)
  regions <- decision_regions(model)
  expect_within(regions$to[[1]], (3 - 7 - log(.3 / .7)) / log(3 / 7), 1e-14)
  expect_identical(regions$exact, c(TRUE, TRUE))
  cost <- cost_matrix(x = c(a = 0, b = 3), y = c(a = 1, b = 0))
  expect_within(
    decision_threshold(cost, object = model)$cut,
    (3 - 7 - log(.3 / (.7 * 3))) / log(3 / 7), 1e-14
  )
  risk <- bayes_risk(model)
  expect_identical(risk$method, "exact")
  # The cut is between 3 and 4
  expect_within(
    risk$table, c(.3 * ppois(3, 3), .7 * ppois(3, 7),
                  .3 * ppois(3, 3, lower.tail = FALSE), .7 * ppois(3, 7, lower.tail = FALSE)),
    1e-14
  )
  bounds <- risk_bounds(model)
  expect_within(bounds$value[[1]], risk$total, 1e-15)
  expect_within(bounds$value[[2]], sqrt(.21) * exp(-(sqrt(3) - sqrt(7))^2 / 2), 1e-14)
  s <- bounds$s[[3]]
  chernoff <- function(s) .3^s * .7^(1 - s) * exp(3^s * 7^(1 - s) - 3 * s - 7 * (1 - s))
  expect_within(bounds$value[[3]], chernoff(s), 1e-14)
  expect_within(s, optimise(chernoff, 0:1, tol = 1e-10)$minimum, 1e-6)
  expect_within(bounds$value[[4]], .42 / (1 + .21 * 16 / (.3 * 3 + .7 * 7)), 1e-14)
})

test_that("the risk of any two rates is that of ppois()", {
  for (low in 10^c(2, 5, 8, 9, 12, 15)) {
    rate <- c(a = low, b = low + 2 * sqrt(low))
    cut <- floor((rate[[2]] - low) / log1p((rate[[2]] - low) / low))
    wrong <- c(ppois(cut, low, lower.tail = FALSE), ppois(cut, rate[[2]]))
    risk <- bayes_risk(bayes_known(c(a = 0.5, b = 0.5), x = likelihood_poisson(rate)))
    expect_within(risk$total, mean(wrong), risk$accuracy)
  }
})

test_that("a rule in the tails keeps its digits", {
  model <- known_counts(c(a = 1, b = 300), c(a = .5, b = .5))
  cut <- decision_regions(model)$to[[1]]
  expect_within(cut, 299 / log(300), 1e-14)
  table <- bayes_risk(model)$table
  expect_within(table["a", "b"], .5 * ppois(52, 1, lower.tail = FALSE), 1e-12)
  expect_within(table["b", "a"], .5 * ppois(52, 300), 1e-12)
  large <- known_counts(c(a = 1e12, b = 1e12 + 4e6), c(a = .5, b = .5))
  expect_within(bayes_risk(large)$total, pnorm(-2), 1e-5)
  near <- known_counts(c(a = 1e6, b = 1e6 + 1), c(a = .5, b = .5))
  expect_within(decision_regions(near)$to[[1]], 1e6 + .5, 1e-9)
})

test_that("three rates with costs of any shape: as predict() decides, as a sum over counts", {
  rates <- list(c(a = 2, b = 6, c = 15), c(a = 40, b = .1, c = 60), c(a = 5, b = 5, c = 9))
  for (rate in rates) {
    prior <- c(a = .5, b = .2, c = .3)
    model <- known_counts(rate, prior)
    for (cost in list(count_cost(), zero_one_cost(letters[1:3], reject = .3))) {
      regions <- decision_regions(model, cost)
      n <- 0:60
      predicted <- predict(model, data.frame(n = n), type = "decision", cost = cost)
      expect_identical(decided_region(regions, n), as.character(predicted))
      expected <- joint_counts(rate, prior) %*% t(unclass(cost))
      risk <- bayes_risk(model, cost)
      expect_identical(risk$method, "exact")
      expect_within(risk$total, sum(apply(expected, 1, min)), 1e-13)
      worth <- value_of_information(model, cost)
      expect_within(worth$risk[[1]], min(colSums(expected)), 1e-13)
      expect_within(worth$risk[2:3], rep(sum(apply(expected, 1, min)), 2), 1e-13)
    }
  }
})

test_that("decisions along 0 to 200 are those of predict()", {
  withr::local_seed(5)
  for (i in 1:20) {
    rate <- c(a = 10^runif(1, -1, 2), b = 10^runif(1, -1, 2), c = sample(c(0, 3, 50), 1))
    model <- known_counts(rate, prop.table(setNames(runif(3), letters[1:3])))
    predicted <- predict(model, data.frame(n = 0:200))
    expect_identical(decided_region(decision_regions(model), 0:200), as.character(predicted))
  }
})

test_that("rate 0 is possible at 0 alone", {
  model <- known_counts(c(a = 0, b = 1, c = 5), c(a = .3, b = .3, c = .4))
  regions <- decision_regions(model, count_cost())
  expect_within(regions$to[1:2], c(.5, (1 - 5 - log(.3 / .4)) / log(1 / 5)), .2)
  expect_identical(regions$to[[1]], .5)
  expect_identical(as.character(regions$decision), c("u", "v", "w"))
  both <- known_counts(c(a = 0, b = 0), c(a = .3, b = .7))
  expect_identical(as.character(decision_regions(both)$decision), c("b", NA))
  expect_identical(decision_regions(both)$to, c(.5, Inf))
  expect_identical(bayes_risk(both)$total, .3)
  expect_within(risk_bounds(both)$value, c(.3, sqrt(.21), .3, .42, .3), 1e-15)
  one <- known_counts(c(a = 0, b = 2), c(a = .5, b = .5))
  expect_within(bayes_risk(one)$total, exp(-2) / 2, 1e-15)
  expect_within(risk_bounds(one)$value[[2]], exp(-1) / 2, 1e-15)
})

test_that("a tie at a count goes to the first, as in predict()", {
  # At 4 both are equally probable
  model <- known_counts(c(a = 2, b = 4), prop.table(c(a = exp(2 - 4) * 16, b = 1)))
  risk <- bayes_risk(model)
  expect_identical(as.character(predict(model, data.frame(n = 3:5))), c("a", "a", "b"))
  expect_within(decision_regions(model)$to[[1]], 4, 1e-14)
  expect_within(risk$table["b", "a"], ppois(4, 4) / (1 + 16 * exp(-2)), 1e-14)
})

test_that("the minimax prior is that of a grid", {
  cost <- cost_matrix(u = c(a = 0, b = 4, c = 2.5), w = c(a = 7, b = 1, c = 0))
  model <- known_counts(c(a = 2, b = 6, c = 15))
  worst <- minimax_prior(model, cost)
  risk_at <- function(prior) {
    sum(apply(joint_counts(c(2, 6, 15), prior) %*% t(unclass(cost)), 1, min))
  }
  expect_identical(worst$method, "exact")
  expect_within(worst$risk, risk_at(worst$prior), 1e-13)
  grid <- expand.grid(a = 0:20, b = 0:20) / 20
  grid <- grid[grid$a + grid$b <= 1, ]
  risks <- apply(grid, 1, function(p) risk_at(c(p, 1 - sum(p))))
  expect_gte(worst$risk, max(risks))
  expect_lt(worst$risk, max(risks) + .05)
})

test_that("categories around a count are enumerated; a count is worth what it tells", {
  prior <- c(a = .4, b = .6)
  rate <- c(a = 2, b = 5)
  shares <- rbind(a = c(u = .2, v = .8), b = c(.7, .3))
  model <- bayes_known(prior, n = likelihood_poisson(rate), g = shares)
  cost <- cost_matrix(a = c(a = 0, b = 3), b = c(a = 1, b = 0), ask = .3)
  joint <- joint_counts(rate, prior)
  of_cell <- function(g) sum(apply((joint * rep(shares[, g], each = 401)) %*% t(cost), 1, min))
  risk <- bayes_risk(model, cost)
  expect_identical(risk$method, "exact")
  expect_within(risk$total, of_cell("u") + of_cell("v"), 1e-14)
  after <- next_feature(model, data.frame(n = NA, g = "v"), cost)
  expect_within(after$cost_after, of_cell("v") / sum(prior * shares[, "v"]), 1e-14)
  rule <- function(x) ifelse(x$n < 3.5 & x$g == "v", "a", "b")
  expect_within(
    bayes_risk(model, rule = rule)$total,
    .4 * (1 - .8 * ppois(3, 2)) + .6 * .3 * ppois(3, 5), 1e-13
  )
})

test_that("a Gaussian or a histogram decides about counts; counts about nothing else", {
  prior <- c(a = .4, b = .6)
  counts <- known_counts(c(a = 2, b = 5), prior)
  gaussian <- bayes_known(
    c(a = .5, b = .5), n = likelihood_gaussian(mean = c(a = 2, b = 6), sd = 2)
  )
  # 4 is a tie
  risk <- bayes_risk(counts, rule = gaussian)
  expect_identical(risk$method, "exact")
  expect_within(risk$total, .4 * ppois(4, 2, lower.tail = FALSE) + .6 * ppois(4, 5), 1e-14)
  data <- data.frame(y = rep(c("a", "b"), c(3, 3)), n = c(0, 1, 5, 3, 8, 10))
  spec <- bayes_naive(numeric = likelihood_histogram(breaks = c(0, 3, 6, 10)), prior = prior)
  histogram <- fit(spec, y ~ n, data)
  # [0, 3) a, [3, 6) b, [6, 10] b, then the first action
  expect_within(
    bayes_risk(counts, rule = histogram)$total,
    .4 * (ppois(10, 2) - ppois(2, 2)) +
      .6 * (ppois(2, 5) + ppois(10, 5, lower.tail = FALSE)), 1e-14
  )
  # No Gaussian number is a count: the first action always
  expect_within(bayes_risk(gaussian, rule = counts)$total, .5, 1e-15)
  sampled <- bayes_risk(gaussian, rule = counts, method = "monte_carlo", tolerance = .01)
  expect_within(sampled$total, .5, .01)
})

test_that("a function is asked about all counts", {
  counts <- known_counts(c(a = 2, b = 5), c(a = .4, b = .6))
  odd <- function(x) ifelse(x$n %% 2 == 1, "a", "b")
  risk <- bayes_risk(counts, rule = odd)
  expect_identical(risk$method, "grid")
  expect_lt(risk$accuracy, 1e-11)
  even <- function(rate) (1 + exp(-2 * rate)) / 2
  expect_within(risk$total, .4 * even(2) + .6 * (1 - even(5)), 1e-13)
  many <- known_counts(c(a = 1e9, b = 1.0001e9), c(a = .5, b = .5))
  half <- function(x) ifelse(x$n <= 1.00005e9, "a", "b")
  risk <- bayes_risk(many, rule = half)
  expect_within(risk$total, pnorm(-1e5 / 2 / sqrt(1e9)), 1e-3)
})

test_that("what a rule costs is drawn along counts and bins", {
  skip_on_cran()
  model <- known_counts(c(a = 2, b = 5), c(a = .4, b = .6))
  drawn <- draw(model, type = "regions", rule = "likelihood")
  at <- drawn[drawn$class == "a", ]
  expect_identical(at$x, round(at$x))
  expect_identical(as.integer(at$rule), ifelse(at$x <= 3, 1L, 2L))
  joint <- joint_counts(c(2, 5), c(.4, .6), at$x)
  expect_within(at$least, pmin(joint[, 1], joint[, 2]), 1e-14)
  expect_within(at$risk, ifelse(at$x <= 3, joint[, 2], joint[, 1]), 1e-14)
  spec <- bayes_naive(features = list(Sepal.Length = likelihood_histogram(width = .5)))
  bins <- fit(spec, Species ~ Sepal.Length, iris)
  gaussian <- fit(bayes_naive(), Species ~ Sepal.Length, iris)
  drawn <- draw(gaussian, type = "regions", rule = bins, xlim = c(3, 9))
  # Outside of its bins it takes the first action.
  expect_identical(unique(as.character(drawn$rule[drawn$x < 4.2])), "setosa")
  expect_false(anyNA(drawn$rule))
})

test_that("counts beside other numbers: a right risk, and planes are drawn", {
  skip_on_cran()
  model <- bayes_known(
    c(a = .4, b = .6), x = likelihood_poisson(c(a = 2, b = 5)),
    y = likelihood_gaussian(mean = c(a = 2, b = 5), sd = 2)
  )
  y <- seq(-20, 30, length.out = 20001)
  joint <- function(x, y) {
    cbind(.4 * dpois(x, 2) * dnorm(y, 2, 2), .6 * dpois(x, 5) * dnorm(y, 5, 2))
  }
  joint <- outer(0:60, y, function(x, y) apply(joint(x, y), 1, min))
  exact <- sum(joint) * (y[[2]] - y[[1]])
  risk <- bayes_risk(model, tolerance = 1e-3)
  expect_identical(risk$method, "monte_carlo")
  expect_within(risk$total, exact, 5 * risk$accuracy, scale = 1)
  expect_identical(decision_regions(model)$kind, "contour")
  drawn <- draw(model, type = "regions")
  expect_identical(drawn$x, round(drawn$x))
  seen <- predict(model, data.frame(x = drawn$x, y = drawn$y))
  expect_identical(as.integer(drawn$decision), as.integer(seen))
  drawn <- draw(model, type = "regions", features = "x")
  expect_identical(drawn$x, round(drawn$x))
  expect_identical(nrow(decision_regions(model, features = "x")), 2L)
  drawn <- draw(model, type = "cost", features = "x", cost = zero_one_cost(c("a", "b"), .2))
  expect_identical(drawn$x, round(drawn$x))
})

test_that("every argument is fuzz-proof", {
  is_poisson <- function(x) is_likelihood(x) && is.character(format(x))
  expect_fuzz_proof(likelihood_poisson, "rate", is_valid = is_poisson)
})

test_that("pseudo-counts are events and cases that each class has seen", {
  data <- data.frame(y = rep(c("a", "b"), c(3, 4)), n = c(0, 0, 0, 1, 5, NA, 2))
  spec <- bayes_naive(numeric = likelihood_poisson(pseudo_count = 0.5, pseudo_exposure = 2))
  model <- fit(spec, y ~ n, data)
  expect_equal(coef(model)$n[, "rate"], c(a = 0.5 / 5, b = 8.5 / 5), tolerance = 1e-15)
  expect_equal(
    as.double(logLik(model)),
    sum(dpois(0, rep(0.1, 3), log = TRUE), dpois(c(1, 5, 2), 1.7, log = TRUE)) +
      3 * log(3 / 7) + 4 * log(4 / 7),
    tolerance = 1e-14
  )
  part <- function(rows) bayes_statistics(spec, y ~ n, data[rows, ])
  merged <- merge(part(c(1, 4, 5)), part(c(2, 3, 6, 7)))
  expect_equal(coef(fit(spec, merged)), coef(model), tolerance = 1e-15)
  updated <- update(fit(spec, y ~ n, data[-7, ]), data[7, ])
  expect_equal(coef(updated), coef(model), tolerance = 1e-15)
  weighted <- fit(spec, y ~ n, data[1:6, ], weights = c(1, 1, 1, 1, 1, 9))
  expect_equal(coef(weighted)$n["b", "rate"], 6.5 / 4, tolerance = 1e-15)
  # A class without a value has the rate of the pseudo-counts alone.
  data$n[1:3] <- NA
  expect_equal(coef(fit(spec, y ~ n, data))$n["a", "rate"], 0.25)
  none <- bayes_naive(numeric = likelihood_poisson(pseudo_count = 1), degenerate = "stop")
  expect_bayesrisk_error(fit(none, y ~ n, data), "degenerate", "no observed value")
})

test_that("pseudo-counts are described, and belong to estimates", {
  expect_identical(
    format(likelihood_poisson(pseudo_count = 1)),
    "Numeric features by Poisson distributions with pseudo-count 1 and pseudo-exposure 0."
  )
  expect_bayesrisk_error(likelihood_poisson(c(a = 1), 1), "argument", "rate.*pseudo_count")
  expect_bayesrisk_error(likelihood_poisson(pseudo_exposure = -1), "argument", "pseudo_exposure")
  is_poisson <- function(x) is_likelihood(x) && is.character(format(x))
  expect_fuzz_proof(likelihood_poisson, "pseudo_count", is_valid = is_poisson)
  expect_fuzz_proof(likelihood_poisson, "pseudo_exposure", is_valid = is_poisson)
})

test_that("a count that no class can have names its feature and the remedy", {
  data <- data.frame(y = rep(c("a", "b"), each = 3), n = 0, x = c(1, 2, 4, 3, 5, 9))
  spec <- function(...) {
    bayes_naive(features = list(n = likelihood_poisson(...)))
  }
  expect_warning(
    expect_identical(predict(fit(spec(), y ~ ., data), data.frame(n = c(0, 1, 2), x = 3))[2:3],
                     factor(c(NA, NA), c("a", "b"))),
    "2 rows.*Row 2: impossible in every class: `n` = .*pseudo_count",
    class = "bayesrisk_warning_impossible"
  )
  expect_no_warning(
    predict(fit(spec(pseudo_count = 1), y ~ ., data), data.frame(n = c(0, 1, 2), x = 3))
  )
})

test_that("plots evaluate counts at whole numbers, at most 513", {
  few <- grid_of_counts(NULL, NULL, 1L, NULL, c(-2.5, 6.2))
  expect_identical(few, as.double(0:7))
  many <- grid_of_counts(NULL, NULL, 1L, NULL, c(10, 1e5))
  expect_length(many, 513L)
  expect_identical(range(many), c(10, 1e5))
  expect_identical(many, round(many))
  expect_identical(grid_of_counts(NULL, NULL, 1L, NULL, c(0, 0)), c(0, 1))
})

test_that("both likelihoods of counts refuse what is no count, with the same words", {
  data <- data.frame(y = rep(c("a", "b"), 6), n = c(0:10, 0.5))
  for (likelihood in list(likelihood_poisson(), likelihood_negative_binomial())) {
    spec <- bayes_naive(numeric = likelihood)
    expect_error(fit(spec, y ~ n, data), "whole numbers, 0 or more; some are not in n ")
    data$n[[12]] <- -1
    expect_error(fit(spec, y ~ n, data), "likelihood_gaussian")
  }
})

test_that("no mean is above 2^53, from where doubles leave out counts", {
  data <- data.frame(y = c("a", "a", "b", "b"), n = c(2^53, 2^54, 3, 5))
  for (likelihood in list(likelihood_poisson(), likelihood_negative_binomial())) {
    expect_bayesrisk_error(
      fit(bayes_naive(numeric = likelihood), y ~ n, data), "degenerate",
      "mean of `?n`? is above 2\\^53(.|\n)*likelihood_gamma"
    )
  }
  rate <- c(a = 2^53, b = 2^54)
  expect_bayesrisk_error(likelihood_poisson(rate), "argument", "from 0 to 9007199254740992")
  expect_bayesrisk_error(
    likelihood_negative_binomial(2, rate), "argument", "from 0 to 9007199254740992"
  )
  model <- bayes_known(c(a = 0.5, b = 0.5), n = likelihood_poisson(rate / c(1, 2)))
  model$parameters$banks[[1]]$rate[[2]] <- 2^54
  expect_error(predict(model, data), class = "bayesrisk_error_object")
})

test_that("a count that is impossible in every class names the remedy, which helps", {
  data <- data.frame(y = rep(c("a", "b"), each = 4), n = 0, x = c(1:4, 3:6))
  likelihood <- list(n = likelihood_poisson())
  model <- fit(bayes_naive(features = likelihood), y ~ n + x, data)
  new <- data.frame(n = 3, x = 2)
  expect_warning(predict(model, new), "likelihood_poisson\\(pseudo_count = 0.5",
                 class = "bayesrisk_warning_impossible")
  smooth <- list(n = likelihood_poisson(pseudo_count = 0.5, pseudo_exposure = 1))
  expect_no_warning(predict(fit(bayes_naive(features = smooth), y ~ n + x, data), new))
})

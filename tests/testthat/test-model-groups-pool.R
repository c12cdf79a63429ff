# Pooled models of groups against the formulas, written once more in R.

pooled_birds <- function() {
  data <- birds()
  data$size[c(3, 50, 77)] <- NA
  data
}

# The statistics of a class in a group.
class_of <- function(data, region, class) {
  data[data$region == region & data$y == class, ]
}

test_that("a pooled table, mean, variance, rate and prior are those of the formulas", {
  data <- pooled_birds()
  m <- list(kind = 3, size = 7.5, eggs = 0.4, "(class)" = 11)
  spec <- bayes_naive(laplace = 0.5, features = list(eggs = likelihood_poisson()))
  models <- fit(spec, y ~ kind + size + eggs, data, by = region, pool = m)
  whole <- coef(fit(spec, y ~ kind + size + eggs, data))
  expect_equal(coef(models[["north"]])$pool, unlist(m[c("(class)", "size", "eggs", "kind")]))
  for (region in names(models)) {
    own <- coef(models[[region]])
    rows <- data[data$region == region, ]
    expect_equal(
      own$prior, c(table(rows$y) + 11 * whole$prior) / (nrow(rows) + 11), tolerance = 1e-13
    )
    for (class in levels(data$y)) {
      cases <- class_of(data, region, class)
      count <- table(cases$kind)
      table <- (count + 0.5 + 3 * whole$kind[class, ]) / (sum(count) + 0.5 * length(count) + 3)
      expect_equal(own$kind[class, ], c(table), tolerance = 1e-13, ignore_attr = TRUE)
      x <- cases$size[!is.na(cases$size)]
      n <- length(x)
      mean <- whole$size[class, "mean"]
      scatter <- sum((x - mean(x))^2) + 7.5 * whole$size[class, "sd"]^2 +
        n * 7.5 / (n + 7.5) * (mean(x) - mean)^2
      expect_equal(own$size[class, "mean"], (sum(x) + 7.5 * mean) / (n + 7.5), ignore_attr = TRUE)
      expect_equal(own$size[class, "sd"], sqrt(scatter / (n - 1 + 7.5)), ignore_attr = TRUE)
      expect_equal(
        own$eggs[class, "rate"],
        (sum(cases$eggs) + 0.4 * whole$eggs[class, "rate"]) / (nrow(cases) + 0.4),
        ignore_attr = TRUE
      )
    }
  }
})

test_that("a pooled block has the mean and the covariance of the formula", {
  m <- 4.5
  data <- transform(iris, site = factor(rep(1:5, 30)))
  formula <- Species ~ Sepal.Length + Sepal.Width + Petal.Length
  features <- all.vars(formula)[-1]
  for (spec in list(bayes_full(), bayes_full(variance = "ml"))) {
    divisor <- if (identical(spec, bayes_full())) 1 else 0
    models <- fit(spec, formula, data, by = site, pool = list(Sepal.Width = m))
    whole <- coef(fit(spec, formula, data))$numeric
    for (site in names(models)) {
      own <- coef(models[[site]])$numeric
      for (class in levels(iris$Species)) {
        x <- as.matrix(data[data$site == site & data$Species == class, features])
        n <- nrow(x)
        away <- colMeans(x) - whole$mean[class, ]
        scatter <- crossprod(sweep(x, 2, colMeans(x))) + m * whole$covariance[[class]] +
          n * m / (n + m) * tcrossprod(away)
        expect_equal(own$mean[class, ], (colSums(x) + m * whole$mean[class, ]) / (n + m))
        expect_equal(own$covariance[[class]], scatter / (n - divisor + m), tolerance = 1e-12)
      }
    }
    expect_equal(coef(models[[1]])$pool[[2]], m)
  }
})

test_that("no cases are fit(by = ), infinitely many the model of all groups", {
  data <- pooled_birds()
  for (spec in grouped_specs()) {
    alone <- fit(spec, y ~ kind + size + eggs, data, by = region)
    whole <- fit(spec, y ~ kind + size + eggs, data)
    none <- fit(spec, y ~ kind + size + eggs, data, by = region, pool = list("(class)" = 0))
    expect_identical(
      lapply(unclass(none), function(part) part$parameters[c("prior", "banks")]),
      lapply(unclass(alone), function(part) part$parameters[c("prior", "banks")])
    )
    expect_identical(fit(spec, y ~ kind + size + eggs, data, by = region, pool = 0), alone)
    all <- fit(spec, y ~ kind + size + eggs, data, by = region, pool = Inf)
    for (region in names(all)) {
      own <- coef(all[[region]])
      own$pool <- NULL
      expect_equal(own, coef(whole), tolerance = 1e-12)
    }
  }
})

# The log marginal likelihoods, from their definitions.
log_table_marginal <- function(n, before) {
  lgamma(sum(before)) - lgamma(sum(before) + sum(n)) +
    sum(ifelse(n > 0, lgamma(before + n) - lgamma(before), 0))
}

log_normal_marginal <- function(x, m, mean, covariance) {
  x <- as.matrix(x)
  n <- nrow(x)
  p <- ncol(x)
  if (n == 0) return(0)
  away <- colMeans(x) - mean
  scale <- m * as.matrix(covariance)
  scatter <- scale + crossprod(sweep(x, 2, colMeans(x))) + n * m / (n + m) * tcrossprod(away)
  log_gamma <- function(a) sum(lgamma(a - (seq_len(p) - 1) / 2))
  log_det <- function(s) as.numeric(determinant(s)$modulus)
  log_gamma((m + n) / 2) - log_gamma(m / 2) + m / 2 * log_det(scale) -
    (m + n) / 2 * log_det(scatter) + p / 2 * log(m / (m + n))
}

best_cases <- function(f) {
  exp(optimize(function(log_m) f(exp(log_m)), c(-4, 14), maximum = TRUE, tol = 1e-8)$maximum)
}

over_groups <- function(data, by, class, f) {
  sum(vapply(split(data, data[c(by, class)], drop = TRUE), f, 1))
}

test_that("pool = TRUE finds the cases under which the rows are most probable", {
  withr::local_seed(4)
  groups <- 40
  data <- data.frame(g = rep(seq_len(groups), each = 25), y = factor(rbinom(25 * groups, 1, 0.4)))
  shift <- rnorm(2 * groups, sd = 0.7)[data$g + groups * (data$y == "1")]
  data$x <- rnorm(nrow(data), shift)
  share <- plogis(rnorm(groups))[data$g]
  data$k <- factor(ifelse(runif(nrow(data)) < share, "a", sample(c("b", "c"), nrow(data), TRUE)))
  data$n <- rpois(nrow(data), exp(rnorm(groups, 0.5, 0.4))[data$g])
  spec <- bayes_naive(laplace = 0.25, features = list(n = likelihood_poisson()))
  models <- fit(spec, y ~ x + k + n, data, by = g, pool = TRUE)
  whole <- coef(fit(spec, y ~ x + k + n, data))
  class_of_rows <- function(rows) as.character(rows$y[[1]])
  expected <- c(
    "(class)" = best_cases(function(m) {
      sum(vapply(split(data$y, data$g), function(y) {
        log_table_marginal(table(y), m * whole$prior)
      }, 1))
    }),
    k = best_cases(function(m) {
      over_groups(data, "g", "y", function(rows) {
        log_table_marginal(table(rows$k), 0.25 + m * whole$k[class_of_rows(rows), ])
      })
    }),
    x = best_cases(function(m) {
      over_groups(data, "g", "y", function(rows) {
        p <- whole$x[class_of_rows(rows), ]
        log_normal_marginal(rows$x, m, p[["mean"]], p[["sd"]]^2)
      })
    }),
    n = best_cases(function(m) {
      over_groups(data, "g", "y", function(rows) {
        shape <- m * whole$n[class_of_rows(rows), "rate"]
        n <- sum(rows$n)
        shape * log(m) - (shape + n) * log(m + nrow(rows)) + lgamma(shape + n) - lgamma(shape)
      })
    })
  )
  found <- coef(models[[1]])$pool
  expect_identical(found[["(class)"]], Inf)
  expect_gt(expected[["(class)"]], 1e6)
  found <- found[names(found) != "(class)"]
  expected <- expected[names(expected) != "(class)"]
  expect_equal(found[names(expected)], expected, tolerance = 1e-3)
  block <- fit(bayes_full(), y ~ x + n, data, by = g, pool = TRUE)
  joint <- coef(fit(bayes_full(), y ~ x + n, data))$numeric
  expect_equal(coef(block[[1]])$pool[["numeric"]], best_cases(function(m) {
    if (m <= 1.001) return(-1e10 / m)
    over_groups(data, "g", "y", function(rows) {
      class <- class_of_rows(rows)
      log_normal_marginal(rows[c("x", "n")], m, joint$mean[class, ], joint$covariance[[class]])
    })
  }), tolerance = 1e-3)
})

test_that("groups that do not differ are all alike", {
  withr::local_seed(8)
  data <- data.frame(g = rep(1:10, each = 60), y = factor(rep(0:1, 300)), x = rep(rnorm(60), 10))
  models <- fit(bayes_naive(), y ~ x, data, by = g, pool = TRUE)
  expect_identical(unname(coef(models[[1]])$pool), c(Inf, Inf))
  expect_snapshot(print(models, n = 2))
})

test_that("a class that a group lacks and a new group predict", {
  data <- pooled_birds()
  data <- data[!(data$region == "west" & data$y == levels(data$y)[[1]]), ]
  models <- fit(bayes_naive(laplace = 1), y ~ kind + size, data, by = region, pool = 5)
  p <- predict(models, data[data$region == "west", ], type = "prob")
  expect_true(all(p[, 1] > 0))
  own <- coef(models[["west"]])
  whole <- coef(fit(bayes_naive(laplace = 1), y ~ kind + size, data))
  expect_equal(own$size[1, ], whole$size[1, ], tolerance = 1e-12)
  new <- transform(data[1:4, ], region = "east")
  expect_error(predict(models, new), class = "bayesrisk_error_schema")
  expect_equal(
    predict(models, new, type = "prob", default = "pooled"),
    predict(merge(models), new, type = "prob"), tolerance = 1e-12
  )
  alone <- fit(bayes_naive(laplace = 1), y ~ kind + size, birds(), by = region)
  expect_equal(
    predict(alone, new, type = "prob", default = "pooled"),
    predict(merge(alone), new, type = "prob"), tolerance = 1e-12
  )
})

test_that("the order of rows and groups does not matter, nor do threads", {
  data <- pooled_birds()
  models <- fit(bayes_full(), y ~ kind + size + eggs, data, by = region, pool = TRUE)
  withr::local_seed(2)
  turned <- data[sample(nrow(data)), ]
  turned$region <- factor(turned$region, rev(levels(turned$region)))
  other <- fit(bayes_full(), y ~ kind + size + eggs, turned, by = region, pool = TRUE, threads = 2)
  for (region in names(models)) {
    expect_equal(coef(other[[region]]), coef(models[[region]]), tolerance = 1e-6)
  }
})

test_that("update and merge keep the rule", {
  data <- pooled_birds()
  first <- seq_len(nrow(data)) %% 2 == 1
  formula <- y ~ kind + size + eggs
  spec <- bayes_naive(laplace = 1)
  whole <- fit(spec, formula, data, by = region, pool = TRUE)
  a <- fit(spec, formula, data[first, ], by = region, pool = TRUE)
  b <- fit(spec, formula, data[!first, ], by = region, pool = TRUE)
  for (both in list(update(a, data[!first, ]), merge(a, b))) {
    for (region in names(whole)) {
      expect_equal(coef(both[[region]]), coef(whole[[region]]), tolerance = 1e-9)
    }
  }
  plain <- fit(spec, formula, data, by = region)
  expect_equal(update(plain, pool = TRUE), whole)
  expect_equal(update(whole, pool = 0), plain)
  expect_equal(
    update(a, data[!first, ], pool = 4), fit(spec, formula, data, by = region, pool = 4),
    tolerance = 1e-9
  )
  expect_error(merge(a, plain), class = "bayesrisk_error_argument")
  expect_identical(coef(a["west"]$west)$pool, coef(a$west)$pool)
  json <- withr::local_tempfile(fileext = ".json")
  write_model_json(a$west, json)
  expect_equal(read_model_json(json), a$west, tolerance = 0)
})

test_that("the model of one group counts its rows and its cases", {
  data <- pooled_birds()
  models <- fit(bayes_naive(laplace = 1), y ~ kind + size, data, by = region, pool = 6)
  model <- models[["north"]]
  rows <- data[data$region == "north", ]
  expect_equal(nobs(model), nrow(rows) + 6)
  own <- logLik(model)
  p <- predict(model, rows, type = "joint")
  expect_equal(
    as.numeric(own), sum(log(p[cbind(seq_along(rows$y), as.integer(rows$y))])), tolerance = 1e-12
  )
  tidied <- tidy(models)
  at <- tidied$region == "north" & tidied$term == "kind"
  n <- table(rows$y)[as.character(tidied$class[at])]
  expect_equal(tidied$weight[at], as.numeric(n / (n + 6)))
  expect_equal(
    tidied$weight[tidied$region == "north" & tidied$term == "(prior)"],
    rep(nrow(rows) / (nrow(rows) + 6), nlevels(rows$y))
  )
  expect_snapshot(print(model))
  expect_identical(summary(model)$features$missing, c(NA_real_, NA_real_))
  more <- update(model, rows)
  expect_equal(nobs(more), 2 * nrow(rows) + 6)
})

test_that("likelihoods without a conjugate prior are all or none, and say so", {
  data <- pooled_birds()
  spec <- bayes_naive(laplace = 1, features = list(size = likelihood_kernel()))
  expect_message(
    models <- fit(spec, y ~ kind + size, data, by = region, pool = TRUE),
    class = "bayesrisk_message_not_pooled"
  )
  expect_equal(coef(models[[1]])$pool[["size"]], 0)
  expect_snapshot(fit(spec, y ~ kind + size, data, by = region, pool = 3), error = TRUE)
  two <- bayes_naive(laplace = 1, numeric = likelihood_kernel())
  expect_message(
    fit(two, y ~ size + weight, data, by = region, pool = list(TRUE, size = 0)),
    class = "bayesrisk_message_not_pooled"
  )
  gamma <- bayes_naive(features = list(eggs = likelihood_gamma(), weight = likelihood_gamma()))
  expect_error(
    fit(gamma, y ~ eggs + weight, transform(data, eggs = eggs + 1), by = region,
        pool = list(eggs = Inf)),
    class = "bayesrisk_error_argument"
  )
  all <- fit(spec, y ~ kind + size, data, by = region, pool = list(TRUE, size = Inf))
  whole <- fit(spec, y ~ kind + size, data)
  expect_equal(coef(all[[1]])$size, coef(whole)$size, tolerance = 1e-12)
})

test_that("bad values of pool are named", {
  data <- birds()
  grouped <- function(pool) fit(bayes_naive(), y ~ size + eggs, data, by = region, pool = pool)
  for (bad in list(-1, NA, "a", list(), numeric(), c(1, 2), list(1, 2), list(size = 1, size = 2),
                   list(siz = 1))) {
    expect_error(grouped(bad), class = "bayesrisk_error_argument")
  }
  expect_snapshot(grouped(list(siz = 1)), error = TRUE)
  expect_snapshot(grouped(-1), error = TRUE)
  expect_snapshot(fit(bayes_naive(), y ~ size, data, pool = TRUE), error = TRUE)
  expect_error(
    fit(bayes_full(), y ~ size + eggs, data, by = region, pool = list(size = 1, eggs = 2)),
    class = "bayesrisk_error_argument"
  )
})

lonely_rows <- function() {
  withr::local_seed(1)
  data <- data.frame(
    g = rep(c("a", "b", "c"), 20), y = sample(c("A", "B"), 60, TRUE), x = rnorm(60),
    z = 3 * rnorm(60), one = 1
  )
  data$flat <- ifelse(data$y == "A", 1, data$x)
  data
}

test_that("features that the merged model leaves out or borrows are reported, and predict", {
  data <- lonely_rows()
  expect_warning(
    models <- fit(bayes_naive(), y ~ x + one, data, by = g, pool = 5),
    class = "bayesrisk_warning_degenerate"
  )
  plain <- fit(bayes_naive(), y ~ x, data, by = g, pool = 5)
  expect_equal(predict(models, data, type = "prob"), predict(plain, data, type = "prob"))
  expect_warning(
    fit(bayes_naive(), y ~ flat, data, by = g, pool = 5), class = "bayesrisk_warning_degenerate"
  )
  for (pool in list(5, TRUE)) {
    models <- suppressWarnings(fit(bayes_naive(), y ~ flat, data, by = g, pool = pool))
    expect_gt(coef(models$a)$flat["A", "sd"], 0.05)
  }
  expect_error(
    fit(bayes_naive(), y ~ one, transform(data, one = x * 1e300), by = g, pool = 2),
    class = "bayesrisk_error"
  )
})

test_that("what the merged model has shrunk is not shrunk once more", {
  data <- lonely_rows()
  lacks <- data[!(data$g == "a" & data$y == "B"), ]
  specs <- list(
    bayes_full(identity = "auto"), bayes_full(identity = 0.3), bayes_full(shrinkage = 0.3),
    bayes_full(borrow = 10), bayes_naive(numeric = likelihood_gaussian(borrow = 10)),
    bayes_full(shrinkage = 1), bayes_naive(numeric = likelihood_gaussian(pooled = TRUE))
  )
  for (spec in specs[1:5]) {
    whole <- coef(fit(spec, y ~ x + z, lacks))
    few <- fit(spec, y ~ x + z, lacks, by = g, pool = 5)
    own <- coef(few$a)
    if (spec$structure == "naive") {
      expect_equal(own$x["B", ], whole$x["B", ])
    } else {
      expect_equal(own$numeric$mean["B", ], whole$numeric$mean["B", ])
      expect_equal(own$numeric$covariance$B, whole$numeric$covariance$B, tolerance = 1e-10)
    }
    expect_identical(confint(few$b)$estimate[1:2], unname(coef(few$b)$prior))
  }
  for (spec in specs) {
    many <- coef(fit(spec, y ~ x + z, data, by = g, pool = 1e9)$a)
    all <- coef(fit(spec, y ~ x + z, data, by = g, pool = Inf)$a)
    many$pool <- all$pool <- many$numeric$identity <- all$numeric$identity <- NULL
    expect_equal(many, all, tolerance = 1e-6)
  }
})

test_that("a level that no row has says nothing, pooled or drawn", {
  withr::local_seed(3)
  p <- matrix(rgamma(60, 0.3), 2)
  data <- data.frame(
    g = sample(letters[1:4], 400, TRUE),
    y = factor(sample(c("A", "B"), 400, TRUE, prob = c(0.9, 0.1)))
  )
  data$c <- factor(
    vapply(as.integer(data$y), function(i) sample(30, 1, prob = p[i, ]), 1), levels = 1:31
  )
  new <- data.frame(c = factor(31, levels = 1:31))
  spec <- bayes_naive(laplace = "shared")
  for (pool in list(0, 5, TRUE, Inf)) {
    models <- fit(spec, y ~ c, data, by = g, pool = pool)
    expect_equal(
      predict(models$a, new, type = "prob")[1, ], coef(models$a)$prior, tolerance = 1e-12
    )
  }
  model <- fit(spec, y ~ c, data)
  expect_identical(unname(coef(model)$c[, "31"]), c(0, 0))
  drawn <- simulate_parameters(model, 8, seed = 1)
  found <- vapply(1:8, function(i) predict(drawn[[i]], new, type = "prob")[[1]], 1)
  expect_true(all(found > 0.8 & found < 0.95))
})

test_that("groups of one class are named if the class shares are not pooled", {
  data <- lonely_rows()
  lacks <- data[!(data$g == "a" & data$y == "B"), ]
  expect_warning(
    fit(bayes_naive(), y ~ x, lacks, by = g, pool = list(x = 5)),
    class = "bayesrisk_warning_one_class"
  )
  expect_no_warning(fit(bayes_naive(), y ~ x, lacks, by = g, pool = 5))
})

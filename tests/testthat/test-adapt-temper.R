# Exponents against glm(), optim() and predictions written out.

# The log likelihoods of held-out cases by block, case x class x block, from fits of R.
held_out_blocks <- function(spec, formula, data, fold) {
  features <- all.vars(formula)[-1L]
  classes <- sort(unique(data$y))
  value <- array(NA_real_, c(nrow(data), length(classes), length(features) + 1L))
  for (f in unique(fold)) {
    model <- fit(spec, formula, data[fold != f, ])
    parts <- unclass(contributions(model, data[fold == f, ]))
    value[fold == f, , ] <- aperm(parts, c(1L, 3L, 2L))
  }
  value
}

log_loss <- function(parts, truth, power, offset = rep(0, dim(parts)[[2L]])) {
  joint <- parts[, , 1L] + rep(offset, each = dim(parts)[[1L]])
  for (b in seq_along(power)) joint <- joint + power[[b]] * parts[, , b + 1L]
  joint <- joint - apply(joint, 1L, max)
  sum(log(rowSums(exp(joint))) - joint[cbind(seq_along(truth), truth)])
}

unname_rows <- function(p) {
  dimnames(p) <- list(NULL, c("a", "b", "c"))
  p
}

# The decision in the region of each x.
region_at <- function(regions, x) {
  table <- as.data.frame(regions)
  table$decision[findInterval(x, table$from[-1L]) + 1L]
}

test_that("the exponents minimise the penalised log loss of held-out cases", {
  data <- overlapping()
  fold <- rep(1:5, 80)
  formula <- y ~ x1 + x2 + x3 + g + h
  spec <- bayes_naive(laplace = 1)
  model <- fit(spec, formula, data)
  parts <- held_out_blocks(spec, formula, data, fold)
  truth <- match(data$y, c("a", "b", "c"))
  one <- temper(model, data, folds = fold)
  found <- optimize(function(t) log_loss(parts, truth, rep(t, 5)), c(0, 3), tol = 1e-10)
  expect_equal(unique(coef(one)$temper$power), found$minimum, tolerance = 1e-6)
  expect_equal(one$parameters$temper$loss * 400, c(log_loss(parts, truth, rep(1, 5)),
                                                   found$objective), tolerance = 1e-10)
  for (bias in c(FALSE, TRUE)) {
    tempered <- temper(model, data, by = "block", bias = bias, folds = fold, penalty = 2)
    common <- tempered$parameters$temper$common
    objective <- function(theta) {
      power <- theta[1:5]
      offset <- if (bias) theta[6:8] else rep(0, 3)
      log_loss(parts, truth, power, offset) + sum((power - common)^2) + sum(offset^2)
    }
    best <- optim(rep(c(1, 0), c(5, 3 * bias)), objective, method = "L-BFGS-B",
                  lower = rep(c(0, -Inf), c(5, 3 * bias)), control = list(factr = 10, maxit = 1000))
    theta <- c(coef(tempered)$temper$power, if (bias) coef(tempered)$temper$offset)
    expect_lte(objective(theta), best$value + 1e-8)
    expect_equal(unname(theta), best$par, tolerance = 1e-3)
    expect_equal(sum(coef(tempered)$temper$offset), 0)
  }
})

test_that("by block without penalty it is the logistic regression on log likelihood ratios", {
  withr::local_seed(4)
  data <- overlapping()
  data <- data[data$y != "c", ]
  data$h <- ifelse(stats::runif(nrow(data)) < 0.4 + 0.3 * (data$y == "b"), "high", "low")
  fold <- rep(1:4, length.out = nrow(data))
  data$x3 <- stats::rnorm(nrow(data)) + (data$y == "b")
  formula <- y ~ x1 + x3 + h
  parts <- held_out_blocks(bayes_naive(laplace = 1), formula, data, fold)
  ratio <- parts[, 2L, ] - parts[, 1L, ]
  frame <- data.frame(truth = data$y == "b", ratio[, 2:4])
  regression <- stats::glm(truth ~ ., stats::binomial, frame, offset = ratio[, 1L])
  model <- fit(bayes_naive(laplace = 1), formula, data)
  tempered <- temper(model, data, by = "block", bias = TRUE, folds = fold, penalty = 0)
  found <- coef(tempered)$temper
  # Negative coefficients of glm() would be 0 here.
  expect_true(all(stats::coef(regression)[-1L] > 0))
  expect_equal(unname(found$power), unname(stats::coef(regression)[-1L]), tolerance = 1e-6)
  expect_equal(unname(diff(found$offset)), stats::coef(regression)[[1L]], tolerance = 1e-6)
})

test_that("with more features than cases the exponents meet the conditions of a minimum", {
  skip_on_cran()
  withr::local_seed(1)
  y <- rep(1:4, length.out = 63L)
  x <- matrix(stats::rnorm(63 * 2308), 63L)
  x[, 1:20] <- x[, 1:20] + 0.5 * y
  data <- data.frame(y = factor(letters[y]), x)
  fold <- rep(1:7, 9)
  formula <- stats::reformulate(names(data)[-1L], "y")
  spec <- bayes_naive(numeric = likelihood_gaussian(pooled = TRUE))
  parts <- held_out_blocks(spec, formula, data, fold)
  scores <- matrix(parts[, , -1L], 63 * 4)
  model <- fit(spec, formula, data)
  found <- temper(model, data, by = "block", folds = fold)$parameters$temper
  joint <- parts[, , 1L] + matrix(scores %*% found$power, 63L)
  posterior <- exp(joint - apply(joint, 1L, max))
  posterior <- posterior / rowSums(posterior)
  excess <- as.vector(posterior - outer(y, 1:4, `==`))
  slope <- as.vector(crossprod(scores, excess)) + found$penalty * (found$power - found$common)
  # The gradient of the penalised log loss is 0 in an exponent above 0, and not negative in 0. The
  # slopes of the log loss alone reach 0.27.
  closed <- found$power == 0
  expect_gt(sum(closed), 50)
  expect_lt(max(abs(slope[!closed])), 1e-5)
  expect_gt(min(slope[closed]), -1e-5)
})

test_that("predictions, decisions, contributions are those of the formula", {
  data <- overlapping()
  model <- fit(bayes_naive(laplace = 1), y ~ x1 + x2 + g + h, data)
  set.seed(1)
  tempered <- temper(model, data, by = "block", bias = TRUE)
  temper <- coef(tempered)$temper
  new <- data[c(1:20, 50), ]
  new$x1[3] <- NA
  new[4, c("x1", "x2", "g", "h")] <- NA
  parts <- contributions(model, new)
  joint <- parts[, 1L, ] + rep(temper$offset, each = 21)
  for (block in names(temper$power)) joint <- joint + temper$power[[block]] * parts[, block, ]
  expect_equal(unname(predict(tempered, new, type = "log_joint")), unname(joint))
  posterior <- exp(joint) / rowSums(exp(joint))
  expect_equal(unname(predict(tempered, new, type = "prob")), unname(posterior))
  expect_equal(
    unname(apply(unclass(contributions(tempered, new)), c(1, 3), sum)), unname(joint)
  )
  cost <- zero_one_cost(c("a", "b", "c"), reject = 0.3)
  expect_identical(
    decide(tempered, new, cost)$decision, decide(unname_rows(posterior), cost)$decision
  )
  for (type in c("log_likelihood", "log_evidence")) {
    expect_identical(predict(tempered, new, type = type), predict(model, new, type = type))
  }
  file <- withr::local_tempfile()
  saveRDS(tempered, file)
  expect_identical(predict(readRDS(file), new), predict(tempered, new))
  expect_identical(simulate(tempered, 5, seed = 1), simulate(model, 5, seed = 1))
})

test_that("an exponent of 1 changes nothing, bit for bit", {
  data <- overlapping()
  for (spec in list(bayes_naive(laplace = 1), bayes_full(laplace = 1))) {
    model <- fit(spec, y ~ x1 + x3 + g, data)
    same <- temper(model, data)
    same$parameters$temper$power[] <- 1
    for (type in c("prob", "log_joint")) {
      expect_equal(predict(same, data, type = type), predict(model, data, type = type),
                   tolerance = 1e-14)
    }
    expect_identical(update(same, temper = NULL), model)
  }
})

test_that("cuts and boundaries of tempered normals and histograms are where decisions change", {
  data <- overlapping()
  cost <- cost_matrix(
    a = c(a = 0, b = 1, c = 3), b = c(a = 1, b = 0, c = 1), c = c(a = 2, b = 1, c = 0)
  )
  specs <- list(bayes_naive(), bayes_naive(numeric = likelihood_histogram(0.5, laplace = 1)))
  for (spec in specs) {
    tempered <- temper(fit(spec, y ~ x1 + x2, data), data, by = "block", bias = TRUE)
    regions <- decision_regions(tempered, cost, features = "x1", given = data.frame(x2 = 1.3))
    x <- sort(data$x1)
    at <- predict(tempered, data.frame(x1 = x, x2 = 1.3), cost = cost)
    expect_identical(as.character(region_at(regions, x)), as.character(at))
  }
  expect_error(
    decision_regions(
      temper(fit(bayes_naive(numeric = likelihood_kernel()), y ~ x1, data), data), cost
    ), "x1", class = "bayesrisk_error_argument"
  )
})

test_that("a tempered rule decides in a world of the densities as they are", {
  data <- overlapping()
  data <- data[data$y != "c", ]
  model <- fit(bayes_naive(prior = "uniform"), y ~ x1 + x3, data)
  tempered <- temper(model, data, by = "block", bias = TRUE)
  expect_identical(bayes_risk(tempered)$total, bayes_risk(model)$total)
  one <- update(model, . ~ . - x3)
  rule <- temper(one, data, bias = TRUE)
  found <- bayes_risk(one, rule = rule)
  gaussian <- coef(one)$x1
  decided <- function(x) predict(rule, data.frame(x1 = x))
  wrong <- function(class, other) {
    stats::integrate(function(x) {
      (decided(x) == other) * stats::dnorm(x, gaussian[class, "mean"], gaussian[class, "sd"])
    }, -10, 15, subdivisions = 1e4, rel.tol = 1e-8)$value
  }
  expect_equal(found$total, (wrong("a", "b") + wrong("b", "a")) / 2, tolerance = 1e-4)
})

test_that("weights are frequencies, and subset and na.action choose rows", {
  data <- overlapping(200L)
  weights <- rep(1:2, 100)
  fold <- rep(1:4, each = 50)
  often <- rep(1:200, weights)
  one <- temper(fit(bayes_naive(), y ~ x1 + x2, data, weights = weights), data, folds = fold,
                weights = weights)
  two <- temper(fit(bayes_naive(), y ~ x1 + x2, data[often, ]), data[often, ], folds = fold[often])
  expect_equal(coef(one)$temper, coef(two)$temper, tolerance = 1e-8)
  model <- fit(bayes_naive(), y ~ x1 + x2, data[1:150, ])
  three <- temper(model, data, folds = fold, subset = seq_len(200) <= 150)
  expect_equal(three, temper(model, data[1:150, ], folds = fold[1:150]))
})

test_that("what cannot be tempered is a classed error or warning", {
  data <- overlapping(60L)
  model <- fit(bayes_naive(), y ~ x1, data)
  wrong <- function(..., class = "bayesrisk_error_argument") {
    expect_error(temper(...), class = class)
  }
  wrong(model, data, by = "feature")
  wrong(model, data, penalty = -1)
  wrong(model, data, bias = NA)
  wrong(model, class = "bayesrisk_error_argument")
  wrong(fit(bayes_naive(), y ~ ., data[1:2]), data)
  wrong(fit_xy(bayes_naive(), data["x1"], data$y), data)
  wrong(bayes_known(c(a = 0.5, b = 0.5), x1 = likelihood_gaussian(mean = c(a = 0, b = 1), sd = 1)),
        data)
  apart <- data.frame(y = rep(c("a", "b"), 20), x = rep(c(0, 1000), 20) + stats::rnorm(40))
  far <- fit(bayes_naive(), y ~ x, apart)
  expect_warning(same <- temper(far, apart), class = "bayesrisk_warning_separated")
  expect_identical(same, far)
  damaged <- temper(model, data)
  damaged$parameters$temper$power <- -1
  expect_error(predict(damaged, data), class = "bayesrisk_error_object")
  damaged$parameters$temper <- 3
  expect_error(print(damaged), class = "bayesrisk_error_object")
})

test_that("threads and the order of rows change nothing", {
  data <- overlapping()
  fold <- rep(1:5, 80)
  model <- fit(bayes_naive(), y ~ x1 + x2, data)
  one <- temper(model, data, by = "block", folds = fold)
  expect_identical(temper(model, data, by = "block", folds = fold, threads = 2L), one)
  shuffled <- sample(400)
  two <- temper(model, data[shuffled, ], by = "block", folds = fold[shuffled])
  expect_equal(coef(two)$temper, coef(one)$temper, tolerance = 1e-8)
})

test_that("temper = TRUE is temper() after fit(), also without a formula", {
  skip_on_cran()
  data <- overlapping()
  for (by in list(TRUE, "kind", "block")) {
    named <- if (isTRUE(by)) "model" else by
    set.seed(5)
    model <- fit(bayes_naive(laplace = 1, temper = by), y ~ x1 + x2 + g, data)
    set.seed(5)
    after <- temper(fit(bayes_naive(laplace = 1), y ~ x1 + x2 + g, data), data, by = named)
    expect_equal(coef(model)$temper, coef(after)$temper)
    set.seed(5)
    table <- fit_xy(bayes_naive(laplace = 1, temper = by), data[c("x1", "x2", "g")], data$y)
    expect_equal(coef(table)$temper, coef(after)$temper)
    expect_null(coef(update(model, temper = NULL))$temper)
    expect_null(update(model, temper = NULL)$spec$temper)
  }
  spec <- bayes_naive(temper = TRUE)
  expect_match(format(spec), "tempered by model")
  expect_identical(bayes_naive(temper = FALSE), bayes_naive())
  for (wrong in list("all", NA, 1)) {
    expect_error(bayes_full(temper = wrong), "temper", class = "bayesrisk_error_argument")
  }
  expect_error(fit(spec, y ~ x1, data, by = g), "temper", class = "bayesrisk_error_argument")
  expect_error(
    fit(spec, bayes_statistics(spec, y ~ x1, data)), class = "bayesrisk_error_argument"
  )
})

test_that("cross-validation of a tempered specification is nested", {
  skip_on_cran()
  data <- overlapping(300L)
  spec <- bayes_naive(laplace = 1)
  for (folds in list(rep(1:6, 50), rep(1:13, length.out = 300), rep(1:2, 150))) {
    found <- cv_predict(bayes_naive(laplace = 1, temper = "block"), y ~ x1 + x2 + g, data,
                        folds = folds)
    count <- max(folds)
    for (f in seq_len(count)) {
      inside <- folds != f
      model <- fit(spec, y ~ x1 + x2 + g, data[inside, ])
      labels <- if (count > 2) folds[inside] - (folds[inside] > f) - 1 else seq_len(sum(inside)) - 1
      tempered <- temper(model, data[inside, ], by = "block", folds = labels %% 10)
      expect_equal(
        found[!inside, ], predict(tempered, data[!inside, ], type = "prob"), tolerance = 1e-8,
        ignore_attr = TRUE
      )
    }
  }
  compared <- cv_risk(
    list(naive = spec, tempered = bayes_naive(laplace = 1, temper = TRUE)), y ~ x1 + x2 + g, data,
    zero_one_cost(c("a", "b", "c"), reject = 0.2), folds = rep(1:6, 50)
  )
  expect_lt(compared$cost[[2L]], compared$cost[[1L]])
})

test_that("more than a hundred folds share exponents within a batch", {
  data <- overlapping(150L)
  found <- cv_predict(bayes_naive(temper = TRUE), y ~ x1 + x2, data, folds = 150)
  plain <- cv_predict(bayes_naive(), y ~ x1 + x2, data, folds = 150)
  log_loss_of <- function(p) -mean(log(p[cbind(1:150, match(data$y, colnames(p)))]))
  expect_lt(log_loss_of(found), log_loss_of(plain))
})

test_that("a misspelt feature and a model in the place of the truth are named", {
  model <- fit(bayes_naive(), am ~ ., mtcars[c("am", "hp", "wt")])
  renamed <- stats::setNames(mtcars[c("am", "hp", "wt")], c("am", "Hp", "wt"))
  expect_bayesrisk_error(temper(model, renamed), "argument", "features of the model.*Hp.*for.*hp")
  other <- transform(mtcars, am = ifelse(am == 1, "one", "zero"))
  expect_bayesrisk_error(temper(model, other), "argument", "classes of the model")
  expect_bayesrisk_error(temper(mtcars, model), "argument", "temper\\(model, data\\)")
})

test_that("a model is tempered with the values that its formula keeps", {
  data <- iris[51:150, ]
  data$Species <- droplevels(data$Species)
  data$half <- data$Petal.Width / 2
  of_k <- function(k) fit(bayes_naive(), Species ~ I(Petal.Width / k) + Petal.Length, data)
  folds <- rep(1:5, 20)
  expected <- temper(fit(bayes_naive(), Species ~ half + Petal.Length, data), data, folds = folds)
  tempered <- temper(of_k(2), data, folds = folds)
  expect_equal(
    unname(posterior(tempered, data)), unname(posterior(expected, data)), tolerance = 1e-12
  )
  expect_identical(coef(fit(bayes_naive(), formula(of_k(2)), data)), coef(of_k(2)))
})

test_that("the folds choose the penalty, as a second implementation does", {
  skip_on_cran()
  data <- overlapping(60L)
  model <- fit(bayes_naive(laplace = 1), y ~ ., data)
  folds <- rep(1:5, 12)
  found <- temper(model, data, by = "block", folds = folds)
  # The exponents of a penalty, from scores of cases: the definition, by optim().
  scores <- held_out_scores(model, data, folds)
  losses <- vapply(c(1, 3, 10, 30, 100, 300), function(penalty) {
    sum(vapply(1:5, function(f) {
      power <- penalised_exponents(scores, data$y, folds != f, penalty)
      sum(exponent_losses(scores, data$y, power)[folds == f])
    }, 1))
  }, 1)
  best <- which(losses <= min(losses) + 1e-7)
  expect_identical(coef(found)$temper$penalty, c(1, 3, 10, 30, 100, 300)[[max(best)]])
  given <- temper(model, data, by = "block", folds = folds, penalty = coef(found)$temper$penalty)
  expect_identical(given$parameters$temper, found$parameters$temper)
  expect_identical(coef(temper(model, data, folds = folds))$temper$penalty, 0)
})

test_that("with few rows and many features the exponents stay together", {
  skip_on_cran()
  loss <- vapply(1:8, function(seed) {
    set.seed(seed)
    means <- matrix(rnorm(60, 0, 0.2), 2)
    draw <- function(n) {
      y <- rep(1:2, length.out = n)
      data.frame(y = factor(y), matrix(rnorm(30 * n), n) + means[y, ])
    }
    data <- draw(50)
    new <- draw(1000)
    model <- fit(bayes_naive(), y ~ ., data)
    loss_of <- function(m) {
      mean(-log(predict(m, new, type = "prob")[cbind(1:1000, as.integer(new$y))]))
    }
    folds <- sample(rep(1:10, 5))
    c(
      one = loss_of(temper(model, data, folds = folds)),
      chosen = loss_of(temper(model, data, by = "block", folds = folds)),
      weak = loss_of(temper(model, data, by = "block", folds = folds, penalty = 1))
    )
  }, numeric(3))
  means <- rowMeans(loss)
  expect_lt(means[["chosen"]], means[["weak"]] - 0.05)
  expect_lt(means[["chosen"]], means[["one"]] + 0.03)
})

test_that("exponents of predictive scores are those of held-out predictive posteriors", {
  skip_if_not_installed("jsonlite")
  data <- overlapping(60L)[c("y", "x1", "x3")]
  model <- fit(bayes_naive(), y ~ ., data)
  folds <- rep(1:6, 10)
  found <- temper(model, data, folds = folds, estimate = "predictive")
  p <- do.call(rbind, lapply(1:6, function(f) {
    outside <- fit(bayes_naive(), y ~ ., data[folds != f, ])
    predict(outside, data[folds == f, ], type = "prob", estimate = "predictive")
  }))
  prior <- do.call(rbind, lapply(1:6, function(f) {
    share <- prop.table(table(data$y[folds != f]))
    matrix(share, sum(folds == f), 3, byrow = TRUE)
  }))
  truth <- match(unlist(split(data$y, folds)), c("a", "b", "c"))
  loss <- function(power) {
    joint <- log(prior) + power * (log(p) - log(prior))
    mean(log(rowSums(exp(joint))) - joint[cbind(seq_along(truth), truth)])
  }
  best <- stats::optimize(loss, c(0, 3), tol = 1e-10)
  expect_equal(coef(found)$temper$power[["x1"]], best$minimum, tolerance = 1e-5)
  expect_equal(found$parameters$temper$loss[[2]], best$objective, tolerance = 1e-9)
  expect_message(predict(found, data), "predictive scores",
                 class = "bayesrisk_message_other_scores")
  expect_silent(predict(found, data, estimate = "predictive"))
  plugin <- temper(model, data, folds = folds)
  expect_silent(decide(plugin, data))
  expect_message(decide(plugin, data, estimate = "predictive"), "plugin scores",
                 class = "bayesrisk_message_other_scores")
  kept <- withr::local_tempfile(fileext = ".json")
  write_model_json(found, kept)
  expect_identical(read_model_json(kept)$parameters$temper$estimate, "predictive")
  damaged <- found
  damaged$parameters$temper$estimate <- "best"
  expect_bayesrisk_error(predict(damaged, data), "object", "exponents")
})

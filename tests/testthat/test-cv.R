# The definition: a new fit without each fold.
refit_decisions <- function(spec, formula, data, folds, cost) {
  decided <- rep(NA_character_, nrow(data))
  for (f in unique(folds)) {
    model <- fit(spec, formula, data[folds != f, ])
    decided[folds == f] <- as.character(predict(model, data[folds == f, ], cost = cost))
  }
  decided
}

test_that("error, cost and difference are those of a new fit without each fold", {
  folds <- rep_len(1:7, 150)
  candidates <- list(
    naive = bayes_naive(), full = bayes_full(),
    third = bayes_naive(variance = "ml", prior = c(.2, .3, .5))
  )
  result <- cv_risk(
    candidates, Species ~ ., iris, iris_costs(), folds = folds, interval = "folds"
  )
  losses <- lapply(candidates, function(spec) {
    decided <- refit_decisions(spec, Species ~ ., iris, folds, iris_costs())
    list(
      cost = unclass(iris_costs())[cbind(decided, as.character(iris$Species))],
      wrong = decided != iris$Species & decided != "ask"
    )
  })
  expect_s3_class(result, c("bayesrisk_cv", "bayesrisk_result", "data.frame"), exact = TRUE)
  expect_named(result, c(
    "candidate", "error", "cost", "difference", "lower", "upper", "error_lower", "error_upper",
    "cost_lower", "cost_upper"
  ))
  expect_identical(result$candidate, names(candidates))
  expect_equal(result$error, vapply(losses, function(l) mean(l$wrong), 1, USE.NAMES = FALSE))
  expect_equal(result$cost, vapply(losses, function(l) mean(l$cost), 1, USE.NAMES = FALSE))
  expect_identical(unlist(result[1, 4:6], use.names = FALSE), c(0, 0, 0))
  for (i in 2:3) {
    test <- stats::t.test(losses[[i]]$cost, losses[[1]]$cost, paired = TRUE)
    expect_equal(result$difference[[i]], unname(test$estimate), tolerance = 1e-12)
    expect_equal(
      c(result$lower[[i]], result$upper[[i]]),
      unname(test$estimate + c(-1, 1) * stats::qnorm(.975) * test$stderr), tolerance = 1e-12
    )
  }
  spread <- function(of) {
    vapply(losses, function(l) stats::sd(l[[of]]) / sqrt(150), 1, USE.NAMES = FALSE)
  }
  expect_equal(attr(result, "cost_error"), spread("cost"))
  expect_equal(result$cost_upper - result$cost, stats::qnorm(.975) * spread("cost"))
  expect_equal(result$error_upper - result$error, stats::qnorm(.975) * spread("wrong"))
  by_fold <- attr(result, "by_fold")
  expect_equal(
    by_fold$cost[by_fold$candidate == "full"], as.vector(tapply(losses$full$cost, folds, mean))
  )
  expect_identical(attr(result, "cost"), iris_costs())
  expect_identical(attr(result, "folds"), folds)
})

# Algorithm 1 of Bates, Hastie and Tibshirani (2024) by new fits, for the share of errors. `splits`:
# the fold of each row in each division.
nested_by_refits <- function(spec, formula, data, splits, folds) {
  wrong <- function(out, of, fold_of) {
    model <- fit(spec, formula, data[!fold_of %in% out, ])
    as.numeric(predict(model, data[fold_of == of, ]) != data[fold_of == of, "y"])
  }
  part <- function(k, fold_of) {
    others <- lapply(setdiff(seq_len(folds), k), function(j) wrong(c(j, k), j, fold_of))
    list(own = wrong(k, k, fold_of), others = unlist(others))
  }
  parts <- lapply(splits, function(fold_of) lapply(seq_len(folds), part, fold_of))
  parts_of <- function(f) vapply(unlist(parts, recursive = FALSE), f, 1)
  inside <- mean(parts_of(function(p) mean(p$others)))
  usual <- lapply(parts, function(of) unlist(lapply(of, `[[`, "own")))
  error <- mean(vapply(usual, function(e) stats::sd(e) / sqrt(length(e)), 1))
  square <- parts_of(function(p) {
    (mean(p$others) - mean(p$own))^2 - stats::var(p$own) / length(p$own)
  })
  bias <- (1 + (folds - 2) / folds) * (inside - mean(vapply(usual, mean, 1)))
  nested <- sqrt(max(0, (folds - 1) / folds * mean(square)))
  c(inside - bias, min(max(nested, error), sqrt(folds) * error))
}

noisy_classes <- function(n = 60) {
  set.seed(8)
  y <- rep(c("a", "b", "c"), length.out = n)
  data.frame(y = factor(y), matrix(stats::rnorm(4 * n), n) + 0.6 * match(y, letters))
}

test_that("nested intervals are those of new fits without one and without two folds", {
  data <- noisy_classes()
  folds <- rep_len(c(1, 3, 2, 4, 5, 1, 2), 60)
  found <- cv_risk(bayes_full(), y ~ ., data, folds = folds, interval = "nested")
  expected <- nested_by_refits(bayes_full(), y ~ ., data, list(folds), 5)
  ends <- expected[[1L]] + c(-1, 1) * stats::qnorm(.975) * expected[[2L]]
  expect_equal(c(found$cost_lower, found$cost_upper), ends, tolerance = 1e-12)
  expect_equal(c(found$error_lower, found$error_upper), ends, tolerance = 1e-12)
  expect_identical(attr(found, "interval"), "nested")
})

test_that("nested intervals of drawn folds are means over eight divisions", {
  skip_on_cran()
  data <- noisy_classes()
  set.seed(3)
  found <- cv_risk(bayes_naive(), y ~ ., data, folds = 4)
  after <- stats::runif(1)
  set.seed(3)
  seed <- sample.int(.Machine$integer.max, 1L)
  expect_identical(after, stats::runif(1))
  codes <- as.integer(data$y)
  splits <- lapply(seed + 0:7, function(s) draw_folds_cpp(codes, 3L, 4L, s))
  expect_identical(splits[[1L]], attr(found, "folds"))
  expected <- nested_by_refits(bayes_naive(), y ~ ., data, splits, 4)
  expect_equal(found$cost_upper - found$cost_lower, 2 * stats::qnorm(.975) * expected[[2L]])
  expect_equal((found$cost_lower + found$cost_upper) / 2, expected[[1L]], tolerance = 1e-12)
  set.seed(3)
  expect_identical(cv_risk(bayes_naive(), y ~ ., data, folds = 4, threads = 2), found)
})

test_that("nested intervals are for 3 to 20 folds, and by default for 2,000 rows", {
  by <- function(...) attr(cv_risk(...), "interval")
  expect_identical(by(bayes_naive(), Species ~ ., iris), "nested")
  expect_silent(alone <- by(bayes_naive(), Species ~ ., iris, folds = 150))
  expect_identical(alone, "folds")
  expect_message(
    by(bayes_naive(), Species ~ ., iris, folds = 150, interval = "nested"), "3 to 20",
    class = "bayesrisk_message_interval"
  )
  expect_silent(tempered <- by(bayes_naive(temper = TRUE), Species ~ ., iris))
  expect_identical(tempered, "folds")
  expect_message(
    by(bayes_naive(temper = TRUE), Species ~ ., iris, interval = "nested"), "tempered",
    class = "bayesrisk_message_interval"
  )
  # A fold of one row has no variance.
  expect_silent(alone <- cv_risk(bayes_naive(laplace = 1), play ~ ., play_tennis, folds = 14))
  expect_identical(attr(alone, "interval"), "folds")
  expect_lt(alone$cost_lower, alone$cost_upper)
  expect_message(
    cv_risk(bayes_naive(laplace = 1), play ~ ., play_tennis, folds = 14, interval = "nested"),
    "a single row", class = "bayesrisk_message_interval"
  )
  many <- iris[rep(seq_len(150), 14), ]
  expect_identical(by(bayes_naive(), Species ~ ., many), "folds")
  expect_bayesrisk_error(
    cv_risk(bayes_naive(), Species ~ ., iris, interval = "naive"), "argument", "interval"
  )
})

test_that("intervals of two clusters end at the costs that a case may have", {
  data <- data.frame(
    y = rep(c("a", "b"), 6), x = c(1, 5, 2, 6, 1.5, 5.5, 5, 6.5, 2, 5, 1, 6),
    site = rep(c(1, 2, 1, 2), each = 3)
  )
  costs <- list(
    zero_one_cost(c("a", "b")), cost_matrix(a = c(a = 0, b = 4), b = list(a = ~ x, b = 0))
  )
  found <- lapply(costs, function(cost) {
    cv_risk(
      bayes_naive(), list(x = y ~ x, none = y ~ 1), data, cost, folds = data$site,
      cluster = site, interval = "folds"
    )
  })
  expect_identical(c(found[[1L]]$cost_lower[[1L]], found[[1L]]$cost_upper[[1L]]), c(0, 1))
  # The largest x is 6.5.
  expect_identical(c(found[[2L]]$lower[[2L]], found[[2L]]$upper[[2L]]), c(-6.5, 6.5))
  expect_true(all(found[[2L]]$cost_lower >= 0 & found[[2L]]$cost_upper <= 6.5))
})

test_that("nested intervals cover the error of the model of all rows", {
  skip_on_cran()
  # Two classes of 20 cases, ten weak features; 200 runs by bench/coverage-cv.R: .94 and .95.
  cases <- function(n) {
    y <- rep(c("a", "b"), length.out = n)
    data.frame(y = factor(y), matrix(stats::rnorm(10 * n), n) + 0.35 * (y == "b"))
  }
  set.seed(99)
  new <- cases(5000)
  covered <- vapply(seq_len(60), function(seed) {
    set.seed(seed)
    data <- cases(40)
    error <- mean(predict(fit(bayes_naive(), y ~ ., data), new) != new$y)
    found <- cv_risk(bayes_naive(), y ~ ., data)
    found$error_lower <= error && error <= found$error_upper
  }, NA)
  # Of 60 runs at a coverage of .92, fewer than 50 succeed with a probability of .008.
  expect_gte(sum(covered), 50)
})

test_that("leave-one-out of iris: 3 errors of the pooled, 4 of the class covariances", {
  candidates <- list(
    pooled = bayes_full(covariance = "pooled", prior = "uniform"), class = bayes_full()
  )
  result <- cv_risk(candidates, Species ~ ., iris, folds = 150)
  expect_identical(result$error, c(3, 4) / 150)
  expect_identical(result$cost, result$error)
  skip_if_not_installed("MASS")
  lda <- MASS::lda(Species ~ ., iris, CV = TRUE)
  expect_identical(mean(lda$class != iris$Species), result$error[[1]])
})

test_that("candidates differ by formula, each alone or together", {
  formulas <- list(all = Species ~ ., petals = Species ~ Petal.Length + Petal.Width)
  folds <- rep_len(1:5, 150)
  together <- cv_risk(bayes_full(), formulas, iris, folds = folds)
  alone <- lapply(formulas, cv_risk, object = bayes_full(), data = iris, folds = folds)
  expect_identical(together$candidate, c("all", "petals"))
  expect_identical(together$cost, c(alone$all$cost, alone$petals$cost))
  specs <- list(petals = bayes_naive(), all = bayes_full())
  both <- cv_risk(specs, formulas, iris, folds = folds)
  expect_identical(both$candidate, c("petals", "all"))
  expect_identical(both$cost[[2]], together$cost[[1]])
})

test_that("a weight counts as so many cases, in the fit and in the means", {
  data <- iris[rep(seq_len(150), rep_len(1:3, 150)), ]
  folds <- rep_len(1:6, 150)
  repeated <- cv_risk(
    list(a = bayes_naive(), b = bayes_full()), Species ~ ., data, iris_costs(),
    folds = rep(folds, rep_len(1:3, 150)), interval = "folds"
  )
  weighted <- cbind(iris, w = rep_len(1:3, 150))
  result <- cv_risk(
    list(a = bayes_naive(), b = bayes_full()), Species ~ ., weighted, iris_costs(), folds = folds,
    weights = w, interval = "folds"
  )
  estimates <- c("candidate", "error", "cost", "difference")
  expect_equal(
    as.data.frame(result)[estimates], as.data.frame(repeated)[estimates], tolerance = 1e-12
  )
  # The errors are those of the effective number of cases, of 50 rows of each weight.
  effective <- (50 * (1 + 2 + 3))^2 / (50 * (1 + 4 + 9))
  expect_equal(
    attr(result, "cost_error"),
    attr(repeated, "cost_error") * sqrt((300 - 1) / (effective - 1)), tolerance = 1e-12
  )
  zero <- cv_risk(
    bayes_naive(), Species ~ ., rbind(iris, iris[1:9, ]), folds = c(folds, rep(1, 9)),
    weights = rep(c(1, 0), c(150, 9))
  )
  expect_equal(zero$cost, cv_risk(bayes_naive(), Species ~ ., iris, folds = folds)$cost)
  expect_identical(attr(zero, "folds")[151:159], rep(NA_integer_, 9))
  part <- cv_risk(
    bayes_naive(), Species ~ ., iris, folds = folds, subset = Petal.Length > 3
  )
  expect_identical(is.na(attr(part, "folds")), iris$Petal.Length <= 3)
})

test_that("the order of rows, classes and folds, and threads, change nothing", {
  folds <- rep_len(1:8, 150)
  specs <- list(a = bayes_naive(), b = bayes_full(shrinkage = 0.2))
  result <- cv_risk(specs, Species ~ ., iris, iris_costs(), folds = folds)
  order <- c(150:76, 1:75)
  expect_equal(
    as.data.frame(cv_risk(specs, Species ~ ., iris[order, ], iris_costs(), folds = folds[order])),
    as.data.frame(result), tolerance = 1e-12, ignore_attr = TRUE
  )
  turned <- transform(iris, Species = factor(Species, rev(levels(Species))))
  expect_equal(
    as.data.frame(cv_risk(specs, Species ~ ., turned, iris_costs(), folds = letters[9 - folds])),
    as.data.frame(result), tolerance = 1e-12, ignore_attr = TRUE
  )
  expect_identical(
    cv_risk(specs, Species ~ ., iris, iris_costs(), folds = folds, threads = 2), result
  )
})

test_that("actions that are no classes are never wrong; without any class there is no error", {
  cost <- cost_matrix(
    pick = c(setosa = 0, versicolor = 1, virginica = 4), leave = c(setosa = 3, versicolor = 0,
    virginica = 0)
  )
  result <- cv_risk(bayes_naive(), Species ~ ., iris, cost)
  expect_identical(result$error, NA_real_)
  expect_false(is.na(result$cost))
  expect_identical(cv_risk(bayes_naive(), Species ~ ., iris, cost_matrix(wait = 2))$cost, 2)
})

test_that("an infinite cost counts where it is met, and equal costs do not differ", {
  # Without row 9 a u is always an a, so that betting on it looks safe.
  data <- data.frame(y = rep(c("a", "b"), c(5, 4)), g = rep(c("u", "v", "u"), c(5, 3, 1)))
  bet <- cost_matrix(bet = c(a = 0, b = Inf), wait = 2)
  folds <- c(1, 2, 3, 1, 2, 3, 1, 2, 4)
  specs <- list(sure = bayes_naive(), same = bayes_naive(), smooth = bayes_naive(laplace = 1))
  result <- cv_risk(specs, y ~ g, data, bet, folds = folds)
  expect_identical(result$cost, c(Inf, Inf, 2))
  expect_identical(result$difference, c(0, 0, -Inf))
  expect_identical(result$lower, c(0, 0, -Inf))
  expect_identical(result$upper, c(0, 0, -Inf))
})

test_that("a fold without which there is no model is reported, not fatal", {
  data <- droplevels(iris[1:100, ])
  folds <- ifelse(data$Species == "setosa", "s", rep_len(c("a", "b"), 100))
  expect_warning(
    result <- cv_risk(
      list(shares = bayes_naive(), given = bayes_naive(prior = c(.5, .5))), Species ~ ., data,
      folds = folds
    ),
    "given 50.*shares, fold s.*setosa.*given, fold s", class = "bayesrisk_warning_fold"
  )
  expect_identical(result$error, c(.5, 0))
  expect_identical(result$difference, c(0, 0))
  by_fold <- attr(result, "by_fold")
  expect_identical(by_fold$decided, c(25, 25, 50, 25, 25, 0))
  expect_identical(is.na(by_fold$problem), by_fold$fold != "s")
  expect_identical(is.na(by_fold$cost), by_fold$decided == 0)
})

test_that("a singular fold names the class and the features", {
  data <- data.frame(
    y = rep(c("a", "b"), each = 8), x = c(1, 1, 1, 1, 2, 3, 4, 5, 3:10), z = c(1:8, 4, 2, 7, 1:5)
  )
  folds <- c(1, 1, 1, 1, 2, 2, 2, 2, rep(1:2, 4))
  expect_warning(
    result <- cv_risk(bayes_naive(degenerate = "stop"), y ~ ., data, folds = folds),
    "fold 2: class \"a\": `x` constant", class = "bayesrisk_warning_fold"
  )
  expect_identical(attr(result, "by_fold")$decided, c(8, 0))
})

test_that("cases that are impossible under every class are left out and counted", {
  expect_warning(
    result <- cv_risk(bayes_full(), play ~ ., play_tennis, folds = 14), "impossible",
    class = "bayesrisk_warning_fold"
  )
  expect_identical(result$cost, NA_real_)
  expect_identical(sum(attr(result, "by_fold")$decided), 0)
})

test_that("cases of unknown cost are left out, and that is the reason given", {
  data <- transform(iris, price = replace(rep(2, 150), c(3, 7), NA))
  cost <- cost_matrix(
    setosa = list(setosa = 0, versicolor = ~ price, virginica = 5), ask = 0.5
  )
  expect_warning(
    result <- cv_risk(
      bayes_naive(), Species ~ Petal.Width, data, cost, folds = rep_len(1:2, 150)
    ), "fold 1: 2 cases of unknown cost", class = "bayesrisk_warning_fold"
  )
  problem <- attr(result, "by_fold")$problem
  expect_identical(problem, c("2 cases of unknown cost", NA))
})

test_that("a utility stays one", {
  gains <- utility_matrix(
    go = c(setosa = 1, versicolor = -2, virginica = 0),
    stay = c(setosa = 0, versicolor = 0, virginica = 1)
  )
  result <- cv_risk(bayes_naive(), Species ~ Petal.Width, iris, gains, folds = 3)
  expect_true(is_utility(attr(result, "cost")))
})

test_that("a class without a row at all is said once", {
  data <- transform(iris, Species = factor(Species, c("other", levels(Species))))
  expect_message(
    expect_no_warning(cv_risk(bayes_naive(), Species ~ ., data)),
    class = "bayesrisk_message_empty_class"
  )
})

test_that("what is wrong is said", {
  skip_on_cran()
  specs <- list(a = bayes_naive(), b = bayes_full())
  infinite <- transform(iris, Petal.Width = 1 / (Petal.Width - 0.2))
  expect_refusals(
    "object & function" = cv_risk(bayes_naive, Species ~ ., iris),
    "object" = cv_risk(list(bayes_naive(), bayes_full()), Species ~ ., iris),
    "object & 1" = cv_risk(list(a = bayes_naive(), b = 1), Species ~ ., iris),
    "formula & object & b & c" = cv_risk(specs, list(a = Species ~ ., c = Species ~ .), iris),
    "Petal.Width" = cv_risk(bayes_naive(), list(a = Species ~ ., b = Petal.Width ~ .), iris),
    "cost & setosa & versicolor & virginica & x" =
      cv_risk(bayes_naive(), Species ~ ., iris, cost_matrix(a = c(x = 1, y = 2))),
    "strata" = cv_risk(bayes_naive(), Species ~ ., iris, strata = TRUE),
    "features & Petal" =
      cv_risk(bayes_naive(features = list(Petal = likelihood_gaussian())), Species ~ ., iris),
    "weights & 1 & 150" = cv_risk(bayes_naive(), Species ~ ., iris, weights = -1)
  )
  expect_refusals(
    .kind = "data",
    "data & Petal.Lenght" = cv_risk(bayes_naive(), Species ~ Petal.Lenght, iris),
    "Petal.Width & 29" = cv_risk(specs, Species ~ ., infinite),
    "rows" = cv_risk(bayes_naive(), Species ~ ., iris[0, ])
  )
})

test_that("every odd value is a right answer or an error of the package", {
  is_cv <- function(x) inherits(x, "bayesrisk_cv")
  fixed <- list(
    object = bayes_naive(), formula = Species ~ Petal.Width, data = iris, cost = NULL, folds = 5
  )
  args <- c("object", "cost", "folds", "stratify", "threads")
  for (arg in args) expect_fuzz_proof(cv_risk, arg, fixed, is_cv)
  for (arg in c("formula", "data")) {
    expect_fuzz_proof(cv_risk, arg, fixed, is_cv, error = "bayesrisk_error")
  }
})

# Posteriors by new fits: the definition.
refit_posteriors <- function(spec, formula, data, folds, weights = NULL) {
  rows <- lapply(unique(folds), function(f) {
    train <- folds != f & (if (is.null(weights)) TRUE else weights > 0)
    model <- if (is.null(weights)) {
      fit(spec, formula, data[train, ])
    } else {
      fit_weighted(spec, formula, data[train, ], weights[train])
    }
    posterior(model, data[folds == f, ])
  })
  do.call(rbind, rows)[order(order(match(folds, unique(folds)))), ]
}

fit_weighted <- function(spec, formula, data, w) fit(spec, formula, data, weights = w)

# Three classes; numbers at an offset, categories, gaps.
many_kinds <- function(n = 400) {
  withr::local_seed(3)
  y <- factor(sample(c("u", "v", "w"), n, TRUE, c(.5, .3, .2)))
  k <- as.integer(y)
  data <- data.frame(
    y, x1 = stats::rnorm(n, k, 1 + k), x2 = 1e6 + stats::rnorm(n, k / 2), x3 = sample(0:9, n, TRUE),
    g = factor(letters[1 + stats::rbinom(n, 3, k / 5)], letters[1:4]),
    h = factor(LETTERS[1 + stats::rbinom(n, 2, k / 4)], LETTERS[1:3])
  )
  data[4:6] <- lapply(data[4:6], function(x) replace(x, sample(n, n / 9), NA))
  data$x1[sample(n, n / 9)] <- NA
  data
}

specs <- list(
  naive = bayes_naive(laplace = 1),
  full = bayes_full(laplace = 0.5),
  pooled = bayes_full(laplace = 1, covariance = "pooled", prior = "uniform"),
  shrunk = bayes_full(laplace = 1, variance = "ml", shrinkage = 0.3, prior = c(.2, .3, .5)),
  blocks = bayes_blocks(list(a = c("x1", "x3"), b = c("h", "g")), laplace = 1)
)

test_that("posteriors are those of a new fit without each fold, with gaps and weights", {
  data <- many_kinds()
  folds <- rep_len(c(3, 1, 2, 5, 4), 400)
  w <- rep_len(c(1, 0.5, 2, 3), 400)
  for (spec in specs) {
    ours <- cv_predict(spec, y ~ ., data, folds = folds)
    expect_within(ours, refit_posteriors(spec, y ~ ., data, folds), 1e-12)
    ours <- cv_predict(spec, y ~ ., data, folds = folds, weights = w)
    expect_within(ours, refit_posteriors(spec, y ~ ., data, folds, w), 1e-12)
  }
})

test_that("leave-one-out and many folds, which come in blocks, too", {
  skip_on_cran()
  data <- many_kinds(130)
  for (folds in list(130, rep_len(c(101:51, 1:50), 130))) {
    of <- if (length(folds) == 1L) 1:130 else folds
    for (spec in specs[c("naive", "pooled", "blocks")]) {
      expect_within(
        cv_predict(spec, y ~ ., data, folds = folds), refit_posteriors(spec, y ~ ., data, of), 1e-12
      )
    }
  }
})

test_that("a matrix with the rows of the data and the classes, and the folds", {
  data <- data.frame(y = rep(c("b", "a"), 5), x = c(1, 4, 2, 6, 3, 5, 2, 7, 1, 6))
  rownames(data) <- letters[1:10]
  result <- cv_predict(bayes_naive(), y ~ x, data, folds = rep(1:5, 2), weights = c(0, rep(1, 9)))
  expect_identical(dimnames(result), list(letters[1:10], c("a", "b")))
  expect_identical(attr(result, "folds"), c(NA, 2:5, 1:5))
  expect_identical(is.na(result[, "a"]), stats::setNames(1:10 == 1, letters[1:10]))
  expect_equal(rowSums(result[-1, ]), stats::setNames(rep(1, 9), letters[2:10]))
})

test_that("the folds of a seed are those of cv_risk(), and threads change nothing", {
  posterior <- withr::with_seed(6, cv_predict(bayes_naive(), Species ~ ., iris, threads = 2))
  risk <- withr::with_seed(6, cv_risk(bayes_naive(), Species ~ ., iris))
  expect_identical(attr(posterior, "folds"), attr(risk, "folds"))
  class <- colnames(posterior)[max.col(posterior)]
  expect_identical(mean(class != iris$Species), risk$error)
  expect_identical(posterior, withr::with_seed(6, cv_predict(bayes_naive(), Species ~ ., iris)))
})

test_that("rows without a posterior are counted", {
  expect_warning(
    result <- cv_predict(bayes_full(), play ~ ., play_tennis, folds = 14), "14 rows",
    class = "bayesrisk_warning_fold"
  )
  expect_true(all(is.na(result)))
  expect_warning(
    cv_predict(bayes_naive(prior = c(.5, .5, 0)), Species ~ ., iris, folds = iris$Species),
    "100 rows.*fold setosa", class = "bayesrisk_warning_fold"
  )
})

test_that("one specification and one formula", {
  formulas <- list(a = Species ~ ., b = Species ~ Petal.Width)
  expect_bayesrisk_error(cv_predict(bayes_naive(), formulas, iris), "argument", "one formula")
  specs <- list(a = bayes_naive())
  expect_bayesrisk_error(cv_predict(specs, Species ~ ., iris), "argument", "object")
  is_posterior <- function(x) is.matrix(x) && ncol(x) == 3L
  fixed <- list(object = bayes_naive(), formula = Species ~ Petal.Width, data = iris, folds = 5)
  for (arg in c("object", "folds", "stratify", "threads")) {
    expect_fuzz_proof(cv_predict, arg, fixed, is_posterior)
  }
  expect_fuzz_proof(cv_predict, "formula", fixed, is_posterior, error = "bayesrisk_error")
})

table_of <- function(...) {
  data.frame(candidate = factor(rep(c("a", "b"), each = 3), c("a", "b")), fold = rep(1:3, 2), ...)
}

test_that("folds with one problem share a line", {
  lines <- fold_problem_lines(table_of(problem = c("x", NA, "x", NA, "x", "y")))
  expect_identical(lines, c("a, folds 1, 3: x", "b, fold 2: x", "b, fold 3: y"))
  expect_identical(fold_problem_lines(table_of(problem = NA_character_)), character())
})

test_that("only candidates that leave cases undecided are counted", {
  counts <- undecided_cases(table_of(cases = 5, decided = c(5, 5, 5, 5, 3, 0)))
  expect_identical(c(counts), c(b = 7))
})

test_that("nothing to say is no warning; braces in names are no templates", {
  expect_no_warning(warn_folds(character(), NULL, FALSE, NULL))
  expect_warning(
    warn_folds("{x}, fold 1: %s {", NULL, FALSE, NULL), "{x}, fold 1: %s {", fixed = TRUE
  )
  many <- sprintf("a, fold %d: x", 1:30)
  expect_warning(warn_folds(many, NULL, FALSE, NULL), "20 more", class = "bayesrisk_warning_fold")
})

test_that("why cases have no decision is said where it is known", {
  expect_identical(describe_lost(c(1, 0, 2), c(0, 3, 1)), c(
    "1 case impossible under every class (0/0)", "3 cases of unknown cost",
    "2 cases impossible under every class (0/0) and 1 case of unknown cost"
  ))
  expect_identical(describe_lost(numeric(), numeric()), character())
})

test_that("an interval about an infinite mean is infinite, about none unknown", {
  found <- mean_interval(c(2, Inf, NaN), cbind(c(2, Inf, NaN), c(1, NaN, NaN)))
  expect_identical(found$lower, c(2 - stats::qnorm(.975), Inf, NA))
  expect_identical(found$upper, c(2 + stats::qnorm(.975), Inf, NA))
})

test_that("a table, what it compares, and what is left out", {
  folds <- rep_len(1:5, 150)
  candidates <- list(naive = bayes_naive(), full = bayes_full())
  data <- droplevels(iris[1:100, ])
  by_class <- ifelse(data$Species == "setosa", "s", rep_len(c("a", "b"), 100))
  expect_snapshot(cv_risk(candidates, Species ~ ., iris, folds = folds))
  one <- cv_risk(bayes_naive(), Species ~ ., iris, folds = 150)
  expect_output(print(one), "left out one by one")
  expect_no_match(capture.output(print(one)), "difference")
  lost <- suppressWarnings(
    cv_risk(bayes_naive(prior = c(.5, .5)), Species ~ ., data, folds = by_class)
  )
  expect_output(print(lost), "naive 50 cases\nnaive, fold s: class \"setosa\"")
})

test_that("a part of the result is a plain table", {
  result <- cv_risk(
    list(naive = bayes_naive(), full = bayes_full()), Species ~ ., iris, folds = rep_len(1:5, 150)
  )
  expect_output(print(result[2, ]), "\n *candidate")
  result$candidate <- c("a", "b")
  expect_output(print(result), "\n *candidate")
  expect_output(print(result["cost"]), "cost")
})

test_that("with a prior the cost is that of its population", {
  cases <- withr::with_seed(1, {
    y <- factor(rep(c("ill", "well"), each = 1000))
    data.frame(y, x = stats::rnorm(2000, 2 * (y == "ill")))
  })
  prior <- c(ill = 0.02, well = 0.98)
  cost <- cost_matrix(treat = c(ill = 0, well = 1), wait = c(ill = 10, well = 0))
  folds <- rep_len(1:5, 2000)
  found <- cv_risk(
    bayes_naive(), y ~ x, cases, cost, prior = prior, folds = folds, interval = "folds"
  )
  posterior <- cv_predict(bayes_naive(), y ~ x, cases, prior = prior, folds = folds)
  decided <- decide(posterior, cost)$decision
  loss <- unclass(cost)[cbind(as.character(decided), as.character(cases$y))]
  expect_equal(found$cost, sum(prior * tapply(loss, cases$y, mean)))
  expect_equal(
    attr(found, "cost_error"), sqrt(sum(prior^2 * tapply(loss, cases$y, stats::var) / 1000))
  )
  expect_equal(assess_decisions(posterior, cost = cost, truth = cases$y)$cost, found$cost)
  ill <- droplevels(cases[cases$y == "ill", ])
  ill$y <- factor(ill$y, c("ill", "well"))
  expect_bayesrisk_error(
    suppressWarnings(cv_risk(bayes_naive(), y ~ x, ill, cost, prior = prior)), "data", "well"
  )
})

test_that("clusters stay together, and their errors are those of whole clusters", {
  cases <- cbind(iris, plant = rep(1:30, 5))
  found <- withr::with_seed(1, cv_risk(bayes_naive(), Species ~ ., cases, cluster = plant))
  of <- attr(found, "folds")
  expect_true(all(tapply(of, cases$plant, function(f) length(unique(f)) == 1L)))
  expect_identical(length(unique(of)), 10L)
  expect_identical(attr(found, "clusters"), 30L)
  expect_match(printed(found), "as if 30 clusters were independent", fixed = TRUE, all = FALSE)
  # The cluster is no feature.
  alone <- withr::with_seed(1, cv_risk(bayes_naive(), Species ~ ., iris, cluster = cases$plant))
  expect_identical(found$cost, alone$cost)
  expect_bayesrisk_error(
    cv_risk(bayes_naive(), Species ~ ., cases, cluster = plant, folds = 31), "argument", "folds"
  )
})

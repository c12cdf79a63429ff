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
  result <- cv_risk(candidates, Species ~ ., iris, iris_costs(), folds = folds)
  losses <- lapply(candidates, function(spec) {
    decided <- refit_decisions(spec, Species ~ ., iris, folds, iris_costs())
    list(
      cost = unclass(iris_costs())[cbind(decided, as.character(iris$Species))],
      wrong = decided != iris$Species & decided != "ask"
    )
  })
  expect_s3_class(result, c("bayesrisk_cv", "bayesrisk_result", "data.frame"), exact = TRUE)
  expect_named(result, c("candidate", "error", "cost", "difference", "lower", "upper"))
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
  expect_equal(
    attr(result, "cost_error"),
    vapply(losses, function(l) stats::sd(l$cost) / sqrt(150), 1, USE.NAMES = FALSE)
  )
  by_fold <- attr(result, "by_fold")
  expect_equal(
    by_fold$cost[by_fold$candidate == "full"], as.vector(tapply(losses$full$cost, folds, mean))
  )
  expect_identical(attr(result, "cost"), iris_costs())
  expect_identical(attr(result, "folds"), folds)
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
    folds = rep(folds, rep_len(1:3, 150))
  )
  weighted <- cbind(iris, w = rep_len(1:3, 150))
  result <- cv_risk(
    list(a = bayes_naive(), b = bayes_full()), Species ~ ., weighted, iris_costs(), folds = folds,
    weights = w
  )
  expect_equal(
    as.data.frame(result), as.data.frame(repeated), tolerance = 1e-12, ignore_attr = TRUE
  )
  expect_equal(attr(result, "cost_error"), attr(repeated, "cost_error"), tolerance = 1e-12)
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

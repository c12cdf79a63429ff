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

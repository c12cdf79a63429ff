# Coverage of the 95 % intervals of cv_risk() for the error of the model that all rows make, of
# independent cases ("folds") and of nested cross-validation: two classes, ten normal features.
#
#     Rscript bench/coverage-cv.R [runs] [cores] [pattern of cells]

library(bayesrisk)
source("bench/coverage.R")

# Clusters of `rows` cases share half of the variance of each feature, and the class.
draw_cases <- function(n, rows = 1L) {
  clusters <- n / rows
  y <- rep(rep(c("a", "b"), length.out = clusters), each = rows)
  noise <- matrix(stats::rnorm(10 * n), n)
  if (rows > 1L) {
    shared <- matrix(stats::rnorm(10 * clusters), clusters)[rep(seq_len(clusters), each = rows), ]
    noise <- sqrt(0.5) * (noise + shared)
  }
  data.frame(y = factor(y), noise + 0.35 * (y == "b"), id = rep(seq_len(clusters), each = rows))
}

specs <- list(naive = bayes_naive(), full = bayes_full(shrinkage = 0.5))

# Whether the intervals of both errors and of their difference cover, and their widths. `prior`: of
# the population; `...`: of cv_risk().
cell_of <- function(n, rows = 1L, prior = NULL, ...) {
  set.seed(99)
  new_cases <- draw_cases(20000, rows)
  weight <- if (is.null(prior)) rep(1, 20000) else prior[as.character(new_cases$y)]
  force(n)
  function(seed) {
    set.seed(seed)
    data <- draw_cases(n, rows)
    errors <- vapply(specs, function(spec) {
      decided <- predict(fit(spec, y ~ . - id, data), new_cases, prior = prior)
      stats::weighted.mean(decided != new_cases$y, weight)
    }, 1)
    set.seed(seed)
    found <- cv_risk(specs, y ~ . - id, data, prior = prior, ...)
    truth <- c(errors, errors[[2L]] - errors[[1L]])
    lower <- c(found$error_lower, found$lower[[2L]])
    upper <- c(found$error_upper, found$upper[[2L]])
    c(lower <= truth & truth <= upper, upper - lower)
  }
}

cells <- list()
for (n in c(40, 100, 300)) {
  cells[[sprintf("n %d, folds", n)]] <- cell_of(n, interval = "folds")
  cells[[sprintf("n %d, nested", n)]] <- cell_of(n, interval = "nested")
}
rare <- c(a = 0.9, b = 0.1)
for (n in c(100, 300)) {
  cells[[sprintf("n %d, prior (.9, .1) of halves", n)]] <- cell_of(n, prior = rare)
}
for (n in c(150, 500)) {
  cells[[sprintf("n %d, clusters of 5", n)]] <- cell_of(n, 5L, cluster = id)
}

run_cells(cells, function(found) {
  means <- colMeans(found)
  sprintf("naive, full, difference: coverage %s, width %s", shares(means[1:3]), shares(means[4:6]))
})

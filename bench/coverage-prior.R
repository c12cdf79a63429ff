# Coverage of the 95 % intervals of estimate_prior(), and the size of its 5 % test, where the model
# is right: two or three classes, two normal features. New rows are independent, or stand in
# clusters of 20 rows whose shares of the classes differ.
#
#     Rscript bench/coverage-prior.R [runs] [cores] [pattern of cells]

library(bayesrisk)
source("bench/coverage.R")

centres <- rbind(c(0, 0), c(1.5, 0.5), c(0, 2))

cases_of <- function(y, classes) {
  n <- length(y)
  data.frame(y = factor(y, seq_len(classes)), matrix(stats::rnorm(2 * n), n) + centres[y, ])
}

draw_cases <- function(n, prior) {
  cases_of(sample(length(prior), n, TRUE, prior), length(prior))
}

# The shares of a cluster have a Dirichlet distribution; two rows of a cluster have the same class
# as if 30 % of the pairs shared it.
draw_clusters <- function(clusters, prior, rows = 20L) {
  classes <- length(prior)
  share <- matrix(stats::rgamma(clusters * classes, rep(prior * 7 / 3, each = clusters)), clusters)
  y <- apply(share, 1L, function(p) sample(classes, rows, TRUE, p))
  cbind(cases_of(as.vector(y), classes), cluster = rep(seq_len(clusters), each = rows))
}

# `draw`: new rows, of a number and a prior; `...`: of estimate_prior().
cell_of <- function(train, new, prior, draw, ...) {
  even <- rep(1 / length(prior), length(prior))
  force(train)
  force(new)
  function(seed) {
    set.seed(seed)
    model <- tryCatch(
      suppressWarnings(fit(bayes_naive(prior = even), y ~ ., draw_cases(train, even))),
      bayesrisk_error_degenerate = function(e) NULL
    )
    if (is.null(model)) return(NULL)
    found <- suppressWarnings(estimate_prior(model, draw(new, prior), ...))
    same <- suppressWarnings(estimate_prior(model, draw(new, even), ...))
    c(found$lower <= prior & prior <= found$upper, same$test$p_value < 0.05)
  }
}

cells <- list()
for (prior in list(c(0.8, 0.2), c(0.7, 0.2, 0.1))) {
  for (train in c(60, 100, 200, 5000)) {
    for (new in c(300, 1000, 20000)) {
      name <- sprintf("%d classes, train %d, new %d", length(prior), train, new)
      cells[[name]] <- cell_of(train, new, prior, draw_cases)
    }
  }
  for (clusters in c(10, 30, 100)) {
    name <- sprintf("%d classes, train 200, %d clusters", length(prior), clusters)
    cells[[name]] <- cell_of(200, clusters, prior, draw_clusters, cluster = cluster)
  }
}

run_cells(cells, function(found) {
  means <- colMeans(found)
  last <- length(means)
  sprintf("coverage %s, size %s", shares(means[-last]), shares(means[[last]]))
})

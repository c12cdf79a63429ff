# Groups that learn from each other: 20 groups of 20 rows of two classes and four normal features,
# whose means and class shares differ. The log loss of new rows apart, merged, with the number of
# cases that fit(pool = TRUE) finds, and with the best number in hindsight.
#
#     Rscript bench/groups.R [seeds]
#
# Then the time of a thousand groups, as a ratio to one fit of all rows.

library(bayesrisk)

seeds <- c(as.integer(commandArgs(TRUE)), 10L)[[1L]]
groups <- 20L
features <- 4L
formula <- y ~ X1 + X2 + X3 + X4

log_loss <- function(posterior, y) {
  -mean(log(pmax(posterior[cbind(seq_along(y), as.integer(y))], 1e-15)))
}

draw_group <- function(g, rows, mean, share) {
  y <- stats::rbinom(rows, 1L, share[[g]]) + 1L
  numbers <- matrix(stats::rnorm(rows * features), rows) + mean[[g]][y, ]
  data.frame(g = g, y = factor(y, 1:2), numbers)
}

losses <- function(between, seed) {
  set.seed(seed)
  base <- rbind(rep(0, features), rep(0.9, features))
  mean <- lapply(seq_len(groups), function(g) {
    base + matrix(stats::rnorm(2 * features, 0, between), 2L)
  })
  share <- stats::plogis(stats::rnorm(groups, 0, 1.5 * between))
  rows <- function(n) do.call(rbind, lapply(seq_len(groups), draw_group, n, mean, share))
  train <- rows(20L)
  test <- rows(500L)
  of <- function(pool) {
    models <- suppressWarnings(fit(bayes_naive(), formula, train, by = g, pool = pool))
    log_loss(predict(models, test, type = "prob"), test$y)
  }
  some <- vapply(c(1, 2, 5, 10, 20, 50, 100, 200), of, 1)
  c(apart = of(0), merged = of(Inf), found = of(TRUE), best = min(some, of(Inf)))
}

for (between in c(0.1, 0.4, 0.8)) {
  found <- vapply(seq_len(seeds), function(seed) losses(between, seed), numeric(4L))
  cat(sprintf("sd %.1f: %s\n", between, paste(
    rownames(found), format(rowMeans(found), digits = 3L), collapse = ", "
  )))
}

seconds <- function(expr, turns = 9L) {
  min(replicate(turns, system.time(eval.parent(expr))[["elapsed"]]))
}

set.seed(1)
rows <- 1e6
data <- data.frame(matrix(stats::rnorm(10 * rows), rows))
formula <- stats::reformulate(names(data), "y")
data$y <- factor(sample(letters[1:3], rows, TRUE))
data$g <- factor(sample(1000L, rows, TRUE))
plain <- seconds(quote(fit(bayes_naive(), formula, data)))
apart <- seconds(quote(fit(bayes_naive(), formula, data, by = g)))
pooled <- seconds(quote(fit(bayes_naive(), formula, data, by = g, pool = TRUE)))
cat(sprintf(
  "1,000 groups of 1e6 rows: %.2f times one fit; pooled %.2f times apart\n", apart / plain,
  pooled / apart
))

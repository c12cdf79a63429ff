# Coverage of the 95 % intervals of estimate_prior(), and the size of its 5 % test, where the model
# is right: two or three classes, two normal features.
#
#     Rscript bench/coverage-prior.R [runs] [cores]

library(bayesrisk)

centres <- rbind(c(0, 0), c(1.5, 0.5), c(0, 2))

draw_cases <- function(n, prior) {
  y <- sample(length(prior), n, TRUE, prior)
  data.frame(y = factor(y, seq_along(prior)), matrix(stats::rnorm(2 * n), n) + centres[y, ])
}

run_once <- function(train, new, prior, seed) {
  set.seed(seed)
  classes <- length(prior)
  even <- rep(1 / classes, classes)
  model <- tryCatch(
    suppressWarnings(fit(bayes_naive(prior = even), y ~ ., draw_cases(train, even))),
    bayesrisk_error_degenerate = function(e) NULL
  )
  if (is.null(model)) return(NULL)
  found <- suppressWarnings(estimate_prior(model, draw_cases(new, prior)))
  same <- suppressWarnings(estimate_prior(model, draw_cases(new, even)))
  c(found$lower <= prior & prior <= found$upper, same$test$p_value < 0.05)
}

arguments <- as.integer(commandArgs(TRUE))
runs <- if (length(arguments)) arguments[[1L]] else 1000L
cores <- if (length(arguments) > 1L) arguments[[2L]] else 1L
settings <- expand.grid(
  new = c(300, 1000, 20000), train = c(60, 100, 200, 5000),
  prior = I(list(c(0.8, 0.2), c(0.7, 0.2, 0.1)))
)
for (i in seq_len(nrow(settings))) {
  prior <- settings$prior[[i]]
  results <- parallel::mclapply(seq_len(runs), function(run) {
    run_once(settings$train[[i]], settings$new[[i]], prior, run)
  }, mc.cores = cores)
  found <- do.call(rbind, results)
  cat(sprintf(
    "train %4d, new %5d: coverage %s, size %.3f (%d runs)\n", settings$train[[i]],
    settings$new[[i]], paste(sprintf("%.3f", colMeans(found)[seq_along(prior)]), collapse = " "),
    mean(found[, ncol(found)]), nrow(found)
  ))
}

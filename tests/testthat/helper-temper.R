# Features that share what they say about the class, so that naive posteriors are too sure.
overlapping <- function(n = 400L) {
  withr::local_seed(7)
  y <- sample(c("a", "b", "c"), n, TRUE)
  z <- stats::rnorm(n) + match(y, c("a", "b", "c"))
  data.frame(
    y = y, x1 = z, x2 = z + stats::rnorm(n, sd = 0.2), x3 = stats::rnorm(n),
    g = sample(c("u", "v"), n, TRUE), h = ifelse(z > 2, "high", "low")
  )
}

# The log likelihood of each block in each class, case x class x block, and the log prior, by models
# of the other folds.
held_out_scores <- function(model, data, folds) {
  blocks <- setdiff(names(data), "y")
  classes <- c("a", "b", "c")
  score <- array(0, c(nrow(data), 3L, length(blocks)))
  prior <- matrix(0, nrow(data), 3L)
  for (f in unique(folds)) {
    inside <- folds == f
    outside <- fit(model$spec, y ~ ., data[!inside, ])
    prior[inside, ] <- rep(log(outside$parameters$prior), each = sum(inside))
    for (b in seq_along(blocks)) {
      alone <- data[inside, ]
      alone[setdiff(blocks, blocks[[b]])] <- NA
      score[inside, , b] <- predict(outside, alone, type = "log_likelihood")
    }
  }
  list(prior = prior, score = score, classes = classes)
}

exponent_losses <- function(scores, truth, power) {
  joint <- scores$prior
  for (b in seq_along(power)) joint <- joint + power[[b]] * scores$score[, , b]
  log(rowSums(exp(joint))) - joint[cbind(seq_along(truth), match(truth, scores$classes))]
}

# The exponents of all blocks for some cases, drawn to that of the whole model.
penalised_exponents <- function(scores, truth, cases, penalty) {
  blocks <- dim(scores$score)[[3L]]
  loss <- function(power) sum(exponent_losses(scores, truth, power)[cases])
  common <- stats::optimize(function(p) loss(rep(p, blocks)), c(0, 3), tol = 1e-10)$minimum
  stats::optim(
    rep(common, blocks), function(p) loss(p) + penalty / 2 * sum((p - common)^2),
    method = "L-BFGS-B", lower = 0, control = list(factr = 10, maxit = 1000)
  )$par
}

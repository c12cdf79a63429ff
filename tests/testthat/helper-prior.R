# Two or three normals with known densities, and rows drawn with another prior.
shifted <- function(n = 300L, shares = c(0.2, 0.3, 0.5), distance = 1.5, seed = 1) {
  withr::local_seed(seed)
  classes <- letters[seq_along(shares)]
  at <- seq_along(shares)
  of_class <- function(x) stats::setNames(x, classes)
  y <- sample(at, n, TRUE, shares)
  list(
    model = bayes_known(
      of_class(rep(1 / length(at), length(at))),
      x = likelihood_gaussian(mean = of_class(distance * at), sd = 1),
      g = matrix(
        c(0.7, 0.3, 0.4, 0.6, 0.1, 0.9)[seq_len(2L * length(at))], ncol = 2L, byrow = TRUE,
        dimnames = list(classes, c("u", "v"))
      )
    ),
    rows = data.frame(
      x = stats::rnorm(n, distance * y),
      g = ifelse(stats::runif(n) < c(0.3, 0.6, 0.9)[y], "v", "u")
    )
  )
}

# Relative likelihoods from predict(), and the log of what they are relative to.
log_likelihood_rows <- function(model, rows) predict(model, rows, type = "log_likelihood")

prior_log_likelihood <- function(l, prior) {
  top <- apply(l, 1L, max)
  sum(top + log(drop(exp(l - top) %*% prior)))
}

# Plain EM, by the formulas of Saerens et al.: posteriors under the prior, and their means.
plain_em <- function(l, steps = 20000L) {
  likelihood <- exp(l - apply(l, 1L, max))
  prior <- rep(1 / ncol(l), ncol(l))
  for (i in seq_len(steps)) {
    joint <- likelihood * rep(prior, each = nrow(l))
    prior <- colMeans(joint / rowSums(joint))
  }
  stats::setNames(prior, colnames(l))
}

# The largest log likelihood with the probability of one class held, by optim().
profile_log_likelihood <- function(l, class, p) {
  others <- setdiff(seq_len(ncol(l)), class)
  of <- function(theta) {
    shares <- exp(c(0, theta)) / sum(exp(c(0, theta)))
    prior_log_likelihood(l, replace(numeric(ncol(l)), c(class, others), c(p, (1 - p) * shares)))
  }
  if (length(others) == 1L) return(of(numeric()))
  stats::optimize(of, c(-30, 30), maximum = TRUE, tol = 1e-10)$objective
}

# A naive model of a feature that stands in the data five times, and new rows of another prior.
repeated_feature <- function(n = 2000L, noise = 0, shares = c(0.2, 0.8)) {
  draw <- function(n, shares) {
    y <- sample(c("a", "b"), n, TRUE, shares)
    z <- stats::rnorm(n, ifelse(y == "b", 1, 0))
    x <- matrix(z, n, 5L) + noise * stats::rnorm(5 * n)
    data.frame(y = y, x)
  }
  withr::local_seed(3)
  list(train = draw(n, c(0.5, 0.5)), new = draw(n, shares))
}

# Gaussians with covariances: one per class (quadratic discriminant) or pooled (linear).

covariance_fits <- function(kind) {
  specify <- function() bayes_full(covariance = kind)
  peer <- if (kind == "class") function(d) MASS::qda(d$x, d$y) else function(d) MASS::lda(d$x, d$y)
  list(
    bayesrisk = function(d) fit_xy(specify(), d$x, d$y),
    `bayesrisk: 2 threads` = function(d) fit_xy(specify(), d$x, d$y, threads = 2L),
    MASS = peer,
    # One product of all rows, without means and classes.
    `yardstick: crossprod() by R` = function(d) crossprod(d$x),
    `yardstick: crossprod() by Eigen` = function(d) eigen_crossprod(d$x)
  )
}

covariance_classes <- list(
  bayesrisk = function(d) predict(d$models$bayesrisk, d$x),
  `bayesrisk: 2 threads` = function(d) predict(d$models$bayesrisk, d$x, threads = 2L),
  MASS = function(d) predict(d$models$MASS, d$x)$class
)

covariance_posteriors <- list(
  bayesrisk = function(d) predict(d$models$bayesrisk, d$x, type = "prob"),
  `bayesrisk: 2 threads` = function(d) {
    predict(d$models$bayesrisk, d$x, type = "prob", threads = 2L)
  }
)

covariance_same <- function(d) {
  x <- d$x[d$some, , drop = FALSE]
  ours <- predict(d$models$bayesrisk, x, "prob")
  must_agree("threads", max(abs(ours - predict(d$models$bayesrisk, x, "prob", threads = 2L))), 0)
  if (is.null(d$models$MASS)) return(NULL)
  must_agree("MASS", posterior_gap(ours, predict(d$models$MASS, x)$posterior), limit = 1e-8)
}

covariance_setting <- function(n, p, k, kind = "class") {
  fits <- covariance_fits(kind)
  name <- if (kind == "class") "Full covariance" else "Pooled covariance"
  # Half of a symmetric product, and products with a triangle for each class.
  triangle <- n * p * (p + 1) / 2
  scores <- limit_fma(if (kind == "class") k * triangle else n * p * k)
  tasks <- list(
    c(fits, limit_read, limit_fma(triangle)),
    c(covariance_classes, limit_read, scores),
    c(covariance_posteriors, limit_read, scores, limit_touch(n * k))
  )
  list(
    topic = "covariance", n = n, p = p, k = k,
    make = function() {
      data <- gaussian_data(n, p, k)
      data$models <- lapply(installed_only(fits[c("bayesrisk", "MASS")]), function(fit) fit(data))
      data
    },
    same = covariance_same,
    tasks = stats::setNames(tasks, paste(name, c("fit", "class", "posterior")))
  )
}

# The log densities of some rows, each by the covariance of what it has.
incomplete_same <- function(d) {
  rows <- utils::head(which(rowSums(is.na(d$holes)) > 0), 20)
  x <- d$holes[rows, , drop = FALSE]
  ours <- predict(d$model, x, "log_likelihood")
  must_agree("threads", max(abs(ours - predict(d$model, x, "log_likelihood", threads = 2L))), 0)
  block <- coef(d$model)$numeric
  densities <- vapply(names(block$covariance), function(class) {
    apply(x, 1, function(row) {
      seen <- which(!is.na(row))
      root <- chol(block$covariance[[class]][seen, seen])
      z <- backsolve(root, row[seen] - block$mean[class, seen], transpose = TRUE)
      -sum(log(diag(root))) - (length(seen) * log(2 * pi) + sum(z^2)) / 2
    })
  }, numeric(length(rows)))
  must_agree("the formula", max(abs(ours / densities - 1)), 1e-11)
}

# New rows with missing values, of which most rows have a pattern of their own.
incomplete_setting <- function(n, p, k, identity = 0, missing = 0.02) {
  list(
    topic = "covariance", n = n, p = p, k = k,
    make = function() {
      data <- gaussian_data(n, p, k)
      data$model <- fit_xy(bayes_full(identity = identity), data$x, data$y)
      data$holes <- replace(data$x, stats::runif(n * p) < missing, NA)
      data
    },
    same = incomplete_same,
    tasks = stats::setNames(list(c(
      list(
        bayesrisk = function(d) predict(d$model, d$holes),
        `bayesrisk: 2 threads` = function(d) predict(d$model, d$holes, threads = 2L),
        `bayesrisk: complete rows` = function(d) predict(d$model, d$x)
      ),
      limit_read, limit_fma(k * n * p * (p + 1) / 2)
    )), sprintf("Full covariance class, %g %% missing", 100 * missing))
  )
}

# A reference: expectation-maximisation as in Little and Rubin (2019), chapter 11, by pattern.
plain_em <- function(x, steps) {
  pattern <- apply(is.na(x), 1, function(row) paste(which(row), collapse = " "))
  rows <- split(seq_len(nrow(x)), pattern)
  mean <- colMeans(x, na.rm = TRUE)
  covariance <- diag(apply(x, 2, stats::var, na.rm = TRUE), ncol(x))
  for (step in seq_len(steps)) {
    filled <- x
    more <- matrix(0, ncol(x), ncol(x))
    for (i in rows) {
      none <- which(is.na(x[i[[1]], ]))
      if (length(none) == 0) next
      seen <- setdiff(seq_len(ncol(x)), none)
      slope <- solve(covariance[seen, seen], covariance[seen, none, drop = FALSE])
      deviation <- sweep(x[i, seen, drop = FALSE], 2, mean[seen])
      filled[i, none] <- sweep(deviation %*% slope, 2, mean[none], "+")
      rest <- covariance[none, none] - covariance[none, seen, drop = FALSE] %*% slope
      more[none, none] <- more[none, none] + length(i) * rest
    }
    mean <- colMeans(filled)
    covariance <- (crossprod(sweep(filled, 2, mean)) + more) / nrow(x)
  }
  list(mean = mean, covariance = covariance)
}

em_fits <- list(
  bayesrisk = function(d) fit_xy(bayes_full(variance = "ml", missing = "em"), d$holes, d$y),
  `bayesrisk: 2 threads` = function(d) {
    fit_xy(bayes_full(variance = "ml", missing = "em"), d$holes, d$y, threads = 2L)
  },
  `bayesrisk: complete rows` = function(d) fit_xy(bayes_full(), d$holes, d$y),
  # Its criterion is the largest relative change of a parameter, its default 1e-4.
  norm = function(d) {
    lapply(split.data.frame(d$holes, d$y), function(x) {
      s <- norm::prelim.norm(x)
      norm::getparam.norm(s, norm::em.norm(s, showits = FALSE, criterion = 1e-8))
    })
  }
)

em_same <- function(d) {
  both <- lapply(em_fits[1:2], function(fit) coef(fit(d)))
  must_agree("threads", max(abs(unlist(both[[1]]) - unlist(both[[2]]))), 0)
  part <- which(d$y == levels(d$y)[[1]])[1:1000]
  columns <- seq_len(min(10, ncol(d$holes)))
  few <- list(holes = d$holes[part, columns], y = droplevels(d$y[part]))
  block <- coef(em_fits[[1]](few))$numeric
  gap <- function(found) {
    sd <- sqrt(diag(found[[2]]))
    max(abs(block$mean - found[[1]]) / sd, abs(block$covariance[[1]] - found[[2]]) / tcrossprod(sd))
  }
  must_agree("plain EM", gap(plain_em(few$holes, 60)), 1e-8)
  if (available("norm")) must_agree("norm", gap(em_fits$norm(few)[[1]]), 1e-6)
}

# Fits of rows with missing values. norm takes minutes for 64 features.
em_setting <- function(n, p, k, missing = 0.02, peer = TRUE) {
  list(
    topic = "covariance", n = n, p = p, k = k,
    make = function() {
      data <- gaussian_data(n, p, k)
      data$holes <- replace(data$x, stats::runif(n * p) < missing, NA)
      data
    },
    same = em_same,
    tasks = stats::setNames(
      list(c(em_fits[names(em_fits) != "norm" | peer], limit_read)),
      sprintf("Full covariance fit, %g %% missing", 100 * missing)
    )
  )
}

covariance_settings <- function(mode) {
  more <- if (mode$name == "full") {
    list(
      covariance_setting(1e5, 4L, 2L), covariance_setting(1e5, 16L, 2L),
      covariance_setting(1e4, 256L, 2L), covariance_setting(2e4, 500L, 3L),
      covariance_setting(1e5, 16L, 20L),
      covariance_setting(1e6, 10L, 3L, "pooled"), covariance_setting(1e5, 64L, 5L, "pooled")
    )
  }
  c(
    list(
      covariance_setting(1e6, 10L, 3L), covariance_setting(1e5, 64L, 5L),
      incomplete_setting(1e5, 64L, 3L), incomplete_setting(300, 500L, 3L, identity = 0.1),
      em_setting(1e5, 10L, 3L), em_setting(1e5, 64L, 3L, peer = FALSE)
    ),
    more
  )
}

# Posteriors of the parameters of a block: intervals, and covariances. Both are parts of a record
# and take `block`, a list of
# * rows: its rows of tidy() at the centre of the posterior; coefficients: the element of coef();
# * weight, freedom: the hyperparameters of each class, see model-posterior.R;
# * shared: whether the classes share a variance;
# * classes: their number.
# `tails`: the two probabilities of an interval. The value is list(lower, upper), for each row.

# The numbers of a row's class.
of_rows <- function(block, values) values[block$rows$class]

# Both limits by a quantile function. R warns of rounding at weights that are huge.
limits_by <- function(tails, quantile) {
  suppressWarnings(list(lower = quantile(tails[[1L]]), upper = quantile(tails[[2L]])))
}

# A posterior that does not exist has no degrees of freedom.
positive <- function(x) ifelse(!is.na(x) & x > 0, x, NA_real_)

# mean: Student t; sd: the root of scatter / chi^2.
gaussian_posterior <- list(
  intervals = function(block, tails) {
    is_mean <- block$rows$statistic == "mean"
    freedom <- positive(of_rows(block, block$freedom))
    weight <- positive(of_rows(block, block$weight))
    sd <- row_scales(block)
    limits_by(tails, function(p) {
      ifelse(
        is_mean, block$rows$estimate + stats::qt(p, freedom) * sd / sqrt(weight),
        sd * sqrt(freedom / stats::qchisq(p, freedom, lower.tail = FALSE))
      )
    })
  },
  covariances = function(block) {
    is_mean <- block$rows$statistic == "mean"
    freedom <- positive(of_rows(block, block$freedom) - 2) + 2
    mean_square <- row_scales(block)^2 * freedom / (freedom - 2)
    mean_sd <- row_scales(block) * sqrt(freedom / 2) *
      exp(lgamma((freedom - 1) / 2) - lgamma(freedom / 2))
    weight <- positive(of_rows(block, block$weight))
    variance <- ifelse(is_mean, mean_square / weight, mean_square - mean_sd^2)
    covariance <- diag(variance, length(is_mean))
    # One deviation for all classes.
    if (isTRUE(block$shared)) covariance[!is_mean, !is_mean] <- variance[!is_mean]
    covariance
  }
)

# The standard deviation of the class of each row.
row_scales <- function(block) {
  is_sd <- block$rows$statistic == "sd"
  sd <- rep(NA_real_, block$classes)
  sd[block$rows$class[is_sd]] <- block$rows$estimate[is_sd]
  of_rows(block, sd)
}

# Probabilities of levels, cells and bins: Dirichlet. Densities are probabilities of bins, divided
# by their widths.
table_posterior <- list(
  intervals = function(block, tails) {
    total <- positive(of_rows(block, block$weight))
    width <- bin_widths(block)
    share <- block$rows$estimate * width
    limits_by(tails, function(p) {
      stats::qbeta(p, total * share, total * pmax(1 - share, 0)) / width
    })
  },
  covariances = function(block) {
    total <- positive(of_rows(block, block$weight))
    width <- bin_widths(block)
    share <- block$rows$estimate * width
    class <- block$rows$class
    # Rows of the same class and level hold the same probability.
    place <- paste(class, block$rows$level)
    same <- outer(place, place, `==`) * share
    covariance <- (same - tcrossprod(share)) / (total + 1) / tcrossprod(width)
    covariance[outer(class, class, `!=`)] <- 0
    covariance
  }
)

# Probabilities of presence: beta, one independent of the other.
presence_posterior <- list(
  intervals = table_posterior$intervals,
  covariances = function(block) {
    total <- positive(of_rows(block, block$weight))
    share <- block$rows$estimate
    diag(share * (1 - share) / (total + 1), length(share))
  }
)

bin_widths <- function(block) {
  bins <- block$coefficients
  width <- rep(1, length(block$rows$estimate))
  is_density <- block$rows$statistic == "density"
  if (any(is_density)) width[is_density] <- bins$to - bins$from
  width
}

# A gamma distribution, whose shape is the sum of the counts.
rate_posterior <- list(
  intervals = function(block, tails) {
    weight <- positive(of_rows(block, block$weight))
    limits_by(tails, function(p) stats::qgamma(p, block$rows$estimate * weight, weight))
  },
  covariances = function(block) {
    weight <- positive(of_rows(block, block$weight))
    diag(block$rows$estimate / weight, length(weight))
  }
)

# A block of p Gaussian features: normal and inverse Wishart. A variance is scatter / chi^2.
block_posterior <- list(
  intervals = function(block, tails) {
    parts <- block_rows(block)
    each <- Map(function(i) row_limits(parts, i, tails), seq_along(parts$first))
    limits <- matrix(as.double(unlist(each)), 2L)
    list(lower = limits[1L, ], upper = limits[2L, ])
  },
  covariances = function(block) {
    parts <- block_rows(block)
    rows <- seq_along(parts$first)
    outer(rows, rows, Vectorize(function(i, j) row_covariance(parts, i, j)))
  }
)

# Each row of a block is about the features `first` and `second` (NA: a mean) in a class.
# `scatter`: that of each class.
block_rows <- function(block) {
  mean <- block$coefficients$mean
  covariance <- block$coefficients$covariance
  shared <- is.matrix(covariance)
  if (shared) covariance <- rep(list(covariance), block$classes)
  size <- ncol(mean)
  pairs <- which(upper.tri(diag(size), diag = TRUE), arr.ind = TRUE)
  kept <- sum(diag(covariance[[1L]]) != 0 | is.na(diag(covariance[[1L]])))
  list(
    first = rep(c(seq_len(size), pairs[, 1L]), each = block$classes),
    second = rep(c(rep(NA, size), pairs[, 2L]), each = block$classes),
    class = block$rows$class, estimate = block$rows$estimate, shared = shared,
    scatter = Map(`*`, covariance, block$freedom), weight = positive(block$weight),
    freedom = positive(block$freedom - kept + 1) + kept - 1, size = kept
  )
}

row_limits <- function(parts, row, tails) {
  class <- parts$class[[row]]
  i <- parts$first[[row]]
  j <- parts$second[[row]]
  scatter <- parts$scatter[[class]]
  # A mean or covariance has a marginal distribution with fewer degrees of freedom: see
  # likelihood_gaussian().
  freedom <- parts$freedom[[class]] - parts$size + 1
  own <- scatter[i, i]
  others <- if (!is.na(j)) scatter[c(i, j), j]
  if (is.na(freedom) || !all(is.finite(c(own, others))) || own == 0) return(c(NA_real_, NA_real_))
  if (is.na(j)) {
    scale <- sqrt(own / freedom / parts$weight[[class]])
    return(parts$estimate[[row]] + stats::qt(tails, freedom) * scale)
  }
  if (i == j) return(own / stats::qchisq(tails, freedom, lower.tail = FALSE))
  covariance_limits(own, scatter[i, j], scatter[j, j], freedom, tails)
}

# The covariance of two features is the variance of the first, which is scatter / chi^2, times the
# slope of the second on it, an independent t. The distribution function is the mean over the
# variance, at 512 quantiles.
covariance_limits <- function(first, between, second, freedom, tails) {
  if (second == 0) return(c(NA_real_, NA_real_))
  variance <- first / stats::qchisq((seq_len(512L) - 0.5) / 512, freedom)
  slope <- between / first
  scale <- sqrt(max(second - between * slope, 0) / first / (freedom + 1))
  size <- sqrt(first) * sqrt(second) / freedom
  if (scale == 0) return(slope * first / stats::qchisq(tails, freedom, lower.tail = slope < 0))
  vapply(tails, function(p) {
    below <- function(x) mean(stats::pt((x * size / variance - slope) / scale, freedom + 1)) - p
    size * stats::uniroot(below, c(-1, 1), extendInt = "upX", tol = 1e-9)$root
  }, 1)
}

# Moments of the inverse Wishart distribution; NA if they do not exist.
row_covariance <- function(parts, a, b) {
  class <- parts$class[[a]]
  together <- class == parts$class[[b]]
  of_means <- is.na(parts$second[c(a, b)])
  if (any(of_means)) {
    if (!all(of_means) || !together) return(0)
    excess <- positive(parts$freedom[[class]] - parts$size - 1)
    s <- parts$scatter[[class]][parts$first[[a]], parts$first[[b]]]
    return(s / excess / parts$weight[[class]])
  }
  if (!together && !parts$shared) return(0)
  i <- parts$first[[a]]
  j <- parts$second[[a]]
  k <- parts$first[[b]]
  l <- parts$second[[b]]
  s <- parts$scatter[[class]]
  rest <- positive(parts$freedom[[class]] - parts$size - 3) + 2
  (2 * s[i, j] * s[k, l] + rest * (s[i, k] * s[j, l] + s[i, l] * s[k, j])) /
    ((rest + 1) * rest^2 * (rest - 2))
}

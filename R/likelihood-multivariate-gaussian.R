# Joint blocks of numeric features: known means and covariances, and the record of the engine's
# type multivariate_gaussian.

check_block_parameters <- function(mean, covariance, call) {
  mean <- check_mean_matrix(mean, call)
  if (is.null(covariance)) {
    abort_argument(c(
      "A {.arg mean} that is a matrix needs {.arg covariance}.",
      i = "With {.arg sd}, give {.arg mean} as a vector named by class."
    ), call)
  }
  classes <- rownames(mean)
  features <- colnames(mean)
  if (is.array(covariance) && length(dim(covariance)) == 3L) {
    covariance <- split_covariances(covariance, classes, call)
  }
  if (!is.list(covariance) || is.object(covariance)) {
    covariance <- check_covariance(covariance, features, NULL, call)
    return(list(mean = mean, covariance = covariance))
  }
  check_distinct_names(names(covariance), "covariance", call)
  covariance <- covariance[match_names(names(covariance), classes, "covariance", call = call)]
  covariance <- Map(check_covariance, covariance, list(features), classes, list(call))
  list(mean = mean, covariance = covariance)
}

check_mean_matrix <- function(mean, call) {
  if (!is.numeric(mean) || is.object(mean) || length(mean) == 0L) {
    abort_wanted(mean, "mean", "a numeric vector or matrix", call)
  }
  if (is.null(rownames(mean)) || is.null(colnames(mean))) {
    abort_argument(
      "{.arg mean} must have row names (the classes) and column names (the features).", call
    )
  }
  for (label in dimnames(mean)) check_distinct_names(label, "mean", call)
  if (!all(is.finite(mean))) abort_argument("{.arg mean} must hold finite numbers.", call)
  matrix(as.double(mean), nrow(mean), dimnames = unname(dimnames(mean)))
}

split_covariances <- function(covariance, classes, call) {
  if (dim(covariance)[[3L]] != length(classes)) {
    abort_argument(c(
      "{.arg covariance} must have one matrix per class of {.arg mean}.",
      x = "Its third dimension is {dim(covariance)[[3L]]}, for {length(classes)} class{?es}."
    ), call)
  }
  slices <- lapply(seq_along(classes), function(k) {
    array(covariance[, , k], dim(covariance)[1:2], dimnames(covariance)[1:2])
  })
  names <- dimnames(covariance)[[3L]]
  stats::setNames(slices, if (is.null(names)) classes else names)
}

# Checks one covariance matrix. Returns it with rows and columns in the order of `features`.
check_covariance <- function(covariance, features, class, call) {
  of <- if (is.null(class)) "" else sprintf(" of class %s", encodeString(class, quote = "\""))
  size <- length(features)
  plain <- is.matrix(covariance) && is.numeric(covariance) && !is.object(covariance)
  if (!plain || !identical(dim(covariance), c(size, size))) {
    got <- describe_value(covariance)
    abort_argument(
      "{.arg covariance}{of} must be a {size} x {size} numeric matrix, not {got}.", call
    )
  }
  if (!all(is.finite(covariance))) {
    abort_argument("{.arg covariance}{of} must hold finite numbers.", call)
  }
  covariance <- match_features(covariance, features, of, call)
  asymmetry <- max(abs(covariance - t(covariance)))
  if (asymmetry > 1e-8 * max(abs(covariance))) {
    abort_argument("{.arg covariance}{of} must be symmetric.", call)
  }
  # Averages both triangles, so that the result does not depend on rounding in one of them.
  covariance <- covariance / 2 + t(covariance) / 2
  dimnames(covariance) <- list(features, features)
  covariance
}

match_features <- function(covariance, features, of, call) {
  names <- dimnames(covariance)
  unnamed <- vapply(names, is.null, logical(1))
  if (is.null(names) || all(unnamed)) return(covariance)
  same <- vapply(names, setequal, logical(1), y = features)
  if (!all(same)) {
    abort_argument(c(
      "The row and column names of {.arg covariance}{of} must be the features of {.arg mean}.",
      i = "They are {.val {features}}."
    ), call)
  }
  covariance[match(features, names[[1L]]), match(features, names[[2L]]), drop = FALSE]
}

# A covariance from another package can have the attribute `factor` of its likelihood: its Cholesky
# factors, see factor_part().
known_block <- function(likelihood, name, classes, call) {
  at <- match_names(rownames(likelihood$mean), classes, name, call = call)
  mean <- unname(likelihood$mean[at, , drop = FALSE])
  covariance <- likelihood$covariance
  factor <- attr(likelihood, "factor")
  factor <- if (!is.null(factor)) {
    if (is.list(factor)) factor[at] else list(factor)
  } else if (is.list(covariance)) {
    Map(function(s, class) covariance_factor(s, name, class, call), covariance[at], classes)
  } else {
    list(covariance_factor(covariance, name, NULL, call))
  }
  list(
    type = "multivariate_gaussian", name = name,
    features = lapply(colnames(likelihood$mean), new_feature, type = "double", levels = NULL),
    parameters = list(
      mean = mean, mean_low = mean * 0, factor = unname(factor), left_out = integer(),
      identity = numeric()
    )
  )
}

# The Cholesky factor: the upper triangular U with U'U equal to the covariance.
covariance_factor <- function(covariance, name, class, call) {
  of <- if (is.null(class)) "" else sprintf(" for class %s", encodeString(class, quote = "\""))
  tryCatch(unname(chol(covariance)), error = function(e) {
    abort_argument("{.arg {name}}: the covariance{of} is not positive definite.", call)
  })
}

#' @name bayes_naive
#' @param missing How a Gaussian block treats rows with missing values: `"complete"` (the default)
#'   leaves them out, `"em"` estimates from all rows by expectation-maximisation; see "Missing
#'   values in blocks".
#' @section Missing values in blocks:
#' With `missing = "em"` the means and covariances of a block maximise the likelihood of the known
#' values of all rows that have any (Dempster, Laird and Rubin 1977). The estimate is valid if
#' values are missing at random: whether a value is missing may depend on the known values of its
#' row only. With `"complete"` a block learns from the rows that have all its features. \eqn{W_k} is
#' the weight of the rows with a known value: `"unbiased"` multiplies the estimate by
#' \eqn{W_k / (W_k - 1)}, `"pooled"` by \eqn{W / (W - K')}. Shrinkage and borrowing follow. Without
#' missing values both settings give the same model.
#'
#' The estimate is within about 1e-9 standard errors of a maximum, or as near as rounding permits.
#' After 1,000 cycles of two or three steps the iteration stops with a warning: some features are
#' rarely known together. If two features are never known together, their covariance is not
#' determined, and the estimate is one of many maxima. If a spread shrinks below 3e-9
#' standard deviations, the likelihood has no maximum: then the class learns from its complete rows,
#' as with `"complete"`. A class counts as empty if a feature is never known in it. The
#' statistics keep the incomplete rows, so they grow with the data. The parameters have no
#' posterior: [confint()][confint.bayesrisk_model], `estimate = "predictive"` and [value_of_data()]
#' are errors.
#' @references
#' Dempster, A. P., Laird, N. M. and Rubin, D. B. (1977). Maximum likelihood from incomplete data
#' via the EM algorithm. *Journal of the Royal Statistical Society B* 39, 1-38.
NULL

multivariate_gaussian_record <- function() {
  likelihood_record(
    name = "multivariate_gaussian", kind = "numeric", support = "line", joint = TRUE,
    options = function(likelihoods, features, classes, block, call) {
      list(
        unbiased = !identical(likelihoods[[1L]]$variance, "ml"),
        pooled = block$covariance == "pooled", shrinkage = as.double(block$shrinkage),
        identity = if (is_auto(block$identity)) 0 else as.double(block$identity),
        borrow = as.double(block$borrow), automatic = is_auto(block$identity)
      )
    },
    remedies = block_remedies,
    cases = function(bank, statistics) sum(block_weight(statistics)),
    counts = function(bank, statistics, features, classes) {
      list(stats::setNames(block_weight(statistics), classes))
    },
    coefficients = block_coefficients,
    summary = summarise_covariance,
    tidy = tidy_by_block(tidy_covariance),
    moments = block_moments,
    normals = function(parameters, j) 1,
    remark = remark_identity,
    single = gaussian_marginals,
    posterior = block_posterior,
    bank = list(em = FALSE),
    recount = function(parameters, n, divisor) {
      list(
        weight = matrix(n), rows = matrix(n),
        mean = parameters$mean, mean_low = parameters$mean_low,
        triangle = Map(`*`, rep_len(parameters$factor, length(n)), sqrt(divisor)),
        missing = numeric(ncol(parameters$mean)), skipped = 0, incomplete = list()
      )
    },
    raised = function(bank, parameters, power) {
      factor <- lapply(parameters$factor, `/`, sqrt(power[[1L]]))
      replace(parameters, "factor", list(factor))
    },
    log_density = block_log_density
  )
}

# Whether the weight of the identity is estimated.
is_auto <- function(identity) identical(identity, "auto")

# The weight of the rows of each class that an estimate reads. The last column of incomplete rows is
# their weight.
block_weight <- function(statistics) {
  weight <- statistics$weight[, 1L]
  more <- vapply(statistics$incomplete, function(rows) sum(rows[, ncol(rows)]), 1)
  if (length(more)) weight + more else weight
}

# Mean and standard deviation of feature j in each class, or in each component of a mixture.
block_moments <- function(bank, parameters, j) {
  mean <- parameters$mean[, j]
  sd <- vapply(parameters$factor, function(u) sqrt(sum(u[, j]^2)), 1)
  list(mean = mean, sd = rep_len(sd, length(mean)))
}

remedy_dependent <- function(problems) {
  remedy(
    problems, c("constant", "singular"),
    "Drop a feature that in every class is constant or a linear combination of others."
  )
}

remedy_identity <- function(problems) {
  remedy(
    problems, c("scarce", "too_small", "singular", "constant"),
    paste(
      "{.code identity = \"auto\"} shrinks each covariance as far as its rows require",
      "(bring the features to one scale first)."
    )
  )
}

remedy_diagonal <- function(problems) {
  remedy(problems, "scarce", paste(
    "Or model the features one by one:",
    "{.code bayes_naive(numeric = likelihood_gaussian(pooled = TRUE))}."
  ))
}

block_remedies <- function(problems) {
  borrowing <- c("constant", "too_small", "too_light", "singular")
  c(
    remedy_identity(problems),
    remedy_diagonal(problems),
    remedy_dependent(problems),
    remedy_weight(problems),
    if (any(problems$problem %in% borrowing & !is.na(problems$class))) {
      paste(
        "Borrow from the other classes with {.code shrinkage = } between 0 and 1,",
        "or {.code covariance = \"pooled\"}."
      )
    },
    remedy_overflow(problems),
    remedy(problems, "empty", "Drop a feature that is not known, or the class.")
  )
}

block_coefficients <- function(bank, parameters, features, classes) {
  labels <- vapply(features, `[[`, "", "name")
  covariance <- lapply(parameters$factor, function(factor) {
    covariance <- open_as_na(crossprod(factor))
    diag(covariance)[parameters$left_out == 1L] <- 0
    matrix(covariance, length(labels), dimnames = list(labels, labels))
  })
  shared <- length(covariance) == 1L && length(classes) > 1L
  by_class <- function(x) if (shared) x[[1L]] else stats::setNames(x, classes)
  found <- list(
    mean = matrix(
      open_as_na(parameters$mean + parameters$mean_low), length(classes),
      dimnames = list(class = classes, feature = labels)
    ),
    covariance = by_class(covariance)
  )
  if (length(parameters$identity)) found$identity <- by_class(open_as_na(parameters$identity))
  list(found)
}

remark_identity <- function(parameters, features, classes) {
  if (!length(parameters$identity)) return(NULL)
  weight <- vapply(signif(parameters$identity, 4L), format, "")
  if (length(weight) > 1L) weight <- paste0(encodeString(classes, quote = "\""), " ", weight)
  paste0("Estimated weight of the identity: ", some_of(weight), ".")
}

summarise_covariance <- function(bank, coefficients) {
  shared <- is.matrix(coefficients$covariance)
  covariance <- if (shared) list(coefficients$covariance) else coefficients$covariance
  sd <- vapply(covariance, function(s) sqrt(diag(s)), numeric(ncol(coefficients$mean)))
  # cov2cor() would warn about the NA of a class without rows and about a feature that is left out.
  correlation <- lapply(covariance, function(s) {
    kept <- diag(s) != 0
    if (anyNA(s)) return(s)
    left <- s[kept, kept, drop = FALSE]
    if (length(left)) stats::cov2cor(left) else left
  })
  list(
    mean = coefficients$mean,
    sd = matrix(
      t(matrix(sd, ncol(coefficients$mean), nrow(coefficients$mean))), nrow(coefficients$mean),
      dimnames = dimnames(coefficients$mean)
    ),
    correlation = if (shared) correlation[[1L]] else correlation
  )
}

tidy_covariance <- function(coefficients, name, classes) {
  features <- colnames(coefficients$mean)
  shared <- is.matrix(coefficients$covariance)
  covariance <- if (shared) rep(list(coefficients$covariance), classes) else coefficients$covariance
  pairs <- which(upper.tri(diag(length(features)), diag = TRUE), arr.ind = TRUE)
  first <- features[pairs[, 1L]]
  own <- pairs[, 1L] == pairs[, 2L]
  term <- ifelse(own, first, paste(first, features[pairs[, 2L]], sep = ":"))
  upper <- t(vapply(covariance, function(s) s[pairs], numeric(nrow(pairs))))
  tidy_rows(
    c(coefficients$mean, matrix(upper, classes)), classes, c(features, term), NA_character_,
    c(rep("mean", length(features)), ifelse(own, "variance", "covariance"))
  )
}

# The normal of one feature: its mean and its variance in the block.
gaussian_marginals <- function(bank, state, j) {
  parameters <- state$parameters
  variance <- vapply(parameters$factor, function(u) sum(u[, j]^2), 1)
  sd <- matrix(rep_len(sqrt(variance), nrow(parameters$mean)))
  out <- left_out_mark(parameters, j)
  # The engine skips a feature that is left out, but its deviation must be positive.
  if (out == 1L) sd[is.nan(sd) | sd == 0] <- 1
  statistics <- state$statistics
  scatter <- vapply(statistics$triangle, function(r) sum(r[, j]^2), 1)
  list(
    parameters = list(
      mean = column_of(parameters$mean, j), mean_low = column_of(parameters$mean_low, j),
      sd = sd, left_out = out
    ),
    statistics = list(
      weight = statistics$weight, mean = column_of(statistics$mean, j),
      mean_low = column_of(statistics$mean_low, j), scatter = matrix(scatter)
    )
  )
}

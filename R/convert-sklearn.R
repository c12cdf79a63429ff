# Models of scikit-learn, as inst/python/bayesrisk_json.py writes them.

#' @rdname as_bayes_model
#' @export
as_bayes_model.character <- function(x, features = NULL, # nolint: object_name_linter.
                                     n = NULL, ...) {
  call <- check_no_dots(...)
  file <- check_file(x, "x", call)
  check_package("jsonlite", "as_bayes_model", call)
  read <- read_whole(parse_file(file), "file", call)
  if (!identical(read[["format"]], "scikit-learn")) {
    abort_object(c(
      "The file holds no model of scikit-learn.",
      i = "Models of this package are read by {.fn read_model_json}."
    ), call)
  }
  check_format_version(read, 1, "Write it again with the script of this version.", call)
  if (!is.null(features)) check_features_named(features, call)
  convert_model(read, n, function(read) {
    steps <- sklearn_steps(read)
    reader <- sklearn_reader(steps, call)
    reader(sklearn_model(steps$model, features, sklearn_unit(steps$before), call), call)
  }, call)
}

# list(model, before): the model, and the steps before it if it is a pipeline, which has the names
# of the features.
sklearn_steps <- function(read) {
  if (!identical(read$type, "Pipeline")) return(list(model = read, before = list()))
  last <- length(read$steps)
  stopifnot(last > 0L)
  model <- read$steps[[last]]
  model["feature_names_in_"] <- list(read$feature_names_in_)
  list(model = model, before = read$steps[-last])
}

# The reader of the type of a model.
sklearn_reader <- function(steps, call) {
  type <- steps$model$type
  reader <- if (is_string(type)) sklearn_readers()[[type]]
  if (is.null(reader)) {
    abort_argument(c(
      "{.arg x}: {describe_value(type)} of scikit-learn has no counterpart here.",
      i = "There are {.val {names(sklearn_readers())}}, and pipelines of a scaler and one of them."
    ), call)
  }
  before <- lapply(steps$before, `[[`, "type")
  other <- Filter(function(type) !identical(type, "StandardScaler"), before)
  if (length(other)) {
    abort_argument(c(
      "{.arg x}: a pipeline with {describe_value(other[[1L]])} has no counterpart here.",
      i = "A {.val StandardScaler} may stand before the model."
    ), call)
  }
  if (length(before) && !type %in% scaled_types) {
    abort_argument(c(
      "{.arg x}: a scaler before {.val {type}} has no counterpart here.",
      i = "It may stand before {.or {.val {scaled_types}}}."
    ), call)
  }
  reader
}

# Models whose features may be scaled before.
scaled_types <- c(
  "GaussianNB", "QuadraticDiscriminantAnalysis", "LinearDiscriminantAnalysis"
)

# list(centre, scale), by feature: scaled features z are those of x = centre + scale z.
sklearn_unit <- function(scalers) {
  unit <- list(centre = 0, scale = 1)
  for (scaler in scalers) {
    if (isTRUE(scaler$with_mean)) {
      unit$centre <- unit$centre + unit$scale * sklearn_numbers(scaler$mean_)
    }
    if (isTRUE(scaler$with_std)) unit$scale <- unit$scale * sklearn_numbers(scaler$scale_)
  }
  unit
}

# How each type becomes list(prior, parts).
sklearn_readers <- function() {
  list(
    GaussianNB = read_gaussian_nb, QuadraticDiscriminantAnalysis = read_sklearn_qda,
    LinearDiscriminantAnalysis = read_sklearn_lda,
    CategoricalNB = read_categorical_nb, BernoulliNB = read_bernoulli_nb,
    MultinomialNB = function(x, call) read_terms_nb(x, FALSE), ComplementNB = function(x, call) {
      read_terms_nb(x, TRUE)
    }
  )
}

# Names and functions that all readers need. `unit`: see sklearn_unit().
sklearn_model <- function(read, features, unit, call) {
  classes <- in_new_session(as.character(unlist(read$classes_)))
  given <- if (is.null(features)) unlist(read$feature_names_in_) else features
  # A class x feature matrix.
  rows <- function(x, columns = NULL) {
    x <- sklearn_matrix(x)
    stopifnot(nrow(x) == length(classes))
    if (is.null(columns)) columns <- sklearn_names(given, ncol(x), call)
    matrix(x, nrow(x), dimnames = list(classes, columns))
  }
  list(
    field = read, classes = classes, rows = rows,
    mean = function(x) {
      x <- rows(x)
      sweep(sweep(x, 2L, rep_len(unit$scale, ncol(x)), `*`), 2L, rep_len(unit$centre, ncol(x)), `+`)
    },
    spread = function(count) rep_len(unit$scale, count),
    names = function(count) sklearn_names(given, count, call),
    prior = function(x) by_class_name(x, classes)
  )
}

sklearn_names <- function(given, count, call) {
  if (is.null(given)) return(paste0("x", seq_len(count) - 1L))
  if (length(given) == count) return(given)
  abort_argument(
    "{.arg features} has {length(given)} name{?s}; the model has {count} feature{?s}.", call
  )
}

sklearn_matrix <- function(x) do.call(rbind, lapply(x, sklearn_numbers))

# Infinite numbers are text.
sklearn_numbers <- function(x) {
  vapply(x, function(value) {
    if (is.character(value)) value <- unname(c(Infinity = Inf, "-Infinity" = -Inf)[[value]])
    as.double(value)
  }, 1)
}

read_gaussian_nb <- function(x, call) {
  mean <- x$mean(x$field$theta_)
  sd <- sweep(sqrt(x$rows(x$field$var_)), 2L, x$spread(ncol(mean)), `*`)
  parts <- lapply(stats::setNames(nm = colnames(mean)), function(feature) {
    gaussian_part(mean[, feature], sd[, feature], x$classes, "ml")
  })
  list(prior = x$prior(sklearn_numbers(x$field$class_prior_)), parts = parts)
}

# The covariance of a class has these principal axes and variances along them.
read_sklearn_qda <- function(x, call) {
  mean <- x$mean(x$field$means_)
  covariance <- Map(function(rotation, scaling) {
    axes <- sklearn_matrix(rotation) %*% diag(sqrt(sklearn_numbers(scaling)), length(scaling))
    tcrossprod(x$spread(ncol(mean)) * axes)
  }, x$field$rotations_, x$field$scalings_)
  names(covariance) <- x$classes
  list(prior = x$prior(sklearn_numbers(x$field$priors_)), parts = block_part(mean, covariance))
}

# The solvers "lsqr" and "eigen" predict with the covariance that they store.
read_sklearn_lda <- function(x, call) {
  svd <- identical(x$field$solver, "svd")
  if (is.null(x$field$covariance_)) {
    abort_argument(c(
      "{.arg x} has no covariance, which the solver {.val svd} stores on request only.",
      i = "Fit it with {.code store_covariance=True}, or with {.code solver=\"lsqr\"}."
    ), call)
  }
  covariance <- sklearn_matrix(x$field$covariance_)
  least <- least_variance(covariance)
  if (svd) covariance <- covariance * covariance_ratio(x, covariance, least, call)
  # Singular for lack of rows: scikit-learn takes a pseudo-inverse, which is that of no density.
  if (least <= 1e-14) {
    abort_argument(c(
      "{.arg x}: the covariance is not positive definite.",
      i = "Fit it with {.code solver=\"lsqr\", shrinkage=\"auto\"}."
    ), call)
  }
  mean <- x$mean(x$field$means_)
  spread <- x$spread(ncol(mean))
  list(
    prior = x$prior(sklearn_numbers(x$field$priors_)),
    parts = block_part(mean, covariance * tcrossprod(spread), if (svd) "unbiased" else "ml")
  )
}

# The solver "svd" stores the sum of the class covariances of divisor n, weighted by the prior, and
# predicts with the pooled one of divisor n - K. The coefficients are the inverse of the latter
# times the means, so they tell n / (n - K), and whether one is a multiple of the other. Directions
# whose standard deviation is at most `tol` it leaves out. `least`: see least_variance().
covariance_ratio <- function(x, covariance, least, call) {
  tol <- if (is.null(x$field$tol)) 1e-4 else x$field$tol
  if (least <= tol^2) {
    abort_argument(c(
      "{.arg x}: the features are nearly collinear, so the solver {.val svd} predicts without some
       of their directions.",
      i = "Drop a feature, or fit it with {.code solver=\"lsqr\", shrinkage=\"auto\"}."
    ), call)
  }
  from_first <- function(x) sweep(x[-1L, , drop = FALSE], 2L, x[1L, ])
  apart <- from_first(x$rows(x$field$means_))
  slope <- sklearn_matrix(x$field$coef_)
  if (nrow(slope) > 1L) slope <- from_first(slope)
  with_stored <- slope %*% covariance
  ratio <- sum(slope * apart) / sum(slope * with_stored)
  size <- rep(sqrt(diag(covariance)), each = nrow(apart))
  gap <- max(abs(apart - ratio * with_stored) / size)
  if (isTRUE(gap <= 1e-6 * max(abs(apart) / size))) return(ratio)
  abort_argument(c(
    "{.arg x}: the solver {.val svd} predicts with another covariance than {.code covariance_}, as
     with {.code priors=}.",
    i = "Fit it with {.code solver=\"lsqr\"}."
  ), call)
}

# The least variance of a direction, of features that are scaled to a variance of 1.
least_variance <- function(covariance) {
  sd <- sqrt(diag(covariance))
  if (!all(sd > 0)) return(0)
  scaled <- covariance / tcrossprod(sd)
  min(eigen(scaled, symmetric = TRUE, only.values = TRUE)$values)
}

read_categorical_nb <- function(x, call) {
  tables <- lapply(x$field$feature_log_prob_, function(table) {
    exp(x$rows(table, seq_along(table[[1L]]) - 1L))
  })
  names(tables) <- x$names(length(tables))
  list(prior = log_prior(x), parts = tables)
}

log_prior <- function(x) x$prior(exp(sklearn_numbers(x$field$class_log_prior_)))

read_bernoulli_nb <- function(x, call) {
  threshold <- x$field$binarize
  if (!is.null(threshold) && !identical(as.double(threshold), 0)) {
    abort_argument(c(
      "{.arg x} counts numbers above {threshold} as present, here any number but 0 is.",
      i = "Set the others to 0 in the new data, and {.code model.binarize = 0} in Python."
    ), call)
  }
  table <- exp(x$rows(x$field$feature_log_prob_))
  list(prior = log_prior(x), parts = list(terms = likelihood_bernoulli(table = table)))
}

# The score of the complement has no prior.
read_terms_nb <- function(x, complement) {
  table <- x$rows(x$field$feature_log_prob_)
  prior <- if (complement) x$prior(rep(1, length(x$classes))) else log_prior(x)
  if (!complement) table <- exp(table)
  list(prior = prior, parts = list(
    terms = likelihood_multinomial(complement = complement, table = table, weights_ok = TRUE)
  ))
}

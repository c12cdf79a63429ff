#' Models of other packages
#'
#' Takes the parameters of a Bayes classifier of another package, so that costs, regions, risks and
#' all other functions of this package work with it. Its posterior probabilities stay the same.
#'
#' @param x A model of this list, or the path of a JSON file from scikit-learn:
#'   * MASS: `qda()`, `lda()`;
#'   * klaR: `NaiveBayes()`, `rda()`;
#'   * e1071: `naiveBayes()`;
#'   * naivebayes: `naive_bayes()`;
#'   * mclust: `MclustDA()`, with any number of components and also of type EDDA;
#'   * scikit-learn: `GaussianNB`, `LinearDiscriminantAnalysis`, `QuadraticDiscriminantAnalysis`,
#'     also in a `Pipeline` behind a `StandardScaler`; `CategoricalNB`, `BernoulliNB`,
#'     `MultinomialNB`, `ComplementNB`: see "From Python".
#' @param features The names of the features, for a model of scikit-learn that was fitted to an
#'   array. `NULL`: `x0`, `x1`, ..., as scikit-learn names them.
#' @param n The number of cases of each class, named by class, as in [bayes_known()]: the model then
#'   has statistics, so that [update()], [merge()] and [logLik()] work. For models without
#'   smoothing.
#' @inheritParams bayesrisk_arguments
#'
#' @details
#' Posteriors differ from those of the other package by at most 1e-14, or, if log joints are beyond
#' 100, by 1e-16 times their size, the rounding of the sums; of `lda()` and `qda()` with nearly
#' collinear features (a condition of the covariance of 1e10) by 1e-11, and of
#' `LinearDiscriminantAnalysis`, which adds up coefficients times features, by 1e-13. Other packages
#' replace small numbers, which has no counterpart here:
#' * klaR, e1071 and naivebayes replace probabilities and densities of 0 by `threshold`, 0.001.
#'   Here they stay 0, and a case that is impossible in every class is `NA`, with a warning. A
#'   standard deviation of 0, which e1071 and naivebayes replace too, is an error. So is a table of
#'   e1071 that does not sum to 1, as those of text columns with `laplace`.
#' * scikit-learn adds `var_smoothing` to variances at the fit, so it is part of the parameters.
#'
#' `lda()` keeps the directions that separate the classes, at most one fewer than there are classes,
#' and not the covariance. With fewer directions than features, the covariance is completed
#' by directions in which the class means are equal. Posteriors of complete cases do not depend on
#' them; densities, plots and the posteriors of cases with missing values do. A message of class
#' `bayesrisk_message_directions` says so. `bayes_full(covariance = "pooled")` estimates all of it.
#'
#' Kernel densities (`usekernel = TRUE`) of klaR and naivebayes are an error: both keep a grid of
#' densities, which they read by the nearest point or by linear interpolation. No likelihood here is
#' the same; [likelihood_kernel()] estimates kernels from the data.
#'
#' `LinearDiscriminantAnalysis` is read with all solvers and shrinkages. The solver `"svd"`, its
#' default, keeps the covariance only with `store_covariance=True`: without it there is an error,
#' and also with `priors=`, for which it predicts with another covariance than it keeps, and for
#' nearly collinear features, of which it leaves directions out. A model in a pipeline has the means
#' and covariances of the features as they come, before the scaler.
#'
#' The levels of a feature of `CategoricalNB` are the texts `"0"`, `"1"`, ... `BernoulliNB`,
#' `MultinomialNB` and `ComplementNB` become one bag of terms, called `terms`: new data are a
#' matrix, as for [bayes_text()]. `BernoulliNB` counts positive numbers as present, here any number
#' but 0.
#' `ComplementNB` has no prior, so here it is uniform.
#'
#' @section From Python:
#' The script `system.file("python", "bayesrisk_json.py", package = "bayesrisk")` writes the
#' parameters:
#' ```python
#' from bayesrisk_json import write_model
#' write_model(model, "model.json")
#' ```
#' @return A model like those of [bayes_known()].
#' @section Errors: `bayesrisk_error_argument` for an object that is no such model, or has no
#'   counterpart here, with the reason; `bayesrisk_error_object` if the model or the file is
#'   damaged.
#' @seealso [bayes_known()], [write_model_json()], [discriminants()]
#' @concept scikit-learn
#' @examplesIf requireNamespace("MASS", quietly = TRUE)
#' model <- as_bayes_model(MASS::qda(Species ~ Petal.Length + Petal.Width, iris))
#' bayes_risk(model, zero_one_cost(model, reject = 0.1))
#' @export
as_bayes_model <- function(x, ...) {
  if (missing(x)) abort_argument("{.arg x} is missing: a model.")
  UseMethod("as_bayes_model")
}

#' @export
as_bayes_model.default <- function(x, ...) {
  abort_wanted(x, "x", "a Bayes classifier of another package", rlang::current_env(), c(
    i = "{.help bayesrisk::as_bayes_model} lists them. {.fn bayes_known} takes any parameters."
  ))
}

#' @export
as_bayes_model.bayesrisk_model <- function(x, ...) {
  call <- check_no_dots(...)
  x <- check_model(x, call, "x")
  x
}

# The model of the prior and the parts that `read` finds in an object: list(prior, parts). What else
# goes wrong there means that the object is damaged.
convert_model <- function(x, n, read, call) {
  found <- read_whole(read(unclass(x)), "model", call)
  prior <- found$prior / sum(found$prior)
  known_from_parts(prior, found$parts, n, call)
}

check_fit <- function(x, call) if (!is.list(x)) abort_damaged("model", "not a list", call)

# A number for each class, whatever the attributes.
by_class_name <- function(x, classes) {
  stats::setNames(as.double(x), in_new_session(as.character(classes)))
}

gaussian_part <- function(mean, sd, classes, variance = "unbiased") {
  likelihood_gaussian(
    variance, mean = by_class_name(mean, classes), sd = by_class_name(sd, classes)
  )
}

# A class x level table.
level_part <- function(table) {
  matrix(as.double(table), nrow(table), dimnames = unname(dimnames(table)))
}

# A block of Gaussians. `covariance`: a matrix, or a list by class.
block_part <- function(mean, covariance, variance = "unbiased") {
  features <- colnames(mean)
  named <- function(s) matrix(s, nrow(s), dimnames = list(features, features))
  covariance <- if (is.list(covariance)) lapply(covariance, named) else named(covariance)
  list(numeric = likelihood_gaussian(variance, mean = mean, covariance = covariance))
}

# MASS -------------------------------------------------------------------------------------------

#' @rdname as_bayes_model
#' @export
as_bayes_model.qda <- function(x, n = NULL, ...) {
  call <- check_no_dots(...)
  check_fit(x, call)
  check_plain_terms(x, "qda", call)
  variance <- mass_variance(x$call, n, call)
  convert_model(x, n, function(x) {
    factor <- lapply(stats::setNames(seq_along(x$lev), x$lev), function(k) {
      factor_of_scaling(slice_of(x$scaling, k))
    })
    list(prior = by_class_name(x$prior, x$lev), parts = factor_part(x$means, factor, variance))
  }, call)
}

slice_of <- function(x, k) matrix(x[, , k], dim(x)[[1L]])

# The upper triangle U with U'U the covariance that a scaling makes the identity. The scaling is the
# inverse of U times an orthogonal matrix. Of collinear features the covariance itself would keep
# half of the digits.
factor_of_scaling <- function(scaling) {
  size <- nrow(scaling)
  back <- rev(seq_len(size))
  lower <- t(qr.R(qr(t(scaling[back, , drop = FALSE]), tol = 0)))
  inverse <- lower[back, back, drop = FALSE]
  backsolve(inverse * rep(sign(diag(inverse)), each = size), diag(size))
}

# A block of Gaussians whose covariances have these Cholesky factors: a matrix, or a list by class.
factor_part <- function(mean, factor, variance) {
  covariance <- if (is.list(factor)) lapply(factor, crossprod) else crossprod(factor)
  part <- block_part(mean, covariance, variance)
  attr(part$numeric, "factor") <- factor
  part
}

# The divisor of the covariance. Robust estimates have no sums of squares.
mass_variance <- function(fit, n, call) {
  method <- if (is.call(fit)) fit$method
  if (is.null(method)) method <- "moment"
  # Without counts nothing is divided.
  if (is.null(n)) return(if (identical(method, "mle")) "ml" else "unbiased")
  if (!is_string(method)) {
    abort_argument(c(
      "{.arg x}: its call, {.code method = {deparse1(method)}}, does not tell the method.",
      i = "Fit it again with the name of the method in the call."
    ), call)
  }
  if (method == "mle") return("ml")
  if (method == "moment") return("unbiased")
  abort_argument("{.arg n} is for the methods {.val moment} and {.val mle} only.", call)
}

# Factors became columns of a model matrix, which new data do not have.
check_plain_terms <- function(x, name, call) {
  if (!length(x$xlevels)) return(invisible())
  abort_argument(c(
    "{.fn {name}} has coded {.field {names(x$xlevels)}} by columns of 0 and 1.",
    i = "Such columns are no Gaussians: fit {.fn bayes_blocks} to the data."
  ), call)
}

#' @rdname as_bayes_model
#' @export
as_bayes_model.lda <- function(x, n = NULL, ...) {
  call <- check_no_dots(...)
  check_fit(x, call)
  check_plain_terms(x, "lda", call)
  variance <- mass_variance(x$call, n, call)
  open <- if (is.matrix(x$scaling)) nrow(x$scaling) - ncol(x$scaling) else 0L
  if (open > 0L && !is.null(n)) {
    abort_argument(
      "{.arg n} needs the covariance, of which {.fn lda} keeps {ncol(x$scaling)} of
       {nrow(x$scaling)} directions.", call
    )
  }
  model <- convert_model(x, n, function(x) {
    used <- x$means[x$prior > 0, , drop = FALSE]
    scaling <- if (open > 0L) completed_scaling(x$scaling, used) else x$scaling
    list(
      # Levels without rows have no prior.
      prior = by_class_name(x$prior, names(x$prior)),
      parts = factor_part(x$means, factor_of_scaling(scaling), variance)
    )
  }, call)
  if (open > 0L) {
    inform_bayesrisk(c(
      "{.fn lda} keeps {ncol(x$scaling)} of {nrow(x$scaling)} directions of the covariance. In the
       others the class means are equal; posteriors of complete cases do not depend on them.",
      i = "For densities and missing values fit {.code bayes_full(covariance = \"pooled\")}."
    ), "directions")
  }
  model
}

# Directions in which the means do not differ. MASS separates only classes that have a prior. The
# standard deviation in these directions is the largest difference of a mean from the centre in one
# feature: with a small one their share, which all classes have in common, would outweigh the
# differences.
completed_scaling <- function(scaling, means) {
  kept <- seq_len(ncol(scaling))
  from_centre <- t(means) - colMeans(means)
  away <- svd(from_centre, nu = nrow(scaling))$u[, -kept, drop = FALSE]
  cbind(scaling, away / max(abs(from_centre)))
}

# mclust -----------------------------------------------------------------------------------------

#' @rdname as_bayes_model
#' @export
as_bayes_model.MclustDA <- function(x, n = NULL, ...) {
  call <- check_no_dots(...)
  convert_model(x, n, function(x) {
    classes <- names(x$models)
    parameters <- lapply(x$models, `[[`, "parameters")
    if (any(vapply(parameters, function(p) !is.null(p$Vinv), NA))) {
      abort_argument("{.arg x} has a component of noise, which has no counterpart here.", call)
    }
    features <- colnames(x$data)
    one <- ncol(as.matrix(x$data)) == 1L
    if (is.null(features)) features <- if (one) "x" else paste0("x", seq_len(ncol(x$data)))
    list(
      prior = by_class_name(x$prop, classes),
      parts = if (one) mclust_feature(parameters, features) else mclust_block(parameters, features)
    )
  }, call)
}

mclust_weights <- function(parameters) {
  lapply(parameters, function(p) if (length(p$pro) > 1L) as.double(p$pro) else 1)
}

mclust_feature <- function(parameters, feature) {
  mean <- lapply(parameters, function(p) as.double(p$mean))
  sd <- lapply(parameters, function(p) sqrt(as.double(p$variance$sigmasq)))
  if (all(lengths(mean) == 1L)) {
    part <- gaussian_part(unlist(mean), unlist(sd), names(parameters), "ml")
  } else {
    part <- likelihood_mixture(weights = mclust_weights(parameters), mean = mean, sd = sd)
  }
  stats::setNames(list(part), feature)
}

mclust_block <- function(parameters, features) {
  mean <- lapply(parameters, function(p) {
    t(matrix(p$mean, length(features), dimnames = list(features, NULL)))
  })
  covariance <- lapply(parameters, function(p) {
    array(p$variance$sigma, c(rep(length(features), 2L), length(p$mean) / length(features)))
  })
  if (any(vapply(mean, nrow, 1L) > 1L)) {
    return(list(numeric = likelihood_mixture(
      weights = mclust_weights(parameters), mean = mean, covariance = covariance
    )))
  }
  bound <- do.call(rbind, mean)
  rownames(bound) <- names(parameters)
  block_part(bound, lapply(covariance, slice_of, 1L), "ml")
}

# Naive Bayes of klaR, e1071 and naivebayes, and klaR's regularised discriminant analysis.

# klaR and e1071: a class x 2 table of means and standard deviations, or a class x level table.
feature_part <- function(x, is_number) {
  if (is_number) gaussian_part(x[, 1L], x[, 2L], rownames(x)) else level_part(x)
}

#' @rdname as_bayes_model
#' @export
as_bayes_model.naiveBayes <- function(x, n = NULL, ...) { # nolint: object_name_linter.
  call <- check_no_dots(...)
  convert_model(x, n, function(x) {
    numeric <- x$isnumeric[names(x$tables)]
    list(
      prior = by_class_name(x$apriori, names(x$apriori)),
      parts = Map(function(table, is_number) feature_part(table, is_number), x$tables, numeric)
    )
  }, call)
}

#' @rdname as_bayes_model
#' @export
as_bayes_model.NaiveBayes <- function(x, n = NULL, ...) { # nolint: object_name_linter.
  call <- check_no_dots(...)
  check_fit(x, call)
  if (isTRUE(x$usekernel)) abort_kernel("NaiveBayes", "the nearest point", call)
  convert_model(x, n, function(x) {
    numeric <- vapply(x$x[x$varnames], is.numeric, NA)
    list(
      prior = by_class_name(x$apriori, x$levels),
      parts = Map(feature_part, x$tables[x$varnames], numeric)
    )
  }, call)
}

abort_kernel <- function(name, how, call) {
  abort_argument(c(
    "{.arg x} has kernel densities: {.fn {name}} keeps a grid of each and reads {how}, which is no
     density of this package.",
    i = "Fit {.code bayes_naive(numeric = likelihood_kernel())} to the data."
  ), call)
}

#' @rdname as_bayes_model
#' @export
as_bayes_model.naive_bayes <- function(x, n = NULL, ...) { # nolint: object_name_linter.
  call <- check_no_dots(...)
  check_fit(x, call)
  if ("KDE" %in% attr(x$tables, "cond_dist")) {
    abort_kernel("naive_bayes", "between its points", call)
  }
  convert_model(x, n, function(x) {
    kinds <- attr(x$tables, "cond_dist")
    parts <- Map(function(table, kind) {
      table <- unclass(table)
      switch(kind,
        Gaussian = gaussian_part(table[1L, ], table[2L, ], colnames(table)),
        Poisson = likelihood_poisson(by_class_name(table[1L, ], colnames(table))),
        Bernoulli = , Categorical = level_part(t(table)),
        abort_argument("{.arg x} has a distribution of an unknown kind: {kind}.", call)
      )
    }, unclass(x$tables)[names(kinds)], kinds)
    list(prior = by_class_name(x$prior, x$levels), parts = parts)
  }, call)
}

#' @rdname as_bayes_model
#' @export
as_bayes_model.rda <- function(x, n = NULL, ...) { # nolint: object_name_linter.
  call <- check_no_dots(...)
  check_fit(x, call)
  if (is.null(x$regularization)) return(as_bayes_model.default(x))
  check_plain_terms(x, "rda", call)
  convert_model(x, n, function(x) {
    classes <- in_new_session(as.character(x$classes))
    gamma <- x$regularization[["gamma"]]
    lambda <- x$regularization[["lambda"]]
    # klaR keeps the covariances without the regularisation.
    covariance <- lapply(stats::setNames(seq_along(classes), classes), function(k) {
      s <- (1 - lambda) * slice_of(x$covariances, k) + lambda * x$covpooled
      (1 - gamma) * s + gamma * mean(diag(s)) * diag(nrow(s))
    })
    mean <- t(x$means)
    rownames(mean) <- classes
    list(prior = by_class_name(x$prior, classes), parts = block_part(mean, covariance))
  }, call)
}

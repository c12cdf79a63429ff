#' Gaussian likelihood
#'
#' Settings for the estimate of the variance of a numeric feature within a class, or of the
#' covariance of a block of numeric features. Alternatively, the known mean and standard deviation
#' (covariance).
#'
#' @details
#' With case weights \eqn{w_r} of the rows \eqn{r} of class \eqn{k} in which the
#' feature is known, and \eqn{W_k} their sum, the mean is
#' \eqn{\bar{x}_k = \sum_r w_r x_r / W_k}{xbar_k = sum(w x) / W_k} and the variance
#' \deqn{s_k^2 = \frac{\sum_r w_r (x_r - \bar{x}_k)^2}{W_k - 1}}{
#'   s_k^2 = sum(w (x - xbar_k)^2) / (W_k - 1)}
#' if `"unbiased"`, or the same sum divided by \eqn{W_k} if `"ml"` (maximum likelihood).
#' A weight of \eqn{w} counts as \eqn{w} copies of its row. If \eqn{W_k - 1} is not positive, the
#' class has no unbiased estimate of its own. In a block the covariance
#' is the sum of \eqn{w_r (x_r - \bar{x}_k)(x_r - \bar{x}_k)^T}{w (x - xbar_k) (x - xbar_k)'}
#' with the same divisors; see [bayes_full()] for pooling and shrinkage.
#'
#' `min_variance` is a lower bound of the variance of *single* Gaussian features,
#' \eqn{\max(s_k^2, \mathrm{min\_variance})}{max(s_k^2, min_variance)}. A larger variance does not
#' change. `min_variance` does not apply to a block of several features; use `shrinkage` there.
#' A class in which the feature is constant borrows one case from the pooled variance, with a
#' warning; with `degenerate = "stop"` it is an error ([bayes_naive()], "Degenerate data").
#'
#' With `pooled = TRUE` the feature has one variance in all classes, the sum of the squares of all
#' classes about their means, divided by \eqn{\sum_k W_k - K'}{sum(W_k) - K'} (`"unbiased"`, with
#' \eqn{K'} the number of classes that have a value) or by \eqn{\sum_k W_k}{sum(W_k)} (`"ml"`).
#' `bayes_naive(numeric = likelihood_gaussian(pooled = TRUE))` is then diagonal discriminant
#' analysis (Dudoit, Fridlyand and Speed 2002), for many features and few rows.
#'
#' @param variance `"unbiased"` (the default) or `"ml"`. Of known parameters: which of them `sd` or
#'   `covariance` is, for `n` of [bayes_known()].
#' @param min_variance Lower bound of the variance, in squared units of the feature;
#'   a finite number, 0 or more.
#' @param min_variance_share Lower bound of the variance as a share of the pooled variance of the
#'   classes; 0 or more. It does not depend on the unit of the feature.
#' @param borrow Number of cases, 0 or more, that every class borrows from the pooled variance (the
#'   m-estimate of a variance). The section "Degenerate data" of [bayes_naive()] has the formula.
#' @param pooled Whether all classes have one variance. For single features and the terms of bags;
#'   `covariance = "pooled"` of [bayes_full()] is that of a block.
#' @param mean Known means, for [bayes_known()]: a numeric vector named by class for a
#'   single feature, or a class x feature matrix with dimnames for a block.
#' @param sd Known standard deviations of a single feature, in its units and positive:
#'   one number for every class, or a vector named by class. Not together with
#'   `covariance`.
#' @param covariance Known covariance of a block of p features: one p x p matrix for
#'   every class, a list of matrices named by class, or a p x p x K array whose third
#'   dimension is named by class or follows the rows of `mean`. A matrix with dimnames
#'   is matched to the features by name, a matrix without dimnames by position. Each matrix must be
#'   symmetric and finite. [bayes_known()] checks that it is positive definite.
#' @inheritParams bayesrisk_arguments
#'
#' @return An object of class `bayesrisk_likelihood_gaussian`, to be used as `numeric`
#'   or in `features` of [bayes_naive()] and [bayes_blocks()], or in [bayes_known()]. It
#'   prints as a sentence.
#'
#' @section Errors:
#' `bayesrisk_error_argument` if an argument is not as described above, if `sd` and `covariance` are
#' given together, if `mean` is given without one of them, or if known parameters are given with
#' `min_variance`, `min_variance_share`, `borrow` or `pooled`, which apply to estimates only. With
#' `pooled`, `borrow` and `min_variance_share` must be 0: the variance is that of all classes.
#'
#' @references
#' Dudoit, S., Fridlyand, J. and Speed, T. P. (2002). Comparison of discrimination methods for the
#' classification of tumors using gene expression data. *Journal of the American Statistical
#' Association* 97, 77-87.
#'
#' Lectures "Bayesian Learning (Galili, Shamir, Yakhini)" and "Applied Machine Learning
#' Fundamentals, Unit III: Bayesian Decision Theory (Wehner)".
#'
#' @family likelihoods
#' @examples
#' likelihood_gaussian("ml")
#' bayes_naive(numeric = likelihood_gaussian(min_variance = 1e-6))
#'
#' # diagonal discriminant analysis
#' fit(bayes_naive(numeric = likelihood_gaussian(pooled = TRUE)), Species ~ ., iris)
#'
#' # known: two classes with the same standard deviation
#' likelihood_gaussian(mean = c(a = 15, b = 25), sd = 4)
#'
#' # known: a block of two features
#' likelihood_gaussian(
#'   mean = rbind(A = c(x = 0, y = 0), B = c(x = 0.5, y = 0.5)),
#'   covariance = list(A = diag(2), B = matrix(c(1, 0.3, 0.3, 2), 2))
#' )
#' @export
likelihood_gaussian <- function(variance = c("unbiased", "ml"), min_variance = 0,
                                mean = NULL, sd = NULL, covariance = NULL,
                                min_variance_share = 0, borrow = 0, pooled = FALSE, ...) {
  check_no_dots(...)
  new_likelihood(
    "gaussian",
    check_gaussian(
      variance, min_variance, mean, sd, covariance, min_variance_share, borrow, pooled,
      rlang::current_env()
    )
  )
}

check_gaussian <- function(variance, min_variance, mean, sd, covariance, min_variance_share,
                           borrow, pooled, call) {
  variance <- check_variance(variance, call)
  min_variance <- check_number(min_variance, "min_variance", min = 0, call = call)
  share <- check_number(min_variance_share, "min_variance_share", min = 0, call = call)
  borrow <- check_number(borrow, "borrow", min = 0, call = call)
  pooled <- check_flag(pooled, "pooled", call = call)
  given <- check_gaussian_parameters(mean, sd, covariance, call)
  shared <- c(min_variance_share = share != 0, borrow = borrow != 0)
  if (pooled && any(shared)) {
    abort_argument(c(
      "{.arg {names(shared)[shared]}} must be 0 with {.code pooled = TRUE}.",
      i = "The variance is that of all classes already."
    ), call)
  }
  estimates <- c(min_variance = min_variance != 0, shared, pooled = pooled)
  if (!is.null(given$mean) && any(estimates)) {
    other <- names(estimates)[estimates]
    abort_argument(
      "{.arg mean} and {.arg {other}} cannot be given together: nothing is estimated.", call
    )
  }
  list(
    variance = variance, min_variance = min_variance,
    mean = given$mean, sd = given$sd, covariance = given$covariance,
    min_variance_share = share, borrow = borrow, pooled = pooled
  )
}

check_variance <- function(variance, call) {
  if (identical(variance, "pooled")) {
    abort_argument(c(
      "{.arg variance} must be {.val unbiased} or {.val ml}, the divisor.",
      i = "One variance for all classes: {.code numeric = likelihood_gaussian(pooled = TRUE)}.",
      i = "One covariance of a block: {.code covariance = \"pooled\"}."
    ), call)
  }
  check_choice(variance, c("unbiased", "ml"), "variance", call)
}

# Known parameters, in the order of the classes and features of `mean`.
check_gaussian_parameters <- function(mean, sd, covariance, call) {
  if (is.null(mean) && is.null(sd) && is.null(covariance)) return(list())
  if (!is.null(sd) && !is.null(covariance)) {
    abort_argument(c(
      "{.arg sd} and {.arg covariance} cannot be given together.",
      i = "{.arg sd} is for a single feature, {.arg covariance} for a block."
    ), call)
  }
  if (is.null(mean)) {
    given <- if (is.null(sd)) "covariance" else "sd"
    abort_argument("{.arg {given}} needs {.arg mean}.", call)
  }
  if (is.matrix(mean)) {
    check_block_parameters(mean, covariance, call)
  } else {
    check_feature_parameters(mean, sd, call)
  }
}

check_feature_parameters <- function(mean, sd, call) {
  mean <- check_numbers(mean, "mean", call = call)
  check_named_by_class(mean, "mean", call)
  if (is.null(sd)) {
    abort_argument(c(
      "A {.arg mean} that is a vector needs {.arg sd}.",
      i = "With {.arg covariance}, give {.arg mean} as a class x feature matrix."
    ), call)
  }
  sd <- fill_classes(check_positive(sd, "sd", call), names(mean), "sd", call)
  list(mean = mean, sd = sd)
}

describe_gaussian <- function(likelihood) {
  if (!is.null(likelihood$sd)) return("Gaussians with given mean and standard deviation")
  if (!is.null(likelihood$covariance)) return("Gaussians with given mean and covariance")
  floor <- likelihood$min_variance
  share <- likelihood$min_variance_share
  bounds <- c(
    if (floor > 0) format(floor),
    if (share > 0) paste(format(share), "of the pooled variance")
  )
  bound <- if (length(bounds)) paste(" of at least", paste(bounds, collapse = " and "))
  paste0(
    "Gaussians with ", if (isTRUE(likelihood$pooled)) "one pooled ", estimator_word(likelihood),
    " variance", bound,
    describe_borrow(likelihood$borrow)
  )
}

describe_borrow <- function(borrow, from = "the pooled one") {
  if (borrow > 0) sprintf(", borrowing %s from %s", count_of(borrow, "case", "cases"), from)
}

estimator_word <- function(gaussian) {
  if (identical(gaussian$variance, "ml")) "maximum-likelihood" else "unbiased"
}

gaussian_record <- function() {
  likelihood_record(
    name = "gaussian", kind = "numeric", support = "line", joint_as = "multivariate_gaussian",
    bag_as = "gaussian_bag",
    describe = describe_gaussian,
    check = check_gaussian,
    given = list(c("mean", "sd"), c("mean", "covariance")),
    known = known_gaussian,
    options = function(likelihoods, features, classes, block, call) {
      setting <- function(name, type = 1) setting_of(name, likelihoods, features, type)
      list(
        unbiased = as.integer(setting("variance", "") == "unbiased"),
        min_variance = setting("min_variance"),
        min_variance_share = setting("min_variance_share"), borrow = setting("borrow"),
        pooled = as.integer(setting("pooled", NA))
      )
    },
    remedies = function(problems) {
      c(
        remedy(
          problems, "constant",
          "Drop the feature, or set a floor with {.code likelihood_gaussian(min_variance = )}."
        ),
        remedy_weight(problems), common_remedies(problems)
      )
    },
    coefficients = function(bank, parameters, features, classes) {
      mean <- parameters$mean + parameters$mean_low
      sd <- parameters$sd
      sd[, parameters$left_out == 1L] <- 0
      statistic_matrices(list(mean = mean, sd = sd), classes)
    },
    moments = function(bank, parameters, j) {
      list(mean = parameters$mean[, j], sd = parameters$sd[, j])
    },
    normals = function(parameters, j) 1,
    single = gaussian_columns,
    posterior = gaussian_posterior,
    recount = function(parameters, n, divisor) {
      list(
        weight = parameters$mean * 0 + n, mean = parameters$mean, mean_low = parameters$mean_low,
        scatter = parameters$sd^2 * divisor
      )
    },
    raised = function(bank, parameters, power) {
      replace(parameters, "sd", list(scale_columns(parameters$sd, 1 / sqrt(power))))
    },
    log_density = gaussian_log_density
  )
}

known_gaussian <- function(likelihood, name, classes, call) {
  if (!is.null(likelihood$covariance)) return(known_block(likelihood, name, classes, call))
  settings <- unclass(likelihood)
  known_numbers(
    list(mean = settings$mean, mean_low = settings$mean * 0, sd = settings$sd), name, classes, call
  )
}

gaussian_columns <- function(bank, state, j) {
  numbers <- setdiff(names(state$parameters), "left_out")
  list(
    parameters = c(
      lapply(state$parameters[numbers], column_of, j),
      list(left_out = left_out_mark(state$parameters, j))
    ),
    statistics = lapply(state$statistics, column_of, j)
  )
}

gaussian_log_density <- function(bank, parameters, to) {
  members <- kept_members(parameters, to)
  terms <- vapply(seq_len(nrow(parameters$mean)), function(k) {
    of <- lapply(parameters[c("mean", "mean_low", "sd")], function(x) x[k, members])
    if (!all(is.finite(of$mean))) return(to$impossible)
    normal <- normal_text(to$x[members], of$mean, of$mean_low, of$sd, to)
    sprintf("0.5e0 * (%s)", to$add(to$zero_if_missing(normal, members), members))
  }, "")
  c(
    near_means(parameters$mean, parameters$sd, length(to$x), to),
    list(terms = terms, least = apply(parameters$sd, 2L, least_deviation))
  )
}

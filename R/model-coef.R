#' Extract from a fitted model
#'
#' The parameters, the formula, the number of cases and the log likelihood of a
#' model; [AIC()] and [BIC()] follow from the last two.
#'
#' @param object,x A fitted or known model. `nobs()` also takes the result of
#'   [bayes_statistics()].
#' @inheritParams bayesrisk_arguments
#'
#' @details
#' `logLik()` is the joint log likelihood at the estimates: the sum of
#' \eqn{w \log p(x, y)}{w log p(x, y)} over the training rows with weights \eqn{w}. It includes the
#' class prior. It is `NA` with [kernels][likelihood_kernel()]. A missing feature adds nothing for
#' its row. Nor does a joint block with a missing feature, unless `missing = "em"`: then its known
#' values count. With unbiased variances, smoothing or a given prior the estimates do not maximise
#' the likelihood, so the value is below the maximum.
#'
#' Its degrees of freedom count free parameters:
#' * the prior: \eqn{K - 1} for \eqn{K} classes with rows if it is estimated, 0 if
#'   it is given;
#' * a categorical feature: its declared levels - 1, per class; a joint table or a joint
#'   histogram: its cells - 1, per class;
#' * a single feature whose distribution has parameters: their number, per class (2 for a
#'   Gaussian, whose variance counts once if it is pooled); a histogram: its bins - 1, per class;
#'   kernels and exact values: not counted, `NA` for the model;
#' * a block of \eqn{p} numeric features: \eqn{p} means per class, and
#'   \eqn{p (p + 1) / 2} for the covariance of each class, or for the one that is
#'   shared (pooled, or shrunk by 1); a block of mixtures: see [likelihood_mixture()], "Joint
#'   blocks".
#'
#' A feature that is left out has no free parameters.
#'
#' `AIC(model)` is `-2 * logLik + 2 * df`, and `BIC(model)` is `-2 * logLik + log(nobs) * df`.
#' Smaller values are better. Both compare models of the same rows and the same features.
#'
#' @return
#' `coef()`: a list of `prior`, named by class, and one element for each feature or joint block.
#' Elements are named by their feature or block; the blocks of [bayes_full()] are called `numeric`
#' and `categorical`. An element has one of these forms:
#' * categorical feature: a class x level matrix of probabilities, with dimnames
#'   named `class` and by the feature;
#' * Gaussian feature: a class x 2 matrix with columns `mean` and `sd`, in units of
#'   the feature; features of other distributions with parameters: a class x parameter
#'   matrix, its columns named like the arguments of the likelihood;
#' * mixture: a data frame with a row for each component of each class and the columns
#'   `class`, `component` (1, 2, ... within the class), `weight`, `mean` and `sd`;
#' * histogram: a data frame with a row for each bin of each class and the columns `class`,
#'   `from`, `to`, `probability` and `density` (probability divided by width);
#' * kernels: a data frame with a row for each point of each class and the columns `class`, `value`,
#'   `weight` (the share of the point) and `bandwidth`; exact values: the same with the columns
#'   `class`, `value` and `probability`. Only the first rows are printed;
#' * block of numeric features: a list of `mean`, a class x feature matrix, and
#'   `covariance`, a list of matrices named by class, or one matrix where all
#'   classes share it; with `identity = "auto"` also `identity`, its weight in each covariance;
#' * block of mixtures: a list of `weights`, `mean` and `covariance`, each a list by class of
#'   vectors, component x feature matrices and feature x feature x component arrays;
#' * joint table: an array of probabilities, level x level x ... x class, with
#'   dimnames named by feature and `class`. If this array would have more than 1e5 numbers: a data
#'   frame of the cells seen in training, with one column per feature, `class` and `probability`.
#'   Its attribute `unseen` has the probability of each other cell, by class. A joint histogram
#'   is such a table, whose levels are the bins.
#'
#' The model of a group that was pooled (see [bayesrisk_models]) has `pool`: the cases of the model
#' of all groups, named by feature or block; `"(class)"` for the class shares.
#'
#' The parameters of a class without rows are `NA`. A feature that is left out ("Degenerate data" of
#' [bayes_naive()]) has `sd` 0 as a Gaussian feature and `NA` as a gamma or kernel feature. Without
#' any value its table is uniform, and its Poisson rate is 1.
#'
#' `formula()`: the formula of the fit, as it was written. Its environment holds the values that the
#' model keeps, if any, and nothing else; all other names are looked up from the global environment.
#' `NULL` for a model that was not fitted by a formula.
#'
#' `nobs()`: the sum of the case weights, without weights the number of rows used;
#' 0 for a model without statistics, as of [bayes_known()].
#'
#' `logLik()`: a number of class `logLik` with the attributes `df` and `nobs`.
#' @section Errors: `logLik()` of a model that was made by [bayes_known()] is an error
#'   of class `bayesrisk_error_argument`, because such a model has no data. A damaged model is an
#'   error of class `bayesrisk_error_object`.
#' @source The parameter counts of categorical models are those of the lecture
#'   "Chapter ML:IV Statistical Learning: Bayes Classification", of Gaussian ones those
#'   of "Applied Machine Learning Fundamentals, Unit III: Bayesian Decision Theory
#'   (Wehner)".
#' @seealso [summary()][summary.bayesrisk_model] for tables to read, [counts()] for the counts
#'   behind the probabilities, [tidy()][tidy.bayesrisk_model] for a data frame.
#' @examples
#' model <- fit(bayes_naive(), play ~ outlook + wind, play_tennis)
#' coef(model)
#' formula(model)
#' nobs(model)
#' logLik(model)
#'
#' # 13 free parameters against 71
#' naive <- fit(bayes_naive(), play ~ ., play_tennis)
#' full <- fit(bayes_full(), play ~ ., play_tennis)
#' AIC(naive, full)
#' @name coef.bayesrisk_model
#' @export
coef.bayesrisk_model <- function(object, ...) {
  check_no_dots(...)
  object <- check_model(object, rlang::current_env())
  temper <- object$parameters$temper
  shown <- if (!is.null(temper)) list(temper = temper[c("power", "offset", "penalty")])
  cases <- object$parameters$pool$cases
  c(model_coefficients(object), shown, if (!is.null(cases)) list(pool = cases))
}

model_coefficients <- function(object) {
  prior <- stats::setNames(object$parameters$prior, object$schema$classes$levels)
  blocks <- by_block(object, object$parameters$banks, function(record) record$coefficients)
  c(list(prior = prior), blocks)
}

# A list by block: what a part of the records makes of the banks. `states`: their parameters or
# statistics; `part`: a function of a record that returns the part.
by_block <- function(object, states, part) {
  blocks <- Map(function(bank, state) {
    features <- unname(object$schema$features[bank$features])
    part(record_of(bank))(bank, state, features, object$schema$classes$levels)
  }, object$plan$banks, states)
  blocks <- unlist(unname(blocks), recursive = FALSE)
  if (length(blocks)) names(blocks) <- block_names(object)
  blocks
}

#' @rdname coef.bayesrisk_model
#' @export
formula.bayesrisk_model <- function(x, ...) {
  check_no_dots(...)
  x <- check_model(x, rlang::current_env(), "x")
  if (!is.null(x$schema$formula)) whole_formula(x$schema)
}

#' @rdname coef.bayesrisk_model
#' @export
nobs.bayesrisk_model <- function(object, ...) {
  check_no_dots(...)
  object <- check_model(object, rlang::current_env())
  total_weight(object)
}

#' @rdname coef.bayesrisk_model
#' @export
nobs.bayesrisk_statistics <- function(object, ...) {
  check_no_dots(...)
  object <- check_statistics(object, rlang::current_env(), "object")
  total_weight(object)
}

# The sum of the case weights; 0 for a model from numbers.
total_weight <- function(x) as.double(sum(x$statistics$classes$weight))

#' @rdname coef.bayesrisk_model
#' @export
logLik.bayesrisk_model <- function(object, ...) {
  call <- check_no_dots(...)
  object <- check_model(object, call)
  if (is.null(object$statistics)) {
    abort_argument(c(
      "{.arg object} has no log likelihood: {.fn bayes_known} made it from numbers, without data.",
      i = "For other data: {.code sum(predict(model, newdata, type = \"log_evidence\"))}."
    ), call)
  }
  model_log_likelihood(object)
}

model_log_likelihood <- function(model) {
  structure(
    open_as_na(model$parameters$log_likelihood),
    df = open_as_na(model$parameters$parameter_count), nobs = total_weight(model),
    class = "logLik"
  )
}

# The row of glance(): NA where a model has no data.
fit_table <- function(x) {
  known <- is.null(x$statistics)
  fit <- if (known) structure(NA_real_, df = NA_real_) else model_log_likelihood(x)
  data.frame(
    nobs = total_weight(x), df = attr(fit, "df"), logLik = as.double(fit),
    AIC = if (known) NA_real_ else stats::AIC(fit), BIC = if (known) NA_real_ else stats::BIC(fit),
    classes = length(x$schema$classes$levels), features = length(x$schema$features)
  )
}

#' Bayes classifiers in caret
#'
#' A model list for caret: `train(x, y, method = bayesrisk_caret("full"))`. All values of the
#' parameters come from one fit for each resample: the fit keeps its statistics, from which
#' [update()][update.bayesrisk_model] estimates again without data.
#'
#' Further settings of [bayes_naive()] and [bayes_full()] are arguments of `caret::train()`, such as
#' `variance = "ml"`. A `shrinkage` of 1 is a pooled covariance. The formula interface of caret
#' turns factors into 0-1 columns, and needs `na.action = na.pass` if there are missing values. With
#' `x` and `y` factors remain factors.
#' `caret::varImp()` is the value of each feature alone, as in
#' [mlr3][mlr_learners_classif.bayesrisk].
#'
#' @param structure `"naive"` for [bayes_naive()], which is tuned over `laplace`; `"full"` for
#'   [bayes_full()], which is tuned over `laplace` and `shrinkage`. The grid varies `laplace` only
#'   if there are categorical features, and `shrinkage` only if there are two numeric ones.
#' @inheritParams bayesrisk_arguments
#' @return The list that caret documents under "Using Your Own Model in `train`".
#' @section Errors: `bayesrisk_error_argument`, which names the argument.
#' @seealso [bayes_classifier()], the function that caret calls
#' @examples
#' bayesrisk_caret("full")$parameters
#' @export
bayesrisk_caret <- function(structure = c("naive", "full"), ...) {
  call <- check_no_dots(...)
  structure <- check_choice(structure, c("naive", "full"), "structure", call)
  parameters <- data.frame(
    parameter = c("laplace", "shrinkage"), class = "numeric",
    label = c("Pseudo-count of Each Level", "Weight of the Pooled Covariance")
  )
  if (structure == "naive") parameters <- parameters[1L, ]
  list(
    label = sprintf("Bayes Classifier (%s)", structure), library = "bayesrisk",
    type = "Classification", parameters = parameters,
    grid = function(x, y, len = 3, search = "grid") {
      caret_grid(x, len, search, parameters$parameter)
    },
    loop = function(grid) {
      list(loop = grid[1L, , drop = FALSE], submodels = list(grid[-1L, , drop = FALSE]))
    },
    fit = function(x, y, wts, param, lev, last, classProbs, ...) { # nolint: object_name_linter.
      rlang::inject(bayes_classifier(x, y, structure, weights = wts, !!!as.list(param), ...))
    },
    predict = caret_classes, prob = caret_posteriors,
    levels = function(x) x$schema$classes$levels,
    predictors = function(x, ...) names(x$schema$features),
    varImp = function(object, ...) data.frame(Overall = feature_importance(object)),
    tags = c("Bayesian Model", "Accepts Case Weights", "Handle Missing Predictor Data"),
    # The simplest model first: caret takes it among equals.
    sort = function(x) x[do.call(order, -x[parameters$parameter]), , drop = FALSE]
  )
}

# The values to try: all combinations, or `len` random ones.
caret_grid <- function(x, len, search, parameters) {
  random <- search == "random"
  values <- if (random) {
    list(laplace = stats::runif(len, 0, 5), shrinkage = stats::runif(len))
  } else {
    list(laplace = c(0, 2^(seq_len(len - 1L) - 2)), shrinkage = seq(0, 1, length.out = len))
  }
  numeric <- vapply(as.data.frame(x), is.numeric, NA)
  if (all(numeric)) values$laplace <- 0
  if (sum(numeric) < 2L) values$shrinkage <- 0
  if (random) as.data.frame(values[parameters]) else expand.grid(values[parameters])
}

# caret calls these two with the names of its own arguments.
caret_classes <- function(modelFit, newdata, submodels = NULL) { # nolint: object_name_linter.
  for_submodels(modelFit, submodels, function(m) as.character(stats::predict(m, newdata)))
}

caret_posteriors <- function(modelFit, newdata, submodels = NULL) { # nolint: object_name_linter.
  for_submodels(modelFit, submodels, function(m) {
    as.data.frame(stats::predict(m, newdata, type = "prob"), optional = TRUE)
  })
}

# `f` of the model, or a list of `f` of the model and of each submodel, a row of parameters.
for_submodels <- function(model, submodels, f) {
  if (is.null(submodels)) return(f(model))
  others <- lapply(seq_len(nrow(submodels)), function(i) {
    f(rlang::inject(stats::update(model, !!!as.list(submodels[i, , drop = FALSE]))))
  })
  c(list(f(model)), others)
}

#' Fit a model by plain arguments
#'
#' The function that frameworks such as parsnip, mlr3 and caret call: one table of features, one
#' class for each row, and settings by name.
#'
#' @param x,y The features and the class of each row, as in [fit_xy()].
#' @param structure `"naive"` for [bayes_naive()], `"full"` for [bayes_full()].
#' @param laplace Pseudo-count of each level, as in [bayes_naive()].
#' @param smoothness Numeric features then have kernel densities, `likelihood_kernel(adjust = )`.
#'   For `"naive"` only, and not together with `numeric`.
#' @param shrinkage,identity Weights of the pooled covariance and of the identity, as in
#'   [bayes_full()]. For `"full"` only.
#' @param weights Case weights, or `NULL`.
#' @param regularization_method,penalty Arguments of parsnip's `discrim_linear()` and
#'   `discrim_quad()`, for `"full"` only. `"diagonal"`: single features, which share their variances
#'   if `covariance = "pooled"`; see [likelihood_gaussian()]. `"shrink_cov"`: `identity = "auto"`.
#'   Other methods, and any penalty, are errors that name `identity`.
#' @param ... More settings of [bayes_naive()] or [bayes_full()].
#' @inheritParams bayesrisk_arguments
#' @return A model: see [fit()].
#' @section Errors: Those of [bayes_naive()], [bayes_full()] and [fit()].
#' @seealso [fit_xy()], which takes a specification; [bayesrisk_parsnip]
#' @examples
#' bayes_classifier(iris[1:4], iris$Species, "full", shrinkage = 0.1)
#' @export
bayes_classifier <- function(x, y, structure = c("naive", "full"), laplace = NULL,
                             smoothness = NULL, shrinkage = NULL, identity = NULL, weights = NULL,
                             regularization_method = NULL, penalty = NULL, ...,
                             threads = default_threads()) {
  call <- rlang::current_env()
  structure <- check_choice(structure, c("naive", "full"), "structure", call)
  constructor <- switch(structure, naive = "bayes_naive", full = "bayes_full")
  more <- list(...)
  known <- names(more) %in% names(formals(constructor))
  do.call(check_no_dots, c(more[!known], list(call = call)), quote = TRUE)
  settings <- c(list(laplace = laplace, shrinkage = shrinkage, identity = identity), more)
  if (!is.null(smoothness)) {
    settings <- c(settings, list(numeric = kernel_of(smoothness, structure, settings, call)))
  }
  settings <- settings[!vapply(settings, is.null, NA)]
  if (!is.null(penalty)) abort_penalty(call)
  if (!is.null(regularization_method)) {
    settings <- regularised(regularization_method, structure, settings, call)
    if (regularization_method == "diagonal") constructor <- "bayes_naive"
  }
  # Called by its name, so that errors show the function.
  spec <- do.call(constructor, settings, quote = TRUE)
  # The weights of hardhat are classed vectors of numbers.
  if (is.object(weights) && is.numeric(unclass(weights))) weights <- as.double(unclass(weights))
  # A framework fits one model to many parts of the data.
  old <- options(bayesrisk.columns = FALSE)
  on.exit(options(old))
  fit_xy(spec, x, y, weights = weights, threads = threads)
}

abort_penalty <- function(call) {
  abort_argument(c(
    "{.arg penalty} has no counterpart here.",
    i = "{.code identity = } from 0 to 1 shrinks covariances; {.code \"auto\"} estimates how far."
  ), call)
}

# The settings of the regularised models of parsnip that have a counterpart.
regularised <- function(method, structure, settings, call) {
  there <- c("diagonal", "shrink_cov")
  if (!is_string(method) || !method %in% there || structure != "full") {
    abort_argument(c(
      "{.arg regularization_method} must be {.val {there}} of discriminants, not
       {describe_value(method)}.",
      i = "{.val diagonal} models single features, {.val shrink_cov} is {.code identity = \"auto\"};
           {.code shrinkage = } and {.code identity = } from 0 to 1 are other ways."
    ), call)
  }
  own <- c("prior", "degenerate", "temper", "laplace")
  if (method == "shrink_cov") {
    taken <- intersect("identity", names(settings))
  } else {
    taken <- setdiff(names(settings), c(own, "covariance", "variance"))
  }
  if (length(taken)) {
    abort_argument(
      "{.arg {taken}} cannot be given with {.arg regularization_method} = {.val {method}}.", call
    )
  }
  if (method == "shrink_cov") return(c(settings, identity = "auto"))
  variance <- if (is.null(settings$variance)) "unbiased" else settings$variance
  pooled <- identical(settings$covariance, "pooled")
  c(settings[names(settings) %in% own], list(
    numeric = likelihood_gaussian(check_variance(variance, call), pooled = pooled)
  ))
}

kernel_of <- function(smoothness, structure, settings, call) {
  if (structure != "naive" || !is.null(settings$numeric)) {
    abort_argument(c(
      "{.arg smoothness} is for single numeric features without another likelihood.",
      i = "It makes them {.code likelihood_kernel(adjust = smoothness)}."
    ), call)
  }
  likelihood_kernel(adjust = check_number(smoothness, "smoothness", call = call))
}

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
                             ..., threads = default_threads()) {
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
  # Called by its name, so that errors show the function.
  spec <- do.call(constructor, settings, quote = TRUE)
  # The weights of hardhat are classed vectors of numbers.
  if (is.object(weights) && is.numeric(unclass(weights))) weights <- as.double(unclass(weights))
  fit_xy(spec, x, y, weights = weights, threads = threads)
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

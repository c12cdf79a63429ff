#' Fit a model by plain arguments
#'
#' The function that frameworks such as parsnip, mlr3 and caret call: one table of features, one
#' class for each row, and settings by name.
#'
#' @param x,y The features and the class of each row, as in [fit_xy()][fit_xy.bayesrisk_spec].
#' @param structure `"naive"` for [bayes_naive()], `"full"` for [bayes_full()].
#' @param laplace Pseudo-count of each level, as in [bayes_naive()].
#' @param shrinkage Weight of the pooled covariance, as in [bayes_full()]. For `"full"` only.
#' @param weights Case weights, or `NULL`.
#' @param ... More settings of [bayes_naive()] or [bayes_full()].
#' @inheritParams bayesrisk_arguments
#' @return A model: see [fit()].
#' @section Errors: Those of [bayes_naive()], [bayes_full()] and [fit()].
#' @seealso [fit_xy()][fit_xy.bayesrisk_spec], which takes a specification
#' @examples
#' bayes_classifier(iris[1:4], iris$Species, "full", shrinkage = 0.1)
#' @export
bayes_classifier <- function(x, y, structure = c("naive", "full"), laplace = NULL,
                             shrinkage = NULL, weights = NULL, ..., threads = default_threads()) {
  call <- rlang::current_env()
  structure <- check_choice(structure, c("naive", "full"), "structure", call)
  settings <- list(laplace = laplace, shrinkage = shrinkage, ...)
  settings <- settings[!vapply(settings, is.null, NA)]
  spec <- do.call(switch(structure, naive = bayes_naive, full = bayes_full), settings)
  # The weights of hardhat are classed vectors.
  if (!is.null(weights)) weights <- as.double(unclass(weights))
  fit_xy(spec, x, y, weights = weights, threads = threads)
}

#' bayesrisk: Bayes classifiers and decisions by cost
#'
#' A model is a prior and a likelihood for each *block* of features: given the
#' class, blocks are independent, and inside a block features are modelled
#' jointly. [bayes_naive()] makes every feature a block of its own,
#' [bayes_full()] one block of all numeric and one of all categorical features,
#' [bayes_blocks()] the blocks that you name, and [bayes_known()] a model from
#' numbers, without data. [fit()] estimates, [predict()][predict.bayesrisk_model]
#' gives classes, posteriors, scores, expected costs and the decision that costs
#' least under a [cost_matrix()].
#'
#' [decide()] is that decision with its costs, margin and runner-up, for the posterior of any
#' classifier. [assess_decisions()] and [cv_risk()] say what decisions cost on data,
#' [bayes_risk()] what they cost in the world of a model. `vignette("bayesrisk")` begins,
#' `vignette("deciding")` goes from data and costs to a rule.
#'
#' @section Processors: Where an x86-64 processor has AVX2 and GCC compiled the package (but not on
#'   Windows), fits, posteriors and decisions are computed with it; elsewhere the last digits may
#'   differ (by less than 1e-12 of a number). The environment variable `BAYESRISK_BASELINE`, set
#'   to anything, forces what every processor can do.
#' @section Long work: What reads rows, integrates or simulates hears an interrupt, or the end of a
#'   [setTimeLimit()], at any time. Such work of more than two seconds shows a progress bar in
#'   terminals, but not in tests; the option `bayesrisk.progress` (`TRUE` or `FALSE`) decides
#'   otherwise. Reports never show one.
#'
#'   Functions with an argument `threads` may use so many; the option `bayesrisk.threads` sets
#'   its default (1). The environment variable `OMP_THREAD_LIMIT` is an upper bound, and a
#'   process that was forked, as by [parallel::mclapply()], uses one thread.
#' @keywords internal
#' @useDynLib bayesrisk, .registration = TRUE
#' @importFrom Rcpp evalCpp
#' @importFrom stats predict update coef formula logLik nobs simulate
#' @importFrom generics fit fit_xy tidy glance augment
"_PACKAGE"

#' @export
generics::fit

#' @export
generics::fit_xy

#' @export
generics::tidy

#' @export
generics::glance

#' @export
generics::augment

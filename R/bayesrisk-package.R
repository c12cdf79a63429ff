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
#'   Functions with an argument `threads` may use that many; the option `bayesrisk.threads` sets
#'   its default (1). The environment variable `OMP_THREAD_LIMIT` is an upper bound, and a
#'   process that was forked, as by [parallel::mclapply()], uses one thread.
#' @keywords internal
#' @useDynLib bayesrisk, .registration = TRUE
#' @importFrom Rcpp evalCpp
#' @importFrom stats predict update coef formula logLik nobs simulate
#' @importFrom generics fit fit_xy tidy glance augment
"_PACKAGE"

#' Arguments that many functions share
#'
#' In every function that has them they have this order, these names and this meaning.
#'
#' @param newdata The cases: a data frame, tibble, data.table or matrix with the features, matched
#'   by name. Extra columns are ignored, levels are matched by name, and rows come back in order.
#'   A model holds no data, so there is no default.
#' @param cost What each action costs under each true class: see [cost_matrix()]. Without it 0-1
#'   cost: each class is an action, and every error costs 1.
#' @param prior Prior probabilities to use instead of the model's: named by class, or in class
#'   order, or `"uniform"`.
#' @param weights Case weights: numbers, not negative, one per row. With a formula the columns of
#'   `data` can be named, and a column used here is left out of the features of `.`.
#' @param subset The rows to use: logical, or row numbers; the columns of `data` can be named.
#' @param na.action [stats::na.pass()] (the default) uses the values that each row has,
#'   [stats::na.omit()] leaves out rows with a missing feature or class, [stats::na.fail()] stops.
#' @param ... Not used. An argument that is none is an error, which suggests the right name.
#' @param threads How many threads may be used. The result is the same, bit for bit, for any
#'   number. The default is the option `bayesrisk.threads`, or 1.
#' @name bayesrisk_arguments
#' @keywords internal
NULL

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

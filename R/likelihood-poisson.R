#' Poisson likelihood
#'
#' A numeric feature that is a count (of words, calls, defects): 0, 1, 2, ..., Poisson
#' distributed within a class, with an estimated rate or a known one.
#'
#' @details
#' The probability of the count \eqn{x} in class \eqn{k} is
#' \deqn{P(x \mid k) = e^{-\lambda_k} \lambda_k^x / x!,}{
#'   P(x | k) = exp(-rate_k) rate_k^x / x!,}
#' where the rate \eqn{\lambda_k}{rate_k} is estimated by the weighted mean of the counts of
#' the class (maximum likelihood). A class whose counts are all 0 has rate 0: probability 1
#' at 0, and 0 elsewhere. The logarithm is exact for all counts, also extreme ones.
#'
#' The variance of a Poisson variable equals its mean. If counts vary more,
#' [likelihood_negative_binomial()] fits better.
#'
#' The log ratio of two classes is a straight line in the count. Their cut in
#' [decision_regions()] is at \eqn{(\lambda_1 - \lambda_2 - \log(P_1 / P_2)) /
#' \log(\lambda_1 / \lambda_2)}{(rate_1 - rate_2 - log(P_1 / P_2)) / log(rate_1 / rate_2)};
#' [bayes_risk()] adds up the counts on either side.
#'
#' At prediction a number that is negative or not whole is impossible under every class:
#' the row is `NA`, and one warning counts these rows. A missing value is left out.
#'
#' @param rate Known rates, for [bayes_known()]: numbers named by class, finite, 0 or more,
#'   in counts per case. `NULL`: estimated.
#' @inheritParams bayesrisk_arguments
#'
#' @return An object of class `bayesrisk_likelihood_poisson`, to be used as `numeric` or in
#'   `features` of [bayes_naive()] and [bayes_blocks()], or in [bayes_known()]. It prints as
#'   a sentence.
#'
#' @section Errors:
#' `bayesrisk_error_argument` for a `rate` that is none of the above. At fitting, a number
#' that is no count is a `bayesrisk_error_data` that names the feature, the class and the
#' number of rows.
#'
#' @references
#' Loader, C. (2000). *Fast and Accurate Computation of Binomial Probabilities*. Bell
#' Laboratories (how the logarithm keeps its digits).
#'
#' @family likelihoods
#' @examples
#' likelihood_poisson()
#' model <- fit(
#'   bayes_naive(features = list(count = likelihood_poisson())), spray ~ count, InsectSprays
#' )
#' model
#' predict(model, data.frame(count = c(0, 15)), type = "prob")
#'
#' # known rates
#' calls <- bayes_known(
#'   prior = c(weekday = 5, weekend = 2) / 7,
#'   calls = likelihood_poisson(rate = c(weekday = 12, weekend = 4))
#' )
#' predict(calls, data.frame(calls = 0:12))
#' @export
likelihood_poisson <- function(rate = NULL, ...) {
  check_no_dots(...)
  new_likelihood("poisson", check_poisson(rate, rlang::current_env()))
}

check_poisson <- function(rate, call) {
  check <- function(x, arg, call) check_numbers(x, arg, min = 0, call = call)
  check_given_by_class(list(rate = rate), check, call)
}

poisson_record <- function() {
  likelihood_record(
    name = "poisson", kind = "numeric", support = "counts",
    describe = function(likelihood) {
      paste0("Poisson distributions", if (!is.null(likelihood$rate)) " of given rate")
    },
    check = check_poisson,
    given = list("rate"),
    known = function(likelihood, name, classes, call) {
      known_numbers(unclass(likelihood)["rate"], name, classes, call)
    },
    options = function(likelihoods, features, classes, block, call) list(),
    remedies = function(problems) c(remedy_overflow(problems), remedy_empty(problems)),
    cases = function(bank, statistics) colSums(statistics$weight),
    coefficients = function(bank, parameters, features, classes) {
      statistic_matrices(parameters["rate"], classes)
    },
    moments = function(bank, parameters, j) {
      list(mean = parameters$rate[, j], sd = sqrt(parameters$rate[, j]))
    },
    grid = grid_of_counts,
    unreadable = unreadable_counts()
  )
}

grid_of_counts <- function(bank, parameters, j, moments, range) {
  low <- max(0, floor(range[[1L]]))
  high <- max(low + 1, ceiling(range[[2L]]))
  unique(round(seq(low, high, length.out = min(513, high - low + 1))))
}

unreadable_counts <- function() {
  list(
    problem = "no_count", found = "Counts must be whole numbers, 0 or more; some are not in",
    remedy = "Numbers that are no counts: {.fn likelihood_gaussian} takes any."
  )
}

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
#' at 0, and 0 elsewhere. The logarithm is exact however far out a count is, or how large.
#'
#' A Poisson variable has the variance of its mean; where counts vary much more, a Gaussian
#' or a histogram may fit better.
#'
#' The log ratio of two classes is a straight line in the count, and their cut in
#' [decision_regions()] at \eqn{(\lambda_1 - \lambda_2 - \log(P_1 / P_2)) /
#' \log(\lambda_1 / \lambda_2)}{(rate_1 - rate_2 - log(P_1 / P_2)) / log(rate_1 / rate_2)};
#' [bayes_risk()] adds up the counts on either side.
#'
#' At prediction a number that is negative or not whole is impossible under every class:
#' the row is `NA`, and one warning counts such rows. A missing value is left out.
#'
#' @param rate Known rates, for [bayes_known()]: numbers named by class, finite, 0 or more,
#'   in counts per case. `NULL`: estimated.
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
likelihood_poisson <- function(rate = NULL) {
  call <- rlang::current_env()
  if (!is.null(rate)) {
    rate <- check_numbers(rate, "rate", min = 0, call = call)
    if (is.null(names(rate))) abort_argument("{.arg rate} must be named by class.", call)
  }
  new_likelihood("poisson", rate = rate)
}

#' @export
likelihood_kinds.bayesrisk_likelihood_poisson <- function(likelihood) "numeric"

#' @export
describe_likelihood.bayesrisk_likelihood_poisson <- function(likelihood) {
  if (is.null(likelihood$rate)) "Poisson distributions" else "Poisson distributions of given rate"
}

#' @export
known_part.bayesrisk_likelihood_poisson <- function(likelihood, name, classes, call) {
  at <- match_names(names(likelihood$rate), classes, name, call = call)
  list(
    features = list(new_feature(name, "double", NULL)),
    parameters = list(rate = unname(likelihood$rate[at]))
  )
}

#' @export
bind_known.bayesrisk_bank_poisson <- function(bank, parts) list(rate = bind_columns(parts, "rate"))

#' @export
bank_kind.bayesrisk_bank_poisson <- function(bank) "numeric"

#' @export
bank_options.bayesrisk_bank_poisson <- function(bank, spec, features, classes, call) list()

#' @export
bank_remedies.bayesrisk_bank_poisson <- function(bank, problems) {
  c(remedy_overflow(problems), remedy_empty(problems))
}

#' @export
bank_cases.bayesrisk_bank_poisson <- function(bank, statistics) colSums(statistics$weight)

#' @export
bank_coefficients.bayesrisk_bank_poisson <- function(bank, parameters, features, classes) {
  rate <- open_as_na(parameters$rate)
  lapply(seq_along(features), function(j) {
    matrix(rate[, j], length(classes), dimnames = list(class = classes, statistic = "rate"))
  })
}

#' @export
tidy_block.bayesrisk_bank_poisson <- function(bank, coefficients, name, classes) {
  tidy_rows(coefficients, classes, name, NA_character_, colnames(coefficients))
}

#' @export
bank_moments.bayesrisk_bank_poisson <- function(bank, parameters, j) {
  rate <- parameters$rate[, j]
  list(mean = rate, sd = sqrt(rate))
}

#' @export
bank_grid.bayesrisk_bank_poisson <- function(bank, parameters, j, moments, range) {
  low <- max(0, floor(range[[1L]]))
  high <- max(low + 1, ceiling(range[[2L]]))
  unique(round(seq(low, high, length.out = min(513, high - low + 1))))
}

#' @export
bank_whole.bayesrisk_bank_poisson <- function(bank) TRUE

#' @export
bank_unites.bayesrisk_bank_poisson <- function(bank) TRUE

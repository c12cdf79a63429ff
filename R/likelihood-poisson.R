#' Poisson likelihood
#'
#' A numeric feature that is a count (0, 1, 2, ...) of words, calls or defects. Within a class it
#' has a Poisson distribution, whose rate is estimated or known.
#'
#' @details
#' The probability of the count \eqn{x} in class \eqn{k} is
#' \deqn{P(x \mid k) = e^{-\lambda_k} \lambda_k^x / x!,}{
#'   P(x | k) = exp(-rate_k) rate_k^x / x!,}
#' where the rate \eqn{\lambda_k}{rate_k} is estimated by the weighted mean of the counts of the
#' class (maximum likelihood). If all counts of a class are 0, its rate is 0: the count 0 has
#' probability 1, and all other counts have probability 0. The logarithm is accurate for all counts,
#' also extreme ones.
#'
#' With a `pseudo_count` \eqn{a} and a `pseudo_exposure` \eqn{b} the rate is
#' \deqn{\lambda_k = \frac{\sum_i w_i x_i + a}{\sum_i w_i + b},}{
#'   rate_k = (sum(w x) + a) / (sum(w) + b),}
#' as if each class had \eqn{b} more cases with \eqn{a} events in all. This is the posterior mean of
#' the rate under a gamma prior with shape \eqn{a} and rate \eqn{b}. It is positive if \eqn{a} is
#' positive. Jeffreys' prior has \eqn{a = 0.5} and \eqn{b = 0}.
#'
#' The variance of a Poisson variable equals its mean. If counts vary more,
#' [likelihood_negative_binomial()] fits better.
#'
#' The log ratio of two classes is a linear function of the count. Their cut in
#' [decision_regions()] is at \eqn{(\lambda_1 - \lambda_2 - \log(P_1 / P_2)) /
#' \log(\lambda_1 / \lambda_2)}{(rate_1 - rate_2 - log(P_1 / P_2)) / log(rate_1 / rate_2)};
#' [bayes_risk()] adds up the counts on either side.
#'
#' At prediction a number that is negative or not whole is impossible under every class:
#' the row is `NA`, and one warning counts these rows. A missing value is left out.
#'
#' @param rate Known rates, for [bayes_known()]: numbers named by class, from 0 to 2^53, in
#'   counts per case. `NULL`: estimated.
#' @param pseudo_count,pseudo_exposure Events that are added to the counts of each class, and the
#'   number of cases in which they were seen: numbers, 0 or more.
#' @inheritParams bayesrisk_arguments
#'
#' @return An object of class `bayesrisk_likelihood_poisson`, to be used as `numeric` or in
#'   `features` of [bayes_naive()] and [bayes_blocks()], or in [bayes_known()]. It prints as
#'   a sentence.
#'
#' @section Errors:
#' `bayesrisk_error_argument` if a value is not as described above, or `rate` is given together with
#' pseudo-counts. At fitting, a number that is no count is a `bayesrisk_error_data` that names the
#' feature, the class and the number of rows.
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
#' # half an event in one more case of each class: no rate is 0
#' likelihood_poisson(pseudo_count = 0.5, pseudo_exposure = 1)
#'
#' # known rates
#' calls <- bayes_known(
#'   prior = c(weekday = 5, weekend = 2) / 7,
#'   calls = likelihood_poisson(rate = c(weekday = 12, weekend = 4))
#' )
#' predict(calls, data.frame(calls = 0:12))
#' @export
likelihood_poisson <- function(rate = NULL, pseudo_count = 0, pseudo_exposure = 0, ...) {
  check_no_dots(...)
  new_likelihood(
    "poisson", check_poisson(rate, pseudo_count, pseudo_exposure, rlang::current_env())
  )
}

# Doubles do not tell larger counts apart.
most_count <- 2^53

check_poisson <- function(rate, pseudo_count, pseudo_exposure, call) {
  check <- function(x, arg, call) check_numbers(x, arg, 0, most_count, call)
  given <- check_given_by_class(list(rate = rate), check, call)
  added <- list(
    pseudo_count = check_number(pseudo_count, "pseudo_count", min = 0, call = call),
    pseudo_exposure = check_number(pseudo_exposure, "pseudo_exposure", min = 0, call = call)
  )
  if (!is.null(rate) && any(unlist(added) > 0)) {
    abort_argument(
      "{.arg rate} and {.arg {names(added)[added > 0]}} cannot be given together: nothing is
       estimated.", call
    )
  }
  c(given, added)
}

describe_poisson <- function(likelihood) {
  if (!is.null(likelihood$rate)) return("Poisson distributions of given rate")
  added <- unlist(unclass(likelihood)[c("pseudo_count", "pseudo_exposure")])
  if (all(added == 0)) return("Poisson distributions")
  sprintf(
    "Poisson distributions with pseudo-count %s and pseudo-exposure %s", format(added[[1L]]),
    format(added[[2L]])
  )
}

poisson_record <- function() {
  parametric_record(
    "poisson", "rate", support = "counts", bag_as = "poisson_bag",
    describe = describe_poisson,
    check = check_poisson,
    options = function(likelihoods, features, classes, block, call) {
      added <- c(pseudo_count = "pseudo_count", pseudo_exposure = "pseudo_exposure")
      lapply(added, setting_of, likelihoods, features, 1)
    },
    remedies = count_remedies,
    impossible = impossible_count,
    moments = function(bank, parameters, j) {
      list(mean = parameters$rate[, j], sd = sqrt(parameters$rate[, j]))
    },
    grid = grid_of_counts,
    unreadable = unreadable_counts(),
    posterior = rate_posterior,
    log_density = poisson_log_density
  )
}

## Shared with the negative binomial distribution

grid_of_counts <- function(bank, parameters, j, moments, range) {
  low <- max(0, floor(range[[1L]]))
  high <- max(low + 1, ceiling(range[[2L]]))
  unique(round(seq(low, high, length.out = min(513, high - low + 1))))
}

count_remedies <- function(problems) {
  c(
    common_remedies(problems),
    remedy(problems, "too_many", "For numbers of this size use {.fn likelihood_gamma}.")
  )
}

impossible_count <-
  "{.code likelihood_poisson(pseudo_count = 0.5, pseudo_exposure = 1)} keeps every rate above 0;
   counts are whole numbers, 0 or more."

unreadable_counts <- function() {
  list(
    problem = "no_count", found = "Counts must be whole numbers, 0 or more; some are not in",
    remedy = "For numbers that are not counts use {.fn likelihood_gaussian}."
  )
}

poisson_log_density <- function(bank, parameters, to) {
  rate <- parameters$rate
  used <- which(is.finite(rate) & rate > 0)
  x <- to$x[col(rate)][used]
  name <- function(letter) sprintf("%s_%s%d", x, letter, row(rate)[used])
  parts <- poisson_beyond(x, to$number(rate[used]), name("v"), name("w"), to)
  beyond <- array(to$impossible, dim(rate))
  beyond[used] <- parts$beyond
  counts_log_density(bank, parameters, beyond, parts[c("first", "second")], to)
}

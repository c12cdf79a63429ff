#' Negative binomial likelihood
#'
#' A numeric feature that is a count (0, 1, 2, ...) and varies more than a Poisson variable does:
#' visits, claims, words. Size and mean are estimated within each class, or known.
#'
#' @details
#' The probability of the count \eqn{x} in class \eqn{k} is
#' \deqn{P(x \mid k) = \frac{\Gamma(x + s_k)}{\Gamma(s_k)\, x!}
#'   \left(\frac{s_k}{s_k + \mu_k}\right)^{s_k} \left(\frac{\mu_k}{s_k + \mu_k}\right)^x,}{
#'   P(x | k) = gamma(x + size_k) / (gamma(size_k) x!) (size_k / (size_k + mean_k))^size_k
#'   (mean_k / (size_k + mean_k))^x,}
#' with the mean \eqn{\mu_k}{mean_k} and the size \eqn{s_k}{size_k}; the variance is
#' \eqn{\mu_k + \mu_k^2 / s_k}{mean_k + mean_k^2 / size_k}. An infinite size is the Poisson
#' distribution, as in [likelihood_poisson()].
#'
#' Both are estimated by maximum likelihood: the mean is the weighted mean of the class, and the
#' size maximises the likelihood given that mean. A finite maximum exists if the weighted variance
#' (with the weight as divisor) exceeds the mean. Otherwise the counts of the class are not
#' overdispersed: the size is `Inf`, and the class is Poisson. `print()` and `summary()` of the
#' model report this. If all counts of a class are 0, its mean is 0: the count 0 has probability 1,
#' and all other counts have probability 0.
#'
#' Sizes and means of several parts cannot be added, so statistics hold the frequency of each count
#' in each class. Merging or updating gives the same model as one fit of all rows.
#'
#' At prediction a number that is negative or not whole is impossible under every class:
#' the row is `NA`, and one warning counts these rows. A missing value is left out.
#'
#' @param size,mean Known sizes and means, for [bayes_known()]: numbers named by class. A size is
#'   positive or `Inf`; a mean, in counts per case, is from 0 to 2^53. One number without a
#'   name holds for every class, but at least one of the two arguments must be named. `NULL`:
#'   estimated.
#' @inheritParams bayesrisk_arguments
#'
#' @return An object of class `bayesrisk_likelihood_negative_binomial`, to be used as `numeric`
#'   or in `features` of [bayes_naive()] and [bayes_blocks()], or in [bayes_known()]. It prints as
#'   a sentence.
#'
#' @section Errors:
#' `bayesrisk_error_argument` if `size` or `mean` is not as described above, or if only one of both
#' is given. At fitting, a number that is no count is a `bayesrisk_error_data` that names the
#' feature, the class and the number of rows.
#'
#' @references
#' Levin, B. and Reeds, J. (1977). Compound Multinomial Likelihood Functions are Unimodal: Proof
#' of a Conjecture of I. J. Good. *The Annals of Statistics*, 5(1), 79-87 (when the maximum
#' exists).
#'
#' @family likelihoods
#' @examples
#' likelihood_negative_binomial()
#' spec <- bayes_naive(numeric = likelihood_negative_binomial())
#' model <- fit(spec, spray ~ count, InsectSprays)
#' model
#' coef(model)$count
#'
#' # known: machines visit a page more often, and more evenly
#' visits <- bayes_known(
#'   prior = c(person = 0.8, machine = 0.2),
#'   visits = likelihood_negative_binomial(
#'     size = c(person = 0.5, machine = Inf), mean = c(person = 3, machine = 20)
#'   )
#' )
#' predict(visits, data.frame(visits = c(0, 20, 80)), type = "prob")
#' @export
likelihood_negative_binomial <- function(size = NULL, mean = NULL, ...) {
  check_no_dots(...)
  new_likelihood("negative_binomial", check_negative_binomial(size, mean, rlang::current_env()))
}

check_negative_binomial <- function(size, mean, call) {
  check <- function(x, arg, call) {
    if (arg == "mean") return(check_numbers(x, arg, 0, most_count, call))
    infinite <- is.numeric(x) & x %in% Inf
    checked <- check_positive(if (any(infinite)) replace(x, infinite, 1) else x, arg, call)
    replace(checked, infinite, Inf)
  }
  check_given_by_class(list(size = size, mean = mean), check, call)
}

negative_binomial_record <- function() {
  parametric_record(
    "negative_binomial", c("size", "mean"), support = "counts", shares_bank = FALSE,
    describe = function(likelihood) {
      given <- if (!is.null(likelihood$mean)) " of given size and mean"
      paste0("negative binomial distributions", given)
    },
    check = check_negative_binomial,
    remedies = count_remedies,
    impossible = impossible_count,
    cases = function(bank, statistics) weight_of_points(statistics),
    remark = function(parameters, features, classes) {
      poisson <- classes[is.infinite(parameters$size)]
      if (length(poisson) == 0L) return(NULL)
      sprintf(
        "%s is not overdispersed, and so Poisson, in %s %s.", encodeString(features[[1L]]$name),
        if (length(poisson) == 1L) "class" else "classes",
        some_of(encodeString(poisson, quote = "\""))
      )
    },
    moments = function(bank, parameters, j) {
      mean <- parameters$mean[, 1L]
      list(mean = mean, sd = sqrt(mean) * sqrt(1 + mean / parameters$size[, 1L]))
    },
    grid = grid_of_counts,
    unreadable = unreadable_counts(),
    log_density = negative_binomial_log_density
  )
}

# The formula of CountLaw::log_kernel() in the engine.
negative_binomial_log_density <- function(bank, parameters, to) {
  x <- to$x
  parts <- lapply(seq_along(parameters$mean), function(k) {
    mean <- parameters$mean[[k]]
    size <- parameters$size[[k]]
    if (!is.finite(mean) || mean == 0) return(list(beyond = to$impossible))
    at <- function(letter) sprintf("%s_%s%d", x, letter, k)
    m <- to$number(mean)
    if (size > 1e290) return(poisson_beyond(x, m, at("d"), at("e"), to))
    whole <- to$number(mean + size)
    s <- to$number(size)
    n <- sprintf("(%s + %s)", x, s)
    ratio <- sprintf("(%s / %s)", n, whole)
    apart <- sprintf("(%s * %s)", s, at("u"))
    beyond <- sprintf(
      "(%s - %s - 0.5e0 * %s) - %s * (%s) - (%s)", stirling_text(n, to),
      to$number(gamma_error(size)), to$ln(sprintf("(%s / %s)", n, s)), s,
      log_excess_text(at("u"), at("v"), at("w"), to$ln(ratio), to),
      deviance_text(x, at("m"), apart, at("d"), at("e"), to)
    )
    list(
      beyond = beyond,
      first = stats::setNames(from_16(x, c(
        sprintf("(%s - %s) / %s", x, m, whole), sprintf("%s * %s", m, ratio)
      ), to), at(c("u", "m"))),
      second = stats::setNames(c(
        sprintf("%s / (2 + %s)", at("u"), at("u")), sprintf("%s / (%s + %s)", apart, x, at("m"))
      ), at(c("v", "d"))),
      third = stats::setNames(to$square(at(c("v", "d"))), at(c("w", "e")))
    )
  })
  stages <- lapply(c("first", "second", "third"), function(i) unlist(lapply(parts, `[[`, i)))
  counts_log_density(bank, parameters, matrix(vapply(parts, `[[`, "", "beyond")), stages, to)
}

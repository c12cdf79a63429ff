#' Likelihood of exact values
#'
#' A numeric feature whose single values have probabilities. In each class the probability of a
#' value is its share of the data of this class ("use the actual data").
#'
#' @inheritParams bayesrisk_arguments
#' @details
#' Let \eqn{n_k} be the number (the sum of weights) of rows of class \eqn{k} in which the feature is
#' known, and \eqn{n_k(x)} the number of those in which it is exactly \eqn{x}. Then
#' \deqn{P(x \mid k) = n_k(x) / n_k.}{P(x | k) = n_k(x) / n_k.}
#' A value that does not occur in a class is impossible in this class. A row whose value occurs in
#' no class is `NA`, and one warning counts these rows. Values are compared exactly as doubles (0.3
#' is not 0.1 + 0.2; -0 is 0). This likelihood suits measurements with few digits. For other
#' measurements it overfits: use a density, see [likelihood_kernel()] or
#' [likelihood_histogram()].
#'
#' The model holds every value of the feature in every class, with its weight. Its size grows with
#' the number of different values. [merge()][merge.bayesrisk_model] and
#' [update()][update.bayesrisk_model] are exact.
#'
#' [logLik()][logLik.bayesrisk_model] is the log likelihood of the shares. The degrees of freedom,
#' [AIC()] and [BIC()] are `NA`: if each value has its own parameter, the number of parameters says
#' nothing about the quality of the model.
#'
#' [bayes_risk()], [value_of_information()] and related functions compute exact sums over the
#' values. There are no regions between the values: [decision_regions()] stops with a
#' `bayesrisk_error_argument`.
#'
#' @return An object of class `bayesrisk_likelihood_empirical`, to be used as `numeric` or
#'   in `features` of [bayes_naive()] and [bayes_blocks()]. It prints as a sentence.
#'
#' @section Errors:
#' At fitting `bayesrisk_error_degenerate` for a feature without any value. With
#' `degenerate = "stop"` also for a class with rows but without a value of the feature.
#'
#' @references
#' Lecture "Bayesian Learning (Galili, Shamir, Yakhini)": irises by the exact sepal lengths
#' of the training data.
#'
#' @family likelihoods
#' @examples
#' spec <- bayes_naive(
#'   features = list(Sepal.Length = likelihood_empirical()), prior = "uniform"
#' )
#' model <- fit(spec, Species ~ Sepal.Length, iris)
#' predict(model, data.frame(Sepal.Length = c(5.2, 6.1)), type = "prob")
#'
#' # No rule has fewer errors than 35 on these data, but the model was fitted to them: it overfits
#' confusion_table(iris$Species, predict(model, iris))
#' @export
likelihood_empirical <- function(...) {
  check_no_dots(...)
  new_likelihood("empirical")
}

empirical_record <- function() {
  likelihood_record(
    name = "empirical", kind = "numeric", support = "points", shares_bank = FALSE,
    describe = function(likelihood) "the shares of their exact values",
    check = function(call) list(),
    options = no_options,
    remedies = common_remedies,
    impossible = "{.fn likelihood_kernel} has a density at values that no case had.",
    cases = function(bank, statistics) weight_of_points(statistics),
    coefficients = function(bank, parameters, features, classes) {
      points <- points_frame(parameters$points, classes)
      list(stats::setNames(points, c("class", "value", "probability")))
    },
    summary = summarise_values,
    tidy = function(coefficients, name, classes) {
      value <- vapply(coefficients$value, format, "", digits = 15L)
      tidy_frame(coefficients, name, value, "probability")
    },
    moments = function(bank, parameters, j) {
      outer_points(parameters$points, rep(0, length(parameters$points)))
    },
    grid = function(bank, parameters, j, moments, range) {
      values <- values_within(parameters$points, range, 4096L)
      if (length(values)) values else range
    }
  )
}

summarise_values <- function(bank, coefficients) {
  summary <- summarise_points(coefficients)
  names(dimnames(summary)) <- c("class", "exact values")
  colnames(summary)[[1L]] <- "values"
  summary
}

#' Likelihood of exact values
#'
#' A numeric feature whose single values have probabilities. In each class the probability of a
#' value is its share of the data of this class ("use the actual data").
#'
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
#' @param value Known values, for [bayes_known()]: a list of numbers, named by class.
#' @param weights The shares of the known values, which sum to 1 in each class: a list like `value`.
#'   `NULL`: equal shares.
#' @inheritParams bayesrisk_arguments
#' @return An object of class `bayesrisk_likelihood_empirical`, to be used as `numeric` or
#'   in `features` of [bayes_naive()] and [bayes_blocks()], or in [bayes_known()]. It prints as a
#'   sentence.
#'
#' @section Errors:
#' `bayesrisk_error_argument` if an argument is not as described above.
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
likelihood_empirical <- function(value = NULL, weights = NULL, ...) {
  check_no_dots(...)
  new_likelihood("empirical", check_empirical(value, weights, rlang::current_env()))
}

check_empirical <- function(value, weights, call) {
  given <- list(value = value, weights = weights)
  open <- vapply(given, is.null, NA)
  if (all(open)) return(given)
  if (open[[1L]]) abort_argument("{.arg weights} needs {.arg value}.", call)
  value <- check_by_class(value, "value", call)
  if (open[[2L]]) weights <- lapply(value, function(x) rep(1 / length(x), length(x)))
  weights <- check_by_class(weights, "weights", call, min = 0)
  weights <- weights[match_names(names(weights), names(value), "weights", call = call)]
  for (class in names(value)) {
    if (length(value[[class]]) != length(weights[[class]])) {
      abort_argument(
        "{.arg weights} of class {.val {class}} must have a number for each {.arg value}.", call
      )
    }
    if (!sums_to_one(weights[[class]])) {
      abort_argument("{.arg weights} must sum to 1 within class {.val {class}}.", call)
    }
  }
  list(value = value, weights = weights)
}

# The points of each class: values in ascending order, with the logarithms of their shares.
known_empirical <- function(likelihood, name, classes, call) {
  at <- match_names(names(likelihood$value), classes, name, call = call)
  points <- Map(function(value, weight) {
    value <- value[weight > 0]
    weight <- weight[weight > 0]
    kept <- sort(unique(value))
    share <- vapply(split(weight, factor(match(value, kept))), sum, 1, USE.NAMES = FALSE)
    cbind(kept, log(share / sum(share)), deparse.level = 0)
  }, likelihood$value[at], likelihood$weights[at])
  known_number(name, list(points = unname(points)))
}

empirical_record <- function() {
  likelihood_record(
    name = "empirical", kind = "numeric", support = "points", shares_bank = FALSE,
    describe = function(likelihood) {
      if (is.null(likelihood$value)) "the shares of their exact values" else "given values"
    },
    check = check_empirical,
    given = list("value", c("value", "weights")),
    known = known_empirical,
    options = no_options,
    remedies = common_remedies,
    impossible = "{.fn likelihood_kernel} has a density at values that no case had.",
    cases = function(bank, statistics) weight_of_points(statistics),
    coefficients = function(bank, parameters, features, classes) {
      list(points_frame(parameters$points, classes, "probability"))
    },
    summary = summarise_values,
    tidy = tidy_by_block(function(coefficients, name, classes) {
      value <- vapply(coefficients$value, format, "", digits = 15L)
      tidy_frame(coefficients, name, value, "probability")
    }),
    moments = function(bank, parameters, j) {
      outer_points(parameters$points, rep(0, length(parameters$points)))
    },
    range = range_of_points,
    grid = function(bank, parameters, j, moments, range) {
      values <- values_within(parameters$points, range, 4096L)
      if (length(values)) values else range
    },
    recount = function(parameters, n, divisor) {
      list(points = Map(function(points, n) {
        cbind(points[, 1L], count_shares(points[, 2L], n))
      }, parameters$points, n))
    },
    log_density = empirical_log_density
  )
}

summarise_values <- function(bank, coefficients) {
  summary <- summarise_points(coefficients)
  names(dimnames(summary)) <- c("class", "exact values")
  colnames(summary)[[1L]] <- "values"
  summary
}

empirical_log_density <- function(bank, parameters, to) {
  if (max(vapply(parameters$points, nrow, 1L)) > most_steps) {
    abort_no_text(to, "has too many values")
  }
  terms <- vapply(parameters$points, function(points) {
    if (!nrow(points)) return(to$impossible)
    value <- to$number(points[, 1L])
    found <- to$when(paste(to$x, to$is, value), logs_text(points[, 2L], to), to$never)
    to$when(to$gone, "0", steps_text(to$x, value[-1L], found, to))
  }, "")
  list(terms = terms, range = paste(to$abs(to$raw), "<= 1e300"))
}

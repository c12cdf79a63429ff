# Code that all likelihoods of bags share, and the bags of Gaussians and of Poisson counts, which
# take their settings from the likelihoods of single features.

# `matrices`: the class x term matrices of the parameters, named by statistic. A single matrix that
# is not the usual `statistic` has its name as an attribute.
bag_record <- function(name, matrices, statistic, ..., constructed = TRUE) {
  likelihood_record(
    name = name, kind = "bag", bag_as = name, constructed = constructed, shares_bank = FALSE,
    support = "terms",
    coefficients = function(bank, parameters, features, classes) {
      shown <- lapply(matrices(parameters), function(x) term_matrix(x, features[[1L]], classes))
      if (length(shown) > 1L) return(list(shown))
      unusual <- setdiff(names(shown), statistic)
      list(structure(shown[[1L]], statistic = if (length(unusual)) unusual))
    },
    tidy = tidy_by_block(function(coefficients, name, classes) {
      if (is.matrix(coefficients)) {
        unusual <- attr(coefficients, "statistic")
        coefficients <- list(coefficients)
        names(coefficients) <- if (is.null(unusual)) statistic else unusual
      }
      tidy_terms(coefficients, classes, name)
    }),
    summary = summary_terms,
    ...
  )
}

term_matrix <- function(x, feature, classes) {
  matrix(
    open_as_na(x), length(classes),
    dimnames = stats::setNames(list(classes, feature$levels), c("class", feature$name))
  )
}

# Known numbers of terms: a class x term matrix.
check_term_table <- function(table, min, call) {
  labels <- dimnames(table)
  plain <- is.matrix(table) && is.numeric(table) && !is.object(table) && length(table)
  if (!plain || length(labels) != 2L || any(vapply(labels, is.null, NA))) {
    abort_argument(c(
      "{.arg table} must be a class x term matrix with row and column names.",
      x = "It is {describe_value(table)}."
    ), call)
  }
  for (label in labels) check_distinct_names(label, "table", call)
  table <- matrix(as.double(table), nrow(table), dimnames = unname(labels))
  if (all(is.finite(table)) && all(table >= min)) return(table)
  abort_argument("{.arg table} must hold finite numbers{if (min == 0) ', 0 or more'}.", call)
}

check_not_smoothed <- function(laplace, call) {
  if (laplace != 1) abort_smoothed_table("laplace", call)
}

table_of_classes <- function(table, classes, name, call) {
  table[match_names(rownames(table), classes, name, call = call), , drop = FALSE]
}

# `parameters`: of a bag with the terms of a table, its classes in order.
known_bag <- function(name, table, parameters) {
  list(
    features = list(new_feature(name, "bag", enc2utf8(colnames(table)))), parameters = parameters
  )
}

# For each term the rows of all statistics.
tidy_terms <- function(matrices, classes, name) {
  terms <- rep(colnames(matrices[[1L]]), each = length(matrices))
  tidy_rows(do.call(rbind, unname(matrices)), classes, name, terms, names(matrices))
}

bag_cases <- function(bank, statistics) {
  sum(if (is.null(statistics$total)) statistics$weight else statistics$total)
}

# A summary prints at most this number of terms.
max_printed_columns <- 10L

# The terms whose numbers differ most between the classes, for a summary.
summary_terms <- function(bank, coefficients) {
  if (!is.matrix(coefficients) || ncol(coefficients) == 0L) return(coefficients)
  telling_columns(coefficients, max_printed_columns)
}

# The counts behind the log odds of terms, for the part `odds` of a record. `count`: class x term;
# `total`: by class, what the counts are shares of; `smoothing`: what is added to both.
term_counts <- function(count, total, smoothing, rates = FALSE) {
  list(count = count, total = total, smoothing = smoothing, rates = rates)
}

poisson_bag_record <- function() {
  bag_record(
    "poisson_bag", function(p) list(rate = p$rate), "rate", constructed = FALSE,
    options = function(likelihoods, features, classes, block, call) {
      likelihoods[[1L]][c("pseudo_count", "pseudo_exposure")]
    },
    remedies = common_remedies, impossible = impossible_count, cases = bag_cases,
    counts = function(bank, statistics, features, classes) {
      list(term_matrix(statistics$sum, features[[1L]], classes))
    },
    odds = function(statistics, options) {
      smoothing <- c(options$pseudo_count, options$pseudo_exposure)
      term_counts(statistics$sum, statistics$weight, smoothing, rates = TRUE)
    }
  )
}

gaussian_bag_record <- function() {
  bag_record(
    "gaussian_bag", function(p) {
      p$sd[, p$left_out == 1L] <- 0
      p[c("mean", "sd")]
    }, "mean", constructed = FALSE,
    options = function(likelihoods, features, classes, block, call) {
      settings <- unclass(likelihoods[[1L]])
      c(
        list(unbiased = settings$variance == "unbiased"),
        settings[c("min_variance", "min_variance_share", "borrow", "pooled")]
      )
    },
    remedies = function(problems) gaussian_record()$remedies(problems), cases = bag_cases,
    counts = function(bank, statistics, features, classes) {
      list(stats::setNames(statistics$total, classes))
    }
  )
}

#' Log multinomial coefficients
#'
#' The part of the multinomial log likelihood that is the same in every class and that
#' [likelihood_multinomial()] therefore leaves out:
#' \deqn{\log \frac{(\sum_j x_j)!}{\prod_j x_j!}.}{log((sum x)! / prod(x!)).}
#' Added to `predict(model, x, type = "log_likelihood")` of a model of one bag it gives the log
#' probability of the counts of each case, given their sum.
#'
#' @param x A matrix of counts with a row for each case and a column for each term, sparse or not,
#'   as in [bayes_text()]. Terms that a model does not know are no part of its likelihood: leave
#'   them out, for example `x[, known]`.
#' @inheritParams bayesrisk_arguments
#' @return A vector of numbers, named by the rows of `x` if these have names.
#' @section Errors: `bayesrisk_error_argument` if `x` is no such matrix, `bayesrisk_error_data` if a
#'   number is no count.
#' @source Lecture "Applied Machine Learning Fundamentals, Unit III: Bayesian Decision Theory
#'   (Wehner)", the multinomial coefficient (19).
#' @seealso [likelihood_multinomial()]
#' @examples
#' words <- rbind(c(2, 1, 0), c(1, 0, 0), c(0, 1, 2), c(0, 1, 1))
#' colnames(words) <- c("offer", "you", "meeting")
#' model <- fit(bayes_text(), words, c("spam", "spam", "ham", "ham"))
#' exp(predict(model, words, type = "log_likelihood") + log_coefficient(words))
#' dmultinom(words[1, ], prob = coef(model)$terms["spam", ])
#' @export
log_coefficient <- function(x, ...) {
  call <- check_no_dots(...)
  x <- maybe(x)
  if (is.matrix(x) && is.null(colnames(x)) && !is.object(x)) colnames(x) <- bag_terms(x)
  if (!is_bag(x)) {
    abort_wanted(x, "x", "a matrix of counts", call)
  }
  check_bag_parts(x, "x", abort_data, call)
  check_slots(x, "x", abort_data, call)
  cells <- bag_cells(x, "x", abort_argument, call)
  column <- encode_column(cells, "bag", bag_terms(cells))
  result <- call_engine(log_coefficient_cpp(column, bag_size(cells)[[1L]]), call, "x")
  if (is.null(result)) {
    abort_cells("x", column, all(is.finite(cells@x)), abort_data, call, NULL)
  }
  stats::setNames(result, bag_names(cells)[[1L]])
}

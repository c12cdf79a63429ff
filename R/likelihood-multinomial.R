#' Multinomial likelihood of terms
#'
#' A bag is one feature with many terms: a sparse matrix of counts with a row for each case and a
#' column for each term, for example words. Within a class the terms of a case are drawn
#' independently of each other, term \eqn{j} with probability \eqn{\theta_{kj}}{theta_kj}: the model
#' of "multinomial naive Bayes".
#'
#' @details
#' For a case with the counts \eqn{x_j} the log likelihood of class \eqn{k} is
#' \deqn{\log \frac{(\sum_j x_j)!}{\prod_j x_j!} + \sum_j x_j \log \theta_{kj}.}{
#'   log((sum x)! / prod(x!)) + sum(x log(theta_k)).}
#' The first part, the multinomial coefficient, is the same in every class. It changes no posterior
#' and no decision, so it is left out: in the scores, in `predict(type = "log_likelihood")` and in
#' [logLik()]. [log_coefficient()] computes it.
#'
#' The estimate is
#' \deqn{\theta_{kj} = \frac{c_{kj} + a}{c_k + a V},}{theta_kj = (c_kj + a) / (c_k + a V),}
#' where \eqn{c_{kj}}{c_kj} is the weighted count of term \eqn{j} in class \eqn{k}, \eqn{c_k} the
#' sum over the terms, \eqn{V} the number of terms (all columns of the matrix, also terms that were
#' never counted) and \eqn{a} is `laplace`. With \eqn{a = 0} a term that a class lacks is impossible
#' there. If it is impossible in every class, the posterior is 0/0: the row is `NA`, with a warning.
#'
#' With `complement = TRUE` the weight of a term comes from all *other* classes (Rennie et al.
#' 2003). With \eqn{\bar c_{kj}}{c'_kj} as the count of term \eqn{j} outside class \eqn{k},
#' \deqn{w_{kj} = -\log \frac{\bar c_{kj} + a}{\sum_j (\bar c_{kj} + a)},}{
#'   w_kj = -log((c'_kj + a) / sum_j(c'_kj + a)),}
#' and the score of a case is \eqn{\sum_j x_j w_{kj}}{sum(x w_k)} plus the log prior. `normalise`
#' divides the weights of a class by the sum of their absolute values, unless all are 0. This is a
#' rule and not a density: the posteriors are not calibrated ([temper()] helps), and [logLik()] is
#' `NA`.
#'
#' A bag says nothing about the length of a case. So it has no data-generating model:
#' [decision_regions()], [bayes_risk()] and [simulate()][simulate.bayesrisk_model] are errors that
#' say so.
#'
#' Terms are matched by name. At prediction a term that the model does not know is left out, with
#' one warning for all of them; a term of the model that the new matrix lacks has the count 0.
#'
#' @param laplace Pseudo-count of each term in each class: a number, 0 or more. With `complement` it
#'   must be positive.
#' @param complement,normalise Whether to use the weights of the other classes, and whether to
#'   normalise them: `TRUE` or `FALSE`.
#' @param weights_ok Whether the numbers may be fractions, for example weighted counts. Otherwise a
#'   fraction is an error. Negative numbers are errors in either case.
#' @param table Known probabilities of the terms, for [bayes_known()]: a class x term matrix, whose
#'   rows sum to 1. With `complement`: the weights of the terms, any numbers.
#' @inheritParams bayesrisk_arguments
#'
#' @return An object of class `bayesrisk_likelihood_multinomial`, to be used in `features` of
#'   [bayes_naive()] and [bayes_blocks()], or in [bayes_known()]; [bayes_text()] uses it for every
#'   bag. It prints as a sentence.
#'
#' @section Errors:
#' `bayesrisk_error_argument` if a value is not as described above. At fitting, a number that is
#' missing, infinite, negative or, without `weights_ok`, a fraction is a `bayesrisk_error_data` that
#' names the term.
#'
#' @references
#' Rennie, J. D. M., Shih, L., Teevan, J. and Karger, D. R. (2003). Tackling the poor assumptions of
#' naive Bayes text classifiers. *ICML*, 616-623.
#'
#' McCallum, A. and Nigam, K. (1998). A comparison of event models for naive Bayes text
#' classification. *AAAI Workshop on Learning for Text Categorization*, 41-48.
#'
#' @family likelihoods
#' @examples
#' words <- rbind(c(2, 1, 0), c(1, 0, 0), c(0, 1, 2), c(0, 1, 1))
#' colnames(words) <- c("offer", "you", "meeting")
#' mail <- data.frame(class = c("spam", "spam", "ham", "ham"), size = c(9, 7, 2, 4))
#' mail$words <- words
#' spec <- bayes_naive(features = list(words = likelihood_multinomial()))
#' model <- fit(spec, class ~ words + size, mail)
#' coef(model)$words
#' predict(model, mail, type = "prob")
#' @export
likelihood_multinomial <- function(laplace = 1, complement = FALSE, normalise = FALSE,
                                   weights_ok = FALSE, table = NULL, ...) {
  check_no_dots(...)
  new_likelihood("multinomial", check_multinomial(
    laplace, complement, normalise, weights_ok, table, rlang::current_env()
  ))
}

# `asked`: the argument that asks for complement weights.
check_complement <- function(settings, asked, call) {
  if (settings$complement && settings$laplace == 0) {
    abort_argument(
      "{.arg laplace} must be positive with {.code {asked}}: a term of one class alone would
       have an infinite weight.", call
    )
  }
  if (settings$normalise && !settings$complement) {
    abort_argument("{.arg normalise} is for {.code {asked}}.", call)
  }
}

check_multinomial <- function(laplace, complement, normalise, weights_ok, table, call) {
  settings <- list(
    laplace = check_number(laplace, "laplace", min = 0, call = call),
    complement = check_flag(complement, "complement", call = call),
    normalise = check_flag(normalise, "normalise", call = call),
    weights_ok = check_flag(weights_ok, "weights_ok", call = call)
  )
  check_complement(settings, "complement = TRUE", call)
  if (!is.null(table)) {
    check_not_smoothed(settings$laplace, call)
    table <- check_term_table(table, if (settings$complement) -Inf else 0, call)
    wrong <- rownames(table)[abs(rowSums(table) - 1) > 1e-8]
    if (!settings$complement && length(wrong)) {
      abort_argument("{.arg table} must sum to 1 within class {.val {wrong}}.", call)
    }
  }
  c(settings, list(table = table))
}

describe_multinomial <- function(likelihood) {
  how <- if (likelihood$complement) "complement weights" else "multinomial distributions"
  if (!is.null(likelihood$table)) {
    return(paste("given", if (likelihood$complement) "weights" else "probabilities", "of terms"))
  }
  paste0(
    if (likelihood$normalise) "normalised ", how, " with Laplace ",
    format(likelihood$laplace), if (likelihood$weights_ok) ", fractions allowed"
  )
}

remedy_counts <- function(problems) {
  c(
    remedy(problems, "overflow", "Divide the counts, or give a smaller {.arg laplace}."),
    remedy_smoothing(problems)
  )
}

multinomial_record <- function() {
  bag_record(
    "multinomial", function(p) {
      if (nrow(p$weight) > 0L) return(list(weight = p$weight))
      list(probability = exp(p$log_probability))
    }, "probability",
    describe = describe_multinomial,
    check = check_multinomial,
    given = list("table"),
    known = function(likelihood, name, classes, call) {
      table <- table_of_classes(likelihood$table, classes, name, call)
      none <- matrix(0, 0L, 0L)
      known_bag(name, table, if (likelihood$complement) {
        list(log_probability = none, weight = unname(table))
      } else {
        list(log_probability = unname(log(table / rowSums(table))), weight = none)
      })
    },
    plan = function(bank, likelihood, features, classes, call) {
      c(bank, list(fractions = likelihood$weights_ok))
    },
    options = function(likelihoods, features, classes, block, call) {
      likelihoods[[1L]][c("laplace", "complement", "normalise")]
    },
    remedies = remedy_counts,
    impossible = "{.code laplace = 1} gives every term a probability in every class.",
    cases = bag_cases,
    counts = function(bank, statistics, features, classes) {
      list(term_matrix(statistics$count, features[[1L]], classes))
    },
    posterior = table_posterior,
    odds = function(statistics, options) {
      smoothing <- options$laplace * c(1, ncol(statistics$count))
      term_counts(statistics$count, rowSums(statistics$count), smoothing)
    }
  )
}

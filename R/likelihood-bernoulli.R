#' Bernoulli likelihood of terms
#'
#' The presence of each term of a bag (see [likelihood_multinomial()]). Given the class the terms
#' are independent, and a term that is absent counts as well: "Bernoulli naive Bayes".
#'
#' @details
#' For a case with the terms \eqn{j \in A}{j in A} the log likelihood of class \eqn{k} is
#' \deqn{\sum_j \log(1 - p_{kj}) + \sum_{j \in A} \log \frac{p_{kj}}{1 - p_{kj}},}{
#'   sum_j log(1 - p_kj) + sum_(j in A) log(p_kj / (1 - p_kj)),}
#' so only the terms that are present cost time. The estimate is
#' \deqn{p_{kj} = \frac{n_{kj} + a}{n_k + 2 a},}{p_kj = (n_kj + a) / (n_k + 2 a),}
#' where \eqn{n_{kj}}{n_kj} is the weight of the cases of class \eqn{k} with term \eqn{j}, and
#' \eqn{n_k} that of all cases of the class. Any number but 0 counts as present. With \eqn{a = 0}
#' and \eqn{p_{kj} = 1}{p_kj = 1} a case without the term is impossible in the class; its presence
#' adds log 1 = 0.
#'
#' A bag has no data-generating model; see [likelihood_multinomial()].
#'
#' @param laplace Pseudo-count of the presence and of the absence of each term in each class: a
#'   number, 0 or more.
#' @param table Known probabilities of presence, for [bayes_known()]: a class x term matrix.
#' @inheritParams bayesrisk_arguments
#' @return An object of class `bayesrisk_likelihood_bernoulli`, to be used in `features` of
#'   [bayes_naive()] and [bayes_blocks()], see [bayes_text()], or in [bayes_known()]. It prints as a
#'   sentence.
#' @section Errors:
#' `bayesrisk_error_argument` if `laplace` is not as described above. At fitting, a number that is
#' missing or infinite is a `bayesrisk_error_data` that names the term.
#' @references
#' McCallum, A. and Nigam, K. (1998). A comparison of event models for naive Bayes text
#' classification. *AAAI Workshop on Learning for Text Categorization*, 41-48.
#' @family likelihoods
#' @examples
#' words <- rbind(c(2, 1, 0), c(1, 0, 0), c(0, 1, 2), c(0, 1, 1))
#' colnames(words) <- c("offer", "you", "meeting")
#' model <- fit(bayes_text("bernoulli"), list(words = words), c("spam", "spam", "ham", "ham"))
#' coef(model)$words
#' @export
likelihood_bernoulli <- function(laplace = 1, table = NULL, ...) {
  check_no_dots(...)
  new_likelihood("bernoulli", check_bernoulli(laplace, table, rlang::current_env()))
}

check_bernoulli <- function(laplace, table, call) {
  laplace <- check_number(laplace, "laplace", min = 0, call = call)
  if (!is.null(table)) {
    check_not_smoothed(laplace, call)
    table <- check_term_table(table, 0, call)
    if (any(table > 1)) abort_argument("{.arg table} must hold probabilities, at most 1.", call)
  }
  list(laplace = laplace, table = table)
}

bernoulli_record <- function() {
  bag_record(
    "bernoulli", function(p) list(probability = exp(p$log_present)), "probability",
    describe = function(likelihood) {
      if (!is.null(likelihood$table)) return("given probabilities of terms")
      paste("the presence of terms with Laplace", format(likelihood$laplace))
    },
    check = check_bernoulli,
    given = list("table"),
    known = function(likelihood, name, classes, call) {
      table <- table_of_classes(likelihood$table, classes, name, call)
      known_bag(name, table, list(
        log_present = unname(log(table)), log_absent = unname(log1p(-table))
      ))
    },
    options = function(likelihoods, features, classes, block, call) {
      list(laplace = bernoulli_laplace(likelihoods[[1L]], features[[1L]], call))
    },
    remedies = remedy_smoothing,
    impossible = "{.code laplace = 1} gives every term a probability in every class.",
    cases = bag_cases,
    counts = function(bank, statistics, features, classes) {
      list(term_matrix(statistics$present, features[[1L]], classes))
    },
    posterior = presence_posterior,
    odds = function(statistics, options) {
      term_counts(statistics$present, statistics$weight, options$laplace * c(1, 2))
    }
  )
}

# A bag of TRUE and FALSE may have the likelihood of categorical features.
bernoulli_laplace <- function(likelihood, feature, call) {
  if (likelihood$name == "bernoulli") return(likelihood$laplace)
  if (is_shared(likelihood$laplace)) {
    abort_argument(
      "{.field {feature$name}} is a bag of terms, for which {.arg laplace} must be a number.", call
    )
  }
  counts <- pseudo_counts(likelihood, c("FALSE", "TRUE"), feature$name, call)
  if (counts[[1L]] == counts[[2L]]) return(counts[[1L]])
  abort_argument(
    "{.field {feature$name}} is a bag of terms: {.arg laplace} must be the same for FALSE and
     TRUE.", call
  )
}

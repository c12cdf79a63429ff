#' Naive Bayes for text
#'
#' A specification for bags of terms: sparse matrices with a row for each document and a column for
#' each term, such as the counts of words. It is short for [bayes_naive()] with a likelihood for
#' bags; other features may stand beside them.
#'
#' @details
#' | `counts` | likelihood of a bag |
#' |---|---|
#' | `"multinomial"` | [likelihood_multinomial()] |
#' | `"bernoulli"` | [likelihood_bernoulli()] |
#' | `"complement"` | [likelihood_multinomial()] with `complement = TRUE` |
#' | `"poisson"` | [likelihood_poisson()] of each term, with `laplace` as both pseudo-values |
#'
#' A bag is one feature. It may be
#' * the table itself: `fit(spec, x, class)`; the feature is then called `terms`;
#' * a column of a data frame: `data$words <- x`, then `fit(spec, class ~ words + size, data)`;
#' * an element of a list, beside data frames: `fit(spec, list(words = x, data), class)`.
#'
#' The matrix is a `dgCMatrix` of the package Matrix, which is read in place; any other sparse
#' matrix of Matrix, a `dfm` of quanteda or a `DocumentTermMatrix` of tm, which becomes a
#' `dgCMatrix` first;
#' or an ordinary matrix of numbers with column names. Only its cells that are not 0 are read; it
#' never becomes dense.
#'
#' Other specifications read bags as well. Without `bayes_text()` the terms have the likelihood of
#' numeric features ([likelihood_gaussian()] or [likelihood_poisson()]), in which zeros count: the
#' model is that of the dense matrix. Gaussian terms whose mean is a thousand standard deviations
#' from 0 or more lose digits; such numbers belong in columns of their own. In a matrix of `TRUE`
#' and `FALSE` they have the likelihood of categorical features, [likelihood_categorical()].
#'
#' @param counts What is counted: see "Details".
#' @param laplace Pseudo-count of each term in each class: a number, 0 or more.
#' @param normalise,weights_ok See [likelihood_multinomial()].
#' @param categorical,numeric,features Likelihoods of the features beside the bags, as in
#'   [bayes_naive()]. `features` may name bags, too.
#' @inheritParams bayes_naive
#' @concept document-term matrix
#' @return An object of class `bayesrisk_spec`, as from [bayes_naive()].
#' @section Errors:
#' `bayesrisk_error_argument` if an argument is not as described above.
#' @references
#' Lecture "Naive Bayes Learning (after Mooney)".
#' @seealso [likelihood_multinomial()], [likelihood_bernoulli()]; [top_features()] for the
#'   terms that speak for a class; `vignette("text")`
#' @examples
#' words <- rbind(c(2, 1, 0), c(1, 0, 0), c(0, 1, 2), c(0, 1, 1))
#' colnames(words) <- c("offer", "you", "meeting")
#' class <- c("spam", "spam", "ham", "ham")
#' model <- fit(bayes_text(), list(words = words), class)
#' new <- rbind(c(offer = 1, meeting = 1))
#' predict(model, list(words = new), type = "prob")
#'
#' # losing a mail costs more than reading spam
#' cost <- cost_matrix(keep = c(spam = 1, ham = 0), bin = c(spam = 0, ham = 20))
#' decide(model, list(words = new), cost)
#' @export
bayes_text <- function(counts = c("multinomial", "bernoulli", "complement", "poisson"),
                       laplace = 1, normalise = FALSE, weights_ok = FALSE, categorical = NULL,
                       numeric = NULL, features = list(), prior = NULL,
                       degenerate = c("pool", "stop"), temper = FALSE, ...) {
  call <- rlang::current_env()
  check_no_data(call, ...)
  check_no_dots(..., call = call)
  counts <- check_choice(
    counts, c("multinomial", "bernoulli", "complement", "poisson"), "counts", call
  )
  bag <- text_likelihood(counts, laplace, normalise, weights_ok, call)
  checked_spec(
    "naive",
    categorical = categorical, numeric = numeric, features = features, prior = prior,
    degenerate = degenerate, temper = temper, bag = bag, call = call
  )
}

text_likelihood <- function(counts, laplace, normalise, weights_ok, call) {
  if (counts %in% c("multinomial", "complement")) {
    given <- list(
      laplace = check_number(laplace, "laplace", min = 0, call = call),
      complement = counts == "complement",
      normalise = check_flag(normalise, "normalise", call)
    )
    check_complement(given, "counts = \"complement\"", call)
    settings <- check_multinomial(
      laplace, counts == "complement", normalise, weights_ok, NULL, call
    )
    return(new_likelihood("multinomial", settings))
  }
  given <- c(
    normalise = check_flag(normalise, "normalise", call),
    weights_ok = check_flag(weights_ok, "weights_ok", call)
  )
  if (any(given)) {
    abort_argument("{.arg {names(given)[given]}} {?is/are} for counts of words only.", call)
  }
  laplace <- check_number(laplace, "laplace", min = 0, call = call)
  if (counts == "bernoulli") return(likelihood_bernoulli(laplace))
  likelihood_poisson(pseudo_count = laplace, pseudo_exposure = laplace)
}

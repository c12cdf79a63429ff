#' Bayes' theorem, step by step
#'
#' The posterior of each class: its prior times the likelihood of the observed events, divided by
#' the sum over all classes. Ranking the classes needs no division: `score` is enough.
#'
#' @param prior The prior probability of each class, named.
#' @param likelihood The probability (or density) of the observed events under each class: a vector
#'   named by class, or a matrix with a named row per class and a column per event. Events are
#'   assumed independent given the class, so their likelihoods are multiplied.
#' @inheritParams bayesrisk_arguments
#' @return A data frame of class `bayesrisk_theorem` with a row per class, in the order of `prior`:
#'   `class` (a factor),
#'   `prior`, `likelihood` (of all events together), `score` (prior times likelihood) and
#'   `posterior`, which is computed on the log scale, so that many events do not lead to 0/0. If
#'   the observed events are impossible under every class, the posterior is `NA`, with a warning of
#'   class `bayesrisk_warning_impossible`.
#' @section Errors: `bayesrisk_error_argument` for a prior that does not sum to 1 within 1e-8,
#'   classes that differ, or negative numbers.
#' @references
#' Lectures "Naive Bayes Learning (after Mooney)" and "Bayesian Learning (Galili, Shamir,
#' Yakhini)": Bayes' theorem, maximum a posteriori and maximum likelihood.
#' @seealso [joint_table()], [bayes_known()] for a classifier
#' @export
#' @examples
#' # Medium, red and circular: lecture "Naive Bayes Learning (after Mooney)"
#' bayes_theorem(
#'   prior = c(positive = 0.5, negative = 0.5),
#'   likelihood = rbind(
#'     positive = c(medium = 0.1, red = 0.9, circle = 0.9),
#'     negative = c(medium = 0.2, red = 0.3, circle = 0.3)
#'   )
#' )
bayes_theorem <- function(prior, likelihood, ...) {
  call <- check_no_dots(...)
  prior <- check_class_prior(maybe(prior), call)
  likelihood <- check_likelihoods(maybe(likelihood), names(prior), call)
  # One likelihood of 0 makes a class impossible, even if another likelihood is infinite.
  log_score <- log(prior) + rowSums(log(likelihood))
  log_score[prior == 0 | rowSums(likelihood == 0) > 0] <- -Inf
  largest <- max(log_score)
  posterior <- exp(log_score - largest) / sum(exp(log_score - largest))
  if (largest == -Inf) {
    warn_bayesrisk("The events are impossible under every class: NA.", "impossible", call)
    posterior[] <- NA_real_
  }
  combined <- apply(likelihood, 1L, prod)
  rows <- data.frame(
    class = factor(names(prior), names(prior)), prior = unname(prior),
    likelihood = unname(combined), score = unname(prior * combined), posterior = unname(posterior)
  )
  structure(rows, class = c("bayesrisk_theorem", "bayesrisk_result", "data.frame"))
}

#' @export
describe.bayesrisk_theorem <- function(x, show) {
  list(title_item("Bayes' theorem"), table_item(plain_frame(x), c("class", "classes")))
}

check_class_prior <- function(prior, call) {
  if (is.null(prior) || is.character(prior)) {
    abort_wanted(prior, "prior", "probabilities named by class", call)
  }
  prior <- check_prior_argument(prior, "prior", call)
  values <- as.double(prior)
  if (is.null(names(prior))) abort_argument("{.arg prior} must be named by class.", call)
  stats::setNames(values, check_labels(names(prior), "The classes of `prior`", call))
}

# The likelihoods as a matrix: one row per class, one column per event.
check_likelihoods <- function(likelihood, classes, call) {
  numbers <- is.numeric(likelihood)
  table <- if (numbers && is.null(dim(likelihood))) cbind(likelihood) else likelihood
  sound <- numbers && length(dim(table)) == 2L && ncol(table) > 0L
  if (!sound || is.null(rownames(table))) {
    wanted <- "numbers named by class, or a matrix with a row per class"
    abort_wanted(likelihood, "likelihood", wanted, call)
  }
  check_labels(rownames(table), "The classes of `likelihood`", call)
  check_same_names(
    rownames(table), classes, cli::format_inline(
      "{.arg likelihood} must have the classes of {.arg prior}, {.val {classes}}."
    ), call
  )
  check_masses(table, "likelihood", call)
  table <- table[classes, , drop = FALSE]
  matrix(as.double(table), nrow(table), dimnames = dimnames(table))
}

# Checks that numbers can be probabilities or densities, apart from their sum.
check_masses <- function(x, arg, call) {
  bad <- sum(!is.finite(x) | x < 0)
  if (bad == 0L) return(invisible())
  abort_argument(
    "{.arg {arg}} has {bad} number{?s} that {?is/are} negative, missing or infinite.", call
  )
}

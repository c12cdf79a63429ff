# estimate_prior() of the posterior probabilities of any classifier.

# The rows in which the errors of the densities are found.
most_drawn_rows <- 2000

# The elements of prior_request() that posteriors need, for posteriors from read_posterior().
posterior_request <- function(read, trained_prior, trained_n, threads, call) {
  if (is.null(trained_prior)) {
    abort_argument(c(
      "{.arg object} holds posterior probabilities, which contain a prior: {.arg trained_prior} is
       missing.",
      i = "Usually it is the share of each class in the training data."
    ), call)
  }
  prior <- resolve_prior(trained_prior, read$classes, NULL, call, "trained_prior")
  even <- as.double(prior > 0)
  list(
    classes = read$classes, prior = prior, even = even / sum(even),
    tempered = FALSE, threads = threads, draws = 0L, untrained = "not included",
    cases = trained_cases(trained_n, prior, read$classes, call)
  )
}

# The training rows of each class: given, or shared out by the prior.
trained_cases <- function(trained_n, prior, classes, call) {
  if (is.null(trained_n)) return(rep(Inf, length(classes)))
  if (length(trained_n) == 1L && is.null(names(trained_n))) {
    return(check_number(trained_n, "trained_n", min = 1, call = call) * prior)
  }
  order_by_class(trained_n, classes, "trained_n", call)
}

# The same as a piece of evidence_from().
posterior_evidence <- function(read, request, newdata, cost, weights, call) {
  p <- given_probabilities(read, request$threads, call)
  weights <- read_row_weights(weights, newdata, nrow(p), call)
  piece <- call_engine(posterior_rows_cpp(p, request$prior, weights, most_drawn_rows), call)
  c(piece, list(
    report = list(infinite = 0, impossible = 0), sample = list(rows = 0),
    cost = if (!is.null(cost)) read_cost(cost, read$classes, newdata, nrow(p), call)
  ))
}

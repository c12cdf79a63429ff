# Decides by posterior probabilities from read_posterior(), under another prior if there is one.

# Parts of messages about priors.
no_class_left <- "in which {.arg prior} leaves no class: NA."
trained_prior_hint <- "Usually it is the share of each class in the training data."

# Decides with posterior probabilities from read_posterior(), and raises the engine's warnings:
# list(value, posterior, report). `beliefs`: whether the probabilities come with the decisions, each
# row divided by its sum.
decide_given <- function(read, factor, cost, output, threads, call, beliefs = FALSE) {
  decided <- call_engine(
    decide_posterior_cpp(read$frame, factor, cost, output, read$row_names, beliefs, threads),
    call
  )
  check_probabilities(decided$report, call, read$arg)
  warn_rows(decided$report$impossible, no_class_left, "impossible", call)
  report_unpriced(decided$report, call)
  decided
}

# The checked probabilities, without decisions: there is one action, which costs nothing.
given_probabilities <- function(read, threads, call) {
  free <- matrix(0, 1L, length(read$classes), dimnames = list("none", read$classes))
  cost <- new_read_cost(free, list(cell = integer(), value = list()), NULL)
  decide_given(read, numeric(), cost, "decision", threads, call, beliefs = TRUE)$posterior
}

# Raises the problems that the engine found: negative numbers, or rows that do not sum to 1.
check_probabilities <- function(report, call, arg) {
  wrong <- function(rows, what, hints = NULL) {
    if (rows$count == 0) return(invisible())
    named <- named_rows(rows)
    abort_argument(c("{.arg {arg}} must hold probabilities: {named} {what}.", hints), call)
  }
  wrong(report$negative, "with a number below 0")
  wrong(report$sum, "with a sum other than 1", c(
    i = "Each row holds the probabilities of all classes; 0.02 is allowed for rounding.",
    i = "If the numbers are proportional to probabilities: {.code p / rowSums(p)}."
  ))
  if (report$rounded$count == 0) return(invisible())
  off <- format(report$most_off, digits = 2L)
  inform_bayesrisk(c(
    "{.arg {arg}} has {named_rows(report$rounded)} with a sum other than 1, off by up to {off}.",
    i = "Each row is divided by its sum."
  ), "sums")
}

# `rows`: the number of rows, and the first of them.
named_rows <- function(rows) {
  more <- rows$count - length(rows$first)
  if (more > 0) return(sprintf("rows %s and %s more", toString(rows$first), format_count(more)))
  pluralize("row{cli::qty(length(rows$first))}{?s} {rows$first}")
}

check_no_prior <- function(prior, arg, call) {
  if (is.null(prior)) return(invisible())
  abort_argument(c(
    "{.arg {arg}} is only for posterior probabilities: they do not say which prior they contain.",
    i = "A model has its own prior; decisions need no prior."
  ), call)
}

# For each class, the ratio of the new prior to the old one, up to a common factor. Empty if the
# prior does not change.
prior_shift <- function(prior, trained_prior, classes, call) {
  if (is.null(prior) && is.null(trained_prior)) return(numeric())
  if (is.null(trained_prior)) {
    abort_argument(c(
      "{.arg prior} needs {.arg trained_prior}: the probabilities in {.arg object} contain a prior
       already.",
      i = trained_prior_hint
    ), call)
  }
  if (is.null(prior)) {
    abort_argument("{.arg trained_prior} has no effect without {.arg prior}.", call)
  }
  new <- resolve_prior(prior, classes, NULL, call)
  old <- resolve_prior(trained_prior, classes, NULL, call, "trained_prior")
  prior_ratio(new, old, classes, call)
}

# The same as prior_shift(), for priors in class order.
prior_ratio <- function(new, old, classes, call) {
  unknown <- classes[old == 0 & new > 0]
  if (length(unknown)) {
    abort_argument(c(
      "{.arg trained_prior} is 0 for {.val {unknown}}, and {.arg prior} is not.",
      i = "The probabilities say nothing about a class that was not in the training data."
    ), call)
  }
  # Only the proportions matter. The scaling keeps the ratios from overflowing at tiny priors.
  ifelse(new == 0, 0, new * (min(old[new > 0]) / old))
}

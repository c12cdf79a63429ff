# The class prior: checks of the argument, and its value for the classes of a model.

# The checks of a prior that do not need the classes. An estimated prior, or that of a monitor,
# becomes its probabilities.
check_prior_argument <- function(prior, arg, call) {
  if (inherits(prior, c("bayesrisk_prior", "bayesrisk_monitor"))) {
    check_unchanged(is.list(prior) && is.numeric(prior$prior), "prior", call)
    prior <- prior$prior
  }
  if (is.null(prior) || identical(prior, "uniform")) return(prior)
  if (!is.numeric(prior) || inherits(prior, "bayesrisk_cost")) {
    check_places(call)
    abort_wanted(prior, arg, "NULL, {.val uniform} or probabilities named by class", call)
  }
  prior <- check_numbers(prior, arg, min = 0, call = call)
  if (!sums_to_one(prior)) {
    check_places(call)
    abort_argument("{.arg {arg}} must sum to 1, not to {format(sum(prior), digits = 10)}.", call)
  }
  prior
}

# The prior of each class, in class order. NULL stays NULL and stands for the class shares.
# `class_weight` is the weight of the rows of each class; at least one weight is positive. A class
# without rows has no likelihood, so its prior must be 0. If `class_weight` is NULL, every class has
# a likelihood.
resolve_prior <- function(prior, classes, class_weight, call, arg = "prior") {
  if (is.null(prior)) return(NULL)
  prior <- check_prior_argument(prior, arg, call)
  has_rows <- if (is.null(class_weight)) rep(TRUE, length(classes)) else class_weight > 0
  if (identical(prior, "uniform")) return(as.double(has_rows) / sum(has_rows))
  prior <- order_by_class(prior, classes, arg, call)
  empty <- classes[prior > 0 & !has_rows]
  if (length(empty)) {
    abort_argument(c(
      "{.arg {arg}} must be 0 for {cli::qty(empty)} class{?es} {.val {empty}}.",
      i = "The training data had no rows of {cli::qty(empty)}{?it/them}."
    ), call, empty = empty)
  }
  prior / sum(prior)
}

order_by_class <- function(prior, classes, arg, call) {
  if (!is.null(names(prior))) {
    return(unname(prior[match_names(names(prior), classes, arg, call = call)]))
  }
  if (length(prior) == length(classes)) return(prior)
  check_places(call)
  abort_argument(c(
    "{.arg {arg}} has {length(prior)} number{?s} for {length(classes)} class{?es}.",
    i = "The classes are {.val {classes}}."
  ), call)
}

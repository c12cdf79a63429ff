# The likelihoods of the classes in unlabelled rows, for estimate_prior(): a list of pieces, each
# the result of prior_rows_cpp() for rows that were read together, and `cost`, their result of
# read_cost() (NULL without a cost).

# `ask`: a list of
# * weights: a quosure, and `subset`, a quosure of nothing, as in a task;
# * cost, threads;
# * even: the uniform prior over the classes that have a likelihood; `start`: where to search;
# * features, sample: the positions of the features to be read alone, and in how many rows.
evidence_from <- function(newdata, model, ask, call) UseMethod("evidence_from")

#' @export
evidence_from.default <- function(newdata, model, ask, call) { # nolint: object_name_linter.
  read <- read_newdata(model$schema, newdata, call)
  rows <- read$frame$rows
  weights <- read_row_weights(ask$weights, newdata, rows, call)
  cost <- if (!is.null(ask$cost)) {
    read_cost(ask$cost, model$schema$classes$levels, newdata, rows, call)
  }
  piece <- call_engine(prior_rows_cpp(
    engine_model(model, ask$even), read$frame, weights, ask$features, ask$sample, ask$threads
  ), call)
  report_rows(piece$report, model, ask$even, read$frame, call, "left out.")
  list(c(piece, list(cost = cost)))
}

read_row_weights <- function(quosure, newdata, rows, call) {
  if (rlang::quo_is_missing(quosure) || rlang::quo_is_null(quosure)) return(NULL)
  columns <- container_list(read_container(newdata, "newdata", abort_schema, call))
  check_weights(masked_value(quosure, columns, "weights", call), rows, call)
}

# The weights of assessed cases, their clusters, and the prior of a population.

# The design of an assessment. `rows`: list(weights, cluster), quosures, which may use columns of
# `data`.
read_case_design <- function(believed, rows, data, call) {
  case_design(read_case_rows(believed, rows, data, call), call)
}

# Adds the `weights` and the `cluster` of each case to `believed`. The beliefs about a source have
# them.
read_case_rows <- function(believed, rows, data, call) {
  if (is_source(data) && !is.null(believed$posterior)) return(believed)
  count <- length(believed$truth)
  believed["weights"] <- list(read_row_weights(rows$weights, data, count, call, "data"))
  believed["cluster"] <- list(read_cluster(rows$cluster, data, count, call, "data"))
  believed
}

# A list of
# * weight, cluster, fixed: see CaseDesign in src/bind_assess.cpp;
# * unit: sums of these weights are multiplied by it;
# * weighted: whether counts are sums of weights.
case_design <- function(believed, call) {
  weights <- believed$weights
  found <- call_engine(case_weights_cpp(believed$truth, weights, believed$population), call)
  check_population(found$absent, believed$population, believed$cost$classes, call)
  c(found[c("weight", "unit")], list(
    cluster = believed$cluster,
    fixed = length(believed$population) > 0L,
    weighted = !is.null(weights) || length(believed$population) > 0L
  ))
}

# `absent`: the position of a class that has a prior but no case; 0: none.
check_population <- function(absent, prior, classes, call) {
  if (absent == 0L) return(invisible())
  abort_data(c(
    "Class {.val {classes[[absent]]}} has a prior of {format(prior[[absent]], digits = 3L)} and no
     case with this truth.",
    i = "A population with this prior needs cases of every class whose prior is above 0."
  ), call)
}

# The truth may stand in the place of the data, which nothing else reads.
abort_no_truth <- function(call) {
  check_places(call)
  abort_argument("{.arg truth} is missing: the true class of each case.", call)
}

# The cluster of each row, from 1.
read_cluster <- function(quosure, data, rows, call, arg) {
  cluster <- row_values(quosure, data, "cluster", call, arg)
  if (!is.null(cluster)) check_cluster(cluster, rows, call)
}

# The engine's sums of weights are relative to `unit`.
in_units <- function(decided, scores, measured, unit) {
  times <- function(x, names) {
    x[names] <- lapply(x[names], `*`, unit)
    x
  }
  decided <- times(decided, c("count", "cost", "wrong"))
  decided$coverage <- times(decided$coverage, c("decided", "wrong", "cost"))
  if (!is.null(scores)) {
    scale <- if (scores$variance > 0) scores$certain[["expected"]] / scores$variance else 1
    scores <- times(scores, "impossible")
    scores$bins <- times(scores$bins, "cases")
    scores$certain <- c(
      scores$certain[1L], scores$certain[-1L] * unit, scale = scale / unit
    )
  }
  list(
    decided = decided, scores = scores, curves = times(measured$curves, c("hits", "alarms"))
  )
}

# The posteriors of rows by the models of their groups.
posterior_of_groups <- function(models, data, prior, threads, call) {
  if (is.null(data)) abort_no_rows("data", call)
  models <- check_groups(models, call, "object")
  by_group(models, data, NULL, call, function(model, rows) {
    score_from(rows, answer_request(
      score_from, model, "plugin", "prob", NULL, prior, threads, call
    ), call)
  })
}

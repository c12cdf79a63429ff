# Whether a value is a cost, and a cost as the plain numbers that others reckon with.

# The plain matrix of a cost that is the same for every case. The object may have
# been changed since it was made (t(), dim<-), so nothing is taken for granted.
check_cost <- function(cost, call, arg = "cost") {
  check_is_cost(cost, call, arg)
  if (is_case_cost(cost)) {
    abort_argument(c(
      "{.arg {arg}} differs from case to case, and here one cost for all cases is needed.",
      i = "{.fn decide} takes costs by case."
    ), call)
  }
  values <- unclass(cost)
  sound <- is.double(values) && is_cost_shape(values) && !anyNA(values) && all(values > -Inf)
  if (sound) values else abort_unsound(call, arg)
}

check_is_cost <- function(cost, call, arg) {
  if (inherits(cost, "bayesrisk_cost")) return(invisible())
  check_places(call)
  got <- describe_value(cost)
  abort_argument(c(
    "{.arg {arg}} must be made by {.fn cost_matrix} or {.fn zero_one_cost}, not {got}.",
    i = if (length(dim(cost)) == 2L) {
      "Say what its rows are: {.code as_cost_matrix(m, rows = \"decision\")} or {.val truth}."
    }
  ), call)
}

is_cost_shape <- function(values) {
  length(dim(values)) == 2L && length(values) > 0L &&
    identical(names(dimnames(values)), c("decision", "truth")) &&
    !anyDuplicated(rownames(values)) && !anyDuplicated(colnames(values)) &&
    !is.null(rownames(values)) && (!is.null(colnames(values)) || ncol(values) == 1L)
}

abort_unsound <- function(call, arg) {
  abort_argument(c(
    "{.arg {arg}} is no longer a sound cost: it was changed after it was made.",
    i = "Make it again with {.fn cost_matrix}, or from its numbers with {.fn as_cost_matrix}."
  ), call)
}

# A cost that names no class costs the same for each of `classes`.
spread_over <- function(values, classes) {
  if (!is.null(colnames(values))) return(values)
  matrix(
    values, nrow(values), length(classes),
    dimnames = list(decision = rownames(values), truth = classes)
  )
}

# A user's cost as a plain double matrix, actions x classes in the model's order.
align_cost <- function(cost, classes, call = rlang::caller_env()) {
  align_classes(check_cost(cost, call), classes, call)
}

align_classes <- function(values, classes, call) {
  values <- spread_over(values, classes)
  check_same_names(
    colnames(values), classes,
    cli::format_inline("{.arg cost} must name the model's classes, {.val {classes}}."), call,
    hint = "Each argument of a cost is an action; what it costs is named by the true class."
  )
  values[, classes, drop = FALSE]
}

# What each cell of `table` (truth x decision; cases or probabilities) adds to its cost. An
# empty cell adds nothing, even where the cost (actions x classes) is infinite, or lacks it.
cell_costs <- function(table, cost) {
  met <- which(table > 0, arr.ind = TRUE)
  decisions <- colnames(table)[met[, 2L]]
  costs <- array(0, dim(table), dimnames(table))
  costs[met] <- table[met] * cost[cbind(decisions, rownames(table)[met[, 1L]])]
  costs
}

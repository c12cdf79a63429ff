# Arithmetic of costs: sums, positive multiples, comparisons, parts. Actions and classes are
# matched by name, never by position.

#' @export
Ops.bayesrisk_cost <- function(e1, e2) { # nolint: object_name_linter.
  call <- as.call(c(as.name(.Generic), substitute(e1), if (!missing(e2)) substitute(e2)))
  is_cost <- c(inherits(e1, "bayesrisk_cost"), !missing(e2) && inherits(e2, "bayesrisk_cost"))
  if (.Generic == "+" && all(is_cost)) return(add_costs(e1, e2, call))
  if (.Generic == "*" && !is_cost[[1L]]) return(scale_cost(e2, e1, "*", call))
  if (.Generic %in% c("*", "/") && !is_cost[[2L]]) return(scale_cost(e1, e2, .Generic, call))
  if (.Generic %in% c("==", "!=", "<", "<=", ">", ">=")) {
    plain <- plain_operands(list(e1, e2), is_cost, call)
    return(get(.Generic, baseenv())(plain[[1L]], plain[[2L]]))
  }
  abort_argument(c(
    "{.code {(.Generic)}} is not defined for costs in this way.",
    i = "Costs are added to costs, multiplied or divided by a positive number, and compared;
         {.fn as.matrix} gives plain numbers."
  ), call)
}

# Both operands of a comparison as numbers. The second has the order of the first.
plain_operands <- function(operands, is_cost, call) {
  if (any(vapply(operands, is_case_cost, NA))) {
    abort_argument("Costs by case cannot be compared, except by {.fn identical}.", call)
  }
  operands[is_cost] <- lapply(operands[is_cost], cost_cells, call = call)
  operands[!is_cost] <- lapply(operands[!is_cost], function(x) {
    if (is.numeric(x) && !is.object(x) && length(x) == 1L) return(as.double(x))
    got <- describe_value(x)
    abort_argument("A cost is compared to a cost or to one number, not to {got}.", call)
  })
  if (all(is_cost)) operands <- pair_cells(operands[[1L]], operands[[2L]], call)
  operands
}

# The cells of two costs, matched by name, in the order of the first.
pair_cells <- function(first, second, call) {
  classes <- union(colnames(first), colnames(second))
  if (length(classes)) {
    first <- spread_over(first, classes)
    second <- spread_over(second, classes)
  }
  check_same_names(rownames(second), rownames(first), "Two costs must have the same actions.", call)
  check_same_names(
    colnames(second), colnames(first), "Two costs must have the same true classes.", call
  )
  order <- if (length(classes)) colnames(first) else 1L
  list(first, second[rownames(first), order, drop = FALSE])
}

add_costs <- function(e1, e2, call) {
  cells <- pair_cells(cost_cells(e1, call), cost_cells(e2, call), call)
  rows <- unique(c(attr(e1, "rows"), attr(e2, "rows")))
  if (length(rows) > 1L) {
    abort_argument("One cost has {rows[[1L]]} case{?s}, the other {rows[[2L]]}.", call)
  }
  sums <- map_cells(add_cells, cells[[1L]], cells[[2L]])
  new_cost(sums, call, is_utility(e1) && is_utility(e2), rows)
}

add_cells <- function(x, y) {
  if (is.double(x) && is.double(y)) return(x + y)
  rlang::new_quosure(rlang::call2("+", as_operand(x), as_operand(y)), baseenv())
}

# An array has too many numbers to print in a sum, so the name "(array)" stands for them.
as_operand <- function(cell) {
  if (rlang::is_quosure(cell) || length(cell) == 1L) return(cell)
  rlang::new_quosure(as.name("(array)"), rlang::env(baseenv(), "(array)" = cell))
}

scale_cost <- function(cost, factor, operator, call) {
  sound <- is.numeric(factor) && !is.object(factor) && length(factor) == 1L &&
    is.finite(factor) && factor > 0
  if (!sound) {
    got <- describe_value(factor)
    abort_argument(c(
      "A cost can be multiplied or divided by one positive number, not by {got}.",
      i = "0 would make all actions equal, and a negative number gains of costs: gains are for
           {.fn utility_matrix}."
    ), call)
  }
  factor <- as.double(factor)
  before <- cost_cells(cost, call)
  after <- map_cells(function(cell) {
    if (is.double(cell)) return(get(operator, baseenv())(cell, factor))
    rlang::new_quosure(rlang::call2(operator, cell, factor), baseenv())
  }, before)
  check_in_range(before, after, call)
  new_cost(after, call, is_utility(cost), attr(cost, "rows"))
}

# A multiple of a cost leads to the same decisions only if no number overflows or underflows.
check_in_range <- function(before, after, call) {
  lost <- function(x, y) {
    is.double(y) && any(is.finite(x) != is.finite(y) | (x == 0) != (y == 0), na.rm = TRUE)
  }
  if (!any(mapply(lost, before, after))) return(invisible())
  abort_argument("A cost times this number is too large or too small for a number.", call)
}

#' @export
as.matrix.bayesrisk_cost <- function(x, ...) {
  if (is_case_cost(x)) cells_text(cost_cells(x, environment(), "x")) else unclass_cost(x)
}

# One row per cell, ordered by action.
#' @export
result_rows.bayesrisk_cost <- function(x, call) {
  # knitr::kable() removes the names of the actions before it asks for a data frame.
  if (is.matrix(x) && is.null(rownames(x))) return(as.data.frame(unclass_cost(x)))
  values <- cost_cells(x, call, "x")
  if (is_case_cost(x)) values <- cells_text(values)
  actions <- rownames(values)
  classes <- if (is.null(colnames(values))) NA_character_ else colnames(values)
  data.frame(
    truth = rep(factor(classes, classes[!is.na(classes)]), times = length(actions)),
    decision = rep(factor(actions, actions), each = length(classes)), cost = as.vector(t(values))
  )
}

# A part of a cost, or its transpose, is a plain matrix: it cannot lead to decisions.

#' @export
t.bayesrisk_cost <- function(x) t(unclass_cost(x))

#' @export
`[<-.bayesrisk_cost` <- function(x, ..., value) {
  if (is_case_cost(x)) {
    abort_argument("A cost by case cannot be changed in place: make it again.")
  }
  values <- unclass(x)
  values[...] <- value
  if (!is.numeric(values) || !identical(dim(values), dim(x))) {
    got <- describe_value(value)
    abort_argument("A cost can only be replaced by a number, in its place, not by {got}.")
  }
  new_cost(values, utility = is_utility(x))
}

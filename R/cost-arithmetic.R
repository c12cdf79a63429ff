# What may be reckoned with costs: a sum, a positive multiple, comparisons. By name,
# never by position.

#' @export
Ops.bayesrisk_cost <- function(e1, e2) { # nolint: object_name_linter.
  call <- as.call(c(as.name(.Generic), substitute(e1), if (!missing(e2)) substitute(e2)))
  is_cost <- c(inherits(e1, "bayesrisk_cost"), !missing(e2) && inherits(e2, "bayesrisk_cost"))
  if (.Generic == "+" && all(is_cost)) return(add_costs(e1, e2, call))
  if (.Generic == "*" && !is_cost[[1L]]) return(scale_cost(e2, e1, "*", call))
  if (.Generic %in% c("*", "/") && !is_cost[[2L]]) return(scale_cost(e1, e2, .Generic, call))
  if (.Generic %in% c("==", "!=", "<", "<=", ">", ">=")) {
    plain <- plain_operands(e1, e2, is_cost, call)
    return(get(.Generic, baseenv())(plain[[1L]], plain[[2L]]))
  }
  abort_argument(c(
    "{.code {(.Generic)}} is not defined for costs in this way.",
    i = "Costs are added to costs, multiplied or divided by a positive number, and compared;
         {.fn as.matrix} gives plain numbers."
  ), call)
}

# Both as matrices of numbers, the second in the order of the first.
plain_operands <- function(e1, e2, is_cost, call) {
  if (is_case_cost(e1) || is_case_cost(e2)) {
    abort_argument("Costs by case cannot be compared, except by {.fn identical}.", call)
  }
  operands <- list(e1, e2)
  operands[is_cost] <- lapply(operands[is_cost], check_cost, call = call)
  operands[!is_cost] <- lapply(operands[!is_cost], function(x) {
    if (is.numeric(x) && !is.object(x) && length(x) == 1L) return(as.double(x))
    got <- describe_value(x)
    abort_argument("A cost is compared to a cost or to one number, not to {got}.", call)
  })
  if (all(is_cost)) operands <- pair_costs(operands[[1L]], operands[[2L]], call)
  operands
}

# Matrices of numbers or cells of the same actions and classes, in the first's order.
pair_costs <- function(first, second, call) {
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
  cells <- pair_costs(cost_as_cells(e1, call), cost_as_cells(e2, call), call)
  rows <- unique(c(attr(e1, "rows"), attr(e2, "rows")))
  if (length(rows) > 1L) {
    abort_argument("One cost has {rows[[1L]]} case{?s}, the other {rows[[2L]]}.", call)
  }
  sums <- cells[[1L]]
  sums[] <- Map(add_cells, cells[[1L]], cells[[2L]])
  remake_cost(sums, rows, is_utility(e1) && is_utility(e2), call)
}

add_cells <- function(x, y) {
  if (is.double(x) && is.double(y)) return(x + y)
  rlang::new_quosure(rlang::call2("+", as_operand(x), as_operand(y)), baseenv())
}

# Numbers of an array stand in a sum under a name: they are too many to be read.
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
  cells <- cost_as_cells(cost, call)
  cells[] <- lapply(cells, function(cell) {
    if (is.double(cell)) return(get(operator, baseenv())(cell, factor))
    rlang::new_quosure(rlang::call2(operator, cell, factor), baseenv())
  })
  check_in_range(cost_as_cells(cost, call), cells, call)
  remake_cost(cells, attr(cost, "rows"), is_utility(cost), call)
}

# A multiple decides as the cost itself only while no number leaves the range of doubles.
check_in_range <- function(before, after, call) {
  lost <- function(x, y) {
    is.double(y) && any(is.finite(x) != is.finite(y) | (x == 0) != (y == 0), na.rm = TRUE)
  }
  if (!any(mapply(lost, before, after))) return(invisible())
  abort_argument("A cost times this number is too large or too small for a number.", call)
}

# The cells of any cost, fixed or by case.
cost_as_cells <- function(cost, call, arg = "cost") {
  if (is_case_cost(cost)) return(check_case_cost(cost, call, arg))
  values <- check_cost(cost, call, arg)
  array(as.list(values), dim(values), dimnames(values))
}

remake_cost <- function(cells, rows, utility, call) {
  if (!is.null(rows)) return(new_case_cost(cells, rows, call, utility))
  cost_from_cells(cells, call, utility)
}

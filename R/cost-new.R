# The constructors: actions in rows, classes in columns (or one column without a name:
# whatever is true). A utility is kept as its cost; only its print turns the sign back.

# Cells without a formula are a plain double matrix.
cost_from_cells <- function(cells, call, utility = FALSE) {
  if (!all(vapply(cells, is.double, NA))) return(new_case_cost(cells, NULL, call, utility))
  new_cost(array(unlist(cells), dim(cells), dimnames(cells)), call, utility)
}

new_cost <- function(values, call = rlang::caller_env(), utility = FALSE) {
  dimnames(values) <- cost_axes(values)
  check_cost_numbers(values, call, utility)
  structure(values, class = cost_class(utility))
}

# `rows`: how many cases the array had that the cells are columns of; else NULL.
new_case_cost <- function(cells, rows, call, utility = FALSE) {
  dimnames(cells) <- cost_axes(cells)
  fixed <- cells
  fixed[vapply(cells, rlang::is_quosure, NA) | lengths(cells) != 1L] <- 0
  if (is.null(rows)) {
    check_cost_numbers(array(unlist(fixed), dim(cells), dimnames(cells)), call, utility)
  }
  structure(
    cells, rows = rows,
    class = cost_class(utility, "bayesrisk_case_cost")
  )
}

cost_class <- function(utility, by_case = NULL) {
  c(if (utility) "bayesrisk_utility", by_case, "bayesrisk_cost", "bayesrisk_result")
}

# Names of names, as a named vector of classes has, are dropped.
cost_axes <- function(cells) {
  list(decision = unname(rownames(cells)), truth = unname(colnames(cells)))
}

is_case_cost <- function(cost) inherits(cost, "bayesrisk_case_cost")
is_utility <- function(cost) inherits(cost, "bayesrisk_utility")

# From gains to costs, and back for printing: never -0, and what was turned twice is as
# it was written. Sums and multiples of formulas hold quosures and are turned inside.
turn_sign <- function(cell) {
  if (!rlang::is_quosure(cell)) return(0 - cell)
  turned <- rlang::quo_get_expr(cell)
  if (rlang::is_call(turned, "-", n = 1L)) {
    operand <- turned[[2L]]
    return(if (rlang::is_quosure(operand)) operand else rlang::quo_set_expr(cell, operand))
  }
  made <- is.call(turned) && any(vapply(as.list(turned), rlang::is_quosure, NA))
  if (!made) return(rlang::new_quosure(rlang::call2("-", cell), baseenv()))
  operands <- if (rlang::is_call(turned, "+")) 2:3 else 2L
  turned[operands] <- lapply(as.list(turned[operands]), turn_sign)
  rlang::quo_set_expr(cell, turned)
}

check_cost_numbers <- function(values, call, utility) {
  if (!anyNA(values) && all(values > -Inf)) return(invisible())
  names <- t(cell_names(values))
  shown <- t(if (utility) 0 - values else values)
  bad <- is.na(shown) | is.infinite(shown) & t(values) < 0
  bad <- sprintf("%s for %s", shown[bad], names[bad])
  wanted <- if (utility) "gain must be a number or -Inf" else "cost must be a number or Inf"
  abort_argument(c("Each {wanted}.", x = "Found {bad}."), call)
}

# One row per cell, action by action as they were declared.
cost_cells <- function(values) {
  actions <- rownames(values)
  classes <- if (is.null(colnames(values))) NA_character_ else colnames(values)
  data.frame(
    truth = rep(factor(classes, classes[!is.na(classes)]), times = length(actions)),
    decision = rep(factor(actions, actions), each = length(classes)),
    cost = as.vector(t(values))
  )
}

# How messages call the cells, a matrix as that of the cells.
cell_names <- function(cells) {
  classes <- colnames(cells)
  when <- if (is.null(classes)) "" else sprintf(" when truth is \"%s\"", classes)
  outer(sprintf("\"%s\"", rownames(cells)), when, paste0)
}

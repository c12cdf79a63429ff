# The class of costs: a matrix of cells, actions in rows and true classes in columns. A single
# column without a name holds for every class. A cell is a number, a formula (kept as a quosure)
# or, from an array, one number per case. A cost of plain numbers is a double matrix. Any other
# cost is a list with dimensions. A utility is stored as a cost.

# `rows`: the number of cases if the cost comes from an array, else NULL.
new_cost <- function(cells, call = rlang::caller_env(), utility = FALSE, rows = NULL) {
  # unname(): a vector of names may have names itself.
  dimnames(cells) <- list(decision = unname(rownames(cells)), truth = unname(colnames(cells)))
  one_number <- is_one_number(cells)
  if (is.null(rows)) check_cost_numbers(cells, one_number, call, utility)
  by_case <- !is.null(rows) || !all(one_number)
  if (!by_case) cells <- number_matrix(cells)
  structure(
    cells, rows = rows, version = package_version_string,
    class = c(
      if (utility) "bayesrisk_utility", if (by_case) "bayesrisk_case_cost", "bayesrisk_cost",
      "bayesrisk_result"
    )
  )
}

is_case_cost <- function(cost) inherits(cost, "bayesrisk_case_cost")

is_one_number <- function(cells) {
  if (!is.list(cells)) return(rep(TRUE, length(cells)))
  vapply(cells, is.numeric, NA) & lengths(cells) == 1L
}

# Applies `f` to each cell, or to the cells of two costs in pairs.
map_cells <- function(f, cells, ...) {
  array(mapply(f, cells, ..., SIMPLIFY = FALSE, USE.NAMES = FALSE), dim(cells), dimnames(cells))
}

number_matrix <- function(cells) {
  array(as.double(unlist(cells)), dim(cells), dimnames(cells))
}

check_cost_numbers <- function(cells, one_number, call, utility) {
  cells[!one_number] <- 0
  values <- number_matrix(cells)
  if (!anyNA(values) && all(values > -Inf)) return(invisible())
  names <- t(cell_names(values))
  shown <- t(if (utility) 0 - values else values)
  bad <- is.na(shown) | is.infinite(shown) & t(values) < 0
  bad <- sprintf("%s for %s", shown[bad], names[bad])
  wanted <- if (utility) "gain must be a number or -Inf" else "cost must be a number or Inf"
  abort_argument(c("Each {wanted}.", x = "Found {bad}."), call)
}

# A matrix of the names of the cells, for messages.
cell_names <- function(cells) {
  classes <- colnames(cells)
  when <- if (is.null(classes)) "" else sprintf(" when truth is \"%s\"", classes)
  outer(sprintf("\"%s\"", rownames(cells)), when, paste0)
}

# The cells of a user's cost. They are checked: the user may have changed the object, for example
# by dim<-.
cost_cells <- function(cost, call, arg = "cost") {
  cost <- check_is_cost(cost, call, arg)
  rows <- attr(cost, "rows")
  cells <- unclass_cost(cost)
  sound <- is_cost_shape(cells) && if (is_case_cost(cost)) {
    is.list(cells) && all(vapply(cells, function(cell) {
      rlang::is_quosure(cell) || (is.double(cell) && length(cell) %in% c(1L, rows))
    }, NA))
  } else {
    is.double(cells) && !anyNA(cells) && all(cells > -Inf)
  }
  if (sound) return(cells)
  abort_argument(c(
    "{.arg {arg}} is no longer a sound cost: it was changed after it was made.",
    i = "Make it again with {.fn cost_matrix}, or from its numbers with {.fn as_cost_matrix}."
  ), call)
}

# The cells of a cost that is equal for all cases, as a plain matrix of numbers.
fixed_cells <- function(cost, call, arg = "cost") {
  cost <- check_is_cost(cost, call, arg)
  if (!is_case_cost(cost)) return(cost_cells(cost, call, arg))
  abort_argument(c(
    "{.arg {arg}} differs from case to case, but this function needs one cost for all cases.",
    i = "Costs by case are for {.fn decide}, {.fn cost_sweep} and {.fn next_feature}, and for
         {.fn assess_decisions} and {.fn cv_risk} where the truth is known."
  ), call)
}

check_is_cost <- function(cost, call, arg = "cost") {
  if (inherits(cost, "bayesrisk_cost")) return(invisible(up_to_date(cost, "cost", call)))
  check_places(call)
  abort_wanted(cost, arg, "made by {.fn cost_matrix} or {.fn zero_one_cost}", call, c(
    i = if (length(dim(cost)) == 2L) {
      "Say what its rows are: {.code as_cost_matrix(m, rows = \"decision\")} or {.val truth}."
    }
  ))
}

is_cost_shape <- function(cells) {
  length(dim(cells)) == 2L && length(cells) > 0L &&
    identical(names(dimnames(cells)), c("decision", "truth")) &&
    !anyDuplicated(rownames(cells)) && !anyDuplicated(colnames(cells)) &&
    !is.null(rownames(cells)) && (!is.null(colnames(cells)) || ncol(cells) == 1L)
}

unclass_cost <- function(cost) {
  attr(cost, "rows") <- attr(cost, "version") <- NULL
  unclass(cost)
}

# A cost that names no class is repeated for each of `classes`.
spread_over <- function(cells, classes) {
  if (!is.null(colnames(cells))) return(cells)
  matrix(
    cells, nrow(cells), length(classes),
    dimnames = list(decision = rownames(cells), truth = classes)
  )
}

# Turns gains into costs, and costs into gains for printing. The result is never -0. Turning twice
# gives the original cell. A sum of cells with formulas, or a multiple of such a cell, contains
# these cells as its operands. They are turned one by one, and the factor of a multiple stays.
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

# The cost that each cell of `table` (truth x decision) adds to the total. The table holds cases or
# probabilities. `values`: the cost matrix, actions x classes. An empty cell adds 0, even if its
# cost is infinite or unknown.
cell_costs <- function(table, values) {
  met <- which(table > 0, arr.ind = TRUE)
  decisions <- colnames(table)[met[, 2L]]
  costs <- array(0, dim(table), dimnames(table))
  costs[met] <- table[met] * values[cbind(decisions, rownames(table)[met[, 1L]])]
  costs
}

# Costs as text: sentences, or a table if there would be too many sentences.

#' @export
format.bayesrisk_cost <- function(x, digits = NULL, ...) {
  digits <- check_digits(digits, default = getOption("digits"))
  cells <- shown_cells(x, environment())
  said <- matrix(vapply(cells, say_cell, "", is_utility(x), digits), nrow(cells))
  sentences <- lapply(seq_len(nrow(cells)), function(a) {
    action <- rownames(cells)[[a]]
    # A cost that names no class always takes this branch.
    if (is.null(colnames(cells)) || (ncol(cells) > 1L && all_same(cells[a, ]))) {
      return(sprintf("deciding %s %s whatever is true", action, said[[a, 1L]]))
    }
    sprintf("deciding %s when truth is %s %s", action, colnames(cells), said[a, ])
  })
  unlist(sentences)
}

# Says a cell as a cost or a gain. A negative cost is said as a gain, a negative gain as a cost.
say_cell <- function(cell, gains, digits) {
  known <- if (is.numeric(cell)) cell[!is.na(cell)]
  negative <- length(known) > 0L && all(known <= 0) && any(known < 0)
  if (negative) cell <- 0 - cell
  paste(if (gains == negative) "costs" else "gains", cell_text(cell, digits))
}

all_same <- function(cells) all(vapply(cells, identical, NA, cells[[1L]]))

#' @export
describe.bayesrisk_cost <- function(x, show) {
  cells <- shown_cells(x, show$call)
  kind <- if (is_utility(x)) "utility" else "cost"
  if (is_case_cost(x)) kind <- paste(kind, "by case")
  classes <- length(colnames(cells))
  title <- c(
    paste(kind, "of", count_of(nrow(cells), "action", "actions")),
    if (classes) count_of(classes, "true class", "true classes")
  )
  few <- length(cells) <= 12L
  list(
    title_item(toString(title)),
    if (few || !classes) {
      answers_item(format(x, digits = show$given_digits), c("action", "actions"))
    },
    if (classes) cost_table(cells, show$given_digits)
  )
}

# Actions in rows, the first classes in columns.
cost_table <- function(cells, digits) {
  classes <- ncol(cells)
  cut <- if (classes > 12L) {
    sprintf("the first 12 of %s true classes", format_count(classes))
  }
  cells <- cells[, seq_len(min(classes, 12L)), drop = FALSE]
  cells <- if (all(is_one_number(cells))) number_matrix(cells) else cells_text(cells, digits)
  table_item(cells, c("action", "actions"), caption = cut, digits = digits)
}

# The cells as the user wrote them: costs, or gains if the cost is a utility.
shown_cells <- function(x, call) {
  cells <- cost_cells(x, call, "x")
  if (is_utility(x)) map_cells(turn_sign, cells) else cells
}

cells_text <- function(cells, digits = NULL) {
  array(vapply(cells, cell_text, "", digits = digits), dim(cells), dimnames(cells))
}

# A cell as text: a number, a formula as it was written, or the range of the numbers of all cases.
cell_text <- function(cell, digits = NULL) {
  if (rlang::is_quosure(cell)) {
    lines <- rlang::expr_deparse(rlang::quo_squash(cell), width = 500L)
    return(paste0("~", paste(lines, collapse = " ")))
  }
  known <- if (length(cell) == 1L) cell else cell[!is.na(cell)]
  if (!length(known)) return("NA")
  paste(unique(vapply(range(known), format, "", digits = digits)), collapse = " to ")
}

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

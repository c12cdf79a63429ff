# read_cost() turns a user's cost into the internal form that all later code uses. Its classes are
# in the model's order. Its elements:
# * actions, classes: names;
# * class_of: for each action, the position of the class of the same name, 0 if there is none;
# * fixed: a numeric matrix, actions x classes, with 0 in each cell that differs by case;
# * by_case: for the cells that differ by case, their positions in `fixed`, and one number per case;
# * origin: the user's own cost.

# `cost`: NULL for 0-1 cost. `data`: formulas are computed from its columns. `rows`: the number of
# cases; NULL if one cost for all cases is needed. `arg`: the caller's name for `data`. A formula
# may give NA or NaN for a case with missing data.
read_cost <- function(cost, classes, data = NULL, rows = NULL, call, arg = "newdata") {
  if (is.null(cost)) cost <- zero_one_cost(classes)
  cells <- if (is.null(rows)) fixed_cells(cost, call) else cost_cells(cost, call)
  if (is_case_cost(cost)) {
    given <- attr(cost, "rows")
    if (!is.null(given) && given != rows) {
      abort_argument(
        "{.arg cost} is an array of {given} case{?s}, and {rows} {cli::qty(rows)}{?is/are} to be
         decided.", call
      )
    }
    cells <- evaluate_cells(cells, data, rows, call, arg)
  }
  cells <- match_truths(spread_over(cells, classes), classes, call)
  varying <- which(lengths(cells) != 1L)
  by_case <- list(cell = varying, value = as.list(cells[varying]))
  cells[varying] <- 0
  new_read_cost(number_matrix(cells), by_case, cost)
}

# The cells with the classes in the model's order.
match_truths <- function(cells, classes, call) {
  if (identical(colnames(cells), classes)) return(cells)
  check_not_transposed(cells, classes, call)
  check_same_names(
    colnames(cells), classes,
    cli::format_inline("{.arg cost} must name the model's classes, {.val {classes}}."), call,
    hint = cost_order
  )
  cells[, classes, drop = FALSE]
}

cost_order <- "Each argument of a cost is an action; what it costs is named by the true class."

# Names of actions that are no class in any data.
abstentions <- c("reject", "abstain", "refer", "ask", "review", "defer")

# Stops if the names of the actions are the model's classes, but the names of the classes are not:
# the cost is transposed.
check_not_transposed <- function(cells, classes, call) {
  truths <- colnames(cells)
  # The same names in other letters are misspelt classes.
  apart <- !any(lower_case(truths) %in% lower_case(classes))
  extra <- setdiff(truths, classes)
  abstains <- length(extra) && all(classes %in% truths) && all(lower_case(extra) %in% abstentions)
  if (!setequal(rownames(cells), classes) || !(apart || abstains)) return(invisible())
  abort_argument(c(
    "{.arg cost} is transposed: it names the classes {.val {classes}} as actions, and the actions
     {.val {colnames(cells)}} as classes.",
    i = cost_order
  ), call)
}

new_read_cost <- function(fixed, by_case, origin) {
  actions <- rownames(fixed)
  classes <- colnames(fixed)
  structure(
    list(
      actions = actions, classes = classes, class_of = match(actions, classes, nomatch = 0L),
      fixed = fixed, by_case = by_case, origin = origin
    ),
    class = "bayesrisk_read_cost"
  )
}

# The same cost with its classes in another order. For costs that are equal for all cases.
reorder_cost <- function(cost, classes) {
  new_read_cost(cost$fixed[, classes, drop = FALSE], cost$by_case, cost$origin)
}

# The cost of one case.
cost_of_case <- function(cost, i) {
  cost$fixed[cost$by_case$cell] <- vapply(cost$by_case$value, `[[`, 1, i)
  cost$by_case <- list(cell = integer(), value = list())
  cost
}

# The cells of an internal cost as a list in column order. A cell is one number, or one per case.
all_cells <- function(cost) {
  cells <- as.list(c(cost$fixed))
  cells[cost$by_case$cell] <- cost$by_case$value
  cells
}

# The cost that a result keeps, with classes in the model's order. NULL if it differs by case.
kept_cost <- function(cost) {
  if (!is_case_cost(cost$origin)) new_cost(cost$fixed, utility = is_utility(cost$origin))
}

# The classes that a user's cost names. NULL without a cost, or if the cost names no class.
cost_classes <- function(cost, call) {
  if (!is.null(cost)) check_is_cost(cost, call)
  colnames(cost)
}

# Replaces formulas by their values.
evaluate_cells <- function(cells, data, rows, call, arg) {
  by_formula <- vapply(cells, rlang::is_quosure, NA)
  if (!any(by_formula)) return(cells)
  container <- cost_container(data, rows, call, arg)
  cells[by_formula] <- Map(
    function(cell, where) evaluate_cell(cell, where, container, call, arg),
    cells[by_formula], cell_names(cells)[by_formula]
  )
  cells
}

cost_container <- function(data, rows, call, arg) {
  if (is.null(data)) {
    abort_argument(c(
      "{.arg {arg}} is needed: {.arg cost} is computed from its columns.",
      i = "Give the cases in a data frame, one row each."
    ), call)
  }
  container_of_cases(data, rows, arg, abort_schema, call)
}

# The container of the rows of cases. `rows`: the number of the cases.
container_of_cases <- function(data, rows, arg, abort, call) {
  container <- read_container(data, arg, abort, call)
  if (container$rows == rows) return(container)
  abort("{.arg {arg}} has {container$rows} row{?s} for {rows} case{?s}.", call)
}

# The value of a formula: one number, or one per case. If the evaluation fails, the names of the
# formula are looked up, because most failures come from a name that is neither a column nor a
# variable.
evaluate_cell <- function(cell, where, container, call, arg) {
  check_kept_cell(cell, where, container$names, call)
  columns <- named_columns(cell, container, call, arg)
  this <- cli::format_inline("The cost {.code {cell_text(cell)}} of {where}")
  value <- tryCatch(rlang::eval_tidy(cell, columns), error = function(e) {
    check_cell_names(cell, where, container, call, arg)
    reason <- conditionMessage(e)
    abort_schema("{this} cannot be computed: {reason}", call)
  })
  unknown <- is.logical(value) && all(is.na(value))
  if (is.object(value) || !is.null(dim(value)) || !(is.numeric(value) || unknown)) {
    check_cell_names(cell, where, container, call, arg)
    got <- describe_value(value)
    abort_schema("{this} must be numbers, not {got}.", call)
  }
  if (!length(value) %in% c(1L, container$rows)) {
    abort_schema("{this} has {length(value)} value{?s} for {container$rows} row{?s}.", call)
  }
  below <- sum(value == -Inf, na.rm = TRUE)
  if (below > 0L) {
    abort_schema("{this} is -Inf in {below} row{?s}; it must be a number, Inf or missing.", call)
  }
  check_cell_alone(cell, container$rows, columns, call)
  as.double(value)
}

# Stops if the cost of a row depends on other rows, whose formulas are checked one by one: a sum may
# also have the numbers of an array, one for each row.
check_cell_alone <- function(cell, rows, columns, call) {
  parts <- Filter(rlang::is_quosure, as.list(rlang::quo_get_expr(cell)))
  for (part in parts) check_cell_alone(part, rows, columns, call)
  if (rows < 2L || length(parts) || identical(rlang::quo_get_expr(cell), quote(`(array)`))) {
    return(invisible())
  }
  value <- as.double(rlang::eval_tidy(cell, columns))
  used <- intersect(c(names(columns), ".data"), all.vars(rlang::quo_get_expr(cell)))
  if (!length(used) && length(value) == 1L) return(invisible())
  value <- rep_len(value, rows)
  other <- dependent_row(value, columns, function(of_row) rlang::eval_tidy(cell, of_row))
  if (is.null(other)) return(invisible())
  abort_dependent(cell_text(cell), why_dependent(other, value), call, abort_schema, remedy_of_cost)
}

remedy_of_cost <- c(
  i = "The decision of a row must not depend on other rows.",
  i = "Compute such numbers once, for example {.code m <- mean(data$x)}, and use them in the
       formula: {.code ~ x / m}. Or make the cost a column of the data."
)

# The columns that a quosure names, or all columns if it uses `.data`.
named_columns <- function(quosure, container, call, arg) {
  wanted <- all.vars(rlang::quo_squash(quosure))
  used <- intersect(container$names, wanted)
  check_column_names(container$names, used, arg, abort_schema, call)
  if (".data" %in% wanted) used <- unique(container$names[nzchar(container$names)])
  container_list(container, used)
}

check_cell_names <- function(cell, where, container, call, arg) {
  unknown <- unique(unknown_names(cell, baseenv(), container$names))
  if (!length(unknown)) return(invisible())
  abort_unknown(
    "{.arg {arg}} has no column {.field {unknown}}, which the cost of {where} needs.",
    unknown, container$names, "Its columns: {.field {utils::head(container$names, 20L)}}.", call,
    abort_schema
  )
}

# Names in a formula that are neither columns nor variables of the formula's environment. A
# function is not a variable, so a missing column named `df` or `c` is reported.
unknown_names <- function(expression, enclosure, columns) {
  if (rlang::is_quosure(expression)) {
    enclosure <- rlang::quo_get_env(expression)
    return(unknown_names(rlang::quo_get_expr(expression), enclosure, columns))
  }
  if (is.call(expression)) {
    operands <- as.list(expression)[-1L]
    if (rlang::is_call(expression, c("$", "@"))) operands <- operands[1L]
    return(unlist(lapply(operands, unknown_names, enclosure, columns)))
  }
  if (!is.name(expression)) return(NULL)
  name <- as.character(expression)
  if (!nzchar(name) || name %in% c(columns, ".data", ".env")) return(NULL)
  found <- get0(name, enclosure)
  if (is.null(found) || is.function(found)) name
}

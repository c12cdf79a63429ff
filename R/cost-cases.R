# Costs that differ from case to case: cells as of read_actions(), where a quosure is
# evaluated in new data, or a column of an array, one number for each of `rows` cases.

# The cells of a case cost for `rows` cases: each a double vector of length 1 or `rows`,
# actions fastest, classes in the order of `classes`. A cost may be NA or NaN where the
# data are: what such a row is decided is up to the caller.
case_cost_cells <- function(cost, classes, data, rows, call, arg = "newdata") {
  values <- check_case_cost(cost, call)
  check_case_rows(attr(cost, "rows"), rows, call)
  by_formula <- vapply(values, rlang::is_quosure, NA)
  if (any(by_formula)) {
    container <- cost_container(data, rows, call, arg)
    values[by_formula] <- Map(
      function(cell, where) evaluate_cell(cell, where, container, call, arg),
      values[by_formula], cell_names(values)[by_formula]
    )
  }
  values <- align_classes(values, classes, call)
  list(actions = rownames(values), cells = c(values))
}

# The list of cells, sound.
check_case_cost <- function(cost, call, arg = "cost") {
  check_is_cost(cost, call, arg)
  rows <- attr(cost, "rows")
  cells <- unclass(cost)
  attr(cells, "rows") <- NULL
  sizes <- c(1L, rows)
  sound <- is.list(cells) && is_cost_shape(cells) && all(vapply(cells, function(cell) {
    rlang::is_quosure(cell) || (is.double(cell) && length(cell) %in% sizes)
  }, NA))
  if (sound) cells else abort_unsound(call, arg)
}

check_case_rows <- function(given, rows, call) {
  if (is.null(given) || given == rows) return(invisible())
  abort_argument(
    "{.arg cost} is an array of {given} case{?s}, and {rows} {cli::qty(rows)}{?is/are} to be
     decided.",
    call
  )
}

cost_container <- function(data, rows, call, arg) {
  if (is.null(data)) {
    abort_argument(c(
      "{.arg {arg}} is needed: {.arg cost} is computed from its columns.",
      i = "Give the cases in a data frame, one row each."
    ), call)
  }
  container <- read_container(data, arg, abort_schema, call)
  if (container$rows != rows) {
    abort_schema("{.arg {arg}} has {container$rows} row{?s} for {rows} case{?s}.", call)
  }
  container
}

# The value of a formula, 1 or one per case. What is wrong is looked for when something
# is: a name that is neither a column nor a variable explains most failures.
evaluate_cell <- function(cell, where, container, call, arg) {
  columns <- cost_columns(cell, container, call, arg)
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
  as.double(value)
}

# The columns that a formula may ask for: those it names, or all through `.data`.
cost_columns <- function(cell, container, call, arg) {
  wanted <- all.vars(rlang::quo_squash(cell))
  used <- intersect(container$names, wanted)
  check_column_names(container$names, used, arg, abort_schema, call)
  if (".data" %in% wanted) used <- unique(container$names[nzchar(container$names)])
  container_list(container, used)
}

check_cell_names <- function(cell, where, container, call, arg) {
  unknown <- unique(unknown_names(cell, baseenv(), container$names))
  if (!length(unknown)) return(invisible())
  guesses <- likely_misspellings(unknown, container$names)
  abort_schema(c(
    "{.arg {arg}} has no column {.field {unknown}}, which the cost of {where} needs.",
    i = if (length(guesses)) "Perhaps misspelt: {guesses}.",
    i = "Its columns: {.field {utils::head(container$names, 20L)}}."
  ), call)
}

# Names that are neither in the data nor variables where the formula was written. A
# function is none: a column called `df` or `c` that is missing must be missed.
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

# A cost as the doors take it: a matrix, or the cells of costs by case; 0-1 cost for NULL.
# `arg`: what the caller calls `data`.
cost_of_cases <- function(cost, classes, data, rows, call, arg = "newdata") {
  if (is.null(cost)) cost <- zero_one_cost(classes)
  if (is_case_cost(cost)) return(case_cost_cells(cost, classes, data, rows, call, arg))
  align_cost(cost, classes, call)
}

cost_actions <- function(cost) if (is.matrix(cost)) rownames(cost) else cost$actions

# What a result says of the cost it was reckoned with (as the doors took it): nothing if it
# differs by case; a utility if one was given.
kept_cost <- function(cost, given) {
  if (is.matrix(cost)) new_cost(cost, utility = is_utility(given))
}

predict_cost <- function(object, type, cost, call) {
  if (!type %in% c("cost", "decision")) return(NULL)
  if (is.null(cost)) cost <- zero_one_cost(object$schema$classes$levels)
  align_cost(cost, object$schema$classes$levels, call)
}

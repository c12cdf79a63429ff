# The arguments of cost_matrix() as cells: a list with dimensions, actions x classes,
# each cell one double or a quosure to be evaluated in the columns of new data.

read_actions <- function(actions, call) {
  rows <- Map(function(costs, action) read_action(costs, action, call), actions, names(actions))
  by_class <- Filter(function(row) !is.null(names(row)), rows)
  check_actions_agree(by_class, call)
  classes <- if (length(by_class)) names(by_class[[1L]])
  # A scalar has no names to be indexed by: it is the cost in every column.
  cells <- lapply(rows, function(row) {
    if (is.null(names(row))) rep(row, max(1L, length(classes))) else row[classes]
  })
  matrix(
    unlist(cells, recursive = FALSE, use.names = FALSE),
    nrow = length(rows), byrow = TRUE, dimnames = list(decision = names(rows), truth = classes)
  )
}

# One action's costs: cells named by true class, or one nameless cell.
read_action <- function(costs, action, call) {
  if (rlang::is_formula(costs)) costs <- list(costs)
  if (is_plain_list(costs)) {
    cells <- read_cells(costs, action, call)
  } else {
    if (!is.numeric(costs) || is.object(costs) || !is.null(dim(costs)) || !length(costs)) {
      abort_action(costs, action, call)
    }
    cells <- as.list(costs)
    cells[] <- lapply(cells, as.double)
  }
  if (is.null(names(cells)) && length(cells) == 1L) return(cells)
  check_labels(
    names(cells), cli::format_inline("The costs of action {.val {action}}"), call,
    hint = "Name each cost by its true class; one number alone holds whatever is true."
  )
  cells
}

is_plain_list <- function(x) is.list(x) && !is.object(x) && length(x) > 0L

abort_action <- function(costs, action, call) {
  got <- describe_value(costs)
  abort_argument(c(
    "Action {.val {action}} must hold costs named by the true class, or one number, not {got}.",
    i = "For example {.code wait = c(ill = 50, healthy = 0)} or {.code refer = 2}.",
    i = "A cost by case is a formula: {.code pay = list(fraud = ~ amount, ok = 0)}."
  ), call)
}

read_cells <- function(costs, action, call) {
  places <- if (is.null(names(costs))) seq_along(costs) else names(costs)
  cells <- Map(function(cost, place) read_cell(cost, place, action, call), costs, places)
  stats::setNames(cells, names(costs))
}

read_cell <- function(cost, place, action, call) {
  if (rlang::is_formula(cost)) return(read_cost_formula(cost, place, action, call))
  if (is.numeric(cost) && !is.object(cost) && length(cost) == 1L) return(as.double(cost))
  got <- describe_value(cost)
  abort_argument(
    "Cost {.val {place}} of action {.val {action}} must be one number or a formula, not {got}.",
    call
  )
}

read_cost_formula <- function(cost, place, action, call) {
  if (!is.null(rlang::f_lhs(cost))) {
    written <- rlang::as_label(cost)
    abort_argument(c(
      "Cost {.val {place}} of action {.val {action}} has two sides, {.code {written}}.",
      i = "A cost by case has one side: {.code ~ amount}."
    ), call)
  }
  enclosure <- rlang::f_env(cost)
  rlang::new_quosure(rlang::f_rhs(cost), if (is.null(enclosure)) globalenv() else enclosure)
}

check_actions_agree <- function(by_class, call) {
  for (action in names(by_class)[-1L]) {
    first <- names(by_class)[[1L]]
    check_same_names(
      names(by_class[[action]]), names(by_class[[first]]),
      cli::format_inline(
        "Action {.val {action}} must name the same true classes as action {.val {first}}."
      ),
      call
    )
  }
}

# The only constructors: actions in rows, classes in columns (or one column without a
# name: whatever is true). Cells without a formula are a plain double matrix.
cost_from_cells <- function(cells, call) {
  if (!all(vapply(cells, is.double, NA))) return(new_case_cost(cells, call = call))
  new_cost(array(unlist(cells), dim(cells), dimnames(cells)), call)
}

new_cost <- function(values, call = rlang::caller_env()) {
  names(dimnames(values)) <- c("decision", "truth")
  check_numbers_of_cost(values, call)
  structure(values, class = "bayesrisk_cost")
}

check_numbers_of_cost <- function(values, call) {
  if (!anyNA(values) && all(values > -Inf)) return(invisible())
  cells <- cost_cells(values)
  bad <- which(is.na(cells$cost) | cells$cost == -Inf)
  bad <- sprintf("%s for %s", cells$cost[bad], cell_names(values)[bad])
  abort_argument(c("Each cost must be a number or Inf.", x = "Found {bad}."), call)
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

# How a message calls each cell, in the order of cost_cells().
cell_names <- function(values) {
  when <- if (is.null(colnames(values))) "" else sprintf(" when truth is \"%s\"", colnames(values))
  as.vector(outer(when, sprintf("\"%s\"", rownames(values)), function(x, y) paste0(y, x)))
}

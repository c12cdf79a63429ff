# The arguments of cost_matrix() and utility_matrix() as cells: a list with dimensions,
# actions x classes, each cell one double or a quosure to be evaluated in new data.

# Any name may be an action, so there is no argument beside the dots, here and in
# list2(). That stops at an empty argument without saying which action it is.
list_actions <- function(...) {
  call <- rlang::caller_env()
  given <- as.list(substitute(list(...)))[-1L]
  empty <- vapply(given, identical, NA, rlang::missing_arg())
  labels <- rlang::names2(given)
  if (any(empty & nzchar(labels))) {
    abort_argument("Action{?s} {.val {labels[empty]}} {?is/are} empty.", call)
  }
  # Only the last comma may have nothing behind it.
  gap <- any(utils::head(empty, -1L))
  actions <- if (!gap) rlang::list2(...)
  check_labels(
    names(actions), "The arguments are actions; they", call,
    hint = "Write `wait = c(ill = 50, healthy = 0)`; a matrix is for `as_cost_matrix()`."
  )
  actions
}

read_actions <- function(actions, call) {
  rows <- Map(function(values, action) read_action(values, action, call), actions, names(actions))
  by_class <- Filter(function(row) !is.null(names(row)), rows)
  check_actions_agree(by_class, call)
  classes <- if (length(by_class)) names(by_class[[1L]])
  # A scalar has no names to be indexed by: it stands in every column.
  cells <- lapply(rows, function(row) {
    if (is.null(names(row))) rep(row, max(1L, length(classes))) else row[classes]
  })
  matrix(
    unlist(cells, recursive = FALSE, use.names = FALSE),
    nrow = length(rows), byrow = TRUE, dimnames = list(decision = names(rows), truth = classes)
  )
}

# One action's cells, named by true class, or one nameless cell.
read_action <- function(values, action, call) {
  if (rlang::is_formula(values)) values <- list(values)
  cells <- if (is.list(values) && !is.object(values)) {
    Map(function(value, place) read_cell(value, place, action, call), values, places_of(values))
  } else if (is.numeric(values) && !is.object(values) && is.null(dim(values))) {
    lapply(values, as.double)
  }
  if (!length(cells)) {
    got <- describe_value(values)
    abort_argument(c(
      "Action {.val {action}} must hold numbers named by the true class, or one number, not {got}.",
      i = "For example {.code wait = c(ill = 50, healthy = 0)} or {.code refer = 2}.",
      i = "What differs by case is a formula: {.code pay = list(fraud = ~ amount, ok = 0)}."
    ), call)
  }
  names(cells) <- names(values)
  if (is.null(names(cells)) && length(cells) == 1L) return(cells)
  check_labels(
    names(cells), cli::format_inline("The numbers of action {.val {action}}"), call,
    hint = "Name each by its true class; one number alone holds whatever is true."
  )
  cells
}

places_of <- function(values) if (is.null(names(values))) seq_along(values) else names(values)

read_cell <- function(value, place, action, call) {
  if (rlang::is_formula(value)) return(read_cell_formula(value, place, action, call))
  if (is.numeric(value) && !is.object(value) && length(value) == 1L) return(as.double(value))
  got <- describe_value(value)
  abort_argument(
    "Entry {.val {place}} of action {.val {action}} must be one number or a formula, not {got}.",
    call
  )
}

read_cell_formula <- function(value, place, action, call) {
  if (!is.null(rlang::f_lhs(value))) {
    written <- rlang::as_label(value)
    abort_argument(c(
      "Entry {.val {place}} of action {.val {action}} has two sides, {.code {written}}.",
      i = "What differs by case has one side: {.code ~ amount}."
    ), call)
  }
  enclosure <- rlang::f_env(value)
  rlang::new_quosure(rlang::f_rhs(value), if (is.null(enclosure)) globalenv() else enclosure)
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

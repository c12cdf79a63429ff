#' Costs of actions by true class
#'
#' `cost_matrix()` has one argument per **action**. Each argument holds the costs of that action,
#' named by the **true class**. A cost prints as sentences. Actions need not be classes: an action
#' can also be to refer a case to a specialist, to abstain, or to ask for another test.
#'
#' @param ... One argument per action, `action = costs`. `costs` is a named numeric vector, or a
#'   named list of numbers and formulas, with one cost for each true class. One number or formula
#'   without a name is the cost under every class. All actions with named costs name the same
#'   classes, in any order. The first of these actions sets the order of the classes. A list of
#'   actions can be spliced with `!!!`. There are no other arguments, so any name may be an action.
#'
#'   All costs have the same unit, which is free. Negative costs are gains, and print so: see
#'   [utility_matrix()]. A cost of `Inf` rules
#'   the action out where its class is possible. `NA`, `NaN` and `-Inf` are errors.
#'
#' @details
#' The decision is the action \eqn{a} of smallest expected cost
#' \eqn{\sum_k p(k \mid x)\, C(a, k)}{sum_k p(k | x) C(a, k)}. The lectures call the expected cost
#' the conditional risk, and write \eqn{\lambda_{ij}}{lambda_ij} or \eqn{l_{ij}}{l_ij} for
#' \eqn{C(a, k)}: decision in the row, truth in the column, as here. The order of the actions
#' matters only in a tie: the action declared first is taken.
#'
#' If every action has a single number, the cost names no class, and it can be used with any model.
#' If these numbers differ, the decision never depends on the case: a warning says so.
#'
#' @section Costs by case:
#' A cost may be a one-sided formula, `pay = list(fraud = ~ amount, ok = 0)`. Its names are columns
#' of `newdata`, or variables of the formula's environment. `.data$amount` is always a column,
#' `.env$fee` always a variable. A cost keeps the values that these variables have when it is made,
#' numbers and text, up to 100 values of each name, and nothing else of the environment. Your own
#' functions are looked up from the global environment, or from the package that makes the cost. A
#' formula that needs more than that is an error when the cost is used.
#' The value is one number for each case, or one for all. It must not depend on other cases, as
#' `~ amount / mean(amount)` and `~ max(amount, 20)` do; the larger of two numbers is
#' `~ pmax(amount, 20)`. For a vector of numbers, one for each case, make it a column.
#' A case with a missing value (`NA`, `NaN`) stays undecided. A value of `-Inf`, or a column that
#' `newdata` lacks, is an error of class `bayesrisk_error_schema`. A cost by case is an error in
#' functions that need one cost for all cases, such as [expected_cost()]. For costs in an array,
#' see [as_cost_matrix()].
#'
#' @section Warnings:
#' `cost_matrix()`, [utility_matrix()] and [as_cost_matrix()] check a cost. A warning does not
#' change the cost. Its reason is often a transposed matrix.
#'
#' * `bayesrisk_warning_constant`: the costs of the actions differ, and no action names a true
#'   class.
#'   Then the decision is always the action of smallest cost. `cost_matrix(FP = 1, FN = 5)` is such
#'   a cost: its arguments are errors, not actions.
#' * `bayesrisk_warning_never_best`: an action is never worth taking, for one of three reasons. It
#'   has the same costs as an action declared before it. Or it never costs less than one other
#'   action, and costs more when some class is true. Or at each posterior at least one other action
#'   costs no more; which one depends on the posterior. For example, if both errors cost 10, a
#'   referral at 5 never pays. This third check solves a linear programme per action, and only for
#'   costs of up to 1,000 numbers.
#' * `bayesrisk_warning_unreasonable`: the action named like a class costs more than another
#'   action when that class is true (Elkan's reasonableness).
#'
#' Costs by case are not checked.
#'
#' @section Arithmetic of costs:
#' `a + b` adds two costs of the same actions and classes by name, for example a fee and a loss.
#' `a * 100` and `a / 100` change the unit. The factor must be positive; decisions stay the same.
#' These operators also take costs by case. `a == b`, `a < b` and the other comparisons work cell
#' by cell, matched by name. Other operators are errors: [as.matrix()] gives plain numbers.
#'
#' @return A `bayesrisk_cost`: a double matrix, actions in rows and true classes in columns, with
#'   `dimnames` named `decision` and `truth`. It prints as sentences. [as.matrix()] and
#'   [as.data.frame()] (columns `truth`, `decision`, `cost`) give plain numbers, as does a part
#'   taken with `[`. A cost without named classes is a matrix of one column without a name. A cost
#'   with a formula also has class `bayesrisk_case_cost`. Its [as.matrix()] and [as.data.frame()]
#'   hold text, with formulas as they were written.
#'
#'   Errors are of class `bayesrisk_error_argument`: an action without a name or
#'   named twice, a class that one action names and another does not (the error suggests the likely
#'   name), a cost that is no number.
#'
#' @references
#' C. Elkan (2001), The foundations of cost-sensitive learning, *Proceedings of
#' the 17th International Joint Conference on Artificial Intelligence*, 973-978
#' (rows: decision, columns: truth; reasonable costs, dominated rows, costs that
#' depend on the case; costs against benefits).
#'
#' Lectures "Bayesian Learning" (Galili, Shamir, Yakhini) and "Applied Machine
#' Learning Fundamentals, Unit III: Bayesian Decision Theory" (Wehner).
#'
#' @seealso [utility_matrix()] for gains, [as_cost_matrix()] for an existing matrix or table,
#'   [zero_one_cost()], [expected_cost()].
#' @export
#' @examples
#' cost_matrix(
#'   treat = c(ill = 1, healthy = 4),
#'   wait  = c(ill = 50, healthy = 0),
#'   refer = 2
#' )
#'
#' # A fraud that is paid costs its amount; refusing an honest claim costs 20
#' claims <- cost_matrix(
#'   pay    = list(fraud = ~ amount, honest = 0),
#'   refuse = c(fraud = 0, honest = 20)
#' )
#' handling <- cost_matrix(
#'   pay    = c(fraud = 1, honest = 1),
#'   refuse = c(fraud = 3, honest = 3)
#' )
#' claims + handling
cost_matrix <- function(...) {
  call <- environment()
  warn_unwise(new_cost(read_actions(list_actions(...), call), call), call)
}

#' Gains of actions by true class
#'
#' Like [cost_matrix()], with gains instead of costs. The result is a cost (minus the gains), which
#' every function with an argument `cost` takes. Its print shows gains, and so do the print and the
#' figures of results.
#'
#' @param ... One argument per action, as in [cost_matrix()]: gains named by the true class, or one
#'   gain for all classes. Gains are numbers, or formulas of the columns of new data. Losses are
#'   negative. A gain of `-Inf` rules the action out where its class is possible. `NA`, `NaN` and
#'   `Inf` are errors.
#'
#' @details
#' The action of smallest expected cost has the largest expected gain. The elements, columns and
#' drawn data of all results are costs, also of [as.matrix()], [as.data.frame()], `tidy()` and `[`:
#' a `cost` of -12 prints as a `gain` of 12. So does a negative cost of [cost_matrix()].
#' Differences, such as the regret, stay differences of costs, and a cost that a sweep or a range
#' varies stays a cost. The sum of two utilities is a utility. The sum of a utility and a cost is a
#' cost.
#'
#' @return A `bayesrisk_cost`, see [cost_matrix()], also of class
#'   `bayesrisk_utility`. Errors and warnings are those of [cost_matrix()].
#' @inherit cost_matrix references
#' @seealso [cost_matrix()]
#' @export
#' @examples
#' # A letter to a donor costs 1. Donors who answer give 20, others who answer give 3
#' mailing <- utility_matrix(
#'   send = c(generous = 19, thrifty = 2, silent = -1),
#'   skip = 0
#' )
#' mailing
#' as.matrix(mailing) # costs
utility_matrix <- function(...) {
  call <- environment()
  cells <- map_cells(turn_sign, read_actions(list_actions(...), call))
  warn_unwise(new_cost(cells, call, utility = TRUE), call)
}

#' The 0-1 cost of a set of classes
#'
#' Each class is an action. Deciding for a class costs 0 when it is true and 1 otherwise. So the
#' expected cost is the probability of an error, and the decision is the most probable class. The
#' argument `reject` adds an action: to abstain, at a fixed cost.
#'
#' @param classes The classes: text, a factor (its levels) or a fitted model
#'   (its classes, in its order).
#' @param reject `NULL`, or one finite number: the cost of the action `"reject"` under every class.
#'   A case is rejected when every posterior probability is below `1 - reject` (Chow 1970). No case
#'   is ever rejected if `reject` is `1 - 1/K` or more, for `K` classes.
#' @inheritParams bayesrisk_arguments
#' @return A `bayesrisk_cost`, see [cost_matrix()]. An error of class
#'   `bayesrisk_error_argument` if `classes` are not unique, non-empty names, or if `reject` is
#'   given and a class has the name "reject".
#' @references
#' C. K. Chow (1970), On optimum recognition error and reject tradeoff, *IEEE
#' Transactions on Information Theory* 16(1), 41-46.
#'
#' Lecture "Applied Machine Learning Fundamentals, Unit III: Bayesian Decision
#' Theory" (Wehner).
#' @seealso [cost_matrix()]
#' @export
#' @examples
#' zero_one_cost(c("setosa", "versicolor", "virginica"))
#' zero_one_cost(iris$Species, reject = 0.2)
zero_one_cost <- function(classes, reject = NULL, ...) {
  check_no_dots(...)
  classes <- maybe(classes)
  if (is_model(classes)) classes <- classes$schema$classes$levels
  if (is.factor(classes)) classes <- levels(classes)
  if (!is.character(classes) || is.object(classes) || !length(classes)) {
    abort_wanted(classes, "classes", "text, a factor or a fitted model", rlang::current_env())
  }
  check_labels(classes, cli::format_inline("{.arg classes}"), environment())
  values <- 1 - diag(length(classes))
  dimnames(values) <- list(classes, classes)
  if (is.null(reject)) return(new_cost(values))
  reject <- check_number(reject, "reject")
  if ("reject" %in% classes) {
    abort_argument(c(
      "{.arg reject} adds an action {.val reject}, which is a class already.",
      i = "Name the action otherwise with {.fn cost_matrix}."
    ))
  }
  new_cost(rbind(values, reject = reject))
}

# The arguments of cost_matrix() and utility_matrix() become cells: a list with dimensions,
# actions x classes, each cell one number or a quosure.

# Any name may be an action, so the dots are the only argument, here and in list2(). Empty
# arguments are checked here because the error of list2() does not name the action.
list_actions <- function(...) {
  call <- rlang::caller_env()
  given <- as.list(substitute(list(...)))[-1L]
  empty <- vapply(given, identical, NA, rlang::missing_arg())
  labels <- rlang::names2(given)
  if (any(empty & nzchar(labels))) {
    abort_argument("Action{?s} {.val {labels[empty]}} {?is/are} empty.", call)
  }
  # Only the last argument may be empty (a trailing comma).
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
  # A scalar has no names: it is repeated in every column.
  cells <- lapply(rows, function(row) {
    if (is.null(names(row))) rep(row, max(1L, length(classes))) else row[classes]
  })
  matrix(
    unlist(cells, recursive = FALSE, use.names = FALSE),
    nrow = length(rows), byrow = TRUE, dimnames = list(decision = names(rows), truth = classes)
  )
}

# The cells of one action, named by true class, or one cell without a name.
read_action <- function(values, action, call) {
  if (rlang::is_formula(values)) values <- list(values)
  cells <- if (is.list(values) && !is.object(values)) {
    places <- if (is.null(names(values))) seq_along(values) else names(values)
    Map(function(value, place) read_cell(value, place, action, call), values, places)
  } else if (is.numeric(values) && !is.object(values) && is.null(dim(values))) {
    lapply(values, as.double)
  }
  if (!length(cells)) {
    got <- describe_value(values)
    abort_argument(c(
      "Action {.val {action}} must hold numbers named by the true class, or one number, not {got}.",
      i = "For example {.code wait = c(ill = 50, healthy = 0)} or {.code refer = 2}.",
      i = "A cost that differs by case is a formula: {.code pay = list(fraud = ~ amount, ok = 0)}."
    ), call)
  }
  names(cells) <- names(values)
  if (is.null(names(cells)) && length(cells) == 1L) return(cells)
  check_labels(
    names(cells), cli::format_inline("The numbers of action {.val {action}}"), call,
    hint = "Name each number by its true class. One number alone is the cost under every class."
  )
  cells
}

read_cell <- function(value, place, action, call) {
  if (rlang::is_formula(value)) return(read_cell_formula(value, place, action, call))
  if (is.numeric(value) && !is.object(value) && length(value) == 1L) return(as.double(value))
  got <- describe_value(value)
  abort_argument(
    "Entry {.val {place}} of action {.val {action}} must be one number or a formula, not {got}.",
    call
  )
}

# An action that names fewer classes than another one has probably left some out.
check_actions_agree <- function(by_class, call) {
  if (!length(by_class)) return(invisible())
  most <- names(by_class)[[which.max(lengths(by_class))]]
  for (action in setdiff(names(by_class), most)) {
    check_same_names(
      names(by_class[[action]]), names(by_class[[most]]),
      cli::format_inline(
        "Action {.val {action}} must name the same true classes as action {.val {most}}."
      ),
      call
    )
  }
}

# The formula of a cell becomes a quosure. Its environment holds the values that the formula names,
# as a model keeps them, and nothing else, so a cost takes no data along.

read_cell_formula <- function(value, place, action, call) {
  if (!is.null(rlang::f_lhs(value))) {
    written <- rlang::as_label(value)
    abort_argument(c(
      "Entry {.val {place}} of action {.val {action}} has two sides, {.code {written}}.",
      i = "The formula of a cost has one side: {.code ~ amount}."
    ), call)
  }
  expression <- rlang::zap_srcref(rlang::f_rhs(value))
  rlang::new_quosure(expression, cell_environment(expression, formula_enclosure(value)))
}

# Functions are looked up from the global environment, or from the package that makes the cost, as
# are the other values of this package.
cell_environment <- function(expression, enclosure) {
  top <- topenv(enclosure, NULL)
  values <- named_values(looked_up(expression), enclosure)
  own <- vapply(names(values), function(name) {
    found <- is.function(values[[name]]) || !identical(top, globalenv())
    !found || !identical(values[[name]], get0(name, top))
  }, NA)
  list2env(lapply(values[own], kept_or_described), parent = top)
}

# The names whose values a formula needs: neither arguments of its own functions nor parts.
looked_up <- function(x) {
  if (is.name(x)) return(setdiff(as.character(x), c("", ".data", ".env")))
  if (!is.call(x)) return(character())
  if (rlang::is_call(x, c("$", "@"))) {
    # `.env$fee` is the value fee, `.data$fee` a column.
    part <- if (identical(x[[2L]], quote(.env))) as.character(x[[3L]])
    return(unique(c(as.character(x[[1L]]), looked_up(x[[2L]]), part)))
  }
  if (rlang::is_call(x, "function")) return(setdiff(looked_up(x[[3L]]), names(x[[2L]])))
  unique(unlist(lapply(as.list(x), looked_up)))
}

# A column may have the name of a value that is not kept, so this is an error only where the cost is
# used.
kept_or_described <- function(value) {
  if (is_kept_value(plain_value(value))) return(plain_value(value))
  structure(list(describe_value(value)), class = "unkept_value")
}

check_kept_cell <- function(cell, where, columns, call) {
  unkept <- unkept_values(cell)
  unkept <- unkept[!names(unkept) %in% columns]
  if (!length(unkept)) return(invisible())
  name <- names(unkept)[[1L]]
  abort_schema(c(
    "The cost {.code {cell_text(cell)}} of {where} needs {.code {name}}, which is no column, and the
     cost does not keep its value: {unkept[[1L]]}.",
    i = "A formula keeps numbers and text, up to {most_kept_values} values of a name. Functions must
         be in the global environment.",
    i = "Compute the cost of each case as a column of the data."
  ), call)
}

# A sum of formulas has an environment for each of them.
unkept_values <- function(x) {
  if (!is.call(x)) return(NULL)
  own <- if (rlang::is_quosure(x)) {
    names <- looked_up(rlang::quo_get_expr(x))
    values <- mget(names, rlang::quo_get_env(x), ifnotfound = list(NULL))
    lapply(Filter(function(value) inherits(value, "unkept_value"), values), `[[`, 1L)
  }
  c(own, unlist(lapply(as.list(x), unkept_values), recursive = FALSE))
}

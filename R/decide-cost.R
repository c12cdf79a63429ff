#' What each action costs, by the true class
#'
#' `cost_matrix()` has one argument per **action**; each holds what that action
#' costs, named by the **true class**. As both are named, nothing can be
#' transposed, and actions need not be classes: referring a case to a
#' specialist, abstaining or asking for another test are rows like any other.
#'
#' @param ... One argument per action, `action = costs`. `costs` is a named
#'   numeric vector, or a named list of numbers, with one cost for each true
#'   class; or one number without a name, which holds whatever is true. All
#'   actions with named costs name the same classes, in any order; the first of
#'   them sets the order of the classes. A list of actions can be spliced with
#'   `!!!`. There are no other arguments, so any name may be an action.
#'
#'   Costs are in any unit, the same for all. Negative costs are gains. `Inf` is
#'   allowed and rules an action out where that class is possible; `NA`, `NaN`
#'   and `-Inf` are errors.
#'
#' @details
#' The decision that a cost leads to is the action \eqn{a} of smallest expected
#' cost \eqn{\sum_k p(k \mid x)\, C(a, k)}{sum_k p(k | x) C(a, k)}, the
#' conditional risk of the lectures (there \eqn{\lambda_{ij}}{lambda_ij} or
#' \eqn{l_{ij}}{l_ij}: decision in the row, truth in the column, as here). The
#' order of the actions matters in one case: among equal expected costs the
#' first action as declared is taken.
#'
#' When every action holds a single number, no class is named, and the cost fits
#' any model.
#'
#' @return A `bayesrisk_cost`: a double matrix, actions in rows and true classes
#'   in columns, with `dimnames` named `decision` and `truth`. It prints as
#'   sentences. [as.matrix()] and [as.data.frame()] (columns `truth`,
#'   `decision`, `cost`) give the plain numbers; a part taken with `[` is plain
#'   numbers too. A cost without named classes is a matrix of one column without
#'   a name.
#'
#'   Errors are of class `bayesrisk_error_argument`: an action without a name or
#'   named twice, a class that one action names and another does not (with the
#'   likely misspelling), a cost that is no number.
#'
#' @references
#' C. Elkan (2001), The foundations of cost-sensitive learning, *Proceedings of
#' the 17th International Joint Conference on Artificial Intelligence*, 973-978
#' (rows: decision, columns: truth).
#'
#' Lectures "Bayesian Learning" (Galili, Shamir, Yakhini) and "Applied Machine
#' Learning Fundamentals, Unit III: Bayesian Decision Theory" (Wehner).
#'
#' @seealso [as_cost_matrix()] for a matrix or a table that exists already,
#'   [zero_one_cost()], [expected_cost()].
#' @export
#' @examples
#' cost_matrix(
#'   treat = c(ill = 1, healthy = 4),
#'   wait  = c(ill = 50, healthy = 0),
#'   refer = 2
#' )
cost_matrix <- function(...) {
  call <- environment()
  actions <- rlang::dots_list(..., .preserve_empty = TRUE)
  check_labels(
    names(actions), "The arguments of `cost_matrix()` are actions; they", call,
    hint = "Write `wait = c(ill = 50, healthy = 0)`; a matrix is for `as_cost_matrix()`."
  )
  empty <- vapply(actions, identical, NA, rlang::missing_arg())
  if (any(empty)) abort_argument("Action {.val {names(actions)[empty]}} has no cost.")
  rows <- Map(function(costs, action) read_action(costs, action, call), actions, names(actions))
  by_class <- Filter(function(row) !is.null(names(row)), rows)
  check_actions_agree(by_class, call)
  classes <- if (length(by_class)) names(by_class[[1L]])
  # A scalar has no names to be indexed by: it is the cost in every column.
  values <- lapply(rows, function(row) {
    if (is.null(names(row))) rep(row, max(1L, length(classes))) else row[classes]
  })
  new_cost(matrix(
    as.double(unlist(values)),
    nrow = length(rows), byrow = TRUE, dimnames = list(names(rows), classes)
  ))
}

# One action's costs: a named double vector by true class, or one nameless number.
read_action <- function(costs, action, call) {
  if (is.list(costs) && !is.object(costs) && length(costs)) {
    costs <- unlist_numbers(costs, action, call)
  }
  if (!is.numeric(costs) || is.object(costs) || !is.null(dim(costs)) || !length(costs)) {
    got <- describe_value(costs)
    abort_argument(c(
      "Action {.val {action}} must hold costs named by the true class, or one number, not {got}.",
      i = "For example {.code wait = c(ill = 50, healthy = 0)} or {.code refer = 2}."
    ), call)
  }
  if (is.null(names(costs)) && length(costs) == 1L) return(as.double(costs))
  check_labels(
    names(costs), cli::format_inline("The costs of action {.val {action}}"), call,
    hint = "Name each cost by its true class; one number alone holds whatever is true."
  )
  costs
}

unlist_numbers <- function(costs, action, call) {
  is_number <- vapply(costs, function(x) is.numeric(x) && !is.object(x) && length(x) == 1L, NA)
  if (all(is_number)) return(unlist(lapply(costs, as.double)))
  bad <- which(!is_number)[[1L]]
  where <- if (is.null(names(costs))) bad else names(costs)[[bad]]
  got <- describe_value(costs[[bad]])
  abort_argument(
    "Cost {.val {where}} of action {.val {action}} must be one number, not {got}.", call
  )
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

# The only constructor: actions in rows, classes in columns (or one column without
# a name: whatever is true).
new_cost <- function(values, call = rlang::caller_env()) {
  names(dimnames(values)) <- c("decision", "truth")
  if (anyNA(values) || any(values == -Inf)) {
    cells <- cost_cells(values)
    cells <- cells[is.na(cells$cost) | cells$cost == -Inf, ]
    when <- ifelse(is.na(cells$truth), "", sprintf(" when truth is \"%s\"", cells$truth))
    bad <- sprintf("%s for \"%s\"%s", cells$cost, cells$decision, when)
    abort_argument(c("Each cost must be a number or Inf.", x = "Found {bad}."), call)
  }
  structure(values, class = "bayesrisk_cost")
}

# One row per cell, action by action as they were declared.
cost_cells <- function(values) {
  actions <- rownames(values)
  classes <- if (is.null(colnames(values))) NA_character_ else colnames(values)
  data.frame(
    truth = rep(factor(classes, classes[!is.na(classes)]), times = length(actions)),
    decision = rep(factor(actions, actions), each = length(classes)),
    cost = as.double(t(values))
  )
}

#' The 0-1 cost of a set of classes
#'
#' Each class is an action; deciding on it costs 0 when it is true and 1
#' otherwise, so that the expected cost is the probability of an error and the
#' decision is the most probable class. With `reject`, there is one action more:
#' to abstain, at a fixed price.
#'
#' @param classes The classes: text, a factor (its levels) or a fitted model
#'   (its classes, in its order).
#' @param reject `NULL`, or one finite number: the cost of action `"reject"`
#'   whatever is true. A case is rejected when no posterior probability exceeds
#'   `1 - reject`; from `1 - 1/K` on, for `K` classes, none ever is (Chow 1970).
#' @return A `bayesrisk_cost`, see [cost_matrix()]. An error of class
#'   `bayesrisk_error_argument` if `classes` are not different, non-empty names,
#'   or if one is called "reject" while `reject` is given.
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
zero_one_cost <- function(classes, reject = NULL) {
  if (inherits(classes, "bayesrisk_model")) classes <- classes$schema$classes$levels
  if (is.factor(classes)) classes <- levels(classes)
  if (!is.character(classes) || is.object(classes) || !length(classes)) {
    got <- describe_value(classes)
    abort_argument("{.arg classes} must be text, a factor or a fitted model, not {got}.")
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

# The plain matrix of a cost. The object may have been changed since it was made
# (t(), dim<-), so nothing is taken for granted.
check_cost <- function(cost, call, arg = "cost") {
  if (!inherits(cost, "bayesrisk_cost")) {
    got <- describe_value(cost)
    abort_argument(c(
      "{.arg {arg}} must be made by {.fn cost_matrix} or {.fn zero_one_cost}, not {got}.",
      i = if (length(dim(cost)) == 2L) {
        "Say what its rows are: {.code as_cost_matrix(m, rows = \"decision\")} or {.val truth}."
      }
    ), call)
  }
  values <- unclass(cost)
  sound <- is.double(values) && length(dim(values)) == 2L && length(values) > 0L &&
    identical(names(dimnames(values)), c("decision", "truth")) &&
    !is.null(rownames(values)) && (!is.null(colnames(values)) || ncol(values) == 1L) &&
    !anyNA(values) && all(values > -Inf)
  if (sound) return(values)
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
  values <- spread_over(check_cost(cost, call), classes)
  headline <- cli::format_inline("{.arg cost} must name the model's classes, {.val {classes}}.")
  check_same_names(colnames(values), classes, headline, call)
  values[, classes, drop = FALSE]
}

# Whether an aligned cost is the 0-1 cost with the actions in class order. In
# another order ties would go to another action, so that is left to the general rule.
is_zero_one <- function(cost_matrix, classes) {
  identical(rownames(cost_matrix), classes) &&
    all(cost_matrix == 1 - diag(length(classes)))
}

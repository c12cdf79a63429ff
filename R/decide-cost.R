#' What each action costs, by the true class
#'
#' `cost_matrix()` has one argument per **action**; each holds what that action
#' costs, named by the **true class**. As both are named, nothing can be
#' transposed, and actions need not be classes: referring a case to a
#' specialist, abstaining or asking for another test are rows like any other.
#'
#' @param ... One argument per action, `action = costs`. `costs` is a named
#'   numeric vector, or a named list of numbers and formulas, with one cost for
#'   each true class; or one number or formula without a name, which holds
#'   whatever is true. All
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
  cost_from_cells(read_actions(actions, call), call)
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

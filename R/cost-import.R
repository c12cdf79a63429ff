#' Costs from a matrix or a table
#'
#' The rows of a cost matrix are the decisions in the lectures, C50 and mlr3. They are the true
#' classes in rpart and most textbooks on machine learning. A transposed cost matrix still looks
#' like a cost matrix, so `as_cost_matrix()` never guesses. The `dimnames`, the argument `rows`, or
#' the columns of a data frame say which axis holds the decisions.
#'
#' @param m One of
#'   * a numeric matrix or table, or a data frame of numeric columns with row
#'     names: one axis holds the actions, the other the true classes, both named;
#'   * a data frame with columns `truth`, `decision` (or `estimate`) and `cost`,
#'     a row for each pair of an action and a class; other columns are ignored.
#'     Actions and classes have the order of the factor levels, or the order in which
#'     they appear if the column is no factor;
#'   * a numeric array whose first axis is the cases: a cost by case, see
#'     [cost_matrix()]. The other two axes are named like those of a matrix. `rows` says
#'     what the rows of `m[i, , ]` are. A cost may be `NA`: its case stays undecided;
#'   * a `bayesrisk_cost`, which is returned unchanged.
#'
#'   Costs are as in [cost_matrix()]: finite or `Inf`.
#' @param rows What the rows of the matrix are: `"decision"` or `"truth"`. It is not needed if the
#'   `dimnames` of `m` are named `decision` and `truth`, in either order. It is an error if it
#'   contradicts the `dimnames`, or if `m` is a data frame with a column `truth`.
#' @inheritParams bayesrisk_arguments
#'
#' @section Costs made for other packages:
#' * **mlr3** (measure `classif.costs`): predicted response in the rows, truth
#'   in the columns, so `as_cost_matrix(costs, rows = "decision")`.
#' * **yardstick** (`classification_cost(costs = )`): a data frame `truth`,
#'   `estimate`, `cost`, which can be passed unchanged. yardstick gives a pair that is not listed
#'   the cost 0. Here a missing pair is an error, because it may have been forgotten. Add each
#'   missing pair with its cost.
#' * **rpart** (`parms = list(loss = )`): truth in the rows, so `rows = "truth"`. The rpart matrix
#'   has no names: give it `dimnames` first.
#'
#' @return A `bayesrisk_cost`, see [cost_matrix()], which also lists the warnings. An array gives a
#'   `bayesrisk_case_cost` too. `as_cost_matrix()` inverts [as.matrix()] and [as.data.frame()] of
#'   a cost that names classes. Errors are of class `bayesrisk_error_argument`: unknown roles,
#'   missing or repeated names or pairs, costs that are not numbers.
#' @inherit cost_matrix references
#' @seealso [cost_matrix()], [zero_one_cost()]
#' @export
#' @examples
#' m <- rbind(treat = c(ill = 1, healthy = 4), wait = c(ill = 50, healthy = 0))
#' as_cost_matrix(m, rows = "decision")
#' identical(as_cost_matrix(t(m), rows = "truth"), as_cost_matrix(m, rows = "decision"))
#'
#' as_cost_matrix(data.frame(
#'   truth    = c("ill", "healthy", "ill", "healthy"),
#'   decision = c("treat", "treat", "wait", "wait"),
#'   cost     = c(1, 4, 50, 0)
#' ))
#'
#' # By case: what waiting costs depends on the patient
#' by_case <- array(1, c(3, 2, 2), list(NULL, c("treat", "wait"), c("ill", "healthy")))
#' by_case[, "wait", "ill"] <- c(10, 50, 200)
#' by_case[, "wait", "healthy"] <- 0
#' as_cost_matrix(by_case, rows = "decision")
as_cost_matrix <- function(m, rows = NULL, ...) {
  check_no_dots(...)
  if (!is.null(rows)) {
    rows <- check_choice(check_string(rows, "rows"), c("decision", "truth"), "rows")
  }
  if (inherits(m, "bayesrisk_cost")) {
    resolve_rows(names(dimnames(m)), rows, environment())
    return(m)
  }
  if (is.data.frame(m) && all(c("truth", "cost") %in% names(m))) {
    return(cost_from_pairs(m, rows, environment()))
  }
  if (length(dim(m)) == 3L) return(cost_from_array(m, rows, environment()))
  values <- numeric_cells(m, environment())
  if (resolve_rows(names(dimnames(values)), rows, environment()) == "truth") values <- t(values)
  hint <- "Set rownames(m) and colnames(m) to the actions and the true classes."
  check_axes(dimnames(values), hint, environment())
  warn_unwise(new_cost(values), environment())
}

check_axes <- function(names, hint, call) {
  check_labels(names[[1L]], "The actions of `m`", call, hint)
  check_labels(names[[2L]], "The true classes of `m`", call, hint)
}

# m[i, , ] is the cost matrix of case i. An unknown cost stays NA.
cost_from_array <- function(m, rows, call) {
  if (!is_plain_numbers(m)) abort_not_costs(m, call)
  if (resolve_rows(names(dimnames(m))[-1L], rows, call) == "truth") m <- aperm(m, c(1L, 3L, 2L))
  hint <- "Set dimnames(m)[2:3] to the names of the actions and of the true classes."
  check_axes(dimnames(m)[-1L], hint, call)
  below <- sum(m == -Inf, na.rm = TRUE)
  if (below > 0L) {
    abort_argument("{.arg m} has -Inf in {below} place{?s}; a cost is a number, Inf or NA.", call)
  }
  shape <- dim(m)[-1L]
  by_case <- matrix(as.double(m), nrow(m), prod(shape))
  cells <- lapply(seq_len(ncol(by_case)), function(cell) by_case[, cell])
  new_cost(array(cells, shape, dimnames(m)[-1L]), call, rows = nrow(m))
}

# A matrix, table or wide data frame as a plain double matrix. Automatic row names of a data frame
# are dropped: they name no action.
numeric_cells <- function(m, call) {
  if (is.data.frame(m) && length(m) && all(vapply(m, is_plain_numbers, NA))) {
    made_up <- .row_names_info(m) < 0L
    m <- as.matrix(m)
    if (made_up) rownames(m) <- NULL
  }
  if (is_plain_numbers(m) && length(dim(m)) == 2L) {
    return(matrix(as.double(m), nrow(m), ncol(m), dimnames = dimnames(m)))
  }
  abort_not_costs(m, call)
}

is_plain_numbers <- function(x) is.numeric(x) && (!is.object(x) || identical(class(x), "table"))

abort_not_costs <- function(m, call) {
  counts <- inherits(m, "bayesrisk_confusion")
  got <- if (counts) "a confusion table, which counts cases" else describe_value(m)
  abort_argument(c(
    "{.arg m} must be a numeric matrix or a data frame of costs, not {got}.",
    i = "A data frame has columns {.field truth}, {.field decision} and {.field cost}, or only
         numbers."
  ), call)
}

# Whether the rows are decisions or truths, from `rows` or the names of the dimnames; never guessed.
resolve_rows <- function(axes, rows, call) {
  roles <- c("decision", "truth")
  if (is.null(rows)) {
    if (setequal(axes, roles)) return(axes[[1L]])
    abort_argument(c(
      "{.arg rows} must say what the rows of {.arg m} are: {.or {.val {roles}}}.",
      i = "Conventions differ, and costs read the wrong way round still look right;
           {.code dimnames} named {.field decision} and {.field truth} say it too."
    ), call)
  }
  expected <- c(rows, setdiff(roles, rows))
  if (any(axes %in% roles & axes != expected)) {
    abort_argument(
      "{.arg rows} is {.val {rows}}, but the dimnames of {.arg m} are named {.val {axes}}.", call
    )
  }
  rows
}

# Reads the long form: one row for every pair, in any order.
cost_from_pairs <- function(m, rows, call) {
  action <- intersect(c("decision", "estimate"), names(m))
  if (length(action) != 1L) {
    abort_argument(
      "{.arg m} needs one column of actions beside {.field truth} and {.field cost}:
       {.field decision} or {.field estimate}.", call
    )
  }
  if (!is.null(rows)) abort_argument("{.arg rows} is for a matrix; {.arg m} lists pairs.", call)
  decision <- pair_labels(m[[action]], action, call)
  truth <- pair_labels(m[["truth"]], "truth", call)
  cost <- m[["cost"]]
  if (!is.numeric(cost) || is.object(cost)) {
    got <- describe_value(cost)
    abort_argument("Column {.field cost} of {.arg m} must be numbers, not {got}.", call)
  }
  check_pairs_once(table(decision, truth), call)
  values <- matrix(
    0, nlevels(decision), nlevels(truth), dimnames = list(levels(decision), levels(truth))
  )
  values[cbind(as.integer(decision), as.integer(truth))] <- cost
  warn_unwise(new_cost(values, call), call)
}

pair_labels <- function(x, column, call) {
  labels <- label_factor(x, column, call)
  # Actions are declared by the order of the rows, so text keeps its order of appearance.
  if (!is.factor(x)) labels <- factor(labels, unique(as.character(labels)))
  if (anyNA(labels)) {
    abort_argument("Column {.field {column}} of {.arg m} has missing values.", call)
  }
  check_labels(levels(labels), cli::format_inline("The values of column {.field {column}}"), call)
  labels
}

check_pairs_once <- function(counts, call) {
  if (all(counts == 1L)) return(invisible())
  pairs <- cell_names(counts)
  missing <- pairs[counts == 0L]
  repeated <- pairs[counts > 1L]
  abort_argument(c(
    "{.arg m} must list each pair of an action and a true class once.",
    x = if (length(missing)) "Missing: {missing}.",
    x = if (length(repeated)) "More than once: {repeated}.",
    i = if (length(missing)) "A pair that costs nothing needs its row too, with cost 0."
  ), call)
}

#' Decisions beside their data
#'
#' `augment()` of a [decide()] result gives the data with the decisions, whether the probabilities
#' came from a model of this package or from any other classifier.
#'
#' @param x A [decide()] result.
#' @param data The data of the decided cases, a row for each: a data frame, tibble, data.table or
#'   matrix. It may be the table of probabilities itself.
#' @param ... Not used.
#' @return The data (a matrix as a data frame; a tibble stays a tibble) with the new columns
#'   `.decision`, a factor of actions, and `.cost_<action>`, the expected cost of every action, as
#'   in [augment()][augment.bayesrisk_model] of a model. Existing columns with these names are
#'   replaced.
#' @section Errors: `bayesrisk_error_argument` if `data` is not a table or has another number of
#'   rows.
#' @seealso [decide()], [augment()][augment.bayesrisk_model] of a model
#' @examples
#' p <- cbind(healthy = c(0.99, 0.7, 0.1), ill = c(0.01, 0.3, 0.9))
#' cost <- cost_matrix(treat = c(ill = 1, healthy = 4), wait = c(ill = 50, healthy = 0))
#' augment(decide(p, cost), p)
#' @export
augment.bayesrisk_decision <- function(x, data = NULL, ...) {
  call <- check_no_dots(...)
  container <- read_container(data, "data", abort_argument, call)
  rows <- container$rows
  if (rows != nrow(x)) {
    abort_argument("{.arg data} has {rows} row{?s} for {nrow(x)} decision{?s}.", call)
  }
  if (!is.data.frame(data)) data <- rows_of_table(data, rows, container$row_names)
  costs <- unclass(x)[action_columns(levels(x$decision))]
  names(costs) <- paste0(".", names(costs))
  added <- c(list(.decision = x$decision), costs)
  data[names(added)] <- added
  data
}

#' @export
tidy.bayesrisk_models <- function(x, ...) {
  call <- check_no_dots(...)
  x <- check_groups(x, call)
  rows_of_groups(x, tidy)
}

#' @export
glance.bayesrisk_models <- function(x, ...) {
  call <- check_no_dots(...)
  x <- check_groups(x, call)
  rows_of_groups(x, glance)
}

# The rows of each model, with its key before them.
rows_of_groups <- function(models, rows_of) {
  tables <- lapply(seq_along(unclass(models)), function(i) rows_of(group_model(models, i)))
  each <- vapply(tables, nrow, 1L)
  keys <- attr(models, "keys")[rep(seq_along(each), each), , drop = FALSE]
  data.frame(keys, do.call(rbind, tables), check.names = FALSE, row.names = NULL)
}

#' Draw cases from a model
#'
#' Draws new rows from the joint distribution of the model: the class from the prior, then the
#' features given the class, block by block.
#'
#' @param object A fitted or known model.
#' @param nsim The number of rows.
#' @param seed `NULL`: R's generator continues from its current state. A number: [set.seed()] is
#'   called with it before the draws, and the generator gets its previous state back after them.
#' @inheritParams bayesrisk_arguments
#' @return A data frame with `nsim` rows: the class (a factor, named as in the formula, or
#'   `class`), and the features, with the types of the fit (numbers as double). A feature that is a
#'   function of a column has the function as its name, such as `log(hp)`. The attribute `seed` is
#'   the seed, or the state of the generator before the draws, as in other methods of
#'   [stats::simulate()].
#' @section Errors: `bayesrisk_error_argument` names the argument.
#' @seealso [fit()][fit.bayesrisk_spec], [bayes_known()]
#' @examples
#' model <- fit(bayes_full(), Species ~ ., iris)
#' simulate(model, 5, seed = 1)
#'
#' # How well could the model be estimated from 30 flowers?
#' few <- simulate(model, 30, seed = 2)
#' bayes_risk(model, rule = fit(bayes_full(covariance = "pooled"), Species ~ ., few))
#' @export
simulate.bayesrisk_model <- function(object, nsim = 1, seed = NULL, ...) {
  call <- check_no_dots(...)
  object <- check_model(object, call)
  check_no_bag(object, call)
  rows <- check_whole_number(nsim, "nsim", call = call)
  if (!is.null(seed)) {
    seed <- check_whole_number(seed, "seed", min = -.Machine$integer.max, call = call)
  }
  if (!exists(".Random.seed", globalenv(), inherits = FALSE)) stats::runif(1L)
  before <- get(".Random.seed", globalenv(), inherits = FALSE)
  if (!is.null(seed)) {
    on.exit(list2env(list(.Random.seed = before), globalenv()))
    set.seed(seed)
  }
  drawn <- call_engine(draw_rows_cpp(engine_model(object), rows), call)
  state <- if (is.null(seed)) before else structure(seed, kind = as.list(RNGkind()))
  structure(drawn_frame(drawn, object$schema, rows), seed = state)
}

drawn_frame <- function(drawn, schema, rows) {
  columns <- drawn_columns(drawn$columns, schema$features)
  class <- list(as_class_factor(drawn$class, schema$classes))
  names <- c(class_column(schema), names(schema$features))
  new_rows(stats::setNames(c(class, columns), names), rows)
}

# The name of the class column: as in the formula, or `class` without a formula.
class_column <- function(schema) {
  response <- if (is.null(schema$response)) "class" else schema$response
  features <- names(schema$features)
  make.unique(c(features, response))[[length(features) + 1L]]
}

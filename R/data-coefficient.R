#' Log multinomial coefficients
#'
#' The part of the multinomial log likelihood that is the same in every class and that
#' [likelihood_multinomial()] therefore leaves out:
#' \deqn{\log \frac{(\sum_j x_j)!}{\prod_j x_j!}.}{log((sum x)! / prod(x!)).}
#' Added to `predict(model, x, type = "log_likelihood")` of a model of one bag it gives the log
#' probability of the counts of each case, given their sum.
#'
#' @param x A matrix of counts with a row for each case and a column for each term, sparse or not,
#'   as in [bayes_text()]. Terms that a model does not know are no part of its likelihood: leave
#'   them out, for example `x[, known]`.
#' @inheritParams bayesrisk_arguments
#' @return A vector of numbers, named by the rows of `x` if these have names.
#' @section Errors: `bayesrisk_error_argument` if `x` is no such matrix, `bayesrisk_error_data` if a
#'   number is no count.
#' @source Lecture "Applied Machine Learning Fundamentals, Unit III: Bayesian Decision Theory
#'   (Wehner)", the multinomial coefficient (19).
#' @seealso [likelihood_multinomial()]
#' @examples
#' words <- rbind(c(2, 1, 0), c(1, 0, 0), c(0, 1, 2), c(0, 1, 1))
#' colnames(words) <- c("offer", "you", "meeting")
#' model <- fit(bayes_text(), words, c("spam", "spam", "ham", "ham"))
#' exp(predict(model, words, type = "log_likelihood") + log_coefficient(words))
#' dmultinom(words[1, ], prob = coef(model)$terms["spam", ])
#' @export
log_coefficient <- function(x, ...) {
  call <- check_no_dots(...)
  x <- maybe(x)
  if (is.matrix(x) && is.null(colnames(x)) && !is.object(x)) colnames(x) <- bag_terms(x)
  if (!is_bag(x)) {
    abort_wanted(x, "x", "a matrix of counts", call)
  }
  check_bag_parts(x, "x", abort_data, call)
  check_slots(x, "x", abort_data, call)
  cells <- bag_cells(x, "x", abort_argument, call)
  column <- encode_column(cells, "bag", bag_terms(cells))
  result <- call_engine(log_coefficient_cpp(column, bag_size(cells)[[1L]]), call, "x")
  if (is.null(result)) {
    abort_cells("x", column, all(is.finite(cells@x)), abort_data, call)
  }
  stats::setNames(result, bag_names(cells)[[1L]])
}

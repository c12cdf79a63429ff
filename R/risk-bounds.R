#' Bounds of the Bayes error of two classes
#'
#' The error of the best rule under a data-generating model, and its textbook bounds. The error is
#' an integral over regions. The bounds need no regions, so they can be computed in many dimensions.
#'
#' @param object A fitted or known model of two classes.
#' @param prior Prior probabilities to use instead of the model's; both must be above 0.
#' @inheritParams bayesrisk_arguments
#'
#' @details
#' With priors \eqn{P_1, P_2} and densities \eqn{p_1, p_2} of the features given
#' the classes:
#' * **exact**: the integral of \eqn{\min(P_1 p_1, P_2 p_2)}{min(P1 p1, P2 p2)},
#'   [bayes_risk()] under 0-1 cost;
#' * **Chernoff**: the least of
#'   \eqn{\int (P_1 p_1)^s (P_2 p_2)^{1-s}}{the integral of (P1 p1)^s (P2 p2)^(1-s)}
#'   over the exponent \eqn{s} of the first class, from 0 to 1. If the least is at 0 or 1, the bound
#'   is the limit there;
#' * **Bhattacharyya**: the same at \eqn{s = 1/2};
#'   \eqn{B = -\log \int \sqrt{p_1 p_2}}{B = -log(integral of sqrt(p1 p2))} is the
#'   Bhattacharyya distance;
#' * **Mahalanobis**: \eqn{2 P_1 P_2 / (1 + P_1 P_2 D^2)}{2 P1 P2 / (1 + P1 P2 D2)},
#'   with \eqn{D^2}{D2} the squared distance of the means of the numeric features
#'   under the covariance \eqn{P_1 S_1 + P_2 S_2}{P1 S1 + P2 S2};
#' * **lower**: \eqn{(1 - \sqrt{1 - 4 P_1 P_2 e^{-2B}}) / 2}{(1 - sqrt(1 - 4 P1 P2
#'   exp(-2B))) / 2}, the only bound below the error.
#'
#' The logarithm of an integral is a sum over the blocks, because blocks are independent. Each block
#' has a closed form (histograms and tables: a sum). Mixtures and kernel densities are integrated
#' numerically; with more than 1000 points in a class their bounds are `NA`.
#' @return A data frame with a row for each `bound` and columns
#'   * `bound`: `"exact"`, `"Bhattacharyya"`, `"Chernoff"`, `"Mahalanobis"`, `"lower"`;
#'   * `value`: a probability. `NA` if it is not known: `"Mahalanobis"` without
#'     numeric features, `"exact"` if the integral has too many dimensions to compute without
#'     simulation;
#'   * `s`: the exponent of the first class in the Chernoff and Bhattacharyya bounds,
#'     else `NA`.
#' @section Tempered models: the densities count without the exponents of [temper()], and a message
#'   (`bayesrisk_message_untempered`) says so.
#' @section Errors: `bayesrisk_error_argument` if the model does not have exactly two classes, or if
#'   a prior is 0.
#' @references
#' K. Fukunaga (1990), *Introduction to Statistical Pattern Recognition*, second
#' edition, chapter 3.
#'
#' P. A. Devijver and J. Kittler (1982), *Pattern Recognition: A Statistical
#' Approach*, for the Mahalanobis bound.
#' @source The bivariate example is that of the lecture "Bayesian Learning (Galili,
#'   Shamir, Yakhini)".
#' @seealso [bayes_risk()]
#' @examples
#' ocr <- bayes_known(
#'   prior = c(a = 0.75, b = 0.25),
#'   pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = 4)
#' )
#' risk_bounds(ocr)
#'
#' bivariate <- bayes_known(
#'   prior = c(A = 0.5, B = 0.5),
#'   xy = likelihood_gaussian(
#'     mean = rbind(A = c(x = 0, y = 0), B = c(0.5, 0.5)),
#'     covariance = list(A = rbind(c(2, 2.2), c(2.2, 2.5)), B = rbind(c(2.5, -2.2), c(-2.2, 2)))
#'   )
#' )
#' risk_bounds(bivariate)
#' @export
risk_bounds <- function(object, prior = NULL, ...) {
  call <- check_no_dots(...)
  object <- check_model(maybe(object), call)
  check_no_bag(object, call)
  tell_untempered(object)
  classes <- object$schema$classes$levels
  if (length(classes) != 2L) {
    abort_argument(c(
      "{.arg object} must have two classes, not {length(classes)}: {.val {utils::head(classes)}}.",
      i = "{.fn bayes_risk} gives the error itself for any number of classes."
    ), call)
  }
  prior <- predict_prior(object, prior, call)
  if (any(prior == 0)) {
    certain <- classes[prior == 0]
    abort_argument(c(
      "The prior of {.val {certain}} is 0: there are no two classes to tell apart.",
      i = "Give both a positive probability with {.arg prior}."
    ), call)
  }
  found <- open_as_na(unlist(call_engine(risk_bounds_cpp(engine_model(object, prior)), call)))
  bounds <- c("Bhattacharyya", "Chernoff", "Mahalanobis", "lower")
  rows <- data.frame(
    bound = c("exact", bounds),
    value = c(exact_error(object, prior, call), unname(found[lower_case(bounds)])),
    s = c(NA_real_, 0.5, found[["exponent"]], NA_real_, NA_real_)
  )
  structure(rows, class = c("bayesrisk_bounds", "bayesrisk_result", "data.frame"))
}

#' @export
describe.bayesrisk_bounds <- function(x, show) {
  list(title_item("bounds of the error of the best rule"), table_item(plain_frame(x), na = "-"))
}

# The error of the best rule; NA if only random rows could estimate it.
exact_error <- function(object, prior, call) {
  cost <- read_cost(NULL, object$schema$classes$levels, call = call)
  world <- new_world(object, prior)
  method <- choose_risk_method(world, own_rule(world, cost), NULL, call)
  if (method == "monte_carlo") return(NA_real_)
  compute_risk(world, cost, check_risk_settings(method, NULL, 1, 1L, call), call)$total
}

#' The minimax prior
#'
#' The prior under which even the best rule costs most: the worst case for
#' whoever decides by the Bayes rule, and the prior to decide by when nothing is
#' known of the true one. The rule that is best for it costs the same under every
#' class where the features have densities, so that no prior can make it dearer.
#'
#' @inheritParams bayes_risk
#' @details The Bayes risk is a concave function of the prior, with the risks of
#'   the classes as its slopes, and its largest value is found to 1e-14 of the
#'   range of the costs: by the peaks of the planes that bound it from above (a
#'   linear program over rules), and by Newton's method where it is smooth.
#'
#'   With tables alone it has corners. There two rules are equally good, and only
#'   a mixture of them, drawn by lot, would cost the same under every class; `gap`
#'   says how far the one that is taken is from that. A class that is never as
#'   dear as the others gets prior 0. Classes without rows have none.
#' @return A list of class `bayesrisk_minimax`:
#'   * `prior`: named by class;
#'   * `risk`: the Bayes risk under it, the largest there is;
#'   * `gap`: the largest risk of a class less the smallest, under the best rule
#'     for this prior (without chance in its ties);
#'   * `class_risk`: the risk of each class under that rule.
#' @section Errors: `bayesrisk_error_argument` names the argument;
#'   `bayesrisk_error_degenerate` where no rule has a finite risk.
#' @source The minimax rule for the letters of the lecture "Applied Machine Learning
#'   Fundamentals, Unit III: Bayesian Decision Theory (Wehner)".
#' @references
#' R. O. Duda, P. E. Hart and D. G. Stork (2001), *Pattern Classification*, section
#' 2.3.1.
#' @seealso [bayes_risk()], [cost_sweep()]
#' @examples
#' ocr <- bayes_known(
#'   prior = c(a = 0.75, b = 0.25),
#'   pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = 4)
#' )
#' minimax_prior(ocr)
#' cost <- cost_matrix(a = c(a = 0, b = 10), b = c(a = 1, b = 0))
#' worst <- minimax_prior(ocr, cost)
#' decision_threshold(cost, worst$prior, ocr)
#' @export
minimax_prior <- function(object, cost = NULL) {
  call <- rlang::current_env()
  check_model(maybe(object), call)
  cost <- predict_cost(object, "cost", cost, call)
  classes <- object$schema$classes$levels
  even <- resolve_prior("uniform", classes, object$statistics$classes$weight, call)
  world <- new_world(object, even)
  check_exact_world(world, call)
  found <- call_engine(minimax_cpp(engine_world(world), cost, which(even > 0)), call)
  if (!is.finite(found$risk)) {
    abort_degenerate(
      "No rule has a finite risk: {.arg cost} rules every action out somewhere.", call
    )
  }
  of_class <- function(x) stats::setNames(replace(even * 0, even > 0, x), classes)
  structure(
    list(
      prior = of_class(found$prior), risk = found$risk, gap = diff(range(found$class_risk)),
      class_risk = of_class(found$class_risk)
    ),
    class = "bayesrisk_minimax"
  )
}

check_exact_world <- function(world, call) {
  if (risk_methods()$exact$fits(world, NULL)) return(invisible())
  numbers <- length(world$numeric)
  cells <- format(world$cells, digits = 3L)
  abort_argument(c(
    "{.arg object} must have one numeric feature at most, and {most_cells} combinations of
     levels.",
    i = "It has {numbers} numeric feature{?s} and {cells} combination{?s} of levels."
  ), call)
}

#' @export
format.bayesrisk_minimax <- function(x, digits = NULL, ...) {
  number <- function(v) vapply(v, format, "", digits = digits)
  c(
    paste("prior", paste(names(x$prior), number(x$prior), collapse = ", ")),
    paste("Bayes risk", number(x$risk)),
    paste0(
      "risk of ", paste(names(x$class_risk), number(x$class_risk), collapse = ", "),
      " (gap ", number(zapsmall(c(x$risk, x$gap), 12L)[[2L]]), ")"
    )
  )
}

#' @export
print.bayesrisk_minimax <- function(x, ...) {
  cat("<minimax prior>\n", paste0("  ", format(x, ...), "\n"), sep = "")
  invisible(x)
}

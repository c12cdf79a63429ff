#' The minimax prior
#'
#' The prior with the largest Bayes risk. It is the worst case for a decision maker who uses the
#' Bayes rule, and the prior to use if the true prior is unknown. If the features have densities,
#' the best rule for this prior has the same risk under every class, so no prior can increase its
#' risk.
#'
#' @inheritParams bayes_risk
#' @details The Bayes risk is a concave function of the prior, and the risks of the classes are its
#'   slopes. The risk of each fixed rule is a plane above this function. The search finds the
#'   highest point below all planes seen so far (a linear program over rules), and uses Newton's
#'   method where the function is smooth. The methods are those
#'   of [bayes_risk()]. With the method `"exact"` the result is accurate to about 1e-14 of the range
#'   of the costs, with `"quadrature"` to 1e-9. With `"monte_carlo"` rows are drawn once and used
#'   for every prior, and the result has a standard error.
#'
#'   If all features are categorical, histograms or counts, the Bayes risk has corners. At a corner
#'   two rules are equally good, and only a randomised choice between them would have the same risk
#'   under every class; `gap` is the remaining difference under the chosen rule. A class that always
#'   has a smaller risk than the other classes gets prior 0. So does a class without rows.
#' @return A list of class `bayesrisk_minimax`:
#'   * `prior`: named by class;
#'   * `risk`: the Bayes risk under this prior, the largest of all priors;
#'   * `gap`: the largest class risk minus the smallest one, under the best rule for this prior that
#'     does not randomise ties;
#'   * `class_risk`: the risk of each class under that rule;
#'   * `accuracy`: an upper bound of the error of `risk`, or its standard error if rows were drawn;
#'   * `method`, as in [bayes_risk()].
#'
#'   Risks are expected costs, also of a [utility_matrix()]; its print shows them as gains.
#' @section Tempered models: the densities count without the exponents of [temper()], and a message
#'   (`bayesrisk_message_untempered`) says so.
#' @section Errors: `bayesrisk_error_argument`, which names the argument.
#'   `bayesrisk_error_degenerate` if no rule has a finite risk.
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
#' decision_threshold(ocr, cost, worst$prior)
#' @export
minimax_prior <- function(object, cost = NULL, seed = 1, ..., threads = default_threads()) {
  call <- check_no_dots(...)
  object <- check_model(maybe(object), call)
  tell_untempered(object)
  cost <- read_cost(cost, object$schema$classes$levels, call = call)
  settings <- check_risk_settings(NULL, NULL, seed, threads, call)
  classes <- object$schema$classes$levels
  even <- resolve_prior("uniform", classes, object$statistics$classes$weight, call)
  world <- new_world(object, even)
  method <- choose_risk_method(world, own_rule(world, cost), NULL, call)
  found <- call_engine(minimax_cpp(
    engine_world(world), cost$fixed, which(even > 0), method, settings$seed, settings$threads
  ), call)
  if (!is.finite(found$risk)) {
    abort_degenerate(
      "No rule has a finite risk: {.arg cost} rules every action out somewhere.", call
    )
  }
  of_class <- function(x) stats::setNames(replace(even * 0, even > 0, x), classes)
  structure(
    list(
      prior = of_class(found$prior), risk = found$risk, gap = diff(range(found$class_risk)),
      class_risk = of_class(found$class_risk), accuracy = found$accuracy, method = method
    ),
    utility = is_utility(cost$origin), class = c("bayesrisk_minimax", "bayesrisk_result")
  )
}

#' @export
format.bayesrisk_minimax <- function(x, digits = NULL, ...) {
  digits <- check_digits(digits)
  unless_damaged(minimax_sentences(x, digits), rlang::current_env())
}

minimax_sentences <- function(x, digits) {
  number <- function(v) vapply(v, format, "", digits = digits)
  gains <- shows_gains(x, x$risk)
  risk <- function(v) number(gain_numbers(v, gains))
  c(
    paste("prior", paste(names(x$prior), number(x$prior), collapse = ", ")),
    paste0(
      if (gains) "the Bayes rule gains " else "Bayes risk ", risk(x$risk),
      if (x$method == "monte_carlo") sprintf(" (standard error %s)", number(signif(x$accuracy, 2L)))
    ),
    paste0(
      if (gains) "gain of " else "risk of ",
      paste(names(x$class_risk), risk(x$class_risk), collapse = ", "),
      " (gap ", number(minimax_gap(x)), ")"
    )
  )
}

# The difference between the largest and the smallest risk of a class; 0 if it is only rounding.
minimax_gap <- function(x) zapsmall(c(x$risk, x$gap), 12L)[[2L]]

#' @export
describe.bayesrisk_minimax <- function(x, show) {
  gains <- shows_gains(x, x$risk)
  gap <- sprintf(
    "the %s of the classes differ by %s", if (gains) "gains" else "risks",
    format(minimax_gap(x), digits = show$digits)
  )
  shown <- as.data.frame(x)
  if (gains) shown <- data.frame(shown[c("class", "prior")], gain = gain_numbers(shown$risk, TRUE))
  list(
    title_item("minimax prior"),
    answers_item(c(format(x, digits = show$digits)[[2L]], gap)),
    table_item(shown, c("class", "classes"))
  )
}

#' @export
result_rows.bayesrisk_minimax <- function(x, call) {
  classes <- names(x$prior)
  data.frame(
    class = factor(classes, classes), prior = unname(x$prior), risk = unname(x$class_risk)
  )
}

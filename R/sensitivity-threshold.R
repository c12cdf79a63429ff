#' The threshold of two actions
#'
#' For two classes and two actions the decision of least expected cost compares a
#' posterior probability with one number, or the likelihood ratio with another.
#'
#' @param object A fitted or known model of the two classes, or `NULL`.
#' @param cost A cost of two actions and two classes, see [cost_matrix()]. Default for a model: 0-1
#'   cost, so the actions are the two classes.
#' @param prior Prior probabilities: named by class, or in class order, or `"uniform"`. Default: the
#'   prior of `object`, if it is given.
#' @inheritParams bayesrisk_arguments
#'
#' @details
#' Let \eqn{C(a, k)} be the cost of action \eqn{a} under class \eqn{k}. The first action \eqn{a} is
#' better than the second action \eqn{b} when
#' \deqn{
#'   p(1 \mid x)\,(C(b, 1) - C(a, 1)) > p(2 \mid x)\,(C(a, 2) - C(b, 2)).
#' }{
#'   p(1 | x) (C(b, 1) - C(a, 1)) > p(2 | x) (C(a, 2) - C(b, 2)).
#' }
#' If both differences are positive, this holds when the posterior odds of class 1 exceed
#' \eqn{(C(a, 2) - C(b, 2)) / (C(b, 1) - C(a, 1))}. Equivalently, the likelihood ratio
#' \eqn{p(x \mid 1) / p(x \mid 2)}{p(x | 1) / p(x | 2)} exceeds these odds times
#' \eqn{P(2) / P(1)}. If both differences are negative, the first action is the one for class 2.
#' Then `class` is class 2, and the first action is taken when the posterior probability of class 2
#' exceeds the threshold. At equality both actions cost the same, and the first action is taken.
#'
#' If one action is always taken, there is no threshold. Then `posterior`, `likelihood_ratio` and
#' `log_odds` are `-Inf` if the first action is taken, and `Inf` if the second is taken. If the
#' additional cost of the first action under the other class is 0, the threshold `posterior` is 0;
#' if it is infinite, `posterior` is 1. In both cases there is a threshold, although `log_odds` is
#' `-Inf` or `Inf`. To see whether one action is always taken, look at `posterior`: only then is it
#' infinite.
#'
#' @return A list of class `bayesrisk_threshold`:
#'   * `action`: the first action; `class`: the class for which it is the better action;
#'   * `posterior`: take the action when the posterior probability of the class exceeds
#'     this;
#'   * `likelihood_ratio`: equivalently, take the action when the density of `x` given the class,
#'     divided by the density given the other class, exceeds this; `NA` without a prior;
#'   * `log_odds`: the logarithm of the odds at the threshold;
#'   * `cut`: if `object` has one feature, a numeric one, the values at which the decision changes,
#'     in increasing order; otherwise `NULL`. Also `NULL` for single values
#'     ([likelihood_empirical()]), which have nothing between them, and where [decision_regions()]
#'     computes no regions. It gives the decision on each side of a cut;
#'   * `feature`: the name of this feature, or `NULL`.
#' @section Errors: `bayesrisk_error_argument` for more or fewer than two actions or
#'   classes, and without both `object` and `cost`.
#' @references
#' C. Elkan (2001), The foundations of cost-sensitive learning, *Proceedings of the 17th
#' International Joint Conference on Artificial Intelligence*, 973-978.
#'
#' Lecture "Applied Machine Learning Fundamentals, Unit III: Bayesian Decision Theory
#' (Wehner)", the likelihood-ratio test with costs.
#' @seealso [decision_regions()] for more classes or actions, [break_even()]
#' @examples
#' # A miss costs ten false alarms
#' decision_threshold(cost = cost_matrix(
#'   alarm = c(fire = 0, none = 1),
#'   quiet = c(fire = 10, none = 0)
#' ))
#'
#' ocr <- bayes_known(
#'   prior = c(a = 0.75, b = 0.25),
#'   pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = 4)
#' )
#' decision_threshold(ocr)
#' decision_threshold(ocr, cost_matrix(a = c(a = 0, b = 5), b = c(a = 1, b = 0)))
#' @export
decision_threshold <- function(object = NULL, cost = NULL, prior = NULL, ...) {
  call <- check_no_dots(...)
  values <- if (!is.null(cost) || is.null(object)) fixed_cells(cost, call)
  if (!is.null(object)) {
    object <- check_model(object, call)
    check_two_classes(object, cost, call)
    values <- read_cost(cost, object$schema$classes$levels, call = call)$fixed
  }
  check_two_by_two(values, call)
  prior <- if (is.null(object)) {
    resolve_prior(prior, colnames(values), NULL, call)
  } else {
    predict_prior(object, prior, call)
  }
  found <- threshold_of(values)
  ratio <- likelihood_threshold(found$odds, prior[c(found$class, 3L - found$class)])
  cut <- threshold_cut(object, values, prior)
  structure(list(
    action = rownames(values)[[1L]], class = colnames(values)[[found$class]],
    posterior = found$posterior, likelihood_ratio = ratio,
    log_odds = if (found$odds < 0) -Inf else log(found$odds),
    cut = cut, feature = if (!is.null(cut)) names(object$schema$features)
  ), class = c("bayesrisk_threshold", "bayesrisk_result"))
}

regions_hint <-
  "{.fn decision_regions} shows the decisions for any number of actions and classes."

# Without a cost the actions of a model are its classes.
check_two_classes <- function(object, cost, call) {
  classes <- length(object$schema$classes$levels)
  if (!is.null(cost) || classes == 2L) return(invisible())
  abort_argument(c(
    "A threshold is for two classes; the model {.arg object} has {classes}.",
    i = regions_hint
  ), call)
}

check_two_by_two <- function(values, call) {
  if (is.null(colnames(values))) {
    abort_argument(c(
      "{.arg cost} names no class: its actions cost the same whatever is true.",
      i = "A threshold needs costs that depend on which of two classes is true."
    ), call)
  }
  if (identical(dim(values), c(2L, 2L))) return(invisible())
  abort_argument(c(
    "A threshold is for two actions and two classes; {.arg cost} has {nrow(values)} action{?s}
     and {ncol(values)} class{?es}.",
    i = regions_hint
  ), call)
}

# The threshold of the class that the first action is for, as odds and as a posterior probability.
# -Inf: the first action is always taken; Inf: never.
threshold_of <- function(values) {
  # Differences of costs, and their sum, must not overflow.
  if (any(is.finite(values) & abs(values) > 1e300)) values <- values / 4
  loss <- values[[1L, 2L]] - values[[2L, 2L]] # of the first action under class 2
  gain <- values[[2L, 1L]] - values[[1L, 1L]] # and under class 1
  # If both actions have infinite cost, the first action is taken.
  always <- is.nan(loss) || is.nan(gain) || loss == gain && (loss == 0 || is.infinite(loss)) ||
    loss < 0 && gain > 0
  if (always) return(list(class = 1L, odds = -Inf, posterior = -Inf))
  if (gain < 0 && loss > 0) return(list(class = 1L, odds = Inf, posterior = Inf))
  class <- if (gain >= 0 && loss >= 0) 1L else 2L
  weights <- abs(if (class == 1L) c(loss, gain) else c(gain, loss))
  list(
    class = class, odds = weights[[1L]] / weights[[2L]],
    posterior = if (is.infinite(weights[[1L]])) 1 else weights[[1L]] / sum(weights)
  )
}

# `prior`: the prior of the class of the first action, and the prior of the other class.
likelihood_threshold <- function(odds, prior) {
  if (is.null(prior)) return(NA_real_)
  if (odds < 0) return(-Inf)
  if (prior[[1L]] == 0 || is.infinite(odds)) return(Inf)
  odds * prior[[2L]] / prior[[1L]]
}

threshold_cut <- function(object, values, prior) {
  features <- object$schema$features
  if (length(features) != 1L || features[[1L]]$kind != "numeric") return(NULL)
  feature <- features[[1L]]$name
  if (feature_supports(object, feature) == "points") return(NULL)
  if (length(open_powers(object, feature)) || length(long_sums(object, feature))) return(NULL)
  regions <- decision_regions(object, new_cost(values), stats::setNames(prior, colnames(values)))
  # There is no decision outside of all bins, so no cut either.
  decided <- range(which(!is.na(regions$decision)))
  regions$to[seq(decided[[1L]], length.out = diff(decided))]
}

#' @export
format.bayesrisk_threshold <- function(x, digits = NULL, ...) {
  digits <- check_digits(digits)
  unless_damaged(threshold_sentences(x, digits), rlang::current_env())
}

threshold_sentences <- function(x, digits) {
  number <- function(v) paste(vapply(v, format, "", digits = digits), collapse = ", ")
  if (x$posterior == -Inf) return(sprintf("%s is always decided", x$action))
  if (x$posterior == Inf) return(sprintf("%s is never decided", x$action))
  c(
    sprintf(
      "decide %s when the posterior probability of %s exceeds %s (log odds %s)",
      x$action, x$class, number(x$posterior), number(x$log_odds)
    ),
    if (!is.na(x$likelihood_ratio)) {
      sprintf("that is when the likelihood ratio exceeds %s", number(x$likelihood_ratio))
    },
    if (length(x$cut)) {
      sprintf("the decision changes at %s = %s", encodeString(x$feature), number(x$cut))
    },
    if (length(x$cut)) "decision_regions() gives the decision on each side"
  )
}

#' @export
describe.bayesrisk_threshold <- function(x, show) {
  list(title_item("threshold of two actions"), answers_item(format(x, digits = show$digits)))
}

# One row for each cut, or one row with `NA` if there is no cut.
#' @export
result_rows.bayesrisk_threshold <- function(x, call) {
  numbers <- unclass(x)[c("action", "class", "posterior", "likelihood_ratio", "log_odds")]
  data.frame(numbers, cut = if (length(x$cut)) x$cut else NA_real_)
}

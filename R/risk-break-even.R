#' Where a decision breaks even
#'
#' The prior or cost at which the decision for a case changes. It shows how wrong a prior or a cost
#' may be without changing the decision. The expected
#' costs of the actions are straight lines in one prior or one cost, so the
#' answer is exact: the corners of their lower envelope.
#'
#' @param object A fitted or known model.
#' @param newdata The cases, as in [predict()][predict.bayesrisk_model]. `NULL`,
#'   or left out: one case without known features, decided by the prior alone.
#' @param cost The cost of each action under each true class: see
#'   [cost_matrix()]. It may differ from case to case. A case whose decision depends on a cost of
#'   `NA` has no answer (`bayesrisk_warning_unpriced`). The default is 0-1 cost.
#' @param vary The parameter that varies:
#'   * `"prior"`: the prior of `class`, from 0 to 1, while the others keep their
#'     proportions;
#'   * `c(decision = , truth = )`: the cost of this action when this class is
#'     true;
#'   * `c(decision = )`: the cost of this action, the same whatever is true, such
#'     as the price of abstaining.
#'
#'   A cost varies over all numbers, also negative ones. A break-even cost below 0 means that the
#'   decision changes only if the action brings a gain of this size.
#' @param class For `vary = "prior"`, the class whose prior varies. Without it,
#'   the first of two classes; of more than two, each in turn.
#' @inheritParams bayesrisk_arguments
#'
#' @return A data frame of class `bayesrisk_break_even`, a row for each case and break-even:
#'   * `row`: the position of the case in `newdata`;
#'   * `parameter`: the varying parameter, in words;
#'   * `value`: the prior or cost at which the decision changes, in increasing
#'     order for each case. A decision that never changes has one row, with `NA`.
#'     Odds are kept on the log scale, so a prior of 1e-300 has full precision. A change
#'     closer to 0 or 1 than any double counts as no change.
#'   * `below`, `above`: the decisions on either side, factors of the actions.
#'     For a case without a posterior (impossible under every class, or with an
#'     infinite number), or whose cost is `NA`, they are `NA`, with a warning as in
#'     [predict()][predict.bayesrisk_model].
#'
#'   Among equal expected costs, the first declared action is taken.
#' @section Errors: `bayesrisk_error_argument` names the argument, and the action
#'   or class that does not exist; `bayesrisk_error_schema` where `newdata` does
#'   not fit the model.
#' @source The lectures "Bayesian Learning (Galili, Shamir, Yakhini)" (how probable
#'   must a basketball player be before a tall man is taken for one?) and "Applied
#'   Machine Learning Fundamentals, Unit III: Bayesian Decision Theory (Wehner)"
#'   (prior and costs in one threshold).
#' @seealso [cost_sweep()] for the lines themselves, and to draw them.
#' @examples
#' nba <- bayes_known(
#'   prior = c(NBA = 0.5, other = 0.5),
#'   height = rbind(NBA = c(tall = 0.85, short = 0.15), other = c(tall = 0.1, short = 0.9))
#' )
#' break_even(nba, data.frame(height = c("tall", "short"))) # 2/19 and 6/7
#'
#' ocr <- bayes_known(
#'   prior = c(a = 0.75, b = 0.25),
#'   pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = 4)
#' )
#' cost <- cost_matrix(a = c(a = 0, b = 5), b = c(a = 1, b = 0), ask = 0.2)
#' letters <- data.frame(pixels = c(15, 20, 25))
#' predict(ocr, letters, cost = cost)
#' break_even(ocr, letters, cost)
#' break_even(ocr, letters, cost, vary = c(decision = "a", truth = "b"))
#' break_even(ocr, letters, cost, vary = c(decision = "ask"))
#'
#' # Costs by case: below which price is asking worth it for this sum?
#' by_sum <- cost_matrix(a = list(a = 0, b = ~ sum), b = c(a = 1, b = 0), ask = 0)
#' break_even(ocr, data.frame(pixels = 20, sum = c(1, 100)), by_sum, vary = c(decision = "ask"))
#' @export
break_even <- function(object, newdata = NULL, cost = NULL, prior = NULL, vary = "prior",
                       class = NULL, ..., threads = default_threads()) {
  call <- rlang::current_env()
  check_no_dots(..., call = call)
  threads <- check_threads(threads, call)
  check_model(maybe(object), call)
  prior <- predict_prior(object, prior, call)
  read <- read_cases(object, newdata, call)
  cost <- read_cost(cost, object$schema$classes$levels, newdata, read$frame$rows, call)
  weight <- object$statistics$classes$weight
  each <- identical(vary, "prior") && is.null(class) && length(prior) > 2L
  varied <- if (each) {
    varying <- which(vapply(seq_along(prior), can_vary, NA, prior = prior, weight = weight))
    # The prior of the only class with rows cannot vary. prior_vary() signals this error.
    if (!length(varying)) varying <- which.max(prior)
    lapply(varying, prior_vary, prior, object$schema$classes$levels, weight, call)
  } else {
    list(read_vary(vary, class, cost$actions, prior, object$schema, weight, call))
  }
  flips <- lapply(varied, find_flips, object = object, read = read, cost = cost, call = call)
  flips <- do.call(rbind, flips)
  flips <- flips[order(flips$row), ]
  rownames(flips) <- NULL
  structure(flips, class = c("bayesrisk_break_even", "bayesrisk_result", "data.frame"))
}

#' @export
describe.bayesrisk_break_even <- function(x, show) {
  list(title_part("where the decision changes"), table_part(plain_frame(x)))
}

# The corners between the pieces. A case with one piece has no corner.
find_flips <- function(varied, object, read, cost, call) {
  limits <- if (varied$kind == "prior") c(0, 1) else c(-Inf, Inf)
  pieces <- sweep_cases(object, read, cost, varied, limits[[1L]], limits[[2L]], call)$pieces
  first <- !duplicated(pieces$row)
  last <- !duplicated(pieces$row, fromLast = TRUE)
  below <- which(!last | first)
  above <- ifelse(last[below], below, below + 1L)
  actions <- factor(cost$actions, cost$actions)
  data.frame(
    row = pieces$row[below], parameter = rep(varied$label, length(below)),
    value = replace(pieces$to[below], last[below], NA),
    below = actions[pieces$decision[below]], above = actions[pieces$decision[above]]
  )
}

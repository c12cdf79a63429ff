#' Expected costs while a prior or a cost varies
#'
#' The cheapest action for a case and its expected cost, for every value of one prior or one cost.
#' The result is exact: the expected costs are straight lines in one prior or one cost, so the
#' smallest cost is their lower envelope, which consists of a few straight pieces.
#'
#' @inheritParams break_even
#' @param class For `vary = "prior"`, the class whose prior varies; the first of
#'   two classes without it.
#' @param from,to The range of what varies. Without them, 0 to 1 for a prior and
#'   `-Inf` to `Inf` for a cost.
#'
#' @details
#' While a **cost** varies, the lines are the expected costs given the case.
#' While a **prior** varies, they are
#' \deqn{\sum_k \pi_k(t)\, p(x \mid k)\, C(a, k) / p(x)}{%
#'   sum_k prior_k(t) p(x | k) C(a, k) / p(x)}
#' with the evidence \eqn{p(x)} under the current prior, so that at the current prior
#' the lines are also the expected costs given the case. (Divided by the evidence under
#' the varying prior they would be curves, with the same cheapest action.)
#' For a case without known features the lines are the expected costs at every prior.
#'
#' @return A data frame of class `bayesrisk_sweep`, a row for each piece:
#'   * `row`: the position of the case in `newdata`;
#'   * `from`, `to`: where the piece begins and ends;
#'   * `decision`: the cheapest action there; ties go to the first declared action;
#'   * `intercept`, `slope`: its expected cost is `intercept + slope * value`.
#'
#'   A case without a posterior, or whose cost is `NA`, has one row of `NA`, with a
#'   warning as in [predict()][predict.bayesrisk_model]. The attribute `lines` holds the lines
#'   of all actions: `row`, `decision`, `intercept`, `slope` (`Inf` and 0 for an
#'   action that an infinite cost rules out).
#' @inheritSection break_even Errors
#' @source The lecture "Bayesian Learning (Galili, Shamir, Yakhini)"; C.
#'   Drummond and R. C. Holte (2006), Cost curves, *Machine Learning* 65, 95-130,
#'   for costs as lines in one prior.
#' @seealso [break_even()] for the corners alone,
#'   [plot()][plot.bayesrisk_sweep] to draw them.
#' @examples
#' ocr <- bayes_known(
#'   prior = c(a = 0.75, b = 0.25),
#'   pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = 4)
#' )
#' cost <- cost_matrix(a = c(a = 0, b = 5), b = c(a = 1, b = 0), ask = 0.2)
#' cost_sweep(ocr, data.frame(pixels = c(15, 21)), cost, vary = "prior", class = "b")
#' cost_sweep(ocr, data.frame(pixels = 21), cost, vary = c(decision = "ask"), from = 0, to = 1)
#' cost_sweep(ocr, cost = cost) # before anything is seen
#' @export
cost_sweep <- function(object, newdata = NULL, cost = NULL, prior = NULL, vary = "prior",
                       class = NULL, from = NULL, to = NULL, ..., threads = default_threads()) {
  call <- rlang::current_env()
  check_no_dots(..., call = call)
  threads <- check_threads(threads, call)
  check_model(maybe(object), call)
  prior <- predict_prior(object, prior, call)
  read <- read_cases(object, newdata, call)
  classes <- object$schema$classes$levels
  cost <- read_cost(cost, classes, newdata, read$frame$rows, call)
  weight <- object$statistics$classes$weight
  varied <- read_vary(vary, class, cost$actions, prior, object$schema, weight, call)
  limits <- sweep_limits(from, to, varied$kind, call)
  swept <- sweep_cases(object, read, cost, varied, limits[[1L]], limits[[2L]], call)
  new_sweep(swept, cost$actions, list(
    label = varied$label, limits = limits, now = value_now(varied, cost), classes = classes,
    world = if (is.null(newdata) && varied$kind == "prior" && !is_case_cost(cost$origin)) {
      list(object = object, cost = cost, class = varied$truth, base = varied$base)
    }
  ))
}

# `varied`: the information for a plot. Its `world` gives the Bayes risk along a prior.
new_sweep <- function(swept, actions, varied) {
  actions <- factor(actions, actions)
  pieces <- swept$pieces
  at <- cbind(pieces$row, pieces$decision)
  cases <- nrow(swept$intercept)
  structure(
    data.frame(
      row = pieces$row, from = pieces$from, to = pieces$to,
      decision = actions[pieces$decision], intercept = swept$intercept[at],
      slope = swept$slope[at]
    ),
    lines = data.frame(
      row = rep(seq_len(cases), times = length(actions)), decision = rep(actions, each = cases),
      intercept = as.vector(swept$intercept), slope = as.vector(swept$slope)
    ),
    varied = varied,
    class = c("bayesrisk_sweep", "bayesrisk_result", "data.frame")
  )
}

#' @export
describe.bayesrisk_sweep <- function(x, show) {
  along <- attr(x, "varied")$label
  list(
    if (!is.null(along)) title_part(paste("action of least expected cost, along the", along)),
    table_part(plain_frame(x), c("piece", "pieces"))
  )
}

# The current value of the prior or the cost; NA if there are several values.
value_now <- function(varied, cost) {
  if (varied$kind == "prior") return(varied$prior)
  truth <- if (varied$truth > 0L) varied$truth else seq_along(cost$classes)
  place <- varied$decision + length(cost$actions) * (truth - 1L)
  now <- unique(unlist(all_cells(cost)[place]))
  if (length(now) == 1L) now else NA_real_
}

sweep_limits <- function(from, to, kind, call) {
  widest <- if (kind == "prior") c(0, 1) else c(-Inf, Inf)
  read <- function(x, arg, default) {
    if (is.null(x)) return(default)
    if (identical(x, default)) return(x)
    if (kind == "prior") check_number(x, arg, 0, 1, call) else check_number(x, arg, call = call)
  }
  limits <- c(read(from, "from", widest[[1L]]), read(to, "to", widest[[2L]]))
  if (limits[[1L]] < limits[[2L]]) return(limits)
  abort_argument("{.arg from} must be less than {.arg to}.", call)
}

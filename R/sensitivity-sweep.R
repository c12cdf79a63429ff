#' Expected costs while a prior or a cost varies
#'
#' A parametric sensitivity analysis: the cheapest action for a case and its expected cost, for
#' every value of one prior or one cost. The result is exact: the expected cost of each action is a
#' linear function of one prior or one cost, so the smallest cost is the lower envelope of these
#' lines, which has a few straight pieces.
#'
#' @inheritParams break_even
#' @param class For `vary = "prior"`, the class whose prior varies. Default: the first of two
#'   classes.
#' @param from,to The range of the prior or cost. Default: 0 to 1 for a prior, `-Inf` to `Inf` for a
#'   cost.
#'
#' @details
#' While a **cost** varies, the lines are the expected costs given the case.
#' While a **prior** varies, they are
#' \deqn{\sum_k \pi_k(t)\, p(x \mid k)\, C(a, k) / p(x)}{%
#'   sum_k prior_k(t) p(x | k) C(a, k) / p(x)}
#' with the evidence \eqn{p(x)} under the current prior. So at the current prior the lines are the
#' expected costs given the case. At other priors the expected cost is divided by the evidence under
#' that prior, which changes the cost but not the cheapest action. For a case without known features
#' the lines are the expected costs at every prior.
#'
#' @concept sensitivity analysis
#' @return A data frame of class `bayesrisk_sweep`, a row for each piece:
#'   * `row`: the position of the case; `case`: its name, if the data have row names of their own;
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
#' cost_sweep(cbind(a = 0.4, b = 0.6), cost = cost, trained_prior = "uniform") # of any classifier
#' @export
cost_sweep <- function(object, newdata = NULL, cost = NULL, prior = NULL, vary = "prior",
                       class = NULL, from = NULL, to = NULL, trained_prior = NULL, ...,
                       threads = default_threads()) {
  call <- check_no_dots(...)
  threads <- check_threads(threads, call)
  cases <- varied_cases(maybe(object), newdata, cost, prior, trained_prior, vary, threads, call)
  cost <- cases$cost
  varied <- read_vary(vary, class, cost$actions, cases$prior, cases$classes, cases$weight, call)
  limits <- sweep_limits(from, to, varied$kind, call)
  swept <- sweep_cases(cases, varied, limits[[1L]], limits[[2L]], threads, call)
  new_sweep(swept, cases, list(
    label = varied$label, limits = limits, now = value_now(varied, cost), classes = cases$classes,
    utility = is_utility(cost$origin),
    # The world that gives the Bayes risk along a prior.
    world = if (is_model(object) && is.null(newdata) && varied$kind == "prior" &&
                  !is_case_cost(cost$origin)) {
      list(object = object, cost = cost, class = varied$truth, base = varied$base)
    }
  ))
}

# `varied`: the information for a plot.
new_sweep <- function(swept, cases, varied) {
  actions <- factor(cases$cost$actions, cases$cost$actions)
  segments <- swept$segments
  at <- cbind(segments$row, segments$decision)
  rows <- nrow(swept$intercept)
  structure(
    data.frame(
      case_columns(segments$row, cases$names), from = segments$from, to = segments$to,
      decision = actions[segments$decision], intercept = swept$intercept[at],
      slope = swept$slope[at]
    ),
    lines = data.frame(
      row = rep(seq_len(rows), times = length(actions)), decision = rep(actions, each = rows),
      intercept = as.vector(swept$intercept), slope = as.vector(swept$slope)
    ),
    varied = varied,
    class = c("bayesrisk_sweep", "bayesrisk_result", "data.frame")
  )
}

#' @export
describe.bayesrisk_sweep <- function(x, show) {
  varied <- attr(x, "varied")
  gains <- isTRUE(varied$utility)
  title <- paste(
    if (gains) "action of largest expected gain," else "action of least expected cost,",
    "along the", varied$label
  )
  pieces <- plain_frame(x)
  line <- intersect(c("intercept", "slope"), names(pieces))
  pieces[line] <- lapply(pieces[line], gain_numbers, gains)
  many <- is.null(show$n) && length(unique(x$row)) > most_cases
  list(
    if (!is.null(varied)) title_item(title),
    if (many) {
      table_item(summarise_pieces(x), c("action", "actions"))
    } else {
      table_item(pieces, c("piece", "pieces"))
    },
    if (many) sentences_item("print(n = 20) shows the cases.")
  )
}

# A row for each action: the number of cases in which it costs least somewhere, and the medians of
# the ends of its range.
summarise_pieces <- function(x) {
  groups <- split(seq_len(nrow(x)), x$decision)
  groups <- groups[lengths(groups) > 0L]
  over_cases <- function(column, of_case) {
    vapply(groups, function(i) stats::median(tapply(x[[column]][i], x$row[i], of_case)), 1)
  }
  rows <- data.frame(
    decision = names(groups), cases = vapply(groups, function(i) length(unique(x$row[i])), 1L),
    from = over_cases("from", min), to = over_cases("to", max)
  )
  rows[order(rows$from, rows$to), ]
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

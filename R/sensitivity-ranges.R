#' Expected costs while each cost and each prior varies within a range
#'
#' A one-way sensitivity analysis. Costs and priors are rarely known exactly. `cost_ranges()` sets
#' each of them to both ends of the range that you believe in, while all others stay, decides all
#' cases again and gives the expected cost per case. [plot()][plot.bayesrisk_ranges] draws a
#' tornado: the parameter whose range makes the
#' largest difference is on top. For two costs it also draws the map of
#' the best action.
#'
#' @inheritParams break_even
#' @param vary The ranges, a list named by what varies. The range of a prior or a cost is a vector
#'   of two increasing numbers:
#'   * `prior = list(ill = c(0.05, 0.2))`: the prior of this class; the priors of the other classes
#'     keep their proportions;
#'   * `treat = list(well = c(2, 6))`: the cost of this action when this class is true;
#'   * `refer = c(1, 3)`: the cost of this action, the same under every class.
#' @param newdata For a model: the cases, as in [predict()][predict.bayesrisk_model]. `NULL`,
#'   or left out: one case without known features. For posterior probabilities: the data, a row per
#'   case, for costs by case.
#'
#' @details The expected cost of a case is that of its decision, and the cost of a row is the mean
#'   over the cases that have a decision. The cases stand for a population with the prior of the
#'   model (or `trained_prior`). For another prior \eqn{\pi'}, of `prior` or within a range, case
#'   \eqn{i} has the weight \eqn{\sum_k p_{ik} \pi'_k / \pi_k}{sum_k p[i, k] pi'[k] / pi[k]}. The
#'   smallest expected cost rises with each cost entry, so every value inside the range of a cost
#'   gives a cost between both ends. Along a prior the cost may be higher inside the range than at
#'   both ends, where decisions are hardest. `cost_min` and `cost_max` are exact: the sum of the
#'   smallest expected costs is concave and piecewise linear in a prior, the sum of the weights
#'   linear, so the mean is least at an end and largest where a decision changes, or at an end.
#'
#' @concept sensitivity analysis
#' @concept tornado diagram
#' @concept one-way sensitivity analysis
#' @concept two-way sensitivity analysis
#' @return A data frame of class `bayesrisk_ranges`, a row for each range in the order of `vary`:
#'   * `parameter`: the parameter, in words;
#'   * `from`, `now`, `to`: the ends of the range, and the present value (`NA` if it differs by
#'     case);
#'   * `cost_from`, `cost_to`: the expected cost per case at both ends;
#'   * `cost_min`, `cost_max`: the least and the largest expected cost per case within the range;
#'   * `changed_from`, `changed_to`: the share of the cases that are then decided otherwise.
#'
#'   The attribute `cost` is the expected cost per case now.
#' @inheritSection break_even Errors
#' @seealso [cost_sweep()] for all values of one parameter, [break_even()] for the values at which a
#'   decision changes, [plot()][plot.bayesrisk_ranges]
#' @examples
#' model <- bayes_known(
#'   prior = c(ill = 0.1, well = 0.9),
#'   marker = likelihood_gaussian(mean = c(ill = 3, well = 1), sd = 1)
#' )
#' cost <- cost_matrix(treat = c(ill = 1, well = 4), wait = c(ill = 50, well = 0), refer = 2)
#' patients <- data.frame(marker = c(0.3, 1, 1.9, 2.2, 2.8, 3.6))
#' ranges <- cost_ranges(model, patients, cost, vary = list(
#'   prior = list(ill = c(0.05, 0.2)), treat = list(well = c(2, 6)),
#'   wait = list(ill = c(30, 100)), refer = c(1, 3)
#' ))
#' ranges
#'
#' both <- cost_ranges(model, patients[3, , drop = FALSE], cost, vary = list(
#'   wait = list(ill = c(0, 100)), refer = c(0, 5)
#' ))
#' both
#' @export
cost_ranges <- function(object, newdata = NULL, cost = NULL, prior = NULL, vary,
                        trained_prior = NULL, ..., threads = default_threads()) {
  call <- check_no_dots(...)
  threads <- check_threads(threads, call)
  if (missing(vary)) abort_argument("{.arg vary} is missing: a list of ranges.", call)
  cases <- varied_cases(maybe(object), newdata, cost, prior, trained_prior, NULL, threads, call)
  varied <- read_ranges(vary, cases, call)
  warn_once({
    now <- cases$decide(cases$prior, cases$cost, "all")
    weight <- cases$weigh(cases$prior)
    ends <- lapply(varied, function(one) {
      lapply(one$range, function(value) compare_at(cases, one, value, now, call))
    })
    planes <- cost_planes(cases, varied)
    largest <- vapply(varied, largest_along, 1, cases, call)
  })
  of <- function(end, part) vapply(ends, function(pair) pair[[end]][[part]], 1)
  cost_from <- of(1L, "cost")
  cost_to <- of(2L, "cost")
  structure(
    data.frame(
      parameter = vapply(varied, `[[`, "", "label"),
      from = vapply(varied, function(one) one$range[[1L]], 1),
      now = vapply(varied, value_now, 1, cases$cost),
      to = vapply(varied, function(one) one$range[[2L]], 1),
      cost_from = cost_from, cost_to = cost_to, cost_min = pmin(cost_from, cost_to),
      cost_max = pmax(cost_from, cost_to, largest),
      changed_from = of(1L, "changed"), changed_to = of(2L, "changed")
    ),
    cost = known_mean(now$cost, weight, call), cases = length(now$cost),
    actions = cases$cost$actions, utility = is_utility(cases$cost$origin),
    planes = planes, names_of_cases = cases$names,
    class = c("bayesrisk_ranges", "bayesrisk_result", "data.frame")
  )
}

# A list of what read_vary() returns, with the range.
read_ranges <- function(vary, cases, call) {
  if (!is.list(vary) || is.object(vary) || !length(vary)) {
    abort_wanted(vary, "vary", "a list of ranges", call, c(i = range_example))
  }
  check_labels(names(vary), "The ranges in `vary`", call)
  unlist(lapply(names(vary), function(name) {
    entry <- vary[[name]]
    if (!is.list(entry)) {
      if (name == "prior") {
        abort_argument(
          c("{.arg vary} must name the class whose prior varies.", i = range_example), call
        )
      }
      return(list(read_range(entry, c(decision = name), NULL, cases, call)))
    }
    check_labels(names(entry), sprintf("The ranges of `%s` in `vary`", name), call)
    lapply(names(entry), function(class) {
      if (name == "prior") return(read_range(entry[[class]], "prior", class, cases, call))
      read_range(entry[[class]], c(decision = name, truth = class), NULL, cases, call)
    })
  }), recursive = FALSE)
}

read_range <- function(range, vary, class, cases, call) {
  is_prior <- identical(vary, "prior")
  if (is_prior && is.null(cases$prior)) {
    abort_argument("{.arg trained_prior} is missing: {.arg vary} varies a prior.", call)
  }
  varied <- read_vary(
    vary, class, cases$cost$actions, cases$prior, cases$classes, cases$weight, call
  )
  sound <- is_plain(range, is.numeric) && length(range) == 2L && all(is.finite(range)) &&
    range[[1L]] < range[[2L]] && !(is_prior && (range[[1L]] < 0 || range[[2L]] > 1))
  if (!sound) {
    limits <- if (is_prior) " from 0 to 1" else ""
    abort_argument(c(
      "{.arg vary}: the range of the {varied$label} must be two increasing numbers{limits}.",
      i = range_example
    ), call)
  }
  c(varied, list(range = as.double(range)))
}

range_example <-
  "For example {.code vary = list(prior = list(ill = c(0.1, 0.3)), refer = c(1, 3))}."

# The cost per case with a parameter at another value, and the share of the decisions that it
# changes. `now`: the decisions as they are.
compare_at <- function(cases, varied, value, now, call) {
  then <- decided_at(cases, list(varied), value, "all")
  other <- as.integer(then$decision) != as.integer(now$decision)
  weight <- cases$weigh(if (varied$kind == "prior") prior_at(varied, value) else cases$prior)
  list(cost = known_mean(then$cost, weight, call), changed = known_mean(other, weight, call))
}

# The weighted mean of the known values; NA if there are none.
known_mean <- function(x, weight, call) {
  open_as_na(call_engine(mean_and_error_cpp(as.double(x), weight), call)$mean)
}

# The largest cost per case within a range. Along a cost it is at an end, because the smallest
# expected cost of a case rises with each cost: -Inf here.
largest_along <- function(varied, cases, call) {
  if (varied$kind != "prior") return(-Inf)
  call_engine(largest_mean_cpp(
    cases$log_joint(varied$base), cases$cost, varied$truth, varied$prior, varied$range[[1L]],
    varied$range[[2L]], cases$weigh(cases$prior)
  ), call)
}

prior_at <- function(varied, value) replace(varied$base * (1 - value), varied$truth, value)

# The decisions with parameters at other values.
decided_at <- function(cases, varied, values, output) {
  prior <- cases$prior
  cost <- cases$cost
  for (i in seq_along(varied)) {
    if (varied[[i]]$kind == "prior") {
      prior <- prior_at(varied[[i]], values[[i]])
    } else {
      cost <- with_cells(cost, varied[[i]], values[[i]])
    }
  }
  cases$decide(prior, cost, output)
}

# The internal cost with one cell, or all cells of an action, at another value.
with_cells <- function(cost, varied, value) {
  truth <- if (varied$truth > 0L) varied$truth else seq_along(cost$classes)
  cost$fixed[varied$decision, truth] <- value
  places <- varied$decision + length(cost$actions) * (truth - 1L)
  kept <- !cost$by_case$cell %in% places
  cost$by_case <- list(cell = cost$by_case$cell[kept], value = cost$by_case$value[kept])
  cost
}

# For two costs: the expected costs of the cases (cases x actions) at three corners of the rectangle
# of both ranges. They are linear between them. Otherwise NULL.
cost_planes <- function(cases, varied) {
  kinds <- vapply(varied, `[[`, "", "kind")
  if (length(varied) != 2L || any(kinds == "prior")) return(NULL)
  low <- c(varied[[1L]]$range[[1L]], varied[[2L]]$range[[1L]])
  high <- c(varied[[1L]]$range[[2L]], varied[[2L]]$range[[2L]])
  at <- function(values) unname(decided_at(cases, varied, values, "cost"))
  list(base = at(low), x = at(c(high[[1L]], low[[2L]])), y = at(c(low[[1L]], high[[2L]])))
}

#' @export
describe.bayesrisk_ranges <- function(x, show) {
  # The least cost is that of an end. The largest one is shown if it is not.
  inside <- any(x$cost_max > pmax(x$cost_from, x$cost_to), na.rm = TRUE)
  hidden <- c("cost_min", if (!inside) "cost_max")
  now <- attr(x, "cost")
  gains <- shows_gains(x, now)
  title <- sprintf(
    "expected cost per case within ranges: %s, now %%s",
    count_of(attr(x, "cases"), "case", "cases")
  )
  shown <- gain_columns(plain_frame(x), gains)
  if (gains) hidden <- c("gain_max", if (!inside) "gain_min")
  list(
    title_item(say_cost(title, now, show$digits, gains)),
    table_item(shown[setdiff(names(shown), hidden)], c("range", "ranges"), keys = 1L)
  )
}

#' Plot contributions to the expected cost: the reason for a decision
#'
#' A waterfall for each action: the first bar is the expected cost of the action when no feature is
#' known, the last bar its expected cost for the case. Each bar between them begins at the end of
#' the previous bar; its length is what its block adds. By default there are two panels, with the
#' same scale: the decision and the best alternative.
#'
#' @param x A result of [contributions()] with a `cost`.
#' @param ... Graphical parameters, as in [plot()][plot.bayesrisk_model]; `col` holds the colours of
#'   blocks that lower the cost and of blocks that raise it.
#' @param case Which cases to draw, by position or by name; at most 6.
#' @param decision The actions to draw, a panel each. Default: the decision and the best
#'   alternative; for more than three cases the decision.
#' @param limit The maximum number of blocks to draw. If there are more, the blocks with the
#'   smallest contributions share one bar.
#' @param sort Whether the blocks with the largest contributions come first. Default: only for
#'   Shapley values. In the order `"given"` each bar ends at the expected cost after this block and
#'   all blocks before it; sorted bars do not.
#' @return Invisibly, the drawn data: a data frame `case`, `decision`, `block`, `contribution`,
#'   `from` and `to` (expected costs).
#' @section Errors: `bayesrisk_error_argument` names the argument.
#' @seealso [contributions()]
#' @export
#' @examples
#' tennis <- fit(bayes_naive(), play ~ ., play_tennis)
#' day <- data.frame(outlook = "sunny", temperature = "cool", humidity = "high", wind = "strong")
#' cost <- cost_matrix(book = c(yes = 0, no = 30), wait = c(yes = 20, no = 0), ask = 5)
#' plot(contributions(tennis, day, cost))
#' plot(contributions(tennis, day, cost, order = "shapley"), decision = "book")
plot.bayesrisk_cost_contributions <- function(x, ..., case = 1, decision = NULL, limit = 12,
                                              sort = NULL) {
  call <- rlang::current_env()
  style <- read_style(list(...), call)
  drawn <- cost_contributions_drawing(x, case, decision, limit, sort, call)
  draw_cost_steps(drawn, style, x)
  invisible(drawn)
}

cost_contributions_drawing <- function(x, case, decision, limit, sort, call) {
  check_case_array(x, call, !is.null(attr(x, "decision")))
  limit <- check_whole_number(limit, "limit", min = 1, call = call)
  if (is.null(sort)) sort <- identical(attr(x, "order"), "shapley")
  sort <- check_flag(sort, "sort", call)
  cases <- check_cases_drawn(case, case_labels(x), call)
  decision <- check_actions_drawn(decision, dimnames(x)$action, length(cases), call)
  cost_steps_data(x, cases, decision, limit, sort)
}

# The actions to draw, by position, or NULL.
check_actions_drawn <- function(decision, actions, cases, call) {
  if (is.null(decision)) return(NULL)
  sound <- is_plain(decision, is.character) && !anyDuplicated(decision) &&
    all(decision %in% actions)
  if (!sound) {
    abort_argument("{.arg decision} must be one or more of {.or {.val {actions}}}.", call)
  }
  if (length(decision) * cases > most_panels) {
    abort_argument(
      "{.arg decision} and {.arg case} ask for {length(decision) * cases} panels: the limit is
       {most_panels}.", call
    )
  }
  match(decision, actions)
}

# One row for each bar.
cost_steps_data <- function(x, cases, decision, limit, sort) {
  do.call(rbind, lapply(cases, function(i) {
    parts <- case_matrix(x, i)
    total <- case_total(x, i)
    actions <- decision
    if (is.null(actions)) actions <- leading_actions(x, i)
    if (is.null(decision) && length(cases) > most_panels / 2) actions <- actions[[1L]]
    do.call(rbind, lapply(actions, function(a) {
      added <- steps_of(parts[, a], limit, sort)
      reached <- unname(cumsum(added))
      data.frame(
        case = case_labels(x)[[i]], decision = colnames(parts)[[a]],
        block = c(names(added), "case"), contribution = c(unname(added), total[[a]]),
        from = c(0, reached[-length(reached)], 0), to = c(reached, total[[a]])
      )
    }))
  }))
}

cost_directions <- c("lowers the cost", "raises the cost")

draw_cost_steps <- function(drawn, style, x) {
  keys <- label_style(cost_directions, style)
  panel <- paste(drawn$case, drawn$decision, sep = "\r")
  clipped <- clip_steps(drawn)
  drawn <- clipped$steps
  limits <- clipped$limits
  if (diff(limits) == 0) limits <- limits + c(0, 1)
  limits <- limits + c(-0.08, 0.12) * diff(limits)
  panels <- lapply(split(drawn, match(panel, unique(panel))), function(steps) {
    list(
      levels = steps$block, ylim = limits, xlab = cost_steps_title(steps, x),
      ylab = "expected cost", draw = function() draw_cost_bars(steps, keys)
    )
  })
  draw_figure(panels, list(legend_entries(keys, bar = TRUE)), style)
}

cost_steps_title <- function(steps, x) {
  action <- steps$decision[[1L]]
  i <- match(steps$case[[1L]], case_labels(x))
  role <- if (action %in% attr(x, "decision")[[i]]) {
    "(the decision)"
  } else if (action %in% attr(x, "runner_up")[[i]]) {
    "(the best alternative)"
  }
  c(sprintf("case %s: cost of %s", steps$case[[1L]], action), role)
}

# The first and the last bar are costs, the others changes of costs.
draw_cost_bars <- function(steps, keys) {
  at <- seq_len(nrow(steps))
  draw_step_lines(steps)
  whole <- at %in% c(1L, nrow(steps))
  known <- !is.nan(steps$to) & !is.na(steps$contribution)
  if (!any(known)) return(invisible())
  for (i in at[known]) {
    if (whole[[i]]) {
      graphics::rect(i - 0.35, 0, i + 0.35, steps$to[[i]], col = "grey75", border = "grey20")
    } else {
      k <- if (steps$contribution[[i]] > 0) 2L else 1L
      draw_bars(i - 0.35, steps$from[[i]], i + 0.35, steps$to[[i]], keys, k)
    }
  }
  at <- at[known]
  steps <- steps[known, ]
  up <- steps$contribution >= 0
  ends <- ifelse(up, pmax(steps$from, steps$to), pmin(steps$from, steps$to))
  signed <- !whole[known] & steps$contribution != 0
  numbers <- sprintf(ifelse(signed, "%+.3g", "%.3g"), steps$contribution)
  draw_numbers(at, ends, numbers, ifelse(up, 3L, 1L))
}

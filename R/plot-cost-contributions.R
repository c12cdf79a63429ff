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
#' @return A ggplot, whose element `data` has the drawn data: a data frame `case`, `decision`,
#'   `block`, `contribution`, `from` and `to` (expected costs).
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
  style <- read_style(list(...), call, bar_parameters)
  drawn <- cost_contributions_drawing(x, case, decision, limit, sort, call)
  finish_figure(cost_steps_figure(drawn, style, x), style)
}

cost_contributions_drawing <- function(x, case, decision, limit, sort, call) {
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
  decision <- check_some(decision, actions, "decision", call)
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
cost_steps_figure <- function(drawn, style, x) {
  panel <- as_seen(paste(drawn$case, drawn$decision, sep = "\r"))
  titles <- vapply(split(drawn, panel), function(part) {
    paste(cost_steps_title(part, x), collapse = "\n")
  }, "")
  whole <- drawn$block == "case" | !duplicated(panel)
  steps <- clip_steps(drawn)
  steps$supports <- factor(
    ifelse(whole, "expected cost", cost_directions[1 + (drawn$contribution > 0)]),
    c(cost_directions, "expected cost")
  )
  keys <- label_style(cost_directions, style)
  keys <- rbind(keys, replace(keys[1L, ], c("labels", "col"), c("expected cost", "grey75")))
  signed <- !whole & drawn$contribution != 0
  step_figure(
    drawn, steps, titles[panel], label_scales(keys), ifelse(signed, "%+.3g", "%.3g"), "free_y"
  ) +
    titled("expected cost", NULL, fill = NULL)
}

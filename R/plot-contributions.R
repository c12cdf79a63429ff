#' Plot contributions: from the prior by the features to the posterior
#'
#' The log odds of one class against another, block by block, from the largest contribution to the
#' smallest. Bars lie, so that long names can be read. The first bar, at the top, is the prior. Each
#' further bar begins at the end of the previous bar, and its length is the contribution of its
#' block. The last bar is the sum, the posterior. The colour of a bar is the colour of the class
#' that it supports. Each panel names the case and both classes.
#'
#' @param x A result of [contributions()].
#' @param ... Graphical parameters, as in [plot()][plot.bayesrisk_model]; `col` holds the colours of
#'   the classes.
#' @param case Which cases to draw, by position or by name; at most 6.
#' @param class The class whose odds are drawn. Default: for each case its most probable one.
#' @param against The classes to compare it with, a panel for each. Default: for one case the most
#'   probable other classes, at most 5; for several cases the most probable other class.
#' @param limit The maximum number of blocks to draw. If there are more, the blocks with the
#'   smallest contributions share one bar.
#' @param sort Whether the blocks with the largest contributions come first. `FALSE`: the order of
#'   the model.
#' @return A ggplot, whose element `data` has the drawn data: a data frame `case`, `class`,
#'   `against`, `block`, `contribution` (to the log odds), `from` and `to` (log odds).
#' @details A block that is impossible under one class ends the comparison: its bar goes to the edge
#'   of the panel, and the posterior is certain. If a block is impossible under both classes, their
#'   odds are undefined (`NaN`), and its bar is not drawn.
#' @section Errors: `bayesrisk_error_argument` names the argument.
#' @references Lecture "Applied Machine Learning Fundamentals, Unit III: Bayesian Decision Theory
#' (Wehner)": prior, contributions of the features, posterior.
#' @seealso [contributions()]
#' @export
#' @examples
#' tennis <- fit(bayes_naive(), play ~ ., play_tennis)
#' day <- data.frame(outlook = "sunny", temperature = "cool", humidity = "high", wind = "strong")
#' plot(contributions(tennis, day))
plot.bayesrisk_contributions <- function(x, ..., case = 1, class = NULL, against = NULL,
                                         limit = 12, sort = TRUE) {
  call <- rlang::current_env()
  style <- read_style(list(...), call, bar_parameters, dimnames(x)$class)
  drawn <- contributions_drawing(x, case, class, against, limit, sort, call)
  finish_figure(contributions_figure(drawn, style), style)
}

contributions_drawing <- function(x, case, class, against, limit, sort, call) {
  classes <- dimnames(x)$class
  if (length(classes) < 2L) {
    abort_argument("{.arg x} has one class: there are no odds.", call)
  }
  limit <- check_whole_number(limit, "limit", min = 1, call = call)
  sort <- check_flag(sort, "sort", call)
  cases <- check_cases_drawn(case, case_labels(x), call)
  if (!is.null(class)) class <- check_choice(class, classes, "class", call)
  against <- check_rivals(against, class, classes, call)
  contributions_data(x, cases, class, against, limit, sort)
}

most_panels <- 6L

check_cases_drawn <- function(case, labels, call) {
  numbers <- is.numeric(case) && !is.object(case) && all(case %in% seq_along(labels))
  places <- if (is.character(case)) match(case, labels) else if (numbers) as.integer(case)
  sound <- length(places) && !anyNA(places) && !anyDuplicated(places)
  if (sound && length(places) <= most_panels) return(places)
  abort_wanted(
    case, "case", "1 to {most_panels} cases of {.arg x}, by position or name", call
  )
}

check_rivals <- function(against, class, classes, call) {
  if (is.null(against)) return(NULL)
  if (is.null(class)) abort_argument("{.arg against} needs {.arg class}.", call)
  check_some(against, setdiff(classes, class), "against", call)
}

# One row for each step from the prior to the posterior, for each case and rival class.
contributions_data <- function(x, cases, class, against, limit, sort) {
  rivals_drawn <- if (length(cases) == 1L) most_panels - 1L else 1L
  do.call(rbind, lapply(cases, function(i) {
    parts <- case_matrix(x, i)
    ranked <- colnames(parts)[order(-colSums(parts))]
    if (is.null(class)) class <- ranked[[1L]]
    if (is.null(against)) against <- utils::head(setdiff(ranked, class), rivals_drawn)
    do.call(rbind, lapply(against, function(rival) {
      added <- steps_of(parts[, class] - parts[, rival], limit, sort)
      reached <- unname(cumsum(added))
      data.frame(
        case = case_labels(x)[[i]], class = class, against = rival,
        block = c(names(added), "posterior"), contribution = c(unname(added), sum(added)),
        from = c(0, reached[-length(reached)], 0), to = c(reached, sum(added))
      )
    }))
  }))
}

# The prior, the largest contributions, and the sum of the remaining contributions.
steps_of <- function(added, limit, sort) {
  blocks <- added[-1L]
  ranked <- order(-replace(abs(blocks), is.nan(blocks), Inf))
  kept <- utils::head(ranked, limit)
  rest <- ranked[-seq_along(kept)]
  others <- stats::setNames(sum(blocks[rest]), count_of(length(rest), "other", "others"))
  if (!sort) kept <- base::sort(kept)
  c(prior = added[[1L]], blocks[kept], others[length(rest) > 0L])
}

contributions_figure <- function(drawn, style) {
  keys <- label_style(style$classes, style)
  titles <- rival_titles(drawn)
  steps <- do.call(rbind, lapply(split(drawn, as_seen(titles)), clip_steps))
  steps$supports <- factor(ifelse(steps$contribution < 0, steps$against, steps$class), keys$labels)
  step_figure(drawn, steps, titles, label_scales(keys), "%+.3g") + speaks_for("log odds")
}

rival_titles <- function(drawn) {
  sprintf("case %s: %s\nagainst %s", drawn$case, drawn$class, drawn$against)
}

speaks_for <- function(x) titled(x, NULL, fill = "speaks for")

# The bars of a waterfall, of which infinite ones end beyond all finite ones.
clip_steps <- function(steps) {
  ends <- c(0, steps$from, steps$to)
  finite <- range(ends[is.finite(ends)])
  room <- max(diff(finite), if (all(is.finite(ends))) 0 else 1) * 0.4
  clip <- function(x) pmin(pmax(x, finite[[1L]] - room), finite[[2L]] + room)
  steps[c("from", "to")] <- lapply(steps[c("from", "to")], clip)
  steps
}

# Bars lie, so that long names can be read. `steps`: the rows of `drawn` with infinite ends clipped.
step_figure <- function(drawn, steps, titles, scales, format, free = "free") {
  steps$panel <- as_seen(unname(titles))
  steps$text <- sprintf(format, steps$contribution)
  lines <- step_lines(steps)
  steps <- steps[!is.na(steps$contribution) & !is.na(steps$to), ]
  right <- steps$contribution >= 0
  steps$end <- ifelse(right, pmax(steps$from, steps$to), pmin(steps$from, steps$to))
  steps$text <- sprintf(ifelse(right, " %s", "%s "), steps$text)
  steps$side <- as.double(!right)
  steps <- steps[rev(seq_len(nrow(steps))), ]
  panels <- nlevels(steps$panel)
  left <- steps$side == 1 & steps$end < 0.2 * max(steps$end, 0)
  axes <- c(level_scales("y", steps$block, steps$panel), roomy_axis(panels, any(left)))
  start_figure(drawn, c(scales, axes)) +
    base_line(0, colour = "grey40") +
    bars_of(steps, "y", "block", "from", "to", fill = "supports") +
    ggplot2::geom_segment(
      aes_of(x = "to", xend = "to", y = "block", yend = "below"), lines, colour = "grey50",
      linewidth = 0.3, na.rm = TRUE
    ) +
    # The panels of three columns have no room for numbers.
    (if (panel_columns(panels) < 3) {
      numbers_of(steps, x = "end", y = "block", label = "text", hjust = "side", size = 2.7)
    }) +
    panels_by(steps, free, steps$block)
}

# Lines from the end of each bar to the next bar.
step_lines <- function(steps) {
  steps$below <- c(steps$block[-1L], NA)
  steps[which(steps$panel == c(as.character(steps$panel)[-1L], NA) & !is.na(steps$to)), ]
}

#' Plot contributions to the expected cost: the reason for a decision
#'
#' A waterfall for each action: the first bar is the expected cost of the action when no feature is
#' known, the last bar its expected cost for the case. Each bar between them begins at the end of
#' the previous bar; its length is what its block adds. By default there are two panels, with the
#' same scale: the decision and the best alternative. An action that costs the same under every
#' class is one bar.
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
      added <- if (adds_nothing(parts[, a])) numeric() else steps_of(parts[, a], limit, sort)
      reached <- unname(cumsum(added))
      data.frame(
        case = case_labels(x)[[i]], decision = colnames(parts)[[a]],
        block = c(names(added), "case"), contribution = c(unname(added), total[[a]]),
        from = c(c(0, reached)[seq_along(added)], 0), to = c(reached, total[[a]])
      )
    }))
  }))
}

# Whether no block changes the cost of an action, because it costs the same under every class.
adds_nothing <- function(parts) {
  prior <- parts[[1L]]
  is.finite(prior) && isTRUE(all(abs(parts[-1L]) <= 1e-12 * abs(prior)))
}

cost_directions <- c("lowers the cost", "raises the cost")

cost_steps_title <- function(steps, x, gains) {
  action <- steps$decision[[1L]]
  i <- match(steps$case[[1L]], case_labels(x))
  role <- if (action %in% attr(x, "decision")[[i]]) {
    "(the decision)"
  } else if (action %in% attr(x, "runner_up")[[i]]) {
    "(the best alternative)"
  }
  c(sprintf(gain_words("case %s: cost of %s", gains), steps$case[[1L]], action), role)
}

# The first and the last bar are costs, the others changes of costs.
cost_steps_figure <- function(drawn, style, x) {
  gains <- steps_gain(x)
  panel <- as_seen(paste(drawn$case, drawn$decision, sep = "\r"))
  titles <- vapply(split(drawn, panel), function(part) {
    paste(cost_steps_title(part, x, gains), collapse = "\n")
  }, "")
  whole <- drawn$block == "case" | !duplicated(panel)
  steps <- clip_steps(drawn)
  numbers <- c("contribution", "from", "to")
  steps[numbers] <- lapply(steps[numbers], gain_numbers, gains)
  directions <- if (gains) c("raises the gain", "lowers the gain") else cost_directions
  total <- gain_words("expected cost", gains)
  steps$supports <- factor(
    ifelse(whole, total, directions[1 + (drawn$contribution > 0)]), c(directions, total)
  )
  keys <- label_style(directions, style)
  keys <- rbind(keys, replace(keys[1L, ], c("labels", "col"), c(total, "grey75")))
  signed <- !whole & drawn$contribution != 0
  step_figure(
    drawn, steps, titles[panel], label_scales(keys), ifelse(signed, "%+.3g", "%.3g"), "free_y"
  ) +
    titled(total, NULL, fill = NULL)
}

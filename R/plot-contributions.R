#' Plot contributions: from the prior by the features to the posterior
#'
#' The log odds of one class against another, block by block, from the largest contribution to the
#' smallest. The first bar is the prior. Each further bar begins at the end of the previous bar, and
#' its length is the contribution of its block. The last bar is the sum, the posterior. The colour
#' of a bar is the colour of the class that it supports. Each panel names the case and both classes.
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
#' @return Invisibly, the drawn data: a data frame `case`, `class`, `against`, `block`,
#'   `contribution` (to the log odds), `from` and `to` (log odds).
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
#'
#' flowers <- fit(bayes_naive(), Species ~ ., iris)
#' plot(contributions(flowers, iris[107, ]))
plot.bayesrisk_contributions <- function(x, ..., case = 1, class = NULL, against = NULL,
                                         limit = 12, sort = TRUE) {
  call <- rlang::current_env()
  style <- read_style(list(...), call, dimnames(x)$class)
  drawn <- contributions_drawing(x, case, class, against, limit, sort, call)
  draw_contributions(drawn, style)
  invisible(drawn)
}

contributions_drawing <- function(x, case, class, against, limit, sort, call) {
  check_case_array(x, call)
  classes <- dimnames(x)$class
  if (length(classes) < 2L) {
    abort_argument("{.arg {drawn_name(call)}} has one class: there are no odds.", call)
  }
  limit <- check_whole_number(limit, "limit", min = 1, call = call)
  sort <- check_flag(sort, "sort", call)
  cases <- check_cases_drawn(case, case_labels(x), call)
  if (!is.null(class)) class <- check_choice(class, classes, "class", call)
  against <- check_rivals(against, class, classes, call)
  contributions_data(x, cases, class, against, limit, sort)
}

check_case_array <- function(x, call, sound = TRUE) {
  if (sound && length(dim(x)) == 3L && all(dim(x) > 0L)) return(invisible())
  abort_argument(
    "{.arg {drawn_name(call)}} has no case or is not a whole result of {.fn contributions}.", call
  )
}

most_panels <- 6L

check_cases_drawn <- function(case, labels, call) {
  numbers <- is.numeric(case) && !is.object(case) && all(case %in% seq_along(labels))
  places <- if (is.character(case)) match(case, labels) else if (numbers) as.integer(case)
  sound <- length(places) && !anyNA(places) && !anyDuplicated(places)
  if (sound && length(places) <= most_panels) return(places)
  got <- describe_value(case)
  abort_argument(
    "{.arg case} must be 1 to {most_panels} cases of {.arg {drawn_name(call)}}, by position or
     name, not {got}.", call
  )
}

check_rivals <- function(against, class, classes, call) {
  if (is.null(against)) return(NULL)
  if (is.null(class)) abort_argument("{.arg against} needs {.arg class}.", call)
  rivals <- setdiff(classes, class)
  sound <- is.character(against) && length(against) && !anyDuplicated(against) &&
    all(against %in% rivals)
  if (sound) return(as.vector(against))
  abort_argument("{.arg against} must be one or more of {.or {.val {rivals}}}.", call)
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

draw_contributions <- function(drawn, style) {
  keys <- label_style(style$classes, style)
  panel <- paste(drawn$case, drawn$against, sep = "\r")
  panels <- lapply(split(drawn, match(panel, unique(panel))), step_panel, keys)
  shown <- keys[keys$labels %in% c(drawn$class, drawn$against), ]
  draw_figure(panels, list(legend_entries(shown, bar = TRUE, title = "speaks for:")), style)
}

# The bars of a waterfall, of which infinite ones end beyond all finite ones: list(steps, limits).
clip_steps <- function(steps) {
  ends <- c(0, steps$from, steps$to)
  finite <- range(ends[is.finite(ends)])
  room <- max(diff(finite), if (all(is.finite(ends))) 0 else 1) * 0.4
  clip <- function(x) pmin(pmax(x, finite[[1L]] - room), finite[[2L]] + room)
  steps[c("from", "to")] <- lapply(steps[c("from", "to")], clip)
  list(steps = steps, limits = range(clip(ends), na.rm = TRUE))
}

step_panel <- function(steps, keys) {
  clipped <- clip_steps(steps)
  steps <- clipped$steps
  limits <- clipped$limits
  list(
    levels = steps$block, ylim = limits + c(-0.12, 0.12) * max(diff(limits), 1),
    xlab = c(
      sprintf("case %s: %s", steps$case[[1L]], steps$class[[1L]]),
      paste("against", steps$against[[1L]])
    ),
    ylab = "log odds", draw = function() draw_steps(steps, keys)
  )
}

# The line of 0, and lines from the end of each bar to the next bar.
draw_step_lines <- function(steps) {
  from <- seq_len(nrow(steps) - 1L)
  graphics::abline(h = 0, col = "grey40")
  graphics::segments(from + 0.35, steps$to[from], from + 1.35, steps$to[from], col = "grey60")
}

draw_steps <- function(steps, keys) {
  at <- seq_len(nrow(steps))
  draw_step_lines(steps)
  up <- !is.nan(steps$contribution) & steps$contribution >= 0
  for (i in at[!is.nan(steps$contribution)]) {
    k <- match(if (up[[i]]) steps$class[[i]] else steps$against[[i]], keys$labels)
    draw_bars(i - 0.35, steps$from[[i]], i + 0.35, steps$to[[i]], keys, k)
  }
  ends <- ifelse(up, pmax(steps$from, steps$to), pmin(steps$from, steps$to))
  draw_numbers(at, ends, sprintf("%+.3g", steps$contribution), ifelse(up, 3L, 1L))
}

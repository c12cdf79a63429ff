#' Plot expected costs within ranges: a tornado, or a map of two costs
#'
#' @param x A [cost_ranges()].
#' @param type What to draw:
#'   * `"tornado"` (the default): a bar for each range, from the expected cost at one end to that at
#'     the other, the range of the largest difference in cost on top. The two halves are the lower
#'     and the upper end of the range; the numbers are the ends. A line marks the expected cost now.
#'     A thin line leads to the largest cost within the range, if it is not at an end.
#'   * `"map"`, of two costs: the action of least expected cost for each pair of costs within both
#'     ranges, one panel for each case. The expected cost of an action is linear in two costs, so
#'     the regions are polygons with exact corners. A cross marks the costs now.
#' @param ... Graphical parameters, as in [plot()][plot.bayesrisk_model]; `col` holds the colours of
#'   the two ends of a range, or of the actions.
#' @param rows For a map, the cases to draw, by their position, one panel each. Default: all (at
#'   most nine; a message names the omitted cases).
#' @return A ggplot, whose element `data` has the drawn data. `"tornado"`: the rows of `x`, from
#'   top to bottom. `"map"`: a data frame with `row`, `decision`, `x` and `y`, a row for each
#'   corner of the region of a decision, in order around the region.
#' @section Errors: `bayesrisk_error_argument` names the argument, also for a map of other than two
#'   costs.
#' @seealso [cost_ranges()]
#' @examples
#' model <- bayes_known(
#'   prior = c(ill = 0.1, well = 0.9),
#'   marker = likelihood_gaussian(mean = c(ill = 3, well = 1), sd = 1)
#' )
#' cost <- cost_matrix(treat = c(ill = 1, well = 4), wait = c(ill = 50, well = 0), refer = 2)
#' patients <- data.frame(marker = c(1.9, 2.8))
#' plot(cost_ranges(model, patients, cost, vary = list(
#'   prior = list(ill = c(0.05, 0.2)), wait = list(ill = c(30, 100)), refer = c(1, 3)
#' )))
#' both <- list(wait = list(ill = c(0, 100)), refer = c(0, 5))
#' plot(cost_ranges(model, patients, cost, vary = both), "map")
#' @export
plot.bayesrisk_ranges <- function(x, type = c("tornado", "map"), ..., rows = NULL) {
  call <- rlang::current_env()
  type <- check_choice(type, c("tornado", "map"), "type", call)
  style <- read_style(list(...), call, bar_parameters)
  drawn <- ranges_data(x, type, rows, call)
  figure <- if (type == "map") {
    map_figure(drawn, x, style)
  } else {
    tornado_figure(drawn, attr(x, "cost"), shows_gains(x, attr(x, "cost")), style)
  }
  finish_figure(figure, style)
}

ranges_data <- function(x, type, rows, call) {
  if (type == "map") return(map_data(x, rows, call))
  if (!is.null(rows)) abort_argument("{.arg rows} is for {.code type = \"map\"}.", call)
  tornado_data(x, call)
}

tornado_data <- function(x, call) {
  drawn <- plain_frame(x)
  drawn <- drawn[is.finite(drawn$cost_min) & is.finite(drawn$cost_max), ]
  if (!nrow(drawn)) {
    abort_argument("{.arg x} has no finite cost to draw.", call)
  }
  drawn <- drawn[order(drawn$cost_min - drawn$cost_max), ]
  rownames(drawn) <- NULL
  drawn
}

range_ends <- c("lower end", "upper end")

tornado_figure <- function(drawn, now, gains, style) {
  names <- tornado_labels(drawn$parameter)
  bars <- data.frame(
    parameter = rep(as_seen(names), 2L), cost = c(drawn$cost_from, drawn$cost_to), now = now,
    range = factor(rep(range_ends, each = nrow(drawn)), range_ends),
    text = c(cut_number(drawn$from), cut_number(drawn$to))
  )
  # The number of an end stands outside of the bar.
  other <- c(drawn$cost_to, drawn$cost_from)
  upper <- bars$range == range_ends[[2L]]
  right <- (bars$cost > other | bars$cost == other & upper) != gains
  bars$side <- as.double(!right)
  bars$text <- sprintf(ifelse(right, " %s", "%s "), bars$text)
  # The shorter of two bars on one side is drawn above the longer one.
  row <- rep(seq_along(names), 2L)
  bars <- bars[order(-row, -abs(bars$cost - now)), ]
  bars[c("cost", "now")] <- lapply(bars[c("cost", "now")], gain_numbers, gains)
  within <- data.frame(
    parameter = as_seen(names), inner = pmax(drawn$cost_from, drawn$cost_to, now),
    cost_max = drawn$cost_max
  )
  within <- within[within$cost_max > within$inner, ]
  within[c("inner", "cost_max")] <- lapply(within[c("inner", "cost_max")], gain_numbers, gains)
  start_figure(drawn, c(
    label_scales(label_style(range_ends, style)), level_scales("y", bars$parameter), roomy_axis(1L)
  )) +
    bars_of(bars, "y", "parameter", "now", "cost", width = 0.6, fill = "range") +
    ggplot2::geom_segment(
      aes_of(x = "inner", xend = "cost_max", y = "parameter", yend = "parameter"), within
    ) +
    base_line(gain_numbers(now, gains), colour = "grey20") +
    numbers_of(bars, x = "cost", y = "parameter", label = "text", hjust = "side") +
    titled(gain_words("expected cost per case", gains), NULL)
}

# Short labels, because long ones are cut.
tornado_labels <- function(labels) sub(" when truth is ", " if ", labels, fixed = TRUE)

cut_number <- function(x) vapply(x, format, "", digits = 3L)

# The regions of the actions, polygon by polygon.
map_data <- function(x, rows, call) {
  planes <- attr(x, "planes")
  if (is.null(planes) || nrow(x) != 2L) {
    abort_argument("{.code type = \"map\"} needs the ranges of two costs.", call)
  }
  known <- which(rowSums(is.na(planes$base)) == 0L)
  known <- drawn_rows(rows, known, call)
  do.call(rbind, lapply(known, function(i) {
    corners <- lapply(planes, function(costs) costs[i, ])
    case_map(corners, i, attr(x, "actions"), x)
  }))
}

# The expected cost of action a is base + x u + y v, with u and v from 0 to 1 in both ranges.
case_map <- function(corners, row, actions, x) {
  plane <- cbind(corners$base, corners$x - corners$base, corners$y - corners$base)
  possible <- which(is.finite(rowSums(plane)))
  band <- 1e-12 * max(abs(plane[possible, ]), 0)
  do.call(rbind, lapply(possible, function(a) {
    polygon <- cbind(u = c(0, 1, 1, 0), v = c(0, 0, 1, 1))
    for (b in setdiff(possible, a)) {
      lead <- plane[b, ] - plane[a, ]
      # If two actions cost the same everywhere, the first one is taken.
      if (all(abs(lead) <= band)) {
        if (b < a) return(NULL)
      } else {
        polygon <- clip_polygon(polygon, lead)
      }
    }
    if (nrow(polygon) < 3L) return(NULL)
    data.frame(
      row = row, decision = factor(actions[[a]], actions),
      x = x$from[[1L]] + polygon[, 1L] * (x$to[[1L]] - x$from[[1L]]),
      y = x$from[[2L]] + polygon[, 2L] * (x$to[[2L]] - x$from[[2L]])
    )
  }))
}

# The part of a convex polygon (corners in rows) in which line[1] + line[2] u + line[3] v >= 0.
clip_polygon <- function(polygon, line) {
  if (!nrow(polygon)) return(polygon)
  side <- line[[1L]] + drop(polygon %*% line[2:3])
  parts <- lapply(seq_along(side), function(i) {
    j <- i %% length(side) + 1L
    crossed <- (side[[i]] < 0 && side[[j]] > 0) || (side[[i]] > 0 && side[[j]] < 0)
    share <- side[[i]] / (side[[i]] - side[[j]])
    rbind(
      if (side[[i]] >= 0) polygon[i, ],
      if (crossed) polygon[i, ] + share * (polygon[j, ] - polygon[i, ])
    )
  })
  part <- do.call(rbind, parts)
  # An edge alone is no region.
  if (is.null(part) || !any(side > 0)) polygon[0L, , drop = FALSE] else part
}

map_figure <- function(drawn, ranges, style) {
  actions <- levels(drawn$decision)
  fills <- stats::setNames(region_colours(actions, label_style(actions, style)), actions)
  names <- attr(ranges, "names_of_cases")
  regions <- drawn
  cases <- if (is.null(names)) drawn$row else make.unique(names)[drawn$row]
  regions$panel <- as_seen(sprintf("case %s", cases))
  regions$region <- paste(drawn$row, drawn$decision)
  now <- data.frame(x = ranges$now[[1L]], y = ranges$now[[2L]])
  start_figure(drawn, c(
    label_scales(label_style(actions, style), fills), shared_axis(nlevels(regions$panel))
  )) +
    ggplot2::geom_polygon(
      aes_of(x = "x", y = "y", group = "region", fill = "decision"), regions, colour = "grey20",
      linewidth = 0.3
    ) +
    ggplot2::geom_point(aes_of(x = "x", y = "y"), now, shape = 4L, stroke = 1) +
    panels_by(regions, "fixed") + view(expand = FALSE) +
    titled(ranges$parameter[[1L]], ranges$parameter[[2L]])
}

# Expected costs while costs or a prior vary: sweeps, tornados and maps.

#' @rdname autoplot.bayesrisk
#' @exportS3Method ggplot2::autoplot
autoplot.bayesrisk_sweep <- function(object, rows = NULL, xlim = NULL, ...) {
  call <- check_no_dots(...)
  xlim <- read_style(list(xlim = xlim), call)$xlim
  drawn <- sweep_data(object, rows, xlim, call)
  varied <- attr(object, "varied")
  cases <- sweep_names(object)
  drawn$case <- as_seen(sprintf("case %s", cases[as.character(drawn$row)]))
  risk <- attr(drawn, "risk")
  keys <- sweep_keys(levels(drawn$action), varied$classes, !is.null(risk))
  cuts <- inner_corners(drawn)
  limits <- vapply(split(drawn, drawn$case), function(case) {
    cost_limits(matrix(case$cost, ncol = nlevels(drawn$action)))
  }, c(0, 0))
  drawn$action <- factor(drawn$action, keys$labels)
  one <- nlevels(drawn$case) == 1L
  axis <- if (one) cut_axis(cuts$x, drawn$x) else shared_axis(nlevels(drawn$case))
  start_figure(drawn, c(label_scales(keys), axis)) +
    base_line(varied$now) +
    ggplot2::geom_vline(aes_of(xintercept = "x"), cuts, colour = "grey30", linetype = "dotted") +
    least_cost(drawn) +
    lines_of(drawn, x = "x", y = "cost", colour = "action", linetype = "action") +
    risk_marks(risk, keys) +
    panels_by(drawn, "case", keys$labels, "fixed") + view(ylim = range(limits)) +
    titled(varied$label, "expected cost")
}

# The keys of the actions and, below them, of the Bayes risk.
sweep_keys <- function(actions, classes, risk) {
  keys <- label_style(actions, list(classes = classes))
  if (risk) rbind(keys[c("labels", "col", "lty", "pch")], cbind(risk_key[1:3], pch = 16L)) else keys
}

risk_marks <- function(risk, keys) {
  if (is.null(risk)) return(NULL)
  risk$action <- factor(risk_key$labels, keys$labels)
  lines_of(risk, x = "x", y = "risk", colour = "action", linetype = "action")
}

# The corners of the envelope of each case, without the ends of the sweep.
inner_corners <- function(drawn) {
  corners <- unique(drawn[c("case", "x")])
  corners[corners$x > min(drawn$x) & corners$x < max(drawn$x), ]
}

#' @rdname autoplot.bayesrisk
#' @exportS3Method ggplot2::autoplot
autoplot.bayesrisk_ranges <- function(object, type = c("tornado", "map"), rows = NULL, ...) {
  call <- check_no_dots(...)
  type <- check_choice(type, c("tornado", "map"), "type", call)
  drawn <- ranges_data(object, type, rows, call)
  if (type == "map") map_figure(drawn, object) else tornado_figure(drawn, attr(object, "cost"))
}

tornado_figure <- function(drawn, now) {
  names <- tornado_labels(drawn$parameter)
  bars <- data.frame(
    parameter = rep(as_seen(names), 2L), cost = c(drawn$cost_from, drawn$cost_to), now = now,
    range = factor(rep(range_ends, each = nrow(drawn)), range_ends),
    text = c(cut_number(drawn$from), cut_number(drawn$to))
  )
  # The number of an end stands outside of the bar.
  other <- c(drawn$cost_to, drawn$cost_from)
  upper <- bars$range == range_ends[[2L]]
  right <- bars$cost > other | bars$cost == other & upper
  bars$side <- as.double(!right)
  bars$text <- sprintf(ifelse(right, " %s", "%s "), bars$text)
  bars <- bars[rev(seq_len(nrow(bars))), ]
  start_figure(drawn, c(
    label_scales(label_style(range_ends, list())), level_scales("y", bars$parameter), roomy_axis(1L)
  )) +
    bars_of(bars, "y", "parameter", "now", "cost", width = 0.6, fill = "range") +
    base_line(now, colour = "grey20") +
    numbers_of(bars, x = "cost", y = "parameter", label = "text", hjust = "side") +
    titled("expected cost per case", NULL)
}

map_figure <- function(drawn, ranges) {
  actions <- levels(drawn$decision)
  keys <- label_style(actions, list())
  fills <- stats::setNames(region_colours(actions, keys), actions)
  names <- attr(ranges, "names_of_cases")
  drawn$case <- as_seen(sprintf("case %s", if (is.null(names)) drawn$row else names[drawn$row]))
  drawn$region <- paste(drawn$row, drawn$decision)
  now <- data.frame(x = ranges$now[[1L]], y = ranges$now[[2L]])
  start_figure(drawn, c(label_scales(keys, fills), shared_axis(nlevels(drawn$case)))) +
    ggplot2::geom_polygon(
      aes_of(x = "x", y = "y", group = "region", fill = "decision"), drawn, colour = "grey20",
      linewidth = 0.3
    ) +
    ggplot2::geom_point(aes_of(x = "x", y = "y"), now, shape = 4L, stroke = 1) +
    panels_by(drawn, "case", actions, "fixed") + view(expand = FALSE) +
    titled(ranges$parameter[[1L]], ranges$parameter[[2L]])
}

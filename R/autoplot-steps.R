# Waterfalls of contributions, and bars of terms. Bars lie, so that long names can be read.

#' @rdname autoplot.bayesrisk
#' @exportS3Method ggplot2::autoplot
autoplot.bayesrisk_contributions <- function(object, case = 1, class = NULL, against = NULL,
                                             limit = 12, sort = TRUE, ...) {
  call <- check_no_dots(...)
  drawn <- contributions_drawing(object, case, class, against, limit, sort, call)
  keys <- label_style(dimnames(object)$class, list())
  titles <- rival_titles(drawn)
  up <- !is.nan(drawn$contribution) & drawn$contribution >= 0
  drawn$supports <- factor(ifelse(up, drawn$class, drawn$against), keys$labels)
  steps <- do.call(rbind, lapply(split(drawn, as_seen(titles)), function(part) {
    clip_steps(part)$steps
  }))
  step_figure(drawn, steps, titles, label_scales(keys), "%+.3g") + speaks_for("log odds")
}

rival_titles <- function(drawn) {
  sprintf("case %s: %s\nagainst %s", drawn$case, drawn$class, drawn$against)
}

#' @rdname autoplot.bayesrisk
#' @exportS3Method ggplot2::autoplot
autoplot.bayesrisk_cost_contributions <- function(object, case = 1, decision = NULL, limit = 12,
                                                  sort = NULL, ...) {
  call <- check_no_dots(...)
  drawn <- cost_contributions_drawing(object, case, decision, limit, sort, call)
  panel <- as_seen(paste(drawn$case, drawn$decision, sep = "\r"))
  titles <- vapply(split(drawn, panel), function(part) {
    paste(cost_steps_title(part, object), collapse = "\n")
  }, "")
  whole <- drawn$block == "case" | !duplicated(panel)
  drawn$supports <- factor(
    ifelse(whole, "expected cost", cost_directions[1 + (drawn$contribution > 0)]),
    c(cost_directions, "expected cost")
  )
  keys <- label_style(levels(drawn$supports), list())
  keys$col[[3L]] <- "grey75"
  steps <- clip_steps(drawn)$steps
  step_figure(drawn, steps, titles[panel], label_scales(keys), ifelse(whole, "%.3g", "%+.3g"),
              "free_y") +
    titled("expected cost", NULL, fill = NULL)
}

# `steps`: the rows of `drawn` with infinite ends clipped.
step_figure <- function(drawn, steps, titles, scales, format, free = "free") {
  steps$panel <- as_seen(unname(titles))
  steps$text <- sprintf(format, steps$contribution)
  steps <- steps[!is.nan(steps$contribution), ]
  right <- steps$contribution >= 0
  steps$end <- ifelse(right, pmax(steps$from, steps$to), pmin(steps$from, steps$to))
  steps$text <- sprintf(ifelse(right, " %s", "%s "), steps$text)
  steps$side <- as.double(!right)
  steps <- steps[rev(seq_len(nrow(steps))), ]
  panels <- nlevels(steps$panel)
  start_figure(drawn, c(scales, level_scales("y", steps$block, steps$panel), roomy_axis(panels))) +
    base_line(0, colour = "grey40") +
    bars_of(steps, "y", "block", "from", "to", fill = "supports") +
    # The panels of three columns have no room for numbers.
    (if (panel_columns(panels) < 3) {
      numbers_of(steps, x = "end", y = "block", label = "text", hjust = "side", size = 2.7)
    }) +
    panels_by(steps, "panel", levels(drawn$supports), free, longest(steps$block))
}

longest <- function(labels) min(13, max(nchar(labels, "width")))

# Numbers stand beside the bars of panels.
roomy_axis <- function(panels) {
  columns <- panel_columns(panels)
  room <- ggplot2::expansion(mult = c(0.2, 0.6, 0.05)[[columns]])
  list(scale_x_continuous = function(...) {
    ggplot2::scale_x_continuous(expand = room, n.breaks = c(5L, 4L, 2L)[[columns]])
  })
}

speaks_for <- function(x) titled(x, NULL, fill = "speaks for")

#' @rdname autoplot.bayesrisk
#' @exportS3Method ggplot2::autoplot
autoplot.bayesrisk_top_features <- function(object, ...) {
  drawn <- top_data(object, check_no_dots(...))
  term_figure(drawn, "z", as.integer(drawn$class), paste("class", drawn$class)) +
    speaks_for("z")
}

#' @rdname autoplot.bayesrisk
#' @exportS3Method ggplot2::autoplot
autoplot.bayesrisk_case_features <- function(object, case = 1, ...) {
  drawn <- case_terms_data(object, case, check_no_dots(...))
  titles <- rival_titles(drawn)
  term_figure(drawn, "contribution", supported_class(drawn), titles) + speaks_for("log odds")
}

term_figure <- function(drawn, column, supported, titles) {
  classes <- levels(drawn$class)
  drawn$supports <- factor(classes[supported], classes)
  drawn$panel <- as_seen(titles)
  bars <- cbind(drawn, zero = 0)[rev(seq_len(nrow(drawn))), ]
  start_figure(drawn, c(
    label_scales(label_style(classes, list())), level_scales("y", bars$term, bars$panel)
  )) +
    base_line(0, colour = "grey20") +
    bars_of(bars, "y", "term", "zero", column, fill = "supports") +
    panels_by(bars, "panel", classes, beside = longest(bars$term))
}

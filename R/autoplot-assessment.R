#' @rdname autoplot.bayesrisk
#' @exportS3Method ggplot2::autoplot
autoplot.bayesrisk_assessment <- function(object, type = c(
                                            "confusion", "calibration", "cost", "coverage",
                                            "benefit", "roc", "lift"
                                          ), class = NULL, ...) {
  call <- check_no_dots(...)
  type <- choose_assessment_plot(object, type, class, call)
  drawn <- assessment_data(object, type, assessment_plots()[[type]], class, call)
  switch(type,
    confusion = tile_figure(drawn), calibration = calibration_figure(drawn),
    cost = comparison_figure(drawn, cost_comparison(drawn, object)),
    coverage = coverage_figure(drawn),
    benefit = comparison_figure(drawn, benefit_comparison(drawn, object)),
    roc = ranking_figure(drawn, "false_alarms", "sensitivity", roc_panel, base_diagonal()),
    lift = lift_figure(drawn)
  )
}

base_diagonal <- function() ggplot2::geom_abline(colour = "grey60")

# Curves of a matrix over x, one for each label.
curve_rows <- function(x, values, labels) {
  data.frame(
    x = rep(x, ncol(values)), y = as.vector(values),
    curve = factor(rep(labels, each = length(x)), labels)
  )
}

comparison_figure <- function(drawn, curves) {
  rows <- curve_rows(curves$x, curves$values, curves$labels)
  start_figure(drawn, label_scales(comparison_keys(curves$labels, list()))) +
    base_line(curves$now) +
    lines_of(rows, x = "x", y = "y", colour = "curve", linetype = "curve") +
    view(xlim = c(0, 1), ylim = curves$panel$ylim) +
    titled(curves$panel$xlab, curves$panel$ylab, colour = NULL, linetype = NULL)
}

# The first few cases do not set the limits of a panel, so their curve may leave it.
coverage_figure <- function(drawn) {
  curves <- coverage_curves(drawn)
  rows <- do.call(rbind, lapply(names(curves), function(name) {
    values <- curves[[name]]
    limits <- coverage_limits(drawn$coverage, values)
    values[!is.na(values) & (values < limits[[1L]] | values > limits[[2L]])] <- NA
    labels <- coverage_labels[seq_len(ncol(values))]
    cbind(curve_rows(drawn$coverage, values, labels), panel = name, zero = 0)
  }))
  rows$panel <- as_seen(rows$panel)
  start_figure(drawn, label_scales(label_style(coverage_labels, list()))) +
    lines_of(rows, x = "x", y = "y", colour = "curve", linetype = "curve") +
    ggplot2::geom_blank(aes_of(x = "x", y = "zero"), rows) +
    panels_by(rows, "panel", coverage_labels) +
    titled(
      "share of cases decided", paste(names(curves), collapse = " or "), colour = NULL,
      linetype = NULL
    )
}

calibration_figure <- function(drawn) {
  classes <- levels(drawn$class)
  cases <- calibration_counts(drawn)
  panels <- length(unique(drawn$class))
  start_figure(drawn, c(
    label_scales(label_style(classes, list())), shared_axis(panels), positive_axis()
  )) +
    base_diagonal() +
    ggplot2::geom_rect(
      aes_of(xmin = "left", xmax = "right", ymin = "low", ymax = "high", fill = "class"), cases,
      alpha = 0.5, show.legend = FALSE
    ) +
    ggplot2::geom_linerange(
      aes_of(x = "predicted", ymin = "lower", ymax = "upper", colour = "class"), drawn,
      show.legend = FALSE
    ) +
    ggplot2::geom_line(
      aes_of(x = "predicted", y = "observed", colour = "class"), drawn, show.legend = FALSE
    ) +
    ggplot2::geom_point(
      aes_of(x = "predicted", y = "observed", colour = "class", shape = "class"), drawn, size = 2,
      show.legend = FALSE
    ) +
    panels_by(drawn, "class", scales = "fixed") +
    titled(
      paste("probability of", if (panels == 1L) drawn$class[[1L]] else "the class"),
      "observed share", caption = "Bars below 0: numbers of cases."
    )
}

lift_figure <- function(drawn) {
  panel <- lift_panel(drawn[!is.na(drawn$lift), ])
  ranking_figure(drawn, "depth", "lift", panel, base_line(y = 1))
}

ranking_figure <- function(drawn, x, y, panel, base) {
  start_figure(drawn, label_scales(label_style(unique(as.character(drawn$class)), list()))) +
    base + lines_of(drawn, x = x, y = y, colour = "class", linetype = "class") +
    view(xlim = c(0, 1), ylim = panel$ylim) + titled(panel$xlab, panel$ylab)
}

# Observed against predicted shares of a class.

# The bins that hold cases, with an interval.
calibration_data <- function(calibration, class, assessed, call) {
  drawn <- drawn_classes(class, levels(calibration$class), assessed, call)
  bins <- calibration[calibration$class %in% drawn & calibration$cases > 0, ]
  data.frame(bins, wilson_interval(bins$observed, bins$effective))
}

# Wilson's 95 % interval of a share.
wilson_interval <- function(share, cases) {
  z <- stats::qnorm(0.975)
  centre <- (share + z^2 / (2 * cases)) / (1 + z^2 / cases)
  half <- z * sqrt(share * (1 - share) / cases + z^2 / (4 * cases^2)) / (1 + z^2 / cases)
  data.frame(lower = pmax(0, centre - half), upper = pmin(1, centre + half))
}

# Whether bins have equal widths, not equal numbers of cases.
are_wide <- function(bins) abs(bins$to - bins$from - 0.1) < 1e-9

# The numbers of cases, as bars below 0, the longest one of each class equally long.
calibration_counts <- function(bins) {
  height <- 0.14 * bins$cases / stats::ave(bins$cases, as.character(bins$class), FUN = max)
  data.frame(
    class = bins$class, panel = bins$panel, left = bins$from + 0.01, right = bins$from + 0.09,
    low = -0.02 - height, high = -0.02
  )
}

calibration_caption <- function(wide) {
  paste(c(
    if (any(wide)) "Bars below 0: numbers of cases.",
    if (!all(wide)) {
      paste0(
        if (any(wide)) "No bars: b" else "B",
        "ins of about equal numbers, as far as probabilities differ."
      )
    }
  ), collapse = "\n")
}

# One panel for each class. Axes of bins of equal numbers have the range of the data.
calibration_figure <- function(drawn, style) {
  classes <- levels(drawn$class)
  bins <- cbind(drawn, panel = drawn$class)
  wide <- are_wide(bins)
  panels <- length(unique(drawn$class))
  start_figure(drawn, c(
    label_scales(label_style(classes, style)), shared_axis(panels), positive_axis()
  )) +
    ggplot2::geom_abline(colour = "grey60") +
    (if (any(wide)) {
      ggplot2::geom_rect(
        aes_of(xmin = "left", xmax = "right", ymin = "low", ymax = "high", fill = "class"),
        calibration_counts(bins[wide, ]), alpha = 0.5, show.legend = FALSE
      )
    }) +
    ggplot2::geom_linerange(
      aes_of(x = "predicted", ymin = "lower", ymax = "upper", colour = "class"), bins,
      show.legend = FALSE
    ) +
    ggplot2::geom_line(
      aes_of(x = "predicted", y = "observed", colour = "class", linetype = "class",
             linewidth = "class"),
      bins[!are_alone(bins, "predicted", "observed", "class"), ], show.legend = FALSE
    ) +
    ggplot2::geom_point(
      aes_of(x = "predicted", y = "observed", colour = "class", shape = "class"), bins, size = 2,
      show.legend = FALSE
    ) +
    panels_by(bins, if (all(wide)) "fixed" else "free") +
    titled(
      paste("probability of", if (panels == 1L) drawn$class[[1L]] else "the class"),
      "observed share", caption = calibration_caption(wide)
    )
}

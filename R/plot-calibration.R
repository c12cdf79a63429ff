# Observed against predicted shares of a class.

# The bins that hold cases, with an interval. For two classes, only the bins of the second class.
calibration_data <- function(calibration) {
  classes <- levels(calibration$class)
  shown <- if (length(classes) == 2L) classes[[2L]] else classes
  bins <- calibration[calibration$class %in% shown & calibration$cases > 0, ]
  data.frame(bins, wilson_interval(bins$observed, bins$cases))
}

# Wilson's 95 % interval of a share.
wilson_interval <- function(share, cases) {
  z <- stats::qnorm(0.975)
  centre <- (share + z^2 / (2 * cases)) / (1 + z^2 / cases)
  half <- z * sqrt(share * (1 - share) / cases + z^2 / (4 * cases^2)) / (1 + z^2 / cases)
  data.frame(lower = pmax(0, centre - half), upper = pmin(1, centre + half))
}

draw_calibration <- function(bins, style) {
  classes <- levels(bins$class)
  keys <- label_style(classes, style)
  if (length(classes) == 2L) keys <- keys[2L, ]
  one <- nrow(keys) == 1L
  panel <- list(
    xlim = c(0, 1), ylim = c(-0.16, 1), ticks = seq(0, 1, 0.2),
    xlab = if (one) sprintf("probability of %s", keys$labels) else "probability",
    ylab = if (one) sprintf("share that was %s", keys$labels) else "share of the class",
    draw = function() {
      graphics::abline(0, 1, col = "grey60")
      graphics::abline(h = -0.02, col = "grey85")
      for (k in seq_len(nrow(keys))) draw_bins(bins[bins$class == keys$labels[[k]], ], keys, k)
    }
  )
  draw_figure(list(panel), list(legend_entries(keys, line = TRUE, point = TRUE)), style)
}

draw_bins <- function(bins, keys, k) {
  colour <- keys$col[[k]]
  graphics::segments(bins$predicted, bins$lower, bins$predicted, bins$upper, col = colour)
  draw_curves(bins$predicted, cbind(bins$observed), keys[k, ])
  draw_symbols(bins$predicted, bins$observed, keys, rep(k, nrow(bins)))
  # The numbers of cases, as bars below 0, side by side.
  width <- 0.08 / nrow(keys)
  left <- bins$from + 0.01 + (k - 1) * width
  height <- 0.14 * bins$cases / max(bins$cases)
  graphics::rect(left, -0.02 - height, left + width, -0.02, col = tints(colour), border = colour)
}

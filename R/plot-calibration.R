# Observed against predicted shares of a class.

draw_calibration <- function(calibration, view) {
  classes <- levels(calibration$class)
  shown <- if (length(classes) == 2L) classes[[2L]] else classes
  bins <- calibration[calibration$class %in% shown & calibration$cases > 0, ]
  bins <- data.frame(bins, wilson_interval(bins$observed, bins$cases))
  look <- label_style(classes, view$style, view$call)
  panel <- list(
    xlim = c(0, 1), ylim = c(-0.16, 1), ticks = seq(0, 1, 0.2),
    xlab = if (length(shown) == 1L) sprintf("probability of %s", shown) else "probability",
    ylab = if (length(shown) == 1L) sprintf("share that was %s", shown) else "share of the class",
    paint = function() {
      graphics::abline(0, 1, col = "grey60")
      graphics::abline(h = -0.02, col = "grey85")
      for (class in shown) {
        draw_bins(bins[bins$class == class, ], look, match(class, classes), shown, class)
      }
    }
  )
  legend <- legend_block(subset_look(look, match(shown, classes)), line = TRUE, point = TRUE)
  draw_figure(list(panel), list(legend), view)
  bins
}

draw_bins <- function(bins, look, k, shown, class) {
  graphics::segments(bins$predicted, bins$lower, bins$predicted, bins$upper, col = look$col[[k]])
  graphics::lines(
    bins$predicted, bins$observed, col = look$col[[k]], lty = look$lty[[k]], lwd = look$lwd[[k]]
  )
  draw_symbols(bins$predicted, bins$observed, look, k)
  # How many cases, as bars hanging below 0, side by side.
  width <- 0.08 / length(shown)
  left <- bins$from + 0.01 + (match(class, shown) - 1) * width
  height <- 0.14 * bins$cases / max(bins$cases)
  graphics::rect(
    left, -0.02 - height, left + width, -0.02, col = tints(look$col[[k]]), border = look$col[[k]]
  )
}

# Wilson's 95 % interval of a share.
wilson_interval <- function(share, cases) {
  z <- stats::qnorm(0.975)
  centre <- (share + z^2 / (2 * cases)) / (1 + z^2 / cases)
  half <- z * sqrt(share * (1 - share) / cases + z^2 / (4 * cases^2)) / (1 + z^2 / cases)
  data.frame(lower = pmax(0, centre - half), upper = pmin(1, centre + half))
}

subset_look <- function(look, i) lapply(look, `[`, i)

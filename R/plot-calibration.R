# Observed against predicted shares of a class.

# The bins that hold cases, with an interval. Default: with two classes the bins of the second
# class, with more classes all bins.
calibration_data <- function(calibration, class, call) {
  drawn <- drawn_classes(class, levels(calibration$class), call)
  bins <- calibration[calibration$class %in% drawn & calibration$cases > 0, ]
  data.frame(bins, wilson_interval(bins$observed, bins$cases))
}

drawn_classes <- function(class, classes, call) {
  class <- check_classes_drawn(class, classes, call)
  if (is.null(class)) class <- if (length(classes) == 2L) classes[[2L]] else classes
  first_panels(class, "classes", "class")
}

check_classes_drawn <- function(class, classes, call) {
  sound <- is_plain(class, is.character) && all(class %in% classes) && !anyDuplicated(class)
  if (is.null(class) || sound) return(class)
  got <- describe_value(class)
  abort_argument("{.arg class} must be one or more of {.or {.val {classes}}}, not {got}.", call)
}

# Wilson's 95 % interval of a share.
wilson_interval <- function(share, cases) {
  z <- stats::qnorm(0.975)
  centre <- (share + z^2 / (2 * cases)) / (1 + z^2 / cases)
  half <- z * sqrt(share * (1 - share) / cases + z^2 / (4 * cases^2)) / (1 + z^2 / cases)
  data.frame(lower = pmax(0, centre - half), upper = pmin(1, centre + half))
}

# One panel for each class.
draw_calibration <- function(bins, style) {
  keys <- label_style(levels(bins$class), style)
  panels <- lapply(which(keys$labels %in% bins$class), function(k) {
    of_class <- bins[bins$class == keys$labels[[k]], ]
    list(
      xlim = c(0, 1), ylim = c(-0.16, 1), ticks = seq(0, 1, 0.2),
      xlab = paste("probability of", keys$labels[[k]]),
      ylab = "observed share",
      draw = function() {
        graphics::abline(0, 1, col = "grey60")
        graphics::abline(h = -0.02, col = "grey85")
        draw_bins(of_class, keys[k, ])
      }
    )
  })
  draw_figure(panels, list(), style)
}

draw_bins <- function(bins, key) {
  graphics::segments(bins$predicted, bins$lower, bins$predicted, bins$upper, col = key$col)
  draw_curves(bins$predicted, cbind(bins$observed), key)
  draw_symbols(bins$predicted, bins$observed, key, rep(1L, nrow(bins)))
  counts <- calibration_counts(bins)
  graphics::rect(
    counts$left, counts$low, counts$right, counts$high, col = tints(key$col), border = key$col
  )
}

# The numbers of cases, as bars below 0, the longest one of each class equally long.
calibration_counts <- function(bins) {
  height <- 0.14 * bins$cases / stats::ave(bins$cases, as.character(bins$class), FUN = max)
  data.frame(
    class = bins$class, left = bins$from + 0.01, right = bins$from + 0.09, low = -0.02 - height,
    high = -0.02
  )
}

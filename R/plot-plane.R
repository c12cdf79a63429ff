# Two numeric features: the decision at each point of a grid as a ground, and on it the
# boundaries.

plot_plane <- function(view, features, points) {
  check_continuous(view$model, features, view$call)
  axes <- plane_axes(view, features, points)
  values <- list(rep(axes[[1L]], length(axes[[2L]])), rep(axes[[2L]], each = length(axes[[1L]])))
  values <- stats::setNames(values, features)
  decision <- score_grid(view, values, "decision")
  lines <- plane_boundaries(view, features, axes, decision)
  look <- class_style(view)
  fill <- action_fill(view, look)
  panel <- list(
    xlim = range(axes[[1L]]), ylim = range(axes[[2L]]), xlab = features[[1L]],
    ylab = features[[2L]], fills = TRUE,
    paint = function() {
      draw_ground(axes, decision, fill)
      for (line in lines) graphics::lines(line, lwd = 1.4, col = "grey20")
      if (!is.null(points)) {
        class <- points$class
        class[is.na(class)] <- length(look$labels) + 1L
        draw_symbols(points[[features[[1L]]]], points[[features[[2L]]]], look, class)
      }
    }
  )
  draw_figure(list(panel), region_legend(view, look, fill, points, line = FALSE), view)
  data.frame(
    feature_x = features[[1L]], x = values[[1L]], feature_y = features[[2L]], y = values[[2L]],
    decision = decision
  )
}

plane_axes <- function(view, features, points, size = 301L) {
  limits <- list(view$style$xlim, view$style$ylim)
  lapply(1:2, function(i) {
    moments <- class_moments(view$model, features[[i]], view$call)
    range <- feature_range(moments, limits[[i]], points[[features[[i]]]])
    whole <- holds_counts(view$model, features[[i]])
    if (whole) whole_axis(range, size) else seq(range[[1L]], range[[2L]], length.out = size)
  })
}

# Counts, evenly spaced; the first and the last are about the ends of the range.
whole_axis <- function(range, size) {
  low <- max(0, floor(range[[1L]]))
  high <- max(low + 1, ceiling(range[[2L]]))
  seq(low, high, by = ceiling((high - low) / (size - 1L)))
}

draw_ground <- function(axes, decision, fill) {
  codes <- matrix(as.integer(decision), length(axes[[1L]]), length(axes[[2L]]))
  # Rectangles side by side would show hairlines where a device smooths edges.
  if (!identical(grDevices::dev.capabilities("rasterImage")[[1L]], "yes")) {
    breaks <- seq_len(length(fill) + 1L) - 0.5
    graphics::image(axes[[1L]], axes[[2L]], codes, add = TRUE, col = fill, breaks = breaks)
    return(invisible())
  }
  # Row by row from the top, each point in the middle of its cell.
  colours <- matrix(fill[t(codes[, rev(seq_len(ncol(codes)))])], ncol(codes))
  ends <- lapply(axes, function(at) range(at) + c(-0.5, 0.5) * (at[[2L]] - at[[1L]]))
  graphics::rasterImage(
    grDevices::as.raster(colours), ends[[1L]][[1L]], ends[[2L]][[1L]], ends[[1L]][[2L]],
    ends[[2L]][[2L]], interpolate = FALSE
  )
}

# Between regions of different decisions; nothing is decided where nothing is possible.
plane_boundaries <- function(view, features, axes, decision) {
  codes_of <- function(decision) ifelse(is.na(decision), 0L, as.integer(decision))
  whole <- holds_counts(view$model, features)
  decide <- function(x, y) {
    values <- Map(function(x, whole) if (whole) round(x) else x, list(x, y), whole)
    codes_of(score_grid(view, stats::setNames(values, features), "decision"))
  }
  boundary_lines(axes, matrix(codes_of(decision), length(axes[[1L]])), decide)
}

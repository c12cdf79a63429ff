# Plots of two numeric features: the decision at each point of a grid as background colour, and
# the boundaries on top.

# One row for each point of a grid. Attributes: `boundaries` (a list of matrices of points, one
# per line) and `cases`.
plane_data <- function(problem, features, cases) {
  check_continuous(problem$model, features, problem$call)
  axes <- plane_axes(problem, features, cases)
  values <- list(rep(axes[[1L]], length(axes[[2L]])), rep(axes[[2L]], each = length(axes[[1L]])))
  decision <- score_grid(problem, stats::setNames(values, features), "decision")
  structure(
    data.frame(
      feature_x = features[[1L]], x = values[[1L]], feature_y = features[[2L]], y = values[[2L]],
      decision = decision
    ),
    boundaries = plane_boundaries(problem, features, axes, decision), cases = thin_cases(cases)
  )
}

plane_axes <- function(problem, features, cases, size = 301L) {
  limits <- list(problem$xlim, problem$ylim)
  lapply(1:2, function(i) {
    moments <- class_moments(problem$model, features[[i]], problem$call)
    range <- feature_range(moments, limits[[i]], cases[[i]])
    whole <- holds_counts(problem$model, features[[i]])
    if (whole) whole_axis(range, size) else seq(range[[1L]], range[[2L]], length.out = size)
  })
}

# Evenly spaced counts. The first and the last count are close to the ends of the range.
whole_axis <- function(range, size) {
  low <- max(0, floor(range[[1L]]))
  high <- max(low + 1, ceiling(range[[2L]]))
  seq(low, high, by = ceiling((high - low) / (size - 1L)))
}

# The boundaries between regions of different decisions. There is no decision where no class is
# possible.
plane_boundaries <- function(problem, features, axes, decision) {
  codes_of <- function(decision) ifelse(is.na(decision), 0L, as.integer(decision))
  whole <- holds_counts(problem$model, features)
  decide <- function(x, y) {
    values <- Map(function(x, whole) if (whole) round(x) else x, list(x, y), whole)
    codes_of(score_grid(problem, stats::setNames(values, features), "decision"))
  }
  boundary_lines(axes, matrix(codes_of(decision), length(axes[[1L]])), decide)
}

draw_plane <- function(drawn, style) {
  keys <- label_style(style$classes, style)
  actions <- levels(drawn$decision)
  fill <- region_colours(actions, keys)
  axes <- list(unique(drawn$x), unique(drawn$y))
  cases <- attr(drawn, "cases")
  points <- case_keys(keys, style, NROW(cases))
  panel <- list(
    xlim = range(axes[[1L]]), ylim = range(axes[[2L]]), xlab = drawn$feature_x[[1L]],
    ylab = drawn$feature_y[[1L]], fills = TRUE,
    draw = function() {
      draw_ground(axes, drawn$decision, fill)
      for (line in attr(drawn, "boundaries")) graphics::lines(line, lwd = 1.4, col = "grey20")
      if (!is.null(cases)) draw_symbols(cases[[1L]], cases[[2L]], points, as.integer(cases$class))
    }
  )
  legends <- region_legends(keys, actions, fill, line = FALSE, point = !is.null(cases))
  draw_figure(list(panel), legends, style)
}

draw_ground <- function(axes, decision, fill) {
  codes <- matrix(as.integer(decision), length(axes[[1L]]))
  # Adjacent rectangles would show hairlines on a device that smooths edges.
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

# Boundaries and regions hold no model, so their densities cannot be computed.
#' @export
plot.bayesrisk_boundaries <- function(x, ...) {
  abort_without_model(attr(x, "features"), rlang::current_env())
}

#' @export
plot.bayesrisk_regions <- function(x, ...) {
  abort_without_model(attr(x, "feature"), rlang::current_env())
}

abort_without_model <- function(features, call) {
  quoted <- encodeString(as.character(features), quote = "\"")
  shown <- if (length(quoted) > 1L) sprintf("c(%s)", toString(quoted)) else quoted
  code <- sprintf("plot(model, \"regions\", features = %s)", shown)
  abort_argument(c(
    "{.arg {drawn_name(call)}} holds no model to draw from.",
    i = "Draw the regions of the model itself: {.code {code}}."
  ), call)
}

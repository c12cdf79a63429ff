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

plane_figure <- function(drawn, style) {
  keys <- label_style(style$classes, style)
  actions <- levels(drawn$decision)
  fills <- stats::setNames(region_colours(actions, keys), actions)
  cases <- attr(drawn, "cases")
  if (!is.null(cases)) names(cases)[1:2] <- c("x", "y")
  start_figure(drawn, label_scales(keys, fills)) +
    decision_ground(drawn) +
    ggplot2::geom_path(
      aes_of(x = "x", y = "y", group = "line"), line_points(attr(drawn, "boundaries")),
      colour = "grey20", linewidth = 0.5
    ) +
    (if (!is.null(cases)) point_marks(cases, keys, style, 1.9)) +
    view(expand = FALSE) + region_title(actions, keys$labels) +
    titled(drawn$feature_x[[1L]], drawn$feature_y[[1L]])
}

# ggplot2 warns of pixels at uneven distances, which are those of numbers far from 0. Tiles may be
# uneven, but show hairlines on a device that smooths edges.
decision_ground <- function(drawn) {
  uneven <- function(at) any(abs(diff(diff(unique(at)))) > 1e-8)
  ground <- if (uneven(drawn$x) || uneven(drawn$y)) ggplot2::geom_tile else ggplot2::geom_raster
  ground(aes_of(x = "x", y = "y", fill = "decision"), drawn)
}

# The points of lines, one below the other.
line_points <- function(lines) {
  points <- do.call(rbind, c(list(matrix(0, 0L, 2L)), lines))
  sizes <- vapply(lines, nrow, 1L)
  data.frame(x = points[, 1L], y = points[, 2L], line = rep(seq_along(lines), sizes))
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
    "{.arg x} holds no model to draw from.",
    i = "Draw the regions of the model itself: {.code {code}}."
  ), call)
}

# The features given the class, one panel per feature.

plot_density <- function(view, features) {
  plot_panels(view, features, panel_spec = list(
    type = "log_likelihood", value = exp, column = "density",
    curve_label = "density", bar_label = "probability", stacked = FALSE
  ))
}

# One panel per feature: curves over a numeric feature, bars over levels.
plot_panels <- function(view, features, panel_spec) {
  features <- panel_features(view$model, features, view$call)
  grids <- lapply(stats::setNames(features, features), feature_grid, view = view)
  scores <- lapply(score_one_by_one(view, grids, panel_spec$type), panel_spec$value)
  look <- class_style(view)
  panels <- lapply(features, function(name) {
    feature <- view$model$schema$features[[name]]
    make <- if (feature$kind == "numeric") curve_panel else bar_panel
    make(feature, grids[[name]], scores[[name]], look, panel_spec)
  })
  kinds <- vapply(view$model$schema$features[features], function(f) f$kind, "")
  draw_figure(panels, list(legend_block(
    look, line = any(kinds == "numeric"), box = any(kinds == "categorical")
  )), view)
  long <- lapply(features, function(name) {
    long_scores(view, name, grids[[name]], scores[[name]], panel_spec$column)
  })
  do.call(rbind, long)
}

curve_panel <- function(feature, grid, values, look, panel_spec) {
  top <- if (panel_spec$stacked) 1 else finite_max(values)
  list(
    xlim = range(grid), ylim = c(0, top), xlab = feature$name, ylab = panel_spec$curve_label,
    paint = function() draw_curves(grid, values, look)
  )
}

draw_curves <- function(grid, values, look) {
  for (k in seq_len(ncol(values))) {
    graphics::lines(
      grid, values[, k], col = look$col[[k]], lty = look$lty[[k]], lwd = look$lwd[[k]]
    )
  }
}

# The largest number that an axis can end at.
finite_max <- function(values) {
  finite <- values[is.finite(values)]
  if (length(finite) && max(finite) > 0) max(finite) else 1
}

bar_panel <- function(feature, grid, values, look, panel_spec) {
  draw <- if (panel_spec$stacked) draw_stacked_bars else draw_grouped_bars
  top <- if (panel_spec$stacked) 1 else finite_max(values)
  list(
    xlim = c(0.5, length(grid) + 0.5), ylim = c(0, top), levels = feature$levels,
    xlab = feature$name, ylab = panel_spec$bar_label, paint = function() draw(values, look)
  )
}

draw_grouped_bars <- function(values, look) {
  classes <- ncol(values)
  width <- 0.8 / classes
  for (k in seq_len(classes)) {
    left <- seq_len(nrow(values)) - 0.4 + (k - 1) * width
    draw_bars(left, 0, left + width, values[, k], look, k)
  }
}

draw_stacked_bars <- function(values, look) {
  at <- seq_len(nrow(values))
  tops <- t(apply(values, 1L, cumsum))
  if (ncol(values) == 1L) tops <- values
  for (k in seq_len(ncol(values))) {
    bottom <- if (k == 1L) 0 else tops[, k - 1L]
    draw_bars(at - 0.35, bottom, at + 0.35, tops[, k], look, k)
  }
}

# Hatching lies on a light ground of its colour: it is seen in grey, and no axis
# or line shines through.
draw_bars <- function(left, bottom, right, top, look, k) {
  solid <- look$density[[k]] < 0
  ground <- if (solid) look$col[[k]] else tints(look$col[[k]])
  graphics::rect(left, bottom, right, top, col = ground, border = NA)
  if (!solid) {
    graphics::rect(
      left, bottom, right, top, col = look$col[[k]], border = NA,
      density = look$density[[k]], angle = look$angle[[k]]
    )
  }
  graphics::rect(left, bottom, right, top, border = "grey20", lwd = 0.7)
}

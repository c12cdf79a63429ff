# Plots of each feature given the class, and of the class given each feature: the data, then the
# drawing.

density_data <- function(problem, features) {
  score_features(problem, features, "log_likelihood", "density", exp)
}

posterior_data <- function(problem, features) {
  score_features(problem, features, "prob", "posterior", identity)
}

# One row for each feature, grid point (or level) and class.
score_features <- function(problem, features, type, column, value_of) {
  features <- panel_features(problem$model, features, problem$call)
  grids <- lapply(stats::setNames(features, features), feature_grid, problem = problem)
  scores <- score_one_by_one(problem, grids, type)
  do.call(rbind, lapply(features, function(name) {
    long_scores(problem, name, grids[[name]], value_of(scores[[name]]), column)
  }))
}

draw_densities <- function(drawn, style) {
  draw_features(drawn, style, c("density", "probability"), draw_grouped_bars, finite_max)
}

draw_posteriors <- function(drawn, style) {
  label <- rep("posterior probability", 2L)
  draw_features(drawn, style, label, draw_stacked_bars, function(values) 1)
}

# One panel per feature: curves over a numeric feature, bars over levels. Each panel has its own
# `labels`.
draw_features <- function(drawn, style, labels, draw_columns, top_of) {
  keys <- label_style(levels(drawn$class), style)
  panels <- lapply(unique(drawn$feature), function(feature) {
    part <- drawn[drawn$feature == feature, ]
    values <- matrix(part[[ncol(part)]], ncol = nrow(keys))
    at <- seq_len(nrow(values))
    panel <- list(xlab = feature, ylim = c(0, top_of(values)))
    if (anyNA(part$level)) {
      x <- part$x[at]
      return(c(panel, list(
        xlim = range(x), ylab = labels[[1L]], draw = function() draw_curves(x, values, keys)
      )))
    }
    c(panel, list(
      levels = part$level[at], ylab = labels[[2L]], draw = function() draw_columns(values, keys)
    ))
  })
  curves <- is.na(drawn$level)
  draw_figure(panels, list(legend_entries(keys, line = any(curves), bar = !all(curves))), style)
}

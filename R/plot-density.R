# Plots of each feature given the class, and of the class given each feature: the data, then the
# drawing.

# With `data`, the attribute `observed` is the result of observed_data().
density_data <- function(problem, features, data) {
  features <- panel_features(problem$model, features, problem$call)
  cases <- read_cases_drawn(problem, data, features)
  drawn <- score_features(problem, features, cases, "log_likelihood", "density", exp)
  drawn$density[drawn$feature %in% left_out_features(problem$model)] <- NA_real_
  if (is.null(cases)) return(drawn)
  observed <- lapply(features, observed_shares, problem = problem, cases = cases)
  structure(drawn, observed = do.call(rbind, observed))
}

posterior_data <- function(problem, features) {
  features <- panel_features(problem$model, features, problem$call)
  score_features(problem, features, NULL, "prob", "posterior", identity)
}

# One row for each feature, grid point (or level) and class.
score_features <- function(problem, features, cases, type, column, value_of) {
  do.call(rbind, lapply(features, function(name) {
    grid <- feature_grid(problem, name, cases[[name]])
    long_scores(problem, name, grid, value_of(score_along(problem, name, grid, type)), column)
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
  observed <- attr(drawn, "observed")
  panels <- lapply(unique(drawn$feature), function(feature) {
    part <- drawn[drawn$feature == feature, ]
    seen <- observed[observed$feature == feature, ]
    values <- matrix(part[[ncol(part)]], ncol = nrow(keys))
    at <- seq_len(nrow(values))
    panel <- list(xlab = feature, ylim = c(0, observed_top(top_of(values), seen$density)))
    if (all(is.na(values)) && anyNA(part$level)) return(left_out_panel(feature))
    if (anyNA(part$level)) {
      x <- part$x[at]
      return(c(panel, list(xlim = range(x), ylab = labels[[1L]], draw = function() {
        draw_histograms(seen, keys)
        draw_curves(x, values, keys)
      })))
    }
    c(panel, list(levels = part$level[at], ylab = labels[[2L]], draw = function() {
      draw_columns(values, keys)
      draw_level_shares(seen, part$level[at], nrow(keys))
    }))
  })
  curves <- is.na(drawn$level)
  legend <- legend_entries(keys, line = any(curves), bar = !all(curves))
  draw_figure(panels, c(list(legend), observed_legends(observed)), style)
}

# A feature that has one value in all rows has no density, and the model leaves it out.
left_out_panel <- function(feature) {
  list(levels = "", rows = "", xlab = feature, ylab = "", draw = function() {
    text <- cut_text("left out", 0.95 * graphics::par("pin")[[1L]])
    graphics::text(mean(graphics::par("usr")[1:2]), mean(graphics::par("usr")[3:4]), text)
  })
}

left_out_features <- function(model) {
  names(model$schema$features)[feature_notes(model) %in% "left out"]
}

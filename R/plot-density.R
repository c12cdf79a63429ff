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

left_out_features <- function(model) {
  names(model$schema$features)[feature_notes(model) %in% "left out"]
}

feature_parameters <- function(drawn) {
  c("ylim", "col", if (anyNA(drawn$level)) c("xlim", "lty", "lwd"))
}

# Densities as curves and bars side by side, posteriors as curves and stacked bars.
feature_figure <- function(drawn, style) {
  rows <- cbind(drawn, panel = as_seen(drawn$feature))
  column <- names(drawn)[[ncol(drawn)]]
  stacked <- column == "posterior"
  seen <- attr(drawn, "observed")
  bars <- rows[!is.na(rows$level), ]
  curves <- rows[is.na(rows$level), ]
  one <- nlevels(rows$panel) == 1L
  start_figure(drawn, c(
    label_scales(label_style(levels(drawn$class), style)),
    if (nrow(bars)) level_scales("x", bars$level, bars$panel, nlevels(rows$panel))
  )) +
    observed_bins(seen, rows) +
    (if (nrow(curves)) lines_by(curves, "x", column, "class")) +
    (if (nrow(bars)) level_bars(bars, column, stacked, !nrow(curves))) +
    observed_levels(seen, rows) + left_out_marks(curves, column) + panels_by(rows) +
    (if (stacked) ggplot2::expand_limits(y = c(0, 1))) +
    titled(
      x = if (one) as.character(drawn$feature[[1L]]),
      y = if (stacked) "posterior probability" else density_title(nrow(curves), nrow(bars)),
      caption = observed_caption(seen)
    )
}

density_title <- function(curves, bars) {
  paste(c("density", "probability")[c(curves > 0, bars > 0)], collapse = " or ")
}

level_bars <- function(bars, column, stacked, in_legend) {
  ggplot2::geom_col(
    aes_of(x = "level", y = column, fill = "class", group = "class"), bars, width = 0.8,
    position = if (stacked) ggplot2::position_stack(reverse = TRUE) else "dodge",
    orientation = "x",
    # Frames would hide narrow bars.
    colour = if (nrow(bars) < 80L) "grey20" else NA, linewidth = 0.3, na.rm = TRUE,
    show.legend = in_legend
  )
}

# A feature that has one value in all rows has no density, and the model leaves it out.
left_out_marks <- function(curves, column) {
  missing <- setdiff(curves$panel, curves$panel[!is.na(curves[[column]])])
  if (!length(missing)) return(NULL)
  at <- vapply(missing, function(name) mean(range(curves$x[curves$panel == name])), 1)
  text <- data.frame(panel = factor(missing, levels(curves$panel)), x = at, y = 0)
  numbers_of(cbind(text, label = "left out"), x = "x", y = "y", label = "label")
}

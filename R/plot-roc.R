# Curves of the cuts of the probability of a class: ROC and lift.

ranking_data <- function(ranking, class, call) {
  ranking[ranking$class %in% drawn_classes(class, levels(ranking$class), call), ]
}

draw_roc <- function(ranking, style) {
  base <- function() graphics::segments(0, 0, 1, 1, col = "grey70")
  draw_by_class(ranking, "false_alarms", "sensitivity", style, roc_panel, base)
}

roc_panel <- list(
  xlab = "share of the others taken for the class (1 - specificity)", ylab = "sensitivity",
  ylim = c(0, 1)
)

draw_lift <- function(ranking, style) {
  ranking <- ranking[!is.na(ranking$lift), ]
  base <- function() graphics::abline(h = 1, col = "grey70")
  draw_by_class(ranking, "depth", "lift", style, lift_panel(ranking), base)
}

# The lift of the first few cases says little; it does not set the scale.
lift_panel <- function(ranking) {
  list(
    xlab = "share of cases, the most probable first", ylab = "lift",
    ylim = c(0, max(ranking$lift[ranking$depth >= 0.01]))
  )
}

# A curve for each class, over a line that needs no model.
draw_by_class <- function(ranking, x, y, style, panel, draw_base) {
  curves <- split(ranking, ranking$class, drop = TRUE)
  keys <- label_style(names(curves), style)
  panel$xlim <- c(0, 1)
  panel$draw <- function() {
    draw_base()
    for (k in seq_along(curves)) {
      draw_curves(curves[[k]][[x]], curves[[k]][y], keys[k, ])
    }
  }
  draw_figure(list(panel), list(legend_entries(keys, line = TRUE)), style)
}

# Curves of an assessment: over costs, coverage and thresholds.

# `now`: the weight of the second class among the cases assessed.
draw_cost_curve <- function(curve, style, classes, now) {
  labels <- c("decided by the posterior", "at the best cut", sprintf("always %s", classes))
  values <- cbind(curve$cost, curve$best, curve$weight, 1 - curve$weight)
  draw_comparison(curve$weight, values, labels, style, list(
    ylim = c(0, min(1, max(0.5, curve$cost))), ylab = "normalised expected cost",
    xlab = sprintf("weight of %s (prior x cost, normalised)", classes[[2L]])
  ), now)
}

# The weight of the second class that follows from the costs and these cases. It exists only if the
# actions are the two classes and an error costs more than a correct decision.
own_weight <- function(x) {
  classes <- rownames(x$confusion)
  cost <- unclass(x$cost_matrix)
  if (is.null(cost) || !setequal(rownames(cost), classes)) return(NULL)
  cost <- spread_over(cost, classes)[classes, classes]
  n <- rowSums(unclass(x$confusion))
  missed <- n * c(cost[2L, 1L] - cost[1L, 1L], cost[1L, 2L] - cost[2L, 2L])
  if (all(is.finite(missed)) && all(missed > 0)) missed[[2L]] / sum(missed)
}

draw_benefit <- function(curve, style, second) {
  labels <- c("decided by the posterior", sprintf(c("always %s", "never %s"), second))
  top <- max(curve$benefit)
  draw_comparison(curve$threshold, cbind(curve$benefit, curve$all, 0), labels, style, list(
    ylim = c(-0.1, 1) * if (top > 0) top else 1, ylab = "net benefit per case",
    xlab = sprintf("probability from which on %s is decided", second)
  ))
}

# Curves over 0 to 1. The last two curves need no model and are drawn less prominently.
draw_comparison <- function(x, values, labels, style, panel, now = NULL) {
  keys <- label_style(labels, style)
  grey <- seq_along(labels) > length(labels) - 2L
  if (is.null(style$col)) keys$col[grey] <- "grey45"
  if (is.null(style$lwd)) keys$lwd[grey] <- 1.2
  panel$xlim <- c(0, 1)
  panel$draw <- function() {
    graphics::abline(v = now, col = "grey70")
    draw_curves(x, values, keys)
  }
  draw_figure(list(panel), list(legend_entries(keys, line = TRUE)), style)
}

draw_coverage <- function(curve, style) {
  labels <- c("of those decided", "of all, with the price")
  keys <- label_style(labels, style)
  panels <- list(coverage_panel(curve$coverage, cbind(curve$cost, curve$risk), "mean cost", keys))
  if (!anyNA(curve$error) && !isTRUE(all.equal(curve$error, curve$cost))) {
    panels[[2L]] <- coverage_panel(curve$coverage, cbind(curve$error), "error", keys)
  }
  draw_figure(panels, list(legend_entries(keys, line = TRUE)), style)
}

coverage_panel <- function(coverage, values, label, keys) {
  # The mean of the first few cases says little; it does not set the scale.
  shown <- values[coverage >= min(0.05, max(coverage)), ]
  ylim <- range(0, shown[is.finite(shown)])
  list(
    xlim = c(0, 1), ylim = if (diff(ylim) > 0) ylim else c(0, 1), xlab = "share of cases decided",
    ylab = label, draw = function() draw_curves(coverage, values, keys)
  )
}

# Curves of an assessment: over costs, coverage and thresholds.

draw_cost_curve <- function(x, curve, view) {
  classes <- rownames(x$confusion)
  values <- cbind(curve$cost, curve$best, curve$weight, 1 - curve$weight)
  labels <- c("decided by the posterior", "at the best cut", sprintf("always %s", classes))
  look <- curve_look(labels, view)
  now <- own_weight(x)
  panel <- list(
    xlim = c(0, 1), ylim = c(0, min(1, max(0.5, curve$cost))),
    xlab = sprintf("weight of %s (prior x cost, normalised)", classes[[2L]]),
    ylab = "normalised expected cost",
    paint = function() {
      graphics::abline(v = now, col = "grey70")
      draw_curves(curve$weight, values, look)
    }
  )
  draw_figure(list(panel), list(legend_block(look, line = TRUE)), view)
  curve
}

# The weight of the second class among these cases, if the actions are the two classes
# and a mistake costs more than to be right.
own_weight <- function(x) {
  classes <- rownames(x$confusion)
  cost <- unclass(x$cost_matrix)
  if (is.null(cost) || !setequal(rownames(cost), classes)) return(NULL)
  cost <- spread_over(cost, classes)[classes, classes]
  n <- rowSums(unclass(x$confusion))
  missed <- n * c(cost[2L, 1L] - cost[1L, 1L], cost[1L, 2L] - cost[2L, 2L])
  if (all(is.finite(missed)) && all(missed > 0)) missed[[2L]] / sum(missed)
}

# The curves of interest stand out from those that need no model.
curve_look <- function(labels, view) {
  grey <- seq_along(labels) > length(labels) - 2L
  look <- label_style(labels, view$style, view$call)
  if (is.null(view$style$col)) look$col[grey] <- "grey45"
  if (is.null(view$style$lwd)) look$lwd[grey] <- 1.2
  look
}

draw_coverage <- function(curve, view) {
  labels <- c("of those decided", "of all, with the price")
  look <- label_style(labels, view$style, view$call)
  costs <- cbind(curve$cost, curve$risk)
  panels <- list(coverage_panel(curve$coverage, costs, "mean cost", look))
  if (!anyNA(curve$error) && !isTRUE(all.equal(curve$error, curve$cost))) {
    error <- coverage_panel(curve$coverage, cbind(curve$error), "error", subset_look(look, 1L))
    panels <- c(panels, list(error))
  }
  draw_figure(panels, list(legend_block(look, line = TRUE)), view)
  curve
}

coverage_panel <- function(coverage, values, label, look) {
  # The mean of the first few cases says little; it does not set the scale.
  shown <- values[coverage >= min(0.05, max(coverage)), ]
  finite <- shown[is.finite(shown)]
  list(
    xlim = c(0, 1), ylim = range(0, finite), xlab = "share of cases decided", ylab = label,
    paint = function() draw_curves(coverage, values, look)
  )
}

draw_benefit <- function(x, curve, view) {
  second <- rownames(x$confusion)[[2L]]
  labels <- c("decided by the posterior", sprintf("always %s", second), sprintf("never %s", second))
  look <- curve_look(labels, view)
  top <- max(curve$benefit)
  panel <- list(
    xlim = c(0, 1), ylim = c(-0.1, 1) * if (top > 0) top else 1,
    xlab = sprintf("probability from which on %s is decided", second),
    ylab = "net benefit per case",
    paint = function() draw_curves(curve$threshold, cbind(curve$benefit, curve$all, 0), look)
  )
  draw_figure(list(panel), list(legend_block(look, line = TRUE)), view)
  curve
}

# Curves of an assessment: over costs, coverage and thresholds.

# The curves of the figures of costs and of benefits: list(x, values, labels, panel, now). `values`
# has a column for each curve; `now`: the weight of the second class among the cases assessed.
cost_comparison <- function(curve, x) {
  classes <- rownames(x$confusion)
  list(
    x = curve$weight, values = cbind(curve$cost, curve$best, curve$weight, 1 - curve$weight),
    labels = c("decided by the posterior", "at the best cut", sprintf("always %s", classes)),
    panel = list(
      ylim = c(0, min(1, max(0.5, curve$cost))), ylab = "normalised expected cost",
      xlab = sprintf("weight of %s (prior x cost, normalised)", classes[[2L]])
    ), now = own_weight(x)
  )
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

benefit_comparison <- function(curve, x) {
  second <- rownames(x$confusion)[[2L]]
  top <- max(curve$benefit)
  list(
    x = curve$threshold, values = cbind(curve$benefit, curve$all, 0),
    labels = c("decided by the posterior", sprintf(c("always %s", "never %s"), second)),
    panel = list(
      ylim = c(-0.1, 1) * if (top > 0) top else 1, ylab = "net benefit per case",
      xlab = sprintf("probability from which on %s is decided", second)
    )
  )
}

# The last two curves need no model and are drawn less prominently.
comparison_keys <- function(labels, style) {
  keys <- label_style(labels, style)
  grey <- seq_along(labels) > length(labels) - 2L
  if (is.null(style$col)) keys$col[grey] <- "grey45"
  if (is.null(style$lwd)) keys$lwd[grey] <- 1.2
  keys
}

# Curves over 0 to 1.
draw_comparison <- function(curves, style) {
  keys <- comparison_keys(curves$labels, style)
  panel <- c(curves$panel, list(xlim = c(0, 1), draw = function() {
    graphics::abline(v = curves$now, col = "grey70")
    draw_curves(curves$x, curves$values, keys)
  }))
  draw_figure(list(panel), list(legend_entries(keys, line = TRUE)), style)
}

coverage_labels <- c("of those decided", "of all, with the price")

# The curves of each panel, as columns of a matrix.
coverage_curves <- function(curve) {
  own_error <- !anyNA(curve$error) && !isTRUE(all.equal(curve$error, curve$cost))
  c(
    list("mean cost" = cbind(curve$cost, curve$risk)),
    if (own_error) list(error = cbind(curve$error))
  )
}

draw_coverage <- function(curve, style) {
  keys <- label_style(coverage_labels, style)
  curves <- coverage_curves(curve)
  panels <- unname(Map(function(values, label) {
    coverage_panel(curve$coverage, values, label, keys)
  }, curves, names(curves)))
  draw_figure(panels, list(legend_entries(keys, line = TRUE)), style)
}

# The mean of the first few cases says little; it does not set the scale.
coverage_limits <- function(coverage, values) {
  shown <- values[coverage >= min(0.05, max(coverage)), ]
  ylim <- range(0, shown[is.finite(shown)])
  if (diff(ylim) > 0) ylim else c(0, 1)
}

coverage_panel <- function(coverage, values, label, keys) {
  list(
    xlim = c(0, 1), ylim = coverage_limits(coverage, values), xlab = "share of cases decided",
    ylab = label, draw = function() draw_curves(coverage, values, keys)
  )
}

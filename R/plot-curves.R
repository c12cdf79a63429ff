# Curves of an assessment: over costs, coverage and thresholds.

# The curves of the figures of costs and of benefits: list(x, values, labels, titles, ylim, now).
# `values` has a column for each curve; `now`: the weight of the second class among the cases
# assessed.
cost_comparison <- function(curve, x) {
  classes <- rownames(x$confusion)
  list(
    x = curve$weight, values = cbind(curve$cost, curve$best, curve$weight, 1 - curve$weight),
    labels = c("decided by the posterior", "at the best cut", sprintf("always %s", classes)),
    titles = c(
      sprintf("weight of %s (prior x cost, normalised)", classes[[2L]]), "normalised expected cost"
    ),
    ylim = c(0, min(1, max(0.5, curve$cost))), now = own_weight(x)
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
    titles = c(
      sprintf("probability from which on %s is decided", second), "net benefit per case"
    ),
    ylim = c(-0.1, 1) * if (top > 0) top else 1
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

coverage_labels <- c("of those decided", "of all, with the price")

# The curves of each panel, as columns of a matrix.
coverage_curves <- function(curve) {
  own_error <- !anyNA(curve$error) && !isTRUE(all.equal(curve$error, curve$cost))
  c(
    list("mean cost" = cbind(curve$cost, curve$risk)),
    if (own_error) list(error = cbind(curve$error))
  )
}

# The mean of the first few cases says little; it does not set the scale.
coverage_limits <- function(coverage, values) {
  shown <- values[coverage >= min(0.05, max(coverage)), ]
  ylim <- range(0, shown[is.finite(shown)])
  if (diff(ylim) > 0) ylim else c(0, 1)
}

# Curves of a matrix over x, one for each label.
curve_rows <- function(x, values, labels) {
  data.frame(
    x = rep(x, ncol(values)), y = as.vector(values),
    curve = factor(rep(labels, each = length(x)), labels)
  )
}

comparison_figure <- function(drawn, curves, style) {
  rows <- curve_rows(curves$x, curves$values, curves$labels)
  start_figure(drawn, label_scales(comparison_keys(curves$labels, style))) +
    base_line(curves$now) + lines_by(rows, "x", "y", "curve") +
    view(xlim = c(0, 1), ylim = curves$ylim) +
    titled(curves$titles[[1L]], curves$titles[[2L]]) + line_title()
}

# The first few cases do not set the limits of a panel, so their curve may leave it.
coverage_figure <- function(drawn, style) {
  curves <- coverage_curves(drawn)
  rows <- do.call(rbind, lapply(names(curves), function(name) {
    values <- curves[[name]]
    limits <- coverage_limits(drawn$coverage, values)
    values[!is.na(values) & (values < limits[[1L]] | values > limits[[2L]])] <- NA
    labels <- coverage_labels[seq_len(ncol(values))]
    cbind(curve_rows(drawn$coverage, values, labels), panel = name, zero = 0)
  }))
  rows$panel <- as_seen(rows$panel)
  start_figure(drawn, label_scales(label_style(coverage_labels, style))) +
    lines_by(rows, "x", "y", "curve") + ggplot2::geom_blank(aes_of(x = "x", y = "zero"), rows) +
    panels_by(rows) +
    titled("share of cases decided", paste(names(curves), collapse = " or ")) + line_title()
}

# Curves of the cuts of the probability of a class.

ranking_data <- function(ranking, class, call) {
  ranking[ranking$class %in% drawn_classes(class, levels(ranking$class), call), ]
}

roc_figure <- function(drawn, style) {
  ranking_figure(drawn, "false_alarms", "sensitivity", style) +
    view(xlim = c(0, 1), ylim = c(0, 1)) +
    titled("share of the others taken for the class (1 - specificity)", "sensitivity")
}

# The lift of the first few cases says little; it does not set the scale.
lift_top <- function(ranking) max(ranking$lift[ranking$depth >= 0.01])

lift_figure <- function(drawn, style) {
  ranking_figure(drawn, "depth", "lift", style) +
    view(xlim = c(0, 1), ylim = c(0, lift_top(drawn[!is.na(drawn$lift), ]))) +
    titled("share of cases, the most probable first", "lift")
}

# A curve for each class, over the line of a probability that does not separate the classes.
ranking_figure <- function(drawn, x, y, style) {
  base <- if (y == "lift") base_line(y = 1) else ggplot2::geom_abline(colour = "grey60")
  start_figure(drawn, label_scales(label_style(unique(as.character(drawn$class)), style))) +
    base + lines_by(drawn, x, y, "class")
}

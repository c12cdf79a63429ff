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

# One class, of those whose net benefit was assessed.
benefit_data <- function(benefit, class, assessed, call) {
  known <- as.character(unique(benefit$class))
  if (is.null(class)) class <- known[[1L]]
  class <- check_some(class, levels(benefit$class), "class", call)
  if (length(class) > 1L || !class %in% known) {
    abort_argument(c(
      "{.arg class} must be one class whose net benefit was assessed: {.val {known}}.",
      i = "{.code assess_decisions(class = \"{class[[1L]]}\")} assesses another one."
    ), call)
  }
  benefit[benefit$class == class, ]
}

benefit_comparison <- function(curve, x) {
  class <- as.character(curve$class[[1L]])
  top <- max(curve$benefit)
  list(
    x = curve$threshold, values = cbind(curve$benefit, curve$all, 0),
    labels = c("decided by the posterior", sprintf(c("always %s", "never %s"), class)),
    titles = c(
      sprintf("probability from which on %s is decided", class), "net benefit per case"
    ),
    # Always deciding for the class has the benefit of its share at a threshold of 0.
    ylim = c(-0.1, 1) * if (top > 0) top else 1, share = curve$all[[1L]]
  )
}

# A second axis of the same numbers by the share of the class.
standardised_axis <- function(share) {
  list(scale_y_continuous = function(...) {
    ggplot2::scale_y_continuous(
      sec.axis = ggplot2::sec_axis(~ . / share, name = "standardised net benefit")
    )
  })
}

# The interval of the net benefit is a band below the curves.
benefit_figure <- function(drawn, curves, style) {
  figure <- comparison_figure(drawn, curves, style, standardised_axis(curves$share))
  if (anyNA(drawn$lower)) return(figure)
  band <- ggplot2::geom_ribbon(
    aes_of(x = "threshold", ymin = "lower", ymax = "upper"), drawn, fill = "grey85",
    inherit.aes = FALSE
  )
  figure$layers <- c(band, figure$layers)
  figure
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

# The curves of each panel, as columns of a matrix. `x`: the assessment.
coverage_curves <- function(curve, x) {
  own_error <- !anyNA(curve$error) && !isTRUE(all.equal(curve$error, curve$cost))
  gains <- are_gains(curve$cost, x$cost_matrix)
  costs <- list(gain_numbers(cbind(curve$cost, curve$risk), gains))
  names(costs) <- gain_words("mean cost", gains)
  c(costs, if (own_error) list(error = cbind(curve$error)))
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

comparison_figure <- function(drawn, curves, style, axes = NULL) {
  rows <- curve_rows(curves$x, curves$values, curves$labels)
  start_figure(drawn, c(label_scales(comparison_keys(curves$labels, style)), axes)) +
    base_line(curves$now) + lines_by(rows, "x", "y", "curve") +
    view(xlim = c(0, 1), ylim = curves$ylim) +
    titled(curves$titles[[1L]], curves$titles[[2L]]) + line_title()
}

# The first few cases do not set the limits of a panel, so their curve may leave it.
coverage_figure <- function(drawn, curves, style) {
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

ranking_data <- function(ranking, class, assessed, call) {
  ranking[ranking$class %in% drawn_classes(class, levels(ranking$class), assessed, call), ]
}

roc_figure <- function(drawn, style) {
  ranking_figure(drawn, "false_alarms", "sensitivity", style) +
    view(xlim = c(0, 1), ylim = c(0, 1)) +
    titled("share of the others taken for the class (1 - specificity)", "sensitivity")
}

# The precision above the first cut is that of no case. The line begins at that of the next cut.
precision_figure <- function(drawn, style) {
  first <- which(is.na(drawn$precision))
  rows <- drawn
  rows$precision[first] <- drawn$precision[first + 1L]
  shares <- drawn$precision[!duplicated(drawn$class, fromLast = TRUE)]
  start_figure(drawn, label_scales(label_style(unique(as.character(drawn$class)), style))) +
    base_line(y = shares) + lines_by(rows, "sensitivity", "precision", "class", draw_steps) +
    view(xlim = c(0, 1), ylim = c(0, 1)) + titled("sensitivity (recall)", "precision")
}

draw_steps <- function(...) ggplot2::geom_step(..., direction = "vh")

# The lift of the first few cases says little; it does not set the scale. These are 1 % of the
# cases, or a tenth of the share of a class if this is less: the largest lift is 1 / share.
lift_top <- function(drawn) {
  share <- drawn$precision[!duplicated(drawn$class, fromLast = TRUE)]
  own <- share[match(drawn$class, unique(drawn$class))]
  max(drawn$lift[drawn$depth >= pmin(0.01, own / 10)], na.rm = TRUE)
}

lift_figure <- function(drawn, style) {
  ranking_figure(drawn, "depth", "lift", style) +
    view(xlim = c(0, 1), ylim = c(0, lift_top(drawn))) +
    titled("share of cases, the most probable first", "lift")
}

# A curve for each class, over the line of a probability that does not separate the classes.
ranking_figure <- function(drawn, x, y, style) {
  base <- if (y == "lift") base_line(y = 1) else ggplot2::geom_abline(colour = "grey60")
  start_figure(drawn, label_scales(label_style(unique(as.character(drawn$class)), style))) +
    base + lines_by(drawn, x, y, "class")
}

#' Plot an assessment: confusion, calibration, and curves over costs
#'
#' @param x A result of [assess_decisions()].
#' @param type What to draw:
#'   * `"confusion"`: a tile for each truth and decision, with the number of cases, their share of
#'     the cases of this truth, and their cost, as far as these numbers fit. A frame marks decisions
#'     for the true class. The darkness of a framed tile shows the share of the cases of this truth.
#'     The darkness of an error shows its share of the total cost. If the total cost is 0, all tiles
#'     show the share of the cases of their truth;
#'   * `"calibration"`: how often a class was true among cases that had a similar probability of it,
#'     with 95 % intervals (Wilson), and the number of cases below. On the diagonal the
#'     probabilities are calibrated. Each class has a panel;
#'   * `"cost"`, for two classes: the normalised expected cost (Drummond and Holte 2006) of deciding
#'     under other priors and costs, against the weight of the second class. This weight is the
#'     prior of the class times the cost of missing it, divided by the sum of these products over
#'     both classes. Further curves show the cut that was best in hindsight, and the two decisions
#'     that need no model: always one class. A grey line marks the weight that follows from the
#'     assessed costs and the shares of the classes among the cases;
#'   * `"coverage"`: the cases of largest expected cost are rejected, and the others are decided.
#'     The mean cost of the decided cases (and their share of errors, if it differs) is drawn
#'     against the share of decided cases. A dashed line shows the mean cost of all cases if each
#'     rejected case costs the price that leads to this share;
#'   * `"benefit"`: the net benefit (Vickers and Elkin 2006) of deciding for a class from a
#'     threshold of its probability on, with its interval, compared with deciding for it always or
#'     never. It is the number of true positives, minus the number of false positives times the odds
#'     of the threshold, per case;
#'   * `"roc"`: the sensitivity of each class against the share of the other cases that are taken
#'     for it (1 - specificity), over all cuts of its probability. On the diagonal the probability
#'     does not separate the class from the others;
#'   * `"lift"`: how many times more frequent the class is among the cases of largest probability
#'     than among all cases, against the share of cases taken.
#' @param ... Graphical parameters, as in [plot()][plot.bayesrisk_model]; `col`, `lty` and `lwd` are
#'   those of the curves, with symbols `pch` for `"calibration"`. `"confusion"` has none of these.
#' @param class For `"calibration"`, `"roc"` and `"lift"`: the names of the classes to draw.
#'   Default: with two classes the `class` of the assessment, with more classes all of them, at most
#'   nine. For `"benefit"`: one class of the assessment's `benefit`.
#' @return A ggplot, whose element `data` has the drawn data: a data frame, see `cells`,
#'   `calibration`, `cost_curve`, `risk_coverage`, `benefit` and `ranking` of
#'   [assess_decisions()].
#' @section Errors: `bayesrisk_error_argument`, also for a plot that needs probabilities (a result
#'   of [decide()] has none) or two classes.
#' @references Drummond, C. and Holte, R. C. (2006). Cost curves: an improved method for visualizing
#' classifier performance. *Machine Learning* 65, 95-130.
#'
#' Vickers, A. J. and Elkin, E. B. (2006). Decision curve analysis: a novel method for evaluating
#' prediction models. *Medical Decision Making* 26, 565-574.
#'
#' Chow, C. K. (1970). On optimum recognition error and reject tradeoff. *IEEE Transactions on
#' Information Theory* 16, 41-46.
#' @seealso [assess_decisions()]
#' @export
#' @examples
#' two <- droplevels(iris[51:150, ])
#' set.seed(1)
#' posterior <- cv_predict(bayes_naive(), Species ~ Sepal.Length + Sepal.Width, two)
#' cost <- cost_matrix(
#'   versicolor = c(versicolor = 0, virginica = 4),
#'   virginica  = c(versicolor = 1, virginica = 0)
#' )
#' assessed <- assess_decisions(posterior, cost = cost, truth = two$Species)
#' plot(assessed)
#' plot(assessed, "calibration")
#' plot(assessed, "cost")
#' plot(assessed, "coverage")
#' plot(assessed, "roc")
plot.bayesrisk_assessment <- function(x, type = c(
                                        "confusion", "calibration", "cost", "coverage", "benefit",
                                        "roc", "lift"
                                      ), ..., class = NULL) {
  call <- rlang::current_env()
  type <- choose_assessment_plot(x, type, class, call)
  plot <- assessment_plots()[[type]]
  style <- read_style(list(...), call, plot$reads)
  drawn <- assessment_data(x, type, plot, class, call)
  figure <- if (is.null(plot$curves)) {
    plot$figure(drawn, style)
  } else {
    plot$figure(drawn, plot$curves(drawn, x), style)
  }
  finish_figure(figure, style)
}

choose_assessment_plot <- function(x, type, class, call) {
  x <- check_assessment(x, call, "x")
  plots <- assessment_plots()
  type <- check_choice(type, names(plots), "type", call)
  if (!is.null(class) && is.null(plots[[type]]$of_class)) {
    abort_argument("{.code type = \"{type}\"} does not use {.arg class}. Leave it out.", call)
  }
  type
}

# Each type of plot names the part of the assessment that it shows and the function that makes the
# figure of this part. `of_class`: the function that chooses classes, if the part has some of each;
# `curves`: the function that makes curves of the part; `reads`: graphical parameters.
assessment_plots <- function() {
  of_lines <- function(...) list(..., reads = line_parameters)
  list(
    confusion = list(part = "cells", figure = tile_figure, reads = limit_parameters),
    calibration = list(
      part = "calibration", of_class = calibration_data, figure = calibration_figure,
      reads = c(line_parameters, "pch")
    ),
    cost = of_lines(part = "cost_curve", curves = cost_comparison, figure = comparison_figure),
    coverage = of_lines(part = "risk_coverage", figure = coverage_figure),
    benefit = of_lines(
      part = "benefit", of_class = benefit_data, curves = benefit_comparison,
      figure = benefit_figure
    ),
    roc = of_lines(part = "ranking", of_class = ranking_data, figure = roc_figure),
    lift = of_lines(part = "ranking", of_class = ranking_data, figure = lift_figure)
  )
}

# The part of an assessment to draw, or an error if the assessment does not have it.
assessment_data <- function(x, type, plot, class, call) {
  part <- x[[plot$part]]
  if (is.data.frame(part) && nrow(part) > 0L) {
    return(if (is.null(plot$of_class)) part else plot$of_class(part, class, x$class, call))
  }
  two <- nrow(x$confusion) == 2L
  probabilities <- !is.na(x$log_loss)
  abort_argument(c(
    "{.arg x} has nothing to draw for this {.arg type}.",
    i = if (!probabilities) {
      "It needs probabilities: assess a model or posteriors, not decisions alone."
    },
    i = if (probabilities && !two && type == "cost" || nrow(x$confusion) < 2L) {
      "It needs two classes, not {nrow(x$confusion)}."
    },
    i = if (probabilities && type %in% c("roc", "lift")) "It needs cases of two classes or more.",
    i = if (probabilities && two) "It needs cases of both classes, and a prior of each above 0."
  ), call)
}

# Observed against predicted shares of a class.

# The bins that hold cases, with an interval.
calibration_data <- function(calibration, class, assessed, call) {
  drawn <- drawn_classes(class, levels(calibration$class), assessed, call)
  bins <- calibration[calibration$class %in% drawn & calibration$cases > 0, ]
  data.frame(bins, wilson_interval(bins$observed, bins$effective))
}

# Default: with two classes the one that was assessed, with more classes all of them.
drawn_classes <- function(class, classes, assessed, call) {
  if (!is.null(class)) class <- check_some(class, classes, "class", call)
  if (is.null(class)) class <- if (length(classes) == 2L) assessed else classes
  first_panels(class, "classes", "class")
}

# Wilson's 95 % interval of a share.
wilson_interval <- function(share, cases) {
  z <- stats::qnorm(0.975)
  centre <- (share + z^2 / (2 * cases)) / (1 + z^2 / cases)
  half <- z * sqrt(share * (1 - share) / cases + z^2 / (4 * cases^2)) / (1 + z^2 / cases)
  data.frame(lower = pmax(0, centre - half), upper = pmin(1, centre + half))
}

# The numbers of cases, as bars below 0, the longest one of each class equally long.
calibration_counts <- function(bins) {
  height <- 0.14 * bins$cases / stats::ave(bins$cases, as.character(bins$class), FUN = max)
  data.frame(
    class = bins$class, panel = bins$panel, left = bins$from + 0.01, right = bins$from + 0.09,
    low = -0.02 - height, high = -0.02
  )
}

# One panel for each class.
calibration_figure <- function(drawn, style) {
  classes <- levels(drawn$class)
  bins <- cbind(drawn, panel = drawn$class)
  panels <- length(unique(drawn$class))
  start_figure(drawn, c(
    label_scales(label_style(classes, style)), shared_axis(panels), positive_axis()
  )) +
    ggplot2::geom_abline(colour = "grey60") +
    ggplot2::geom_rect(
      aes_of(xmin = "left", xmax = "right", ymin = "low", ymax = "high", fill = "class"),
      calibration_counts(bins), alpha = 0.5, show.legend = FALSE
    ) +
    ggplot2::geom_linerange(
      aes_of(x = "predicted", ymin = "lower", ymax = "upper", colour = "class"), bins,
      show.legend = FALSE
    ) +
    ggplot2::geom_line(
      aes_of(x = "predicted", y = "observed", colour = "class", linetype = "class",
             linewidth = "class"),
      bins, show.legend = FALSE
    ) +
    ggplot2::geom_point(
      aes_of(x = "predicted", y = "observed", colour = "class", shape = "class"), bins, size = 2,
      show.legend = FALSE
    ) +
    panels_by(bins, "fixed") +
    titled(
      paste("probability of", if (panels == 1L) drawn$class[[1L]] else "the class"),
      "observed share", caption = "Bars below 0: numbers of cases."
    )
}

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
    ylim = c(-0.1, 1) * if (top > 0) top else 1
  )
}

# The interval of the net benefit is a band below the curves.
benefit_figure <- function(drawn, curves, style) {
  figure <- comparison_figure(drawn, curves, style)
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

# The curves of each panel, as columns of a matrix.
coverage_curves <- function(curve) {
  own_error <- !anyNA(curve$error) && !isTRUE(all.equal(curve$error, curve$cost))
  gains <- are_gains(curve$cost)
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

ranking_data <- function(ranking, class, assessed, call) {
  ranking[ranking$class %in% drawn_classes(class, levels(ranking$class), assessed, call), ]
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

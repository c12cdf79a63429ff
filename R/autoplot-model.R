#' Plot with ggplot2
#'
#' `autoplot()` draws the figures of [plot()][plot.bayesrisk_model] with ggplot2, from the same
#' numbers. It has a method for every result that has a plot. Add layers, themes, titles and scales
#' as to any ggplot. The figure sets no theme. Its colours and axes are default scales, which your
#' scales replace without a message.
#'
#' @param object A result of the package.
#' @param type,data,cost,prior,rule,features What to draw, as in the `plot()` method.
#' @param class,case,against,decision,limit,sort,most,rows What to draw, as in the `plot()` method.
#' @param xlim,ylim The range that is computed, two numbers: of the feature (or the two features) of
#'   a model, or of the varied prior or cost.
#' @param ... Not used: any argument here is an error. Instead of graphical parameters such as `col`
#'   or `main`, add scales, themes and [ggplot2::labs()].
#' @details
#' The `plot()` methods say what the figures show and what the arguments mean:
#' [models][plot.bayesrisk_model], [assessments][plot.bayesrisk_assessment],
#' [confusion tables][plot.bayesrisk_confusion], [contributions][plot.bayesrisk_contributions],
#' [contributions to costs][plot.bayesrisk_cost_contributions],
#' [cross-validation][plot.bayesrisk_cv], [value of data][plot.bayesrisk_data_value],
#' [decisions][plot.bayesrisk_decision], [dependence][plot.bayesrisk_dependence],
#' [value of information][plot.bayesrisk_information], [estimated priors][plot.bayesrisk_prior],
#' [ranges of costs][plot.bayesrisk_ranges], [stability][plot.bayesrisk_stability],
#' [sweeps of costs][plot.bayesrisk_sweep], [terms][plot.bayesrisk_top_features].
#'
#' The x axis of a figure with numeric and categorical features is a scale of the package. To set
#' another scale, draw the features of one kind alone. Bars of contributions are horizontal, so that
#' long names can be read.
#' @return A ggplot, whose element `data` has the numbers that `plot()` returns.
#' @section Errors: `bayesrisk_error_argument` as in `plot()`, also for a result without a plot.
#' @seealso [plot()][plot.bayesrisk_model]
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' library(ggplot2)
#' model <- fit(bayes_naive(), Species ~ ., iris)
#' autoplot(model, features = "Petal.Length", data = iris)
#' autoplot(model, "regions", features = c("Petal.Length", "Petal.Width"), data = iris) +
#'   scale_fill_brewer(palette = "Pastel1") + theme_minimal()
#' @name autoplot.bayesrisk
#' @aliases autoplot.bayesrisk_result
NULL

#' @rdname autoplot.bayesrisk
#' @exportS3Method ggplot2::autoplot
autoplot.bayesrisk_model <- function(object, type = c("density", "posterior", "regions", "cost"),
                                     data = NULL, cost = NULL, prior = NULL, rule = NULL,
                                     features = NULL, xlim = NULL, ylim = NULL, ...) {
  call <- check_no_dots(...)
  object <- check_model(object, call, drawn_name(call))
  given <- list(data = data, cost = cost, prior = prior, rule = check_rule(rule, call))
  plot <- choose_model_plot(type, given, call)
  limits <- read_style(list(xlim = xlim, ylim = ylim), call)[c("xlim", "ylim")]
  drawn <- model_drawing(object, plot, features, given, limits, call)
  classes <- object$schema$classes$levels
  if (!is.null(drawn$action)) return(cost_figure(drawn, classes))
  if (!is.null(drawn$feature_y)) return(plane_figure(drawn, classes))
  if (!is.null(drawn$decision)) return(interval_figure(drawn))
  feature_figure(drawn)
}

# Densities as curves and bars side by side, posteriors as curves and stacked bars.
feature_figure <- function(drawn) {
  drawn$feature <- as_seen(drawn$feature)
  column <- names(drawn)[[ncol(drawn)]]
  stacked <- column == "posterior"
  seen <- attr(drawn, "observed")
  bars <- drawn[!is.na(drawn$level), ]
  curves <- drawn[is.na(drawn$level), ]
  one <- nlevels(drawn$feature) == 1L
  start_figure(drawn, c(
    label_scales(label_style(levels(drawn$class), list())),
    if (nrow(bars)) level_scales("x", bars$level, bars$feature)
  )) +
    (if (nrow(curves)) {
      lines_of(curves, x = "x", y = column, colour = "class", linetype = "class")
    }) +
    (if (nrow(bars)) level_bars(bars, column, stacked, !nrow(curves))) +
    observed_marks(seen, drawn) + left_out_marks(curves, column) +
    panels_by(drawn, "feature", levels(drawn$class)) +
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

# The histogram of each class, lines at single values, and the share of each level. A bar that is
# higher than the panel ends at its frame.
observed_marks <- function(seen, drawn) {
  if (is.null(seen)) return(NULL)
  drawn <- drawn[!is.na(drawn$density), ]
  seen <- seen[seen$feature %in% drawn$feature, ]
  seen$feature <- factor(seen$feature, levels(drawn$feature))
  tops <- vapply(split(drawn$density, drawn$feature), finite_max, 1)
  limits <- mapply(observed_top, tops, split(seen$density, seen$feature))
  seen$top <- ifelse(seen$density > limits[as.character(seen$feature)], Inf, seen$density)
  seen$zero <- 0
  bins <- seen[is.na(seen$level) & seen$to > seen$from, ]
  values <- seen[is.na(seen$level) & seen$to == seen$from, ]
  shares <- seen[!is.na(seen$level), ]
  list(
    if (nrow(bins)) {
      ggplot2::geom_rect(
        aes_of(xmin = "from", xmax = "to", ymin = "zero", ymax = "top", fill = "class"), bins,
        alpha = 0.2
      )
    },
    if (nrow(values)) {
      ggplot2::geom_segment(
        aes_of(x = "from", xend = "to", y = "zero", yend = "top", colour = "class"), values,
        alpha = 0.5
      )
    },
    if (nrow(shares)) {
      shares$class <- addNA(shares$class, ifany = TRUE)
      ggplot2::geom_errorbar(
        aes_of(x = "level", ymin = "density", ymax = "density", group = "class"), shares,
        position = ggplot2::position_dodge(0.8), width = 0.8,
        linewidth = if (nrow(shares) < 80L) 0.9 else 0.3
      )
    }
  )
}

observed_caption <- function(seen) {
  if (is.null(seen)) return(NULL)
  paste(c(
    if (anyNA(seen$level)) "Filled: histogram of the data.",
    if (!all(is.na(seen$level))) "Black line: share in the data."
  ), collapse = "\n")
}

# A feature that has one value in all rows has no density, and the model leaves it out.
left_out_marks <- function(curves, column) {
  missing <- setdiff(curves$feature, curves$feature[!is.na(curves[[column]])])
  if (!length(missing)) return(NULL)
  at <- vapply(missing, function(name) mean(range(curves$x[curves$feature == name])), 1)
  text <- data.frame(feature = factor(missing, levels(curves$feature)), x = at, y = 0)
  numbers_of(cbind(text, label = "left out"), x = "x", y = "y", label = "label")
}

# The expected cost of each action, with the smallest cost emphasised.
cost_figure <- function(drawn, classes) {
  keys <- label_style(levels(drawn$action), list(classes = classes))
  start_figure(drawn, c(label_scales(keys), cut_axis(attr(drawn, "cuts"), drawn$x))) +
    base_line(attr(drawn, "cuts"), colour = "grey30", linetype = "dotted") +
    least_cost(drawn) +
    lines_of(drawn, x = "x", y = "cost", colour = "action", linetype = "action") +
    view(ylim = cost_limits(matrix(drawn$cost, ncol = nrow(keys)))) +
    titled(cost_axis(drawn, classes), "expected cost")
}

least_cost <- function(drawn) {
  best <- drawn[drawn$chosen %in% TRUE, ]
  best$line <- 1L
  lines_of(best, x = "x", y = "cost", group = "line", linewidth = 3, shade = "grey80")
}

#' @rdname autoplot.bayesrisk
#' @exportS3Method ggplot2::autoplot
autoplot.bayesrisk_result <- function(object, ...) abort_no_plot(object, rlang::current_env())

#' @exportS3Method ggplot2::autoplot
autoplot.bayesrisk_boundaries <- function(object, ...) {
  abort_without_model(attr(object, "features"), rlang::current_env())
}

#' @exportS3Method ggplot2::autoplot
autoplot.bayesrisk_regions <- function(object, ...) {
  abort_without_model(attr(object, "feature"), rlang::current_env())
}

#' @exportS3Method ggplot2::autoplot
autoplot.bayesrisk_models <- function(object, ...) abort_groups(object, "autoplot")

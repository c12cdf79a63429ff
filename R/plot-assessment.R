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
#'     probabilities are calibrated. Each class has a panel. Where nearly all cases have about the
#'     same probability, as of a rare class, the bins have equal numbers of cases, and the axes the
#'     range of the data;
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
#'     of the threshold, per case. The axis at the right has the standardised net benefit (Kerr et
#'     al. 2016), which is divided by the share of the class: it is at most 1;
#'   * `"roc"`: the sensitivity of each class against the share of the other cases that are taken
#'     for it (1 - specificity), over all cuts of its probability. On the diagonal the probability
#'     does not separate the class from the others;
#'   * `"precision"`: the precision against the sensitivity (recall) of each class, over all cuts of
#'     its probability. From one cut to the next there is no other cut, so the line has steps, and
#'     the area below it is the average precision. Of more than about 500 cuts, `ranking` has a
#'     selection, and the area is near the average precision. A grey line marks the share of the
#'     class, the precision of a probability that does not separate the classes;
#'   * `"lift"`: how many times more frequent the class is among the cases of largest probability
#'     than among all cases, against the share of cases taken. The first few cases are left out: the
#'     curve begins at 1 % of the cases, or at a tenth of the share of the class if that is less.
#' @param ... Graphical parameters, as in [plot()][plot.bayesrisk_model]; `col`, `lty` and `lwd` are
#'   those of the curves, with symbols `pch` for `"calibration"`. `"confusion"` has none of these.
#' @param class For `"calibration"`, `"roc"`, `"precision"` and `"lift"`: the names of the classes
#'   to draw. Default: with two classes the `class` of the assessment, with more classes all of
#'   them, at most nine. For `"benefit"`: one class of the assessment's `benefit`. The `class` of
#'   an assessment is the one that is dearest to miss; if several are, the rarest of these. A figure
#'   of one class names it in its subtitle.
#' @return A ggplot, whose element `data` has the drawn data: a data frame, see `cells`,
#'   `calibration`, `cost_curve`, `risk_coverage`, `benefit` and `ranking` of
#'   [assess_decisions()].
#' @section Errors: `bayesrisk_error_argument`, also for a plot that needs probabilities (a result
#'   of [decide()] has none) or two classes.
#' @references
#' Kerr, K. F., Brown, M. D., Zhu, K. and Janes, H. (2016). Assessing the clinical impact of risk
#' prediction models with decision curves. *Journal of Clinical Oncology* 34, 2534-2540.
#'
#' Drummond, C. and Holte, R. C. (2006). Cost curves: an improved method for visualizing
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
#' plot(assessed, "precision")
plot.bayesrisk_assessment <- function(x, type = c(
                                        "confusion", "calibration", "cost", "coverage", "benefit",
                                        "roc", "precision", "lift"
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
  finish_figure(figure + class_subtitle(drawn, x, plot), style)
}

# Names the class of a figure of one class, with a measure that the figure shows.
class_subtitle <- function(drawn, x, plot) {
  class <- if (!is.null(plot$of_class)) unique(as.character(drawn$class))
  if (length(class) != 1L) return(NULL)
  own <- x$measures$class %in% class & x$measures$measure %in% plot$measure
  value <- x$measures$estimate[own]
  number <- if (length(value) && !is.na(value)) {
    sprintf(", %s %s", names(plot$measure), format(signif(value, 3L)))
  }
  ggplot2::labs(subtitle = paste0("class ", cut_to(class, 30L), number))
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
# `curves`: the function that makes curves of the part; `measure`: that of the subtitle, named by
# its text; `reads`: graphical parameters.
assessment_plots <- function() {
  of_lines <- function(...) list(..., reads = line_parameters)
  of_cuts <- function(...) of_lines(part = "ranking", of_class = ranking_data, ...)
  list(
    confusion = list(part = "cells", figure = tile_figure, reads = limit_parameters),
    calibration = list(
      part = "calibration", of_class = calibration_data, figure = calibration_figure,
      reads = c(line_parameters, "pch")
    ),
    cost = of_lines(part = "cost_curve", curves = cost_comparison, figure = comparison_figure),
    coverage = of_lines(
      part = "risk_coverage", curves = coverage_curves, figure = coverage_figure
    ),
    benefit = of_lines(
      part = "benefit", of_class = benefit_data, curves = benefit_comparison,
      figure = benefit_figure
    ),
    roc = of_cuts(figure = roc_figure, measure = c(AUC = "auc")),
    precision = of_cuts(
      figure = precision_figure, measure = c("average precision" = "average_precision")
    ),
    lift = of_cuts(figure = lift_figure)
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
      "It needs probabilities, which decisions do not hold. Assess the model,
       {.code assess_decisions(model, data, cost)}, or its posteriors,
       {.code assess_decisions(posterior, cost = cost, truth = truth)}."
    },
    i = if (probabilities && !two && type == "cost" || nrow(x$confusion) < 2L) {
      "It needs two classes, not {nrow(x$confusion)}."
    },
    i = if (probabilities && plot$part == "ranking") "It needs cases of two classes or more.",
    i = if (probabilities && two) "It needs cases of both classes, and a prior of each above 0."
  ), call)
}

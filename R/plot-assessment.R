#' Plot an assessment: confusion, calibration, and curves over costs
#'
#' @param x A result of [assess_decisions()].
#' @param type What to draw:
#'   * `"confusion"`: decisions by the truth, as tiles: number of cases, their share of the
#'     truth, and their cost. Darker tiles have a larger share of the cost (without any cost: of
#'     the cases of that truth);
#'   * `"calibration"`: how often a class was true among cases that had a similar probability
#'     of it, with 95 % intervals (Wilson), and the number of cases below. On the diagonal the
#'     probabilities are calibrated. For two classes only the second is drawn;
#'   * `"cost"`, for two classes: the cost of deciding under other priors and costs, against the
#'     weight of the second class. This weight is its prior times the cost of missing it, as a
#'     share of the sum of these products over both classes (normalised expected cost, Drummond
#'     and Holte 2006). The plot adds the curve of the cut that was best in hindsight, and the
#'     curves of the two decisions that need no model. A grey line marks the assessed costs with
#'     the shares of the classes among the cases;
#'   * `"coverage"`: mean cost of the decided cases (and their error, if it differs) against the
#'     share of decided cases, when the cases of largest expected cost are rejected. Dashed: the
#'     mean cost of all cases, where each rejected case costs the price from which on rejecting
#'     pays;
#'   * `"benefit"`, for two classes: net benefit of deciding for the second class above a
#'     threshold of its probability (true positives minus false positives times the odds of the
#'     threshold, per case), compared with deciding for it always or never (Vickers and Elkin
#'     2006).
#' @param ... Graphical parameters, as in [plot()][plot.bayesrisk_model].
#' @return Invisibly, the drawn data: a data frame, see `cells`, `calibration`, `cost_curve`,
#'   `risk_coverage` and `benefit` of [assess_decisions()].
#' @section Errors: `bayesrisk_error_argument`, also for a plot that needs probabilities (a
#'   result of [decide()] has none) or two classes.
#' @references
#' Drummond, C. and Holte, R. C. (2006). Cost curves: an improved method for visualizing
#' classifier performance. *Machine Learning* 65, 95-130.
#'
#' Vickers, A. J. and Elkin, E. B. (2006). Decision curve analysis: a novel method for
#' evaluating prediction models. *Medical Decision Making* 26, 565-574.
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
plot.bayesrisk_assessment <- function(x, type = c(
                                        "confusion", "calibration", "cost", "coverage", "benefit"
                                      ), ...) {
  call <- rlang::current_env()
  check_assessment(x, call)
  type <- check_choice(type, eval(formals()$type), "type", call)
  style <- read_style(list(...), call)
  classes <- rownames(x$confusion)
  drawn <- assessment_data(x, type, call)
  switch(type,
    confusion = draw_confusion(drawn, style),
    calibration = draw_calibration(drawn, style),
    cost = draw_cost_curve(drawn, style, classes, own_weight(x)),
    coverage = draw_coverage(drawn, style),
    benefit = draw_benefit(drawn, style, classes[[2L]])
  )
  invisible(drawn)
}

assessment_data <- function(x, type, call) {
  switch(type,
    confusion = x$cells,
    calibration = calibration_data(assessed_part(x, "calibration", call)),
    cost = assessed_part(x, "cost_curve", call),
    coverage = assessed_part(x, "risk_coverage", call),
    benefit = assessed_part(x, "benefit", call)
  )
}

# A part of an assessment, or an error if the assessment does not have it.
assessed_part <- function(x, part, call) {
  if (is.data.frame(x[[part]]) && nrow(x[[part]]) > 0L) return(x[[part]])
  two <- nrow(x$confusion) == 2L
  probabilities <- !is.na(x$log_loss)
  abort_argument(c(
    "{.arg x} has nothing to draw for this {.arg type}.",
    i = if (!probabilities) {
      "It needs probabilities: assess a model or posteriors, not decisions alone."
    },
    i = if (probabilities && !two) "It needs two classes, not {nrow(x$confusion)}.",
    i = if (probabilities && two) "It needs cases of both classes, and a prior of each above 0."
  ), call)
}

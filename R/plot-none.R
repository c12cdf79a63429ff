# Results without a plot of their own.

#' @export
plot.bayesrisk_result <- function(x, ...) {
  # Base R draws tables, and numbers and factors against each other.
  columns <- if (is.data.frame(x)) as.list(x) else if (!is.list(x)) list(x)
  drawn <- vapply(columns, function(column) is.numeric(column) || is.factor(column), NA)
  known <- any(class(x) %in% names(plots_instead))
  if (!known && length(drawn) && all(drawn)) return(NextMethod())
  abort_no_plot(x, rlang::current_env())
}

# `x`: the argument of plot() or of autoplot().
abort_no_plot <- function(x, call, arg = "x") {
  known <- intersect(class(x), names(plots_instead))
  abort_argument(c(
    "{.arg {arg}}, of class {.cls {class(x)[[1L]]}}, has no plot.",
    i = if (length(known)) plots_instead[[known[[1L]]]] else instead_of_plot(x)
  ), call)
}

instead_of_plot <- function(x) {
  if (is.data.frame(x)) "{.code as.data.frame(x)} has its numbers."
}

# Named by class, special classes first.
plots_instead <- c(
  bayesrisk_search = "{.fn fit} it and plot the model; {.code as.data.frame(x)} has the path of the
    search, and {.fn feature_dependence} has a plot.",
  bayesrisk_spec = "A specification has seen no data: {.fn fit} it and plot the model.",
  bayesrisk_likelihood = "{.fn fit} a model with it and plot the model.",
  bayesrisk_statistics = "Plot the model that {.fn fit} makes of the same rows.",
  bayesrisk_draws = "Each draw is a model: {.code plot(x[[1]])}. {.code as.data.frame(x)} has the
    parameters of all draws.",
  bayesrisk_confint = "{.code plot(model)} draws the densities, and
    {.code plot(decision_stability(model, newdata))} what the intervals mean for decisions.",
  bayesrisk_discriminants = "{.code plot(model, type = \"discriminants\", data = )} draws cases and
    class means.",
  bayesrisk_temper = "{.code plot(assessed, \"calibration\")} draws how well its posteriors fit the
    true classes, with {.code assessed <- assess_decisions(predict(x, newdata), truth = truth)}.",
  bayesrisk_flip = "{.code plot(model, type = \"regions\")} draws the decisions along a feature.",
  bayesrisk_cost = "{.code plot(model, type = \"cost\", cost = cost)} draws expected costs along
    a feature or a probability.",
  bayesrisk_summary_model = "Plot the model itself."
)

#' Plot with ggplot2
#'
#' `autoplot(x, ...)` is [plot(x, ...)][plot.bayesrisk_model]: both return the same ggplot, which is
#' drawn when it is printed. Add layers, themes, titles and scales as to any ggplot.
#'
#' @param object A result of the package.
#' @param ... The arguments of the `plot()` method.
#' @details
#' The `plot()` methods say what the figures show and what the arguments mean:
#' [models][plot.bayesrisk_model], [assessments][plot.bayesrisk_assessment],
#' [confusion tables][plot.bayesrisk_confusion], [contributions][plot.bayesrisk_contributions],
#' [contributions to costs][plot.bayesrisk_cost_contributions],
#' [cross-validation][plot.bayesrisk_cv], [value of data][plot.bayesrisk_data_value],
#' [decisions][plot.bayesrisk_decision], [dependence][plot.bayesrisk_dependence],
#' [value of information][plot.bayesrisk_information], [monitors][plot.bayesrisk_monitor],
#' [estimated priors][plot.bayesrisk_prior],
#' [ranges of costs][plot.bayesrisk_ranges], [stability][plot.bayesrisk_stability],
#' [sweeps of costs][plot.bayesrisk_sweep], [terms][plot.bayesrisk_top_features],
#' [test plans][plot.bayesrisk_test_plan].
#'
#' The figure's colours and axes are default scales, which your scales replace without a message.
#' Its theme says only that legends stand above the panels. A complete theme such as
#' [ggplot2::theme_bw()] moves them to the right, unless you add `theme(legend.position = "top")`.
#' Labels and legends are cut to the size of the device on which the figure is drawn. The x axis of
#' a figure with numeric and categorical features is a scale of the package. To set another scale,
#' draw the features of one kind alone.
#' @return A ggplot. Its element `data` has the numbers that are drawn, as the help page of the
#'   `plot()` method says.
#' @section Errors: `bayesrisk_error_argument` as in `plot()`, also for a result without a plot.
#' @seealso [plot()][plot.bayesrisk_model]
#' @examples
#' library(ggplot2)
#' model <- fit(bayes_naive(), Species ~ ., iris)
#' figure <- autoplot(model, "regions", features = c("Petal.Length", "Petal.Width"), data = iris)
#' figure + scale_fill_brewer(palette = "Pastel1") + theme_minimal() +
#'   theme(legend.position = "top")
#' head(figure$data)
#' @name autoplot.bayesrisk
#' @exportS3Method ggplot2::autoplot
autoplot.bayesrisk_result <- function(object, ...) {
  # Base R draws tables, but not as a ggplot.
  own <- setdiff(sprintf("plot.%s", class(object)), "plot.bayesrisk_result")
  if (!any(own %in% ls(topenv()))) abort_no_plot(object, rlang::current_env(), "object")
  plot(object, ...)
}

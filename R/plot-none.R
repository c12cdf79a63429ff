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

abort_no_plot <- function(x, call) {
  known <- intersect(class(x), names(plots_instead))
  abort_argument(c(
    "{.arg {drawn_name(call)}}, of class {.cls {class(x)[[1L]]}}, has no plot.",
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
  bayesrisk_temper = "{.code plot(assessed, \"calibration\")} draws how well its posteriors fit the
    true classes, with {.code assessed <- assess_decisions(predict(x, newdata), truth = truth)}.",
  bayesrisk_flip = "{.code plot(model, type = \"regions\")} draws the decisions along a feature.",
  bayesrisk_cost = "{.code plot(model, type = \"cost\", cost = cost)} draws expected costs along
    a feature or a probability.",
  bayesrisk_summary_model = "Plot the model itself."
)

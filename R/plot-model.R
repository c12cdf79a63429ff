#' Plot a model: densities, posteriors, decision regions, expected costs
#'
#' The plot needs the model alone, because a model holds no data. Features that are not drawn are
#' marginalised exactly, like missing values in [predict()][predict.bayesrisk_model].
#'
#' @param x A fitted or known model.
#' @param type What to draw:
#'   * `"density"`: each feature given each class, one panel per feature: curves
#'     of the density of a numeric feature (the probabilities of counts and of
#'     exact values, joined by lines), bars of the probabilities of the levels of a categorical one;
#'     marginals of a joint block too.
#'   * `"posterior"`: the posterior probability of each class given one feature,
#'     one panel per feature: curves, or stacked bars by level.
#'   * `"regions"`: the decision regions. For one numeric feature: prior x
#'     density of each class, with the decision as a strip below and a dotted
#'     line at each cut. For two: the plane, in the colours of the decisions, with
#'     the boundaries between them.
#'   * `"cost"`: expected cost of each action against one numeric feature, the
#'     smallest emphasised and a dotted line where the decision changes; or, for
#'     two classes, against the posterior probability of the second class.
#' @param ... Graphical parameters: `main`, `xlab`, `ylab`, `xlim`, `ylim`;
#'   `col`, `lty`, `lwd`, `pch` of the classes (of the actions for `"cost"`), in
#'   their order or named; and those of [graphics::par()] that concern text,
#'   axes and margins, such as `las` or `cex.axis`. `xlim` (and `ylim` for two
#'   features) also sets what is computed. Anything else is an error.
#' @param features Names of the features to draw. Default for `"density"` and
#'   `"posterior"`: all (at most nine panels at a time; a message names the omitted
#'   features). For `"regions"`: the numeric features, if the model has one or two.
#'   For `"cost"`: the only feature, if it is numeric; otherwise the posterior
#'   probability for two classes, or the only numeric feature for more.
#' @param data Cases to add to `"regions"`: a data frame or matrix with the
#'   features drawn. If `data` has the class column of the fitted formula, each case has the colour
#'   and symbol of its true class. For a model without a formula the class column is `class`, as in
#'   [simulate()][simulate.bayesrisk_model].
#' @param cost The cost of each action under each true class, see
#'   [cost_matrix()]; the default is 0-1 cost. For `"regions"` and `"cost"`.
#' @param prior Prior probabilities to use instead of the model's, as in
#'   [predict()][predict.bayesrisk_model]. Not for `"density"`, nor for costs
#'   against the posterior probability, which do not depend on it.
#' @param rule For `"regions"` along the only feature of a model: a rule as in
#'   [bayes_risk()], another model, `"prior"`, `"likelihood"` or a function. The expected cost of
#'   the rule is shaded in two parts: below, the cost that no rule can avoid; above it, the cost
#'   that the best rule would save. A line marks each cut of the rule. With 0-1 cost the
#'   two areas are the probabilities of error `irreducible` and `reducible`.
#'
#' @details
#' A numeric feature is drawn from the smallest mean - 3.5 sd to the largest mean +
#' 3.5 sd of the classes; `data` widens the range, `xlim` replaces it. Colours
#' are those of the Okabe-Ito palette; line types, symbols, hatching and the
#' lightness of regions carry the same information without colour. If the cost of an action
#' would press all other lines onto the axis, its line leaves the plot at the top;
#' `ylim` shows the whole line.
#'
#' A plot of one panel fits into your own layout (`par(mfrow = )`); several
#' panels take the page. [graphics::par()] is restored in both cases.
#'
#' @return Invisibly, the drawn data: a data frame with the row for each point
#'   and class (or action).
#'   * `"density"`: `feature`, `x` (numeric features, else `NA`), `level`
#'     (categorical features, else `NA`), `class`, `density`.
#'   * `"posterior"`: the same with `posterior`; `NA` for a level that is
#'     impossible under every class.
#'   * `"regions"`, one feature: `feature`, `x`, `class`, `density` (prior times
#'     density) and `decision`; the rows next to a cut are close to it (1e-6 of the
#'     range). With a `rule` there are three more columns: its decision `rule`, its expected cost
#'     times the density of `x`, `risk`, and the same for the best rule, `least`. Two features:
#'     `feature_x`, `x`, `feature_y`, `y`, `decision`, a row for each point of a square grid,
#'     with the lines between the regions as attribute `boundaries`.
#'   * `"cost"`: `feature` (`NA` against the posterior probability), `x`, `action`,
#'     `cost`, `chosen` (whether this is the decision). Against the posterior
#'     probability the points where two actions cost the same are among `x`.
#' @section Errors: `bayesrisk_error_argument` names the argument, also one among
#'   `...` that is no graphical parameter; `bayesrisk_error_schema` where `data`
#'   does not fit the model.
#' @references Okabe, M. and Ito, K. (2008). *Color universal design (CUD): how to
#'   make figures and presentations that are friendly to colorblind people*.
#'
#'   Regions, conditional risk and the areas of error: the lecture "Applied Machine
#'   Learning Fundamentals, Unit III: Bayesian Decision Theory (Wehner)", after
#'   Bishop, C. M. (2006). *Pattern Recognition and Machine Learning*, figure 1.24.
#' @seealso [predict()][predict.bayesrisk_model] for the numbers,
#'   [cost_matrix()]
#' @examples
#' model <- fit(bayes_naive(), Species ~ ., iris)
#' plot(model)
#' plot(model, "posterior", features = "Petal.Length")
#' plot(model, "regions", features = c("Petal.Length", "Petal.Width"), data = iris)
#'
#' cost <- cost_matrix(
#'   keep = c(setosa = 0, versicolor = 1, virginica = 10),
#'   discard = c(setosa = 2, versicolor = 2, virginica = 0)
#' )
#' plot(model, "regions", features = "Petal.Length", data = iris, cost = cost)
#' plot(model, "cost", features = "Petal.Length", cost = cost)
#'
#' # What it costs to forget that one letter is three times as frequent
#' ocr <- bayes_known(
#'   prior = c(a = 0.75, b = 0.25),
#'   pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = 4)
#' )
#' plot(ocr, "regions", rule = "likelihood")
#'
#' tennis <- fit(bayes_naive(laplace = 1), play ~ ., play_tennis)
#' drawn <- plot(tennis, "density", features = c("outlook", "wind"))
#' drawn
#' plot(tennis, "cost", cost = cost_matrix(
#'   book = c(yes = 1, no = 6), stay = c(yes = 4, no = 0), ask = 1.5
#' ))
#' @export
plot.bayesrisk_model <- function(x, type = c("density", "posterior", "regions", "cost"), ...,
                                 features = NULL, data = NULL, cost = NULL, prior = NULL,
                                 rule = NULL) {
  call <- rlang::current_env()
  check_model(x, call, "x")
  if (inherits(rule, "bayesrisk_model")) check_model(rule, call, "rule")
  type <- check_choice(type, plot_types, "type", call)
  check_unused(type, list(data = data, cost = cost, prior = prior, rule = rule), call)
  style <- read_style(list(...), call, x$schema$classes$levels)
  problem <- list(
    model = x, prior = predict_prior(x, prior, call),
    cost = read_cost(cost, x$schema$classes$levels, call = call),
    xlim = style$xlim, ylim = style$ylim, call = call
  )
  features <- check_drawn_features(x, features, call)
  drawn <- switch(type,
    density = density_data(problem, features),
    posterior = posterior_data(problem, features),
    regions = regions_data(problem, features, data, rule),
    cost = cost_data(problem, features, !is.null(prior))
  )
  switch(type,
    density = draw_densities(drawn, style),
    posterior = draw_posteriors(drawn, style),
    regions = draw_regions(drawn, style),
    cost = draw_costs(drawn, style)
  )
  invisible(drawn)
}

plot_types <- c("density", "posterior", "regions", "cost")

# An argument without effect on the plot is an error, because it is probably a mistake.
check_unused <- function(type, given, call) {
  used <- switch(type,
    density = character(), posterior = "prior", regions = c("data", "cost", "prior", "rule"),
    cost = c("cost", "prior")
  )
  unused <- setdiff(names(given)[!vapply(given, is.null, NA)], used)
  if (length(unused) == 0L) return(invisible())
  abort_argument(c(
    "{.code type = \"{type}\"} does not use {.arg {unused}}.",
    i = "Leave {cli::qty(unused)}{?it/them} out."
  ), call)
}

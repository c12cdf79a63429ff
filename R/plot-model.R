#' Plot a model: densities, posteriors, decision regions, expected costs
#'
#' The plot needs the model alone, because a model holds no data. Features that are not drawn are
#' marginalised exactly, like missing values in [predict()][predict.bayesrisk_model].
#'
#' @param x A fitted or known model. Of models of groups, give one: `plot(models[["north"]])`.
#' @param type What to draw:
#'   * `"density"`: each feature given each class, one panel per feature. A numeric feature has
#'     curves of its density (for counts and exact values: probabilities, joined by lines), a
#'     categorical feature has bars of the probabilities of its levels. The features of a joint
#'     block are drawn by their marginals. Of a feature with more than 30 levels, the 30 are drawn
#'     whose probabilities differ most between the classes; a message and the caption say so.
#'   * `"posterior"`: the posterior probability of each class given one feature, one panel per
#'     feature: curves, or stacked bars by level (of many levels those of `"density"`).
#'   * `"regions"`: the decision regions. For one numeric feature: prior x density of each class,
#'     with the decision as a strip below and a dotted line at each cut. For two: the plane, in the
#'     colours of the decisions, with the boundaries between them.
#'   * `"cost"`: the expected cost of each action against one numeric feature, or, for two classes,
#'     against the posterior probability of the second class. The smallest cost is emphasised, and a
#'     dotted line marks each change of the decision.
#'   * `"discriminants"`: the [discriminants()], of a model whose classes share one covariance. The
#'     plane of the first two coordinates with its decision regions, the class means as large
#'     symbols, and, of up to eight classes, a circle around each that holds 90 % of the class. A
#'     model with one coordinate is drawn as `"regions"` of this coordinate.
#' @param ... Graphical parameters: `main`, `xlab`, `ylab`, `xlim`, `ylim`; `col`, `lty`, `lwd`,
#'   `pch` of the classes (of the actions for `"cost"`), in their order or named; `cex`, the size of
#'   symbols, and `alpha`, their opacity from 0 to 1 (default: by the number of cases). `xlim` (and
#'   `ylim` for two features) also sets the range that is computed. A parameter without effect on
#'   the figure, such as `lwd` of bars or `pch` without `data`, is an error, as is any other
#'   argument: add layers, scales, themes and [ggplot2::labs()] to the figure.
#' @param features Names of the features to draw. Default for `"density"` and `"posterior"`: all (at
#'   most nine panels at a time; a message names the omitted features) but bags of terms, which
#'   [top_features()] shows. For `"regions"`: the numeric
#'   features, if the model has one or two. For `"cost"`: the only feature, if it is numeric.
#'   Otherwise the x axis of a model of two classes is the posterior probability, and that of a
#'   model of more classes is its only numeric feature. For `"discriminants"`: one or two
#'   coordinates, such as `c("LD1", "LD3")`.
#' @param data Cases to add to `"regions"` and `"discriminants"`, as symbols, or to `"density"`,
#'   behind the curves: a data frame or matrix with the features drawn, for `"discriminants"` with
#'   all features. If `data` has the class column of the fitted formula, each case is drawn with its
#'   true class. For a model without a formula the class column is `class`, as in
#'   [simulate()][simulate.bayesrisk_model]. Behind the densities there is a histogram of each class
#'   (for single values: lines). Its bars are shown up to five times the height of the curves; an
#'   arrow marks a higher bar. Bars of levels have a mark at the share of the level. If there are
#'   more than 5,000 cases, evenly chosen ones are drawn as symbols, with a message.
#' @param cost The cost of each action under each true class, see [cost_matrix()]; the default is
#'   0-1 cost. For `"regions"`, `"discriminants"` and `"cost"`.
#' @param prior Prior probabilities to use instead of the model's, as in
#'   [predict()][predict.bayesrisk_model]. Not for `"density"`, nor for costs against the posterior
#'   probability, which do not depend on it.
#' @param rule For `"regions"` of a model with one feature: a rule as in [bayes_risk()], that is
#'   another model, `"prior"`, `"likelihood"` or a function. The expected cost of the rule is shaded
#'   in two parts: below, the cost that no rule can avoid; above it, the cost that the best rule
#'   would save. A line marks each cut of the rule. With 0-1 cost the two areas are the
#'   probabilities of error `irreducible` and `reducible` of [bayes_risk()].
#'
#' @details A numeric feature is drawn from the smallest mean - 3.5 sd to the largest mean + 3.5 sd
#' of the classes; `data` widens the range, `xlim` replaces it. Colours are those of the Okabe-Ito
#' palette; line types, symbols and the lightness of bars and regions carry the same information
#' without colour. If the cost of an action would press all other lines onto the axis, its line
#' leaves the plot at the top; `ylim` shows the whole line.
#'
#' Several panels are facets. [autoplot()][autoplot.bayesrisk] says what you can change of the
#' figure. Names that are too long are cut in their middle, or in a part that they share. Numbers
#' that do not fit are left out, and on a small device text and symbols become smaller. The sizes
#' are those for the device that is open when you call `plot()`: for another one, open it first.
#'
#' @return A ggplot, drawn when it is printed. Its element `data` has the drawn data: a data frame
#'   with a row for each point and class (or action).
#'   * `"density"`: `feature`, `x` (numeric features, else `NA`), `level` (categorical features,
#'     else `NA`), `class`, `density` (`NA` for a numeric feature that the model left out). With
#'     `data`, the attribute `observed` describes them: `feature`, `class`, `from` and `to` (of a
#'     bin), `level`, `density`.
#'   * `"posterior"`: the same with `posterior`; `NA` for a level that is impossible under every
#'     class.
#'   * `"regions"`, one feature: `feature`, `x`, `class`, `density` (prior times density) and
#'     `decision`; the rows next to a cut are close to it (1e-6 of the range). With a `rule` there
#'     are three more columns: `rule` (its decision), `risk` (its expected cost times the density of
#'     `x`) and `least` (the same for the best rule). Two features: `feature_x`, `x`, `feature_y`,
#'     `y`, `decision`, a row for each point of a square grid; the attribute `boundaries` holds the
#'     lines between the regions.
#'   * `"discriminants"`: as `"regions"`, of the coordinates; the attribute `means` holds the class
#'     means.
#'   * `"cost"`: `feature` (`NA` against the posterior probability), `x`, `action`, `cost`, `chosen`
#'     (whether this is the decision). Against the posterior probability the points where two
#'     actions cost the same are among `x`.
#' @section Errors: `bayesrisk_error_argument`, which names the argument, also for an argument in
#'   `...` that is not a graphical parameter; `bayesrisk_error_schema` if `data` does not fit the
#'   model.
#' @references Okabe, M. and Ito, K. (2008). *Color universal design (CUD): how to make figures and
#'   presentations that are friendly to colorblind people*.
#'
#'   Regions, conditional risk and the areas of error: the lecture "Applied Machine Learning
#'   Fundamentals, Unit III: Bayesian Decision Theory (Wehner)", after Bishop, C. M. (2006).
#'   *Pattern Recognition and Machine Learning*, figure 1.24.
#' @seealso [predict()][predict.bayesrisk_model] for the numbers, [cost_matrix()],
#'   [autoplot()][autoplot.bayesrisk]
#' @examples
#' model <- fit(bayes_naive(), Species ~ Petal.Length + Petal.Width, iris)
#' plot(model, data = iris)
#' plot(model, "posterior", features = "Petal.Length")
#' plot(model, "regions", data = iris)
#' plot(fit(bayes_full(covariance = "pooled"), Species ~ ., iris), "discriminants", data = iris)
#'
#' cost <- cost_matrix(
#'   keep = c(setosa = 0, versicolor = 1, virginica = 10),
#'   discard = c(setosa = 2, versicolor = 2, virginica = 0)
#' )
#' plot(model, "regions", features = "Petal.Length", data = iris, cost = cost)
#'
#' # The cost of a rule that ignores the prior, although one letter is three times as frequent
#' ocr <- bayes_known(
#'   prior = c(a = 0.75, b = 0.25),
#'   pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = 4)
#' )
#' plot(ocr, "regions", rule = "likelihood")
#'
#' tennis <- fit(bayes_naive(laplace = 1), play ~ ., play_tennis)
#' figure <- plot(tennis, "density", features = "outlook")
#' figure + ggplot2::labs(title = "Tennis")
#' figure$data
#' plot(tennis, "cost", cost = cost_matrix(
#'   book = c(yes = 1, no = 6), stay = c(yes = 4, no = 0), ask = 1.5
#' ))
#' @export
plot.bayesrisk_model <- function(x, type = c(
                                   "density", "posterior", "regions", "cost", "discriminants"
                                 ), ..., features = NULL, data = NULL, cost = NULL, prior = NULL,
                                 rule = NULL) {
  call <- rlang::current_env()
  x <- check_model(x, call, "x")
  given <- list(data = data, cost = cost, prior = prior, rule = check_rule(rule, call))
  plot <- choose_model_plot(type, given, call)
  style <- read_style(list(...), call, names(style_checks), x$schema$classes$levels)
  drawn <- model_drawing(x, plot, features, given, style[c("xlim", "ylim")], call)
  check_style_read(intersect(names(style), names(style_checks)), plot$reads(drawn), call)
  # Panels of levels have no numbers to limit. Beside them, the curves have the range of xlim.
  if (!all(is.na(drawn$level))) style$xlim <- NULL
  finish_figure(plot$figure(drawn, style), style)
}

plot_types <- c("density", "posterior", "regions", "cost", "discriminants")

choose_model_plot <- function(type, given, call) {
  # The name of the type of predict().
  if (identical(type, "discriminant")) type <- "discriminants"
  type <- check_choice(type, plot_types, "type", call)
  plot <- model_plots()[[type]]
  check_unused(type, given, plot$uses, call)
  plot
}

# The data of a plot of `model_plots()`. `limits`: list(xlim, ylim), each NULL by default.
model_drawing <- function(x, plot, features, given, limits, call) {
  problem <- list(
    model = without_bags(x), prior = predict_prior(x, given$prior, call),
    cost = read_cost(given$cost, x$schema$classes$levels, call = call),
    xlim = limits$xlim, ylim = limits$ylim, call = call
  )
  if (!isTRUE(plot$projects)) features <- check_drawn_features(x, features, call)
  plot$find(problem, features, given)
}

# A type of plot names its arguments, the function that computes its data, the function that makes
# the figure of the data, and the function that names the graphical parameters that are read.
# `given`: the arguments. `projects`: whether it draws other features than those of the model.
model_plots <- function() {
  list(
    density = list(
      uses = "data", figure = feature_figure, reads = feature_parameters,
      find = function(problem, features, given) density_data(problem, features, given$data)
    ),
    posterior = list(
      uses = "prior", figure = feature_figure, reads = feature_parameters,
      find = function(problem, features, given) posterior_data(problem, features)
    ),
    regions = list(
      uses = c("data", "cost", "prior", "rule"), figure = region_figure,
      reads = region_parameters,
      find = function(problem, features, given) {
        regions_data(problem, features, given$data, given$rule)
      }
    ),
    cost = list(
      uses = c("cost", "prior"), figure = cost_figure,
      reads = function(drawn) line_parameters,
      find = function(problem, features, given) {
        cost_data(problem, features, !is.null(given$prior))
      }
    ),
    discriminants = list(
      uses = c("data", "cost", "prior"), figure = discriminants_figure, projects = TRUE,
      reads = function(drawn) unique(c(region_parameters(drawn), line_parameters, "pch", "cex")),
      find = discriminants_data
    )
  )
}

# An argument without effect on the plot is an error, because it is probably a mistake.
check_unused <- function(type, given, used, call) {
  unused <- setdiff(names(given)[!vapply(given, is.null, NA)], used)
  if (length(unused) == 0L) return(invisible())
  abort_argument(c(
    "{.code type = \"{type}\"} does not use {.arg {unused}}.",
    i = "Leave {cli::qty(unused)}{?it/them} out."
  ), call)
}

#' Explore decisions in a browser
#'
#' An interactive map of the decisions of a model, as an htmlwidget: choose the two features of the
#' map, move priors, edit costs, allow a reject action, and point at a case to see its posterior,
#' its expected costs and its decision. Of one feature: drag a cut, and see what it costs. The page
#' works as HTML of R Markdown, Quarto and pkgdown and in the viewer, without a server and without a
#' request to the network.
#'
#' @param object A fitted or known model, or a named list of models with the same features and
#'   classes: then a slider of the page chooses one.
#' @param data Cases to show, as in [plot()][plot.bayesrisk_model]; for several models also a list
#'   with the cases of each, named as `object`.
#' @param features Names of the features that the map offers, the first two on its axes. Default:
#'   all that are not `given`, but bags of terms, and as many as the page has room for (at most
#'   nine; a message names the others).
#' @param given The known values of other features, as in [decision_regions()]. All other features
#'   are marginalised exactly.
#' @param rule `NULL`, or a rule to compare with; for several models also a list with a rule for
#'   each, named as `object`.
#'   * A model of one numeric feature: a rule as in [bayes_risk()]. The page begins with its cuts.
#'   * On a map: another model, or `"likelihood"`. Its boundaries are dashed, and the map is hatched
#'     where it decides otherwise. It decides by its own prior, but follows the page's if it had
#'     the prior of the model.
#' @param controls The controls beside the picture, in their order: `"prior"`, `"cost"`, `"case"`
#'   (its values, its posterior and its decision), `"sweep"` (the lower figure). `NULL`: none.
#' @inheritParams bayesrisk_arguments
#'
#' @details
#' The page contains no model, only tables of log likelihoods on grids, so it works for any
#' likelihood. Between the points of a grid log likelihoods are interpolated by cubic polynomials.
#' This is exact for Gaussians, apart from 32-bit rounding. Histograms and counts have a cell for
#' each bin and for each count (up to 400).
#'
#' In the page, a feature that is not on the map is unknown, or has the value that is entered. Of
#' the features of one joint block at most two can be known at a time, because the page has tables
#' of pairs. The cases are decided by their two features on the map, and their mean cost is that
#' of the cases shown. The lower figure shows the expected costs of the pointed case, while the
#' posterior of a class or one cost varies. A utility is shown as a negative cost.
#'
#' A page of **one feature** shows the prior times the density of each class, and below it the
#' decisions of the best rule and of another rule. The other rule begins as the best one (or as
#' `rule`), and its cuts can be dragged, or moved by sliders and arrow keys. The red area is the
#' expected cost that the best rule would save (`reducible` of [bayes_risk()]); the other areas are
#' the cost that no rule avoids, by the decision of the rule. With 0-1 cost they are probabilities
#' of error. Their numbers come from the probabilities of narrow intervals, which the engine
#' computes, so they have about six digits. A categorical feature has bars and no cut. `given`
#' values, tempering ([temper()]) and single values ([likelihood_empirical()]) leave the posterior.
#'
#' With several models or a `rule`, a map has the expected costs of the best rule and of `rule`, and
#' the one that `rule` expects, from [bayes_risk()]. They hold for the priors and costs of the
#' start, and the page has them if it offers all features of the models.
#'
#' If a prior is 0.01 or less, the sliders of the priors move log odds. The slider of a cost
#' multiplies it by up to 30, or divides it.
#'
#' The arrow keys move the case on the map, or the cut (with Shift in small steps). A screen reader
#' is told the result. Colours are those of [plot()][plot.bayesrisk_model]; a dark page has dark
#' regions.
#'
#' @return An htmlwidget, which prints as a page.
#' @section Errors: `bayesrisk_error_argument` if an argument is wrong, if the model has no feature
#'   to show, if joint blocks need tables that are too large (choose fewer `features`), if the
#'   cost differs by case, if models or rules do not have the same classes, features and ranges, if
#'   a rule cannot be shown, or if the package htmlwidgets is missing. `bayesrisk_error_schema` if
#'   `data` or `given` do not fit the model.
#' @seealso [plot()][plot.bayesrisk_model], [decision_regions()], [cost_sweep()]
#' @examplesIf requireNamespace("htmlwidgets", quietly = TRUE)
#' model <- fit(bayes_naive(), Species ~ ., iris)
#' page <- explorer(model, zero_one_cost(model, reject = 0.2), iris)
#' if (interactive()) page
#'
#' # Drag the cut of two letters
#' letters <- bayes_known(
#'   prior = c(a = 0.75, b = 0.25),
#'   pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = 4)
#' )
#' page <- explorer(letters, rule = "likelihood", controls = c("prior", "cost"))
#' if (interactive()) page
#' @export
explorer <- function(object, cost = NULL, data = NULL, features = NULL, prior = NULL, given = NULL,
                     rule = NULL, controls = c("prior", "cost", "case", "sweep"), ...) {
  call <- check_no_dots(...)
  models <- explored_models(maybe(object), call)
  rule <- check_rule(rule, call)
  controls <- check_controls(controls, call)
  problems <- explored_problems(models, cost, prior, rule, call)
  check_package("htmlwidgets", "explorer", call)
  features <- explored_features(problems[[1L]], features, given)
  problems <- lapply(problems, function(problem) {
    problem$given <- given_values(problem, given, features)
    problem
  })
  shown <- c(explored_data(problems, features, rule, data), list(controls = I(controls)))
  htmlwidgets::createWidget(
    "bayesrisk_explorer", shown, package = "bayesrisk",
    sizingPolicy = htmlwidgets::sizingPolicy(
      defaultWidth = "100%", defaultHeight = "auto", viewer.fill = FALSE, browser.fill = FALSE,
      knitr.figure = FALSE, knitr.defaultWidth = "100%", knitr.defaultHeight = "auto"
    )
  )
}

check_controls <- function(controls, call) {
  known <- eval(formals(explorer)$controls)
  if (is.null(controls)) return(character())
  if (is.character(controls) && all(controls %in% known)) return(unique(as.vector(controls)))
  abort_argument(
    "{.arg controls} must be some of {.val {known}}, not {describe_value(controls)}.", call
  )
}

# All that the page needs. Places count from 0, as in JavaScript.
explored_data <- function(problems, features, rule, data) {
  first <- problems[[1L]]
  apart <- is_for_each(data, problems)
  cases <- Map(function(problem, data) read_cases_drawn(problem, data, features),
               if (apart) problems else problems[1L], of_each_model(data, problems, "data"))
  covers <- explored_covers(problems, features, cases)
  axes <- lapply(features, function(name) explored_axis(first, name, covers[[name]]))
  parts <- Map(function(problem, rule) explored_part(problem, rule, features, covers),
               problems, of_each_model(rule, problems, "rule"))
  check_same_axes(parts, first$call)
  cases <- Map(explored_cases, cases, problems[seq_along(cases)],
               MoreArgs = list(axes = axes, features = features, pages = length(cases)))
  if (apart) parts <- Map(function(part, cases) c(part, list(cases = cases)), parts, cases)
  c(
    explored_look(first),
    list(
      # As text, because JSON has no infinite numbers.
      cost = lapply(seq_along(first$cost$actions), function(a) {
        I(in_new_session(as.character(first$cost$fixed[a, ])))
      }),
      given = I(given_labels(first)),
      models = if (length(problems) > 1L) I(enc2utf8(names(problems))),
      parts = unname(parts), cases = if (!apart) cases[[1L]]
    )
  )
}

# A model: its prior, its tables, and the rule that it is compared with.
explored_part <- function(problem, rule, features, covers) {
  tables <- explored_tables(problem, features, covers)
  prior <- unname(problem$prior)[problem$order]
  if (length(features) == 1L) {
    axis <- explored_axis(problem, features, covers[[features]])
    tables$cells <- explored_cells(problem, features, axis)
    if (!is.null(rule)) tables$rule <- line_rule(problem, rule, features, axis, tables$cells)
  } else if (!is.null(rule)) {
    own <- plane_rule(problem, rule, features)
    own_prior <- unname(own$prior)[own$order]
    # A rule with the prior of the model keeps to it when a user moves it.
    follows <- isTRUE(all.equal(own_prior, prior))
    tables$rule <- c(
      explored_tables(own, features, covers), list(prior = if (!follows) I(own_prior))
    )
  }
  # The risk of several features may take time.
  compared <- !is.null(rule) || problem$many || !is.null(tables$cells)
  if (compared) tables$risk <- explored_risk(problem, rule, features)
  c(list(prior = I(prior)), tables)
}

# Names and colours of classes and actions. The last action is the reject action of the page.
explored_look <- function(problem) {
  classes <- problem$cost$classes
  own <- problem$cost$actions
  actions <- make.unique(c(own, "reject"))
  style <- list(classes = classes)
  keys <- label_style(classes, style)
  list(
    classes = I(enc2utf8(classes)), actions = I(enc2utf8(actions)), own = length(own),
    colours = list(
      classes = I(keys$col), actions = I(label_style(actions, style)$col),
      regions = I(region_colours(actions, keys))
    )
  )
}

# Numbers of the cases for the axes: levels and single values are places. Digits beyond those that a
# screen can show are dropped. `pages`: the number of sets of cases.
explored_cases <- function(cases, problem, axes, features, pages) {
  if (is.null(cases)) return(NULL)
  cases <- thin_cases(cases, most = max(100L, 4500L %/% (length(features) * pages)))
  values <- Map(function(x, axis) {
    if (!is.null(axis$shown$labels)) return(I(match(as.double(x), axis$at) - 1L))
    x[!is.finite(x)] <- NA
    size <- max(abs(x), 0, na.rm = TRUE) / diff(axis$shown$range)
    I(signif(x, min(15, 7 + max(0, ceiling(log10(size))))))
  }, cases[features], axes)
  list(values = unname(values), class = I(match(as.integer(cases$class), problem$order) - 1L))
}

given_labels <- function(problem) {
  text <- problem$given$text
  enc2utf8(sprintf("%s = %s", names(text), text))
}

#' Explore decisions in a browser
#'
#' An interactive map of the decisions of a model, as an htmlwidget: choose the two features of the
#' map, move priors, edit costs, allow a reject action, and point at a case to see its posterior,
#' its expected costs and its decision. It works in HTML pages of R Markdown, Quarto and pkgdown
#' and in the viewer, without a server and without a request to the network.
#'
#' @param object A fitted or known model.
#' @param data Cases to show, as in [plot()][plot.bayesrisk_model].
#' @param features Names of the features that the map offers, the first two on its axes. Default:
#'   all that are not `given`, but bags of terms, and as many as the page has room for (at most
#'   nine; a message names the others).
#' @param given The known values of other features, as in [decision_regions()]. All other features
#'   are marginalised exactly.
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
#' The arrow keys move the case on the map (with Shift in small steps). A screen reader is told the
#' result. Colours are those of [plot()][plot.bayesrisk_model]; a dark page has dark regions.
#'
#' @return An htmlwidget, which prints as a page.
#' @section Errors: `bayesrisk_error_argument` if an argument is wrong, if the model has no feature
#'   to show, if joint blocks need tables that are too large (choose fewer `features`), if the
#'   cost differs by case, or if the package htmlwidgets is missing. `bayesrisk_error_schema` if
#'   `data` or `given` do not fit the model.
#' @seealso [plot()][plot.bayesrisk_model], [decision_regions()], [cost_sweep()]
#' @examplesIf requireNamespace("htmlwidgets", quietly = TRUE)
#' model <- fit(bayes_naive(), Species ~ ., iris)
#' page <- explorer(model, zero_one_cost(model, reject = 0.2), iris)
#' if (interactive()) page
#' @export
explorer <- function(object, cost = NULL, data = NULL, features = NULL, prior = NULL, given = NULL,
                     ...) {
  call <- check_no_dots(...)
  object <- check_model(maybe(object), call)
  problem <- list(
    model = without_bags(object), prior = predict_prior(object, prior, call),
    cost = read_cost(cost, object$schema$classes$levels, call = call), call = call
  )
  check_package("htmlwidgets", "explorer", call)
  features <- explored_features(problem, features, given)
  problem$given <- given_values(problem, given, features)
  shown <- explored_data(problem, features, data)
  htmlwidgets::createWidget(
    "bayesrisk_explorer", shown, package = "bayesrisk",
    sizingPolicy = htmlwidgets::sizingPolicy(
      defaultWidth = "100%", defaultHeight = "auto", viewer.fill = FALSE, browser.fill = FALSE,
      knitr.figure = FALSE, knitr.defaultWidth = "100%", knitr.defaultHeight = "auto"
    )
  )
}

# All that the page needs. Places count from 0, as in JavaScript.
explored_data <- function(problem, features, data) {
  cases <- read_cases_drawn(problem, data, features)
  axes <- lapply(features, function(name) explored_axis(problem, name, cases[[name]]))
  c(
    explored_look(problem),
    list(
      prior = I(unname(problem$prior)),
      # As text, because JSON has no infinite numbers.
      cost = lapply(seq_along(problem$cost$actions), function(a) {
        I(in_new_session(as.character(problem$cost$fixed[a, ])))
      }),
      given = I(given_labels(problem)),
      base = encode_floats(problem$given$base),
      features = Map(function(axis, name, block) {
        values <- stats::setNames(list(axis$at), name)
        c(axis$shown, block = block, table = encode_floats(explored_scores(problem, values)))
      }, axes, features, explored_blocks(problem$model, features) - 1L, USE.NAMES = FALSE),
      pairs = explored_pairs(problem, features, axes),
      cases = explored_cases(cases, axes, features)
    )
  )
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
# screen can show are dropped.
explored_cases <- function(cases, axes, features) {
  if (is.null(cases)) return(NULL)
  cases <- thin_cases(cases, most = max(100L, 4500L %/% length(features)))
  values <- Map(function(x, axis) {
    if (!is.null(axis$shown$labels)) return(I(match(as.double(x), axis$at) - 1L))
    x[!is.finite(x)] <- NA
    size <- max(abs(x), 0, na.rm = TRUE) / diff(axis$shown$range)
    I(signif(x, min(15, 7 + max(0, ceiling(log10(size))))))
  }, cases[features], axes)
  list(values = unname(values), class = I(as.integer(cases$class) - 1L))
}

# The known values of other features: their numbers or codes by feature, and, as `base`, the log
# joint that they give each class under even priors.
given_values <- function(problem, given, features) {
  schema <- problem$model$schema
  row <- read_given(schema, given, features, problem$call)
  base <- weigh_classes(problem$model, even_prior(problem), row, problem$call)
  given <- as.list(given)
  container <- if (length(given)) frame_container(list2DF(given))
  values <- lapply(schema$features[names(given)], function(feature) {
    column <- read_new_column(
      feature, container, match(feature$name, container$names), problem$call
    )
    if (feature$kind == "numeric") as.double(column_vector(column)) else column_codes(column)
  })
  list(base = base, values = values, text = vapply(given, function(x) format(x), ""))
}

given_labels <- function(problem) {
  text <- problem$given$text
  enc2utf8(sprintf("%s = %s", names(text), text))
}

#' What is decided where
#'
#' The intervals of one numeric feature on which one action costs least, over the whole
#' line: every change of the decision is found, also far out where no data will be.
#'
#' @param object A fitted or known model.
#' @param cost What each action costs under each true class, see [cost_matrix()]; 0-1
#'   cost without it.
#' @param prior Prior probabilities to use instead of the model's, as in
#'   [predict()][predict.bayesrisk_model].
#' @param feature The numeric feature along which to look. It can be left out where the
#'   model has no other feature.
#' @param given What is known of other features: a data frame of one row, or a named
#'   list. What is not given is marginalised exactly, as a missing value is.
#' @param ... Not used: an argument that ends up here is an error.
#'
#' @details
#' Every class is a sum of normals along the line, so that the difference of the
#' expected costs of two actions is a sum of weighted exponentials of quadratics, and a
#' cut is a zero of it. Of two terms it is the root of a quadratic (`exact`). Of more
#' terms, as with general costs of three classes, a reject action or a mixture, zeros
#' are isolated by bounds that prove that none is missed, and bisected to neighbouring
#' doubles.
#'
#' Where the spreads of two classes differ, the wider one wins on both sides: a region
#' more than one may expect (see the example), and no mistake.
#'
#' Actions that cost the same everywhere count as one, the first declared. Unlike
#' [predict()][predict.bayesrisk_model], which takes expected costs within 1e-12 of each
#' other for equal, regions go by the sign of the difference alone: far out, where one
#' class is certain and two actions cost the same under it, the other classes decide.
#'
#' @return A data frame of class `bayesrisk_regions`, a row for each interval from
#'   left to right, none of them next to one of the same decision: `from`, `to` (from
#'   `-Inf` to `Inf`, in the unit of the feature), `decision` (a factor of all actions),
#'   `exact` (whether both ends are infinite or roots in closed form). Its attribute
#'   `feature` names the feature.
#' @section Errors: `bayesrisk_error_argument` where the model has no numeric feature or
#'   `feature` has to be chosen; `bayesrisk_error_schema` where `given` does not fit the
#'   model, or is impossible under every class.
#' @references
#' Lecture "Bayesian Learning" (Galili, Shamir, Yakhini): irises by the length of their
#' sepals.
#'
#' Lecture "Applied Machine Learning Fundamentals, Unit III: Bayesian Decision Theory
#' (Wehner)": decision regions.
#' @seealso [bayes_risk()] for what deciding so costs, [decision_threshold()];
#'   [plot(type = "regions")][plot.bayesrisk_model]
#' @examples
#' model <- fit(bayes_naive(prior = "uniform"), Species ~ Sepal.Length, iris)
#' decision_regions(model)
#'
#' cost <- cost_matrix(
#'   press = c(setosa = 0, versicolor = 2, virginica = 9),
#'   dry   = c(setosa = 1, versicolor = 0, virginica = 4),
#'   leave = c(setosa = 3, versicolor = 1, virginica = 0)
#' )
#' decision_regions(model, cost)
#'
#' full <- fit(bayes_full(), Species ~ ., iris)
#' decision_regions(full, feature = "Petal.Length", given = list(Sepal.Length = 6))
#' @export
decision_regions <- function(object, cost = NULL, prior = NULL, feature = NULL, given = NULL,
                             ...) {
  call <- rlang::current_env()
  check_no_dots(..., call = call)
  check_model(maybe(object), call)
  prior <- predict_prior(object, prior, call)
  cost <- predict_cost(object, "cost", cost, call)
  feature <- check_region_feature(object, feature, call)
  row <- read_given(object$schema, given, feature, call)
  regions <- find_line_regions(object, prior, cost, feature, row, call)
  new_regions(regions, rownames(cost), feature)
}

check_region_feature <- function(object, feature, call) {
  numeric <- names(object$schema$features)[feature_kinds(object$schema) == "numeric"]
  if (length(numeric) == 0L) {
    abort_argument(c(
      "{.arg object} has no numeric feature, so there is no line to cut into regions.",
      i = "{.code predict(type = \"decision\")} gives the decision for each combination of levels."
    ), call)
  }
  if (is.null(feature)) {
    if (length(object$schema$features) == 1L) return(numeric)
    abort_argument(c(
      "{.arg feature} must choose a numeric feature: the model has others too.",
      i = list_features(object, "numeric"),
      i = "The others are marginalised, or known by {.arg given}."
    ), call)
  }
  feature <- check_string(feature, "feature", call)
  check_known_features(feature, names(object$schema$features), "feature", call)
  if (feature %in% numeric) return(feature)
  abort_argument(c(
    "{.arg feature} must be a numeric feature; {.field {feature}} is categorical.",
    i = list_features(object, "numeric")
  ), call)
}

# What is known of the other features, as a frame of one row.
read_given <- function(schema, given, feature, call) {
  features <- schema$features
  columns <- lapply(features, function(f) {
    if (f$kind == "numeric") encoded(NA_real_) else encoded(NA_integer_, 1L, length(f$levels))
  })
  if (!is.null(given)) {
    given <- check_given(given, names(features), feature, call)
    known <- list(features = lapply(features[names(given)], plain_feature), unnamed = FALSE)
    container <- frame_container(given)
    columns[names(given)] <- lapply(known$features, function(f) {
      read_new_column(f, container, match(f$name, container$names), call)
    })
  }
  bind_frame(unname(columns), 1L)
}

# A feature that is given by its own value, even if it is a function of columns.
plain_feature <- function(feature) {
  feature["expression"] <- list(NULL)
  feature
}

check_given <- function(given, names, feature, call) {
  if (is.list(given) && !is.object(given) && length(given) && all(lengths(given) == 1L)) {
    given <- list2DF(given)
  }
  if (!is.data.frame(given) || nrow(given) != 1L) {
    got <- if (is.data.frame(given)) count_of(nrow(given), "row", "rows") else describe_value(given)
    abort_argument(
      "{.arg given} must be a data frame of one row or a list of single values named by
       feature, not {got}.", call
    )
  }
  check_labels(names(given), "The values of `given`", call)
  check_known_features(names(given), names, "given", call)
  if (feature %in% names(given)) {
    abort_argument("{.arg given} holds {.field {feature}}, along which to look.", call)
  }
  infinite <- vapply(given, function(x) is.numeric(x) && any(is.infinite(x)), NA)
  if (any(infinite)) {
    abort_schema("{.arg given}: {.field {names(given)[infinite]}} must be finite or NA.", call)
  }
  given
}

# The row is scored first: what is known weighs the classes.
find_line_regions <- function(object, prior, cost, feature, row, call) {
  read <- list(frame = row, row_names = NULL)
  weight <- as.vector(score(object, read, "log_joint", prior, NULL, 1L, call))
  if (max(weight) == -Inf) abort_schema("{.arg given} is impossible under every class.", call)
  place <- match(feature, names(object$schema$features))
  call_engine(regions_cpp(engine_model(object, prior), row, place, weight, cost), call)
}

new_regions <- function(regions, actions, feature) {
  ends <- c(TRUE, regions$exact, TRUE)
  rows <- data.frame(
    from = c(-Inf, regions$cut), to = c(regions$cut, Inf),
    decision = structure(regions$decision, levels = actions, class = "factor"),
    exact = utils::head(ends, -1L) & ends[-1L]
  )
  structure(rows, feature = feature, class = c("bayesrisk_regions", "data.frame"))
}

#' @export
print.bayesrisk_regions <- function(x, ...) {
  feature <- attr(x, "feature")
  if (!is.null(feature)) {
    header <- cli::pluralize("<{nrow(x)} decision region{?s} of {feature}>")
    cat(header, "\n", sep = "")
  }
  print(as.data.frame(x), ..., row.names = FALSE)
  invisible(x)
}

#' @export
as.data.frame.bayesrisk_regions <- function(x, ...) {
  structure(x, feature = NULL, class = "data.frame")
}

#' Decision regions and boundaries
#'
#' For one numeric feature: the intervals of the whole line on which one action costs least. Every
#' change of the decision is found, also far from all data. For two numeric features: the boundaries
#' between actions, which are lines and other conics, with their equations.
#'
#' @param object A fitted or known model.
#' @param features The name of one numeric feature, or of two. It can be left
#'   out if the model has no other numeric features.
#' @param given The known values of other features: a data frame of one row, or a named
#'   list. All other features are marginalised exactly, like missing values.
#' @inheritParams bayesrisk_arguments
#' @inheritParams break_even
#'
#' @details
#' Where every class is a sum of normals along the line, the difference of the
#' expected costs of two actions is a sum of weighted exponentials of quadratics, and a
#' cut is a zero of this sum. With two terms, the zero is the root of a quadratic (`exact`). With
#' more terms (general costs of three classes, a reject action or a mixture), bounds isolate the
#' zeros and prove that no zero is missed. Each zero is bisected to neighbouring doubles.
#'
#' For histograms the ends of regions are edges of bins. A region includes its lower end (the last
#' bin of a class includes both ends). Values that are impossible under every class (outside of all
#' bins, or in empty bins) have the decision `NA`, as in [predict()][predict.bayesrisk_model].
#'
#' Counts are treated as points on a line. Apart from a factor that all classes share, Poisson
#' probabilities are exponentials of straight lines, and cuts are zeros of sums of these
#' exponentials. Only regions that contain a whole number (0 or more) are reported. A count on a cut
#' is a tie and goes to the first declared action. A class of rate 0 is possible at 0 only and leads
#' to a cut at 0.5.
#'
#' If the spreads of two classes differ, the wider class wins on both sides. There is then one more
#' region than one may expect (see the example); this is correct.
#'
#' Actions that cost the same everywhere count as one action, the first declared.
#' [predict()][predict.bayesrisk_model] treats expected costs within 1e-12 of each other as equal.
#' Regions use only the sign of the difference. Far out, where one class is certain and two actions
#' have the same cost under this class, the other classes determine the decision.
#'
#' In the plane of two features two actions cost the same where a difference of weighted
#' densities is 0. For two normals, the logarithm of their ratio is a polynomial of degree
#' two, and the boundary is a conic. Its kind is determined in coordinates in which the first
#' normal has unit covariance, so it does not depend on units, offsets and correlations. A conic
#' within 1e-10 of a pair of lines counts as a pair of lines. With more than two normals (costs that
#' differ in more than two classes, a reject action among three classes, mixtures) there is no
#' equation. [plot(type = "regions")][plot.bayesrisk_model] draws all boundaries, except where a
#' third action is cheaper. The result itself holds no model, so `plot()` of it is an error.
#'
#' @return For one feature, a data frame of class `bayesrisk_regions`, a row for each interval from
#'   left to right; neighbouring intervals have different decisions. Its columns are `from` and `to`
#'   (from `-Inf` to `Inf`, in the unit of the feature), `decision` (a factor of all actions; `NA`
#'   where no class is possible) and `exact` (whether each end is infinite, an edge, or a root in
#'   closed form). Its attribute `feature` names the feature.
#'
#'   For two features, x and y, a data frame of class `bayesrisk_boundaries`, a row for each pair
#'   of actions:
#'   * `first`, `second`: the actions, factors of all actions;
#'   * `kind` of the curve on which they cost the same: `"line"`, `"crossing lines"`,
#'     `"parallel lines"`, `"circle"`, `"ellipse"`, `"parabola"`, `"hyperbola"`;
#'     `"none"` (one action costs less everywhere), `"everywhere"` (both cost the same everywhere),
#'     `"contour"` (more than two normals, or densities that are not normal: no equation);
#'   * `x2`, `xy`, `y2`, `x`, `y`, `constant`: coefficients of a polynomial that is 0 on
#'     the curve and negative where `first` costs less. The polynomial is twice the log of the ratio
#'     of the two weighted densities: the difference of two squared Mahalanobis distances plus a
#'     constant. `NA` where there is no equation.
#'
#'   Its attributes are `features`, the names of x and y; `lines`, a data frame (`first`,
#'   `second`, `x`, `y`, `constant`) with the equation x X + y Y + constant = 0 of each
#'   straight line, where the vector (`x`, `y`) has length 1; `origin`, the numbers to subtract from
#'   X and Y before applying the coefficients. `origin` is 0 unless a feature is more than 1e4
#'   standard deviations away from 0, where coefficients relative to 0 would lose all precision.
#'   `format()` writes the equations out.
#' @section Errors: `bayesrisk_error_argument` if the model has no numeric feature, if `features`
#'   must be given to choose one, or if a chosen feature has single values
#'   ([likelihood_empirical()]). `bayesrisk_error_schema` if `given` does not fit the model, or if
#'   it is impossible under every class.
#' @references
#' Lecture "Bayesian Learning" (Galili, Shamir, Yakhini): irises by the length of their
#' sepals; the bivariate example.
#'
#' Lecture "Applied Machine Learning Fundamentals, Unit III: Bayesian Decision Theory
#' (Wehner)": decision regions.
#' @seealso [bayes_risk()] for the expected cost of these decisions, [decision_threshold()];
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
#' decision_regions(full, features = "Petal.Length", given = list(Sepal.Length = 6))
#'
#' # Two features that depend on each other, and a rule that ignores this
#' full <- bayes_known(
#'   prior = c(A = 0.5, B = 0.5),
#'   xy = likelihood_gaussian(
#'     mean = rbind(A = c(x = 0, y = 0), B = c(0.5, 0.5)),
#'     covariance = list(A = rbind(c(2, 2.2), c(2.2, 2.5)), B = rbind(c(2.5, -2.2), c(-2.2, 2)))
#'   )
#' )
#' naive <- bayes_known(
#'   prior = c(A = 0.5, B = 0.5),
#'   x = likelihood_gaussian(mean = c(A = 0, B = 0.5), sd = c(A = sqrt(2), B = sqrt(2.5))),
#'   y = likelihood_gaussian(mean = c(A = 0, B = 0.5), sd = c(A = sqrt(2.5), B = sqrt(2)))
#' )
#' decision_regions(full)
#' decision_regions(naive)
#' @export
decision_regions <- function(object, cost = NULL, prior = NULL, features = NULL, given = NULL,
                             ...) {
  call <- check_no_dots(...)
  object <- check_model(maybe(object), call)
  check_no_bag(object, call)
  prior <- predict_prior(object, prior, call)
  cost <- read_cost(cost, object$schema$classes$levels, call = call)
  feature <- check_region_features(object, features, call)
  check_continuous(object, feature, call)
  check_short_sums(object, feature, call)
  check_powers(object, feature, call)
  row <- read_given(object$schema, given, feature, call)
  log_joint <- weigh_classes(object, prior, row, call)
  if (length(feature) == 2L) {
    return(find_boundaries(object, prior, cost, feature, row, log_joint, call))
  }
  regions <- find_line_regions(object, prior, cost, feature, row, log_joint, call)
  new_regions(regions, cost$actions, feature)
}

check_region_features <- function(object, features, call) {
  known <- names(object$schema$features)
  numeric <- features_of_kind(object$schema, "numeric")
  if (length(numeric) == 0L) {
    abort_argument(c(
      "{.arg object} has no numeric feature, so there are no regions.",
      i = "{.code predict(type = \"decision\")} gives the decision for each combination of levels."
    ), call)
  }
  if (is.null(features)) {
    if (length(known) <= 2L && length(numeric) == length(known)) return(numeric)
    abort_argument(c(
      "{.arg features} must name one or two numeric features: the model has other features too.",
      i = list_features(object, "numeric"),
      i = "The other features are marginalised, or their values are in {.arg given}."
    ), call)
  }
  if (!is_plain(features, is.character) || length(features) > 2L) {
    abort_wanted(features, "features", "one or two names of features", call)
  }
  check_known_features(features, known, "features", call)
  if (anyDuplicated(features)) {
    abort_argument("{.arg features} names {.val {features[[1L]]}} twice.", call)
  }
  categorical <- setdiff(features, numeric)
  if (length(categorical) == 0L) return(features)
  abort_argument(c(
    "{.arg features} must be numeric; {.field {categorical}} is categorical.",
    i = list_features(object, "numeric")
  ), call)
}

# Checks that features have regions: features with single values have none; counts are allowed.
check_continuous <- function(object, features, call) {
  isolated <- feature_supports(object, features) == "points"
  if (!any(isolated)) return(invisible())
  abort_argument(c(
    "{.field {features[isolated]}} has single values: decisions exist only there, and not in the
     regions between them.",
    i = "{.fn predict} gives the decision at each value, {.fn bayes_risk} its expected cost."
  ), call)
}

# The known values of the other features, as a frame of one row.
read_given <- function(schema, given, feature, call) {
  features <- schema$features
  columns <- feature_columns(features)
  if (!is.null(given)) {
    given <- check_given(given, names(features), feature, call)
    container <- frame_container(given)
    columns[names(given)] <- lapply(features[names(given)], function(f) {
      read_new_column(f, container, match(f$name, container$names), call)
    })
  }
  bind_frame(unname(columns), 1L)
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
  looked_along <- intersect(feature, names(given))
  if (length(looked_along)) {
    abort_argument(
      "{.arg given} must not hold {.field {looked_along}}: the regions are of this feature.", call
    )
  }
  infinite <- vapply(given, function(x) is.numeric(x) && any(is.infinite(x)), NA)
  if (any(infinite)) {
    abort_schema("{.arg given}: {.field {names(given)[infinite]}} must be finite or NA.", call)
  }
  given
}

# The log joint of the known values. It gives the weights of the classes; unknown features are
# marginalised.
weigh_classes <- function(object, prior, row, call) {
  read <- list(frame = row, row_names = NULL)
  weight <- as.vector(score(object, read, "log_joint", prior, NULL, 1L, call))
  if (max(weight) == -Inf) abort_schema("{.arg given} is impossible under every class.", call)
  weight
}

find_line_regions <- function(object, prior, cost, feature, row, log_joint, call) {
  place <- match(feature, names(object$schema$features))
  call_engine(regions_cpp(engine_model(object, prior), row, place, log_joint, cost$fixed), call)
}

new_regions <- function(regions, actions, feature) {
  ends <- c(TRUE, regions$exact, TRUE)
  rows <- data.frame(
    from = c(-Inf, regions$cut), to = c(regions$cut, Inf),
    decision = structure(regions$decision, levels = actions, class = "factor"),
    exact = utils::head(ends, -1L) & ends[-1L]
  )
  structure(
    rows, feature = feature, class = c("bayesrisk_regions", "bayesrisk_result", "data.frame")
  )
}

#' @export
describe.bayesrisk_regions <- function(x, show) {
  count <- count_of(nrow(x), "decision region", "decision regions")
  title <- paste(count, "of", encodeString(attr(x, "feature")))
  list(title_item(title), table_item(plain_frame(x), c("region", "regions")))
}

# Boundaries between two actions in the plane of two numeric features: conics on which two
# weighted normals are equal.

# The limit of the number of normals in total in a plane, because computing takes time.
most_plane_normals <- 1e5

# `row`: the known values of the other features, a frame of one row. `log_joint`: the weights of
# the classes given this row.
find_boundaries <- function(object, prior, cost, features, row, log_joint, call) {
  model <- engine_model(object, prior)
  places <- match(features, names(object$schema$features))
  found <- if (prod(count_normals(model, places)) <= most_plane_normals) {
    call_engine(boundaries_cpp(model, row, places, log_joint, cost$fixed), call)
  } else {
    unknown_boundaries(length(cost$actions))
  }
  new_boundaries(found, cost$actions, features)
}

# One row for every pair of actions, without equations.
unknown_boundaries <- function(actions) {
  pairs <- which(upper.tri(diag(actions)), arr.ind = TRUE)
  pairs <- pairs[order(pairs[, 1L]), , drop = FALSE]
  list(
    first = pairs[, 1L], second = pairs[, 2L], kind = rep("contour", nrow(pairs)),
    coefficients = matrix(NA_real_, nrow(pairs), 6L), lines = matrix(0, 0L, 4L), origin = c(0, 0)
  )
}

new_boundaries <- function(found, actions, features) {
  action <- function(code) structure(as.integer(code), levels = actions, class = "factor")
  colnames(found$coefficients) <- c("x2", "xy", "y2", "x", "y", "constant")
  pair <- found$lines[, 1L]
  lines <- data.frame(
    first = action(found$first[pair]), second = action(found$second[pair]),
    x = found$lines[, 2L], y = found$lines[, 3L], constant = found$lines[, 4L]
  )
  structure(
    data.frame(
      first = action(found$first), second = action(found$second), kind = found$kind,
      found$coefficients
    ),
    features = features, origin = stats::setNames(found$origin, features), lines = lines,
    class = c("bayesrisk_boundaries", "bayesrisk_result", "data.frame")
  )
}

# A subset of rows keeps the lines of its own pairs of actions.
#' @export
keep_rows.bayesrisk_boundaries <- function(x, part) {
  pair <- function(of) paste(as.integer(of$first), as.integer(of$second))
  lines <- attr(x, "lines")
  attr(part, "lines") <- lines[pair(lines) %in% pair(part), ]
  part
}

#' @export
format.bayesrisk_boundaries <- function(x, digits = NULL, ...) {
  digits <- check_digits(digits)
  unless_damaged(boundaries_sentences(x, digits), rlang::current_env())
}

boundaries_sentences <- function(x, digits) {
  vapply(seq_len(nrow(x)), function(i) {
    pair <- sprintf("%s or %s: %s", x$first[[i]], x$second[[i]], x$kind[[i]])
    what <- switch(x$kind[[i]],
      none = ", one of them costs less everywhere",
      everywhere = ", they cost the same",
      contour = ", no equation (not two normals)",
      boundary_sentence(x, i, digits)
    )
    paste0(pair, what)
  }, "")
}

boundary_sentence <- function(x, i, digits) {
  lines <- attr(x, "lines")
  own <- which(lines$first == x$first[[i]] & lines$second == x$second[[i]])
  straight <- vapply(own, function(l) line_equation(lines[l, ], digits), "")
  conic <- unlist(x[i, c("x2", "xy", "y2", "x", "y", "constant")])
  inside <- sprintf("%s where %s < 0", x$first[[i]], polynomial(conic, digits))
  paste0(if (length(straight)) paste0(" ", paste(straight, collapse = " and ")), ", ", inside)
}

line_equation <- function(line, digits) {
  if (line$y == 0) return(paste("x =", format(-line$constant / line$x, digits = digits)))
  paste("y =", polynomial(c(x = -line$x, constant = -line$constant) / line$y, digits))
}

# Text such as 3.125 x^2 - 55 xy + 2. Coefficients of 0 are left out.
polynomial <- function(coefficients, digits) {
  power <- c(x2 = " x^2", xy = " xy", y2 = " y^2", x = " x", y = " y", constant = "")
  coefficients <- coefficients[which(coefficients != 0)]
  if (!length(coefficients)) return("0")
  size <- vapply(abs(coefficients), format, "", digits = digits)
  size[size == "1" & names(coefficients) != "constant"] <- ""
  terms <- trimws(paste0(size, power[names(coefficients)]))
  signs <- ifelse(coefficients < 0, "-", "+")
  text <- paste(paste(signs, terms), collapse = " ")
  sub("^- ", "-", sub("^[+] ", "", text))
}

#' @export
describe.bayesrisk_boundaries <- function(x, show) {
  count <- count_of(nrow(x), "boundary between actions", "boundaries between actions")
  list(
    title_item(paste(c(count, boundary_axes(x, digits = show$given_digits)), collapse = ", ")),
    answers_item(format(x, digits = show$digits), c("boundary", "boundaries")),
    heading_item("Coefficients"),
    table_item(plain_frame(x), c("boundary", "boundaries"), keys = 2L)
  )
}

# The meaning of x and y in the equations, unless the features have these names.
boundary_axes <- function(x, ...) {
  features <- attr(x, "features")
  origin <- attr(x, "origin")
  from <- ifelse(origin == 0, "", sprintf(" - %s", vapply(origin, format, "", ...)))
  sprintf("%s = %s%s", c("x", "y"), features, from)[features != c("x", "y") | origin != 0]
}

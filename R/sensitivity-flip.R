#' Which value of a feature would change the decision
#'
#' A counterfactual for each case and feature: the nearest value at which the decision changes while
#' all other features stay as they are, what the decision would then be, and how far away this value
#' is. For numbers the value is exact: it is the end of a decision region along this feature. For
#' categorical features every other level is tried. `together = 2` looks for the smallest change of
#' two features.
#'
#' @inheritParams bayesrisk_arguments
#' @param object A fitted or known model.
#' @param newdata The cases, as in [predict()][predict.bayesrisk_model]. Features that a case misses
#'   are marginalised, as in predictions.
#' @param cost The cost of each action under each true class: see [cost_matrix()]. It may differ
#'   from case to case. The default is 0-1 cost.
#' @param features The features that may change, by name. Default: all but bags of terms
#'   ([bayes_text()]): their terms stay as they are.
#' @param together How many features change together, 1 or 2.
#'
#' @details
#' Along a number the decisions are the regions of [decision_regions()], with all other values of
#' the case given. The nearest end of a region of another decision is reported, and beyond this
#' value the decision is `new_decision`. It is a value at which both decisions cost the same, or the
#' edge of a bin. A distance of 0 means that the case is on the boundary. Of counts and of features
#' with single values ([likelihood_empirical()]) the value is the nearest possible value with
#' another decision. Values that are impossible under every class have no decision and do not count.
#' `exact` is as in [decision_regions()]: a root in closed form or an edge. All other ends of
#' regions are isolated by bounds, which miss no change, and bisected to neighbouring doubles.
#'
#' Only values within the range of the data are proposed, as far as the model knows it: the bins of
#' a histogram, the points of kernels and single values. A normal, or a component of a mixture,
#' reaches from its mean - 3.5 sd to its mean + 3.5 sd, counts likewise, and a gamma distribution
#' from its quantile of 1e-4 to that of 1 - 1e-4. The range is that of all classes together. It is
#' the range that [plot()][plot.bayesrisk_model] shows, for kernels without the margin. For a case
#' outside of it, it begins or ends at the value of the case.
#'
#' The standard deviation in `distance_sd` is the within-class one: the root of the mean of the
#' variances of the feature in the classes, weighted by the prior. So distances of features in
#' different units can be compared. Tempering does not change it.
#'
#' With `together = 2` the change of two numbers is the one of least Euclidean distance, in standard
#' deviations, that is found. Where one of them is a count, in bins or a single value, all of its
#' values are tried (of counts about 2048, evenly spaced, if their range is wider), so it is the
#' nearest pair unless values were skipped. Otherwise 65 values of the first one are tried, evenly
#' spaced over its range, and the value at which it changes the decision alone. The best of them is
#' refined by golden section. For each of these values the nearest value of the other number is
#' computed as above. No pair is further than the change of one of its numbers alone; a nearer pair
#' may lie between the values that are tried. A level has no distance, so with a level
#' only the distance of the number counts. A level is left out if it changes the decision alone, or
#' if the number alone has no further to go; so is a pair of levels one of which changes the
#' decision alone. A number whose distance is 0 stays as it is: then the other one alone is the
#' smallest change.
#'
#' A change says what the model would decide, not what would happen: to change a feature of a real
#' case may change its class or its other features.
#'
#' @concept counterfactual
#' @return A data frame of class `bayesrisk_flip`, in the order of the cases and features. There is
#'   one row for each number, and for a categorical feature a row for each level that changes the
#'   decision. A feature that cannot change the decision has one row, with `NA`. So have a feature
#'   that the case misses, because there is no value to change, and all features of a case without a
#'   decision. The columns are
#'   * `row`: the position of the case; `case`: its name, if the data have row names of their own;
#'   * `feature`: the name of the feature;
#'   * `value`: the number at which the decision changes; `NA` for a categorical feature;
#'   * `level`: the level with another decision; `NA` for a number;
#'   * `distance`: `value` minus the value of the case, in the unit of the feature;
#'   * `distance_sd`: the same in standard deviations within the classes;
#'   * `decision`, `new_decision`: the decision now, and beyond `value` or at `level`; factors of
#'     the actions;
#'   * `exact`: whether `value` is exact; see Details.
#'
#'   With `together = 2` there are such rows for each pair of features, with the columns
#'   `feature_2`, `value_2`, `level_2` and `distance_2` of the second feature after those of the
#'   first. `distance_sd` is the length of the change of both. `exact` also says that no value of
#'   a scanned number was skipped.
#' @section Errors: `bayesrisk_error_argument` names the argument, a bag in `features`, or features
#'   whose regions cannot be computed: a sum of more than 1e4 normals, or a density without a closed
#'   form to the power that [temper()] gave it. Without `features` a warning
#'   (`bayesrisk_warning_left_out`) names these features, and the others are searched.
#'   `bayesrisk_error_schema` if `newdata` does not fit the model.
#' @source The lecture "Bayesian Learning (Galili, Shamir, Yakhini)": the boundary between two
#'   classes along one feature.
#' @seealso [decision_regions()], [contributions()] for the reason of a decision, [break_even()] for
#'   the prior or the cost that would change it, [next_feature()] for features that a case misses.
#' @examples
#' model <- fit(bayes_naive(), Species ~ ., iris)
#' flip(model, iris[c(71, 107), ])
#' flip(model, iris[71, ], features = c("Petal.Length", "Petal.Width"), together = 2)
#'
#' cost <- cost_matrix(book = c(yes = 0, no = 30), wait = c(yes = 20, no = 0), ask = 5)
#' tennis <- fit(bayes_naive(), play ~ ., play_tennis)
#' day <- data.frame(outlook = "sunny", temperature = "cool", humidity = "high", wind = "strong")
#' flip(tennis, day, cost)
#' flip(tennis, day, cost, features = "humidity")
#' @export
flip <- function(object, newdata, cost = NULL, prior = NULL, features = NULL, together = 1, ...,
                 threads = default_threads()) {
  call <- check_no_dots(...)
  object <- check_model(maybe(object), call)
  tell_other_scores(object, "plugin")
  if (missing(newdata)) abort_no_rows("newdata", call)
  together <- check_whole_number(together, "together", min = 1, max = 2, call = call)
  threads <- check_threads(threads, call)
  prior <- predict_prior(object, prior, call)
  asked <- searched_features(object, features, call)
  read <- read_newdata(object$schema, newdata, call)
  cost <- read_cost(cost, object$schema$classes$levels, newdata, read$frame$rows, call)
  ranges <- known_ranges(object, asked, call)
  found <- call_engine(flip_cpp(
    engine_model(object, prior), read$frame, cost, asked, ranges[1L, ], ranges[2L, ],
    together == 2L, threads
  ), call)
  report_rows(found$report, object, prior, read$frame, call)
  new_flips(found, object$schema$features[asked], cost$actions, own_names(read$row_names))
}

# The ends of the range of each feature (given by position), in columns. Levels have none.
known_ranges <- function(object, asked, call) {
  numeric <- feature_kinds(object$schema)[asked] == "numeric"
  names <- names(object$schema$features)[asked]
  ranges <- matrix(rep(c(-Inf, Inf), length(asked)), 2L)
  ranges[, numeric] <- vapply(names[numeric], known_range, c(0, 0), model = object, call = call)
  ranges
}

# The positions of the features to search. Of all features, those whose regions are not computed are
# left out.
searched_features <- function(object, features, call) {
  asked <- asked_features(object, features, call)
  names <- names(object$schema$features)[asked]
  numeric <- names[feature_kinds(object$schema)[asked] == "numeric"]
  powers <- open_powers(object, numeric)
  left <- union(long_sums(object, numeric), powers)
  if (is.null(features) && length(setdiff(names, left))) {
    warn_no_regions(left, length(powers) > 0L, call)
    return(asked[!names %in% left])
  }
  check_short_sums(object, numeric, call)
  check_powers(object, numeric, call)
  asked
}

warn_no_regions <- function(left, tempered, call) {
  if (!length(left)) return(invisible())
  warn_bayesrisk(c(
    "The regions of {.field {left}} are not computed, so {cli::qty(left)}{?it is/they are} left
     out.",
    i = if (tempered) {
      "A tempered density is the power of a density, here without a closed form."
    },
    i = if (tempered) untemper_hint,
    i = "With the other features in {.arg features} there is no warning."
  ), "left_out", call)
}

# `cases`: the names of the cases, or NULL.
new_flips <- function(found, features, actions, cases) {
  action <- function(code) structure(code, levels = actions, class = "factor")
  changes <- lapply(found$changes, change_columns, features)
  second <- if (length(changes) == 2L) stats::setNames(changes[[2L]], second_columns)
  columns <- c(
    case_columns(found$row, cases), changes[[1L]], second,
    list(
      distance_sd = found$distance_sd, decision = action(found$now[found$row]),
      new_decision = action(found$decision), exact = found$exact
    )
  )
  structure(
    list2DF(columns), class = c("bayesrisk_flip", "bayesrisk_result", "data.frame")
  )
}

change_columns <- function(change, features) {
  levels <- lapply(features, `[[`, "levels")
  level <- rep(NA_character_, length(change$level))
  known <- which(!is.na(change$level))
  level[known] <- unlist(Map(function(j, l) levels[[j]][[l]], change$feature[known],
                             change$level[known]))
  list(
    feature = unname(names(features))[change$feature], value = change$value, level = level,
    distance = change$distance
  )
}

second_columns <- c("feature_2", "value_2", "level_2", "distance_2")

#' @export
describe.bayesrisk_flip <- function(x, show) {
  cases <- length(unique(x$row))
  shown <- plain_frame(x)
  if (!is.null(show$n) || cases <= most_cases) {
    shown$exact <- NULL
    # A column in which every row is missing says nothing.
    numbers <- c("value", "level", "distance", second_columns[-1L], "distance_sd")
    empty <- vapply(shown[intersect(numbers, names(shown))], function(column) {
      all(is.na(column))
    }, NA)
    shown[names(empty)[empty]] <- NULL
    return(list(
      title_item("which values would change the decision"),
      table_item(shown, c("change", "changes"), keys = match("feature", names(shown)))
    ))
  }
  pairs <- !is.null(shown$feature_2)
  list(
    title_item(paste("which values would change the decisions of",
                     count_of(cases, "case", "cases"))),
    table_item(
      summarise_flips_of_features(x),
      if (pairs) c("pair of features", "pairs of features") else c("feature", "features")
    ),
    sentences_item("print(n = 20) shows the cases.")
  )
}

# A row for each feature, or pair of features: in how many cases it can change the decision, and the
# median distance; of pairs only that in standard deviations.
summarise_flips_of_features <- function(x) {
  pairs <- !is.null(x$feature_2)
  changed <- if (pairs) paste(x$feature, "+", x$feature_2) else x$feature
  features <- unique(changed)
  groups <- lapply(features, function(name) which(changed == name))
  changes <- lapply(groups, function(i) i[!is.na(x$new_decision[i])])
  middle <- function(column) {
    vapply(changes, function(i) stats::median(abs(x[[column]][i]), na.rm = TRUE), 1)
  }
  rows <- list2DF(c(
    list(
      feature = features,
      cases = vapply(changes, function(i) length(unique(x$row[i])), 1L)
    ),
    if (!pairs) list(median_distance = middle("distance")),
    list(median_sd = middle("distance_sd"))
  ))
  rows[order(rows$median_sd, -rows$cases), ]
}

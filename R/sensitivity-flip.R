#' Which value of a feature would change the decision
#'
#' A counterfactual for each case and feature: the nearest value at which the decision changes while
#' all other features stay as they are, what the decision would then be, and how far away this value
#' is. For numbers the value is exact: it is the end of a decision region along this feature. For
#' categorical features every other level is tried.
#'
#' @inheritParams bayesrisk_arguments
#' @param object A fitted or known model.
#' @param newdata The cases, as in [predict()][predict.bayesrisk_model]. Features that a case misses
#'   are marginalised, as in predictions.
#' @param cost The cost of each action under each true class: see [cost_matrix()]. It may differ
#'   from case to case. The default is 0-1 cost.
#' @param features The features that may change, by name. Default: all.
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
#' The standard deviation in `distance_sd` is the within-class one: the root of the mean of the
#' variances of the feature in the classes, weighted by the prior. So distances of features in
#' different units can be compared. Tempering does not change it.
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
#' @section Errors: `bayesrisk_error_argument` names the argument, or features whose regions cannot
#'   be computed: a sum of more than 1e4 normals, or a density without a closed form to the power
#'   that [temper()] gave it. Without `features` a warning (`bayesrisk_warning_left_out`) names
#'   these features, and the others are searched. `bayesrisk_error_schema` if `newdata` does not fit
#'   the model.
#' @source The lecture "Bayesian Learning (Galili, Shamir, Yakhini)": the boundary between two
#'   classes along one feature.
#' @seealso [decision_regions()], [contributions()] for the reason of a decision, [break_even()] for
#'   the prior or the cost that would change it, [next_feature()] for features that a case misses.
#' @examples
#' model <- fit(bayes_naive(), Species ~ ., iris)
#' flip(model, iris[c(71, 107), ])
#'
#' cost <- cost_matrix(book = c(yes = 0, no = 30), wait = c(yes = 20, no = 0), ask = 5)
#' tennis <- fit(bayes_naive(), play ~ ., play_tennis)
#' day <- data.frame(outlook = "sunny", temperature = "cool", humidity = "high", wind = "strong")
#' flip(tennis, day, cost)
#' flip(tennis, day, cost, features = "humidity")
#' @export
flip <- function(object, newdata, cost = NULL, prior = NULL, features = NULL, ...,
                 threads = default_threads()) {
  call <- check_no_dots(...)
  object <- check_model(maybe(object), call)
  check_no_bag(object, call)
  tell_other_scores(object, "plugin")
  if (missing(newdata)) abort_no_rows("newdata", call)
  threads <- check_threads(threads, call)
  prior <- predict_prior(object, prior, call)
  asked <- searched_features(object, features, call)
  read <- read_newdata(object$schema, newdata, call)
  cost <- read_cost(cost, object$schema$classes$levels, newdata, read$frame$rows, call)
  found <- call_engine(
    flip_cpp(engine_model(object, prior), read$frame, cost, asked, threads), call
  )
  report_rows(found$report, object, prior, read$frame, call)
  new_flips(found, object$schema$features[asked], cost$actions, own_names(read$row_names))
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
      "A tempered density is the power of a density, here without a closed form.
       {.code update(model, temper = NULL)} takes the exponents off."
    },
    i = "With the other features in {.arg features} there is no warning."
  ), "left_out", call)
}

# `cases`: the names of the cases, or NULL.
new_flips <- function(found, features, actions, cases) {
  action <- function(code) structure(code, levels = actions, class = "factor")
  levels <- lapply(features, `[[`, "levels")
  level <- rep(NA_character_, length(found$row))
  known <- which(!is.na(found$level))
  level[known] <- unlist(Map(function(j, l) levels[[j]][[l]], found$feature[known],
                             found$level[known]))
  structure(
    data.frame(
      case_columns(found$row, cases), feature = unname(names(features))[found$feature],
      value = found$value, level = level, distance = found$distance,
      distance_sd = found$distance_sd, decision = action(found$now[found$row]),
      new_decision = action(found$decision), exact = found$exact
    ),
    class = c("bayesrisk_flip", "bayesrisk_result", "data.frame")
  )
}

#' @export
describe.bayesrisk_flip <- function(x, show) {
  cases <- length(unique(x$row))
  if (!is.null(show$n) || cases <= most_cases) {
    shown <- plain_frame(x)
    shown$exact <- NULL
    # A column in which every row is missing says nothing.
    empty <- vapply(shown[c("value", "level", "distance", "distance_sd")], function(column) {
      all(is.na(column))
    }, NA)
    shown[names(empty)[empty]] <- NULL
    return(list(
      title_item("which values would change the decision"),
      table_item(shown, c("change", "changes"), keys = match("feature", names(shown)))
    ))
  }
  list(
    title_item(paste("which values would change the decisions of",
                     count_of(cases, "case", "cases"))),
    table_item(summarise_flips_of_features(x), c("feature", "features")),
    sentences_item("print(n = 20) shows the cases.")
  )
}

# A row for each feature: in how many cases it alone can change the decision, and the median
# distance.
summarise_flips_of_features <- function(x) {
  features <- unique(x$feature)
  groups <- lapply(features, function(name) which(x$feature == name))
  changes <- lapply(groups, function(i) i[!is.na(x$new_decision[i])])
  middle <- function(column) {
    vapply(changes, function(i) stats::median(abs(x[[column]][i]), na.rm = TRUE), 1)
  }
  rows <- data.frame(
    feature = features,
    cases = vapply(changes, function(i) length(unique(x$row[i])), 1L),
    median_distance = middle("distance"), median_sd = middle("distance_sd")
  )
  rows[order(rows$median_sd, -rows$cases), ]
}

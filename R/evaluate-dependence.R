#' Which features depend on each other, given the class?
#'
#' Naive Bayes assumes that features are independent within each class. `feature_dependence()`
#' measures the dependence of each pair, on one scale for all kinds of features, and ranks the
#' pairs. The first pairs are the candidates for a block of [bayes_blocks()].
#'
#' @inheritParams fit.bayesrisk_spec
#' @param formula `class ~ features`, as in [fit()][fit.bayesrisk_spec].
#' @param data A data frame, tibble, data.table, or a matrix with column names.
#'
#' @details
#' The **information** of a pair in a class compares two models of the pair, both fitted by maximum
#' likelihood: a joint model and a model in which the features are independent. It is the difference
#' of their log likelihoods per case:
#' * two numbers: \eqn{-\frac{1}{2} \log(1 - r^2)}{-1/2 log(1 - r^2)} with their correlation
#'   \eqn{r} in the class, the mutual information of two normals;
#' * two categories: the mutual information of their joint table;
#' * a number and a category: \eqn{-\frac{1}{2} \log(1 - \eta^2)}{-1/2 log(1 - eta^2)} with the
#'   share \eqn{\eta^2}{eta^2} of the number's variance that lies between the means of the levels.
#'   The model is a normal distribution with a mean per level and one variance.
#'
#' The mean over classes, weighted by class weight, is the mutual information of the pair given the
#' class, in nats. It is 0 if the features are independent. It has no upper bound. It is infinite if
#' a numeric feature is determined by the other feature.
#'
#' The **association** in a class is the correlation of two numbers, with its sign. For other
#' pairs it is the correlation that two normals of the same information have,
#' \eqn{\sqrt{1 - \exp(-2 I)}}{sqrt(1 - exp(-2 I))} (Linfoot 1957), from 0 to 1; for a number and
#' a category this is the correlation ratio \eqn{\eta}{eta}. To rank by the association, order the
#' rows by `association`.
#'
#' With few cases the information is too large, most of all for features with many levels. `aic`
#' weighs the information against the number of additional parameters of a joint model, so the pairs
#' are ordered by `aic`. (A joint table has a parameter for each combination of declared levels.) If
#' `aic` is negative, the block of a pair of one kind is worth its parameters. No block holds a
#' number and a category.
#'
#' @return A data frame of class `bayesrisk_dependence` with a row for each pair, from the most to
#'   the least dependent by `aic`:
#'   * `first`, `second`: the features, in the order of the formula;
#'   * `kind`: `"numeric"`, `"categorical"`, or `"mixed"`;
#'   * `information`: mutual information given the class, in nats;
#'   * `aic`: [AIC()] of the joint model of the pair (a block, if the features are of one kind)
#'     minus that of two single features (variances by maximum likelihood, no smoothing), `-Inf`
#'     where the information is infinite;
#'   * `association`: the pooled association, from the deviations from the class means. For two
#'     categories it is the association computed from `information`;
#'   * `association_<class>`: the association in each class. `NA` if a feature is constant there:
#'     then the class adds information 0. `NA` too if the class has too few cases: then the average
#'     leaves the class out;
#'   * `cases`: the weight of the cases in which neither feature is missing.
#'
#'   Attributes: `classes`, and `constant`, a data frame of each `feature` that is constant in a
#'   `class`. The print names the constant features and the block to try; its columns `nats` and
#'   `pooled` are `information` and `association`. `plot()` draws the information.
#' @section Errors: as in [fit()][fit.bayesrisk_spec], and `bayesrisk_error_argument` for fewer than
#'   two features.
#' @references
#' Lecture "Bayesian Learning (Galili, Shamir, Yakhini)": are the features independent given the
#' class, and what if they are not.
#'
#' Linfoot, E. H. (1957). An informational measure of correlation. *Information and Control* 1,
#' 85-89.
#' @seealso [search_blocks()] finds the blocks; [compare_decisions()]: does the dependence change
#'   any decision?
#' @export
#' @examples
#' feature_dependence(Species ~ ., iris)
#'
#' # Numbers and categories
#' cars <- transform(mtcars, cyl = factor(cyl), gear = factor(gear))
#' feature_dependence(am ~ cyl + gear + hp + wt, cars)
feature_dependence <- function(formula, data, weights, subset,
                               na.action = stats::na.pass, # nolint: object_name_linter.
                               ..., threads = default_threads()) {
  call <- check_no_dots(...)
  cases <- read_cases(maybe(data), list(
    formula = maybe(formula), weights = rlang::enquo(weights), subset = rlang::enquo(subset),
    na_action = na.action, threads = threads
  ), call)
  check_no_bag(cases, call)
  if (length(cases$schema$features) < 2L) {
    abort_argument("{.arg formula} must have two features or more: pairs are measured.", call)
  }
  check_single_features(cases, call)
  new_dependence(measure_pairs(cases, call), cases)
}

# A list per pair: `features` (positions), `kind`, and the engine's measures.
measure_pairs <- function(cases, call) {
  kinds <- feature_kinds(cases$schema)
  pairs <- utils::combn(length(kinds), 2L, simplify = FALSE)
  kind <- vapply(pairs, function(p) {
    if (kinds[[p[[1L]]]] == kinds[[p[[2L]]]]) kinds[[p[[1L]]]] else "mixed"
  }, "")
  measured <- vector("list", length(pairs))
  for (same in unique(kind)) {
    measure <- switch(same,
      numeric = measure_numbers, categorical = measure_each, mixed = measure_mixed
    )
    measured[kind == same] <- measure(pairs[kind == same], cases, call)
  }
  Map(function(p, k, m) c(list(features = p, kind = k), m), pairs, kind, measured)
}

# Two numbers. If no number is missing, one scatter has the statistics of all pairs.
measure_numbers <- function(pairs, cases, call) {
  numbers <- sort(unique(unlist(pairs)))
  counted <- collect_blocks(list(numbers), cases, call)
  if (counted$statistics[[1L]]$skipped > 0) return(measure_each(pairs, cases, call))
  members <- vapply(pairs, match, integer(2L), numbers)
  measure_counted(counted, list(members), cases, call)
}

# Pairs of one kind, each from the rows in which both features are known.
measure_each <- function(pairs, cases, call) {
  by_parts(pairs, function(part) {
    counted <- collect_blocks(part, cases, call)
    measure_counted(counted, rep(list(matrix(1:2)), length(part)), cases, call)
  })
}

measure_counted <- function(counted, members, cases, call) {
  call_engine(pair_dependence_cpp(
    counted$banks, cases$groups, length(cases$columns), counted$statistics, members
  ), call)
}

# A number and a category, from the moments of the number by class and level.
measure_mixed <- function(pairs, cases, call) {
  kinds <- feature_kinds(cases$schema)
  category <- vapply(pairs, function(p) p[kinds[p] == "categorical"], 1L)
  number <- vapply(pairs, function(p) p[kinds[p] == "numeric"], 1L)
  measured <- vector("list", length(pairs))
  for (j in unique(category)) {
    at <- which(category == j)
    measured[at] <- measure_by_level(j, number[at], cases, call)
  }
  measured
}

measure_by_level <- function(category, numbers, cases, call) {
  classes <- cases$groups
  levels <- length(cases$schema$features[[category]]$levels)
  banks <- list(new_bank("gaussian", numbers, cases$schema))
  group <- as.integer(cases$group) + classes * (column_codes(cases$columns[[category]]) - 1L)
  counted <- count_cases(banks, cases, call, group, classes * levels)$banks
  call_engine(mixed_dependence_cpp(
    banks, classes, levels, length(cases$columns), counted, category < numbers
  ), call)
}

new_dependence <- function(measured, cases) {
  labels <- names(cases$schema$features)
  classes <- cases$schema$classes$levels
  pick <- function(name) open_as_na(vapply(measured, `[[`, 1, name))
  each <- function(name) {
    matrix(unlist(lapply(measured, `[[`, name)), length(measured), byrow = TRUE)
  }
  within <- open_as_na(each("association"))
  colnames(within) <- paste0("association_", classes)
  at <- each("features")
  result <- data.frame(
    first = labels[at[, 1L]], second = labels[at[, 2L]],
    kind = vapply(measured, `[[`, "", "kind"), information = pick("information"),
    aic = pick("aic"), association = pick("pooled"), within, cases = pick("cases"),
    check.names = FALSE
  )
  result <- by_dependence(result)
  rownames(result) <- NULL
  structure(
    result, classes = classes, constant = constant_features(measured, labels, classes),
    class = c("bayesrisk_dependence", "bayesrisk_result", "data.frame")
  )
}

# The estimated information grows with the number of levels, even for independent features. AIC
# subtracts a penalty for each parameter.
by_dependence <- function(x) x[order(is.na(x$information), x$aic, -x$information), ]

constant_features <- function(measured, labels, classes) {
  found <- lapply(measured, function(m) {
    at <- which(m$constant == 1L, arr.ind = TRUE)
    cbind(m$features[at[, 1L]], at[, 2L])
  })
  found <- unique(do.call(rbind, found))
  found <- found[order(found[, 1L], found[, 2L]), , drop = FALSE]
  data.frame(feature = labels[found[, 1L]], class = classes[found[, 2L]])
}

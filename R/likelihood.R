# What every likelihood has: a name and settings, and a record of what it can do.

new_likelihood <- function(name, settings = list()) {
  structure(
    c(list(name = name), settings),
    class = c(paste0("bayesrisk_likelihood_", name), "bayesrisk_likelihood", "bayesrisk_result")
  )
}

# The record of a likelihood: all that the package asks of it. Each part is a constant or a
# function:
#   name            the type of its banks in the engine; likelihood_<name>() makes it
#   kind            of its features: "numeric" or "categorical"
#   support         where its densities live: "levels", "line", "counts" (whole numbers, 0 or
#                   more) or "points" (single values with nothing between them)
#   options(likelihoods, features, classes, block, call)
#                   the settings of a bank as the engine reads them; `likelihoods` has one for
#                   each feature (of a joint block: one), `block` is list(name, covariance,
#                   shrinkage) of a joint block; NULL: it cannot be estimated
#   remedies(problems)
#                   what the user can do about list(problem, class), class NA: all of them
#   cases(bank, statistics)
#                   the weight of the cases behind each feature (of a joint block: one)
#   coefficients(bank, parameters, features, classes)
#                   what coef() shows of each block of the bank: a list
#   describe(likelihood)
#                   the end of a sentence that begins with "features by"
#   check(<settings by name>, call)
#                   the settings in the form that is kept, or an error
#   given           sets of settings that are known parameters: a list of character vectors
#   known(likelihood, name, classes, call)
#                   known parameters for bayes_known(), in the order of `classes`:
#                   list(features, parameters); of a joint block also its `type` and `name`
#   joint           whether a bank is one block of several features
#   shares_bank     whether all its features stand in one bank, their statistics side by side
#   settle(likelihood, feature, range, call)
#                   a feature with what must be known of the data before rows are counted;
#                   `range` is a function that reads them
#   plan(bank, likelihood, features, classes, call)
#                   a bank with what it must know before rows are counted
#   summary(bank, coefficients)
#                   what summary() shows of a block; the attribute `title` of a data frame is
#                   printed above it
#   tidy(coefficients, name, classes)
#                   the rows of tidy() of a block, as columns; `classes` is their number
#   moments(bank, parameters, j)
#                   numeric features: list(mean, sd) of feature j in each class, or in each
#                   component: where plots look
#   grid(bank, parameters, j, moments, range)
#                   where plots evaluate feature j between the ends of `range`
#   normals(parameters, j)
#                   of how many normals feature j is a sum, at most; Inf where it is none
#   unreadable      numbers that the engine refuses at the fit: list(problem, found, remedy);
#                   `found` continues with the features
likelihood_record <- function(name, kind, support, options, remedies, cases, coefficients,
                              describe = NULL, check = NULL, given = list(), known = NULL,
                              joint = FALSE, shares_bank = !joint,
                              settle = function(likelihood, feature, range, call) feature,
                              plan = function(bank, likelihood, features, classes, call) bank,
                              summary = function(bank, coefficients) coefficients,
                              tidy = tidy_statistics, moments = NULL, grid = spread_grid,
                              normals = function(parameters, j) Inf, unreadable = NULL) {
  mget(names(formals()))
}

# Known numbers by class, which are parameters of a single feature.
known_numbers <- function(numbers, name, classes, call) {
  at <- match_names(names(numbers[[1L]]), classes, name, call = call)
  list(
    features = list(new_feature(name, "double", NULL)),
    parameters = lapply(numbers, function(x) matrix(x[at]))
  )
}

# Settings that are known numbers by class; NULL: they are estimated.
check_given_by_class <- function(x, arg, call, min = -Inf) {
  if (is.null(x)) return(NULL)
  x <- check_numbers(x, arg, min = min, call = call)
  if (is.null(names(x))) abort_argument("{.arg {arg}} must be named by class.", call)
  x
}

remedy_weight <- function(problems) {
  if (any(problems$problem == "too_light")) {
    "{.code variance = \"ml\"} divides by the weight and not by the weight - 1."
  }
}

remedy_overflow <- function(problems) {
  if (any(problems$problem == "overflow")) "Divide the feature by a power of ten before the fit."
}

remedy_empty <- function(problems) {
  if (any(problems$problem == "empty")) "Drop the feature or the class."
}

remedy_smoothing <- function(problems) {
  if (any(problems$problem == "empty")) "{.code laplace = 1} smooths a table without counts."
}

# What the engine leaves open, for a class without rows.
open_as_na <- function(x) replace(x, is.nan(x), NA_real_)

# Of each feature a class x statistic matrix, from class x feature matrices by statistic.
statistic_matrices <- function(estimates, classes) {
  lapply(seq_len(ncol(estimates[[1L]])), function(j) {
    matrix(
      open_as_na(unlist(lapply(estimates, function(estimate) estimate[, j]))), length(classes),
      dimnames = list(class = classes, statistic = names(estimates))
    )
  })
}

tidy_statistics <- function(coefficients, name, classes) {
  tidy_rows(coefficients, classes, name, NA_character_, colnames(coefficients))
}

# Rows of a class x term matrix, term by term; the other columns are one per term.
tidy_rows <- function(estimate, classes, term, level, statistic) {
  terms <- length(estimate) / classes
  each <- function(values) rep(rep_len(values, terms), each = classes)
  list(
    class = rep(seq_len(classes), terms), term = each(term), level = each(level),
    statistic = each(statistic), estimate = as.vector(estimate)
  )
}

# Evenly spaced points, and more near the mean of each class.
spread_grid <- function(bank, parameters, j, moments, range) {
  per_class <- max(5L, 1000L %/% length(moments$mean))
  steps <- seq(-3.5, 3.5, length.out = min(65L, per_class))
  near_means <- as.vector(outer(steps, moments$sd) + rep(moments$mean, each = length(steps)))
  near_means <- near_means[near_means > range[[1L]] & near_means < range[[2L]]]
  sort(unique(c(seq(range[[1L]], range[[2L]], length.out = 513L), near_means)))
}

# Every likelihood has a name, settings and a record.

new_likelihood <- function(name, settings = list()) {
  likelihood <- c(list(name = name), settings)
  class(likelihood) <- c(
    paste0("bayesrisk_likelihood_", name), "bayesrisk_likelihood", "bayesrisk_result"
  )
  likelihood
}

# The record of a likelihood holds everything that the package needs to know about it. Its name is
# the type of its banks. test-likelihood-registry.R lists the arguments of each function. A record
# without a constructor needs no `describe` and `check`.
#
#   name          as in the engine: L::name
#   kind          of its features: "numeric", "categorical" or "bag"
#   support       the values with a density: "levels", "line", "counts" (0, 1, 2, ...), "points"
#                 (single values, nothing between them) or "terms" (of a bag)
#   options       L::Options as a list. `likelihoods`: one for each feature, or a shared one;
#                 `block`: the settings of a joint block
#   remedies      cli templates that solve the problems list(problem, class)
#   coefficients  the elements of coef(): a list with an element for each feature
#   cases         the weight behind each feature of the bank
#   describe      the end of a sentence that begins with "features by"
#   check         the settings in their kept form and in the order of the constructor, or an error.
#                 Checked settings pass unchanged. It must refuse what sound() of the engine refuses
#   given         character vectors, alternatives: the settings that are known parameters. No other
#                 likelihood has the same set, so coefficients tell which one they belong to
#   known         list(features, parameters) of one feature with known parameters, or NULL
#   joint         whether a bank is one block of several features
#   joint_as      the name of the record of the joint blocks of this likelihood, or NULL
#   bag_as        the name of the record of its bags; of a likelihood of bags its own name
#   constructed   whether likelihood_<name>() exists. If not, a bank takes its settings from the
#                 likelihood that names the record as `joint_as` or `bag_as`
#   shares_bank   whether all features of the likelihood are in one bank
#   check_block   an error for settings that a joint block cannot have
#   settle        the feature with everything that the schema must store of the data, such as bins;
#                 range() reads the data. NULL: nothing
#   of_all_rows   whether a source of several pieces must settle first, by all its rows
#   plan          the bank with all fields of L::Plan
#   summary       the table of summary(). A data frame has the attribute `title`
#   tidy          the rows of tidy() of all blocks of a bank, as columns, with `block` (from 1)
#   moments       list(mean, sd) of feature j, a number for each class or component. Plots show
#                 mean +- 3.5 sd: of a skewed density, `mean` is the middle of the range to show
#   range         the range in which values of a feature are proposed, from its `moments`. Usually
#                 the one that plots show, which for bins is that of their edges
#   grid          the points at which plots evaluate feature j
#   normals       the largest number of normals in the density of feature j; Inf: it has others
#   steps         whether the density is constant between edges
#   iterates      whether an estimate is a long search, so that cross-validation makes fewer of them
#   remark        a sentence that print() adds to the model, or NULL
#   counts        the elements of counts(), as those of coef()
#   lender        the classes from which an estimate borrows, for the sentence about it
#   unreadable    list(problem, found, remedy) for numbers that the fit refuses. `found` is the
#                 first part of the sentence; the names of the features follow
#   impossible    a cli template: the remedy for a value that is impossible in every class
#   single        list(parameters, statistics) of feature j, as of a bank of this feature alone, for
#                 naive(). Joint blocks need it, and the banks in which their features stand alone
#   posterior     list(intervals, covariances), see likelihood-posterior.R. NULL: the parameters
#                 count as known
#   odds          term_counts(): the counts behind the log odds of the terms of a bag, or NULL
#   recount       the statistics behind known parameters and `n` cases of each class. `divisor`:
#                 that of the variances. NULL: the parameters do not determine them
#   raised        parameters of the density to the `power` of each feature, divided by its integral.
#                 NULL: it is another likelihood
#   infinite      for each feature, whether this integral is infinite
#   log_density   the log density as text, see likelihood-density.R. NULL: there is none
#   bank          fields of L::Plan that every bank has, with their usual values
likelihood_record <- function(name, kind, support, options, remedies, coefficients,
                              cases = function(bank, statistics) colSums(statistics$weight),
                              describe = NULL, check = NULL, given = list(), known = NULL,
                              joint = FALSE, joint_as = NULL, bag_as = NULL,
                              constructed = !joint, shares_bank = !joint,
                              check_block = function(likelihood, arg, call) invisible(),
                              settle = NULL,
                              of_all_rows = function(likelihood) FALSE,
                              plan = function(bank, likelihood, features, classes, call) bank,
                              summary = function(bank, coefficients) coefficients,
                              tidy = tidy_statistics, moments = NULL, range = moments_range,
                              grid = spread_grid,
                              normals = function(parameters, j) Inf, steps = FALSE,
                              iterates = FALSE,
                              remark = function(parameters, features, classes) NULL,
                              counts = known_weights, lender = "the other classes",
                              unreadable = NULL, impossible = NULL, single = NULL,
                              posterior = NULL, odds = NULL, recount = NULL, raised = NULL,
                              infinite = function(parameters, power) FALSE,
                              log_density = NULL, bank = list()) {
  mget(names(formals()))
}

# The record of a likelihood of single features that has some `numbers` as parameters, in each
# class.
parametric_record <- function(name, numbers, ..., options = no_options) {
  likelihood_record(
    name = name, kind = "numeric", given = list(numbers),
    known = function(likelihood, name, classes, call) {
      known_numbers(unclass(likelihood)[numbers], name, classes, call)
    },
    options = options,
    coefficients = function(bank, parameters, features, classes) {
      # A feature that is left out has no parameters.
      shown <- lapply(parameters[numbers], function(x) {
        x[, parameters$left_out == 1L] <- NA_real_
        x
      })
      statistic_matrices(shown, classes)
    },
    ...
  )
}

# The weight of the cases with a known value, by class: an element for each feature of the bank, or
# one for a joint block. NA for statistics without weights.
known_weights <- function(bank, statistics, features, classes) {
  weight <- statistics$weight
  if (is.null(weight) && !is.null(statistics$points)) weight <- cbind(points_by_class(statistics))
  if (is.null(weight)) weight <- matrix(NA_real_, length(classes), length(features))
  lapply(seq_len(ncol(weight)), function(j) stats::setNames(weight[, j], classes))
}

points_by_class <- function(statistics) vapply(statistics$points, function(p) sum(p[, 2L]), 1)

# Columns and the mark of feature j in the state of a bank, for the part `single` of a record.
column_of <- function(x, j) x[, j, drop = FALSE]

left_out_mark <- function(parameters, j) {
  if (length(parameters$left_out)) parameters$left_out[[j]] else 0L
}

# For the part `raised` of a record.
scale_columns <- function(x, by) x * rep(by, each = nrow(x))

# Each row minus the logarithm of the sum of its exponentials.
log_shares <- function(log_p) {
  most <- apply(log_p, 1L, max)
  log_p - most - log(rowSums(exp(log_p - most)))
}

# A setting of the likelihood of each feature, or of the one that the features share.
setting_of <- function(name, likelihoods, features, type) {
  if (length(likelihoods) > 1L) return(vapply(likelihoods, .subset2, type, name))
  rep_len(.subset2(likelihoods[[1L]], name), length(features))
}

no_options <- function(likelihoods, features, classes, block, call) list()

# Parameters of a single feature from known numbers by class.
known_numbers <- function(numbers, name, classes, call) {
  at <- match_names(names(numbers[[1L]]), classes, name, call = call)
  parameters <- lapply(numbers, function(x) matrix(x[at]))
  known_number(name, c(parameters, list(left_out = integer())))
}

known_number <- function(name, parameters) {
  list(features = list(new_feature(name, "double", NULL)), parameters = parameters)
}

# Shares of the cases of each class, as counts. Whole numbers have lost their last digits only.
count_shares <- function(log_share, n) {
  count <- exp(log_share) * n
  whole <- round(count)
  ifelse(abs(count - whole) <= 1e-9 * pmax(1, whole), whole, count)
}

check_named_by_class <- function(x, arg, call) {
  if (is.null(names(x))) abort_argument("{.arg {arg}} must be named by class.", call)
}

# Checks settings that are known numbers by class. The user gives all of them or none. The first
# setting with names determines the class order. `check(x, arg, call)` checks one setting.
check_given_by_class <- function(settings, check, call) {
  open <- vapply(settings, is.null, NA)
  if (all(open)) return(settings)
  if (any(open)) {
    abort_argument("{.arg {names(settings)[!open]}} needs {.arg {names(settings)[open]}}.", call)
  }
  settings <- Map(check, settings, names(settings), list(call))
  named <- Filter(function(x) !is.null(names(x)), settings)
  if (length(named) == 0L) abort_argument("{.arg {names(settings)}} must be named by class.", call)
  classes <- names(named[[1L]])
  Map(function(x, arg) fill_classes(x, classes, arg, call), settings, names(settings))
}

# Returns one number per class. The input is one number for all classes, or numbers named by class.
fill_classes <- function(x, classes, arg, call) {
  if (!is.null(names(x))) return(x[match_names(names(x), classes, arg, call = call)])
  if (length(x) == 1L) return(stats::setNames(rep(x, length(classes)), classes))
  abort_argument("{.arg {arg}} must be one number, or one per class, named.", call)
}

# Checks that numbers are positive and large enough to divide by.
check_positive <- function(x, arg, call) {
  x <- check_numbers(x, arg, min = 0, call = call)
  if (all(x > 0 & is.finite(1 / x))) return(x)
  abort_argument("{.arg {arg}} must be positive, and its inverse a number: not {min(x)}.", call)
}

# The text of a remedy, if it applies to one of the problems. `kinds`: the problems that the remedy
# applies to.
remedy <- function(problems, kinds, text) if (any(problems$problem %in% kinds)) text

remedy_weight <- function(problems) {
  remedy(
    problems, "too_light",
    "{.code variance = \"ml\"} divides by the weight and not by the weight - 1."
  )
}

remedy_overflow <- function(problems) {
  remedy(problems, "overflow", "Divide the feature by a power of ten before the fit.")
}

# The problems that a single feature of any likelihood can have.
common_remedies <- function(problems) {
  c(remedy_overflow(problems), remedy(problems, "empty", "Drop the feature or the class."))
}

remedy_smoothing <- function(problems) {
  remedy(problems, "empty", "{.code laplace = 1} smooths a table without counts.")
}

# The engine returns NaN for a class without rows; R code shows NA.
open_as_na <- function(x) replace(x, is.nan(x), NA_real_)

# Converts class x feature matrices, one per statistic, to one class x statistic matrix per feature.
statistic_matrices <- function(estimates, classes) {
  size <- length(classes) * length(estimates)
  shape <- list(
    dim = c(length(classes), length(estimates)),
    dimnames = list(class = classes, statistic = names(estimates))
  )
  features <- ncol(estimates[[1L]])
  # The numbers of a feature become neighbours.
  numbers <- array(unlist(estimates), c(length(classes), features, length(estimates)))
  numbers <- open_as_na(as.vector(aperm(numbers, c(1L, 3L, 2L))))
  one <- seq_len(size)
  lapply(seq_len(features), function(j) {
    feature <- numbers[one + (j - 1L) * size]
    attributes(feature) <- shape
    feature
  })
}

# The part `tidy` of a record, made of a function for one block.
tidy_by_block <- function(tidy_block) {
  force(tidy_block)
  function(coefficients, names, classes) {
    rows <- unname(Map(tidy_block, coefficients, names, list(classes)))
    columns <- stats::setNames(nm = names(rows[[1L]]))
    sizes <- lengths(lapply(rows, `[[`, "class"))
    c(
      lapply(columns, function(column) unlist(lapply(rows, `[[`, column), use.names = FALSE)),
      list(block = rep(seq_along(rows), sizes))
    )
  }
}

# Blocks whose coefficients are class x statistic matrices, all with the same statistics.
tidy_statistics <- function(coefficients, names, classes) {
  statistics <- colnames(coefficients[[1L]])
  rows <- tidy_rows(
    unlist(coefficients), classes, rep(names, each = length(statistics)), NA_character_, statistics
  )
  c(rows, list(block = rep(seq_along(names), each = length(statistics) * classes)))
}

# tidy() rows of a data frame with a column `class` and a column for each statistic.
tidy_frame <- function(coefficients, name, level, statistics) {
  each <- nrow(coefficients)
  times <- length(statistics)
  list(
    class = rep(as.integer(coefficients$class), times), term = rep(name, each * times),
    level = rep(level, times), statistic = rep(statistics, each = each),
    estimate = unlist(unclass(coefficients)[statistics], use.names = FALSE)
  )
}

# tidy() rows of a class x term matrix, term by term. The other columns have one value per term.
tidy_rows <- function(estimate, classes, term, level, statistic) {
  terms <- length(estimate) / classes
  each <- function(values) rep(rep_len(values, terms), each = classes)
  list(
    class = rep(seq_len(classes), terms), term = each(term), level = each(level),
    statistic = each(statistic), estimate = as.vector(estimate)
  )
}

moments_range <- function(moments) {
  range(moments$mean - 3.5 * moments$sd, moments$mean + 3.5 * moments$sd)
}

# Evenly spaced points, with additional points near the mean of each class.
spread_grid <- function(bank, parameters, j, moments, range) {
  per_class <- max(5L, 1000L %/% length(moments$mean))
  steps <- seq(-3.5, 3.5, length.out = min(65L, per_class))
  near_means <- as.vector(outer(steps, moments$sd) + rep(moments$mean, each = length(steps)))
  near_means <- near_means[near_means > range[[1L]] & near_means < range[[2L]]]
  sort(unique(c(seq(range[[1L]], range[[2L]], length.out = 513L), near_means)))
}

# The columns whose numbers differ most between the classes, in rows. A class without cases has NA.
telling_columns <- function(x, most) {
  known <- x[!is.na(x[, 1L]), , drop = FALSE]
  from_mean <- abs(known - rep(colMeans(known), each = nrow(known)))
  first <- order(-colSums(from_mean), method = "radix")
  x[, utils::head(first, most), drop = FALSE]
}

# Whether tables are smoothed towards the shares of all classes.
is_shared <- function(laplace) identical(laplace, "shared")

# Checks of models and statistics that come from outside, for example from a file. An exported
# function or method checks its object once, in its first lines; internal functions trust it.
# Each function called *_problem returns a description of the problem, or NULL.

check_model <- function(object, call, arg = "object") {
  check_inherits(object, "bayesrisk_model", "a fitted model", arg, call)
  check_sound(object, "model", model_problem, call)
}

# For functions that score but do not read statistics. The engine checks the parameters at each
# scoring.
check_scored_model <- function(object, call, arg = "object") {
  check_inherits(object, "bayesrisk_model", "a fitted model", arg, call)
  check_sound(object, "model", scored_problem, call)
}

check_statistics <- function(object, call, arg) {
  check_inherits(object, "bayesrisk_statistics", "a result of {.fn bayes_statistics}", arg, call)
  check_sound(object, "result of bayes_statistics()", collected_problem, call)
}

check_inherits <- function(object, class, what, arg, call) {
  if (inherits(object, class)) return(invisible())
  check_places(call)
  abort_argument(c(
    paste0("{.arg {arg}} must be ", what, ", not {describe_value(object)}."),
    i = if (class == "bayesrisk_model") group_hint(object)
  ), call)
}

check_sound <- function(object, what, problem, call) {
  if (!is.list(object)) abort_damaged(what, "not a list", call)
  object <- up_to_date(object, what, call)
  found <- problem(object)
  if (!is.null(found)) abort_damaged(what, found, call)
  invisible(object)
}

first_problem <- function(object, problems) {
  for (problem in problems) {
    found <- problem(object)
    if (!is.null(found)) return(found)
  }
}

model_problem <- function(object) {
  problems <- list(scored_problem, bins_problem, spec_problem, total_problem)
  fitted <- !is.null(object$statistics)
  if (fitted || !is.null(object$rows)) problems <- c(problems, rows_problem)
  if (fitted) problems <- c(problems, statistics_problem)
  first_problem(object, c(problems, parameters_problem))
}

# `$` of a classed object looks for methods first, so the parts are read without the class. Of the
# parameters the engine checks all but the prior.
scored_problem <- function(object) {
  parts <- unclass(object)
  parameters <- parts$parameters
  if (!is.list(parameters) || !is.list(parameters$banks)) return("its parameters are gone")
  found <- temper_problem(parts)
  if (!is.null(found)) return(found)
  described <- list(
    parts$version, parts$schema, parts$plan, length(parameters$banks), parameters$prior
  )
  problem_unless_known("description", described, function() {
    first_problem(parts, list(version_problem, feature_problem, plan_problem, prior_problem))
  })
}

collected_problem <- function(object) {
  first_problem(object, list(
    version_problem, feature_problem, plan_problem, bins_problem, spec_problem, rows_problem,
    statistics_problem
  ))
}

version_problem <- function(object) if (!is_version(object$version)) "its version is gone"

feature_problem <- function(object) schema_problem(object$schema)

# The specification and the schema determine the plan.
spec_problem <- function(object) {
  spec <- object$spec
  if (!is_sound_spec(spec)) return("its specification has lost a part")
  if (is_empty(object)) return(NULL)
  known <- spec$structure == "known"
  plan <- tryCatch(
    if (is_empty(object)) {
      list(banks = list())
    } else if (known) {
      known_model(spec$prior, spec$features, NULL)$plan
    } else {
      build_plan(spec, object$schema, NULL)
    },
    error = function(e) NULL
  )
  if (!identical(plan, object$plan)) "its plan does not fit its specification"
}

prior_problem <- function(object) {
  parameters <- object$parameters
  if (length(parameters$banks) != length(object$plan$banks)) return("its parameters are gone")
  prior <- parameters$prior
  sound <- are_weights(prior, length(object$schema$classes$levels)) && sums_to_one(prior)
  if (!sound) "its prior does not fit its classes"
}

# A model from numbers has neither a log likelihood nor notes.
total_problem <- function(object) {
  totals <- object$parameters[c("log_likelihood", "parameter_count")]
  from_numbers <- is.null(object$statistics) && is.null(object$parameters$notes) &&
    all(vapply(totals, is.null, NA))
  if (from_numbers) return(NULL)
  sound <- vapply(totals, function(x) is.double(x) && length(x) == 1L, NA)
  if (!all(sound)) return("its log likelihood is gone")
  if (!has_sound_notes(object$parameters$notes, object)) "its notes about borrowing are gone"
}

rows_problem <- function(object) {
  rows <- object$rows
  sound <- is.list(rows) && identical(names(rows), c("read", "used")) && is.numeric(rows$read) &&
    are_weights(as.double(rows$read), 1L) && are_weights(rows$used, 1L)
  if (!sound) "its numbers of rows are gone"
}

statistics_problem <- function(object) {
  statistics <- object$statistics
  sound <- is.list(statistics) && is.list(statistics$banks) && is.list(statistics$classes) &&
    length(statistics$banks) == length(object$plan$banks)
  if (!sound) return("its statistics are gone")
  classes <- length(object$schema$classes$levels)
  sound <- are_weights(statistics$classes$weight, classes) &&
    are_weights(statistics$classes$rows, classes)
  if (!sound) return("the weights of its classes are wrong")
  if (is_empty(object)) return(NULL)
  found <- engine_problem(check_statistics_cpp(
    object$plan$banks, classes, length(object$schema$features), statistics
  ))
  if (!is.null(found)) return(found)
  if (!all(vapply(statistics$banks, has_sound_means, NA))) {
    return("a mean of its statistics is not finite")
  }
  sound <- Map(
    has_sound_weights, statistics$banks, object$plan$banks, list(statistics$classes$weight)
  )
  if (!all(unlist(sound))) "a class has statistics of more rows than it has"
}

# Whether the weights of a bank are those of rows of its classes. A row has any number of terms.
has_sound_weights <- function(statistics, bank, weight) {
  most <- if (record_of(bank)$kind == "bag") 1e300 * (weight > 0) else weight * (1 + 1e-6)
  fits <- vapply(statistics[c("weight", "count")], function(x) all(as.vector(x) <= most), NA)
  isTRUE(all(fits)) && !any(lengths(statistics$points[weight == 0]))
}

# Sums beyond the largest double leave neither a mean nor a spread.
has_sound_means <- function(bank) {
  spreads <- unlist(bank[c("scatter", "deviance", "triangle")])
  all(is.finite(unlist(bank[c("mean", "mean_low")]))) || !all(is.finite(spreads))
}

temper_problem <- function(object) {
  temper <- object$parameters$temper
  if (is.null(temper)) return(NULL)
  sound <- is.list(temper) && is.double(temper$power) && is.double(temper$offset) &&
    is.double(temper$common) && length(temper$common) == 1L &&
    is.double(temper$loss) && length(temper$loss) == 2L &&
    is_string(temper$by) && temper$by %in% temper_parts && is_flag(temper$bias) &&
    are_weights(temper$cases, 1L) && are_weights(temper$rows, 1L)
  if (!sound) "its exponents are damaged"
}

parameters_problem <- function(object) engine_problem(check_parameters_cpp(engine_model(object)))

are_weights <- function(x, length) {
  is.double(x) && is.null(attributes(x)) && length(x) == length && all(is.finite(x)) && all(x >= 0)
}

bins_problem <- function(object) {
  sound <- vapply(object$schema$features, has_sound_bins, NA)
  if (!all(sound)) "the bins of a feature are damaged"
}

# Checks that every feature is in exactly one bank of its kind and that the banks know its levels.
plan_problem <- function(object) {
  features <- object$schema$features
  banks <- if (is.list(object$plan)) object$plan$banks
  if (!is.list(banks) || !all(vapply(banks, is.list, NA))) return("its plan is gone")
  places <- unlist(lapply(banks, `[[`, "features"))
  covered <- length(places) == length(features) &&
    (length(places) == 0L || is.integer(places) && all(tabulate(places, length(features)) == 1L))
  sound <- covered && all(vapply(banks, is_sound_bank, NA, features))
  if (!sound) "its plan does not fit its features"
}

is_sound_bank <- function(bank, features) {
  typed <- is_string(bank$type) && is.null(dim(bank$type)) && is.integer(bank$features) &&
    (is.null(bank$name) || is_string(bank$name))
  if (!typed) return(FALSE)
  record <- record_of(bank)
  features <- features_at(features, bank$features)
  fits <- !is.null(record) && length(features) > 0L && is.null(bank$name) != record$joint &&
    all(kinds_of(features) == record$kind)
  if (!fits) return(FALSE)
  record$kind == "numeric" ||
    identical(bank$levels, unname(count_levels(features)))
}

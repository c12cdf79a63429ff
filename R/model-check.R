# Checks of models and statistics that come from outside, for example from a file. An exported
# function or method checks its object once, in its first lines; internal functions trust it.
# Each function called *_problem returns a description of the problem, or NULL.

check_model <- function(object, call, arg = "object") {
  if (is_marked(object, "model")) return(object)
  check_inherits(object, "bayesrisk_model", "a fitted model", arg, call)
  check_sound(object, "model", model_problem, call)
}

check_statistics <- function(object, call, arg) {
  what <- "result of bayes_statistics()"
  if (is_marked(object, what)) return(object)
  check_inherits(object, "bayesrisk_statistics", "a result of {.fn bayes_statistics}", arg, call)
  check_sound(object, what, collected_problem, call)
}

check_inherits <- function(object, class, what, arg, call) {
  if (inherits(object, class)) return(invisible())
  check_places(call)
  abort_wanted(
    object, arg, what, call,
    if (class == "bayesrisk_model") c(i = group_hint(object), i = conversion_hint(object))
  )
}

check_sound <- function(object, what, problem, call) {
  if (!is.list(object)) abort_damaged(what, "not a list", call)
  object <- up_to_date(object, what, call)
  found <- problem(object)
  if (!is.null(found)) abort_damaged(what, found, call)
  mark_sound(object, what)
}

# The functions called *_problem read an object without its class, because `$` of a classed object
# looks for methods first.
first_problem <- function(object, problems) {
  object <- unclass(object)
  for (problem in problems) {
    found <- problem(object)
    if (!is.null(found)) return(found)
  }
}

model_problem <- function(object) {
  fitted <- !is.null(unclass(object)$statistics)
  first_problem(object, c(
    version_problem, features_problem, plan_problem, prior_problem, temper_problem, total_problem,
    if (fitted || !is.null(unclass(object)$rows)) rows_problem, if (fitted) statistics_problem,
    parameters_problem
  ))
}

collected_problem <- function(object) {
  first_problem(object, c(
    version_problem, features_problem, plan_problem, rows_problem, statistics_problem
  ))
}

version_problem <- function(object) if (!is_version(object$version)) "its version is gone"

features_problem <- function(object) {
  found <- schema_problem(object$schema)
  if (!is.null(found)) return(found)
  sound <- vapply(object$schema$features, has_sound_bins, NA)
  if (!all(sound)) "the bins of a feature are damaged"
}

# The specification and the schema determine the plan. A known specification determines both.
plan_problem <- function(object) {
  spec <- object$spec
  if (!is_sound_spec(spec)) return("its specification has lost a part")
  made <- tryCatch(
    if (is_empty(object)) {
      list(plan = list(banks = list()))
    } else if (spec$structure == "known") {
      # The plan does not depend on factors, which may be known better than covariances.
      features <- lapply(spec$features, `attr<-`, "factor", list())
      unclass(known_model(spec$prior, features, NULL))[c("schema", "plan")]
    } else {
      list(plan = build_plan(spec, object$schema, NULL))
    },
    error = function(e) list()
  )
  if (!length(made) || !identical(made, object[names(made)])) {
    "its plan does not fit its specification"
  }
}

prior_problem <- function(object) {
  parameters <- object$parameters
  sound <- is.list(parameters) && is.list(parameters$banks) &&
    length(parameters$banks) == length(object$plan$banks)
  if (!sound) return("its parameters are gone")
  sound <- are_weights(parameters$prior, length(object$schema$classes$levels)) &&
    sums_to_one(parameters$prior)
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
  if (!has_sound_notes(object$parameters$notes, object)) {
    return("its notes about borrowing are gone")
  }
  if (!has_sound_cases(object)) "its cases of the model of all groups are gone"
}

# Whether a model that is not pooled, or one that is, says so soundly.
has_sound_cases <- function(model) {
  pool <- model$parameters$pool
  if (is.null(pool)) return(TRUE)
  is.list(pool) && is.double(pool$cases) && !anyNA(pool$cases) && all(pool$cases >= 0) &&
    all(names(pool$cases) %in% c("(class)", block_names(model))) &&
    (is.null(pool$weight) || are_weights(pool$weight, length(model$schema$classes$levels)))
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
  # Features of a pooled group add other numbers of cases than its classes.
  if (!is.null(object$parameters$pool)) return(NULL)
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
  finite <- function(parts) all(is.finite(unlist(bank[parts], use.names = FALSE)))
  finite(c("mean", "mean_low")) || !finite(c("scatter", "deviance", "triangle"))
}

temper_problem <- function(object) {
  temper <- object$parameters$temper
  if (is.null(temper)) return(NULL)
  sound <- is.list(temper) && is.double(temper$power) && is.double(temper$offset) &&
    is.double(temper$common) && length(temper$common) == 1L &&
    is.double(temper$loss) && length(temper$loss) == 2L &&
    is_string(temper$by) && temper$by %in% temper_parts && is_flag(temper$bias) &&
    is_string(temper$estimate) && temper$estimate %in% estimates &&
    are_weights(temper$cases, 1L) && are_weights(temper$rows, 1L)
  if (!sound) "its exponents are damaged"
}

parameters_problem <- function(object) engine_problem(check_parameters_cpp(engine_model(object)))

are_weights <- function(x, length) {
  is.double(x) && is.null(attributes(x)) && length(x) == length && all(is.finite(x)) && all(x >= 0)
}

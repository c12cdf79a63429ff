# The fitted object: plain vectors, checked again before they are used, because
# it may come from a file. The engine checks the dimensions of the banks.

check_model <- function(object, call, arg = "object") {
  if (!inherits(object, "bayesrisk_model")) {
    got <- describe_value(object)
    abort_argument("{.arg {arg}} must be a fitted model, not {got}.", call)
  }
  check_version(object, "model", call)
  problem <- model_problem(object)
  if (!is.null(problem)) abort_damaged("model", problem, call)
  invisible(object)
}

check_statistics <- function(object, call, arg) {
  if (!inherits(object, "bayesrisk_statistics")) {
    got <- describe_value(object)
    abort_argument("{.arg {arg}} must be a result of {.fn bayes_statistics}, not {got}.", call)
  }
  check_version(object, "result of bayes_statistics()", call)
  problem <- state_problem(object)
  if (is.null(problem)) problem <- statistics_problem(object)
  if (!is.null(problem)) abort_damaged("result of bayes_statistics()", problem, call)
  invisible(object)
}

# The first version whose objects this one reads: raised when their parts change.
first_readable <- "0.1.0"

# Asked before anything else: parts that have changed since are not damaged.
check_version <- function(object, what, call) {
  version <- if (is.list(object)) unclass(object)$version
  if (identical(version, package_version_string) || !is_version(version)) return(invisible())
  if (package_version(version) >= first_readable) return(invisible())
  abort_object(c(
    "The {what} was made by bayesrisk {version}; this version reads those since {first_readable}.",
    i = "Make it again."
  ), call)
}

abort_damaged <- function(what, problem, call) {
  abort_object(c(
    "The {what} is damaged: {problem}.",
    i = "Make it again, or read it again from where it was saved."
  ), call)
}

# The engine looks at the parameters whenever it scores; who reads them without
# it asks here first.
check_parameters <- function(object, call) {
  call_engine(check_parameters_cpp(engine_model(object)), call)
}

# What is wrong with a model, or NULL.
model_problem <- function(object) {
  problem <- state_problem(object)
  if (!is.null(problem)) return(problem)
  parameters <- object$parameters
  banks <- length(object$plan$banks)
  if (!is.list(parameters) || !is.list(parameters$banks) || length(parameters$banks) != banks) {
    return("its parameters are gone")
  }
  if (!is_distribution(parameters$prior, length(object$schema$classes$levels))) {
    return("its prior does not fit its classes")
  }
  if (!is.null(object$statistics)) statistics_problem(object)
}

is_distribution <- function(x, length) {
  is.double(x) && length(x) == length && !anyNA(x) && all(x >= 0) && sums_to_one(x)
}

statistics_problem <- function(object) {
  statistics <- object$statistics
  sound <- is.list(statistics) && is.list(statistics$banks) && is.list(statistics$classes) &&
    length(statistics$banks) == length(object$plan$banks)
  if (!sound) {
    return("its statistics are gone")
  }
  classes <- length(object$schema$classes$levels)
  sound <- are_weights(statistics$classes$weight, classes) &&
    are_weights(statistics$classes$rows, classes)
  if (!sound) "the weights of its classes are gone"
}

are_weights <- function(x, length) {
  is.double(x) && length(x) == length && all(is.finite(x)) && all(x >= 0)
}

is_version <- function(x) is_string(x) && grepl("^[0-9]+([.-][0-9]+)+$", x)

version_problem <- function(object) if (!is_version(object$version)) "its version is gone"

# What models and statistics share.
state_problem <- function(object) {
  if (!is.list(object)) return("not a list")
  problem <- description_problem(object)
  if (is.null(problem)) rows_problem(object) else problem
}

# The description that was found sound last: to compare is much faster than to check.
sound_description <- new.env(parent = emptyenv())

description_problem <- function(object) {
  description <- unclass(object)[c("version", "spec", "schema", "plan")]
  if (identical(description, sound_description$last)) return(NULL)
  for (problem in list(version_problem, spec_problem, schema_problem, plan_problem)) {
    found <- problem(object)
    if (!is.null(found)) return(found)
  }
  sound_description$last <- description
  NULL
}

are_distinct <- function(x) is.character(x) && !anyDuplicated(x)

rows_problem <- function(object) {
  if (is.null(object$statistics)) return(NULL)
  rows <- object$rows
  sound <- is.list(rows) && is.numeric(rows$read) && is.numeric(rows$used) &&
    length(rows$read) == 1L && length(rows$used) == 1L && is.finite(rows$read + rows$used)
  if (!sound) "its numbers of rows are gone"
}

spec_problem <- function(object) {
  spec <- object$spec
  known <- inherits(spec, "bayesrisk_spec") && is.list(spec) && is_string(spec$structure) &&
    spec$structure %in% c("naive", "full", "blocks", "known")
  if (!known) return("its specification is gone")
  sound <- is_likelihood(spec$categorical) && is_likelihood(spec$numeric) &&
    is.list(spec$features) && all(vapply(spec$features, is_likelihood, NA)) &&
    is.list(spec$blocks)
  if (!sound) "its specification has lost a part"
}

schema_problem <- function(object) {
  schema <- object$schema
  if (!is.list(schema) || !is.list(schema$classes)) return("its schema is gone")
  classes <- schema$classes
  if (!are_distinct(classes$levels) || !length(classes$levels) || anyNA(classes$levels)) {
    return("its classes are gone")
  }
  types <- c("factor", "ordered", "character", "logical", "integer")
  if (!is_string(classes$type) || !classes$type %in% types) return("its classes have no type")
  features <- schema$features
  if (!is.list(features) || length(features) && !are_distinct(names(features))) {
    return("its features are gone")
  }
  for (feature in features) {
    if (!is_sound_feature(feature)) return("a feature has lost its name, kind or levels")
  }
  named <- vapply(features, `[[`, "", "name", USE.NAMES = FALSE)
  if (!identical(as.character(names(features)), named)) "its features have other names"
}

is_sound_feature <- function(feature) {
  sound <- is.list(feature) && is_string(feature$name) && is_string(feature$kind) &&
    is_string(feature$type)
  if (!sound) return(FALSE)
  if (feature$kind == "numeric") return(TRUE)
  # Only a factor can have declared NA as a level.
  feature$kind == "categorical" && are_distinct(feature$levels) &&
    (!anyNA(feature$levels) || feature$type %in% c("factor", "ordered"))
}

plan_problem <- function(object) {
  plan <- object$plan
  if (!is.list(plan) || !is.list(plan$banks)) return("its plan is gone")
  features <- seq_along(object$schema$features)
  kinds <- feature_kinds(object$schema)
  levels <- lengths(lapply(object$schema$features, `[[`, "levels"), use.names = FALSE)
  for (bank in plan$banks) {
    known <- is.list(bank) && is_string(bank$type) && is.integer(bank$features) &&
      length(bank$features) > 0L && all(bank$features %in% features) &&
      (is.null(bank$name) || is_string(bank$name))
    if (!known) return("a bank names features that are not there")
    kind <- bank_kind(bank)
    if (is.null(kind)) return("a bank is of no known type")
    members <- bank$features
    fits <- all(kinds[members] == kind) &&
      (kind == "numeric" || identical(levels[members], bank$levels))
    if (!fits) return("a bank does not fit its features")
  }
  placed <- unlist(lapply(plan$banks, `[[`, "features"))
  if (length(placed) != length(features) || anyDuplicated(placed)) "a feature has no bank"
}

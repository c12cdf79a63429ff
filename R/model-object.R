# The fitted object: plain vectors, checked again before they are used, because
# it may come from a file. What its parts must be says R/model-sound.R.

check_model <- function(object, call, arg = "object") {
  check_scored_model(object, call, arg)
  problem <- engine_problem(check_parameters_cpp(engine_model(object)))
  if (is.null(problem)) problem <- counts_problem(object)
  if (!is.null(problem)) abort_damaged("model", problem, call)
  invisible(object)
}

# All but the numbers of the banks: the engine looks at the parameters whenever it scores.
check_scored_model <- function(object, call, arg = "object") {
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
  if (is.null(problem)) problem <- counts_problem(object)
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

# What users make and show: a specification, a likelihood.
check_unchanged <- function(sound, what, call) {
  if (!sound) abort_damaged(what, "the function that makes it would not make it so", call)
}

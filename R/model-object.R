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

new_model <- function(x, parameters) {
  model <- list(
    spec = x$spec, schema = x$schema, plan = x$plan, statistics = x$statistics,
    parameters = parameters, rows = x$rows, version = package_version_string
  )
  class(model) <- "bayesrisk_model"
  model
}

new_statistics <- function(spec, schema, plan, statistics, rows) {
  x <- list(
    spec = spec, schema = schema, plan = plan, statistics = statistics, rows = rows,
    version = package_version_string
  )
  class(x) <- "bayesrisk_statistics"
  x
}

package_version_string <- getNamespaceInfo(topenv(), "spec")[["version"]]

# A model as the doors read it, with another prior where one is given.
engine_model <- function(object, prior = object$parameters$prior) {
  list(
    banks = object$plan$banks, parameters = object$parameters$banks, prior = prior,
    features = length(object$schema$features)
  )
}

# The bank that a feature stands in, its parameters, and its place there; NULL in a
# damaged model.
held_feature <- function(model, name) {
  feature <- match(name, names(model$schema$features))
  holds <- vapply(model$plan$banks, function(bank) feature %in% bank$features, NA)
  if (sum(holds) != 1L) return(NULL)
  bank <- model$plan$banks[[which(holds)]]
  list(
    bank = bank, parameters = model$parameters$banks[[which(holds)]],
    j = match(feature, bank$features)
  )
}

# Where the densities of features live: see likelihood_record().
feature_supports <- function(model, features) {
  vapply(features, function(name) record_of(held_feature(model, name)$bank)$support, "")
}

holds_counts <- function(model, feature) feature_supports(model, feature) == "counts"

# The fitted object: plain vectors, checked again before they are used, because
# it may come from a file.

check_model <- function(object, call, arg = "object") {
  if (!inherits(object, "bayesrisk_model")) {
    got <- describe_value(object)
    abort_argument("{.arg {arg}} must be a fitted model, not {got}.", call)
  }
  problem <- model_problem(object)
  if (is.null(problem)) return(invisible(object))
  abort_object(c(
    "The model is damaged: {problem}.",
    i = "Fit it again, or read it again from where it was saved."
  ), call)
}

# What is wrong with a model, or NULL. The engine checks the dimensions of banks.
model_problem <- function(object) {
  if (!is.list(object)) return("not a list")
  schema <- object$schema
  classes <- schema$classes$levels
  prior <- object$parameters$prior
  if (!is.character(classes) || length(classes) == 0L) return("its classes are gone")
  if (!is.double(prior) || length(prior) != length(classes) || anyNA(prior)) {
    return("its prior does not fit its classes")
  }
  if (!is.list(schema$features)) return("its features are gone")
  if (!is.list(object$plan$banks) || !is.list(object$parameters$banks)) return("its banks are gone")
  for (feature in schema$features) {
    sound <- is.list(feature) && is.character(feature$kind) && length(feature$kind) == 1L &&
      (identical(feature$kind, "numeric") || is.character(feature$levels))
    if (!isTRUE(sound)) return("a feature has lost its kind or levels")
  }
  levels <- vapply(schema$features, function(f) length(f$levels), 1L)
  for (bank in object$plan$banks) {
    known <- is.list(bank) && is.integer(bank$features) && all(bank$features %in% seq_along(levels))
    if (!isTRUE(known)) return("a bank names features that are not there")
    if (!is.null(bank$levels) && !identical(as.vector(levels[bank$features]), bank$levels)) {
      return("the levels of a feature do not fit its table")
    }
  }
  NULL
}

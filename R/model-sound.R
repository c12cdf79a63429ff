# What makes a model, or statistics, sound. Each function gives what is wrong, or NULL.

# Whatever follows from other parts is sound when it would be made of them again; `made` may
# have lost its last digits.
is_made_again <- function(made, x) {
  failed <- function(e) FALSE
  tryCatch(identical(made, x) || isTRUE(all.equal(made, x)), error = failed, warning = failed)
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
  totals <- parameters[c("log_likelihood", "parameter_count")]
  if (!is.null(object$statistics) && !all(vapply(totals, is_double, NA))) {
    return("its log likelihood is gone")
  }
  if (!is.null(object$statistics)) statistics_problem(object)
}

is_double <- function(x) is.double(x) && length(x) == 1L && is.null(attributes(x))

is_distribution <- function(x, length) {
  is.double(x) && is.null(attributes(x)) && length(x) == length && !anyNA(x) && all(x >= 0) &&
    sums_to_one(x)
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
  if (!sound) "the weights of its classes are wrong"
}

# What the engine finds wrong in the statistics of the banks.
counts_problem <- function(object) {
  if (is.null(object$statistics)) return(NULL)
  engine_problem(check_statistics_cpp(
    object$plan$banks, length(object$schema$classes$levels), length(object$schema$features),
    object$statistics
  ))
}

are_weights <- function(x, length) {
  is.double(x) && is.null(attributes(x)) && length(x) == length && all(is.finite(x)) && all(x >= 0)
}

is_version <- function(x) is_string(x) && grepl("^[0-9]+([.-][0-9]+)+$", x)

version_problem <- function(object) if (!is_version(object$version)) "its version is gone"

# What models and statistics share.
state_problem <- function(object) {
  if (!is.list(object)) return("not a list")
  problem <- description_problem(object)
  if (is.null(problem)) rows_problem(object) else problem
}

# What was found sound last: to compare is much faster than to check.
found_sound <- new.env(parent = emptyenv())

description_problem <- function(object) {
  description <- unclass(object)[c("version", "spec", "schema", "plan")]
  if (identical(description, found_sound$description)) return(NULL)
  for (problem in list(version_problem, spec_problem, schema_problem, plan_problem)) {
    found <- problem(object)
    if (!is.null(found)) return(found)
  }
  found_sound$description <- description
  NULL
}

are_distinct <- function(x) is.character(x) && !is.object(x) && !anyDuplicated(x)

rows_problem <- function(object) {
  if (is.null(object$statistics)) return(NULL)
  rows <- object$rows
  sound <- is.list(rows) && is.numeric(rows$read) && are_weights(as.double(rows$read), 1L) &&
    are_weights(rows$used, 1L)
  if (!sound) "its numbers of rows are gone"
}

spec_problem <- function(object) {
  spec <- object$spec
  if (identical(spec, found_sound$spec)) return(NULL)
  known <- inherits(spec, "bayesrisk_spec") && is.list(spec) && is_string(spec$structure) &&
    spec$structure %in% c("naive", "full", "blocks", "known")
  if (!known) return("its specification is gone")
  if (!is_made_again(remake_spec(unclass(spec)), spec)) return("its specification has lost a part")
  found_sound$spec <- spec
  NULL
}

remake_spec <- function(fields) {
  if (fields$structure == "known") return(remake_known(fields)$spec)
  likelihoods <- unique(c(fields[c("categorical", "numeric")], fields$features))
  if (!all(vapply(likelihoods, is_sound_likelihood, NA))) return(NULL)
  if (length(fields$blocks)) fields$blocks <- check_blocks(fields$blocks, NULL)
  do.call(make_spec, c(fields, list(call = NULL)), quote = TRUE)
}

remake_known <- function(spec) {
  do.call(bayes_known, c(list(prior = spec$prior), spec$features), quote = TRUE)
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
  if (!is_sound_formula(schema$formula, schema$response) || !is_flag(schema$unnamed)) {
    return("its formula does not fit its response")
  }
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

is_sound_formula <- function(formula, response) {
  if (is.null(formula)) return(is.null(response) || is_string(response))
  rlang::is_formula(formula, lhs = TRUE) && is_string(response) &&
    is_made_again(term_label(formula[[2L]]), response)
}

is_sound_feature <- function(feature) {
  if (!is.list(feature) || !is_string(feature$name) || !is_string(feature$type)) return(FALSE)
  made <- new_feature(
    feature$name, feature$type, feature$levels, feature$expression, feature$columns
  )
  if (!identical(made, feature[names(made)]) || !is_sound_term(feature)) return(FALSE)
  if (feature$kind == "numeric") {
    return(feature$type %in% c("double", "integer") && is.null(feature$levels))
  }
  # Only a factor can have declared NA as a level.
  factor <- feature$type %in% c("factor", "ordered")
  (factor || feature$type %in% c("character", "logical")) && are_distinct(feature$levels) &&
    (factor || !anyNA(feature$levels))
}

# A function of columns knows which; a column does not.
is_sound_term <- function(feature) {
  if (is.null(feature$expression)) return(is.null(feature$columns))
  is.call(feature$expression) && are_distinct(feature$columns) && !anyNA(feature$columns) &&
    all(feature$columns %in% all.vars(feature$expression))
}

# The plan follows from the specification and the schema; of numbers alone, so does the schema.
plan_problem <- function(object) {
  known <- object$spec$structure == "known"
  sound <- if (known) {
    parts <- c("schema", "plan")
    is_made_again(unclass(remake_known(object$spec))[parts], unclass(object)[parts])
  } else {
    is_made_again(build_plan(object$spec, object$schema, NULL), object$plan)
  }
  if (!sound) "its plan does not fit its specification and features"
}

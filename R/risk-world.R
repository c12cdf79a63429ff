# The world of a risk and the rules that decide in it. A rule that is a model is aligned to the
# world by the names of features, levels and classes. Searches along features count the normals of
# their densities first.

new_world <- function(object, prior, call = rlang::caller_env()) {
  check_no_bag(object, call)
  features <- object$schema$features
  kinds <- feature_kinds(object$schema)
  list(
    object = object, prior = prior, classes = object$schema$classes$levels,
    features = features, numeric = which(kinds == "numeric"),
    categorical = which(kinds == "categorical"),
    # A double, because the number of cells can exceed the largest integer.
    cells = prod(count_levels(features[kinds == "categorical"]))
  )
}

engine_world <- function(world) {
  list(
    model = engine_model(world$object, world$prior), numeric = world$numeric,
    categorical = world$categorical
  )
}

# A rule in the engine's format: list(model, feature, level, cost). A function stays a function,
# which each method treats in its own way. `cost`: in the order of the world's classes.
read_rule <- function(rule, world, cost, call) {
  if (is.function(rule)) return(rule)
  if (identical(rule, "prior")) return(own_rule(world, cost, sees = FALSE))
  if (identical(rule, "likelihood")) {
    weight <- world$object$statistics$classes$weight
    prior <- resolve_prior("uniform", world$classes, weight, call)
    return(own_rule(world, cost, prior))
  }
  if (is_model(rule)) return(align_rule(rule, world, cost, call))
  abort_argument(
    "{.arg rule} must be a model, a function of new data, {.val prior} or {.val likelihood},
     not {describe_value(rule)}.", call
  )
}

# The world's own model as a rule, with or without features, optionally with another prior.
own_rule <- function(world, cost, prior = world$prior, sees = TRUE) {
  places <- seq_along(world$features)
  if (!sees) places[] <- NA_integer_
  # A world has the densities of its model as they are.
  own <- world$object
  own$parameters$temper <- NULL
  new_rule(world, own, prior, places, cost)
}

new_rule <- function(world, object, prior, places, cost) {
  level <- Map(function(feature, place) {
    if (is.na(place)) return(integer())
    match(feature$levels, object$schema$features[[place]]$levels)
  }, world$features, places)
  list(
    model = engine_model(object, prior), feature = places, level = unname(level),
    cost = cost$fixed
  )
}

align_rule <- function(rule, world, cost, call) {
  features <- rule$schema$features
  lacking <- setdiff(names(features), names(world$features))
  if (length(lacking)) {
    abort_unknown(
      "{.arg rule} needs {.field {lacking}}, which {?is/are} no feature{?s} of {.arg object}.",
      lacking, setdiff(names(world$features), names(features)),
      "A rule can use the features of {.arg object} only.", call
    )
  }
  for (feature in features) check_rule_kind(feature, world$features[[feature$name]], call)
  numeric <- features_of_kind(rule$schema, "numeric")
  if (length(numeric) <= 2L) check_powers(rule, numeric, call)
  classes <- rule$schema$classes$levels
  headline <- cli::format_inline("{.arg rule} must have the classes of {.arg object}.")
  check_same_names(classes, world$classes, headline, call)
  places <- match(names(world$features), names(features))
  new_rule(world, rule, rule$parameters$prior, places, reorder_cost(cost, classes))
}

check_rule_kind <- function(feature, of_world, call) {
  if (feature$kind == of_world$kind) return(invisible())
  abort_argument(
    "{.arg rule} knows {.field {feature$name}} as {feature$kind}; {.arg object} knows it as
     {of_world$kind}.", call
  )
}

# The largest finite absolute cost. Errors are relative to it.
largest_cost <- function(cost) max(abs(cost$fixed[is.finite(cost$fixed)]), 0)

warn_accuracy <- function(accuracy, tolerance, call) {
  if (accuracy <= tolerance) return(invisible())
  got <- format(accuracy, digits = 2L)
  warn_bayesrisk(
    "The risk is accurate only within {got}, not within {format(tolerance, digits = 2L)}.",
    "accuracy", call
  )
}

# The largest number of normals in the density of each feature (given by position). Inf if the
# density is no sum of normals. `model`: in the engine's format.
count_normals <- function(model, places) {
  vapply(places, function(place) {
    holds <- which(vapply(model$banks, function(bank) place %in% bank$features, NA))
    bank <- model$banks[[holds]]
    as.double(record_of(bank)$normals(model$parameters[[holds]], match(place, bank$features)))
  }, 1)
}

# The limit of the number of normals per class along a line, because computing takes time.
most_line_normals <- 1e4

# One value per feature (given by position). `model`: in the engine's format.
is_long_sum <- function(model, places) {
  normals <- count_normals(model, places)
  is.finite(normals) & normals > most_line_normals
}

long_sums <- function(model, features) {
  places <- match(features, names(model$schema$features))
  features[is_long_sum(engine_model(model), places)]
}

check_short_sums <- function(model, features, call) {
  long <- long_sums(model, features)
  if (length(long) == 0L) return(invisible())
  bank <- held_feature(model, long[[1L]])$bank
  abort_argument(c(
    "{.field {long}} {?is/are} a sum of too many normals: cuts are computed for up to
     {most_line_normals} in a class.",
    i = if (!is.null(bank$points)) {
      "Fit again with at most {most_line_normals} {.arg points} in {.fn likelihood_{bank$type}}."
    }
  ), call)
}

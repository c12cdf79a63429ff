# Models and statistics: lists of plain vectors.

new_model <- function(x, parameters) {
  model <- list(
    spec = x$spec, schema = x$schema, plan = x$plan, statistics = x$statistics,
    parameters = parameters, rows = x$rows, version = package_version_string
  )
  class(model) <- c("bayesrisk_model", "bayesrisk_result")
  model
}

new_statistics <- function(spec, schema, plan, statistics, rows) {
  x <- list(
    spec = spec, schema = schema, plan = plan, statistics = statistics, rows = rows,
    version = package_version_string
  )
  class(x) <- c("bayesrisk_statistics", "bayesrisk_result")
  x
}

# Whether no row counts: see empty_statistics().
is_empty <- function(statistics) !length(statistics$schema$classes$levels)

# A model in the engine's format, with another prior if one is given.
engine_model <- function(object, prior = parameters$prior) {
  parts <- unclass(object)
  parameters <- parts$parameters
  list(
    banks = parts$plan$banks, parameters = parameters$banks, prior = prior,
    features = length(parts$schema$features), temper = engine_temper(parameters$temper),
    hyperparameters = parameters$hyperparameters
  )
}

# The bank of a feature, the parameters of this bank, and the position of the feature in the bank.
# NULL for a damaged model.
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

# The supports of the densities of features: see likelihood_record().
feature_supports <- function(model, features) {
  vapply(features, function(name) record_of(held_feature(model, name)$bank)$support, "")
}

holds_counts <- function(model, feature) feature_supports(model, feature) == "counts"

# Mean and standard deviation of a numeric feature in each class that has them (for a mixture, of
# each component).
class_moments <- function(model, name, call) {
  held <- held_feature(model, name)
  moments_of <- record_of(held$bank)$moments
  moments <- tryCatch(moments_of(held$bank, held$parameters, held$j), error = function(e) NULL)
  known <- is.finite(moments$mean) & is.finite(moments$sd)
  if (is.numeric(moments$mean) && any(known)) return(lapply(moments, `[`, known))
  abort_object(c(
    "The model is damaged: feature {.field {name}} has no mean and standard deviation.",
    i = "Fit it again, or read it again from where it was saved."
  ), call)
}

# The range of a numeric feature that the model knows: that of the data, if the parameters tell it.
known_range <- function(model, name, call) {
  record_of(held_feature(model, name)$bank)$range(class_moments(model, name, call))
}

# The exponents and constants of temper(): see model-temper.R.
engine_temper <- function(temper) {
  if (!is.null(temper)) list(power = unname(temper$power), offset = unname(temper$offset))
}

# How a model scores: see as_estimated().
estimates <- c("plugin", "predictive")

is_tempered <- function(model) !is.null(model$parameters$temper)

# The model of the other features, as if all bags of a case were missing: for plots.
without_bags <- function(model) {
  bags <- bags_of(model$schema$features)
  kept <- which(!vapply(model$plan$banks, function(bank) record_of(bank)$kind == "bag", NA))
  if (length(bags) == 0L) return(model)
  model$plan$banks <- model$plan$banks[kept]
  model$parameters$banks <- model$parameters$banks[kept]
  power <- model$parameters$temper$power
  if (!is.null(power)) model$parameters$temper$power <- power[setdiff(names(power), bags)]
  notes <- model$parameters$notes
  about <- notes$bank %in% kept
  model$parameters$notes <- lapply(notes, `[`, about)
  model$parameters$notes$bank <- match(notes$bank[about], kept)
  model
}

# A known model with the numbers of cases behind it, as a fitted model.

check_class_counts <- function(n, classes, call) {
  n <- check_numbers(n, "n", min = 0, call = call)
  check_named_by_class(n, "n", call)
  n <- unname(n[match_names(names(n), classes, "n", call = call)])
  if (all(n > 0)) return(n)
  abort_argument("{.arg n} must be positive: leave a class without cases out.", call)
}

# The statistics from which the parameters of the model would be estimated, and the estimate.
counted_model <- function(model, n, call) {
  schema <- model$schema
  for (bank in model$plan$banks) {
    if (is.null(record_of(bank)$recount)) abort_uncounted(bank, schema, call)
  }
  spec <- counted_spec(model, n, call)
  plan <- build_plan(spec, schema, call)
  places <- vapply(model$plan$banks, function(b) toString(b$features), "")
  at <- match(vapply(plan$banks, function(b) toString(b$features), ""), places)
  divisor <- if (spec$numeric$variance == "ml") n else n - 1
  banks <- Map(function(bank, parameters) {
    record_of(bank)$recount(parameters, n, divisor)
  }, model$plan$banks[at], model$parameters$banks[at])
  statistics <- list(classes = list(weight = n, rows = n), banks = unname(banks))
  rows <- list(read = sum(n), used = sum(n))
  tryCatch(
    without_class_report(
      estimate_model(new_statistics(spec, schema, plan, statistics, rows), call)
    ),
    bayesrisk_error_degenerate = function(e) abort_few(e, call),
    bayesrisk_warning_degenerate = function(w) abort_few(w, call)
  )
}

abort_few <- function(condition, call) {
  abort_argument("{.arg n} is too small for these parameters.", call, parent = condition)
}

abort_uncounted <- function(bank, schema, call) {
  names <- names(schema$features)[bank$features]
  abort_argument(c(
    "{.arg n} does not determine the statistics of {.field {names}}.",
    i = "Counts follow from tables, histograms and exact values, sums of squares from Gaussians."
  ), call)
}

# The specification whose estimates the parameters are.
counted_spec <- function(model, n, call) {
  prior <- unname(model$spec$prior)
  banks <- model$plan$banks
  joint <- Filter(is_joint, banks)
  names <- names(model$schema$features)
  blocks <- lapply(joint, function(bank) names[bank$features])
  names(blocks) <- vapply(joint, `[[`, "", "name")
  given <- model$spec$features
  gaussians <- Filter(function(l) l$name == "gaussian", given)
  full <- length(joint) == length(banks) && all(vapply(joint, function(bank) {
    bank$name == record_of(bank)$kind
  }, NA))
  structure <- if (!length(joint)) "naive" else if (full) "full" else "blocks"
  others <- Filter(function(l) !l$name %in% c("gaussian", "categorical"), given)
  new_spec(
    structure,
    blocks = if (structure == "blocks") blocks else list(),
    numeric = likelihood_gaussian(one_setting(gaussians, "variance", "unbiased", call)),
    features = if (length(others)) lapply(others, without_given) else list(),
    covariance = shared_covariance(gaussians, call),
    prior = if (max(abs(prior - n / sum(n))) > 1e-8) model$spec$prior
  )
}

without_given <- function(likelihood) {
  settings <- unclass(likelihood)[-1L]
  settings[unique(unlist(record_of(likelihood)$given))] <- list(NULL)
  new_likelihood(likelihood$name, settings)
}

# The setting that all likelihoods have.
one_setting <- function(likelihoods, setting, default, call) {
  values <- unique(vapply(likelihoods, `[[`, "", setting))
  if (length(values) > 1L) {
    abort_argument("With {.arg n}, {.arg {setting}} must be the same in all features.", call)
  }
  if (length(values)) values else default
}

shared_covariance <- function(gaussians, call) {
  blocks <- Filter(function(l) !is.null(l$covariance), gaussians)
  kinds <- unique(vapply(blocks, function(l) {
    if (is.list(l$covariance)) "class" else "pooled"
  }, ""))
  if (length(kinds) > 1L) {
    abort_argument(
      "With {.arg n}, either all blocks have one covariance for all classes, or none has.", call
    )
  }
  if (length(kinds)) kinds else "class"
}

# From statistics to parameters: the settings of each bank, the prior, the model.

# A model estimated by a specification other than the one that the statistics were collected for.
estimate_by <- function(spec, x, call, threads = 1L) {
  collected <- x$spec
  x$spec <- name_positional(spec, x$schema)
  check_collected_for(x, collected, call)
  estimate_model(x, call, threads)
}

# A model from statistics: an object of class bayesrisk_statistics. Estimates of Gaussian blocks
# with missing values use `threads`.
estimate_model <- function(x, call, threads = 1L) {
  x <- unclass(x)
  schema <- x$schema
  class_weight <- x$statistics$classes$weight
  if (!any(class_weight > 0)) abort_empty_data(call)
  spec <- unclass(x$spec)
  options <- estimate_options(x$spec, schema, x$plan, call)
  prior <- resolve_prior(spec$prior, schema$classes$levels, class_weight, call)
  estimate <- call_engine(estimate_cpp(
    x$plan$banks, length(schema$classes$levels), length(schema$features), x$statistics, options,
    if (is.null(prior)) numeric() else prior, spec$degenerate == "pool", threads
  ), call)
  check_estimate_problems(estimate$diagnostics, x, call)
  notes <- estimate_notes(estimate$diagnostics)
  warn_degenerate(notes, schema, x$plan, max(class_weight) <= 1, call)
  report_class_rows(schema, class_weight, call)
  model <- new_model(x, list(
    prior = estimate$prior, banks = estimate$banks,
    log_likelihood = estimate$log_likelihood, parameter_count = estimate$parameter_count,
    notes = notes
  ))
  mark_sound(model, "model")
}

# The options of each bank. A feature must have a level.
estimate_options <- function(spec, schema, plan, call) {
  known_value("options", list(spec, schema, plan), function() {
    check_feature_levels(schema, call)
    lapply(plan$banks, function(bank) {
      bank_options(
        bank, spec, features_at(schema$features, bank$features), schema$classes$levels, call
      )
    })
  })
}

# Other settings of the same likelihood can use the same statistics; another likelihood cannot. The
# plan does not depend on the smoothing of tables or the prior, so no plan is built if only these
# change.
check_collected_for <- function(x, collected, call) {
  planned <- c("structure", "blocks", "numeric", "features", "joint", "bag", "missing")
  same <- identical(unclass(x$spec)[planned], unclass(collected)[planned]) &&
    x$spec$categorical$name == collected$categorical$name
  if (same || identical(build_plan(x$spec, x$schema, call)$banks, x$plan$banks)) {
    return(invisible())
  }
  asked <- spec_sentence(x$spec)
  abort_argument(c(
    "The statistics were collected for other likelihoods, other bins or points, or another
     {.arg missing}: fit again.",
    x = "Asked for: {asked}"
  ), call)
}

check_feature_levels <- function(schema, call) {
  bare <- kinds_of(schema$features) == "categorical"
  if (any(bare)) bare[bare] <- count_levels(schema$features[bare]) == 0L
  if (any(bare)) {
    abort_data(c(
      "{.field {names(schema$features)[bare]}} {?has/have} no level: every value is missing.",
      i = paste(
        "Leave {cli::qty(sum(bare))}{?it/them} out,",
        "or declare the levels with {.code factor(levels = )}."
      )
    ), call)
  }
}

# Says which classes have no rows. A single class with rows is nearly always a mistake.
report_class_rows <- function(schema, class_weight, call) {
  some <- class_weight > 0
  classes <- schema$classes$levels
  if (sum(some) == 1L) {
    warn_bayesrisk(c(
      "All rows have the class {.val {classes[some]}}: the model predicts no other.",
      i = paste("Check the column of the class,", one_class_remedy)
    ), "one_class", call)
  } else if (!all(some)) {
    empty <- classes[!some]
    inform_bayesrisk(
      "The class{?/es} {.val {empty}} {?has/have} no rows: prior 0, posterior 0.",
      "empty_class"
    )
  }
}

one_class_remedy <- paste(
  "{.arg subset} and {.arg weights}. {.fn update} adds rows of other classes;",
  "{.fn bayes_statistics} collects parts of the data without a model."
)

# For work on rows whose classes were reported before.
without_class_report <- function(expr) {
  suppressWarnings(
    suppressMessages(expr, classes = "bayesrisk_message_empty_class"),
    classes = "bayesrisk_warning_one_class"
  )
}

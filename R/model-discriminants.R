# The discriminant coordinates of a model, or the reason why it has none.

# The result of discriminants_cpp(), named. `arg`: the caller's name for the model.
find_discriminants <- function(model, prior, tolerance, arg, call) {
  if (is_predictive(model)) {
    abort_argument(c(
      "Predictive distributions have no discriminant coordinates.",
      i = "Take {.code estimate = \"plugin\"}."
    ), call)
  }
  found <- call_engine(discriminants_cpp(engine_model(model, prior), tolerance), call)
  names <- names(model$schema$features)
  if (length(found$unpooled)) abort_unpooled(model, names[found$unpooled], arg, call)
  if (!length(found$features)) abort_no_gaussian(model, arg, call)
  if (!length(found$between)) abort_no_separation(model, prior, tolerance, arg, call)
  labels <- list(
    feature = names[found$features], class = model$schema$classes$levels,
    coordinate = paste0("LD", seq_along(found$between))
  )
  dimnames(found$scaling) <- labels[c("feature", "coordinate")]
  dimnames(found$mean) <- labels[c("class", "coordinate")]
  found
}

abort_unpooled <- function(model, features, arg, call) {
  joint <- unlist(lapply(Filter(is_joint, model$plan$banks), `[[`, "features"))
  in_block <- any(features %in% names(model$schema$features)[joint])
  pooled <- "Fit one covariance for all classes: {.code covariance = \"pooled\"}."
  if (!in_block && model$spec$structure != "full") {
    pooled <- "Fit one variance for all classes, {.code likelihood_gaussian(pooled = TRUE)}, or one
               covariance, {.code bayes_full(covariance = \"pooled\")}."
  }
  abort_argument(c(
    paste(
      "{.arg {arg}} has no discriminant coordinates: the",
      if (in_block) "covariance" else "variance",
      "of {.field {some_of(features, 5L)}} differs between the classes."
    ),
    i = if (model$spec$structure == "known") {
      "Give one {.arg covariance}, or one {.arg sd}, for all classes."
    } else {
      pooled
    }
  ), call)
}

abort_no_gaussian <- function(model, arg, call) {
  left_out <- length(features_of_kind(model$schema, "numeric")) > 0L
  abort_argument(c(
    "{.arg {arg}} has no Gaussian features that vary, so it has no discriminant coordinates.",
    i = if (left_out) {
      "Coordinates are those of {.code bayes_full(covariance = \"pooled\")}."
    } else {
      "Categorical features have no coordinates; {.fn contributions} shows their part."
    }
  ), call)
}

abort_no_separation <- function(model, prior, tolerance, arg, call) {
  possible <- model$schema$classes$levels[prior > 0]
  if (length(possible) < 2L) {
    abort_argument(
      "{.arg {arg}} has one class, {.val {possible}}: discriminant coordinates separate two or
       more.", call
    )
  }
  abort_argument(c(
    "{.arg {arg}} has no discriminant coordinates: the means of all classes are equal, or too far
     apart for doubles.",
    i = if (tolerance > 0) "{.code tolerance = 0} keeps all directions of the features."
  ), call)
}

# The proportion of the trace of each coordinate.
trace_shares <- function(found) found$between^2 / sum(found$between^2)

# From new data to the log joints and the posterior probabilities, as stages: see
# source-db-stages.R.

# The stages up to the log joints. Further columns of the last stage:
# * l<k>: the log joint of class k; NULL if the class is impossible;
# * top: the largest of them; NULL if every class is impossible;
# * infinite: 1 for a row with an infinite number;
# * unknown: the number of features whose level the model does not know.
# In the result, `possible`: the classes that have a prior and parameters; `covered`: a condition
# on rows, NULL for no condition. The text has no log joints of other rows.
joint_stages <- function(model, source, request, call) {
  stages <- list(source = source, dialect = source$dialect, with = character(), call = call)
  schema <- model$schema
  numeric <- feature_kinds(schema) == "numeric"
  raw <- column_in(stages, ifelse(numeric, "r", "x"), seq_along(schema$features))
  x <- column_in(stages, "x", seq_along(schema$features))
  check_column_count(source, length(raw), call)
  read <- new_data_columns(schema, source, call)
  stages <- add_stage(stages, stats::setNames(read, raw), fence = FALSE)
  banks <- model$plan$banks
  scores <- Map(function(bank, parameters) {
    log_density_text(bank, parameters, bank_language(
      x[bank$features], raw[bank$features], unname(schema$features[bank$features]), source,
      request$whole, block_patterns(bank, raw[bank$features], stages), call
    ))
  }, banks, model$parameters$banks)
  guarded <- guarded_columns(stages, raw, x, numeric, banks, scores, schema)
  stages <- add_stage(stages, guarded, kept = c(db_name(source$names, source), x[!numeric]))
  depth <- max(0L, lengths(lapply(scores, `[[`, "stages")))
  for (i in seq_len(depth)) {
    stages <- add_stage(stages, unlist(lapply(scores, function(score) {
      if (i <= length(score$stages)) score$stages[[i]]
    })))
  }
  add_joints(stages, scores, request$prior, length(schema$classes$levels))
}

# Room is left for the columns of the later stages.
check_column_count <- function(source, features, call) {
  most <- source$dialect$columns - 100L
  if (length(source$names) + features <= most) return(invisible())
  abort_argument(c(
    "The database keeps {source$dialect$columns} columns in a query. The table has
     {length(source$names)}, and the model {features} feature{?s}.",
    i = "Select the columns that the model needs, or predict the rows in blocks, by
         {.fn query_chunks}."
  ), call)
}

# Numbers outside the ranges of their likelihoods become NULL, and their rows impossible.
guarded_columns <- function(stages, raw, x, numeric, banks, scores, schema) {
  inside <- rep(NA_character_, length(raw))
  for (b in seq_along(banks)) {
    if (!is.null(scores[[b]]$range)) inside[banks[[b]]$features] <- scores[[b]]$range
  }
  guard <- sprintf("CASE WHEN %s THEN %s END", inside, raw)[numeric]
  any_of <- function(conditions) sprintf("CASE WHEN %s THEN 1 ELSE 0 END", db_any(conditions))
  largest <- stages$dialect$number(.Machine$double.xmax)
  unknown <- vapply(which(!numeric), function(j) {
    levels <- stats::na.omit(schema$features[[j]]$levels)
    exact <- stages$dialect$exact
    known <- toString(exact(db_text(levels, stages$source)))
    # ClickHouse takes NULL for a value that is not in the list.
    sprintf("CASE WHEN %s IS NOT NULL AND %s NOT IN (%s) THEN 1 ELSE 0 END", x[[j]], exact(x[[j]]),
            known)
  }, "")
  c(
    stats::setNames(guard, x[numeric]),
    stats::setNames(
      c(any_of(sprintf("ABS(%s) > %s", raw[numeric], largest)),
        any_of(sprintf("NOT (%s)", inside[numeric])), sum_text(unknown)),
      column_in(stages, c("infinite", "outside", "unknown"))
    )
  )
}

# Adds the log joints and the largest of them.
add_joints <- function(stages, scores, prior, classes) {
  terms <- lapply(seq_len(classes), function(k) {
    vapply(scores, function(score) score$terms[[k]], "", USE.NAMES = FALSE)
  })
  lacking <- vapply(terms, function(x) any(x == "NULL"), NA)
  stages$possible <- which(prior > 0 & !lacking)
  # A number outside its range is in no pattern, and makes the row impossible.
  covered <- unlist(lapply(scores, `[[`, "covered"))
  stages$covered <- paste(covered, "OR", column_in(stages, "outside"), "= 1", recycle0 = TRUE)
  stages$classes <- classes
  joints <- vapply(stages$possible, function(k) {
    sum <- sum_text(c(stages$dialect$number(log(prior[[k]])), sprintf("(%s)", terms[[k]])))
    sprintf("CASE WHEN %s = 0 THEN %s END", column_in(stages, "outside"), sum)
  }, "")
  stages <- add_stage(stages, stats::setNames(joints, column_in(stages, "l", stages$possible)))
  l <- column_in(stages, "l", stages$possible)
  floored <- sprintf("COALESCE(%s, %s)", l, stages$dialect$number(lowest_joint))
  top <- sprintf(
    "CASE WHEN %s THEN %s END", db_any(paste(l, "IS NOT NULL")),
    db_extreme(floored, stages$dialect$greatest)
  )
  add_stage(stages, stats::setNames(top, column_in(stages, "top")))
}

# Below every log joint.
lowest_joint <- -1.7e308

# Adds w<k>, the weight of class k relative to the most probable one, and their sum.
add_weights <- function(stages) {
  top <- column_in(stages, "top")
  l <- column_in(stages, "l", stages$possible)
  w <- column_in(stages, "w", stages$possible)
  weight <- sprintf(
    "CASE WHEN %s IS NULL THEN NULL WHEN %s - %s > -700 THEN EXP(%s - %s) ELSE 0e0 END",
    top, l, top, l, top
  )
  stages <- add_stage(stages, stats::setNames(weight, w))
  add_stage(stages, stats::setNames(sum_text(w), column_in(stages, "sum")))
}

# The posterior probabilities of all classes; NULL for a row without a posterior.
posterior_columns <- function(stages) {
  value <- rep(
    sprintf("CASE WHEN %s IS NULL THEN NULL ELSE 0e0 END", column_in(stages, "top")),
    stages$classes
  )
  replace(value, stages$possible, sprintf(
    "%s / %s", column_in(stages, "w", stages$possible), column_in(stages, "sum")
  ))
}

# The first class whose log joint ties with the largest one.
first_class <- function(stages, labels) {
  top <- column_in(stages, "top")
  l <- column_in(stages, "l", stages$possible)
  values <- db_text(labels, stages$source)[stages$possible]
  db_first(sprintf("%s >= %s - %s", l, top, joint_band(stages)), values)
}

# The tolerance of a tie of log joints.
joint_band <- function(stages) {
  d <- stages$dialect
  sprintf("%s * %s(%s, ABS(%s))", d$number(1e-12), d$greatest, d$number(1),
          column_in(stages, "top"))
}

# From a query of new data to the log joints and posterior probabilities, as stages: queries of
# which each reads the one before. A fence between two stages keeps the optimiser from writing an
# expression of one stage again wherever the next stage uses its column. Stages stand side by side
# in a WITH, because dozens of queries inside each other overflow some parsers.

# `source`: see db_source(). The columns of the stages begin with a prefix that no other column has.
new_stages <- function(source, call) {
  prefix <- "bayes_"
  while (any(startsWith(tolower(source$names), prefix))) prefix <- paste0(prefix, "x_")
  list(source = source, dialect = source$dialect, prefix = prefix, with = character(), call = call)
}

column_in <- function(stages, ...) paste0(stages$prefix, ..., recycle0 = TRUE)

# Adds columns, named by their names. `kept`: the columns of the stage before that stay.
add_stage <- function(stages, columns, fence = TRUE, kept = "*") {
  if (!length(columns)) return(stages)
  query <- stage_query(stages, c(kept, columns))
  if (fence) query <- stages$dialect$fence(query)
  name <- column_in(stages, "s", length(stages$with) + 1L)
  stages$with[[name]] <- query
  stages
}

# A query of the last stage. `columns`: expressions, named by the name in the result.
stage_query <- function(stages, columns) {
  names <- if (is.null(names(columns))) rep("", length(columns)) else names(columns)
  text <- ifelse(nzchar(names), paste(columns, "AS", names), columns)
  last <- length(stages$with)
  from <- if (last == 0L) {
    db_sub(stages$source$query, column_in(stages, "q"))
  } else if (stages$dialect$nested) {
    db_sub(stages$with[[last]], names(stages$with)[[last]])
  } else {
    names(stages$with)[[last]]
  }
  db_select(text, from)
}

# The whole query.
finish_stages <- function(stages, columns) {
  query <- stage_query(stages, columns)
  if (!length(stages$with) || stages$dialect$nested) return(query)
  with <- paste0(names(stages$with), " AS (", stages$with, ")", collapse = ",\n")
  paste0("WITH ", with, "\n", query)
}

# The stages up to the log joints. Further columns of the last stage:
# * l<k>: the log joint of class k; NULL if the class is impossible;
# * top: the largest of them; NULL if every class is impossible;
# * infinite: 1 for a row with an infinite number;
# * unknown: the number of features whose level the model does not know.
# `possible` in the result: the classes that have a prior and parameters.
joint_stages <- function(model, source, ask, call) {
  stages <- new_stages(source, call)
  schema <- model$schema
  numeric <- feature_kinds(schema) == "numeric"
  raw <- column_in(stages, ifelse(numeric, "r", "x"), seq_along(schema$features))
  x <- column_in(stages, "x", seq_along(schema$features))
  check_column_count(source, length(raw), call)
  read <- new_data_columns(schema, source, call)
  stages <- add_stage(stages, stats::setNames(read, raw), fence = FALSE)
  banks <- model$plan$banks
  scores <- Map(function(bank, parameters) {
    score_bank(bank, parameters, new_score_ask(
      x[bank$features], unname(schema$features[bank$features]), source, ask$whole,
      block_patterns(bank, raw[bank$features], stages), call
    ))
  }, banks, model$parameters$banks)
  guarded <- guarded_columns(stages, raw, x, numeric, banks, scores, schema)
  stages <- add_stage(stages, guarded, kept = c(db_name(source$names, source$con), x[!numeric]))
  depth <- max(0L, lengths(lapply(scores, `[[`, "stages")))
  for (i in seq_len(depth)) {
    stages <- add_stage(stages, unlist(lapply(scores, function(score) {
      if (i <= length(score$stages)) score$stages[[i]]
    })))
  }
  add_joints(stages, scores, ask$prior, length(schema$classes$levels))
}

# Room is left for the columns of the later stages.
check_column_count <- function(source, features, call) {
  most <- source$dialect$columns - 100L
  if (length(source$names) + features <= most) return(invisible())
  abort_argument(c(
    "The database keeps {source$dialect$columns} columns in a query. The table has
     {length(source$names)}, and the model {features} feature{?s}.",
    i = "Select the columns that the model needs, or read the rows by {.fn dplyr::collect}."
  ), call)
}

# Numbers outside the ranges of their likelihoods become NULL, and their rows impossible.
guarded_columns <- function(stages, raw, x, numeric, banks, scores, schema) {
  ranges <- rep(NA_character_, length(raw))
  for (b in seq_along(banks)) {
    if (!is.null(scores[[b]]$range)) ranges[banks[[b]]$features] <- scores[[b]]$range
  }
  inside <- mapply(gsub, "{x}", raw, ranges, fixed = TRUE, USE.NAMES = FALSE)
  guard <- sprintf("CASE WHEN %s THEN %s END", inside, raw)[numeric]
  any_of <- function(conditions) sprintf("CASE WHEN %s THEN 1 ELSE 0 END", db_any(conditions))
  largest <- stages$dialect$number(.Machine$double.xmax)
  unknown <- vapply(which(!numeric), function(j) {
    levels <- stats::na.omit(schema$features[[j]]$levels)
    known <- paste(db_text(levels, stages$source$con), collapse = ", ")
    sprintf("CASE WHEN %s NOT IN (%s) THEN 1 ELSE 0 END", x[[j]], known)
  }, "")
  c(
    stats::setNames(guard, x[numeric]),
    stats::setNames(
      c(any_of(sprintf("ABS(%s) > %s", raw[numeric], largest)),
        any_of(sprintf("NOT (%s)", inside[numeric])), db_sum(unknown)),
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
  stages$classes <- classes
  joints <- vapply(stages$possible, function(k) {
    sum <- db_sum(c(stages$dialect$number(log(prior[[k]])), sprintf("(%s)", terms[[k]])))
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
  add_stage(stages, stats::setNames(db_sum(w), column_in(stages, "sum")))
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

# Moves statistics to another schema. Classes and levels are united by name. Features may be
# dropped or reordered.

# `plan`: the plan of `spec` and `schema`.
realign_statistics <- function(x, schema, spec, plan, call) {
  if (identical(plan, x$plan) && identical(schema, x$schema)) return(x)
  mapping <- list(
    group = zero_based(x$schema$classes$levels, schema$classes$levels),
    feature = zero_based(names(x$schema$features), names(schema$features)),
    level = lapply(x$schema$features, function(feature) {
      target <- schema$features[[feature$name]]
      zero_based(feature$levels, if (is.null(target)) feature$levels else target$levels)
    })
  )
  bank <- vapply(x$plan$banks, moved_bank, 1L, mapping$feature, plan)
  check_moved_types(x, plan, bank, call)
  statistics <- call_engine(realign_statistics_cpp(
    x$plan$banks, length(x$schema$classes$levels), x$statistics, plan$banks,
    length(schema$classes$levels), length(schema$features), mapping, bank
  ), call)
  new_statistics(spec, schema, plan, statistics, x$rows)
}

# A bag of numbers and one of TRUE and FALSE may have different likelihoods.
check_moved_types <- function(x, plan, bank, call) {
  for (b in which(bank >= 0L)) {
    old <- x$plan$banks[[b]]
    new <- plan$banks[[bank[[b]] + 1L]]
    if (old$type == new$type) next
    abort_argument(c(
      "The parts have different likelihoods of {.field {names(x$schema$features)[old$features]}}:
       {.val {c(old$type, new$type)}}.",
      i = "A bag of {.code TRUE} and {.code FALSE} is no bag of numbers: give both parts the same."
    ), call)
  }
}

# The new bank of the features of an old bank, counted from 0; -1 if all features are dropped.
moved_bank <- function(bank, feature, plan) {
  kept <- feature[bank$features]
  kept <- kept[kept >= 0L] + 1L
  holds <- vapply(plan$banks, function(b) any(kept %in% b$features), NA)
  match(TRUE, holds, nomatch = 0L) - 1L
}

# Positions counted from 0; -1 for dropped entries.
zero_based <- function(x, table) match(x, table, nomatch = 0L) - 1L

# The schema that covers both parts: the order of the first part, then the new entries.
unite_schemas <- function(first, second, call) {
  features <- names(first$features)
  apart <- c(setdiff(features, names(second$features)), setdiff(names(second$features), features))
  if (length(apart)) abort_argument("The parts differ in the feature{?s} {.field {apart}}.", call)
  first$features <- lapply(first$features, unite_feature, second = second$features, call = call)
  first$classes <- unite_labels(first$classes, second$classes)
  first
}

unite_feature <- function(feature, second, call) {
  other <- second[[feature$name]]
  if (feature$kind != other$kind) {
    abort_argument(
      paste(
        "Feature {.field {feature$name}} is {feature$kind} in one part",
        "and {other$kind} in the other."
      ),
      call
    )
  }
  check_same_term(feature, other, call)
  if (feature$kind == "bag") check_terms_unite(feature, other, abort_argument, call)
  if (feature$kind != "numeric") return(unite_labels(feature, other))
  if (feature$type != other$type) feature$type <- "double"
  if (is.null(feature$bins)) return(feature)
  feature$bins <- unite_bins(feature$bins, other$bins, feature$name, call)
  feature
}

# Features of the same label may still be computed in different ways.
check_same_term <- function(feature, other, call) {
  parts <- c("expression", "columns", "values")
  if (identical(rlang::zap_srcref(feature[parts]), rlang::zap_srcref(other[parts]))) {
    return(invisible())
  }
  abort_argument(c(
    "Feature {.field {feature$name}} is not computed in the same way in both parts.",
    x = "One part: {.code {term_text(feature)}}.", x = "The other: {.code {term_text(other)}}."
  ), call)
}

# A function of columns, and how its columns and values are known.
term_text <- function(feature) {
  if (is.null(feature$expression)) return(paste("the column", feature$name))
  values <- vapply(feature$values, text_of_code, "")
  named <- c(sprintf("%s = %s", names(values), values), sprintf("%s: a column", feature$columns))
  paste0(text_of_code(feature$expression), ", ", paste(named, collapse = ", "))
}

# Declared levels keep their order. Levels that the fit sorted stay sorted.
unite_labels <- function(first, second) {
  levels <- union(first$levels, second$levels)
  if (first$type != second$type) first$type <- if (is_bag_type(first$type)) "bag" else "factor"
  first$levels <- switch(first$type,
    character = , logical = sort(levels, method = "radix"),
    integer = levels[order(as.numeric(levels))],
    levels
  )
  first
}

merge_statistics <- function(x, y, call) {
  schema <- unite_schemas(x$schema, y$schema, call)
  plan <- if (identical(schema, x$schema)) x$plan else build_plan(x$spec, schema, call)
  x <- realign_statistics(x, schema, x$spec, plan, call)
  y <- realign_statistics(y, schema, x$spec, plan, call)
  statistics <- call_engine(merge_statistics_cpp(
    plan$banks, length(schema$classes$levels), length(schema$features), x$statistics, y$statistics
  ), call)
  rows <- Map(`+`, lapply(x$rows, as.double), y$rows)
  new_statistics(x$spec, schema, plan, statistics, rows)
}

# Statistics whose rows count less by the weight of the new rows.
forget_rows <- function(statistics, more, forget, call) {
  if (forget == 1) return(statistics)
  factor <- forget^sum(more$statistics$classes$weight)
  statistics$statistics <- call_engine(scale_statistics_cpp(
    statistics$plan$banks, length(statistics$schema$classes$levels),
    length(statistics$schema$features), statistics$statistics, factor
  ), call)
  statistics
}

# The statistics inside a model, as an object of their own.
model_statistics <- function(model, call) {
  check_not_axed(model, call)
  if (is.null(model$statistics)) {
    abort_argument(c(
      "This model has no statistics: {.fn bayes_known} makes it from numbers, without {.arg n}.",
      i = "Its prior can be changed: {.code update(model, prior = )}."
    ), call)
  }
  new_statistics(model$spec, model$schema, model$plan, model$statistics, model$rows)
}

# A model that was fitted remembers its rows, also without statistics.
check_not_axed <- function(model, call) {
  if (is.null(model$rows) || !is.null(model$statistics)) return(invisible())
  abort_argument(
    "The statistics of this model were taken away, for example by {.fn butcher}.", call
  )
}

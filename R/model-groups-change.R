# Changes of the models of groups: more rows, other settings, and one model of all groups.

#' @rdname bayesrisk_models
#' @export
update.bayesrisk_models <- function(object, moredata = NULL, weights, subset,
                                    na.action = stats::na.pass, # nolint: object_name_linter.
                                    forget = 1, half_life = NULL, ...,
                                    threads = default_threads()) {
  call <- rlang::current_env()
  object <- check_groups(object, call, "object")
  forget <- check_forget(forget, half_life, call)
  threads <- check_threads(threads, call)
  check_no_keys(..., call = call)
  changes <- rlang::dots_list(..., .homonyms = "keep", .ignore_empty = "none")
  if ("temper" %in% names(changes)) object <- groups_without_temper(object, changes, call)
  changes$temper <- NULL
  statistics <- groups_of_models(object)
  changed <- length(changes) > 0L
  if ("pool" %in% names(changes)) {
    attr(statistics, "pool") <- list(rule = check_pool(changes$pool, attr(object, "by"), call))
    changes$pool <- NULL
  }
  if (!is.null(moredata)) {
    schema <- attr(object, "schema")
    request <- fit_request(
      schema$formula, rlang::enquo(weights), rlang::enquo(subset), na.action,
      threads, schema, by = attr(object, "by"), spec = attr(object, "spec")
    )
    more <- collect_more(moredata, request, call)
    if (is.null(more) && !changed) return(object)
    if (!is.null(more)) {
      statistics <- merge_groups(forget_groups(statistics, more, forget, call), more, call)
    }
  } else {
    check_no_row_arguments(rlang::enquo(weights), rlang::enquo(subset), NULL, call)
    check_no_forgetting(forget, call)
  }
  if (length(changes)) {
    collected <- attr(statistics, "spec")
    attr(statistics, "spec") <- name_positional(
      update_spec(collected, changes, call), attr(statistics, "schema")
    )
    check_collected_for(group_statistics(statistics, 1L), collected, call)
  }
  keep_group_temper(estimate_groups(statistics, call, threads), list(object))
}

groups_without_temper <- function(models, changes, call) {
  check_no_temper(changes, call)
  parts <- unclass(models)
  parts[] <- lapply(parts, untempered)
  structure(parts, class = class(models))
}

tempered_groups <- function(models) which(vapply(unclass(models), is_tempered, NA))

# The models with the exponents that their groups had in others: see keep_temper(). The first of
# `others` that has exponents for a group counts.
keep_group_temper <- function(models, others) {
  others <- Filter(function(other) length(tempered_groups(other)), others)
  if (!length(others)) return(models)
  tell_old_exponents()
  parts <- unclass(models)
  for (other in rev(others)) {
    at <- match_keys(attr(models, "keys"), attr(other, "keys"))
    for (i in which(at %in% tempered_groups(other))) {
      kept <- move_temper(group_model(models, i), group_model(other, at[[i]]))
      parts[[i]]$parameters <- kept$parameters
    }
  }
  structure(parts, class = class(models))
}

# The keys of models cannot change. `by` is not evaluated, because it names columns.
check_no_keys <- function(..., call) {
  if (!"by" %in% ...names()) return(invisible())
  abort_argument(c(
    "{.arg by} cannot change: the models keep their keys.",
    i = "Leave {.arg by} out, or {.fn fit} again with other keys."
  ), call)
}

groups_of_models <- function(models) {
  parts <- lapply(unclass(models), `[`, c("statistics", "rows"))
  grouped_statistics(
    parts, attr(models, "spec"), attr(models, "schema"), attr(models, "plan"), attr(models, "by"),
    attr(models, "keys"), attr(models, "pool")
  )
}

# The rows of a group count less by the weight of its own new rows.
forget_groups <- function(groups, more, forget, call) {
  if (forget == 1) return(groups)
  parts <- unclass(groups)
  at <- match_keys(attr(groups, "keys"), attr(more, "keys"))
  for (i in which(at > 0L)) {
    kept <- forget_rows(group_statistics(groups, i), group_statistics(more, at[[i]]), forget, call)
    parts[[i]]$statistics <- kept$statistics
  }
  structure(parts, class = class(groups))
}

# Unites the statistics of groups with the same key. Keys, classes and levels are united by name.
merge_groups <- function(x, y, call) {
  spec <- attr(x, "spec")
  schema <- unite_schemas(attr(x, "schema"), attr(y, "schema"), call)
  plan <- build_plan(spec, schema, call)
  keys <- unite_keys(x, y)
  check_group_labels(keys, call)
  at <- lapply(list(x, y), function(groups) match_keys(keys, attr(groups, "keys")))
  parts <- lapply(seq_len(nrow(keys)), function(i) {
    found <- Map(function(groups, at) {
      if (at[[i]]) realign_statistics(group_statistics(groups, at[[i]]), schema, spec, plan, call)
    }, list(x, y), at)
    found <- Filter(Negate(is.null), found)
    Reduce(function(a, b) merge_statistics(a, b, call), found)[c("statistics", "rows")]
  })
  grouped_statistics(parts, spec, schema, plan, attr(x, "by"), keys, attr(x, "pool"))
}

# The keys of both, sorted by their levels.
unite_keys <- function(x, y) {
  both <- Map(function(first, second, term, other) {
    levels <- unite_labels(
      list(levels = levels(first), type = term$type),
      list(levels = levels(second), type = other$type)
    )$levels
    factor(c(as.character(first), as.character(second)), levels)
  }, attr(x, "keys"), attr(y, "keys"), attr(x, "by"), attr(y, "by"))
  keys <- as.data.frame(both, optional = TRUE)
  keys <- unique(keys[do.call(order, unname(keys)), , drop = FALSE])
  row.names(keys) <- NULL
  keys
}

#' @rdname bayesrisk_models
#' @export
merge.bayesrisk_models <- function(x, y, ...) {
  call <- check_no_dots(...)
  x <- check_groups(x, call)
  if (!missing(y)) {
    y <- check_groups(y, call, "y")
    check_same_keys(x, y, call)
    check_same_pool(x, y, call)
    merged <- merge_groups(groups_of_models(x), groups_of_models(y), call)
    return(keep_group_temper(estimate_groups(merged, call), list(x, y)))
  }
  if (length(tempered_groups(x))) {
    inform_bayesrisk(c(
      "The model of all groups has no exponents: those of the groups differ.",
      i = "{.fn temper} estimates them."
    ), "old_exponents")
  }
  estimate_model(all_groups(x, call), call)
}

# The model of all groups, which predicts rows of new groups.
merged_model <- function(models, call) {
  pool <- attr(models, "pool")
  all <- if (is.null(pool)) all_groups(models, call) else merged_statistics(models, pool)
  estimate_model(all, call)
}

# The statistics of all groups together.
all_groups <- function(groups, call) {
  parts <- lapply(seq_along(unclass(groups)), group_statistics, groups = groups)
  merge_neighbours(parts, function(a, b) merge_statistics(a, b, call))
}

# Merges neighbours in pairs until one is left, so that rounding errors stay small. Processes that
# merge in pairs (MPI) get the same bits.
merge_neighbours <- function(parts, merge) {
  while (length(parts) > 1L) {
    first <- seq(1L, length(parts), 2L)
    parts <- lapply(first, function(i) {
      if (i == length(parts)) parts[[i]] else merge(parts[[i]], parts[[i + 1L]])
    })
  }
  parts[[1L]]
}

# Statistics that were collected from two sets of rows, with or without groups.
merge_collected <- function(x, y, call) {
  if (is_grouped(x)) merge_groups(x, y, call) else merge_statistics(x, y, call)
}

check_same_keys <- function(x, y, call) {
  if (!identical(names(attr(x, "keys")), names(attr(y, "keys")))) {
    abort_argument(
      "The keys differ: {.field {names(attr(x, 'keys'))}} and {.field {names(attr(y, 'keys'))}}.",
      call
    )
  }
  check_same_spec(
    list(spec = attr(x, "spec"), schema = attr(x, "schema")),
    list(spec = attr(y, "spec"), schema = attr(y, "schema")), call
  )
}

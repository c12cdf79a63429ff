# Models of groups: one model for each combination of keys, from one read of the data. The models
# share their specification, schema and plan, so these are kept once.

# `parts`: per group list(statistics, rows), and after the estimate `parameters`. `pool`: the rule
# of check_pool() as list(rule), and after the estimate what kept_pool() returns.
new_groups <- function(parts, spec, schema, plan, by, keys, pool, class) {
  names(parts) <- group_labels(keys)
  structure(
    parts, spec = spec, schema = schema, plan = plan, by = by, keys = keys, pool = pool,
    version = package_version_string, class = class
  )
}

grouped_statistics <- function(parts, spec, schema, plan, by, keys, pool = NULL) {
  new_groups(parts, spec, schema, plan, by, keys, pool, "bayesrisk_grouped_statistics")
}

# From cases with groups to the statistics of each group. The attribute `idle` has the numbers of
# rows of groups without a used row: another piece may have used rows of them.
collect_groups <- function(spec, cases, call) {
  collected <- collect_banks(spec, cases, call)
  schema <- collected$schema
  incomplete <- any(vapply(collected$statistics$banks, has_missing, NA))
  parts <- call_engine(split_statistics_cpp(
    collected$plan$banks, length(schema$classes$levels), length(schema$features),
    collected$statistics, cases$read, if (incomplete) cases$frame, if (incomplete) cases$group
  ), call)
  groups <- grouped_statistics(
    parts, collected$spec, schema, collected$plan, cases$by, cases$keys
  )
  structure(groups, idle = cases$idle)
}

# Whether rows miss a feature of a joint block.
has_missing <- function(state) isTRUE(any(state$missing > 0))

is_grouped <- function(collected) inherits(collected, "bayesrisk_grouped_statistics")

schema_of <- function(x) {
  if (is_grouped(x) || is_models(x)) attr(x, "schema") else x$schema
}

# The statistics of one group.
group_statistics <- function(groups, i) {
  part <- unclass(groups)[[i]]
  new_statistics(
    attr(groups, "spec"), attr(groups, "schema"), attr(groups, "plan"), part$statistics, part$rows
  )
}

# Models from the statistics of each group: an object of class bayesrisk_models.
estimate_groups <- function(groups, call, threads = 1L) {
  spec <- attr(groups, "spec")
  schema <- attr(groups, "schema")
  plan <- attr(groups, "plan")
  parts <- unclass(groups)
  options <- estimate_options(spec, schema, plan, call)
  pool <- pool_groups(groups, options, call, threads)
  found <- call_engine(estimate_groups_cpp(
    plan$banks, length(schema$classes$levels), length(schema$features),
    parts, options, group_priors(parts, pool$weight, spec, schema, call), pool, no_notes,
    spec$degenerate == "pool", threads
  ), call)
  check_group_problems(found, groups, call)
  for (i in seq_along(found$noted)) {
    found$models[[found$noted[[i]]]]$parameters$notes <- estimate_notes(found$diagnostics[[i]])
  }
  warn_degenerate_groups(found, groups, call)
  # With cases for the class shares no class is missing.
  if (!isTRUE(pool$cases$classes > 0)) warn_one_class_groups(found$single, groups, call)
  new_groups(
    found$models, spec, schema, plan, attr(groups, "by"), attr(groups, "keys"), kept_pool(pool),
    c("bayesrisk_models", "bayesrisk_result")
  )
}

# The prior of each group, a row each; no rows if the priors are the shares of the classes.
# `weight`: the weights of the classes of the groups with their cases, if they are pooled.
group_priors <- function(parts, weight, spec, schema, call) {
  classes <- schema$classes$levels
  if (is.null(spec$prior)) return(matrix(0, 0L, length(classes)))
  priors <- lapply(seq_along(parts), function(i) {
    own <- if (is.null(weight)) parts[[i]]$statistics$classes$weight else weight[i, ]
    resolve_prior(spec$prior, classes, own, call)
  })
  do.call(rbind, unname(priors))
}

# The groups without a model are an error, which explains the first of them. `found`: a result of
# estimate_groups_cpp().
check_group_problems <- function(found, groups, call) {
  stops <- vapply(found$diagnostics, function(of_group) !all(is_note(of_group$problem)), NA)
  if (!any(stops)) return(invisible())
  stopped <- found$noted[stops]
  diagnostics <- found$diagnostics[stops][[1L]]
  first <- stopped[[1L]]
  labels <- encodeString(names(groups)[stopped], quote = "\"")
  rlang::try_fetch(
    check_estimate_problems(diagnostics, group_statistics(groups, first), call),
    bayesrisk_error_degenerate = function(e) {
      abort_degenerate(c(
        "{count_of(length(stopped), 'group has', 'groups have')} no model: {some_of(labels, 5L)}.",
        i = "Leave {cli::qty(length(stopped))}{?this group/these groups} out with {.arg subset}, or
             make {?it/them} larger."
      ), call, parent = e, groups = names(groups)[stopped])
    }
  )
}

# One warning for all groups.
warn_degenerate_groups <- function(found, groups, call) {
  noted <- found$noted
  if (!length(noted)) return(invisible())
  notes <- lapply(found$models[noted], function(model) model$parameters$notes)
  borrowed <- sum(vapply(notes, function(note) {
    sum(count_noted(note)[note$problem == "borrowed"])
  }, 1L))
  problems <- unlist(lapply(notes, `[[`, "problem"))
  events <- c(
    if (borrowed > 0L) count_of(borrowed, "estimate borrows", "estimates borrow"),
    if ("left_out" %in% problems) "a feature is left out",
    if ("unfinished" %in% problems) "an estimate stopped before its end"
  )
  labels <- encodeString(names(groups)[noted], quote = "\"")
  first <- note_sentences(notes[[1L]], attr(groups, "schema"), attr(groups, "plan"))
  warn_bayesrisk(
    c(
      "In {format_count(length(noted))} of {count_of(length(groups), 'group', 'groups')}
       {paste(events, collapse = ' or ')}: {some_of(labels, 5L)}.",
      i = paste0(labels[[1L]], ": {first[[1L]]}"),
      i = if (borrowed > 0L) "A class borrows from the other classes of its group. If they have no
                              spread, it borrows from the same class of the other groups."
    ),
    "degenerate", call
  )
}

# One warning for all groups.
warn_one_class_groups <- function(single, groups, call) {
  if (!length(single)) return(invisible())
  labels <- encodeString(names(groups)[single], quote = "\"")
  warn_bayesrisk(c(
    "In {format_count(length(single))} of {count_of(length(groups), 'group', 'groups')} all rows
     have one class, so the model predicts no other: {some_of(labels, 5L)}.",
    i = paste("Check the column of the class,", one_class_remedy)
  ), "one_class", call, groups = names(groups)[single])
}

#' @export
`[[.bayesrisk_models` <- function(x, i, ...) {
  call <- check_no_dots(...)
  x <- check_groups(x, call)
  group_model(x, group_place(x, maybe(i), call))
}

# The position of one group. `i`: its name or its number.
group_place <- function(x, i, call) {
  if (is.factor(i)) i <- as.character(i)
  if (is.character(i) && length(i) == 1L) {
    if (i %in% names(x)) return(match(i, names(x)))
    abort_unknown(
      "There is no group {.val {i}}.", i, names(x),
      "The groups: {.val {utils::head(names(x), 20L)}}.", call
    )
  }
  if (is_plain(i, is.numeric) && length(i) == 1L && i %in% seq_along(x)) return(i)
  abort_argument(c(
    "{.code [[} takes the name or the number of one group, not {describe_value(i)}.",
    i = "The groups: {.val {utils::head(names(x), 20L)}}."
  ), call)
}

#' @export
`$.bayesrisk_models` <- function(x, name) x[[name]]

# The model of one group, with its cases of the merged model.
group_model <- function(groups, i, call = rlang::caller_env()) {
  parameters <- unclass(groups)[[i]]$parameters
  statistics <- group_statistics(groups, i)
  cases <- cases_by_name(groups)
  if (!is.null(cases)) {
    parameters$pool <- list(cases = cases, weight = statistics$statistics$classes$weight)
    statistics$statistics <- pooled_statistics(groups, statistics$statistics, call)
    if (any(is.finite(cases[-1L]) & cases[-1L] > 0)) statistics$spec <- unshrunk(statistics$spec)
  }
  new_model(statistics, parameters)
}

#' @export
`[.bayesrisk_models` <- function(x, i, ...) {
  call <- check_no_dots(...)
  x <- check_groups(x, call)
  i <- if (missing(i)) seq_along(x) else if (is.factor(i)) as.character(i) else i
  check_group_index(i, call)
  at <- if (is.character(i)) match(i, names(x)) else seq_along(x)[i]
  names(at) <- names(x)[at]
  check_chosen_groups(at, call)
  if (anyNA(at)) {
    unknown <- if (is.character(i)) setdiff(i, names(x)) else i[is.na(at)]
    abort_unknown(
      "There is no group {.val {unknown}}.", as.character(unknown), names(x),
      "The groups: {.val {utils::head(names(x), 20L)}}.", call
    )
  }
  keys <- attr(x, "keys")[at, , drop = FALSE]
  row.names(keys) <- NULL
  new_groups(
    unclass(x)[at], attr(x, "spec"), attr(x, "schema"), attr(x, "plan"), attr(x, "by"), keys,
    attr(x, "pool"), class(x)
  )
}

check_group_index <- function(i, call) {
  mixed <- is.numeric(i) && any(i < 0, na.rm = TRUE) && (anyNA(i) || any(i > 0))
  sound <- is.null(i) || (is.character(i) || is.numeric(i) || is.logical(i)) && !is.object(i)
  if (sound && !mixed) return(invisible())
  abort_argument(
    "{.code [} takes names, numbers or truth values of groups, not {describe_value(i)}.", call
  )
}

# A group that is taken twice would count its rows twice.
check_chosen_groups <- function(at, call) {
  if (length(at) == 0L) abort_argument("No group is chosen.", call)
  twice <- at[duplicated(at) & !is.na(at)]
  if (length(twice)) abort_argument("Group {.val {names(twice)[[1L]]}} is chosen twice.", call)
}

#' @export
as.list.bayesrisk_models <- function(x, ...) {
  x <- check_groups(x, check_no_dots(...))
  stats::setNames(lapply(seq_along(unclass(x)), group_model, groups = x), names(x))
}

# Checks models of groups that may come from a file. What they share is checked here; the engine
# checks statistics and parameters whenever it reads them.
check_groups <- function(x, call, arg = "x") {
  check_inherits(x, "bayesrisk_models", "a result of {.code fit(by = )}", arg, call)
  x <- up_to_date(x, "models", call)
  keys <- attr(x, "keys")
  sound <- is.list(x) && is.data.frame(keys) && nrow(keys) == length(unclass(x)) &&
    length(unclass(x)) > 0L && identical(names(x), group_labels(keys)) &&
    is.list(attr(x, "by")) && identical(names(attr(x, "by")), names(keys)) &&
    all(vapply(attr(x, "by"), is_sound_key, NA)) && is_version(attr(x, "version")) &&
    is_sound_pool(attr(x, "pool"))
  if (!sound) abort_damaged("models", "its groups do not fit its keys", call)
  invisible(x)
}

# A key is a term, which may be a column, and its type.
is_sound_key <- function(term) {
  is.list(term) && is_string(term$type) && is_label_set(term$columns) &&
    (is.name(term$expression) || is.call(term$expression)) &&
    all(c(term$columns, names(term$values)) %in% all.vars(term$expression))
}

is_models <- function(x) inherits(x, "bayesrisk_models")

# Functions of one model refuse models of groups, and say how to take one of them.

#' @export
coef.bayesrisk_models <- function(object, ...) {
  abort_groups(object, "coef", "{.fn tidy} gives a table of the parameters of all groups.")
}

#' @export
confint.bayesrisk_models <- function(object, parm, level = 0.95, ...) { # nolint: object_name_linter.
  abort_groups(object, "confint")
}

#' @export
vcov.bayesrisk_models <- function(object, ...) abort_groups(object, "vcov")

#' @export
logLik.bayesrisk_models <- function(object, ...) {
  abort_groups(object, "logLik", "{.fn glance} gives a table of all groups.")
}

#' @export
nobs.bayesrisk_models <- function(object, ...) {
  abort_groups(object, "nobs", "{.fn glance} gives a table of all groups.")
}

#' @export
formula.bayesrisk_models <- function(x, ...) abort_groups(x, "formula")

#' @export
simulate.bayesrisk_models <- function(object, nsim = 1, seed = NULL, ...) {
  abort_groups(object, "simulate")
}

#' @export
augment.bayesrisk_models <- function(x, ...) {
  abort_groups(
    x, "augment", "{.fn predict} and {.fn decide} use the model of the group of each row.",
    ", newdata = rows"
  )
}

#' @export
plot.bayesrisk_models <- function(x, ...) abort_groups(x, "plot")

# `instead`: a sentence about a function that takes all groups. `more`: other arguments to show.
abort_groups <- function(models, name, instead = NULL, more = "", call = rlang::caller_env()) {
  models <- check_groups(models, call)
  shown <- sprintf("%s(%s%s)", name, group_taken("models", models), more)
  abort_argument(c(
    "{.fn {name}} takes one model, not models of groups.",
    i = "Take the model of a group: {.code {shown}}.", i = instead
  ), call)
}

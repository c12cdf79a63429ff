# Partial pooling of the models of groups: a group adds cases of the model of all groups (the merged
# model) to its own rows. Its model is the one of these statistics, so that all that models do holds
# for it.

# The rule of `fit(pool = )`: NULL for none, or list(other, given), where `given` are the numbers of
# cases by feature, "(class)" for the class shares, and `other` is that of all others. NA: estimate.
check_pool <- function(pool, by, call) {
  if (!is.null(pool) && !length(pool)) {
    abort_argument("{.arg pool} is empty: give TRUE, or a number of cases.", call)
  }
  several <- is.list(pool) || (length(pool) > 1L && !is.null(names(pool)))
  values <- lapply(as.list(pool), check_cases, several, call)
  if (is.null(pool) || (!several && identical(values, list(0)))) return(NULL)
  if (is.null(by)) {
    abort_argument(c(
      "{.arg pool} needs groups: {.code by = }.", i = "For example {.code by = region}."
    ), call)
  }
  places <- rlang::names2(values)
  twice <- places[duplicated(places)]
  if (length(twice)) {
    what <- if (nzchar(twice[[1L]])) "{.field {twice[[1L]]}} twice" else "two values without a name"
    abort_argument(paste0("{.arg pool} has ", what, "."), call)
  }
  list(
    other = if (all(nzchar(places))) 0 else values[[which(!nzchar(places))]],
    given = vapply(values[nzchar(places)], identity, 1)
  )
}

# A number of cases; TRUE: NA, to be estimated. FALSE: none.
check_cases <- function(cases, several, call) {
  if (is_plain(cases, is.logical) && length(cases) == 1L && !is.na(cases)) {
    return(if (cases) NA_real_ else 0)
  }
  if (is_plain(cases, is.numeric) && length(cases) == 1L && !is.na(cases) && cases >= 0) {
    return(as.double(cases))
  }
  what <- if (several) "A value of {.arg pool}" else "{.arg pool}"
  abort_argument(c(
    paste(what, "must be TRUE or a number of cases, 0 or more, not {describe_value(cases)}."),
    i = if (!several) "Or a list of these, named by feature: {.code list(TRUE, x = 10)}."
  ), call)
}

# The cases that are asked for: list(classes, banks), as the engine takes them.
asked_cases <- function(rule, schema, plan, call) {
  features <- names(schema$features)
  blocks <- block_names(list(plan = plan, schema = schema))
  check_pooled_names(names(rule$given), unique(c("(class)", features, blocks)), call)
  of <- function(name) if (name %in% names(rule$given)) rule$given[[name]] else rule$other
  banks <- plan$banks
  pools <- call_engine(
    pooling_banks_cpp(banks, length(schema$classes$levels), length(features)), call
  )
  cases <- lapply(banks, function(bank) {
    members <- features[bank$features]
    values <- vapply(members, of, 1)
    if (!is_joint(bank)) return(values)
    given <- unique(rule$given[intersect(c(members, bank$name), names(rule$given))])
    if (length(given) > 1L) {
      abort_argument(
        "{.arg pool} has several values for the block of {.field {members}}, which has one.", call
      )
    }
    if (length(given)) given else rule$other
  })
  for (b in which(!pools)) {
    cases[[b]] <- cases_without_prior(cases[[b]], features[banks[[b]]$features], call)
  }
  list(classes = of("(class)"), banks = lapply(cases, unname))
}

check_pooled_names <- function(named, known, call) {
  unknown <- setdiff(named, known)
  if (!length(unknown)) return(invisible())
  abort_unknown(
    "{.arg pool} names {.field {unknown}}, which {?is/are} no feature{?s} or block{?s}.",
    unknown, known, "The names: {.field {utils::head(known, 20L)}}.", call
  )
}

# A likelihood without a conjugate prior takes all cases or none.
cases_without_prior <- function(cases, members, call) {
  open <- is.na(cases)
  quoted <- vapply(members, function(name) deparse1(as.name(name), backtick = TRUE), "")
  if (any(open)) {
    all_alike <- sprintf("pool = list(TRUE, %s)", toString(paste(quoted, "= Inf")))
    inform_bayesrisk(c(
      "{.field {members[open]}} {?is/are} not pooled: nothing but tables of single features,
       histograms, Gaussians without {.code missing = \"em\"} and Poisson rates can take cases in
       part.",
      i = "{.code {all_alike}} fits {cli::qty(members)}{?it/them} to all groups alike."
    ), "not_pooled")
    cases[open] <- 0
  }
  mixed <- length(unique(cases)) > 1L
  if (any(cases > 0 & is.finite(cases)) || mixed) {
    abort_argument(c(
      "{.field {members}} cannot be pooled in part: nothing but tables of single features,
       histograms, Gaussians without {.code missing = \"em\"} and Poisson rates can.",
      i = "Give {.code 0} (each group alone) or {.code Inf} (all groups
           alike){if (mixed) ', the same for all of them' else ''}."
    ), call)
  }
  cases
}

# The rule of pooling and the result of pool_groups_cpp(). NULL without a rule.
pool_groups <- function(groups, options, call, threads) {
  rule <- attr(groups, "pool")$rule
  if (is.null(rule)) return(NULL)
  spec <- attr(groups, "spec")
  schema <- attr(groups, "schema")
  plan <- attr(groups, "plan")
  pool <- call_engine(pool_groups_cpp(
    plan$banks, length(schema$classes$levels), length(schema$features), unclass(groups), options,
    asked_cases(rule, schema, plan, call), spec$degenerate == "pool", threads
  ), call)
  check_estimate_problems(pool$estimate$diagnostics, merged_statistics(groups, pool), call)
  warn_merged(pool, schema, plan, call)
  c(list(rule = rule), pool)
}

# The groups do not borrow what the merged model has borrowed.
warn_merged <- function(pool, schema, plan, call) {
  notes <- estimate_notes(pool$estimate$diagnostics)
  notes <- lapply(notes, `[`, notes$problem == "borrowed")
  light <- max(pool$statistics$classes$weight) <= 1
  if (length(notes$problem)) warn_degenerate(notes, schema, plan, light, call)
}

# The merged model is smoothed and shrunk, and its cases with it. So the model of a pooled group is
# not shrunk once more when it is estimated again.
unshrunk <- function(spec) {
  of_gaussian <- function(x) {
    if (inherits(x, "bayesrisk_likelihood_gaussian")) {
      x$borrow <- 0
    } else if (is.list(x)) {
      x[] <- lapply(x, of_gaussian)
    }
    x
  }
  spec <- of_gaussian(spec)
  if (spec$shrinkage < 1) spec$shrinkage <- 0
  spec$identity <- 0
  spec$borrow <- 0
  spec
}

# The statistics of all groups.
merged_statistics <- function(groups, pool) {
  rows <- Reduce(function(a, b) Map(`+`, a, b), lapply(unclass(groups), `[[`, "rows"))
  new_statistics(
    attr(groups, "spec"), attr(groups, "schema"), attr(groups, "plan"), pool$statistics, rows
  )
}

# The parts of it that models keep.
kept_pool <- function(pool) {
  if (is.null(pool)) return(NULL)
  pool$estimate <- pool$estimate[c("prior", "banks")]
  pool[c("rule", "cases", "statistics", "estimate")]
}

# The statistics of a group with its cases of the merged model.
pooled_statistics <- function(groups, statistics, call) {
  pool <- attr(groups, "pool")
  schema <- attr(groups, "schema")
  plan <- attr(groups, "plan")
  options <- estimate_options(attr(groups, "spec"), schema, plan, call)
  call_engine(with_cases_cpp(
    plan$banks, length(schema$classes$levels), length(schema$features), statistics, options, pool
  ), call)
}

# For each group what its held-out rows learn from: list(statistics (of all other groups), cases).
# NULL if the groups are not pooled.
other_groups <- function(models, call) {
  pool <- attr(models, "pool")
  if (is.null(pool)) return(NULL)
  schema <- attr(models, "schema")
  statistics <- call_engine(other_groups_cpp(
    attr(models, "plan")$banks, length(schema$classes$levels), length(schema$features),
    unclass(models)
  ), call)
  lapply(statistics, function(of_others) list(statistics = of_others, cases = pool$cases))
}

# The cases that each group adds, named by feature or block; "(class)" for the class shares.
cases_by_name <- function(models) {
  cases <- attr(models, "pool")$cases
  if (is.null(cases)) return(NULL)
  model <- list(plan = attr(models, "plan"), schema = attr(models, "schema"))
  stats::setNames(c(cases$classes, unlist(cases$banks)), c("(class)", block_names(model)))
}

# `pool`: of models that may come from a file.
is_sound_pool <- function(pool) {
  parts <- c("rule", "cases", "statistics", "estimate")
  is.null(pool) || (is.list(pool) && identical(names(pool), parts) && is.list(pool$rule) &&
    identical(names(pool$rule), c("other", "given")) && is.numeric(pool$rule$other) &&
    length(pool$rule$other) == 1L && (is.null(pool$rule$given) || is.numeric(pool$rule$given)) &&
    is.list(pool$cases) && identical(names(pool$cases), c("classes", "banks")))
}

check_same_pool <- function(x, y, call) {
  if (identical(attr(x, "pool")$rule, attr(y, "pool")$rule)) return(invisible())
  abort_argument(c(
    "The models were pooled by different rules.",
    i = "Fit both with the same {.arg pool}."
  ), call)
}

# The design of a cross-validation: candidates (each a specification and a formula), the data of all
# candidates, and the statistics that they share.

# Returns a list of list(spec, formula), named by candidate.
read_candidates <- function(object, formula, prior, call) {
  several <- is.list(object) && !is.object(object)
  specs <- if (several) check_named_list(object, "object", call) else list(object)
  specs <- lapply(specs, check_spec, call)
  if (!is.null(prior)) {
    prior <- check_prior_argument(prior, "prior", call)
    specs <- lapply(specs, replace, "prior", list(prior))
  }
  formulas <- if (is.list(formula) && !is.object(formula) && !is_table_list(formula)) {
    check_named_list(formula, "formula", call)
  } else {
    list(formula)
  }
  if (several && is.null(names(formulas))) formulas <- rep(formulas, length(specs))
  names <- if (several) names(specs) else names(formulas)
  if (is.null(names)) names <- specs[[1L]]$structure
  if (several && !is.null(names(formulas))) {
    headline <- cli::format_inline("The names of {.arg formula} must be those of {.arg object}.")
    check_same_names(names(formulas), names, headline, call)
    formulas <- formulas[names]
  }
  if (!several) specs <- rep(specs, length(formulas))
  stats::setNames(Map(function(s, f) list(spec = s, formula = f), specs, formulas), names)
}

check_named_list <- function(x, arg, call) {
  if (length(x) == 0L || is.null(names(x))) {
    abort_argument("{.arg {arg}} must be a list with a name for each candidate.", call)
  }
  check_distinct_names(names(x), arg, call)
  x
}

# The data of a cross-validation, with all used columns in memory. `quosures`: arguments that may
# use columns; `more`: other columns.
cv_rows <- function(data, candidates, quosures, call, cost = NULL, more = NULL) {
  if (!is_source(data)) return(data)
  formulas <- lapply(candidates, `[[`, "formula")
  rows_in_memory(data, used_columns(formulas, quosures, cost, more), call)
}

# The cases with the features of all candidates. Each feature is read once. `quosures`: those of
# `weights` and `subset`, and of `folds` and `cluster` if there are any, by name. `apart`: columns
# that `.` does not stand for.
read_cv_cases <- function(candidates, data, quosures, na_action, threads, call, apart = NULL) {
  formulas <- lapply(candidates, `[[`, "formula")
  if (!rlang::is_formula(data) && !rlang::is_formula(formulas[[1L]])) {
    check_cv_formula(candidates[[1L]], call)
  }
  cases <- read_cases(data, list(
    several = formulas, weights = quosures$weights, subset = quosures$subset,
    folds = quosures$folds, cluster = quosures$cluster, na_action = na_action, threads = threads,
    apart = apart
  ), call)
  check_feature_levels(cases$schema, call)
  cases$remedy <- fractions_remedy(lapply(candidates, `[[`, "spec"))
  count_class_rows(cases, call)
}

count_class_rows <- function(cases, call) {
  cases$group <- as.integer(cases$group)
  classes <- length(cases$schema$classes$levels)
  cases$class_rows <- count_classes(cases$group, classes, cases$response, call)
  cases
}

# The features and the class of fit_xy() in place of the formula and the data.
check_cv_formula <- function(candidate, call) {
  x <- candidate$formula
  if (!is_table(x) && !is_plain_matrix(x) && !is_table_list(x)) return(invisible())
  is_counted <- is_bag(x) && (isS4(x) || !is.matrix(x) || !is.null(candidate$spec$bag))
  data <- if (is_counted) {
    "list(terms = x, data.frame(y = y))"
  } else if (is.data.frame(x) || is.matrix(x)) {
    "data.frame(x, y = y)"
  } else {
    "c(x, list(data.frame(y = y)))"
  }
  right <- sprintf("cv_risk(spec, y ~ ., %s)", data)
  abort_argument(c(
    "{.arg formula} must be a formula, with the class in {.arg data}.", i = "Write {.code {right}}."
  ), call)
}

count_classes <- function(codes, classes, label, call) {
  counts <- as.double(tabulate(codes, classes))
  if (sum(counts) < sum(!is.na(codes))) abort_damaged_class(label, call)
  counts
}

# A candidate's banks, options and prior. The features of the banks are positions in the schema of
# all candidates. `read`: the result of read_cv_cases().
plan_candidate <- function(spec, features, read, call, settled = NULL) {
  own <- read$schema
  places <- match(features, names(own$features))
  own$features <- with_settled_bins(own$features[places], settled)
  assigned <- assign_likelihoods(spec, own, call)
  spec <- assigned$spec
  own$features <- settle_features(assigned, own$features, read, call, places)
  banks <- plan_banks(assigned, own, call)$banks
  options <- lapply(banks, function(bank) {
    bank_options(bank, spec, features_at(own$features, bank$features), own$classes$levels, call)
  })
  uniform <- identical(spec$prior, "uniform")
  # A pooled group has all classes.
  rows <- if (is.null(read$all_class_rows)) read$class_rows else read$all_class_rows
  prior <- if (!uniform) resolve_prior(spec$prior, own$classes$levels, rows, call)
  part <- if (is.null(spec$temper)) integer() else exponent_of_block(banks, spec$temper)
  list(
    banks = lapply(banks, function(bank) replace(bank, "features", list(places[bank$features]))),
    part = part,
    options = options, prior = if (is.null(prior)) numeric() else prior, uniform = uniform,
    borrow = spec$degenerate == "pool", predictive = FALSE, others = NULL
  )
}

# Features with the bins that they have in models of groups, whose features are `settled`.
with_settled_bins <- function(features, settled) {
  for (name in intersect(names(features), names(settled))) {
    features[[name]]$bins <- settled[[name]]$bins
    features[[name]]$settled <- TRUE
  }
  features
}

# The union of the candidates' banks. All single features of a kind are in one bank, even if some
# candidates use only a part. A joint block occurs once, for all candidates that have it.
share_banks <- function(candidates) {
  banks <- unlist(lapply(candidates, `[[`, "banks"), recursive = FALSE)
  banks <- lapply(unname(banks), function(bank) replace(bank, "name", list(NULL)))
  single <- vapply(banks, shares_statistics, NA)
  united <- lapply(split(banks[single], vapply(banks[single], `[[`, "", "type")), unite_banks)
  c(unname(united), unique(banks[!single]))
}

shares_statistics <- function(bank) record_of(bank)$shares_bank

unite_banks <- function(banks) {
  features <- unlist(lapply(banks, `[[`, "features"))
  first <- !duplicated(features)
  united <- list(type = banks[[1L]]$type, name = NULL, features = features[first])
  if (!is.null(banks[[1L]]$levels)) {
    united$levels <- unlist(lapply(banks, `[[`, "levels"))[first]
  }
  united
}

# The position of each shared bank among a candidate's banks, from 0; -1 if the candidate does not
# use the bank.
place_banks <- function(shared, own) {
  own <- lapply(own, function(bank) replace(bank, "name", list(NULL)))
  types <- vapply(own, `[[`, "", "type")
  vapply(shared, function(bank) {
    same <- if (shares_statistics(bank)) {
      types == bank$type
    } else {
      vapply(own, identical, NA, bank)
    }
    match(TRUE, same, nomatch = 0L) - 1L
  }, 1L)
}

# The list that src/cv_design.h reads.
new_cv_design <- function(candidates, data, folds, call) {
  classes <- length(data$schema$classes$levels)
  report_class_rows(data$schema, data$class_rows, call)
  plans <- Map(function(candidate, features) {
    plan_candidate(candidate$spec, features, data, call, candidate$settled)
  }, candidates, data$features)
  shared <- share_banks(plans)
  plans <- lapply(plans, function(plan) c(plan, list(bank = place_banks(shared, plan$banks))))
  list(
    banks = shared, classes = classes, frame = data$frame, group = data$group,
    weight = data$weights, fold = folds$of, folds = length(folds$labels),
    candidates = unname(plans)
  )
}

# Folds: drawn at random, or given by the user.

most_folds <- 1e4

# Returns a list of
# * of: the fold of each row, from 1; NA for a row that is left out;
# * labels;
# * seed, strata: those of drawn folds.
# `codes`: the class of each row, NA for a row that is left out. `used`: the number of rows that are
# not left out. `cluster`: rows of the same cluster, from 1, are in the same fold; NULL: none are.
read_folds <- function(folds, stratify, codes, used, call, cluster = NULL) {
  if (used < 2L) abort_data("Folds need two rows or more: there {?is/are} {used}.", call)
  if (length(folds) != 1L || length(codes) == 1L) return(given_folds(folds, codes, call))
  if (!is.null(cluster)) return(cluster_folds(folds, stratify, codes, cluster, call))
  count <- check_whole_number(folds, "folds", min = 2, max = used, call = call)
  check_fold_count(count, call)
  if (count == used) {
    of <- replace(rep(NA_integer_, length(codes)), !is.na(codes), seq_len(used))
    return(list(of = of, labels = seq_len(count)))
  }
  # The seed comes from R's generator, so set.seed() makes the folds reproducible.
  seed <- sample.int(.Machine$integer.max, 1L)
  strata <- if (stratify) codes else replace(codes, !is.na(codes), 1L)
  of <- call_engine(draw_folds_cpp(strata, max(strata, na.rm = TRUE), count, seed), call)
  list(of = of, labels = seq_len(count), seed = seed, strata = strata)
}

# The folds of clusters, by the most frequent class of each.
cluster_folds <- function(folds, stratify, codes, cluster, call) {
  counts <- unclass(table(cluster, codes))
  counts <- counts[rowSums(counts) > 0, , drop = FALSE]
  if (nrow(counts) < 2L) abort_data("Folds need two clusters or more.", call)
  used <- read_folds(folds, stratify, max.col(counts, "first"), nrow(counts), call)
  used$of <- used$of[match(cluster, as.integer(rownames(counts)))]
  used$of[is.na(codes)] <- NA
  used
}

check_fold_count <- function(count, call) {
  if (count <= most_folds) return(invisible())
  abort_argument(c(
    "{.arg folds}: {count} folds are too many: at most {most_folds}.",
    i = "Each fold needs its own model. With many rows ten folds are enough."
  ), call)
}

given_folds <- function(folds, codes, call) {
  if (length(folds) != length(codes)) {
    got <- describe_value(folds)
    abort_argument(c(
      "{.arg folds} must be a number, or one value for each of the {length(codes)} rows.",
      x = "It is {got}."
    ), call)
  }
  of <- label_factor(folds, "folds", call)
  of[is.na(codes)] <- NA
  missing <- sum(is.na(of) & !is.na(codes))
  if (missing > 0L) abort_argument("{.arg folds} is missing in {missing} row{?s}.", call)
  of <- droplevels(of)
  if (nlevels(of) < 2L) {
    abort_argument(
      "{.arg folds} must name two folds or more: each model is fitted to the other folds.", call
    )
  }
  check_fold_count(nlevels(of), call)
  list(of = as.vector(unclass(of)), labels = levels(of))
}

cv_intervals <- c("nested", "folds")

# The divisions of the rows in nested cross-validation, beside the folds themselves, as
# list(strata, seeds); NULL: intervals of independent cases. Nested cross-validation fits a model
# for each pair of folds, and tempering would cross-validate each of them again. `asked`: NULL for
# the default, which leaves large data alone.
nested_splits <- function(asked, folds, read, candidates, design) {
  codes <- read$group
  if (identical(asked, "folds") || is.null(asked) && sum(!is.na(codes)) > 2000) return(NULL)
  reason <- no_nested(folds, read$cluster, candidates)
  if (!is.null(reason)) {
    if (!is.null(asked)) inform_bayesrisk(c(
      "There is no nested cross-validation {reason}.",
      i = "The intervals treat the cases as independent and are somewhat too narrow."
    ), "interval")
    return(NULL)
  }
  # Seeds follow that of the folds, so R's generator advances as without nested cross-validation.
  alone <- any(vapply(design$banks, function(bank) record_of(bank)$iterates, NA))
  seeds <- if (!is.null(folds$seed) && !alone) {
    (folds$seed + seq_len(7L)) %% .Machine$integer.max
  }
  list(strata = if (is.null(seeds)) codes else folds$strata, seeds = as.integer(seeds))
}

no_nested <- function(folds, cluster, candidates) {
  tempered <- vapply(candidates, function(candidate) !is.null(candidate$spec$temper), NA)
  if (any(tempered)) return("of tempered models")
  if (!is.null(cluster)) return("of clusters")
  count <- length(folds$labels)
  if (count < 3L || count > 20L) return(sprintf("of %d folds: it takes 3 to 20", count))
  # The cost of one row has no variance.
  if (any(tabulate(folds$of, count) < 2L)) "of folds of a single row"
}

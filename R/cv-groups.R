# Cross-validation of models of groups: in each group as without groups, with the cases that it adds
# of the model of all rows outside the fold.

cv_groups <- function(candidates, data, read, cost, settings, call) {
  if (!is.null(read$cluster)) {
    abort_argument(
      "{.arg cluster} and {.arg by} cannot be given together: clusters may be in several groups.",
      call
    )
  }
  # Rows that miss a feature of any candidate may have been left out of all.
  settings$subset <- rlang::new_quosure(!is.na(read$group))
  settings$na_action <- stats::na.pass
  models <- lapply(candidates, grouped_candidate, data, settings, call)
  group <- group_of_cases(models[[1L]], data, read, call)
  others <- lapply(models, other_groups, call = call)
  check_same_groups(models, call)
  for (name in names(candidates)) {
    candidates[[name]]$settled <- attr(models[[name]], "schema")$features
  }
  if (!is.null(settings$pool)) read$all_class_rows <- read$class_rows
  labels <- names(models[[1L]])
  runs <- lapply(seq_along(labels), function(i) {
    of_group <- lapply(others, `[[`, i)
    tryCatch(
      {
        own <- cases_of_group(read, group, i, call)
        without_class_report(cross_validate(candidates, own, cost, settings, call, of_group))
      },
      bayesrisk_error = function(e) {
        abort_again(e, "In group {encodeString(labels[[i]], quote = '\"')}:", call)
      }
    )
  })
  whole <- combine_runs(runs, labels)
  warn_cv(whole, call)
  keys <- attr(models[[1L]], "keys")
  tables <- lapply(runs, as_cv, cost = cost, clusters = 0L)
  by_group <- data.frame(
    keys[rep(seq_along(runs), each = length(candidates)), , drop = FALSE],
    do.call(rbind, lapply(tables, plain_frame)), check.names = FALSE, row.names = NULL
  )
  structure(as_cv(whole, cost, 0L), by_group = by_group, keys = names(keys))
}

# The groups are those of the rows, so they are the same for all candidates.
check_same_groups <- function(models, call) {
  names <- lapply(models, names)
  if (length(unique(names)) == 1L) return(invisible())
  abort_argument("{.arg by}: the candidates have different groups.", call)
}

# The models of all groups by one candidate.
grouped_candidate <- function(candidate, data, settings, call) {
  request <- fit_request(
    candidate$formula, settings$weights, settings$subset, settings$na_action, settings$threads,
    by = settings$by, spec = candidate$spec
  )
  collected <- collect_from(data, request, call)
  attr(collected, "pool") <- if (!is.null(settings$pool)) list(rule = settings$pool)
  suppressWarnings(
    estimate_groups(collected, call, settings$threads), classes = "bayesrisk_warning"
  )
}

# The group of each case. Every used row must have one.
group_of_cases <- function(models, data, cases, call) {
  container <- read_container(data, "data", abort_data, call)
  group <- groups_of_rows(models, container, FALSE, call, "data")
  other <- sum(group == 0L & !is.na(cases$group))
  if (other > 0L) {
    abort_argument(c(
      "{.arg data} must be the rows of the fit: {other} row{?s} {?has/have} another
       {.field {names(attr(models, 'by'))}} than the models.",
      i = "{.arg subset} leaves rows out."
    ), call)
  }
  group
}

# The cases of one group, in at most as many folds as it has rows.
cases_of_group <- function(read, group, i, call) {
  own <- count_class_rows(replace(read, "group", list(replace(read$group, group != i, NA))), call)
  used <- sum(!is.na(own$group))
  if (length(own$folds) == 1L && is.numeric(own$folds) && used >= 2L) {
    own$folds <- min(own$folds, used)
  }
  own
}

# The result over all groups. Groups are independent, so the variances of their means add up.
combine_runs <- function(runs, labels) {
  found <- lapply(runs, `[[`, "found")
  decided <- do.call(rbind, lapply(found, function(x) colSums(x$risks$fold_decided)))
  share <- sweep(decided, 2L, colSums(decided), `/`)
  part <- function(get) do.call(rbind, lapply(found, get))
  mean_of <- function(values) colSums(ifelse(share == 0, 0, share * values))
  means_of <- function(name) {
    centre <- part(function(x) x$means[[name]][, 1L])
    error <- part(function(x) x$means[[name]][, 2L])
    cbind(mean_of(centre), sqrt(colSums(ifelse(share == 0, 0, share * error)^2)))
  }
  whole <- runs[[1L]]
  sums <- c("fold_decided", "fold_wrong")
  whole$found <- list(
    risks = c(
      stats::setNames(lapply(sums, function(name) part(function(x) x$risks[[name]])), sums),
      list(
        cost = mean_of(part(function(x) x$risks$cost)),
        difference = mean_of(part(function(x) x$risks$difference))
      )
    ),
    means = lapply(stats::setNames(nm = c("cost", "difference", "error")), means_of),
    limits = c(
      min(part(function(x) x$limits[[1L]])), max(part(function(x) x$limits[[2L]])),
      max(part(function(x) x$limits[[3L]]))
    )
  )
  whole$by_fold <- do.call(rbind, Map(function(run, label) {
    transform(run$by_fold, fold = paste(label, run$by_fold$fold))
  }, runs, labels))
  whole$by_fold <- whole$by_fold[order(whole$by_fold$candidate), ]
  whole$borrows <- all(vapply(runs, `[[`, NA, "borrows"))
  of <- lapply(runs, function(run) run$folds$of)
  whole$folds$of <- do.call(pmax, c(of, na.rm = TRUE))
  if (!all(vapply(runs, function(run) is.null(run$nested), NA))) whole$nested <- list()
  whole
}

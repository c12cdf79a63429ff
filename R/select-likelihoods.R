#' Search for the likelihoods of numeric features
#'
#' Compares likelihoods for each numeric feature on its own, on rows that they were not fitted to,
#' and returns the specification with those that are better than the one it had.
#'
#' @inheritParams cv_risk
#' @param object A specification: [bayes_naive()] or [bayes_blocks()]. All its settings are kept.
#' @param formula `class ~ features`, as in [fit()][fit.bayesrisk_spec].
#' @param candidates Likelihoods to try, a list named as you want to see them:
#'   `list(kernel = likelihood_kernel(), wide = likelihood_kernel(adjust = 2))`. `NULL`: Gaussian,
#'   gamma (for positive numbers; a new 0 is then impossible), kernel, mixture (`components = 1:3`,
#'   `starts = 5`), and, for whole numbers from 0 on that are not 0 throughout a class, Poisson and
#'   negative binomial. Histograms and single values are not among them, because a number beyond
#'   their bins or values is impossible.
#' @param criterion What a likelihood must gain: `"log_loss"`, the log posterior of the true class
#'   given the feature alone; `"evidence"`, the log density of the feature given the true class.
#' @param folds As in [cv_risk()].
#'
#' @details Each candidate is fitted to the other folds, with the feature as its only one, and
#' scores the rows of a fold. A likelihood replaces that of `object` if its mean gain is more than
#' two standard errors of the paired differences; of several the one with the largest gain. So a
#' likelihood is rarely changed by chance: by one or two features in a hundred for each candidate.
#'
#' The log posterior compares any two likelihoods. Densities of numbers and probabilities of counts
#' can only be compared if the numbers are whole.
#'
#' Features in a joint block, and those that have a likelihood in `features`, stay as they are. The
#' search is for each feature alone, so it can be followed by [search_blocks()], which keeps the
#' likelihoods that were found.
#' @return A specification of class `bayesrisk_likelihood_search`, with the likelihoods that were
#'   found in `features`. It prints with the search. `as.data.frame()` gives a row for each feature
#'   and likelihood:
#'   * `feature`, `likelihood` (`"as before"`: that of `object`);
#'   * `loss`: the mean loss of held-out rows (`NA`: a held-out row is impossible, or an estimate
#'     does not exist);
#'   * `gain`, `std_error`: how much less the loss is than as before;
#'   * `chosen`: whether the feature has this likelihood now.
#' @section Errors: as in [cv_risk()]; `bayesrisk_error_argument` if no numeric feature stands
#'   alone.
#' @seealso [search_blocks()], [cv_risk()] to judge the result
#' @concept model selection
#' @examplesIf requireNamespace("MASS", quietly = TRUE)
#' set.seed(1)
#' found <- search_likelihoods(bayes_naive(), type ~ npreg + glu + ped, MASS::Pima.tr, folds = 5)
#' found
#' fit(found, type ~ npreg + glu + ped, MASS::Pima.tr)
#' @export
search_likelihoods <- function(object, formula, data, candidates = NULL,
                               criterion = c("log_loss", "evidence"), weights, subset,
                               na.action = stats::na.pass, # nolint: object_name_linter.
                               folds = 10, ..., threads = default_threads()) {
  call <- check_no_dots(...)
  object <- check_spec(maybe(object), call)
  criterion <- check_choice(criterion, c("log_loss", "evidence"), "criterion", call)
  candidates <- check_candidates(candidates, call)
  threads <- check_threads(threads, call)
  start <- list(list(spec = object, formula = maybe(formula)))
  asked <- list(
    weights = rlang::enquo(weights), subset = rlang::enquo(subset), folds = rlang::enquo(folds)
  )
  data <- cv_rows(maybe(data), start, asked, call)
  cases <- read_cv_cases(start, data, asked, na.action, threads, call)
  alone <- lone_numbers(object, cases$schema, call)
  folds <- read_folds(cases$folds, TRUE, cases$group, sum(cases$class_rows), call)
  tables <- lapply(names(alone), function(name) {
    likelihoods <- c(
      list(`as before` = alone[[name]]), candidates[apply_to(candidates, name, cases)]
    )
    compare_likelihoods(name, likelihoods, object, cases, folds, criterion, call)
  })
  path <- do.call(rbind, tables)
  changes <- changes_of(path)
  kept <- keep_changes(object, changes, candidates, cases, folds, call)
  refused <- setdiff(changes$feature, kept$feature)
  path$chosen <- with(path, ifelse(feature %in% kept$feature, chosen, likelihood == "as before"))
  new_likelihood_search(object, path, kept, refused, candidates, criterion)
}

# The changed features, those with the surest gain first.
changes_of <- function(path) {
  changed <- path[path$chosen & path$likelihood != "as before", ]
  # Without a standard error the gain is infinite.
  changed[order(-changed$gain / ifelse(is.na(changed$std_error), 1, changed$std_error)), ]
}

# The changes that together lower the tempered log loss of the whole model: all, or else the surer
# half of them, and so on.
keep_changes <- function(spec, changes, candidates, cases, folds, call) {
  tempered <- replace(spec, "temper", list("model"))
  while (nrow(changes)) {
    both <- list(list(spec = tempered), list(spec = with_changes(tempered, changes, candidates)))
    cases$features <- rep(cases$features[1L], 2L)
    design <- new_cv_design(both, cases, folds, call)
    found <- call_engine(cross_losses_cpp(design, FALSE, cases$threads), call)
    known <- is.finite(found$loss)
    if (isTRUE(known[[2L]] && (!known[[1L]] || found$gain[[2L]] > 0))) break
    changes <- utils::head(changes, nrow(changes) %/% 2L)
  }
  changes
}

with_changes <- function(spec, changes, candidates) {
  found <- stats::setNames(candidates[changes$likelihood], changes$feature)
  spec$features <- c(spec$features, found)
  spec
}

default_candidates <- function() {
  list(
    gaussian = likelihood_gaussian(), gamma = likelihood_gamma(), kernel = likelihood_kernel(),
    mixture = likelihood_mixture(1:3, starts = 5), poisson = likelihood_poisson(),
    negative_binomial = likelihood_negative_binomial()
  )
}

check_candidates <- function(candidates, call) {
  if (is.null(candidates)) return(default_candidates())
  if (!is.list(candidates) || is.object(candidates) || !length(candidates)) {
    check_places(call)
    abort_wanted(candidates, "candidates", "a list of likelihoods", call, c(
      i = "For example {.code list(kernel = likelihood_kernel())}."
    ))
  }
  names <- names(candidates)
  if (is.null(names)) names <- rep("", length(candidates))
  for (i in seq_along(candidates)) {
    check_likelihood(candidates[[i]], "numeric", sprintf("candidates[[%d]]", i), call)
  }
  own <- vapply(candidates, `[[`, "", "name")
  names <- ifelse(nzchar(names), names, own)
  check_distinct_names(names, "candidates", call)
  stats::setNames(candidates, names)
}

# The likelihoods of the numeric features that stand alone, named by feature.
lone_numbers <- function(spec, schema, call) {
  assigned <- assign_likelihoods(spec, schema, call)
  banks <- plan_banks(assigned, schema, call)$banks
  single <- unlist(lapply(Filter(Negate(is_joint), banks), `[[`, "features"))
  numeric <- which(feature_kinds(schema) == "numeric")
  open <- setdiff(names(schema$features)[intersect(sort(single), numeric)], names(spec$features))
  if (!length(open)) {
    abort_argument(c(
      "There is no numeric feature that stands alone.",
      i = "{.fn bayes_naive} models each feature alone; likelihoods in {.arg features} stay."
    ), call)
  }
  stats::setNames(rep(list(spec$numeric), length(open)), open)
}

# Which likelihoods the numbers of a feature allow.
apply_to <- function(candidates, name, cases) {
  place <- match(name, names(cases$schema$features))
  found <- column_support_cpp(cases$frame, place, cases$group, cases$weights)
  counts <- found$lowest >= 0 && found$whole
  vapply(candidates, function(likelihood) {
    switch(likelihood$name,
      gamma = found$lowest > 0,
      # In a class of zeros alone the rate is 0, and a new 1 is impossible.
      poisson = , negative_binomial = counts && found$positive,
      empirical = counts,
      TRUE
    )
  }, NA)
}

# The losses of likelihoods of one feature: a part of the table of the search.
compare_likelihoods <- function(name, likelihoods, spec, cases, folds, criterion, call) {
  plain <- spec
  plain$structure <- "naive"
  plain$blocks <- list()
  plain$temper <- NULL
  candidates <- lapply(likelihoods, function(likelihood) {
    plain$features <- stats::setNames(list(likelihood), name)
    list(spec = plain)
  })
  cases$features <- rep(list(name), length(candidates))
  design <- new_cv_design(unname(candidates), cases, folds, call)
  found <- call_engine(cross_losses_cpp(design, criterion == "evidence", cases$threads), call)
  check_data_problems(found$diagnostics, cases, call)
  known <- is.finite(found$loss)
  gain <- ifelse(known, found$gain, NA)
  # Nothing is as bad as an impossible case.
  if (!known[[1L]]) gain[known] <- Inf
  better <- !is.na(gain) & gain > 0 & (gain == Inf | gain > 2 * found$std_error)
  best <- if (any(better)) {
    which(better)[[which.max(bounded_gain(gain, found$loss)[better])]]
  } else {
    1L
  }
  data.frame(
    feature = name, likelihood = names(likelihoods), loss = ifelse(known, found$loss, NA),
    gain = gain, std_error = ifelse(is.finite(gain), found$std_error, NA),
    chosen = seq_along(gain) == best
  )
}

# Infinite gains are ordered by the losses.
bounded_gain <- function(gain, loss) if (any(gain == Inf, na.rm = TRUE)) -loss else gain

new_likelihood_search <- function(spec, path, changes, refused, candidates, criterion) {
  # In the order of the formula.
  changes <- changes[order(match(changes$feature, path$feature)), ]
  structure(
    with_changes(spec, changes, candidates),
    search = list(path = path, refused = refused, criterion = criterion),
    class = c("bayesrisk_likelihood_search", "bayesrisk_search", class(spec))
  )
}

#' @export
describe.bayesrisk_likelihood_search <- function(x, show) {
  search <- attr(x, "search")
  path <- search$path
  chosen <- path[path$chosen, c("feature", "likelihood", "loss", "gain", "std_error")]
  by <- c(log_loss = "log loss", evidence = "log density")[[search$criterion]]
  changed <- sum(chosen$likelihood != "as before")
  list(
    sentences_item(format(x)),
    heading_item(sprintf("search by out-of-fold %s, feature by feature", by)),
    table_item(chosen, c("feature", "features")),
    sentences_item(c(
      sprintf(
        "%s of %s changed.", format_count(changed),
        count_of(nrow(chosen), "likelihood", "likelihoods")
      ),
      if (length(search$refused)) {
        sprintf("Better alone, but not in the whole model: %s.", some_of(search$refused))
      }
    ))
  )
}

#' @export
result_rows.bayesrisk_likelihood_search <- function(x, call) {
  path <- attr(x, "search")$path
  check_unchanged(is_sound_spec(x) && is.data.frame(path), "specification", call)
  rownames(path) <- NULL
  path
}

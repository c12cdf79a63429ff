#' Posteriors of cases by models that were not fitted to them
#'
#' The posterior probabilities of each row, from the model fitted to all other folds. They give an
#' honest assessment of a model's probabilities and decisions.
#'
#' @inheritParams cv_risk
#' @param object A specification: [bayes_naive()], [bayes_full()], [bayes_blocks()].
#' @param formula As in [fit()][fit.bayesrisk_spec].
#' @details The computation is that of [cv_risk()]: the data are read once for the statistics of all
#'   folds and once for the scores. No model is fitted again. The same seed gives the same folds.
#' @return A matrix of posterior probabilities, with a row per row of `data` (and its row names), a
#'   column per class, and an attribute `folds`. A row is `NA` if it is in no fold. It is `NA` with
#'   a warning if it is impossible under every class, or if the model of the other folds does not
#'   exist.
#' @inheritSection cv_risk Errors
#' @seealso [cv_risk()]
#' @export
#' @examples
#' set.seed(1)
#' posterior <- cv_predict(bayes_naive(), Species ~ ., iris)
#' head(posterior, 3)
#' class <- colnames(posterior)[max.col(posterior)]
#' confusion_table(iris$Species, class)
cv_predict <- function(object, formula, data, prior = NULL, weights, subset,
                       na.action = stats::na.pass, # nolint: object_name_linter.
                       folds = 10, stratify = TRUE, ..., threads = default_threads()) {
  call <- rlang::current_env()
  check_no_dots(..., call = call)
  threads <- check_threads(threads, call)
  object <- maybe(object)
  # Only cv_risk() takes a list of candidates.
  if (!inherits(object, "bayesrisk_spec")) check_spec(object, call)
  candidates <- read_candidates(object, maybe(formula), prior, call)
  if (length(candidates) > 1L) abort_argument("{.arg formula} must be one formula.", call)
  read <- read_cv_cases(
    candidates, maybe(data), rlang::enquo(weights), rlang::enquo(subset), na.action, threads, call
  )
  folds <- read_folds(folds, stratify, read$group, sum(read$class_rows), call)
  task <- new_cv_task(candidates, read, folds, call)
  found <- call_engine(cross_posterior_cpp(task, threads), call)
  check_data_problems(found$diagnostics, read$schema, read$schema$response, call)
  problems <- describe_fold_problems(found$problems, task, read)
  lost <- sum(is.na(found$value[, 1L]) & !is.na(read$group))
  warn_folds(
    fold_problem_lines(problem_table(problems, names(candidates), folds$labels)),
    if (lost > 0L) "{count_of(lost, 'row', 'rows')} without a posterior: NA.", call
  )
  dimnames(found$value) <- list(read$row_names, read$schema$classes$levels)
  structure(found$value, folds = folds$of)
}

#' Cross-validate the cost of decisions
#'
#' Estimates the cost of a model's decisions on cases that it was not fitted to. The rows are split
#' into folds. The rows of each fold are decided by the model of all other folds. Several candidates
#' are compared on the same folds, case by case.
#'
#' @param object A specification ([bayes_naive()], [bayes_full()], [bayes_blocks()]), or a
#'   list of them, named by candidate.
#' @param formula A formula as in [fit()][fit.bayesrisk_spec], or a named list of formulas with the
#'   same class. With one specification, each formula is a candidate. With a list of
#'   specifications, both lists must have the same names, and each candidate has its own formula.
#' @param data A data frame, tibble, data.table, or a matrix with column names; or chunks, parts or
#'   a lazy table, whose used columns are read into memory: see the details of [cv_risk()].
#' @param cost The cost of each action under each true class: see [cost_matrix()]. Costs by case are
#'   computed from the columns of `data`. The default is 0-1 cost: then the mean cost is the share
#'   of errors.
#' @param prior The prior probabilities of the population that is meant. They replace the priors of
#'   the specifications in every fold, **and** the held-out cases are weighted to this population,
#'   as in [assess_decisions()]. The fits are not.
#' @param folds The number of folds; the number of rows for leave-one-out (up to 1e4);
#'   or the fold of each row: a factor, text, logical or whole numbers. The columns of `data` can be
#'   used: `folds = region` leaves out one region at a time.
#' @param stratify Whether folds are drawn so that each has its share of every class.
#' @param weights,subset,na.action Case weights, the rows to use, and the treatment of rows that
#'   miss a feature of any candidate, as in [fit()][fit.bayesrisk_spec]. Weights count in the fits
#'   and in the means. Rows of weight 0 and unused rows are in no fold.
#' @param cluster The cluster of each row, such as a patient with several rows. The columns of
#'   `data` can be used; `.` in a formula does not stand for them. Drawn folds keep clusters
#'   together, and errors are those of whole clusters.
#' @param by,pool Groups of rows with models of their own, and how much they learn from each other,
#'   as in [fit()][fit.bayesrisk_spec]. `.` in a formula does not stand for the columns of `by`.
#' @param interval How the intervals are made: `"nested"`, the default up to 2,000 rows and 20
#'   folds, or `"folds"`. See Details.
#' @inheritParams bayesrisk_arguments
#'
#' @details
#' No model is fitted again. The data are read once for the statistics of every fold and class. The
#' model without a fold is estimated from the merged statistics of the other folds. It equals a new
#' fit to 1e-12. Candidates share the statistics of all single features of a kind, and of joint
#' blocks with the same features. Candidates that differ only in smoothing, shrinkage, variance,
#' prior or dropped features need no further reading. The rows are then scored once per candidate.
#'
#' Classes and levels are those of all rows, as if they were declared. A level that occurs in only
#' one fold has count 0 in the model without this fold; it is not an unknown level.
#'
#' Folds are drawn with R's generator, so `set.seed()` reproduces them. Nothing else is random.
#'
#' **Sources.** Folds are drawn from all rows. So of chunks, parts and lazy tables
#' ([bayesrisk_sources]) the used columns of all rows are read into memory, up to 100 million values
#' (800 MB); more are a `bayesrisk_error_data`. The numbers are those of the same rows in the same
#' order; a database may have another order.
#'
#' **Groups.** With `by` the models are those of `fit(by = , pool = )`: in each group, the rows of a
#' fold are decided by the model of the other folds of the group. With `pool` it adds cases of the
#' model of all rows outside the fold; their numbers are estimated once, from all rows. A group of
#' fewer rows than folds is left out row by row; a group of one row is an error. The result is that
#' over all groups, whose cases are independent; the attribute `by_group` has that of each group.
#'
#' **Degenerate folds.** The model without a fold may borrow from other classes; column `problem` of
#' the folds reports this. The model may also not exist, because a class with a given prior has no
#' rows, or because there is nothing to borrow from. Then this candidate does not decide the cases
#' of the fold. They are left out of its error, cost and difference, with one warning for all folds
#' (`bayesrisk_warning_fold`). The warning also names each class whose rows are all in one fold,
#' because the model without this fold can never decide for the class. Cases that are impossible
#' under every class (0/0) are left out and counted in the same way.
#'
#' **Intervals.** All have a level of 95 % and speak of the model that is fitted to all rows.
#' * `"folds"`: \eqn{\bar x \pm 1.96\, s / \sqrt{n}}{mean(x) +- 1.96 sd(x) / sqrt(n)} over the
#'   cases that a candidate, or both candidates of a difference, decide. The interval of a
#'   difference is paired: both candidates decide the same cases. It treats the cases as
#'   independent, although their models share most of their rows, so it is too narrow for small
#'   data. No unbiased estimate of the variance exists (Bengio and Grandvalet 2004).
#' * `"nested"`: nested cross-validation (Bates, Hastie and Tibshirani 2024). The other folds
#'   predict the mean of each fold, by models that miss two folds; the squared errors of these
#'   predictions are the variance. The standard error is at least that of `"folds"`, and at most
#'   \eqn{\sqrt{K}}{sqrt(K)} times that for \eqn{K} folds. The centre is corrected for the smaller
#'   training sets, so it is not the estimate. Eight divisions into folds are averaged; there is
#'   one of folds that are given, and of mixtures. Needs 3 to 20 folds of two rows or more, and
#'   candidates that are not tempered; otherwise the intervals are those of `"folds"`, with a
#'   message (`bayesrisk_message_interval`) if `"nested"` was asked for.
#'
#' With weights, \eqn{n} is the effective number \eqn{(\sum w)^2 / \sum w^2}{(sum w)^2 / sum w^2}.
#' With a prior, the variance is that of the means of the classes, whose shares are known. With
#' clusters, it is that of the sums of the clusters, and the quantile is that of Student's t. The
#' intervals end at the least and the greatest finite cost that a case may have, and differences at
#' the greatest difference of two costs of a case.
#' `bench/coverage-cv.R` in the sources simulates the coverage, also with a prior and with clusters:
#' `"folds"` cover 85 to 90 % of the time with 40 cases or 30 clusters, and 92 % with 300 cases.
#'
#' If the best of many candidates is chosen by its estimated cost, this estimate is too low.
#'
#' @return A data frame of class `bayesrisk_cv`, one row per candidate:
#'   * `candidate`: its name;
#'   * `error`: the share of the cases that are decided for a wrong class. Actions
#'     that are no classes are never wrong, and stay in the denominator; `NA` if no action
#'     is a class;
#'   * `cost`: mean cost per case, in the unit of `cost`;
#'   * `difference`: the mean over cases of the cost minus the cost of the first candidate; `lower`
#'     and `upper`: its interval. All three are 0 for the first candidate;
#'   * `error_lower`, `error_upper`, `cost_lower`, `cost_upper`: the intervals of error and cost.
#'
#'   Attributes: `by_fold` (a data frame: `candidate`, `fold`, `cases`, `decided`, `error`,
#'   `cost`, `problem`), `cost_error` (the standard error of `cost`), `folds` (the fold of each row;
#'   `NA` for a row in no fold), `cost` (the cost used, if it is the same for all cases), `interval`
#'   (`"nested"` or `"folds"`), `clusters` (their number; 0 without `cluster`). With `by` also
#'   `by_group`: the same columns for each group, its keys first. A key cannot have the name of one
#'   of these columns.
#'   `plot()` draws the costs with their intervals.
#' @section Errors: as in [fit()][fit.bayesrisk_spec] for the data and the formula;
#'   `bayesrisk_error_argument` for a bad or unknown argument; `bayesrisk_error_data` if a class has
#'   a `prior` above 0 and no case.
#' @references
#' Bates, S., Hastie, T. and Tibshirani, R. (2024). Cross-validation: what does it estimate and
#' how well does it do it? *Journal of the American Statistical Association* 119, 1434-1445.
#'
#' Bengio, Y. and Grandvalet, Y. (2004). No unbiased estimator of the variance of
#' k-fold cross-validation. *Journal of Machine Learning Research* 5, 1089-1105.
#' @seealso [cv_predict()] for the posteriors behind the decisions
#' @export
#' @examples
#' set.seed(1)
#' cv_risk(bayes_naive(), Species ~ ., iris)
#'
#' candidates <- list(
#'   naive = bayes_naive(), full = bayes_full(), pooled = bayes_full(covariance = "pooled")
#' )
#' cost <- cost_matrix(
#'   setosa     = c(setosa = 0, versicolor = 1, virginica = 5),
#'   versicolor = c(setosa = 1, versicolor = 0, virginica = 5),
#'   virginica  = c(setosa = 1, versicolor = 1, virginica = 0)
#' )
#' cv_risk(candidates, Species ~ ., iris, cost)
#'
#' # a model for each group, which learns from the others
#' cv_risk(bayes_naive(), am ~ hp + wt, mtcars[mtcars$cyl < 8, ], by = cyl, pool = TRUE)
#'
#' # leave one out, and features dropped
#' cv_risk(
#'   bayes_naive(laplace = 1),
#'   list(all = play ~ ., `without wind` = play ~ . - wind),
#'   play_tennis, folds = 14
#' )
cv_risk <- function(object, formula, data, cost = NULL, prior = NULL, weights, subset,
                    na.action = stats::na.pass, # nolint: object_name_linter.
                    folds = 10, stratify = TRUE, cluster, interval = c("nested", "folds"), by,
                    pool = 0, ..., threads = default_threads()) {
  call <- check_no_dots(...)
  stratify <- check_flag(stratify, "stratify", call)
  asked <- if (!missing(interval)) check_choice(interval, cv_intervals, "interval", call)
  by <- read_by(rlang::enquo(by), call)
  check_key_names(names(by), cv_columns, call)
  pool <- check_pool(pool, by, call)
  candidates <- read_candidates(maybe(object), maybe(formula), prior, call)
  asked_rows <- list(
    weights = rlang::enquo(weights), subset = rlang::enquo(subset), folds = rlang::enquo(folds),
    cluster = rlang::enquo(cluster)
  )
  keys <- unlist(lapply(by, all.vars))
  data <- cv_rows(maybe(data), candidates, asked_rows, call, cost, keys)
  read <- read_cv_cases(candidates, data, asked_rows, na.action, threads, call, keys)
  cost <- read_cost(cost, read$schema$classes$levels, data, length(read$group), call, "data")
  settings <- list(
    prior = prior, stratify = stratify, interval = asked, weights = asked_rows$weights,
    subset = asked_rows$subset, na_action = na.action, by = by, pool = pool, threads = read$threads
  )
  if (!is.null(by)) return(cv_groups(candidates, data, read, cost, settings, call))
  run <- cross_validate(candidates, read, cost, settings, call)
  warn_cv(run, call)
  as_cv(run, cost, max(0L, read$cluster))
}

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
#'   column per class, and an attribute `folds`. With `prior`, the matrix has it as attribute
#'   `prior`, and [assess_decisions()] and [compare_decisions()] of the whole matrix weight the
#'   cases to this population. A part of the matrix has no attributes. A row is `NA` if it is in no
#'   fold. It is `NA` with a warning if it is impossible under every class, or if the model of the
#'   other folds does not exist.
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
                       folds = 10, stratify = TRUE, cluster, ..., threads = default_threads()) {
  call <- check_no_dots(...)
  stratify <- check_flag(stratify, "stratify", call)
  object <- maybe(object)
  # Only cv_risk() takes a list of candidates.
  if (!inherits(object, "bayesrisk_spec")) check_spec(object, call)
  candidates <- read_candidates(object, maybe(formula), prior, call)
  if (length(candidates) > 1L) abort_argument("{.arg formula} must be one formula.", call)
  asked_rows <- list(
    weights = rlang::enquo(weights), subset = rlang::enquo(subset), folds = rlang::enquo(folds),
    cluster = rlang::enquo(cluster)
  )
  data <- cv_rows(maybe(data), candidates, asked_rows, call)
  read <- read_cv_cases(candidates, data, asked_rows, na.action, threads, call)
  folds <- read_folds(
    read$folds, stratify, read$group, sum(read$class_rows), call, read$cluster
  )
  population <- cv_population(prior, read, call)
  design <- new_cv_design(candidates, read, folds, call)
  found <- call_engine(cross_posterior_cpp(design, read$threads), call)
  problems <- read_fold_problems(found, design, read, call)
  lost <- sum(is.na(found$value[, 1L]) & !is.na(read$group))
  warn_folds(
    fold_problem_lines(problem_table(problems, names(candidates), folds$labels)),
    if (lost > 0L) "{count_of(lost, 'row', 'rows')} without a posterior: NA.",
    all(problems$borrows), call
  )
  dimnames(found$value) <- list(read$row_names, read$schema$classes$levels)
  classes <- read$schema$classes$levels
  structure(
    found$value, folds = folds$of,
    prior = if (!is.null(prior)) stats::setNames(population, classes)
  )
}

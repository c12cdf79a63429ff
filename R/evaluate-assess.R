#' What decisions cost on cases whose truth is known
#'
#' Counts decisions by the truth and says what they cost: believed, realised, and at
#' best; how often they are wrong; and whether the probabilities behind them can be
#' trusted. Cases that the model was fitted to flatter it: take others, or the
#' posteriors of [cv_predict()].
#'
#' @param object One of
#'   * a fitted or known model, which decides the cases of `data`;
#'   * a result of [decide()];
#'   * posterior probabilities in a matrix or data frame with a column per class, as
#'     [decide()] takes them; also from [cv_predict()].
#' @param data The cases: a data frame, tibble, data.table or matrix. Needed for a model,
#'   and for costs that are formulas.
#' @param cost What each action costs under each true class: see [cost_matrix()]; costs
#'   may differ by case. Default: 0-1 cost; for a result of [decide()] the cost that
#'   it was made with.
#' @param prior Prior probabilities to decide by instead of those used so far, as in [decide()];
#'   posterior probabilities need `trained_prior` then.
#' @param truth The true class of each case: a factor, text, logical or whole numbers.
#'   Default, for a model that was fitted by a formula: the class in `data`.
#' @param seed The seed of the bootstrap, a whole number from 0. It has a generator of its
#'   own, so that R's is not touched.
#' @param trained_prior Of given posterior probabilities: the prior that they contain, as in
#'   [decide()], which the cost curve takes out. Default: the shares of the classes among the
#'   cases counted, as if `object` had been trained where these come from.
#' @inheritParams bayesrisk_arguments
#'
#' @details
#' With \eqn{C_i(a, k)} what action \eqn{a} costs case \eqn{i} when class \eqn{k} is true,
#' \eqn{a_i} the decision and \eqn{k_i} the truth, all are means over cases:
#' * **realised** cost \eqn{C_i(a_i, k_i)}, and its 95 % bootstrap interval
#'   (Margineantu and Dietterich 2000: resampling cases is resampling the cells of the
#'   confusion table). 2,000 replicates, percentiles; more than 1e4 cases are dealt at
#'   random to 1e4 groups, which are resampled. What has never happened in the data has no
#'   weight in it: with few errors and large costs it is too narrow;
#' * **believed** cost: the expected cost of the decision under its posterior. Far below
#'   the realised cost, the model is too sure of itself. `NA` for a result of [decide()] that was
#'   made with other costs, or with costs by case (assess the model or its posteriors);
#' * **best** possible cost \eqn{\min_a C_i(a, k_i)}{min_a C_i(a, k_i)}, for someone who
#'   knew the truth, and the **regret**, realised minus best;
#' * the **log loss** \eqn{-\log p_i(k_i)}{-log p_i(k_i)}, infinite if a truth was held
#'   impossible, and the **Brier score**
#'   \eqn{\sum_k (p_i(k) - [k = k_i])^2}{sum_k (p_i(k) - [k = k_i])^2}, from 0 to 2.
#'
#' An abstention (a decision that is no class) is never wrong and stays in the denominator
#' of `error`. All numbers are of the same cases: those with a truth, a decision, and known
#' costs of all actions under that truth. Cases without a truth, without a decision (`NA`:
#' impossible, infinite, of unknown cost) or with an unknown cost under the truth are left
#' out; `left_out` and the print say how many there are.
#'
#' Among the cases whose most probable class has 0.99 or more, the number of errors that these
#' probabilities announce is compared with the number made: where the latter is larger beyond
#' chance (Poisson, 0.001), one warning of class `bayesrisk_warning_calibration` says so. Costs
#' that are not symmetric lean on just these probabilities.
#'
#' @return A list of class `bayesrisk_assessment`; printing shows the most of it on one screen:
#'   * `n`: cases counted; `left_out`: those without `truth`, `decision` or `cost`;
#'   * `confusion`: a [confusion_table()];
#'   * `error`: the share decided for a wrong class; `coverage`: the share decided for a class;
#'     `error_decided`: the share of wrong ones among these. `NA` if no action is a class;
#'   * `cost`: realised mean cost, `std.error` its standard error, `lower` and `upper` the
#'     bootstrap interval; `believed`, `best`, `regret`;
#'   * `cells`: a data frame with a row per truth and decision: `truth`, `decision`, `n`, `cost`
#'     (the sum over its cases) and `share` (of the sum over all);
#'   * `log_loss`, `brier`, `impossible` (cases whose truth had probability 0);
#'   * `calibration`: a data frame `class`, `from`, `to`, `cases`, `predicted` (mean
#'     probability), `observed` (share of the class), for ten bins of the probability of
#'     each class;
#'   * `certain`: `cases` at a probability `from` (0.99), their `expected` errors and those made
#'     (`wrong`);
#'   * `by_truth`: what `summary()` gives, a row per true class;
#'   * `risk_coverage`: what giving cases back at a price does: a data frame `reject`
#'     (the price: cases of larger expected cost are given back), `coverage`, `error` (among the
#'     decided), `cost` (mean of the decided), `risk` (mean of all, the price of the others
#'     included);
#'   * `cost_matrix`: the cost that prices `cells`; `NULL` if each case has its own;
#'   * `cost_curve`, `benefit`, for two classes: see [plot()][plot.bayesrisk_assessment]. No
#'     cost curve where the prior of a class is 0: no other can be put in its place.
#'
#'   What needs probabilities is `NULL` or `NA` for a result of [decide()], which has none.
#'   `tidy()` and [as.data.frame()] give the `cells`, `glance()` the numbers in one row,
#'   `summary()` a row per true class.
#' @section Errors: `bayesrisk_error_argument` for a bad argument, a truth that is no class of
#'   the model, lengths that differ; others as in [decide()].
#' @references
#' D. D. Margineantu and T. G. Dietterich (2000). Bootstrap methods for the cost-sensitive
#' evaluation of classifiers. *Proceedings of the 17th International Conference on Machine
#' Learning*, 583-590.
#'
#' G. W. Brier (1950). Verification of forecasts expressed in terms of probability.
#' *Monthly Weather Review* 78, 1-3.
#' @seealso [cv_risk()], [confusion_table()], [plot()][plot.bayesrisk_assessment]
#' @export
#' @examples
#' cost <- cost_matrix(
#'   setosa     = c(setosa = 0, versicolor = 1, virginica = 5),
#'   versicolor = c(setosa = 1, versicolor = 0, virginica = 5),
#'   virginica  = c(setosa = 1, versicolor = 1, virginica = 0),
#'   ask        = 0.4
#' )
#' set.seed(1)
#' held_out <- cv_predict(bayes_naive(), Species ~ ., iris)
#' assess_decisions(held_out, cost = cost, truth = iris$Species)
#'
#' # The same model on the cases it was fitted to
#' model <- fit(bayes_naive(), Species ~ ., iris)
#' glance(assess_decisions(model, iris, cost))
assess_decisions <- function(object, data = NULL, cost = NULL, prior = NULL, truth = NULL,
                             trained_prior = NULL, seed = 1, ..., threads = default_threads()) {
  call <- rlang::current_env()
  check_no_dots(..., call = call)
  threads <- check_threads(threads, call)
  seed <- check_seed(seed, call)
  object <- maybe(object)
  if (inherits(object, "bayesrisk_model")) check_model(object, call)
  # Data that only costs by case are computed from are not read otherwise.
  if (inherits(data, "bayesrisk_cost")) read_container(data, "data", abort_argument, call)
  believed <- believe(object, data, cost, prior, truth, trained_prior, threads, call)
  decided <- call_engine(assess_cpp(
    believed$decision, believed$truth, believed$cost, believed$expected, seed, threads
  ), call)
  scores <- if (!is.null(believed$posterior)) {
    call_engine(proper_scores_cpp(
      believed$posterior, believed$logarithms, decided$truth, believed$prior
    ), call)
  }
  new_assessment(decided, scores, believed, call)
}

#' Assess the cost of decisions on cases with known truth
#'
#' Counts decisions by the truth. Reports their believed, realised and best possible cost, their
#' errors, and the calibration of the posterior. On the cases that a model was fitted to, the
#' results are better than on new cases. So use other cases, or the posteriors of [cv_predict()].
#'
#' @param object One of
#'   * a fitted or known model, which decides the cases of `data`;
#'   * a result of [decide()];
#'   * [posterior probabilities][posterior_probabilities] of any classifier, for example from
#'     [cv_predict()].
#' @param data The cases: a data frame, tibble, data.table or matrix. Needed for a model,
#'   and for costs that are formulas.
#' @param cost The cost of each action under each true class: see [cost_matrix()]. Costs may differ
#'   by case. The default is 0-1 cost, or for a result of [decide()] the cost that it was made with.
#' @param prior Prior probabilities to use instead of the prior of the model or of the posterior, as
#'   in [decide()]. With posterior probabilities, `trained_prior` is needed too.
#' @param truth The true class of each case: a factor, text, logical or whole numbers.
#'   Default, for a model that was fitted by a formula: the class in `data`.
#' @param seed The seed of the bootstrap, a whole number, 0 or more. The bootstrap has its own
#'   generator and leaves R's generator unchanged.
#' @param trained_prior For posterior probabilities: the prior that they were computed with, as in
#'   [decide()]. The cost curve replaces this prior. The default is the class shares of the counted
#'   cases, as if `object` had been trained on the same population.
#' @param estimate For models: `"plugin"`, or `"predictive"` for the predictive distributions of
#'   [predict()][predict.bayesrisk_model].
#' @inheritParams bayesrisk_arguments
#'
#' @details
#' \eqn{C_i(a, k)} is the cost of action \eqn{a} for case \eqn{i} when class \eqn{k} is true,
#' \eqn{a_i} is the decision and \eqn{k_i} the truth. All measures are means over cases:
#' * **realised** cost \eqn{C_i(a_i, k_i)}, with a 95 % bootstrap interval of 2,000 replicates
#'   (percentiles). The bootstrap resamples cases, which is the same as resampling the cells of the
#'   confusion table (Margineantu and Dietterich 2000). If there are more than 1e4 cases, they are
#'   assigned at random to 1e4 groups, and the groups are resampled. A kind of error that did not
#'   occur in the data does not occur in the replicates either. So the interval is too narrow if
#'   errors are rare and costly;
#' * **believed** cost: the expected cost of the decision under the posterior. A model is
#'   overconfident if its believed cost is far below the realised cost. `NA` for a result of
#'   [decide()] that was made with other costs, or with costs by case. In this case assess the model
#'   or its posteriors;
#' * **best** possible cost \eqn{\min_a C_i(a, k_i)}{min_a C_i(a, k_i)}, if the truth were known
#'   before the decision, and the **regret**, realised minus best cost;
#' * the **log loss** \eqn{-\log p_i(k_i)}{-log p_i(k_i)}, infinite if the posterior of a true class
#'   is 0, and the **Brier score**
#'   \eqn{\sum_k (p_i(k) - [k = k_i])^2}{sum_k (p_i(k) - [k = k_i])^2}, from 0 to 2.
#'
#' The other measures compare decisions with classes; `TP` is the number of cases of a class that
#' are decided for it. All have 95 % intervals by the same bootstrap:
#' * **accuracy**: the share of correct decisions; **balanced accuracy**: the mean sensitivity of
#'   the classes that occur; Cohen's **kappa**; **Matthews** correlation, with more than two classes
#'   in the form of Gorodkin (2004);
#' * of each class against all others: **sensitivity** (recall), the share of its cases that are
#'   decided for it; **specificity**, the share of the other cases that are not; **precision**, the
#'   share of the decisions for it that are correct; **F1**, 2 TP / (cases + decisions);
#' * **AUC**, the area under the ROC curve. Pair each case of the class with each other case. AUC is
#'   the share of the pairs in which the case of the class has the larger probability of the class.
#'   Ties count half, as in the test of Mann and Whitney. With more than two classes it is the mean
#'   over pairs of classes of Hand and Till (2001). **Gini** is 2 AUC - 1. **KS** is the largest
#'   difference, over all cuts of the probability, between the share of the class and the share of
#'   the other cases above the cut. The bootstrap resamples the placement of each case among the
#'   others (DeLong et al. 1988) and does not change the cut of KS.
#'
#' An abstention is a decision that is no class. It is neither a correct nor a wrong decision, and
#' it stays in the denominators of accuracy, sensitivity and `error`.
#'
#' yardstick has no abstentions. Without abstentions its measures equal those here. For more than
#' two classes its measures (`estimator = "macro"`) are means over the classes, and its AUC is the
#' AUC of Hand and Till. There are three differences. With more than two classes its
#' `bal_accuracy()` also averages the specificities. Its Brier score is half of the one here. The F1
#' of a class without any decision for it is 0 here; yardstick leaves this class out of its mean.
#'
#' All measures use the same cases: those with a truth, a decision, and known costs of all actions
#' under the truth. All other cases are left out. A case has no decision (`NA`) if it is impossible
#' under every class, infinite, or has an unknown cost. `left_out` and the print give the numbers of
#' the cases that are left out.
#'
#' Calibration is checked on the cases whose most probable class has a posterior of 0.99 or more.
#' Their number of errors is compared with the number expected under the posterior. If it is
#' significantly larger (Poisson test at 0.001), there is a warning of class
#' `bayesrisk_warning_calibration`. Decisions under asymmetric costs depend most on these
#' probabilities.
#'
#' @return A list of class `bayesrisk_assessment`. Its print summarises it on one screen:
#'   * `n`: cases counted; `left_out`: those without `truth`, `decision` or `cost`;
#'   * `confusion`: a [confusion_table()];
#'   * `error`: the share decided for a wrong class; `coverage`: the share decided for a class;
#'     `error_decided`: the share of errors among the cases decided for a class. `NA` if no action
#'     is a class;
#'   * `cost`: realised mean cost, `std.error` its standard error, `lower` and `upper` the
#'     bootstrap interval; `believed`, `best`, `regret`: see Details;
#'   * `total`: the sum of the realised costs; `constant`: a data frame `action`, `cost`, the mean
#'     cost if all cases had this action, the cheapest action first;
#'   * `measures`: a data frame `measure`, `class` (`NA`: of all classes), `estimate`, `lower`,
#'     `upper`, see Details. `measure` is `"accuracy"`, `"balanced_accuracy"`, `"kappa"`, `"mcc"`,
#'     `"auc"`, `"gini"`, `"ks"`, and of each class `"sensitivity"`, `"specificity"`, `"precision"`,
#'     `"f1"`, `"auc"`, `"ks"`. `NA` where a measure is undefined;
#'   * `ranking`: for ROC and lift curves, up to about 500 cuts of the probability of each class. A
#'     data frame `class`, `threshold` (the least probability above the cut), `sensitivity`,
#'     `false_alarms` (1 - specificity), `depth` (the share of all cases above the cut), `lift`
#'     (`sensitivity / depth`);
#'   * `cells`: a data frame with a row per truth and decision: `truth`, `decision`, `n`, `cost`
#'     (the sum over its cases) and `share` (the share of the total cost);
#'   * `log_loss`, `brier`, `impossible` (cases whose truth had probability 0);
#'   * `calibration`: a data frame `class`, `from`, `to`, `cases`, `predicted` (mean
#'     probability), `observed` (share of the class), for ten bins of the probability of
#'     each class;
#'   * `certain`: the number of `cases` with a posterior of `from` (0.99) or more, the number of
#'     `expected` errors, and the number of observed errors (`wrong`);
#'   * `by_truth`: the result of `summary()`, a row per true class;
#'   * `risk_coverage`: the effect of rejecting cases at a price. A data frame with the columns
#'     `reject` (the price: cases of larger expected cost are rejected), `coverage` (the share of
#'     decided cases), `error` (among decided cases), `cost` (mean of decided cases) and `risk`
#'     (mean of all cases; a rejected case costs the price);
#'   * `cost_matrix`: the cost that prices `cells`; `NULL` if costs differ by case;
#'   * `cost_curve`, `benefit`, for two classes: see [plot()][plot.bayesrisk_assessment]. If the
#'     prior of a class is 0 there is no cost curve, because this prior cannot be replaced.
#'
#'   Elements that need probabilities are `NULL` or `NA` for a result of [decide()], which has no
#'   probabilities. `tidy()` and [as.data.frame()] give the `cells`, `glance()` the measures in one
#'   row, `summary()` a row per true class.
#' @section Errors: `bayesrisk_error_argument` for a bad argument, a truth that is not a class of
#'   the model, or lengths that differ; other errors as in [decide()].
#' @references
#' D. D. Margineantu and T. G. Dietterich (2000). Bootstrap methods for the cost-sensitive
#' evaluation of classifiers. *Proceedings of the 17th International Conference on Machine
#' Learning*, 583-590.
#'
#' E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson (1988). Comparing the areas under two or more
#' correlated receiver operating characteristic curves. *Biometrics* 44, 837-845.
#'
#' D. J. Hand and R. J. Till (2001). A simple generalisation of the area under the ROC curve for
#' multiple class classification problems. *Machine Learning* 45, 171-186.
#'
#' J. Gorodkin (2004). Comparing two K-category assignments by a K-category correlation coefficient.
#' *Computational Biology and Chemistry* 28, 367-374.
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
                             trained_prior = NULL, estimate = c("plugin", "predictive"), seed = 1,
                             ..., threads = default_threads()) {
  call <- check_no_dots(...)
  threads <- check_threads(threads, call)
  seed <- check_seed(seed, call)
  object <- maybe(object)
  if (is_model(object)) {
    object <- check_model(object, call)
    object <- as_estimated(object, estimate, call)
  } else if (check_choice(estimate, estimates, "estimate", call) == "predictive") {
    abort_argument("{.arg estimate} is for models: probabilities are used as they are.", call)
  }
  # `data` is otherwise read only for costs by case, so a cost in its place would go unnoticed.
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
  measured <- call_engine(measures_cpp(
    believed$decision, decided$truth, believed$cost, believed$posterior,
    isTRUE(believed$logarithms), seed, threads
  ), call)
  new_assessment(decided, scores, measured, believed, call)
}

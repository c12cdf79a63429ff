#' Assess the cost of decisions on cases with known truth
#'
#' Counts decisions by the truth. Reports their believed, realised and best possible cost, their
#' errors, and the calibration of the posterior. On the cases that a model was fitted to, the
#' results are better than on new cases. So use other cases, or the posteriors of [cv_predict()].
#'
#' @param object One of
#'   * a fitted or known model, or models of groups, which decide the cases of `data`;
#'   * a result of [decide()];
#'   * [posterior probabilities][posterior_probabilities] of any classifier, for example from
#'     [cv_predict()].
#' @param data The cases: a data frame, tibble, data.table or matrix; for a model also a source, see
#'   below. Needed for a model, and for costs that are formulas.
#' @param cost The cost of each action under each true class: see [cost_matrix()]. Costs may differ
#'   by case. The default is 0-1 cost, or for a result of [decide()] the cost that it was made with.
#' @param prior The prior probabilities of the population that is meant, if it is another one than
#'   that of the model or of the posterior. The decisions use it, as in [decide()], **and** the
#'   cases are weighted to it: see Details. With posterior probabilities, `trained_prior` is needed
#'   too.
#' @param truth The true class of each case: a factor, text, logical or whole numbers. It may use
#'   the columns of `data`. Default, for a model that was fitted by a formula: the class in `data`.
#' @param seed The seed of the draws, a whole number, 0 or more. They have their own generator and
#'   leave R's generator unchanged.
#' @param weights Case weights: numbers, not negative, one per case. They may use the columns of
#'   `data`. A weight multiplies the case in every mean, share and count. Weights that are all equal
#'   change no mean, share, measure or interval.
#' @param cluster The cluster of each case, such as a patient with several rows. It may use the
#'   columns of `data`. Cases of different clusters are independent.
#' @param interval How intervals are found: `"bayes"` by draws of a posterior, `"bootstrap"` by
#'   drawing cases with replacement, `"none"`: not at all. See Details.
#' @param level The level of the intervals, between 0 and 1.
#' @param class The classes of the net benefit `benefit`, and the class that plots of one class draw
#'   by default. Default: the class that is dearest to miss, the largest cost in its column; if
#'   several are, the rarest of these.
#' @param by Columns of `data` that divide the cases into segments: `by = sex`, or
#'   `by = c(sex, region)`. Each segment is assessed, and all cases together: see
#'   [bayesrisk_assessments]. A key may also be a function of columns, as in
#'   [fit()][fit.bayesrisk_spec].
#' @param sensitivity With `by`: the sensitivity that thresholds of the `class` shall give every
#'   segment, from 0 to 1. Default: that of the common threshold of least cost.
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
#' * **realised** cost \eqn{C_i(a_i, k_i)}, with an interval;
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
#' are decided for it. All but the average precision have intervals:
#' * **accuracy**: the share of correct decisions; **balanced accuracy**: the mean sensitivity of
#'   the classes that occur; Cohen's **kappa**; **Matthews** correlation, with more than two classes
#'   in the form of Gorodkin (2004);
#' * if the truth is an ordered factor, or the class of the fitted model was one: **weighted kappa**
#'   (Cohen 1968), 1 minus the mean distance of decisions from the truth, divided by the mean
#'   distance by chance. The distance of two classes is that of their places in the order (linear)
#'   or its square (quadratic). An abstention is as far from each class as the first class is from
#'   the last one. With two classes it is kappa;
#' * of each class against all others: **sensitivity** (recall), the share of its cases that are
#'   decided for it; **specificity**, the share of the other cases that are not; **precision**, or
#'   positive predictive value, the share of the decisions for it that are correct; **NPV**, the
#'   negative predictive value, the share of the cases that are not decided for it and are not of
#'   the class; **F1**, 2 TP / (cases + decisions);
#' * the likelihood ratios of the decision as a test of each class. They multiply the odds of the
#'   class: **LR+** = sensitivity / (1 - specificity), if it is decided for the class, and
#'   **LR-** = (1 - sensitivity) / specificity, if it is not. `Inf` if no other case is decided so;
#' * **AUC**, the area under the ROC curve. Pair each case of the class with each other case. AUC is
#'   the share of the pairs in which the case of the class has the larger probability of the class.
#'   Ties count half, as in the test of Mann and Whitney. With more than two classes it is the mean
#'   over pairs of classes of Hand and Till (2001). **Gini** is 2 AUC - 1. **KS** is the largest
#'   difference, over all cuts of the probability, between the share of the class and the share of
#'   the other cases above the cut;
#' * **average precision**, the sum over all cuts of the probability of a class, from the largest
#'   probability on, of the precision above the cut times the share of the class that the cut adds.
#'   Cases of the same probability are added together. It is that of scikit-learn. It has no
#'   interval. Like AUC and KS it is computed from every cut, also where `ranking` has a selection.
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
#' **A population with another prior.** With `prior`, case \eqn{i} of class \eqn{k} has the weight
#' \eqn{w_i \pi_k / s_k}{w[i] prior[k] / s[k]}, where \eqn{w_i}{w[i]} is its weight in `weights` and
#' \eqn{s_k}{s[k]} the weighted share of the class among the cases with a truth. So all numbers, of
#' costs, errors, calibration, curves and intervals, are those of a population with this prior.
#' Counts are then sums of weights. For example, half of the cases are ill because the study chose
#' them so, and 2 % of all patients are: `prior = c(ill = 0.02, well = 0.98)`.
#'
#' **Intervals.** They are judged by their coverage: `bench/coverage-assess.R` in the sources
#' simulates it. A percentile bootstrap of the cost of rare and dear errors covers far less than its
#' level, because an error that did not occur in the data does not occur in its replicates either.
#' * Cost, balanced accuracy, kappa (also weighted), Matthews and F1, with `"bayes"`: quantiles of
#'   2,000 draws.
#'   Within each class the weights of the cases are drawn (the Bayesian bootstrap of Rubin 1981),
#'   and an imagined case has a random action of finite cost. The imagined cases of all K classes
#'   are two. They are shared out by what is at stake in each class, its share times the difference
#'   of its largest and smallest cost, but a class has at least 1/K of a case and at most one. The
#'   shares of the classes have a Dirichlet distribution with 1/K of a case for each class, or are
#'   those of `prior`. Where costs differ by case, the imagined case has the mean cost. Groups of
#'   cases are drawn if there are more than 1e4. With `"bootstrap"`: percentiles of 2,000 replicates
#'   of the cases (Margineantu and Dietterich 2000).
#' * Accuracy, sensitivity, specificity, precision and NPV, with `"bayes"`: Jeffreys' interval
#'   (Brown, Cai and DasGupta 2001), so 10 right of 10 are an accuracy from 0.78 to 1. With weights
#'   the number of cases is the effective number
#'   \eqn{(\sum w)^2 / \sum w^2}{(sum w)^2 / sum w^2}.
#' * LR+ and LR-, with `"bayes"` and `"bootstrap"` alike: as ratios of two shares, from their
#'   intervals, half way between Jeffreys' interval and the exact one (Donner and Zou 2012). The
#'   shares are independent, but with `cluster` they have the correlation between clusters.
#' * AUC and Gini, with `"bayes"` and `"bootstrap"` alike: the interval of a share of as many cases
#'   as have the same variance, half way between Jeffreys' interval and the exact one. The variance
#'   is that of DeLong et al. (1988), averaged with that of exponential scores (Hanley and McNeil
#'   1982), which counts as 10 cases of the smaller group.
#' * KS and net benefit, with `"bayes"` and `"bootstrap"` alike: as differences of two shares
#'   (Newcombe 1998), at the cut that was found.
#' * With `cluster`, whole clusters are drawn, shares have the effective number of cases that
#'   follows from their variance between clusters (at a share of 0 or 1: the number of clusters),
#'   and intervals are wider by the quantile of Student's t for few clusters. With two or three
#'   clusters they may have all possible values: the interval of a cost ends at the least and the
#'   greatest finite cost of a case, that of a net benefit at that of cases which are all rightly,
#'   or all wrongly, decided for the class.
#'
#' Every interval contains its estimate. Two cover somewhat less often than `level` says: those of
#' KS, which is a maximum and thus too large in few cases, and those of kappa and Matthews in about
#' 30 cases.
#'
#' Calibration is checked on the cases whose most probable class has a posterior of 0.99 or more.
#' Their number of errors is compared with the number expected under the posterior. If it is
#' significantly larger (Poisson test at 0.001), there is a warning of class
#' `bayesrisk_warning_calibration`. With `cluster` the test allows for clusters whose errors all
#' occur together. Decisions under asymmetric costs depend most on these probabilities.
#'
#' @section Sources:
#' For a model, or models of groups, `data` may be chunks, parts or a lazy table
#' ([bayesrisk_sources]), which are read once. `truth` is then the class in `data`, by the formula
#' of the model, and `weights` and `cluster` are computed from columns. Memory holds a piece of the
#' rows, and of each row its posterior, its truth and its costs. The numbers are those of the same
#' rows in memory; only draws depend on the order of the rows, which a database may change.
#'
#' @return With `by`, the assessments of the segments: see [bayesrisk_assessments]. Otherwise a list
#'   of class `bayesrisk_assessment`. Its print summarises it on one screen:
#'   * `n`: cases counted, or the sum of their weights; `left_out`: the rows without `truth`,
#'     `decision` or `cost`;
#'   * `confusion`: a [confusion_table()];
#'   * `error`: the share decided for a wrong class; `coverage`: the share decided for a class;
#'     `error_decided`: the share of errors among the cases decided for a class. `NA` if no action
#'     is a class;
#'   * `cost`: realised mean cost, `std.error` its standard error, `lower` and `upper` its
#'     interval; `believed`, `best`, `regret`: see Details; `interval`, `level`: as given;
#'   * `total`: the sum of the realised costs; `constant`: a data frame `action`, `cost`, the mean
#'     cost if all cases had this action, the cheapest action first;
#'   * `measures`: a data frame `measure`, `class` (`NA`: of all classes), `estimate`, `lower`,
#'     `upper`, see Details. `measure` is `"accuracy"`, `"balanced_accuracy"`, `"kappa"`, `"mcc"`,
#'     `"kappa_linear"`, `"kappa_quadratic"`, `"auc"`, `"gini"`, `"ks"`, and of each class
#'     `"sensitivity"`, `"specificity"`, `"precision"`, `"npv"`, `"lr_positive"`, `"lr_negative"`,
#'     `"f1"`, `"auc"`, `"average_precision"`, `"ks"`. `NA` where a measure is undefined;
#'   * `ranking`: for curves of ROC, precision and lift, cuts of the probability of each class: all,
#'     or about 500 that are evenly spread over the cases. A data frame `class`, `threshold` (the
#'     least probability above the cut), `sensitivity`, `false_alarms` (1 - specificity),
#'     `precision` (the share of the class among the cases above the cut), `depth` (the share of all
#'     cases above the cut), `lift` (`sensitivity / depth`);
#'   * `cells`: a data frame with a row per truth and decision: `truth`, `decision`, `n`, `cost`
#'     (the sum over its cases) and `share` (the share of the total cost);
#'   * `log_loss`, `brier`, `impossible` (cases whose truth had probability 0);
#'   * `calibration`: a data frame `class`, `from`, `to`, `cases`, `predicted` (mean
#'     probability), `observed` (share of the class), `effective` (the effective number of cases),
#'     for ten bins of the probability of each class. A rare class would have nearly all its cases
#'     in one of these bins. If so (a bin has 90 % of all cases, and half of the expected cases of
#'     the class and of the others), the bins have about equal numbers of cases instead (cases of
#'     the same probability share a bin), and `from`, `to` are the least and the largest probability
#'     in each;
#'   * `certain`: the number of `cases` with a posterior of `from` (0.99) or more, the number of
#'     `expected` errors, and the number of observed errors (`wrong`). With weights or clusters,
#'     `scale` times these numbers are effective numbers;
#'   * `by_truth`: the result of `summary()`, a row per true class;
#'   * `risk_coverage`: the effect of rejecting cases at a price. A data frame with the columns
#'     `reject` (the price: cases of larger expected cost are rejected), `coverage` (the share of
#'     decided cases), `error` (among decided cases), `cost` (mean of decided cases) and `risk`
#'     (mean of all cases; a rejected case costs the price). Costs that differ only by rounding, by
#'     1e-12 of the cost, are one price;
#'   * `cost_matrix`: the cost that prices `cells`; `NULL` if costs differ by case;
#'   * `class`, and `benefit`, the net benefit of these classes: a data frame `class`, `threshold`,
#'     `benefit`, `lower`, `upper`, `all` (of always deciding for the class), `standardised` (the
#'     benefit divided by the share of the class; 1: each case of the class is decided for it, and
#'     no other case; Kerr et al. 2016);
#'   * `cost_curve`, for two classes: see [plot()][plot.bayesrisk_assessment]. If the
#'     prior of a class is 0 there is no cost curve, because this prior cannot be replaced.
#'
#'   Elements that need probabilities are `NULL` or `NA` for a result of [decide()], which has no
#'   probabilities. To get them, assess what was decided from:
#'   `assess_decisions(model, data, cost)`, or
#'   `assess_decisions(posterior, cost = cost, truth = truth)`.
#'
#'   `tidy()` and [as.data.frame()] give the `cells`, `glance()` the measures in one row,
#'   `summary()` a row per true class.
#' @section Errors: `bayesrisk_error_argument` for a bad argument, a truth that is not a class of
#'   the model, or lengths that differ; `bayesrisk_error_data` if a class has a `prior` above 0 and
#'   no case; other errors as in [decide()].
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
#' J. A. Hanley and B. J. McNeil (1982). The meaning and use of the area under a receiver operating
#' characteristic (ROC) curve. *Radiology* 143, 29-36.
#'
#' L. D. Brown, T. T. Cai and A. DasGupta (2001). Interval estimation for a binomial proportion.
#' *Statistical Science* 16, 101-133.
#'
#' J. Cohen (1968). Weighted kappa: nominal scale agreement with provision for scaled disagreement
#' or partial credit. *Psychological Bulletin* 70, 213-220.
#'
#' A. Donner and G. Y. Zou (2012). Closed-form confidence intervals for functions of the normal mean
#' and standard deviation. *Statistical Methods in Medical Research* 21, 347-359.
#'
#' K. F. Kerr, M. D. Brown, K. Zhu and H. Janes (2016). Assessing the clinical impact of risk
#' prediction models with decision curves: guidance for correct interpretation and appropriate use.
#' *Journal of Clinical Oncology* 34, 2534-2540.
#'
#' R. G. Newcombe (1998). Interval estimation for the difference between independent proportions.
#' *Statistics in Medicine* 17, 873-890.
#'
#' D. B. Rubin (1981). The Bayesian bootstrap. *The Annals of Statistics* 9, 130-134.
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
#' # In a meadow with few setosa
#' rare <- c(setosa = 0.1, versicolor = 0.45, virginica = 0.45)
#' assess_decisions(held_out, cost = cost, truth = iris$Species, prior = rare,
#'                  trained_prior = "uniform")
#'
#' # By segments, which are long and short sepals here
#' assess_decisions(held_out, iris, cost, truth = Species, by = c(long = Sepal.Length > 5.8))
#'
#' # The same model on the cases it was fitted to
#' model <- fit(bayes_naive(), Species ~ ., iris)
#' glance(assess_decisions(model, iris, cost))
assess_decisions <- function(object, data = NULL, cost = NULL, prior = NULL, truth = NULL,
                             trained_prior = NULL, estimate = c("plugin", "predictive"), seed = 1,
                             weights, cluster, interval = c("bayes", "bootstrap", "none"),
                             level = 0.95, class = NULL, by, sensitivity = NULL, ...,
                             threads = default_threads()) {
  call <- check_no_dots(...)
  threads <- check_threads(threads, call)
  interval <- read_interval(interval, level, seed, call)
  object <- maybe(object)
  if (is_model(object)) {
    object <- check_model(object, call)
    object <- as_estimated(object, estimate, call)
  } else if (check_choice(estimate, estimates, "estimate", call) == "predictive") {
    abort_argument("{.arg estimate} is for models: probabilities are used as they are.", call)
  }
  # `data` is otherwise read only for costs by case, so a cost in its place would go unnoticed.
  if (inherits(data, "bayesrisk_cost")) read_container(data, "data", abort_argument, call)
  by <- read_segment_keys(rlang::enquo(by), call)
  sensitivity <- check_equal_level(sensitivity, by, call)
  rows <- list(weights = rlang::enquo(weights), cluster = rlang::enquo(cluster), by = by)
  truth <- read_truth(rlang::enquo(truth), data, call)
  believed <- believe(object, data, cost, prior, truth, trained_prior, threads, call, rows = rows)
  believed <- read_case_rows(believed, rows, data, call)
  settings <- list(interval = interval, class = class, threads = threads)
  if (is.null(by)) return(assess_believed(believed, settings, call))
  assess_segments(believed, read_segments(believed, by, data, call), settings, sensitivity, call)
}

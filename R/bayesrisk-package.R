#' bayesrisk: Bayes classifiers and decisions by cost
#'
#' A model is a prior and a likelihood for each *block* of features. Given the class, blocks are
#' independent. The features inside a block are modelled jointly. [bayes_naive()] makes every
#' feature a block of its own. [bayes_full()] makes one block of all numeric features and one of
#' all categorical features. [bayes_blocks()] makes the blocks that you name. [bayes_known()]
#' makes a model from known parameters, without data. [fit()] estimates a model from data.
#' [predict()][predict.bayesrisk_model] gives classes, posteriors, scores, expected costs, and
#' the decision of least expected cost under a [cost_matrix()].
#'
#' [decide()] returns this decision with its expected costs, its margin and the runner-up. It also
#' takes the posterior of any other classifier. [assess_decisions()] and [cv_risk()] measure the
#' cost of decisions on data. [bayes_risk()] computes their cost under a data-generating model.
#' Start with `vignette("bayesrisk")`. `vignette("deciding")` goes from data and costs to a rule,
#' `vignette("text")` from words.
#'
#' @section Processors: Fits, posteriors and decisions are computed with AVX2 where an x86-64
#'   processor has AVX2 and GCC compiled the package (but not on Windows). On other systems the
#'   last digits may differ, by less than 1e-12 of a number. The environment variable
#'   `BAYESRISK_BASELINE`, set to any value, restricts the package to the instructions that every
#'   processor has.
#' @section Long work: Functions that read rows, integrate or simulate can be stopped at any time
#'   by an interrupt or a [setTimeLimit()]. They show a progress bar after two seconds in
#'   terminals, but not in tests. The option `bayesrisk.progress` (`TRUE` or `FALSE`) overrides
#'   this. Reports never show a progress bar.
#'
#'   The argument `threads` is the largest number of threads that a function may use. The option
#'   `bayesrisk.threads` sets its default (1). The environment variable `OMP_THREAD_LIMIT` is an
#'   upper bound. A forked process, as in [parallel::mclapply()], uses one thread.
#' @section Text arguments: All text is case-sensitive: the choices of an argument, such as
#'   `type = "prob"`, the names of classes, levels, columns and actions. A text that is none of the
#'   choices is an error that lists them.
#' @section Errors: All errors have the class `bayesrisk_error`, and one that says what is wrong:
#'   `bayesrisk_error_argument`, an argument; `bayesrisk_error_data`, the training data;
#'   `bayesrisk_error_schema`, new data that do not fit the model; `bayesrisk_error_degenerate`,
#'   estimates that do not exist; `bayesrisk_error_object`, a damaged object;
#'   `bayesrisk_error_memory`, too little memory; `bayesrisk_error_connection`, a connection to a
#'   database that is closed, lost or replaced.
#' @section What to use when:
#'
#' | question | function |
#' |---|---|
#' | are the columns what they seem? | `check_features()` |
#' | what does each mistake cost? | `cost_matrix()`, `utility_matrix()`, `as_cost_matrix()` |
#' | what is the rule? | `decision_threshold()`, `decision_regions()`, `break_even()` |
#' | what to do with these cases? | `decide()`, or `predict(cost = )` for the actions alone |
#' | few places or little money? | `decide(capacity = , budget = )` |
#' | a rule for F1, or for a sensitivity of 90 %? | `tune_threshold()`, and `decide(rule = )` |
#' | the probabilities are another model's? | `decide()`, also with a new prior |
#' | the model is of tidymodels, mlr3 or caret? | `decide()`; `decision_cost_metric()` tunes it |
#' | what did it cost? | `assess_decisions()`; `expected_cost()` for counts |
#' | does the cost of new cases stay below a limit? | the `upper` cost of `assess_decisions()` |
#' | errors or cost below a limit, by referring cases? | `guarantee(bound = )`, `decide(rule = )` |
#' | a report for those who did not see the model? | `decision_report()` |
#' | which of two models, on these cases? | `compare_decisions(cost = )`: difference and interval |
#' | which model, by cross-validation? | `cv_risk(cost = )` of a list of specifications |
#' | which likelihoods, which blocks? | `search_likelihoods()`, then `search_blocks()` |
#' | a model for each group? | `fit(by = region)`; with `pool = TRUE` they learn from each other |
#' | is it equally good in all groups of cases? | `assess_decisions(by = )` |
#' | calibrated, or too sure? | `assess_decisions()` of `cv_predict()`; `temper()` |
#' | have the class shares changed? | `estimate_prior()`; `decide(prior = )`, `predict(prior = )` |
#' | drift: have new rows changed, and since when? | `monitor()` |
#' | why this decision? | `contributions(cost = )`, `flip()` |
#' | at which cost or prior does it change? | `break_even()`, `cost_sweep()`, `cost_ranges()` |
#' | which test next, and is it worth its price? | `next_feature()`, `value_of_information()` |
#' | a plan: which tests, in which order, and when to stop? | `test_plan()` |
#' | what are more rows worth? | `value_of_data()`, `decision_stability()` |
#' | which projection separates the classes? | `discriminants()`, `predict(type = "discriminant")` |
#' | what does the model itself imply? | `bayes_risk()`, `minimax_prior()`, `risk_bounds()` |
#' | costs differ from case to case? | formulas in `cost_matrix()`, and `decide()` |
#'
#' @section Life cycle: The package is in a stable state of development, with active development by
#'   its authors. Stable: specifications, the likelihoods of single features, Gaussian blocks and
#'   tables, [fit()], `update()`, `merge()`, `predict()`, costs, [decide()], [assess_decisions()],
#'   [cv_risk()], regions and [bayes_risk()]. They change only after a version that warns.
#'   Experimental, so that arguments may change with any version: mixtures, joint histograms,
#'   [search_blocks()], `temper()`, [value_of_data()], [decision_stability()], [monitor()],
#'   [guarantee()], [decision_report()], pooled groups, assessments of segments, databases, parts,
#'   exchanged statistics, and the bridges to other packages.
#' @keywords internal
#' @useDynLib bayesrisk, .registration = TRUE
#' @importFrom Rcpp evalCpp
#' @importFrom stats predict update coef confint formula logLik nobs simulate vcov
#' @importFrom generics fit fit_xy tidy glance augment
"_PACKAGE"

#' Arguments that many functions share
#'
#' These arguments have the same order, names and meaning in every function that has them.
#'
#' @param newdata The cases: a data frame, tibble, data.table or matrix with the features. Features
#'   and levels are matched by name. Extra columns are ignored. The result has the rows in the same
#'   order. A model holds no data, so there is no default.
#' @param cost The cost of each action under each true class: see [cost_matrix()]. The default is
#'   0-1 cost: each class is an action, and every error costs 1.
#' @param prior Prior probabilities to use instead of the model's: named by class, or in class
#'   order, or `"uniform"`, or a result of [estimate_prior()] or [monitor()].
#' @param weights Case weights: numbers, not negative, one per row. With a formula, `weights` may
#'   use the columns of `data`. The dot (`.`) of the formula leaves these columns out.
#' @param subset The rows to use: logical, or row numbers. It may use the columns of `data`.
#' @param na.action [stats::na.pass()] (the default) uses the values that each row has.
#'   [stats::na.omit()] leaves out rows with a missing feature or class. [stats::na.fail()] stops.
#' @param ... Not used. An unknown argument is an error that suggests the right name.
#' @param threads The largest number of threads to use. The result is the same, bit for bit, for
#'   any number. The default is the option `bayesrisk.threads`, or 1.
#' @name bayesrisk_arguments
#' @keywords internal
NULL

#' @export
generics::fit

#' @export
generics::fit_xy

#' @export
generics::tidy

#' @export
generics::glance

#' @export
generics::augment

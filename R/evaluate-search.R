#' Search for blocks of dependent features
#'
#' Starts from the blocks of a specification, merges and splits blocks as long as that gains, and
#' returns the specification with the blocks found. The gain is the log evidence of the data given
#' the class, BIC, or the cost of decisions on held-out rows.
#'
#' @inheritParams cv_risk
#' @param object A specification: [bayes_naive()] starts from single features, [bayes_blocks()] from
#'   its blocks, [bayes_full()] from one block of each kind. All its settings are kept.
#' @param formula `class ~ features`, as in [fit()][fit.bayesrisk_spec].
#' @param cost For `criterion = "cost"`: the cost of each action under each true class, see
#'   [cost_matrix()]. The default is 0-1 cost.
#' @param criterion What a move must gain: `"evidence"`, `"bic"`, or `"cost"`; see below.
#' @param kinds The kinds of features whose blocks are searched: `"numeric"`, `"categorical"`, or
#'   both. Features of another kind stay as they are in `object`.
#' @param max_size The largest number of features in a block, 1 or more. With 1 there is nothing to
#'   merge.
#' @param folds As in [cv_risk()], for `criterion = "cost"`.
#'
#' @details
#' **The search** is greedy. A move merges two blocks of one kind, or splits a block of up to eight
#' features into any two parts; from a larger block one feature can leave. Each step makes the move
#' with the largest gain, until no move gains. If `object` has blocks, the evidence (or BIC) is also
#' searched from single features, and the better end is returned. Of equal gains the
#' first one in the order of the formula is made. Nothing is random with `"evidence"` and `"bic"`:
#' the order of the rows, the names and the order of levels, and the shift and scale of numeric
#' features do not change the blocks. A greedy search can miss blocks that only pay as a whole. No
#' block holds a number and a category.
#'
#' All structures are equally probable beforehand. So with few rows and many features some pairs are
#' merged by chance: of 20 independent normal features of two classes, 4 of 190 pairs with 30 rows
#' in each class, and 1.4 with 100.
#'
#' **Evidence.** The evidence of a block in a class is the mean of the likelihood over a proper
#' prior. Features in different blocks are independent, so log evidences add up over blocks and
#' classes. The prior is worth one case (a unit information prior: Kass and Wasserman 1995). The
#' prior of a small block is the marginal of the prior of a larger one, so evidences of blocks of
#' different sizes compare (Geiger and Heckerman 2002).
#'
#' For a block of \eqn{p} numbers let \eqn{n} be the weight of the class, \eqn{m} its mean,
#' \eqn{S} its scatter matrix and \eqn{D} the diagonal of \eqn{S}. The covariance has an inverse
#' Wishart distribution with \eqn{p + 1} degrees of freedom and scale matrix \eqn{D / n}, so
#' correlations are uniform from -1 to 1. The mean given the covariance is normal around \eqn{m}
#' with this covariance, so it does not favour any block. This prior is the likelihood to the power
#' \eqn{1 / n}, with \eqn{D} in place of \eqn{S} (Hoff 2009). The evidence is
#' \deqn{\pi^{-np/2} (1 + n)^{-p/2}
#'   \frac{\Gamma_p((n + p + 1) / 2)}{\Gamma_p((p + 1) / 2)}
#'   \frac{|D / n|^{(p + 1) / 2}}{|S + D / n|^{(n + p + 1) / 2}}}{
#'   pi^(-n p / 2) (1 + n)^(-p / 2) Gamma_p((n + p + 1) / 2) / Gamma_p((p + 1) / 2)
#'   |D / n|^((p + 1) / 2) / |S + D / n|^((n + p + 1) / 2)}
#' with the multivariate gamma function \eqn{\Gamma_p}{Gamma_p}. Gains depend on correlations alone.
#' With `covariance = "pooled"` or `shrinkage = 1` all classes share the covariance of a block:
#' \eqn{n} and \eqn{S} are sums over classes, and \eqn{(1 + n)^{-p/2}}{(1 + n)^(-p / 2)} is a
#' product over classes. Single features keep a variance in each class, so such gains depend on
#' variances, too. Any other `shrinkage`, and `borrow`, do not enter.
#'
#' For a joint table of \eqn{C} cells the probabilities have a Dirichlet distribution with
#' parameters \eqn{1 / C} (the metric BDeu with equivalent sample size 1: Heckerman, Geiger and
#' Chickering 1995). With counts \eqn{n_c} that add up to \eqn{n} the evidence is
#' \deqn{\frac{1}{\Gamma(1 + n)} \prod_c \frac{\Gamma(n_c + 1/C)}{\Gamma(1/C)}.}{
#'   1 / Gamma(1 + n) prod over c of Gamma(n_c + 1 / C) / Gamma(1 / C).}
#' The means of the probabilities given the data are the estimates of
#' `likelihood_categorical(m = 1)`: a specification with this likelihood fits the tables that the
#' evidence compares.
#'
#' **BIC** is on the same scale: the log likelihood at its maximum, minus \eqn{\frac{1}{2} \log
#' n}{log(n) / 2} for each parameter, where \eqn{n} is the weight of all classes. That is -1/2 times
#' [BIC()]. In a class with too few rows for the covariance of a block its features count as
#' independent.
#'
#' **Cost.** All moves are candidates of a [cv_risk()] on the same folds. The gain is the fall in
#' mean cost, and its 95 % interval must be above 0. A move that leaves more cases undecided is not
#' made. Every step scores the rows once per move, so this is slow with many features. The best of
#' many estimates is too good, so the cost of the result must be estimated on other rows.
#'
#' **Features that stay.** Only normal distributions and tables have an evidence here. With
#' `"evidence"` and `"bic"` numeric features of other likelihoods stay as they are, for example
#' kernels and blocks with `joint`. With every criterion, features named in `features`, blocks named
#' in `joint`, and categorical features that are smoothed by level stay. The result names them.
#'
#' **What is read.** All numeric blocks are scored from one scatter matrix per class, and pairs of
#' categories from their tables, as in [feature_dependence()]. Tables of three features and more are
#' counted in a further read at each step, which the print mentions. Blocks are compared on the same
#' rows: numeric blocks on the rows in which no searched number is missing, tables on the rows in
#' which no searched category is missing. The print counts the rows left out. `"cost"` uses all
#' rows.
#'
#' A numeric feature that is constant in a class counts as independent there. Blocks whose
#' covariance would be singular are not merged, for example copies of a feature; the print names
#' them.
#'
#' @return A specification with the structure of [bayes_blocks()] (perhaps without a block: then it
#'   is naive), of class `bayesrisk_search`. It prints with the path of the search.
#'   `as.data.frame()` gives the path, a row for each step:
#'   * `step`;
#'   * `change`: `"merge"` or `"split"`;
#'   * `first`, `second`: the blocks that were merged, or the parts of the block that was split;
#'   * `gain`: in log evidence or BIC (nats), or the fall in cost;
#'   * `score`: the log evidence of all searched features, their BIC, or the cost, after the step.
#'
#'   A fitted model does not keep the path.
#' @section Errors: as in [fit()][fit.bayesrisk_spec] for the data and the formula;
#'   `bayesrisk_error_argument` for a bad argument; `bayesrisk_error_data` if no row is complete, or
#'   if no held-out case can be decided;
#'   `bayesrisk_error_degenerate` if a block of `object` has a singular covariance.
#' @references
#' Geiger, D. and Heckerman, D. (2002). Parameter priors for directed acyclic graphical models and
#' the characterization of several probability distributions. *Annals of Statistics* 30, 1412-1440.
#'
#' Heckerman, D., Geiger, D. and Chickering, D. M. (1995). Learning Bayesian networks: the
#' combination of knowledge and statistical data. *Machine Learning* 20, 197-243.
#'
#' Hoff, P. D. (2009). *A First Course in Bayesian Statistical Methods*. Springer. Section 5.3 and
#' exercise 7.1: unit information priors.
#'
#' Kass, R. E. and Wasserman, L. (1995). A reference Bayesian test for nested hypotheses and its
#' relationship to the Schwarz criterion. *Journal of the American Statistical Association* 90,
#' 928-934.
#' @seealso [feature_dependence()] for the dependence of each pair, [cv_risk()] to compare the
#'   result with other specifications.
#' @export
#' @examples
#' found <- search_blocks(bayes_naive(), Species ~ ., iris)
#' found
#' as.data.frame(found)
#' fit(found, Species ~ ., iris)
#'
#' # Categories, up to three in a block
#' titanic <- as.data.frame(Titanic)
#' search_blocks(
#'   bayes_naive(categorical = likelihood_categorical(m = 1)), Survived ~ Class + Sex + Age,
#'   titanic, max_size = 3, weights = Freq
#' )
search_blocks <- function(object, formula, data, cost = NULL,
                          criterion = c("evidence", "bic", "cost"),
                          kinds = c("numeric", "categorical"), max_size = Inf, weights, subset,
                          na.action = stats::na.pass, # nolint: object_name_linter.
                          folds = 10, ..., threads = default_threads()) {
  call <- check_no_dots(...)
  object <- check_spec(maybe(object), call)
  criterion <- check_choice(criterion, c("evidence", "bic", "cost"), "criterion", call)
  kinds <- check_kinds(kinds, call)
  max_size <- check_max_size(max_size, call)
  threads <- check_threads(threads, call)
  data <- maybe(data)
  check_search_cost(criterion, c(cost = !is.null(cost), folds = !missing(folds)), call)
  cases <- read_cv_cases(
    list(list(spec = object, formula = maybe(formula))), data, rlang::enquo(weights),
    rlang::enquo(subset), na.action, threads, call
  )
  check_single_features(cases, call)
  space <- search_space(object, cases$schema, kinds, criterion, call)
  check_start(space, max_size, call)
  if (criterion != "cost") return(search_evidence(space, cases, criterion, max_size, call))
  folds <- masked_folds(rlang::enquo(folds), data, call)
  cost <- read_cost(cost, cases$schema$classes$levels, data, length(cases$group), call, "data")
  folds <- read_folds(folds, TRUE, cases$group, sum(cases$class_rows), call)
  search_cost(space, cases, list(cost = cost, folds = folds, threads = threads), max_size, call)
}

search_evidence <- function(space, cases, criterion, max_size, call) {
  scorers <- block_scorers(space, cases, criterion, call)
  judge <- evidence_judge(space, scorers$score, sum(cases$class_rows), call)
  found <- search_moves(space, judge, max_size)
  if (any(lengths(space$start) > 1L)) {
    # Splits of a large block can end too early. The scores that were needed before are known.
    alone <- search_moves(from_single(space), judge, max_size)
    if (alone$end > found$end + judge$limit) found <- alone
  }
  reads <- if (is.null(scorers$reads)) 0L else scorers$reads()
  new_search(found, space, criterion, scorers$rows, reads)
}

search_cost <- function(space, cases, read, max_size, call) {
  inform_empty_classes(cases$schema, cases$class_rows)
  found <- search_moves(space, cost_judge(space, cases, read, call), max_size)
  new_search(found, space, "cost", list(), 0L)
}

check_kinds <- function(kinds, call) {
  known <- c("numeric", "categorical")
  if (is_plain(kinds, is.character) && all(kinds %in% known)) return(unique(kinds))
  got <- describe_value(kinds)
  abort_argument("{.arg kinds} must be {.val {known}}, one or both, not {got}.", call)
}

check_max_size <- function(max_size, call) {
  if (identical(max_size, Inf)) return(max_size)
  check_whole_number(max_size, "max_size", min = 1, call = call)
}

check_search_cost <- function(criterion, given, call) {
  given <- names(given)[given]
  if (criterion == "cost" || !length(given)) return(invisible())
  abort_argument(
    "{.arg {given}} {?is/are} for {.code criterion = \"cost\"}, not for {.val {criterion}}.", call
  )
}

# A specification that remembers its search in the attribute `search`.
new_search <- function(found, space, criterion, rows, reads) {
  pool <- found$pool
  spec <- with_blocks(space, pool$blocks[pool$alive], pool$given[pool$alive])
  refused <- found$moves[found$moves$refused & criterion != "cost" & found$moves$gain > 0, ]
  named <- function(numbers) block_labels(pool$blocks[numbers], space$labels)
  structure(
    spec,
    search = list(
      path = found$path, criterion = criterion, start = found$start,
      searched = c(table(space$kinds[unlist(space$start)])), rows = rows, reads = reads,
      closed = space$closed[!is.na(space$closed)],
      refused = sprintf("%s and %s", named(refused$first), named(refused$second))
    ),
    class = c("bayesrisk_search", class(spec))
  )
}

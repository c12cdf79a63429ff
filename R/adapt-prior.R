#' Estimate the class prior of new cases without labels
#'
#' Classes are often more or less frequent where a model is used than where it was fitted (prior
#' shift, or label shift). `estimate_prior()` finds their shares among unlabelled cases by maximum
#' likelihood, with intervals, a test against the model's prior, and what keeping the model's prior
#' would cost. All functions take the result as their `prior`.
#'
#' @details
#' The estimate maximises the log likelihood of the new rows,
#' \deqn{\sum_i w_i \log \sum_k \pi_k \, p(x_i \mid k)}{sum_i w_i log sum_k pi_k p(x_i | k)}
#' over the prior \eqn{\pi}, with the densities of the model as they are (Saerens, Latinne and
#' Decaestecker 2002). So the classes may be more or less frequent than in training, but within a
#' class the features must be distributed as there. The function is concave. Two steps of the EM
#' algorithm and then Newton's method with an active set find the maximum; `gap`, the largest slope
#' \eqn{\max_k \sum_i w_i p(x_i \mid k) / \sum_j \pi_j p(x_i \mid j) - \sum_i w_i}{max_k sum_i w_i
#' p(x_i | k) / sum_j pi_j p(x_i | j) - sum_i w_i}, bounds its distance from the maximum. Classes
#' without training rows have prior 0. Classes that the features do not distinguish share their
#' probability in no particular way; their intervals are wide.
#'
#' `lower` and `upper` are the interval by profile likelihood: the probabilities of a class at which
#' twice the log likelihood, maximised over the other classes, is at most
#' \eqn{q (1 + t_k / v_k)}{q (1 + t / v)} below its maximum. Here \eqn{q} is a quantile of
#' \eqn{\chi^2_1}, \eqn{v_k}{v} the variance of the estimate from the new rows, and \eqn{t_k}{t}
#' what the errors of the densities add, because they were estimated from training rows. With the
#' information \eqn{H} of the new rows and the covariance \eqn{C} of the slopes of their log
#' likelihood, \eqn{t_k}{t} is the element of class \eqn{k} of \eqn{H^{-1} C H^{-1}}{H^-1 C H^-1}.
#' \eqn{C} is that over 100 draws of the parameters ([simulate_parameters()]), in 2,000 of the rows.
#' At the ends of the simplex the interval ends at 0 or 1, and covers at least as often as `level`
#' says.
#'
#' Where a likelihood has no posterior of its parameters (kernels, mixtures, gamma distributions,
#' EM), and for posterior probabilities with `trained_n`, \eqn{C} is an upper bound. The density of
#' class \eqn{k}, estimated from \eqn{n_k} rows, is at most as uncertain as a mean over these rows:
#' \deqn{C = \sum_k \frac{\pi_k^2}{n_k} \mathrm{Var}(g \mid k), \quad
#' g_j = p(x \mid j) / p(x).}{C = sum_k pi_k^2 / n_k Var(g | k), g_j = p(x | j) / p(x).}
#' These intervals cover more often than `level` says. `training` and the print say which errors the
#' intervals contain.
#'
#' `test` is the likelihood ratio test of the model's prior, with as many degrees of freedom as
#' there are classes with a likelihood, minus 1. The statistic is multiplied by
#' \eqn{s'(H + C)^{-1} s / s' H^{-1} s}{s'(H + C)^-1 s / s'H^-1 s} with the slopes \eqn{s} at the
#' model's prior, so the test, too, contains the errors of the densities.
#'
#' With `cluster`, the covariance of the slopes of the new rows is that of their sums over clusters,
#' \eqn{B}, and the rows of a cluster may depend on each other. \eqn{B - H} is added to \eqn{C}, the
#' quantile is that of Student's t, and the test that of Hotelling. So are the tests of single
#' features below. Training rows have no clusters here.
#'
#' `bench/coverage-prior.R` in the sources simulates coverage and size where the model is right: 60
#' to 5,000 training rows, 300 to 20,000 new ones, two and three classes, and new rows in clusters.
#'
#' With `cost`, each case is decided by the model's prior and by the estimated prior. `cost_kept`
#' and `cost_new` are the mean costs per case of these two decisions, both expected under the
#' estimated prior. Rows that miss all features count here, too.
#'
#' A tempered model ([temper()]) has no densities. Then \eqn{p(x \mid k)}{p(x | k)} is the tempered
#' posterior divided by the model's prior, up to a factor of the row, which is what
#' `predict(prior = )` multiplies with the new prior. The model's prior must be the one with which
#' the exponents were estimated, usually the shares of the classes in training.
#'
#' Rows that miss all features add nothing to the likelihood. Neither do rows with an infinite
#' number, or impossible under every class: two warnings count them. `rows` has the numbers of all
#' rows. Eight bytes per row and class, and 16 per row, are in memory at a time, also for
#' [chunks][data_chunks()] and lazy tables, which are read in blocks, once. The time of the
#' intervals grows with the third power of the number of classes: 1,000 rows take half a second
#' with 100 classes, and some ten seconds with 300.
#'
#' @section Can the estimate be believed?:
#' A naive model with dependent features has posteriors too near 0 and 1. Its estimate of the prior
#' is then near the shares of the decided classes, however often these are wrong. New rows without
#' labels can show this: each single feature has the right density, even in a naive model, and so
#' gives an estimate of its own. If the model is right, all these estimates agree, up to chance.
#'
#' So each feature is tested. Let \eqn{s_i} be the slopes of the log likelihood of row \eqn{i} by
#' this feature, at the estimate by all features, and \eqn{t_i} the slopes by all features. If the
#' model is right, the mean of
#' \eqn{u_i = s_i - H_{st} H_{tt}^{-1} t_i}{u_i = s_i - H_st H_tt^-1 t_i} is 0 up to chance, with
#' the variance
#' \deqn{\frac{1}{n} \sum_i u_i u_i' \left(\frac{1}{n} + \sum_k \frac{\pi_k}{n_k} P(k \mid
#' x_i)\right).}{mean of u_i u_i' (1/n + sum_k pi_k P(k | x_i) / n_k).}
#' Here \eqn{H_{st}}{H_st} and \eqn{H_{tt}}{H_tt} are the sums of \eqn{s_i t_i'} and
#' \eqn{t_i t_i'}, so \eqn{u} takes away what the estimate itself follows (Hausman 1978). The second
#' term bounds the error of densities that were estimated from \eqn{n_k} rows of the class; for
#' known densities it is 0. If a feature has \eqn{p < 0.001} after Bonferroni's correction, a
#' warning of class `bayesrisk_warning_calibration` names it. A right model gets this warning once
#' in a thousand times, or less often. Then temper the model, with `bias = TRUE`, and estimate again
#' (Alexandari, Kundaje and Shrikumar 2020), or model dependent features in one block.
#'
#' The test reads up to 1e5 rows, and fewer if there are many features (50 at most are tested). It
#' is silent if the model has one feature, if the new rows are few, or if the error happens to leave
#' the prior as it is, for example with two equally frequent classes that are mirror images. It
#' cannot tell a model that is too sure from a class whose features have changed.
#'
#' @param newdata The cases, without labels: see [predict()][predict.bayesrisk_model].
#'   [Chunks][data_chunks()], [parts][data_parts()] and [lazy tables][bayesrisk_sources] are
#'   possible. For posterior probabilities: columns that `cost`, `weights` and `cluster` use.
#' @param cost The cost of each action under each true class, see [cost_matrix()]. `NULL`: no costs
#'   are computed.
#' @param level The confidence level of the intervals, between 0 and 1.
#' @param weights Case weights: numbers, not negative, one per row. They may use the columns of
#'   `newdata`. A case of weight 2 counts as two cases.
#' @param cluster The cluster of each row, such as a patient with several rows. It may use the
#'   columns of `newdata`. Intervals and test are then those of whole clusters.
#' @inheritParams bayesrisk_arguments
#' @param object A fitted or known model, or [posterior probabilities][posterior_probabilities] of
#'   new cases by any classifier. For groups take the model of a group, `models[["north"]]`, and its
#'   rows.
#' @param trained_prior For posterior probabilities: the prior that they contain, usually the share
#'   of each class in the training data. The densities are then the posterior divided by this prior,
#'   up to a factor of the row.
#' @param trained_n For posterior probabilities: the number of training rows, or one number for each
#'   class. `NULL`: the interval does not contain the errors of the classifier, and the print says
#'   so.
#' @concept label shift
#' @concept prior shift
#' @return A list of class `bayesrisk_prior`:
#'   * `prior`, `lower`, `upper`: named by class; the interval of a class without training rows is
#'     `NA`;
#'   * `log_likelihood`, of the rows used;
#'   * `iterations`, of EM and Newton together; `gap`: the log likelihood is at most this much below
#'     its maximum;
#'   * `cost_kept`, `cost_new`: `NA` without `cost`;
#'   * `model`: the model's prior; `test`: a list of `statistic`, `df` and `p_value`;
#'   * `rows`: the numbers of rows `used`, and of those left out: `missing` (all features),
#'     `infinite`, `impossible`;
#'   * `level`; `clusters`: their number, 0 without `cluster`; `training`: the errors of the
#'     densities in the intervals, by `"draws"` of the parameters, by an upper `"bound"`, none
#'     because the densities are `"known"`, or `"not included"`;
#'   * `check`: a data frame with `feature`, `statistic`, `df`, `p_value` and the prior by the
#'     feature alone, `prior_<class>`; `NULL` if nothing was tested.
#'
#'   `as.data.frame()` has a row for each class, and [plot()][plot.bayesrisk_prior] shows the
#'   intervals.
#' @section Errors: `bayesrisk_error_degenerate` if no row says anything about the prior;
#'   `bayesrisk_error_argument` for a bad argument, and all errors of
#'   [predict()][predict.bayesrisk_model].
#' @references
#' Saerens, M., Latinne, P. and Decaestecker, C. (2002). Adjusting the outputs of a classifier to
#' new a priori probabilities: a simple procedure. *Neural Computation* 14, 21-41.
#'
#' Alexandari, A., Kundaje, A. and Shrikumar, A. (2020). Maximum likelihood with bias-corrected
#' calibration is hard-to-beat at label shift adaptation. *Proceedings of the 37th International
#' Conference on Machine Learning*, 222-232.
#'
#' Hausman, J. A. (1978). Specification tests in econometrics. *Econometrica* 46, 1251-1271.
#' @seealso `vignette("believing")`, [temper()], [minimax_prior()], [cost_sweep()]
#' @examples
#' model <- fit(bayes_full(), Species ~ ., iris)
#' # A meadow with few setosa
#' meadow <- iris[c(1:5, 51:90, 101:145), -5]
#' found <- estimate_prior(model, meadow, zero_one_cost(model))
#' found
#' predict(model, meadow[1:3, ], type = "prob", prior = found)
#'
#' # The posterior of another classifier
#' trained <- iris[seq(1, 150, 2), ]
#' posterior <- predict(fit(bayes_naive(), Species ~ ., trained), meadow, type = "prob")
#' estimate_prior(posterior, trained_prior = c(setosa = 1, versicolor = 1, virginica = 1) / 3,
#'                trained_n = 75)
#' @export
estimate_prior <- function(object, newdata, cost = NULL, level = 0.95, weights, cluster,
                           trained_prior = NULL, trained_n = NULL, ...,
                           threads = default_threads()) {
  call <- check_no_dots(...)
  level <- check_level(level, call)
  threads <- check_threads(threads, call)
  object <- maybe(object)
  newdata <- maybe(newdata)
  by_row <- list(weights = rlang::enquo(weights), cluster = rlang::enquo(cluster))
  if (inherits(object, "bayesrisk_model")) {
    object <- check_model(object, call)
    if (is.null(newdata)) abort_no_rows("newdata", call)
    check_no_prior(trained_prior, "trained_prior", call)
    check_no_prior(trained_n, "trained_n", call)
    request <- prior_request(object, cost, by_row, threads, call)
    pieces <- evidence_from(newdata, request, call)
  } else {
    read <- read_posterior(object, cost_classes(cost, call), call)
    request <- posterior_request(read, trained_prior, trained_n, threads, call)
    pieces <- list(posterior_evidence(read, request, newdata, cost, by_row, call))
    request$cost <- cost
  }
  prior_of(pieces, request, level, call)
}

# The estimate from pieces of evidence_from() or posterior_evidence().
prior_of <- function(pieces, request, level, call) {
  rows <- count_evidence(pieces)
  if (rows[["used"]] == 0) abort_no_evidence(rows, call)
  # The search begins at the model's prior, away from 0.
  start <- ifelse(request$even > 0, pmax(request$prior, request$even / 100), 0)
  request$start <- start / sum(start)
  pieces <- number_clusters(pieces)
  found <- fit_prior(pieces, request, level, call)
  found["check"] <- list(compare_single_features(pieces, request, found$clusters, call))
  warn_contradiction(found, request$tempered, call)
  found[c("cost_kept", "cost_new")] <- prior_costs(pieces, found$prior, request, call)
  found$rows <- rows
  structure(
    found, utility = is_utility(request$cost), class = c("bayesrisk_prior", "bayesrisk_result")
  )
}

# The numbers that the test of single features keeps at most.
most_sampled_numbers <- 4e6
most_sampled_rows <- 1e5
most_tested_features <- 50L

parameter_draws <- 100L

# See evidence_from().
prior_request <- function(object, cost, by_row, threads, call) {
  classes <- object$schema$classes$levels
  even <- predict_prior(object, "uniform", call)
  tested <- tested_features(length(object$schema$features))
  room <- most_sampled_numbers / (length(classes) * max(1L, length(tested)))
  centre <- drawable_centre(object, call)
  cases <- object$statistics$classes$weight
  list(
    kind = "evidence", of_rows = evidence_from, merge = join_pieces, arg = "newdata",
    model = object, classes = classes, prior = object$parameters$prior, even = even,
    tempered = is_tempered(object),
    weights = by_row$weights, cluster = by_row$cluster, cost = cost, threads = threads,
    features = tested,
    centre = centre, draws = if (is.null(centre)) 0L else parameter_draws,
    # The training rows of each class; infinite if the densities are known.
    cases = if (is.null(cases)) rep(Inf, length(classes)) else cases, untrained = "known",
    most = c(if (length(tested)) min(most_sampled_rows, room) else 0, most_drawn_rows)
  )
}

# The model at the centre of the posterior of its parameters, if all have a posterior.
drawable_centre <- function(object, call) {
  if (is.null(object$statistics)) return(NULL)
  posterior <- tryCatch(proper_posterior(object, call), bayesrisk_error = function(e) NULL)
  if (is.null(posterior) || !is.null(known_parameters(posterior, object))) return(NULL)
  posterior_centre(object, posterior)
}

# A single feature has nothing to be compared with.
tested_features <- function(features) {
  if (features < 2L) return(integer())
  as.integer(unique(round(seq(1, features, length.out = min(features, most_tested_features)))))
}

count_evidence <- function(pieces) {
  count <- function(of) sum(vapply(pieces, of, 1))
  c(
    used = count(function(p) p$used), missing = count(function(p) p$uninformed),
    infinite = count(function(p) p$report$infinite),
    impossible = count(function(p) p$report$impossible)
  )
}

abort_no_evidence <- function(rows, call) {
  why <- c(
    missing = "miss all features", infinite = "have an infinite number",
    impossible = "are impossible under every class"
  )
  lost <- rows[names(why)]
  found <- sprintf("%s: %s.", vapply(lost, count_of, "", "row", "rows"), why)[lost > 0]
  abort_degenerate(
    c("No row of {.arg newdata} says anything about the prior.", bullet_lines(found, "x")), call
  )
}

# Pieces with clusters that are numbered over all pieces, from 1.
number_clusters <- function(pieces) {
  label <- unlist(lapply(pieces, `[[`, "cluster"))
  if (is.null(label)) return(pieces)
  used <- unlist(lapply(pieces, `[[`, "evidence")) > 0
  number <- match(label, unique(label[used]), nomatch = 0L)
  of_piece <- rep(seq_along(pieces), vapply(pieces, `[[`, 1, "rows"))
  Map(function(piece, number) {
    piece$cluster <- number
    piece$sample$cluster <- number[piece$sample$row]
    piece
  }, pieces, unname(split(number, factor(of_piece, seq_along(pieces)))))
}

fit_prior <- function(pieces, request, level, call) {
  model <- request$prior
  clusters <- max(0L, unlist(lapply(pieces, `[[`, "cluster")))
  most <- stats::qchisq(level, 1) * few_clusters(clusters, level)^2
  found <- call_engine(prior_fit_cpp(
    pieces, request$start, model, request$even > 0, request$cases, request$draws, most, clusters,
    request$threads
  ), call)
  df <- sum(request$even > 0) - 1L
  p <- prior_p_value(found$deviance, df, clusters)
  of_class <- function(x) stats::setNames(x, request$classes)
  list(
    prior = of_class(found$prior), lower = of_class(found$lower), upper = of_class(found$upper),
    log_likelihood = found$log_likelihood, iterations = found$iterations, gap = found$gap,
    cost_kept = NA_real_, cost_new = NA_real_, model = of_class(model),
    test = list(statistic = max(0, found$deviance), df = df, p_value = p), rows = NULL,
    level = level, training = training_kind(request), clusters = clusters, check = NULL
  )
}

# What the intervals say about the errors of the densities.
training_kind <- function(request) {
  if (request$draws > 0L) return("draws")
  if (all(is.infinite(request$cases))) request$untrained else "bound"
}

prior_costs <- function(pieces, prior, request, call) {
  if (is.null(request$cost)) return(list(NA_real_, NA_real_))
  costs <- lapply(pieces, `[[`, "cost")
  found <- call_engine(prior_costs_cpp(
    pieces, costs, request$prior, unname(prior), request$threads
  ), call)
  report_unpriced(found, call)
  list(found$kept, found$fresh)
}

# estimate_prior() of the posterior probabilities of any classifier.

# The rows in which the errors of the densities are found.
most_drawn_rows <- 2000

# The elements of prior_request() that posteriors need, for posteriors from read_posterior().
posterior_request <- function(read, trained_prior, trained_n, threads, call) {
  if (is.null(trained_prior)) {
    abort_argument(c(
      "{.arg object} holds posterior probabilities, which contain a prior: {.arg trained_prior} is
       missing.",
      i = trained_prior_hint
    ), call)
  }
  prior <- resolve_prior(trained_prior, read$classes, NULL, call, "trained_prior")
  even <- as.double(prior > 0)
  list(
    classes = read$classes, prior = prior, even = even / sum(even),
    tempered = FALSE, threads = threads, draws = 0L, untrained = "not included",
    cases = trained_cases(trained_n, prior, read$classes, call)
  )
}

# The training rows of each class: given, or shared out by the prior.
trained_cases <- function(trained_n, prior, classes, call) {
  if (is.null(trained_n)) return(rep(Inf, length(classes)))
  if (length(trained_n) == 1L && is.null(names(trained_n))) {
    return(check_number(trained_n, "trained_n", min = 1, call = call) * prior)
  }
  order_by_class(trained_n, classes, "trained_n", call)
}

# The same as a piece of evidence_from().
posterior_evidence <- function(read, request, newdata, cost, by_row, call) {
  p <- given_probabilities(read, request$threads, call)
  weights <- read_row_weights(by_row$weights, newdata, nrow(p), call)
  piece <- call_engine(posterior_rows_cpp(p, request$prior, weights, most_drawn_rows), call)
  c(piece, list(
    report = list(infinite = 0, impossible = 0), sample = list(rows = 0),
    cluster = cluster_labels(by_row$cluster, newdata, nrow(p), call),
    cost = if (!is.null(cost)) read_cost(cost, read$classes, newdata, nrow(p), call)
  ))
}

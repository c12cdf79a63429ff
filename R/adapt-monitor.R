#' Watch the new rows of a model
#'
#' A model meets new rows for months. `monitor()` watches whether they still come from the
#' distribution of the training rows: chunk by chunk, with or without classes, for as long as one
#' likes. It names what has changed, the shares of the classes now, and what keeping the model's
#' prior costs.
#'
#' @details
#' `update(monitor, chunk)` adds rows, one or many, and returns the monitor with them. How rows are
#' cut into chunks makes no difference to evidence and alarm. A class that the model's formula
#' finds in the chunk, or that `truth` gives, is used; rows may lack it (`NA`), and classes may be
#' missing from a chunk. Missing values and unknown levels say nothing. Rows that are impossible
#' under every class or have an infinite number are counted and left out of the shares, unless their
#' class is known. All rows count the same; there are no weights.
#'
#' A monitor keeps no rows but the likelihoods of the last 1,000, eight bytes for each class. Beside
#' them and the model it keeps 5 kB for each watched class, 16 kB for each number, 8 kB for each
#' watched level, and at most 400 points of its history, however long the stream is.
#'
#' A prior that was given to the fit counts as that of the training distribution, and as known. Rows
#' count as independent of each other: take one row of each patient.
#'
#' @section What is watched:
#' * The share of each class. If its odds are multiplied, the share \eqn{\pi}{pi} becomes
#'   \eqn{s}, and the density of a row whose posterior is \eqn{p} is multiplied by
#'   \eqn{s p / \pi + (1 - s) (1 - p) / (1 - \pi)}{s p / pi + (1 - s)(1 - p) / (1 - pi)}. Rows with
#'   a class have \eqn{p} 0 or 1, in a process of their own.
#' * Each feature by means of functions with values from 0 to 1: of a number its rank in its class,
#'   and how far the rank is from the middle; of the ten most frequent levels whether it has the
#'   level. Rows with a class are compared with their class. Without a class the ranks are averaged
#'   over the classes, by their probabilities given the feature alone; and a mean has changed only
#'   if it lies outside of those of the classes, so neither another share nor another feature makes
#'   an alarm of this one. Further functions use the probabilities of the classes given the other
#'   features, and find changes that look like another share in the feature alone. Since a broken
#'   feature spoils these functions of the others, they name one feature at most, the strongest,
#'   and only if none is found alone.
#'
#' Features that are constant and bags of terms are not watched; a message of class
#' `bayesrisk_message_unwatched` names them. If a single feature is informative, its change may look
#' like a change of the shares. So if an alarm names shares only, label some rows.
#'
#' @section When is it an alarm?:
#' The evidence of each process is the Bayes factor of a change of the odds at some row, by a factor
#' with a logistic logarithm, against no change; half of the prior probability of a change is
#' before the first row. The odds before the change are not known, since the training rows are few:
#' they have the distribution that the error of the training rows gives them. The mean of any
#' function over the distribution of a model is at most as uncertain as its mean over the training
#' rows, \eqn{\sum_k \pi_k^2 \mathrm{Var}(h \mid k) / n_k + \mathrm{Var}(E(h \mid k)) / n}{sum_k
#' pi_k^2 Var(h | k) / n_k + Var(E(h | k)) / n}. Its centre is that of rows simulated with 100 draws
#' of the parameters ([simulate_parameters()]), if they have a posterior. New rows, too, say what
#' the odds before a change are, so a late change is found as fast as an early one.
#'
#' Evidence is multiplied by the weight of its process, and an alarm is evidence of
#' \eqn{1 / \alpha}{1 / alpha}. Half of the weight is that of shares without classes, a fifth that
#' of shares with classes, the rest that of features. `alpha` is a probability over training sets
#' and streams without end: if nothing changes, at most a share `alpha` of them ever has an alarm.
#' Why: let \eqn{m^*}{m*} be the mean that fits the new rows best, which need not be that of the
#' model, and \eqn{L_m}{L_m} the density of a row under a mean \eqn{m}. Products of
#' \eqn{L_m / L_{m^*}}{L_m / L_m*} over rows have expectations of at most 1, whatever the
#' distribution of the rows, because \eqn{m^*}{m*} maximises the concave
#' \eqn{E \log L_m}{E log L_m}. So have mixtures of them over means and rows of change, and by
#' Ville's inequality they exceed \eqn{1 / \alpha}{1 / alpha} at any row with probability `alpha` at
#' most. \eqn{m^*}{m*} depends on the training set. The denominator of the Bayes factor is the
#' density of a stream averaged over the distribution of \eqn{m^*}{m*}, and so the inequality holds
#' for training sets and streams together. What is approximate is this distribution: it is as good
#' as the normal distribution of means of training rows. `bench/size-monitor.R` simulates it: with
#' 200 training rows of two normals, 2 sd apart, 10 of 400 streams of 1e5 rows had an alarm, and a
#' share that moved from .5 to .2 was found within 300 rows in 388 of 400.
#'
#' A model that does not hold is found, too, in enough rows: naive models of dependent features,
#' normal densities of skewed numbers, tempered models. With `reference`, rows of the training
#' distribution that the model has not seen, with classes, the new rows are compared with these
#' rows, and the model need not hold. Bags of terms, which have no data-generating model, need it.
#'
#' An alarm stays. After it, fit the model again, or give [decide()] the monitor as its `prior`, if
#' only shares have changed, and start a new monitor.
#'
#' @inheritParams bayesrisk_arguments
#' @param object For `monitor()`: a fitted or known model. For groups take the model of a group.
#'   Parameters without statistics count as known. For `update()`: a monitor.
#' @param cost The cost of each action under each true class, equal for all cases: see
#'   [cost_matrix()]. `NULL`: 0-1 cost.
#' @param alpha The probability of an alarm without a change, between 0 and 1.
#' @param seed The seed of the draws of the parameters and of rows: a whole number, 0 or more. R's
#'   generator does not advance.
#' @param reference Rows of the training distribution that the model has not seen, at least two of
#'   each class. `NULL`: the model stands for them.
#' @param newdata The next rows of the stream: see [predict()][predict.bayesrisk_model], or
#'   [chunks][data_chunks()], which are added one after the other.
#' @param truth The class of each row, of `newdata` or of `reference`; of new rows it may be `NA`.
#'   It may use their columns. Default: what the model's formula names, if its columns are there.
#' @concept drift
#' @concept e-process
#' @return A list of class `bayesrisk_monitor`:
#'   * `alarm`: whether there was an alarm; `row`: its row; `since`: about the row of the change;
#'     `cause`: what has changed: features, the strongest first, then `"shares"`;
#'   * `size`: what keeping the model's prior costs, `cost_kept - cost_new`. Both are the mean costs
#'     per row, expected under `prior`, of the decisions by the model's prior and by `prior`. `NA`
#'     before there are rows;
#'   * `prior`, `lower`, `upper`: the shares of the classes now, with 95 % intervals that contain
#'     the error of the training rows (see [estimate_prior()]): in the last 1,000 rows, after an
#'     alarm in those since the change; `trained`: the prior of the model;
#'   * `rows`: the numbers of rows `read`, of those with a class (`labelled`), and of those that
#'     miss all features (`missing`), are `infinite` or `impossible`;
#'   * `evidence`: a data frame with a row for each watched class and feature: `watched`, `kind`
#'     (`"share"` or `"feature"`), `evidence` (the largest so far), `alarm` (its row, or `NA`),
#'     `since` and `change`, about what changed where;
#'   * `history`: a data frame with a row for each chunk, thinned: `row`, `shares` and `features`
#'     (decimal logarithms of the evidence then), `cost_kept`, `cost_new` and `prior_<class>`;
#'   * `unwatched`: features that are not watched; `training`: the error of the training rows by
#'     `"draws"` of the parameters and a bound, by the `"bound"` alone, `"known"` (none), or that of
#'     the `"reference"` rows; `alpha`, `cost`, `object`; `state` and `window`, which `update()`
#'     goes on with.
#'
#'   `as.data.frame()` has the evidence, [plot()][plot.bayesrisk_monitor] the history.
#' @section Errors: `bayesrisk_error_argument` for a bad argument, such as a cost that differs by
#'   case, or a model of a bag without `reference`; all errors of
#'   [predict()][predict.bayesrisk_model].
#' @references
#' Shiryaev, A. N. (1963). On optimum methods in quickest detection problems. *Theory of Probability
#' and Its Applications* 8, 22-46.
#'
#' Ramdas, A., Grünwald, P., Vovk, V. and Shafer, G. (2023). Game-theoretic statistics and safe
#' anytime-valid inference. *Statistical Science* 38, 576-601.
#' @seealso [estimate_prior()] for the shares in one set of rows
#' @examples
#' model <- fit(bayes_naive(), Species ~ ., iris)
#' watch <- monitor(model, zero_one_cost(model))
#' # As in training
#' watch <- update(watch, simulate(model, 100, seed = 1)[-1])
#' watch
#' # A meadow without setosa
#' meadow <- subset(simulate(model, 300, seed = 2), Species != "setosa")
#' for (day in split(meadow[-1], rep(1:4, length.out = nrow(meadow)))) watch <- update(watch, day)
#' watch
#' watch$alarm
#' @export
monitor <- function(object, cost = NULL, alpha = 0.05, reference = NULL, truth = NULL, seed = 1,
                    ..., threads = default_threads()) {
  call <- check_no_dots(...)
  object <- check_model(maybe(object), call)
  alpha <- check_level(alpha, call, "alpha", such = 0.05)
  seed <- check_seed(seed, call)
  threads <- check_threads(threads, call)
  classes <- object$schema$classes$levels
  cost <- read_cost(cost, classes, NULL, NULL, call)
  reference <- read_reference(object, reference, rlang::enquo(truth), call)
  training <- training_of(object, reference, call)
  state <- call_engine(monitor_start_cpp(
    engine_model(object), training$centre, training$prior_weight, training$cases, reference, alpha,
    seed, threads
  ), call)
  features <- names(object$schema$features)
  unwatched <- setdiff(features, features[state$features$feature + 1L])
  tell_unwatched(unwatched)
  new_monitor(object, cost, alpha, state, training, unwatched)
}

# The rows of a reference as the engine reads them: list(frame, group, cases). NULL without: then
# the model must have a data-generating model.
read_reference <- function(object, reference, truth, call) {
  if (is.null(reference)) {
    if (is_given(truth)) abort_argument("{.arg truth} goes with {.arg reference}.", call)
    check_no_bag_watched(object, call)
    tell_untempered(object)
    return(NULL)
  }
  read <- read_newdata(object$schema, reference, call, "reference")
  classes <- object$schema$classes$levels
  truth <- chunk_truth(object, reference, truth, call, "reference")
  group <- stream_classes(truth, classes, call, read$frame$rows)
  if (is.null(group)) {
    abort_argument(c(
      "The classes of {.arg reference} are missing.",
      i = "Give them in {.arg truth}, or in the column that the model's formula names."
    ), call)
  }
  cases <- tabulate(group, length(classes))
  few <- classes[cases < 2L & object$parameters$prior > 0]
  if (anyNA(group) || length(few)) {
    abort_argument(c(
      "Each row of {.arg reference} must have a class, and each class two rows.",
      x = if (length(few)) "{.val {few}} {?has/have} fewer.",
      x = if (anyNA(group)) "{sum(is.na(group))} row{?s} {?lacks/lack} the class."
    ), call)
  }
  list(frame = read$frame, group = group, cases = as.double(cases))
}

check_no_bag_watched <- function(object, call) {
  bags <- bags_of(object$schema$features)
  if (!length(bags)) return(invisible())
  abort_argument(c(
    "{.field {bags}} {?is a bag/are bags} of terms and {?has/have} no data-generating model, so
     nothing says how its posteriors are distributed.",
    i = "Give rows that the model has not seen, with their classes: {.arg reference}."
  ), call)
}

# How far the training rows determine the model: list(kind, centre, prior_weight, cases); see
# monitor_start_cpp().
training_of <- function(object, reference, call) {
  classes <- object$schema$classes$levels
  if (!is.null(reference)) {
    return(list(
      kind = "reference", centre = NULL, prior_weight = reference$cases, cases = reference$cases
    ))
  }
  cases <- object$statistics$classes$weight
  if (is.null(cases)) {
    none <- rep(Inf, length(classes))
    return(list(kind = "known", centre = NULL, prior_weight = numeric(), cases = none))
  }
  posterior <- tryCatch(proper_posterior(object, call), bayesrisk_error = function(e) NULL)
  centre <- if (!is.null(posterior)) engine_model(posterior_centre(object, posterior))
  list(
    kind = if (is.null(centre)) "bound" else "draws", centre = centre,
    prior_weight = prior_weight(object), cases = as.double(cases)
  )
}

tell_unwatched <- function(features) {
  if (!length(features)) return(invisible())
  inform_bayesrisk(c(
    "Not watched, because {?it has/they have} one value in training or {?is a bag/are bags} of
     terms: {.field {utils::head(features, 20L)}}.",
    i = "The shares of the classes are watched by all features together."
  ), "unwatched")
}

new_monitor <- function(object, cost, alpha, state, training, unwatched) {
  classes <- object$schema$classes$levels
  prior <- stats::setNames(object$parameters$prior, classes)
  unknown <- stats::setNames(rep(NA_real_, length(classes)), classes)
  structure(
    list(
      alarm = FALSE, row = NA_real_, since = NA_real_, cause = character(), size = NA_real_,
      cost_kept = NA_real_, cost_new = NA_real_, prior = prior, lower = unknown, upper = unknown,
      trained = prior,
      rows = c(read = 0, labelled = 0, missing = 0, infinite = 0, impossible = 0),
      evidence = watched_rows(state, object), history = NULL, unwatched = unwatched,
      training = training$kind, cases = training$cases, alpha = alpha, cost = cost,
      object = object, state = state, window = NULL, version = package_version_string
    ),
    class = c("bayesrisk_monitor", "bayesrisk_result")
  )
}

# A row for each watched class and feature, before any row was read.
watched_rows <- function(state, object) {
  features <- names(object$schema$features)[unique(state$features$feature) + 1L]
  shares <- object$schema$classes$levels[state$classes]
  rows <- length(features) + length(shares)
  data.frame(
    watched = c(shares, features),
    kind = rep(c("share", "feature"), c(length(shares), length(features))),
    evidence = rep(0, rows), alarm = rep(NA_real_, rows), since = rep(NA_real_, rows),
    change = rep("", rows)
  )
}

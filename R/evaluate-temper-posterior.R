#' Temper the posteriors of any classifier
#'
#' Learns from cases with known classes how to change the posterior probabilities of a classifier,
#' so that they can be believed. The result changes posteriors of new cases.
#'
#' @details
#' * `"temperature"`: \eqn{p_k^\tau}, divided by the sum over classes. The most probable class
#'   stays.
#' * `"vector"`: \eqn{p_k^{\tau_k} e^{b_k}}{p_k^tau_k exp(b_k)}, divided by the sum, with an
#'   exponent and a constant for each class.
#' * `"isotonic"`: for two classes, the rising function of the posterior of the second class that
#'   fits the classes best (pooled adjacent violators), linear between the posteriors of the cases.
#'
#' The exponents are estimated as for models: see [temper()]. The cases must not be those that the
#' classifier was fitted to: use [cv_predict()], or cases held out.
#'
#' @param object Posterior probabilities of cases, a column for each class: see
#'   [posterior_probabilities]. For `predict()` and `decide()`: a result of `temper()`.
#' @param truth The true class of each case.
#' @param method `"temperature"`, `"vector"` or `"isotonic"`.
#' @param penalty As in [temper()]; for `"vector"`.
#' @param weights Case weights: a number, 0 or more, for each case.
#' @param newdata Posterior probabilities of new cases, with the same classes.
#' @param cost,prior,trained_prior As in [decide()].
#' @inheritParams bayesrisk_arguments
#' @return `temper()`: an object of class `bayesrisk_temper`. `predict()`: a matrix of posterior
#'   probabilities, cases x classes. `decide()`: the decisions by them.
#' @section Errors: `bayesrisk_error_argument` for a bad argument, `weights` that add up to less
#'   than 1e-6, or `"isotonic"` with more than two classes. A case whose class has probability 0 is
#'   left out, with a warning.
#' @inherit temper references
#' @seealso [temper()], [assess_decisions()]
#' @examples
#' set.seed(1)
#' posterior <- cv_predict(bayes_naive(), am ~ hp + wt + disp + qsec, mtcars)
#' calibration <- temper(posterior, mtcars$am)
#' calibration
#' head(predict(calibration, posterior), 3)
#' decide(calibration, posterior[1:3, ], zero_one_cost(c("0", "1"), reject = 0.2))
#' @name temper_posterior
NULL

#' @rdname temper_posterior
#' @export
temper.default <- function(object, truth, # nolint: object_name_linter.
                           method = c("temperature", "vector", "isotonic"), penalty = 1,
                           weights = NULL, ..., threads = default_threads()) {
  call <- check_no_dots(...)
  method <- check_choice(method, c("temperature", "vector", "isotonic"), "method", call)
  penalty <- check_number(penalty, "penalty", min = 0, call = call)
  threads <- check_threads(threads, call)
  truth <- maybe(truth)
  if (is_model(truth)) {
    abort_argument(c(
      "{.arg truth} is a model, and the model comes first.",
      i = "Write {.code temper(model, data)}."
    ), call)
  }
  read <- read_posterior(object, NULL, call)
  p <- given_probabilities(read, threads, call)
  truth <- truth_codes(truth, read$classes, nrow(p), call)
  weights <- if (!is.null(weights)) check_weights(weights, nrow(p), call)
  check_total_weight(weights, call)
  fitted <- if (method == "isotonic") {
    fit_isotonic(p, truth, weights, call)
  } else {
    fit_exponents(p, truth, weights, method == "vector", penalty, threads, call)
  }
  structure(
    c(list(method = method, classes = read$classes), fitted, version = package_version_string),
    class = c("bayesrisk_temper", "bayesrisk_result")
  )
}

fit_exponents <- function(p, truth, weights, by_class, penalty, threads, call) {
  fit <- call_engine(
    temper_posterior_cpp(p, truth, weights, by_class, by_class, penalty, threads), call
  )
  warn_lost_cases(sum(c(fit$lost, fit$unread)), call)
  if (!isTRUE(fit$rows > 0)) abort_argument("{.arg object} has no case to learn from.", call)
  if (fit$separated) {
    warn_bayesrisk(
      "Exponents can classify every case without doubt, so none is the best: posteriors stay as they
       are.", "separated", call
    )
    fit[c("power", "offset")] <- list(1, rep(0, ncol(p)))
    fit$loss[[2L]] <- fit$loss[[1L]]
  }
  list(
    power = rep_len(fit$power, ncol(p)), offset = fit$offset, loss = fit$loss, cases = fit$rows
  )
}

warn_lost_cases <- function(lost, call) {
  if (lost == 0) return(invisible())
  warn_bayesrisk(
    "{count_of(lost, 'case', 'cases')} without a posterior, or with a posterior of 0 of the true
     class: left out.", "fold", call
  )
}

fit_isotonic <- function(p, truth, weights, call) {
  if (ncol(p) != 2L) {
    abort_argument(c(
      "{.code method = \"isotonic\"} needs two classes: there are {ncol(p)}.",
      i = "{.val vector} changes the posteriors of several classes."
    ), call)
  }
  if (is.null(weights)) weights <- rep(1, nrow(p))
  open <- is.na(p[, 2L])
  counts <- !is.na(truth) & weights > 0
  warn_lost_cases(sum(open & counts), call)
  known <- counts & !open
  if (!any(known)) abort_argument("{.arg object} has no case to learn from.", call)
  knots <- call_engine(isotonic_cpp(p[known, 2L], truth[known] == 2L, weights[known]), call)
  list(knots = knots, cases = sum(known))
}

#' @rdname temper_posterior
#' @export
predict.bayesrisk_temper <- function(object, newdata, ..., threads = default_threads()) {
  call <- check_no_dots(...)
  object <- check_calibration(object, call)
  if (missing(newdata)) abort_no_rows("newdata", call)
  threads <- check_threads(threads, call)
  read <- read_posterior(newdata, object$classes, call, "newdata")
  p <- given_probabilities(read, threads, call)
  value <- if (object$method == "isotonic") {
    second <- rising(object$knots, p[, 2L])
    cbind(1 - second, second)
  } else {
    tempered_posterior_cpp(p, object$power, object$offset)
  }
  structure(value, dimnames = list(read$row_names, object$classes))
}

# Constant beyond the knots.
rising <- function(knots, x) {
  if (length(knots$x) == 1L) return(ifelse(is.na(x), NA_real_, knots$y))
  stats::approx(knots$x, knots$y, x, rule = 2)$y
}

#' @rdname temper_posterior
#' @export
decide.bayesrisk_temper <- function(object, newdata, cost = NULL, prior = NULL,
                                    trained_prior = NULL, ..., threads = default_threads()) {
  call <- check_no_dots(...)
  if (missing(newdata)) abort_no_rows("newdata", call)
  posterior <- predict(object, newdata, threads = threads)
  # The classes are those of the calibration, so other classes are an error of the cost.
  read_cost(cost, object$classes, NULL, nrow(posterior), call)
  decide(posterior, cost = cost, prior = prior, trained_prior = trained_prior, threads = threads)
}

check_calibration <- function(object, call) {
  object <- up_to_date(object, "calibration", call)
  classes <- length(object$classes)
  sound <- is.list(object) && is.character(object$classes) && classes > 0L &&
    is_string(object$method)
  sound <- sound && if (object$method == "isotonic") {
    is.double(object$knots$x) && length(object$knots$x) == length(object$knots$y) &&
      length(object$knots$x) > 0L && classes == 2L
  } else {
    is.double(object$power) && length(object$power) == classes && is.double(object$offset) &&
      length(object$offset) == classes
  }
  check_unchanged(sound, "calibration", call)
  object
}

#' @export
describe.bayesrisk_temper <- function(x, show) {
  x <- check_calibration(x, show$call)
  said <- switch(x$method,
    temperature = sprintf("Posteriors to the power %s.", format(x$power[[1L]], digits = 3L)),
    vector = "Posteriors to a power for each class, with a constant.",
    isotonic = "Posteriors changed by a rising function."
  )
  loss <- if (!is.null(x$loss)) {
    sprintf("Log loss: %s before, %s after.", format(x$loss[[1L]], digits = 3L),
            format(x$loss[[2L]], digits = 3L))
  }
  table <- if (x$method == "vector") {
    data.frame(class = x$classes, power = x$power, offset = x$offset)
  }
  from <- sprintf("Learned from %s.", count_of(x$cases, "case", "cases"))
  c(
    list(sentences_item(c(said, paste(c(from, loss), collapse = " ")))),
    if (!is.null(table)) list(table_item(table, c("class", "classes")))
  )
}

#' @export
result_rows.bayesrisk_temper <- function(x, call) {
  x <- check_calibration(x, call)
  if (x$method == "isotonic") return(data.frame(posterior = x$knots$x, calibrated = x$knots$y))
  data.frame(class = x$classes, power = x$power, offset = x$offset)
}

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
#' * `"isotonic"`: the rising function of the posterior of a class that fits the class best (pooled
#'   adjacent violators), linear between the posteriors of the cases. Each pool of cases gets half a
#'   case with the class and half a case without it, and violators are pooled again, so no posterior
#'   is 0 or 1. Of two classes the second has a function, and the first the rest. Of more classes
#'   each has one, against all others, and the values are divided by their sum (Zadrozny and Elkan
#'   2002).
#'
#' The exponents are estimated as for models: see [temper()]. The cases must not be those that the
#' classifier was fitted to: use [cv_predict()], or cases held out.
#'
#' @param object Posterior probabilities of cases, a column for each class: see
#'   [posterior_probabilities]. For `predict()` and `decide()`: a result of `temper()`.
#' @param truth The true class of each case.
#' @param method `"temperature"`, `"vector"` or `"isotonic"`.
#' @param penalty As in [temper()]; for `"vector"`.
#' @param capacity,budget,rule As in [decide()].
#' @param weights Case weights: a number, 0 or more, for each case.
#' @param newdata Posterior probabilities of new cases, with the same classes.
#' @param cost,prior,trained_prior As in [decide()].
#' @inheritParams bayesrisk_arguments
#' @return `temper()`: an object of class `bayesrisk_temper`. `predict()`: a matrix of posterior
#'   probabilities, cases x classes. `decide()`: the decisions by them.
#' @section Errors: `bayesrisk_error_argument` for a bad argument, or `weights` that add up to less
#'   than 1e-6. A case whose class has probability 0 is left out, with a warning.
#' @references
#' Guo, C., Pleiss, G., Sun, Y. and Weinberger, K. Q. (2017). On calibration of modern neural
#' networks. *Proceedings of the 34th International Conference on Machine Learning*, 1321-1330.
#'
#' Zadrozny, B. and Elkan, C. (2002). Transforming classifier scores into accurate multiclass
#' probability estimates. *Proceedings of the 8th ACM SIGKDD International Conference on Knowledge
#' Discovery and Data Mining*, 694-699.
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
  truth <- read_truth(rlang::enquo(truth), NULL, call)
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
  warn_lost_cases(
    sum(c(fit$lost, fit$unread)), "a posterior, or with a posterior of 0 of the true class", call
  )
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

# `without`: what the cases lack.
warn_lost_cases <- function(lost, without, call) {
  if (lost == 0) return(invisible())
  warn_bayesrisk(
    "{count_of(lost, 'case', 'cases')} without {without}: left out.", "fold", call
  )
}

fit_isotonic <- function(p, truth, weights, call) {
  if (is.null(weights)) weights <- rep(1, nrow(p))
  open <- is.na(p[, 1L])
  counts <- !is.na(truth) & weights > 0
  warn_lost_cases(sum(open & counts), "a posterior", call)
  known <- counts & !open
  if (!any(known)) abort_argument("{.arg object} has no case to learn from.", call)
  knots <- lapply(rising_classes(ncol(p)), function(k) {
    call_engine(isotonic_cpp(p[known, k], truth[known] == k, weights[known]), call)
  })
  list(knots = if (length(knots) == 1L) knots[[1L]] else knots, cases = sum(known))
}

# The classes with a function of their own.
rising_classes <- function(classes) if (classes == 2L) 2L else seq_len(classes)

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
    rise(object$knots, p)
  } else {
    tempered_posterior_cpp(p, object$power, object$offset)
  }
  structure(value, dimnames = list(read$row_names, object$classes))
}

# A list with the knots of each function. Of two classes the only one is stored without a list.
list_knots <- function(knots, classes) if (classes == 2L) list(knots) else knots

# Posteriors changed by the functions of their classes.
rise <- function(knots, p) {
  if (ncol(p) == 2L) {
    second <- rising(knots, p[, 2L])
    return(cbind(1 - second, second))
  }
  value <- vapply(seq_along(knots), function(k) rising(knots[[k]], p[, k]), numeric(nrow(p)))
  value <- matrix(value, nrow(p))
  value / rowSums(value)
}

# Constant beyond the knots.
rising <- function(knots, x) {
  if (length(knots$x) == 1L) return(ifelse(is.na(x), NA_real_, knots$y))
  stats::approx(knots$x, knots$y, x, rule = 2)$y
}

#' @rdname temper_posterior
#' @export
decide.bayesrisk_temper <- function(object, newdata, cost = NULL, prior = NULL,
                                    trained_prior = NULL, capacity = NULL, budget = NULL,
                                    rule = NULL, ..., threads = default_threads()) {
  call <- check_no_dots(...)
  if (missing(newdata)) abort_no_rows("newdata", call)
  posterior <- predict(object, newdata, threads = threads)
  # The classes are those of the calibration, so other classes are an error of the cost.
  read_cost(cost, object$classes, NULL, nrow(posterior), call)
  decide(
    posterior, cost = cost, prior = prior, trained_prior = trained_prior, capacity = capacity,
    budget = budget, rule = rule, threads = threads
  )
}

check_calibration <- function(object, call) {
  object <- up_to_date(object, "calibration", call)
  classes <- length(object$classes)
  sound <- is.list(object) && is.character(object$classes) && classes > 0L &&
    is_string(object$method)
  sound <- sound && if (object$method == "isotonic") {
    has_knots(object$knots, classes)
  } else {
    is.double(object$power) && length(object$power) == classes && is.double(object$offset) &&
      length(object$offset) == classes
  }
  check_unchanged(sound, "calibration", call)
  object
}

has_knots <- function(knots, classes) {
  if (!is.list(knots)) return(FALSE)
  knots <- list_knots(knots, classes)
  length(knots) == length(rising_classes(classes)) && all(vapply(knots, function(of) {
    is.list(of) && is.double(of$x) && is.double(of$y) && length(of$x) == length(of$y) &&
      length(of$x) > 0L
  }, NA))
}

#' @export
describe.bayesrisk_temper <- function(x, show) {
  x <- check_calibration(x, show$call)
  said <- switch(x$method,
    temperature = sprintf("Posteriors to the power %s.", format(x$power[[1L]], digits = 3L)),
    vector = "Posteriors to a power for each class, with a constant.",
    isotonic = if (length(x$classes) == 2L) {
      "Posteriors changed by a rising function."
    } else {
      "Posteriors changed by a rising function for each class, and divided by their sum."
    }
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
  if (x$method == "isotonic") {
    classes <- length(x$classes)
    knots <- lapply(list_knots(x$knots, classes), function(of) {
      data.frame(posterior = of$x, calibrated = of$y)
    })
    rows <- vapply(knots, nrow, 1L)
    return(cbind(class = x$classes[rep(rising_classes(classes), rows)], do.call(rbind, knots)))
  }
  data.frame(class = x$classes, power = x$power, offset = x$offset)
}

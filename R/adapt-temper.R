#' Temper a model: posteriors that can be believed
#'
#' A naive model counts evidence that its features share as often as they share it, so its
#' posteriors are too near 0 and 1. `temper()` raises the likelihood of each block of features to a
#' power (a power likelihood), such that the posteriors of cases that the model has not seen fit
#' their classes best.
#'
#' @details
#' The tempered log joint of class \eqn{k} is
#' \deqn{\log P(k) + b_k + \sum_b \tau_b \log p_b(x \mid k)}{log P(k) + b_k + sum over blocks of
#' tau_b log p_b(x | k)}
#' with an exponent \eqn{\tau_b \ge 0} for each block, and with a constant \eqn{b_k} for each class
#' if `bias = TRUE` (the \eqn{b_k} add up to 0). `by = "model"`: all blocks have the same exponent
#' (temperature scaling). `"kind"`: blocks with the same likelihood have the same. `"block"`: each
#' block has its own (weighted naive Bayes). Then the model is a logistic regression on the log
#' likelihoods, and so stands between a generative and a discriminative model.
#'
#' The exponents maximise the weighted sum of the log posteriors of the true classes. The posterior
#' of a case is that of the model of the other folds, as in [cv_predict()]. With several exponents
#' or constants, `penalty / 2` times \eqn{\sum_b (\tau_b - \tau)^2 + \sum_k b_k^2}{the sum of
#' (tau_b - tau)^2 and b_k^2} is subtracted, where \eqn{\tau} is the exponent of `by = "model"`. The
#' function is concave, and Newton's method finds its maximum.
#'
#' The penalty is 1, 3, 10, 30, 100 or 300: that one whose exponents, from the cases outside of each
#' fold, give the cases inside the least log loss. In a tie it is the largest. With more than 20,000
#' cases, a part of them chooses it.
#'
#' Exponents act on posteriors, log joints, classes, decisions, regions, contributions and
#' [flip()]. [next_feature()] begins with the posterior that [decide()] prices; the density of an
#' unknown feature is to the power of its block, divided by its integral. A normal, gamma, table or
#' histogram to a power stays one; for others the integral is by quadrature. Powers of densities
#' are no distribution of the features. So functions that take
#' the model for the truth use its densities as they are, and say so
#' (`bayesrisk_message_untempered`): [bayes_risk()], [value_of_information()], [minimax_prior()],
#' [risk_bounds()], [simulate()] and [value_of_data()]. `predict(type = "log_likelihood")` and
#' `"log_evidence"` use them, too. Cuts and boundaries are exact for normals and histograms;
#' [decision_regions()] of other tempered densities is an error.
#'
#' [update()][update.bayesrisk_model] keeps the exponents, and a message says so.
#' `update(model, temper = NULL)` takes them off. Queries of databases have no exponents: a tempered
#' model predicts lazy tables in blocks, see [query_chunks()].
#'
#' Models of groups, `fit(by = )`, have exponents of their own in each group: those that its model
#' would get from its rows. Drawn folds divide each group.
#'
#' @param object A fitted model, from a formula, or [models of groups][bayesrisk_models]. For
#'   posterior probabilities of other classifiers see [temper_posterior].
#' @param data The rows of the fit: a data frame, tibble, data.table or matrix; or chunks, parts or
#'   a lazy table, whose used columns are read into memory as by [cv_risk()].
#' @param by Which blocks share an exponent: all (`"model"`), those with the same likelihood
#'   (`"kind"`), or none (`"block"`).
#' @param bias Whether each class has a constant.
#' @param penalty How strongly exponents are drawn to a common one, and constants to 0: a number,
#'   0 or more, in units of cases. `NULL`: the folds choose it.
#' @param estimate `"predictive"`: the exponents are those of the predictive distributions of
#'   [predict()][predict.bayesrisk_model], for `predict(estimate = "predictive")` and
#'   `decide(estimate = "predictive")`. Where other scores are used, a message
#'   (`bayesrisk_message_other_scores`) says so.
#' @inheritParams cv_risk
#' @concept power likelihood
#' @concept power posterior
#' @concept calibration
#' @return The model, or the models, with exponents. `coef(model)$temper` is a list of `power`,
#'   named by block, `offset`, named by class, and `penalty`, 0 if there is a single exponent and no
#'   constant.
#' @section Errors: as in [cv_predict()], and `bayesrisk_error_argument` if the model has no
#'   statistics or no formula, if `data` gives it other features, or if `weights` add up to less
#'   than 1e-6. Warnings:
#'   `bayesrisk_warning_fold` if cases are left out, because they have no score or their class is
#'   impossible; `bayesrisk_warning_separated` if exponents can classify every held-out case
#'   without doubt: then none is the best, and the model stays as it is. One warning of each kind
#'   names the groups.
#' @references
#' Guo, C., Pleiss, G., Sun, Y. and Weinberger, K. Q. (2017). On calibration of modern neural
#' networks. *Proceedings of the 34th International Conference on Machine Learning*, 1321-1330.
#'
#' Zaidi, N. A., Cerquides, J., Carman, M. J. and Webb, G. I. (2013). Alleviating naive Bayes
#' attribute independence assumption by attribute weighting. *Journal of Machine Learning Research*
#' 14, 1947-1988.
#' @seealso `vignette("believing")`, [cv_predict()], [assess_decisions()]
#' @examples
#' model <- fit(bayes_naive(), am ~ hp + wt + disp + qsec, mtcars)
#' set.seed(1)
#' tempered <- temper(model, mtcars)
#' tempered
#' coef(tempered)$temper
#' predict(model, mtcars[1:3, ], type = "prob")
#' predict(tempered, mtcars[1:3, ], type = "prob")
#' @export
temper <- function(object, ...) UseMethod("temper")

#' @rdname temper
#' @export
temper.bayesrisk_model <- function(object, data, by = c("model", "kind", "block"), bias = FALSE,
                                   folds = 10, penalty = NULL, weights, subset,
                                   na.action = stats::na.pass, # nolint: object_name_linter.
                                   estimate = c("plugin", "predictive"), ...,
                                   threads = default_threads()) {
  call <- check_no_dots(...)
  object <- check_model(object, call)
  check_can_temper(object, call)
  settings <- read_temper_settings(by, bias, penalty, estimate, call)
  asked <- list(
    weights = rlang::enquo(weights), subset = rlang::enquo(subset), folds = rlang::enquo(folds)
  )
  data <- temper_rows(object, maybe(data), asked, call)
  asked <- c(asked, list(na_action = na.action, threads = threads))
  cases <- read_temper_cases(object, data, asked, settings, call)
  temper_by_cases(object, cases, c(settings, list(folds = cases$folds)), call)
}

read_temper_settings <- function(by, bias, penalty, estimate, call) {
  by <- check_choice(by, temper_parts, "by", call)
  bias <- check_flag(bias, "bias", call)
  if (!is.null(penalty)) penalty <- check_number(penalty, "penalty", min = 0, call = call)
  estimate <- check_choice(estimate, estimates, "estimate", call)
  list(by = by, bias = bias, penalty = penalty, estimate = estimate)
}

# The rows of the fit of a model, or of models of groups.
temper_rows <- function(object, data, quosures, call) {
  keys <- unlist(lapply(attr(object, "by"), `[[`, "columns"))
  formula <- whole_formula(schema_of(object))
  rows_in_memory(data, used_columns(list(formula), quosures, more = keys), call)
}

# The cases of these rows. `asked`: arguments of read_cv_cases().
read_temper_cases <- function(object, data, asked, settings, call) {
  if (settings$estimate == "predictive") proper_posterior(object, call)
  candidates <- list(list(spec = object$spec, formula = whole_formula(object$schema)))
  cases <- read_cv_cases(candidates, data, asked, asked$na_action, asked$threads, call)
  check_same_features(object, cases, call)
  cases
}

# `cases`: a result of read_cv_cases() for one candidate. `settings`: by, bias, penalty, folds,
# estimate. `others`: of a pooled group, see other_groups().
temper_by_cases <- function(object, cases, settings, call, others = NULL) {
  # The prior alone has no likelihood that could count less.
  if (!length(object$plan$banks)) return(object)
  check_total_weight(cases$weights, call)
  folds <- read_folds(settings$folds, TRUE, cases$group, sum(cases$class_rows), call)
  spec <- replace(unclass(object$spec), "temper", list(settings$by))
  design <- new_cv_design(list(model = list(spec = spec)), cases, folds, call)
  design$candidates[[1L]]$predictive <- settings$estimate == "predictive"
  design$candidates[[1L]]["others"] <- list(others)
  penalty <- as.double(settings$penalty)
  found <- call_engine(temper_cpp(design, settings$bias, penalty, cases$threads), call)
  problems <- read_fold_problems(found, design, cases, call)
  report_temper(found$fit, problems, folds$labels, call)
  if (found$fit$separated) return(object)
  settings$folds <- length(folds$labels)
  part <- design$candidates[[1L]]$part
  object$parameters$temper <- new_temper(object, found$fit, part, settings)
  object
}

check_can_temper <- function(object, call) {
  if (is.null(object$statistics)) {
    abort_argument(c(
      "{.arg object} has known parameters: exponents are estimated with models of a part of the
       rows.",
      i = "{.fn fit} a model to the rows."
    ), call)
  }
  if (is.null(object$schema$formula)) {
    abort_argument(c(
      "{.arg object} was fitted to {.arg x} and {.arg y}, without a formula.",
      i = "Fit it by a formula, such as {.code fit(spec, class ~ ., data)}, or by a specification
           with {.code temper = TRUE}."
    ), call)
  }
}

check_same_features <- function(object, read, call) {
  own <- names(object$schema$features)
  found <- names(read$schema$features)
  classes <- object$schema$classes$levels
  there <- read$schema$classes$levels
  if (identical(own, found) && identical(classes, there)) return(invisible())
  headline <- "{.arg data} must be the rows of the fit, with the %s of the model."
  differ <- function(what) cli::format_inline(sprintf(headline, what))
  check_same_names(there, classes, differ("classes"), call)
  check_same_names(found, own, differ("features"), call)
  abort_argument(c(
    sprintf(headline, "classes and features"),
    x = "Their order differs. The model: {.val {classes}}; {.field {own}}.",
    x = "{.arg data}: {.val {there}}; {.field {found}}."
  ), call)
}

# `part`: the exponent of each block.
new_temper <- function(object, fit, part, settings) {
  list(
    power = stats::setNames(fit$power[part], block_names(object)),
    offset = stats::setNames(fit$offset, object$schema$classes$levels),
    common = fit$common, by = settings$by, bias = settings$bias, penalty = fit$penalty,
    folds = settings$folds, loss = fit$loss, cases = fit$rows, rows = object$rows$used,
    estimate = settings$estimate
  )
}

# One warning for cases and folds that do not count, and one if nothing can be estimated.
report_temper <- function(fit, problems, folds, call) {
  lost <- toString(c(
    if (isTRUE(fit$unread > 0)) paste(count_of(fit$unread, "case", "cases"), "without a score"),
    if (isTRUE(fit$lost > 0)) {
      paste(count_of(fit$lost, "case", "cases"), "impossible under the true class")
    }
  ))
  warn_folds(
    if (nrow(problems)) fold_problem_lines(problem_table(problems, "model", folds)),
    if (nzchar(lost)) "Left out of the estimate of the exponents: {lost}.",
    all(problems$borrows), call
  )
  if (is.null(fit)) abort_data("No case has a score from the models of the other folds.", call)
  if (fit$separated) {
    warn_bayesrisk(c(
      "Exponents can classify every held-out case without doubt, so none is the best: the model
       stays as it is.",
      i = "More cases, or features that separate the classes less, allow an estimate."
    ), "separated", call)
  }
}

# fit() with `temper` in its specification: see exponents_from(). Folds are drawn; classes with few
# rows allow fewer than ten.
#' @export
exponents_from.default <- function(data, model, request, call) { # nolint: object_name_linter.
  cases <- if (inherits(data, "cases_in_memory")) {
    count_class_rows(replace(data, "features", list(list(names(data$schema$features)))), call)
  } else {
    read_cv_cases(
      list(list(spec = model$spec, formula = request$formula)), data,
      request[c("weights", "subset")], request$na_action, request$threads, call
    )
  }
  settings <- list(
    by = model$spec$temper, bias = FALSE, folds = min(10L, sum(cases$class_rows)),
    estimate = "plugin"
  )
  temper_by_cases(model, cases, settings, call)
}

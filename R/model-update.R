#' Update a fitted model: more rows, fewer features, other settings
#'
#' * `update(model, moredata)` adds rows: the result equals one fit of all rows
#'   (counts exactly, moments to 1e-12 of their scale).
#' * `update(model, . ~ . - x)` drops features, without data.
#' * `update(model, laplace = 1)` changes a setting of the specification, such as `laplace`,
#'   `prior`, `variance` or `shrinkage`, and estimates again from the stored statistics, without
#'   data.
#' * `update(spec, laplace = 1)` changes a setting of a specification.
#' * `update(statistics, moredata)` adds rows to the result of [bayes_statistics()], without
#'   estimating. So a stream can begin with its first row, or with none, before there are enough
#'   rows for a model: see the last example.
#'
#' **Forgetting.** With `forget` or `half_life` a model follows a process that changes. A batch of
#' rows makes the past count less once, and its own rows count fully, so one batch of 100 rows and
#' 100 batches of one row are different: a row of a batch is as new as its last one. In the long run
#' the model has the weight of \eqn{1 / (1 - f)} rows for row by row updates with \eqn{f} =
#' `forget`. [nobs()] is the weight that is left.
#'
#' New classes and levels in `moredata` are added by name. Without a row that counts (there are no
#' rows, or `subset`, `weights` and `na.action` leave none) `moredata` changes nothing. Dropping a
#' feature is exact, with one exception: rows that a joint block left out because this feature was
#' missing stay left out (`missing = "complete"`). One warning (`bayesrisk_warning_skipped_rows`)
#' counts these rows.
#'
#' @param object A fitted model, a specification, or a result of [bayes_statistics()]. Of a model
#'   without statistics, as of [bayes_known()] without `n`, only `prior` can be changed.
#' @param moredata A table of more rows, a source of them ([bayesrisk_sources]), or a formula that
#'   drops features.
#' @param ... Settings of the specification to change, for example `laplace`,
#'   `prior`, `variance`, `shrinkage`.
#' @param weights,subset,na.action Case weights, subset and missing values of the added rows, as in
#'   [fit()][fit.bayesrisk_spec]; they can use the columns of `moredata`.
#' @param y The class of the added rows, for a model from [fit_xy()].
#' @param forget How much a row counts after each new row, as a share: above 0, at most 1. All rows
#'   before count `forget` to the power of the total weight of the new rows. 1: none is forgotten.
#' @param half_life The same as a number of new rows, after which rows count half: `forget` is
#'   \eqn{2^{-1/h}}{2^(-1/h)}. Not together with `forget`.
#' @inheritParams bayesrisk_arguments
#' @return An object like `object`.
#' @section Errors: `bayesrisk_error_argument` for a bad argument or a feature
#'   that cannot be dropped or added, `bayesrisk_error_schema` where `moredata`
#'   does not fit the model, `bayesrisk_error_degenerate` as in
#'   [fit()][fit.bayesrisk_spec].
#' @examples
#' model <- fit(bayes_naive(), play ~ ., play_tennis[1:10, ])
#' model <- update(model, play_tennis[11:14, ])
#' update(model, laplace = 1)
#' update(model, . ~ . - temperature)
#'
#' # the last 7 rows count as much as all before them
#' nobs(update(model, play_tennis[8:14, ], half_life = 7))
#'
#' # a stream, row by row
#' seen <- bayes_statistics(bayes_naive(laplace = 1), play ~ ., play_tennis[0, ])
#' for (i in 1:14) seen <- update(seen, play_tennis[i, ])
#' fit(bayes_naive(laplace = 1), seen)
#' @export
update.bayesrisk_model <- function(object, moredata = NULL, weights, subset,
                                   na.action = stats::na.pass, # nolint: object_name_linter.
                                   y = NULL, forget = 1, half_life = NULL, ...,
                                   threads = default_threads()) {
  call <- rlang::current_env()
  object <- check_model(object, call)
  forget <- check_forget(forget, half_life, call)
  threads <- check_threads(threads, call)
  changes <- rlang::dots_list(..., .homonyms = "keep", .ignore_empty = "none")
  weights <- rlang::enquo(weights)
  subset <- rlang::enquo(subset)
  if (is.null(object$statistics)) {
    return(update_known(object, moredata, changes, weights, subset, y, call))
  }
  if ("temper" %in% names(changes)) object <- without_temper(object, changes, call)
  changes$temper <- NULL
  statistics <- model_statistics(object, call)
  if (rlang::is_formula(moredata)) {
    check_update_formula(weights, call)
    statistics <- drop_features(statistics, moredata, call)
  } else if (!is.null(moredata)) {
    request <- fit_request(
      object$schema$formula, weights, subset, na.action, threads, object$schema, y,
      spec = object$spec
    )
    more <- collect_more(moredata, request, call)
    if (is.null(more) && !length(changes)) return(object)
    if (!is.null(more)) {
      statistics <- merge_statistics(forget_rows(statistics, more, forget, call), more, call)
    }
  }
  if (is.null(moredata) || rlang::is_formula(moredata)) {
    check_no_row_arguments(weights, subset, y, call)
    check_no_forgetting(forget, call)
  }
  updated <- say_of_streams(if (length(changes)) {
    estimate_by(update_spec(statistics$spec, changes, call), statistics, call, threads)
  } else {
    estimate_model(statistics, call, threads)
  }, moredata, call)
  keep_temper(keep_pool(updated, list(object), forget < 1), object)
}

# A stream may have too few rows for a model after rows were added.
say_of_streams <- function(expr, moredata, call) {
  tryCatch(expr, bayesrisk_error_degenerate = function(e) {
    if (is.null(moredata) || rlang::is_formula(moredata)) stop(e)
    abort_again(
      e, "There is no model of the rows so far; {.fn update} of {.fn bayes_statistics} adds rows
          without a model:", call, problems = e$problems
    )
  })
}

#' @rdname update.bayesrisk_model
#' @export
update.bayesrisk_statistics <- function(object, moredata, weights, subset,
                                        na.action = stats::na.pass, # nolint: object_name_linter.
                                        y = NULL, forget = 1, half_life = NULL, ...,
                                        threads = default_threads()) {
  call <- check_no_dots(...)
  object <- check_statistics(object, call, "object")
  forget <- check_forget(forget, half_life, call)
  moredata <- maybe(moredata)
  if (is.null(moredata)) abort_argument("{.arg moredata} is missing: rows to add.", call)
  if (rlang::is_formula(moredata)) {
    abort_argument(c(
      "{.arg moredata} must be rows: the features of statistics stay.",
      i = "Drop features of the model: {.code update(fit(spec, statistics), . ~ . - x)}."
    ), call)
  }
  first <- is_empty(object)
  request <- fit_request(
    if (first) whole_formula(object$schema) else object$schema$formula, rlang::enquo(weights),
    rlang::enquo(subset), na.action, threads, if (!first) object$schema, y, spec = object$spec
  )
  more <- collect_more(moredata, request, call)
  if (is.null(more)) return(object)
  if (first) more else merge_statistics(forget_rows(object, more, forget, call), more, call)
}

# The factor of one row, from the arguments of update().
check_forget <- function(forget, half_life, call) {
  forget <- check_number(forget, "forget", min = 0, max = 1, call = call)
  if (is.null(half_life)) {
    if (forget > 0) return(forget)
    abort_argument(
      "{.arg forget} must be above 0: with 0 there would be no rows before the new ones.", call
    )
  }
  if (forget != 1) {
    abort_argument("{.arg forget} and {.arg half_life} say the same: give one.", call)
  }
  half_life <- check_number(half_life, "half_life", min = 0, call = call)
  forget <- 0.5^(1 / half_life)
  if (forget > 0) return(forget)
  abort_argument(
    "{.arg half_life} is too small: a new row would leave nothing of the others.", call
  )
}

check_no_forgetting <- function(forget, call) {
  if (forget == 1) return(invisible())
  abort_argument(
    "{.arg forget} and {.arg half_life} go with the rows of {.arg moredata}.", call
  )
}

# A model whose statistics have the cases that one of others had as the model of a pooled group, as
# `parameters$pool`: list(cases), their numbers named by block, or "(class)". Those of several, or
# after rows were forgotten, are no numbers of cases of one merged model, so only the mark stays.
keep_pool <- function(model, others, forgotten = FALSE) {
  others <- Filter(function(other) !is.null(other$parameters$pool), others)
  if (!length(others)) return(model)
  cases <- others[[1L]]$parameters$pool$cases
  if (length(others) > 1L || forgotten) cases <- cases[0L]
  model$parameters$pool <- list(cases = cases[names(cases) %in% c("(class)", block_names(model))])
  model
}

# update() takes data without a formula, because the model has one.
check_update_formula <- function(weights, call) {
  if (rlang::quo_is_missing(weights)) return(invisible())
  value <- tryCatch(rlang::eval_tidy(weights), error = function(e) NULL)
  if (!is.data.frame(value) && !is.matrix(value)) return(invisible())
  abort_argument(c(
    "New rows are read by the formula of the model.", i = "Write {.code update(model, data)}."
  ), call)
}

check_no_row_arguments <- function(weights, subset, y, call) {
  given <- c(
    weights = !rlang::quo_is_missing(weights), subset = !rlang::quo_is_missing(subset),
    y = !is.null(y)
  )
  given <- names(given)[given]
  if (!length(given)) return(invisible())
  abort_argument("{.arg {given}} {?goes/go} with the rows of {.arg moredata}.", call)
}

update_known <- function(object, moredata, changes, weights, subset, y, call) {
  check_no_row_arguments(weights, subset, y, call)
  if (!is.null(moredata) || !identical(names(changes), "prior")) model_statistics(object, call)
  classes <- object$schema$classes$levels
  prior <- resolve_prior(changes$prior, classes, NULL, call)
  if (is.null(prior)) {
    abort_argument("{.arg prior} must be given: there are no rows to count.", call)
  }
  object$spec$prior <- stats::setNames(prior, classes)
  object$parameters$prior <- prior
  object
}

drop_features <- function(statistics, formula, call) {
  schema <- statistics$schema
  known <- names(schema$features)
  kept <- kept_features(formula, schema, call)
  dropped <- setdiff(known, kept)
  warn_skipped_rows(statistics, dropped, call)
  schema$features <- schema$features[kept]
  if (!is.null(schema$formula)) {
    terms <- lapply(feature_terms(schema), function(term) {
      if (is.character(term)) as.name(term) else term
    })
    rhs <- if (length(kept)) Reduce(function(a, b) call("+", a, b), terms) else 1
    schema$formula[[3L]] <- rhs
  }
  spec <- statistics$spec
  spec$features <- spec$features[setdiff(names(spec$features), dropped)]
  spec$blocks <- lapply(spec$blocks, setdiff, dropped)
  spec$blocks <- spec$blocks[lengths(spec$blocks) > 0L]
  spec <- without_unused_joint(spec)
  realign_statistics(statistics, schema, spec, build_plan(spec, schema, call), call)
}

kept_features <- function(formula, schema, call) {
  lhs <- rlang::f_lhs(formula)
  same <- is.null(lhs) || identical(lhs, quote(.)) || identical(term_label(lhs), schema$response)
  if (!same) abort_argument("{.arg moredata} must keep the class: {.code . ~ . - x}.", call)
  known <- names(schema$features)
  signed <- signed_terms(rlang::f_rhs(formula), call)
  mentioned <- vapply(signed$terms, term_label, "")
  check_known_features(setdiff(mentioned, "."), known, "moredata", call)
  known[known %in% names(resolve_terms(signed, feature_terms(schema)))]
}

# Warns about skipped rows. A row that missed several of the dropped features counts once.
warn_skipped_rows <- function(statistics, dropped, call) {
  features <- names(statistics$schema$features)
  skipped <- Map(function(bank, state) {
    # With expectation-maximisation no row was left out.
    if (is.null(state$missing) || isTRUE(bank$em)) return(NULL)
    names <- features[bank$features]
    gone <- names %in% dropped & state$missing > 0
    list(rows = min(sum(state$missing[gone]), state$skipped), features = names[gone])
  }, statistics$plan$banks, statistics$statistics$banks)
  rows <- sum(unlist(lapply(skipped, `[[`, "rows")))
  names <- unlist(lapply(skipped, `[[`, "features"))
  if (rows > 0) {
    warn_bayesrisk(c(
      "{rows} row{?s} without {.field {names}} stay{?s/} out of a joint block.",
      i = "Fit again with the data to count {cli::qty(rows)}{?it/them}."
    ), "skipped_rows", call)
  }
}

#' Merge models that were fitted on parts of the data
#'
#' Returns the same model as one fit of all rows: counts are exact, means and covariances agree to
#' 1e-12 of their scale. The models may come from other sessions or machines; no data are needed.
#'
#' Classes and categorical levels are united by name. Levels of a factor keep the order of `x`,
#' followed by the new levels of `y`. Sorted levels stay sorted.
#' @param x,y Fitted models, or results of [bayes_statistics()], of the same
#'   specification and the same features. Exponents of [temper()] are those of `x`, or of `y`.
#' @inheritParams bayesrisk_arguments
#' @return An object like `x`.
#' @section Errors: `bayesrisk_error_argument` where the specifications, the features, their
#'   expressions and kept values, or the bins of their histograms differ.
#' @examples
#' first <- fit(bayes_naive(), Species ~ ., iris[c(1:30, 51:80, 101:130), ])
#' second <- fit(bayes_naive(), Species ~ ., iris[c(31:50, 81:100, 131:150), ])
#' merge(first, second)
#' @export
merge.bayesrisk_model <- function(x, y, ...) {
  call <- check_no_dots(...)
  x <- check_model(x, call, "x")
  y <- check_model(maybe(y), call, "y")
  check_same_spec(x, y, call)
  merged <- merge_statistics(model_statistics(x, call), model_statistics(y, call), call)
  merged <- keep_pool(estimate_model(merged, call), list(x, y))
  keep_temper(merged, if (is_tempered(x)) x else y)
}

#' @rdname merge.bayesrisk_model
#' @export
merge.bayesrisk_statistics <- function(x, y, ...) {
  call <- check_no_dots(...)
  x <- check_statistics(x, call, "x")
  y <- check_statistics(maybe(y), call, "y")
  if (is_empty(x)) x$spec <- name_positional(x$spec, y$schema)
  if (is_empty(y)) y$spec <- name_positional(y$spec, x$schema)
  check_same_spec(x, y, call)
  if (!is_empty(x) && !is_empty(y)) return(merge_statistics(x, y, call))
  # Statistics without a row have no features yet that could be compared.
  check_same_code(x$schema$formula, y$schema$formula, "formulas", call)
  if (is_empty(x)) y else x
}

check_same_spec <- function(x, y, call) {
  responses <- unique(c(x$schema$response, y$schema$response))
  if (length(responses) > 1L) {
    abort_argument("The parts have different classes: {.field {responses}}.", call)
  }
  formulas <- list(x$schema$formula, y$schema$formula)
  if (all(lengths(formulas) > 0L)) {
    check_same_code(formulas[[1L]][[2L]], formulas[[2L]][[2L]], "classes", call)
  }
  if (identical(x$spec, y$spec)) return(invisible())
  first <- spec_sentence(x$spec)
  second <- spec_sentence(y$spec)
  settings <- different_settings(x$spec, y$spec)
  abort_argument(c(
    "The specifications differ: only parts with the same specification can be merged.",
    if (first == second) {
      c(x = "Both are described as: {first}", x = "They differ in {.arg {settings}}.")
    } else {
      c(x = "{.arg x}: {first}", x = "{.arg y}: {second}")
    }
  ), call)
}

# Parts of the same label may still be computed in different ways. `what`: the parts, for the error.
check_same_code <- function(x, y, what, call) {
  if (identical(rlang::zap_srcref(x), rlang::zap_srcref(y))) return(invisible())
  texts <- vapply(list(x, y), text_of_code, "")
  abort_argument(c(
    "The parts have different {what}.",
    x = "{.arg x}: {.code {texts[[1L]]}}", x = "{.arg y}: {.code {texts[[2L]]}}"
  ), call)
}

# The names of the settings that differ, of two specifications or of two likelihoods.
different_settings <- function(x, y) {
  fields <- union(names(x), names(y))
  different <- fields[!vapply(fields, function(field) identical(x[[field]], y[[field]]), NA)]
  unique(unlist(lapply(different, function(field) {
    both_lists <- is.list(x[[field]]) && is.list(y[[field]])
    inner <- if (both_lists) different_settings(x[[field]], y[[field]])
    if (length(inner)) inner else field
  })))
}

#' @rdname coef.bayesrisk_model
#' @export
formula.bayesrisk_model <- function(x, ...) {
  check_no_dots(...)
  x <- check_model(x, rlang::current_env(), "x")
  if (!is.null(x$schema$formula)) whole_formula(x$schema)
}

#' @rdname coef.bayesrisk_model
#' @export
nobs.bayesrisk_model <- function(object, ...) {
  check_no_dots(...)
  object <- check_model(object, rlang::current_env())
  total_weight(object)
}

#' @rdname coef.bayesrisk_model
#' @export
nobs.bayesrisk_statistics <- function(object, ...) {
  check_no_dots(...)
  object <- check_statistics(object, rlang::current_env(), "object")
  total_weight(object)
}

# The sum of the case weights; 0 for a model from numbers.
total_weight <- function(x) as.double(sum(x$statistics$classes$weight))

#' @rdname coef.bayesrisk_model
#' @export
logLik.bayesrisk_model <- function(object, ...) {
  call <- check_no_dots(...)
  object <- check_model(object, call)
  if (is.null(object$statistics)) {
    abort_argument(c(
      "{.arg object} has no log likelihood: {.fn bayes_known} made it from numbers, without data.",
      i = "For other data: {.code sum(predict(model, newdata, type = \"log_evidence\"))}."
    ), call)
  }
  model_log_likelihood(object)
}

model_log_likelihood <- function(model) {
  structure(
    open_as_na(model$parameters$log_likelihood),
    df = open_as_na(model$parameters$parameter_count), nobs = total_weight(model),
    class = "logLik"
  )
}

# The row of glance(): NA where a model has no data.
fit_table <- function(x) {
  known <- is.null(x$statistics)
  fit <- if (known) structure(NA_real_, df = NA_real_) else model_log_likelihood(x)
  data.frame(
    nobs = total_weight(x), df = attr(fit, "df"), logLik = as.double(fit),
    AIC = if (known) NA_real_ else stats::AIC(fit), BIC = if (known) NA_real_ else stats::BIC(fit),
    classes = length(x$schema$classes$levels), features = length(x$schema$features)
  )
}

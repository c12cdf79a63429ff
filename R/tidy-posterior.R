#' Uncertainty about the parameters of a model
#'
#' `confint()` gives an interval for each parameter, and `vcov()` their covariance matrix. Both
#' follow from the posterior of the parameters given the training data: see
#' [simulate_parameters()] for the priors and distributions.
#'
#' @param object A fitted model.
#' @param parm The terms to show: names of features, or `"(prior)"`. Default: all.
#' @param level The probability of an interval, equal tails.
#' @inheritParams bayesrisk_arguments
#' @details
#' Intervals are those of the marginal posteriors: Student t for a mean, \eqn{S / \chi^2}{S / chi^2}
#' for a variance with scatter \eqn{S}, beta for a probability, gamma for a rate. A covariance is a
#' variance times an independent slope; its distribution function is computed by quadrature. The
#' marginal distributions in a block of \eqn{p} features have \eqn{n_k - p} degrees of freedom.
#'
#' Intervals of a mean and a standard deviation of a single feature are those of the classical t and
#' chi-squared tests. All intervals suppose that the model holds: the features are normal, the cases
#' independent, and weights count cases.
#' @return
#' `confint()`: a data frame with a row for each parameter: `class`, `term`, `level`, `statistic`
#' and `estimate`, as [tidy()][tidy.bayesrisk_model] has them, and `lower` and `upper`. These are
#' `NA` for a parameter without a posterior: a given prior, a feature that is left out, an estimate
#' without degrees of freedom, and likelihoods that [simulate_parameters()] keeps as estimated.
#'
#' `vcov()`: a matrix with a row and a column for each row of `tidy()`, named by class, term, level
#' and statistic, joined by `:`. `NA` for a parameter without a posterior, or whose posterior has no
#' variance (too few degrees of freedom).
#' @section Errors: `bayesrisk_error_argument` for a bad argument, a model with known parameters, or
#'   a `vcov()` of more than 5,000 parameters.
#' @seealso [simulate_parameters()], [decision_stability()]
#' @examples
#' model <- fit(bayes_naive(), Species ~ Petal.Length, iris)
#' confint(model)
#' sqrt(diag(vcov(model)))
#' @name confint.bayesrisk_model
#' @export
confint.bayesrisk_model <- function(object, parm = NULL, level = 0.95, ...) {
  call <- check_no_dots(...)
  object <- check_model(object, call)
  level <- check_level(level, call)
  check_has_statistics(object, call)
  rows <- parameter_frame(object)
  if (!is.null(parm)) check_known_terms(parm, unique(rows$term), call)
  tails <- c(0.5 - level / 2, 0.5 + level / 2)
  limits <- lapply(posterior_blocks(object, call), function(block) {
    if (!is.null(block$posterior)) return(block$posterior$intervals(block, tails))
    none <- rep(NA_real_, length(block$rows$class))
    list(lower = none, upper = none)
  })
  rows$borrowed <- NULL
  rows$lower <- unlist(lapply(limits, `[[`, "lower"))
  rows$upper <- unlist(lapply(limits, `[[`, "upper"))
  if (!is.null(parm)) rows <- rows[rows$term %in% parm, , drop = FALSE]
  row.names(rows) <- NULL
  structure(
    rows, interval = level, class = c("bayesrisk_confint", "bayesrisk_result", "data.frame")
  )
}

check_known_terms <- function(parm, terms, call) {
  if (!is.character(parm) || !length(parm) || anyNA(parm)) {
    abort_argument("{.arg parm} must be names of terms, not {describe_value(parm)}.", call)
  }
  unknown <- setdiff(parm, terms)
  if (length(unknown)) {
    abort_unknown(
      "{.arg parm} names {.val {unknown}}, which {?is/are} no term{?s} of the model.",
      unknown, terms,
      "The terms are {.val {utils::head(terms, 20L)}}.", call
    )
  }
}

#' @rdname confint.bayesrisk_model
#' @export
vcov.bayesrisk_model <- function(object, ...) {
  call <- check_no_dots(...)
  object <- check_model(object, call)
  check_has_statistics(object, call)
  rows <- parameter_frame(object)
  size <- nrow(rows)
  if (size > 5000L) {
    abort_argument(c(
      "The covariance matrix of {size} parameters is too large.",
      i = "{.fn confint} has an interval for each of them, {.fn simulate_parameters} draws them."
    ), call)
  }
  label <- do.call(paste, c(lapply(
    rows[c("class", "term", "level", "statistic")],
    function(x) ifelse(is.na(x), "", paste0(x, ":"))
  ), sep = ""))
  label <- sub(":$", "", label)
  covariance <- matrix(0, size, size, dimnames = list(label, label))
  last <- 0L
  for (block in posterior_blocks(object, call)) {
    at <- last + seq_along(block$rows$class)
    known <- is.null(block$posterior)
    covariance[at, at] <- if (known) NA_real_ else block$posterior$covariances(block)
    last <- last + length(at)
  }
  covariance
}

# For the prior and for each block: see likelihood-posterior.R. `posterior`: the part of the record.
posterior_blocks <- function(object, call) {
  posterior <- parameter_posterior(object, call)
  centre <- posterior_centre(object, posterior)
  coefficients <- model_coefficients(centre)
  classes <- length(object$schema$classes$levels)
  weight <- prior_weight(object)
  prior <- list(
    rows = list(
      class = rep(1L, classes), level = object$schema$classes$levels,
      statistic = rep("probability", classes), estimate = unname(coefficients$prior)
    ),
    weight = rep(sum(weight), classes), freedom = NULL, classes = classes,
    posterior = if (length(weight)) table_posterior
  )
  blocks <- unlist(Map(function(bank, hyper) {
    parts <- if (is_joint(bank)) 1L else seq_along(bank$features)
    lapply(parts, function(j) posterior_block(bank, hyper, j, classes))
  }, object$plan$banks, posterior$hyperparameters), recursive = FALSE)
  blocks <- Map(function(block, bank, coefficients, name) {
    block$rows <- record_of(bank)$tidy(list(coefficients), name, classes)
    block$coefficients <- coefficients
    block
  }, blocks, block_banks(object), coefficients[-1L], names(coefficients)[-1L])
  c(list(prior), blocks)
}

posterior_block <- function(bank, hyper, j, classes) {
  of <- function(values) if (length(values)) values[, j] else rep(NA_real_, classes)
  list(
    weight = of(hyper$weight), freedom = of(hyper$freedom),
    shared = length(hyper$shared) && hyper$shared[[j]] != 0L, classes = classes,
    posterior = if (length(hyper$weight)) record_of(bank)$posterior
  )
}

#' @export
describe.bayesrisk_confint <- function(x, show) {
  table <- plain_frame(x)
  if (all(is.na(table$level))) table$level <- NULL
  list(
    title_item(sprintf(
      "%s of %s", interval_name(attr(x, "interval")), count_of(nrow(x), "parameter", "parameters")
    )),
    table_item(table, c("parameter", "parameters"))
  )
}

# A table of the parameters of draws, and their print.

#' @export
result_rows.bayesrisk_draws <- function(x, call) {
  check_draws(x, call)
  models <- unclass(x)
  rows <- tidy(models[[1L]])
  each <- nrow(rows)
  # Only the numbers differ.
  estimates <- lapply(models, function(model) {
    model <- check_model(model, call, "x")
    own <- unlist(lapply(parameter_rows(model), `[[`, "estimate"), use.names = FALSE)
    check_unchanged(length(own) == each, "result of simulate_parameters()", call)
    own
  })
  table <- rows[rep(seq_len(each), length(models)), c("class", "term", "level", "statistic")]
  data.frame(
    draw = rep(seq_along(models), each = each), table, estimate = unlist(estimates),
    row.names = NULL
  )
}

#' @export
describe.bayesrisk_draws <- function(x, show) {
  check_draws(x, show$call)
  models <- unclass(x)
  first <- models[[1L]]
  list(
    title_item(paste(count_of(length(models), "draw", "draws"), "of the parameters of a model")),
    sentences_item(c(
      sprintf(
        "%s, %s. Each draw, such as x[[1]], is a model.",
        count_of(length(first$schema$classes$levels), "class", "classes"),
        count_of(length(first$schema$features), "feature", "features")
      ),
      "as.data.frame(x) has their parameters."
    ))
  )
}

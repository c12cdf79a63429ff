# The posterior of the parameters of a model, given its statistics. Its centre is the estimate with
# unbiased variances; the hyperparameters are what the engine keeps of each bank beside it:
# * weight: of Gaussian features and blocks the weight of the cases, of tables the sum of the
#   Dirichlet parameters, of Poisson rates the exposure; 0 or no columns: known;
# * freedom: of Gaussian features and blocks the degrees of freedom of the scatter;
# * shared: of Gaussian features, whether all classes have one variance.

# list(parameters, hyperparameters, diagnostics).
parameter_posterior <- function(object, call) {
  check_identity_posterior(object, call)
  # It has no closed form.
  check_no_em(object, "no posterior of its parameters", call)
  schema <- object$schema
  call_engine(parameter_posterior_cpp(
    object$plan$banks, length(schema$classes$levels), length(schema$features), object$statistics,
    estimate_options(object$spec, schema, object$plan, call), object$spec$degenerate == "pool"
  ), call)
}

check_identity_posterior <- function(object, call) {
  gaussian <- vapply(object$plan$banks, `[[`, "", "type") == "multivariate_gaussian"
  weights <- unlist(lapply(object$parameters$banks[gaussian], `[[`, "identity"))
  if (!is_auto(object$spec$identity) && any(gaussian)) weights <- object$spec$identity
  if (!any(weights == 1, na.rm = TRUE)) return(invisible())
  found <- if (is_auto(object$spec$identity)) ", which {.code identity = \"auto\"} found" else ""
  abort_argument(c(
    paste0("Covariances have no posterior with {.code identity = 1}", found, "."),
    i = "{.code update(object, identity = )} changes it to a smaller number."
  ), call)
}

# The same, if every parameter has a posterior.
proper_posterior <- function(object, call) {
  posterior <- parameter_posterior(object, call)
  diagnostics <- posterior$diagnostics
  stops <- !is_note(diagnostics$problem)
  if (!any(stops)) return(posterior)
  lines <- describe_problems(lapply(diagnostics, `[`, stops), object$schema, object$plan)
  abort_degenerate(c(
    "The data leave no degrees of freedom for the posterior of these parameters:",
    first_problems(lines),
    i = "A single feature needs more than one case in each class, a block more cases than features.
         {.arg borrow}, {.arg shrinkage} and {.arg identity} add to them."
  ), call, problems = lines)
}

#' @name predict.bayesrisk_model
#' @section Predictive distributions:
#' `estimate = "predictive"` averages the density of a case over the posterior of the parameters.
#' Estimates from few cases then give less extreme posteriors. For class \eqn{k} let \eqn{n_k} be
#' the sum of the weights of the cases with a value.
#' * A single Gaussian feature has a Student t distribution with \eqn{n_k - 1} degrees of freedom,
#'   at the mean, with the squared scale \eqn{s_k^2 (1 + 1 / n_k)}{s_k^2 (1 + 1/n_k)}, where
#'   \eqn{s_k^2} is the unbiased variance (prior \eqn{1 / \sigma^2}{1/sigma^2}).
#'   With `pooled = TRUE` it has \eqn{n - K} degrees of freedom, of all \eqn{n} cases of the
#'   \eqn{K} classes, and \eqn{s^2} is the pooled variance.
#' * A block of \eqn{p} features with scatter \eqn{S_k} has a multivariate t distribution with
#'   \eqn{n_k - p} degrees of freedom and the scale matrix
#'   \eqn{S_k (1 + 1 / n_k) / (n_k - p)}{S_k (1 + 1/n_k) / (n_k - p)}
#'   (prior \eqn{|\Sigma|^{-(p + 1) / 2}}{|Sigma|^(-(p + 1) / 2)}). A shared covariance of
#'   \eqn{K} classes and \eqn{n} cases has \eqn{n - K - p + 1} degrees of freedom, and the pooled
#'   scatter takes the place of \eqn{S_k}. Where features of a block are missing, the others have
#'   the marginal t distribution, with the same degrees of freedom.
#' * `borrow = m` adds \eqn{m} degrees of freedom, and their scatter. `shrinkage = g` counts as the
#'   \eqn{m} that gives the same covariance: \eqn{n_k - 1 + m = (n_k - 1) / (1 - g)}. So does
#'   `identity`, which must be less than 1.
#' * A smoothed Poisson rate (`pseudo_count`, `pseudo_exposure`) gives a negative binomial
#'   distribution, whose size is the sum of the counts and `pseudo_count`.
#' * Probabilities of levels, bins, presences and classes stay: they are the means of their
#'   posteriors.
#' * Poisson rates without smoothing, gamma and negative binomial distributions, kernels, mixtures,
#'   exact values and bags stay as estimated. So do the parameters of [bayes_known()].
#'
#' Variances are unbiased here, also with `variance = "ml"`. Lower bounds of variances, and what a
#' degenerate class borrows, stay; what it borrows adds no degrees of freedom. If a class is left
#' without degrees of freedom, an error of class `bayesrisk_error_degenerate` names it.
#' In MASS, `predict(method = "predictive")` leaves out a factor of each class, made of gamma
#' functions.
NULL

# The model that scores with predictive distributions, if these were asked for. Nothing is unknown
# about known parameters.
as_estimated <- function(object, estimate, call) {
  estimate <- check_choice(estimate, estimates, "estimate", call)
  tell_other_scores(object, estimate)
  if (estimate == "plugin") return(object)
  object <- check_model(object, call)
  check_not_axed(object, call)
  if (is.null(object$statistics)) return(object)
  posterior_centre(object, proper_posterior(object, call))
}

is_predictive <- function(model) !is.null(model$parameters$hyperparameters)

check_has_statistics <- function(object, call) {
  if (!is.null(object$statistics)) return(invisible())
  check_not_axed(object, call)
  abort_argument(c(
    "{.arg object} has known parameters: there is nothing to learn about them.",
    i = "{.fn fit} a model to data."
  ), call)
}

# The weights of the classes if the prior was estimated from them. A given prior is known.
prior_weight <- function(object, prior = NULL) {
  estimated <- is.null(prior) && is.null(object$spec$prior)
  if (estimated) object$statistics$classes$weight else numeric()
}

# The model at the centre of the posterior of its parameters, with the hyperparameters. Parameters
# without a posterior keep their estimates.
posterior_centre <- function(object, posterior) {
  object$parameters$banks <- posterior$parameters
  object$parameters$hyperparameters <- posterior$hyperparameters
  object
}

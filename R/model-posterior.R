# The posterior of the parameters of a model, given its statistics. Its centre is the estimate with
# unbiased variances; the evidence is what the engine keeps of each bank, see evidence.hpp:
# * weight: of Gaussian features and blocks the weight of the cases, of tables the sum of the
#   Dirichlet parameters, of Poisson rates the exposure; 0 or no columns: known;
# * freedom: of Gaussian features and blocks the degrees of freedom of the scatter.

# list(parameters, evidence, diagnostics).
parameter_posterior <- function(object, call) {
  schema <- object$schema
  call_engine(parameter_posterior_cpp(
    object$plan$banks, length(schema$classes$levels), length(schema$features), object$statistics,
    estimate_options(object$spec, schema, object$plan, call), object$spec$degenerate == "pool"
  ), call)
}

# The same, if every parameter has a posterior.
proper_posterior <- function(object, call) {
  posterior <- parameter_posterior(object, call)
  diagnostics <- posterior$diagnostics
  stops <- !diagnostics$problem %in% c("borrowed", "left_out")
  if (!any(stops)) return(posterior)
  lines <- describe_problems(lapply(diagnostics, `[`, stops), object$schema, object$plan)
  shown <- utils::head(lines, 20L)
  more <- length(lines) - length(shown)
  abort_degenerate(c(
    "The data leave no degrees of freedom for the posterior of these parameters:",
    stats::setNames(sprintf("{shown[[%d]]}", seq_along(shown)), rep("x", length(shown))),
    if (more > 0L) "... and {more} more.",
    i = "A single feature needs more than one case in each class, a block more cases than features.
         {.arg borrow} and {.arg shrinkage} add to them."
  ), call, problems = lines)
}

estimates <- c("plugin", "predictive")

# The model that scores with predictive distributions, if these were asked for. Nothing is unknown
# about known parameters.
as_estimated <- function(object, estimate, call) {
  estimate <- check_choice(estimate, estimates, "estimate", call)
  if (estimate == "plugin") return(object)
  check_model(object, call)
  if (is.null(object$statistics)) return(object)
  posterior_centre(object, proper_posterior(object, call))
}

is_predictive <- function(model) !is.null(model$parameters$evidence)

check_has_statistics <- function(object, call) {
  if (!is.null(object$statistics)) return(invisible())
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

# The model at the centre of the posterior of its parameters, with the evidence. Parameters without
# a posterior keep their estimates.
posterior_centre <- function(object, posterior) {
  object$parameters$banks <- posterior$parameters
  object$parameters$evidence <- posterior$evidence
  object
}

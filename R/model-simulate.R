#' Draw cases from a model
#'
#' Draws new rows from the joint distribution of the model: the class from the prior, then the
#' features given the class, block by block.
#'
#' @param object A fitted or known model.
#' @param nsim The number of rows.
#' @param seed `NULL`: R's generator continues from its current state. A number: [set.seed()] is
#'   called with it before the draws, and the generator gets its previous state back after them.
#' @inheritParams bayesrisk_arguments
#' @return A data frame with `nsim` rows: the class (a factor, named as in the formula, or
#'   `class`), and the features, with the types of the fit (numbers as double). A feature that is a
#'   function of a column has the function as its name, such as `log(hp)`. The attribute `seed` is
#'   the seed, or the state of the generator before the draws, as in other methods of
#'   [stats::simulate()].
#' @section Tempered models: the densities count without the exponents of [temper()], and a message
#'   (`bayesrisk_message_untempered`) says so.
#' @section Errors: `bayesrisk_error_argument` names the argument.
#' @seealso [fit()][fit.bayesrisk_spec], [bayes_known()]
#' @examples
#' model <- fit(bayes_full(), Species ~ Petal.Length + Petal.Width, iris)
#' simulate(model, 5, seed = 1)
#'
#' # How well could the model be estimated from 30 flowers?
#' few <- simulate(model, 30, seed = 2)
#' bayes_risk(model, rule = fit(bayes_full(covariance = "pooled"), Species ~ ., few))
#' @export
simulate.bayesrisk_model <- function(object, nsim = 1, seed = NULL, ...) {
  call <- check_no_dots(...)
  object <- check_model(object, call)
  check_no_bag(object, call)
  tell_untempered(object)
  rows <- check_whole_number(nsim, "nsim", call = call)
  if (!is.null(seed)) {
    seed <- check_whole_number(seed, "seed", min = -.Machine$integer.max, call = call)
  }
  if (!exists(".Random.seed", globalenv(), inherits = FALSE)) stats::runif(1L)
  before <- get(".Random.seed", globalenv(), inherits = FALSE)
  if (!is.null(seed)) {
    on.exit(list2env(list(.Random.seed = before), globalenv()))
    set.seed(seed)
  }
  drawn <- call_engine(draw_rows_cpp(engine_model(object), rows), call)
  state <- if (is.null(seed)) before else structure(seed, kind = as.list(RNGkind()))
  structure(drawn_frame(drawn, object$schema, rows), seed = state)
}

drawn_frame <- function(drawn, schema, rows) {
  columns <- drawn_columns(drawn$columns, schema$features)
  class <- list(as_class_factor(drawn$class, schema$classes))
  names <- c(class_column(schema), names(schema$features))
  new_rows(stats::setNames(c(class, columns), names), rows)
}

# The name of the class column: as in the formula, or `class` without a formula.
class_column <- function(schema) {
  response <- if (is.null(schema$response)) "class" else schema$response
  features <- names(schema$features)
  make.unique(c(features, response))[[length(features) + 1L]]
}

#' Draw models from the posterior of their parameters
#'
#' A fitted model has the most plausible parameters, or their means. `simulate_parameters()` draws
#' other parameters that the data allow. Any function of a model, applied to each draw, then has a
#' distribution: a posterior, a threshold, a risk.
#'
#' @param object A fitted model.
#' @param n The number of draws.
#' @param seed The seed, a whole number, 0 or more. Draws have their own generator, so R's does not
#'   change. Draw `i` of a seed does not depend on `n`.
#' @inheritParams bayesrisk_arguments
#' @details
#' # Posteriors of the parameters
#' The posteriors follow from the statistics of the model and from these priors. Let \eqn{n_k} be
#' the weight of the cases of class \eqn{k} with a value.
#' * Gaussian feature, prior \eqn{1 / \sigma^2}{1/sigma^2}: the sum of squares divided by
#'   \eqn{\sigma_k^2}{sigma_k^2} is chi-squared with \eqn{n_k - 1} degrees of freedom; given
#'   \eqn{\sigma_k}{sigma_k} the mean is normal with variance \eqn{\sigma_k^2 / n_k}{sigma_k^2/n_k}.
#'   With `pooled = TRUE` all classes share a draw, with \eqn{n - K} degrees of freedom.
#' * Block of \eqn{p} Gaussian features, prior \eqn{|\Sigma|^{-(p + 1) / 2}}{|Sigma|^(-(p + 1)/2)}:
#'   the covariance is inverse Wishart with \eqn{n_k - 1} degrees of freedom and the scatter; given
#'   it the mean is normal with covariance \eqn{\Sigma_k / n_k}{Sigma_k/n_k}. A shared covariance of
#'   \eqn{K} classes and \eqn{n} cases has \eqn{n - K} degrees of freedom.
#' * `borrow = m` adds \eqn{m} degrees of freedom, and their scatter; `shrinkage` and
#'   `identity` count as the \eqn{m} that gives the same covariance.
#' * Probabilities of levels, cells and bins: Dirichlet; its parameters are the counts plus
#'   `laplace`. So the mean is the estimate, and without smoothing a level that was never seen keeps
#'   probability 0.
#' * Poisson rate: gamma; its shape is the sum of the counts plus `pseudo_count`, its rate the
#'   weight plus `pseudo_exposure`.
#' * The class prior: Dirichlet with the weights of the classes, if it was estimated. A given prior
#'   is known.
#' * Multinomial terms: Dirichlet; its parameters are the counts plus `laplace`. Presences of terms:
#'   beta, with the numbers of cases with and without the term, each plus `laplace`.
#' * Gamma and negative binomial distributions, kernels, mixtures, exact values, complement weights
#'   and bags of Gaussians or Poisson counts have no posterior here: they stay as estimated. So does
#'   an estimate that a class without values borrows.
#'
#' The posterior is centred at unbiased variances, also with `variance = "ml"`.
#' @return A list of `n` models with known parameters, of class `bayesrisk_draws`. Each of them
#'   works in all functions that need no training statistics. `as.data.frame()` gives the
#'   parameters: the columns of [tidy()][tidy.bayesrisk_model], after a column `draw`.
#' @section Errors: `bayesrisk_error_degenerate` if a class leaves no degrees of freedom, and
#'   `bayesrisk_error_argument` for a model with known parameters.
#' @references Gelman, A. et al. (2013). *Bayesian Data Analysis*, third edition, chapter 3.
#' @seealso [confint()][confint.bayesrisk_model], [decision_stability()], and
#'   `predict(estimate = "predictive")`, which averages over the posterior exactly
#' @examples
#' model <- fit(bayes_naive(), Species ~ ., iris)
#' draws <- simulate_parameters(model, 100)
#' draws
#' virginica <- vapply(draws, function(m) {
#'   predict(m, iris[84, ], type = "prob")[, "virginica"]
#' }, 1)
#' quantile(virginica, c(0.025, 0.5, 0.975))
#' @export
simulate_parameters <- function(object, n = 1000, seed = 1, ...) {
  call <- check_no_dots(...)
  object <- check_model(maybe(object), call)
  n <- check_whole_number(n, "n", min = 1, call = call)
  seed <- check_seed(seed, call)
  check_has_statistics(object, call)
  centre <- posterior_centre(object, proper_posterior(object, call))
  drawn <- call_engine(
    draw_parameters_cpp(engine_model(centre), prior_weight(object), n, seed), call
  )
  object["statistics"] <- list(NULL)
  object["rows"] <- list(NULL)
  models <- lapply(drawn, function(parameters) {
    replace(object, "parameters", list(c(parameters, object$parameters["temper"])))
  })
  structure(models, class = c("bayesrisk_draws", "bayesrisk_result"))
}

# vapply(draws, ...) takes each draw by `[[`, so the draws are not checked here.
#' @export
`[[.bayesrisk_draws` <- function(x, i, ...) {
  call <- check_no_dots(...)
  models <- unclass(x)
  i <- maybe(i)
  if (is_plain(i, is.numeric) && length(i) == 1L && i %in% seq_along(models)) return(models[[i]])
  abort_argument(
    "{.code [[} takes the number of one draw, from 1 to {length(models)}, not {describe_value(i)}.",
    call
  )
}

check_draws <- function(x, call) {
  sound <- is.list(x) && length(x) && all(vapply(unclass(x), is_model, NA))
  check_unchanged(sound, "result of simulate_parameters()", call)
  check_model(unclass(x)[[1L]], call, "x")
}

# The features and blocks whose parameters count as known, in words; NULL if there are none.
known_parameters <- function(posterior, object) {
  blocks <- block_names(object)
  held <- unlist(Map(function(bank, hyper) {
    rep(length(hyper$weight) == 0L, if (is_joint(bank)) 1L else length(bank$features))
  }, object$plan$banks, posterior$hyperparameters))
  if (!any(held)) return(NULL)
  sprintf("Without a posterior, as estimated: %s.", some_of(encodeString(blocks[held])))
}

#' Specify a Bayes classifier
#'
#' A specification describes a model without data. Given the class, features are modelled one by one
#' (`bayes_naive()`), all together (`bayes_full()`), or together within blocks and
#' independently between blocks (`bayes_blocks()`). `fit()` estimates the model from data.
#'
#' @details
#' | model | categorical features | numeric features |
#' |---|---|---|
#' | `bayes_naive()` | a table each | a Gaussian each |
#' | `bayes_full()` | one joint table | one multivariate Gaussian |
#' | `bayes_blocks()` | a joint table per block | a multivariate Gaussian per block |
#'
#' The features of a block are of one kind, all categorical or all numeric; features
#' outside the blocks are modelled as by `bayes_naive()`.
#'
#' `laplace` is short for `categorical = likelihood_categorical(laplace = )`, and
#' `variance` for `numeric = likelihood_gaussian(variance = )`; the formulas of both stand
#' on [likelihood_categorical()] and [likelihood_gaussian()].
#'
#' @section Covariance and shrinkage:
#' For a block of numeric features let \eqn{S_k} be the covariance of class \eqn{k}: its
#' scatter matrix divided by \eqn{W_k - 1} (`variance = "unbiased"`) or by \eqn{W_k}
#' (`"ml"`), where \eqn{W_k} is the sum of the weights of the rows of the class. The
#' pooled covariance is the sum of the scatter matrices of all classes, divided by
#' \eqn{\sum_k W_k - K'}{sum(W_k) - K'} (`"unbiased"`, with \eqn{K'} the number of
#' classes that have rows) or by \eqn{\sum_k W_k}{sum(W_k)} (`"ml"`). A shrinkage of
#' \eqn{g} uses
#' \deqn{(1 - g)\, S_k + g\, S_{\mathrm{pooled}}, \qquad 0 \le g \le 1,}{
#'   (1 - g) S_k + g S_pooled,  0 <= g <= 1,}
#' so that `shrinkage = 0` keeps one covariance per class (quadratic discriminant
#' analysis) and `shrinkage = 1` is `covariance = "pooled"` (linear discriminant
#' analysis). It is the remedy for a covariance that is singular in some class.
#' Friedman's (1989) regularisation weights by class size; this package averages the two estimates
#' themselves.
#'
#' @param laplace Pseudo-count added to each level (in a joint table: each cell) of
#'   each class; one number, 0 or more. `NULL` adds nothing.
#' @param variance `"unbiased"` or `"ml"`; `NULL` means `"unbiased"`.
#' @param categorical,numeric Likelihood of the categorical and of the numeric
#'   features: [likelihood_categorical()]; [likelihood_gaussian()] or any other likelihood of
#'   numbers, such as [likelihood_kernel()], [likelihood_gamma()] or [likelihood_poisson()]. Not
#'   together with `laplace` and `variance`, respectively. In `bayes_blocks()` they
#'   also set how joint tables are smoothed, and the divisor of covariances.
#' @param features Likelihoods of single features that differ from the above: a list
#'   named by feature.
#' @param prior Class prior: `NULL` for the shares of the classes in the data (rows with
#'   missing features count), `"uniform"` for an equal share to each class that has rows,
#'   or probabilities named by class (or, without names, in level order), which sum to 1
#'   (within 1e-8).
#' @param covariance `"class"` (the default) for one covariance matrix per class,
#'   `"pooled"` for one of all classes.
#' @param shrinkage Number from 0 to 1: the weight of the pooled covariance in the covariance of
#'   each class. With `covariance = "pooled"` it must be 0.
#' @param blocks A list of character vectors, the names of the features that are
#'   modelled jointly. A block without a name is called by its features, joined by `+`.
#'   A feature stands in one block at most, and not in `features` as well.
#' @inheritParams bayesrisk_arguments
#'
#' @return An object of class `bayesrisk_spec`. It prints as a sentence; `summary()`
#'   gives its parts as a data frame with the columns `part` and `setting`.
#'
#' @section Errors:
#' A value that is none of the above is an error of class `bayesrisk_error_argument`. So
#' is a likelihood with known parameters: a model from numbers is made by
#' [bayes_known()].
#'
#' @references
#' Friedman, J. H. (1989). Regularized discriminant analysis. *Journal of the American
#' Statistical Association* 84, 165-175.
#'
#' Lectures "Naive Bayes Learning (after Mooney)", "Applied Machine Learning
#' Fundamentals, Unit III: Bayesian Decision Theory (Wehner)" and "Bayesian Learning
#' (Galili, Shamir, Yakhini)".
#'
#' @seealso [bayes_known()] for a model from numbers instead of data.
#' @examples
#' bayes_naive(laplace = 1)
#' bayes_naive(
#'   categorical = likelihood_categorical(m = 1),
#'   numeric = likelihood_gaussian("ml", min_variance = 1e-6),
#'   prior = c(yes = 0.25, no = 0.75)
#' )
#' bayes_full(covariance = "pooled")
#' bayes_full(shrinkage = 0.1, prior = "uniform")
#'
#' petals <- bayes_blocks(blocks = list(petal = c("Petal.Length", "Petal.Width")))
#' petals
#' summary(petals)
#' @name bayes_naive
#' @export
bayes_naive <- function(laplace = NULL, variance = NULL, categorical = NULL,
                        numeric = NULL, features = list(), prior = NULL, ...) {
  check_no_dots(...)
  make_spec(
    "naive",
    laplace = laplace, variance = variance, categorical = categorical, numeric = numeric,
    features = features, prior = prior, call = rlang::current_env()
  )
}

#' @rdname bayes_naive
#' @export
bayes_full <- function(laplace = NULL, variance = NULL, covariance = c("class", "pooled"),
                       shrinkage = 0, prior = NULL, ...) {
  check_no_dots(...)
  make_spec(
    "full",
    laplace = laplace, variance = variance, covariance = covariance,
    shrinkage = shrinkage, prior = prior, call = rlang::current_env()
  )
}

#' @rdname bayes_naive
#' @export
bayes_blocks <- function(blocks, laplace = NULL, variance = NULL, categorical = NULL,
                         numeric = NULL, features = list(),
                         covariance = c("class", "pooled"), shrinkage = 0, prior = NULL, ...) {
  call <- rlang::current_env()
  check_no_dots(..., call = call)
  if (missing(blocks)) blocks <- NULL
  make_spec(
    "blocks",
    blocks = check_blocks(blocks, call),
    laplace = laplace, variance = variance, categorical = categorical, numeric = numeric,
    features = features, covariance = covariance, shrinkage = shrinkage, prior = prior,
    call = call
  )
}

new_spec <- function(structure, blocks = list(), categorical = likelihood_categorical(),
                     numeric = likelihood_gaussian(), features = list(),
                     covariance = "class", shrinkage = 0, prior = NULL) {
  structure(
    list(
      structure = structure, blocks = blocks, categorical = categorical, numeric = numeric,
      features = features, covariance = covariance, shrinkage = shrinkage, prior = prior
    ),
    class = c("bayesrisk_spec", "bayesrisk_result")
  )
}

# A specification from the user's arguments. Only `blocks` is already checked.
make_spec <- function(structure, blocks = list(), laplace = NULL, variance = NULL,
                      categorical = NULL, numeric = NULL, features = list(),
                      covariance = "class", shrinkage = 0, prior = NULL, call) {
  categorical <- choose_categorical(laplace, categorical, call)
  numeric <- choose_numeric(variance, numeric, call)
  features <- check_features(features, blocks, call)
  covariance <- check_choice(covariance, c("class", "pooled"), "covariance", call)
  shrinkage <- check_number(shrinkage, "shrinkage", min = 0, max = 1, call = call)
  if (covariance == "pooled" && shrinkage != 0) {
    abort_argument(c(
      "{.arg shrinkage} must be 0 with {.arg covariance} = {.val pooled}, not {shrinkage}.",
      i = "A pooled covariance already is a {.arg shrinkage} of 1."
    ), call)
  }
  prior <- check_prior_argument(prior, "prior", call)
  new_spec(structure, blocks, categorical, numeric, features, covariance, shrinkage, prior)
}

choose_categorical <- function(laplace, categorical, call) {
  check_one_of_two(laplace, "laplace", categorical, "categorical", call)
  if (!is.null(categorical)) {
    return(check_likelihood(categorical, "categorical", "categorical", call))
  }
  if (is.null(laplace)) return(likelihood_categorical())
  likelihood_categorical(laplace = check_number(laplace, "laplace", min = 0, call = call))
}

choose_numeric <- function(variance, numeric, call) {
  check_one_of_two(variance, "variance", numeric, "numeric", call)
  if (!is.null(numeric)) return(check_likelihood(numeric, "numeric", "numeric", call))
  if (is.null(variance)) return(likelihood_gaussian())
  likelihood_gaussian(variance = check_variance(variance, call))
}

check_one_of_two <- function(short, short_arg, long, long_arg, call) {
  if (is.null(short) || is.null(long)) return(invisible())
  abort_argument(c(
    "{.arg {short_arg}} and {.arg {long_arg}} cannot be given together.",
    i = "{.arg {short_arg}} is short for that argument of a likelihood: set it there."
  ), call)
}

# Checks that a likelihood can be estimated and is for features of `kind` (NULL: any kind).
check_likelihood <- function(x, kind, arg, call) {
  if (!is_likelihood(x)) {
    got <- describe_value(x)
    those <- if (is.null(kind)) likelihood_functions() else likelihood_functions(kind)
    abort_argument(c(
      "{.arg {arg}} must be a likelihood, not {got}.",
      i = "Likelihoods are made by {.fn {those}}."
    ), call)
  }
  if (!is.null(kind) && kind != record_of(x)$kind) {
    abort_argument(
      "{.arg {arg}} must be a likelihood of {kind} features, not {.val {x$name}}.", call
    )
  }
  if (has_given_parameters(x)) {
    abort_argument(c(
      "{.arg {arg}} must be a likelihood to estimate, but its parameters are given.",
      i = "A model with known parameters is made by {.code bayes_known()}."
    ), call)
  }
  x
}

check_features <- function(features, blocks, call) {
  if (is.null(features)) return(list())
  if (!is.list(features) || is.object(features)) {
    got <- describe_value(features)
    abort_argument(
      "{.arg features} must be a list of likelihoods named by feature, not {got}.", call
    )
  }
  if (length(features) == 0L) return(list())
  if (is.null(names(features))) {
    abort_argument("{.arg features} must be named by feature.", call)
  }
  check_distinct_names(names(features), "features", call)
  for (name in names(features)) {
    check_likelihood(features[[name]], NULL, paste0("features$", name), call)
  }
  both <- intersect(names(features), unlist(blocks))
  if (length(both)) {
    abort_argument(c(
      "{.field {both}} cannot stand in {.arg features} and in {.arg blocks}.",
      i = "The features of a block are modelled jointly, by its own likelihood."
    ), call)
  }
  features
}

# Applies changed arguments (a named list) to a specification. The function that made the
# specification determines the checks and the arguments. An unchanged likelihood keeps its settings.
update_spec <- function(spec, changes, call) {
  check_changes(changes, spec$structure, call)
  kept <- unclass(spec)
  if (!is.null(changes[["laplace"]])) kept["categorical"] <- list(NULL)
  if (!is.null(changes[["variance"]]) && is.null(changes[["numeric"]])) {
    changes[["numeric"]] <- with_variance(spec$numeric, changes[["variance"]], call)
    changes[["variance"]] <- NULL
  }
  # Unchanged `features` need no second check. The features of a known model would fail it.
  if (!"features" %in% names(changes)) kept$features <- list()
  kept[names(changes)] <- changes
  updated <- do.call(make_spec, c(kept, list(call = call)), quote = TRUE)
  if (!"features" %in% names(changes)) updated$features <- spec$features
  updated
}

check_changes <- function(changes, structure, call) {
  constructor <- switch(structure,
    naive = bayes_naive, full = bayes_full, blocks = bayes_blocks
  )
  # Other blocks need other statistics, so `blocks` cannot be changed.
  known <- setdiff(names(formals(constructor)), c("blocks", "..."))
  given <- if (is.null(names(changes))) rep("", length(changes)) else names(changes)
  unknown <- unique(given[!given %in% known])
  if (length(unknown)) {
    unknown[!nzchar(unknown)] <- "an argument without a name"
    abort_argument(c(
      "Unused {cli::qty(unknown)} argument{?s}: {.arg {unknown}}.",
      i = "What can be changed in {.code bayes_{structure}()}: {.arg {known}}."
    ), call)
  }
  if (length(changes)) check_distinct_names(given, "...", call)
}

with_variance <- function(numeric, variance, call) {
  if (!"variance" %in% names(numeric)) {
    abort_argument(c(
      "{.arg variance} is a setting of Gaussians, but numeric features have {.val {numeric$name}}.",
      i = "Give {.arg numeric}."
    ), call)
  }
  numeric$variance <- check_variance(variance, call)
  numeric
}

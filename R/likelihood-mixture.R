#' Mixture likelihood
#'
#' A numeric feature whose density within a class is a finite mixture of normal densities, fitted by
#' the EM algorithm or known. Mixtures describe classes with several humps, or with heavy tails.
#'
#' @details
#' The density of \eqn{x} in class \eqn{k} is
#' \deqn{p(x \mid k) = \sum_j w_{kj}\, N(x; \mu_{kj}, \sigma_{kj}^2),}{
#'   p(x | k) = sum_j w_kj N(x; mu_kj, sd_kj^2),}
#' with weights \eqn{w_{kj}} that sum to 1 within each class. Its logarithm is computed from the
#' logarithms of the components, so it is exact far out in the tails, where the densities themselves
#' underflow to 0.
#'
#' @section Estimation:
#' Each class is fitted alone, by maximum likelihood: expectation-maximisation (EM), with a standard
#' deviation of its own for each component. With several candidates in `components`, each class
#' takes the candidate with the smallest BIC, \eqn{(3J - 1) \log n - 2 \log L}{(3J - 1) log(n) - 2
#' log(L)} for \eqn{J} components and the sum \eqn{n} of the weights of the class, or with the
#' smallest AIC, \eqn{2 (3J - 1) - 2 \log L}{2 (3J - 1) - 2 log(L)}. The starts are in turn clusters
#' around centres of k-means++, the values of random cases with equal weights and random variances,
#' and, once, a division of the class at its quantiles. Chance comes from the engine's own
#' generator, not from R's. Each start runs 50 steps of EM. A fifth of the starts, at least five,
#' run until a step adds less than 1e-10 per case to the log likelihood, at most 3000 steps. In a
#' class of more than 4096 different values, the starts read 4096 of them, and the best start goes
#' on with all values. Components are in the order of their means.
#'
#' The likelihood has no upper bound: a component around a single value grows without limit as its
#' variance falls. A start whose component has less than `min_variance_share` of the variance of its
#' class is therefore given up. If no start of any candidate is left, each component of the class
#' borrows one case from the variance of the class, and the fit warns ([bayes_naive()], "Degenerate
#' data"). With the weight \eqn{W_j} and the scatter \eqn{S_j} of a component, and \eqn{m} borrowed
#' cases of the variance \eqn{s^2} of the class, the variance of the component is
#' \eqn{(S_j + m s^2) / (W_j + m)}. `borrow = m` asks for the same in every class.
#'
#' @section Statistics:
#' The statistics of a mixture are the different values of each class and their weights. Up to
#' `points` values are kept exactly. A class with more values keeps the nodes of a grid instead, as
#' described in [likelihood_kernel()], "Size and accuracy"; the log likelihood is then that of the
#' nodes. Such statistics can be merged and updated: the EM algorithm starts again from the united
#' values.
#'
#' @section Joint blocks:
#' As `joint` of [bayes_full()] or [bayes_blocks()] the likelihood describes blocks of numeric
#' features. The density of a block of \eqn{p} features in class \eqn{k} is
#' \deqn{p(x \mid k) = \sum_j w_{kj}\, N(x; \mu_{kj}, \Sigma_{kj}),}{
#'   p(x | k) = sum_j w_kj N(x; mu_kj, Sigma_kj),}
#' with a mean vector and a covariance matrix of its own for each component. A block of one feature
#' is the mixture of this feature. With several features:
#' * A class has \eqn{(J - 1) + J p + J p (p + 1) / 2}{(J - 1) + J p + J p (p + 1) / 2} parameters.
#'   One component is the multivariate Gaussian with `variance = "ml"`.
#' * EM runs in standard units of the class, in which its covariance is the identity. Every third
#'   start divides the class at the quantiles of a feature, until each feature had its turn.
#' * A start is given up if a component has in some direction less than `min_variance_share` of the
#'   variance of its class, for example because its rows are on a line. If no start of any candidate
#'   is left, each component borrows \eqn{p} cases from the covariance of the class:
#'   \eqn{(S_j + m S) / (W_j + m)} with matrices in place of the numbers above.
#' * A class whose own covariance is singular has one component, the normal that a multivariate
#'   Gaussian would borrow ([bayes_naive()], "Degenerate data").
#' * Components are in the order of their means of the first feature. A missing feature is
#'   integrated out, component by component.
#' * `points` does not count: the statistics of a block are **all different complete rows** of each
#'   class and their weights. So the model is as large as the data of the block, and whoever gets
#'   the model gets these rows. In return [update()][update.bayesrisk_model] and
#'   [merge()][merge.bayesrisk_model] give the model of all rows.
#'
#' [coef()][coef.bayesrisk_model] gives for each class the `weights`, the `mean`s (component x
#' feature) and the `covariance`s (feature x feature x component) of a block. The bounds of
#' [risk_bounds()] that need the overlap of two classes are `NA`.
#'
#' @param components Candidates for the number of components: whole numbers from 1 to 1000. A class
#'   never has more components than different values.
#' @param select The criterion that selects among several candidates: `"bic"` or `"aic"`.
#' @param starts The number of starts for each candidate: a whole number, 1 or more.
#' @param seed The seed of the starts: a whole number, 0 or more. The same seed gives the same
#'   mixture, whatever the order of rows and the names of classes.
#' @param borrow Cases that each component borrows from the variance of its class: a number, 0 or
#'   more.
#' @param min_variance_share The smallest variance of a component that borrows nothing, as a share
#'   of the variance of its class: from 0 to less than 1.
#' @param points The maximum number of points of a class: a whole number, 64 or more, or `Inf`. A
#'   joint block keeps all its rows.
#' @param weights,mean,sd Known weights, means and standard deviations of the components (`mean` and
#'   `sd` in units of the feature), for [bayes_known()]. Each is a list named by class of numeric
#'   vectors, one number per component. The number of weights of a class is its number of
#'   components. If every class has one number, a vector named by class is enough. A single `mean`
#'   or `sd` of a class holds for all components of the class. `sd` may also be one number without a
#'   name, for every class. `weights` are 0 or more, and the weights of each class sum to 1 within
#'   1e-8; `sd` is positive.
#' @param covariance Known covariances of a joint block, in place of `sd`: a list named by class of
#'   feature x feature x component arrays. `mean` is then a list by class of component x feature
#'   matrices.
#' @inheritParams bayesrisk_arguments
#'
#' @return An object of class `bayesrisk_likelihood_mixture`, to be used as `numeric` or in
#'   `features` of [bayes_naive()] and [bayes_blocks()], or as `joint` of [bayes_full()] and
#'   [bayes_blocks()]; with `weights`, `mean` and `sd` in [bayes_known()]. It prints as a sentence.
#'
#' @section Errors:
#' `bayesrisk_error_argument`, which names the argument and the class, if an argument is not as
#' described above, or if only some of `weights`, `mean` and `sd` are given. At fitting
#' `bayesrisk_error_degenerate`, which names feature and class, if a class has no spread and does
#' not borrow: because of `degenerate = "stop"`, or because no class has any spread.
#'
#' @references
#' Arthur, D. and Vassilvitskii, S. (2007). k-means++: the advantages of careful seeding.
#' *Proceedings of the 18th ACM-SIAM Symposium on Discrete Algorithms*, 1027-1035.
#'
#' Bishop, C. M. (2006). *Pattern Recognition and Machine Learning*, sections 1.5.1 and 9.2:
#' the class with two humps is that of its figure 1.24, which the lecture "Applied
#' Machine Learning Fundamentals, Unit III: Bayesian Decision Theory (Wehner)" shows.
#'
#' Dempster, A. P., Laird, N. M. and Rubin, D. B. (1977). Maximum likelihood from incomplete data
#' via the EM algorithm. *Journal of the Royal Statistical Society B* 39, 1-38.
#'
#' @family likelihoods
#' @examples
#' # estimated: one to three components in each class
#' spec <- bayes_naive(numeric = likelihood_mixture(components = 1:3))
#' model <- fit(spec, Species ~ Petal.Length + Petal.Width, iris)
#' coef(model)
#'
#' # jointly estimated: two features in a block
#' joint <- bayes_full(joint = likelihood_mixture(components = 1:2, starts = 5))
#' fit(joint, Species ~ Petal.Length + Petal.Width, iris)
#'
#' # known
#' model <- bayes_known(
#'   prior = c(C1 = 0.6, C2 = 0.4),
#'   x = likelihood_mixture(
#'     weights = list(C1 = c(0.7, 0.3), C2 = 1),
#'     mean = list(C1 = c(3, 5.8), C2 = 5.8),
#'     sd = list(C1 = c(0.9, 0.8), C2 = 0.95)
#'   )
#' )
#' predict(model, data.frame(x = c(3, 4.534771164, 6)), type = "prob")
#' @export
likelihood_mixture <- function(components = 1:5, select = c("bic", "aic"), starts = 30, seed = 1,
                               borrow = 0, min_variance_share = 1e-4, points = 4096,
                               weights = NULL, mean = NULL, sd = NULL, covariance = NULL, ...) {
  check_no_dots(...)
  new_likelihood("mixture", check_mixture(
    components, select, starts, seed, borrow, min_variance_share, points, weights, mean, sd,
    covariance, rlang::current_env()
  ))
}

check_mixture <- function(components, select, starts, seed, borrow, min_variance_share, points,
                          weights, mean, sd, covariance, call) {
  settings <- list(
    components = check_components(components, call),
    select = check_choice(select, c("bic", "aic"), "select", call),
    starts = as.double(check_whole_number(starts, "starts", min = 1, call = call)),
    seed = as.double(check_seed(seed, call)),
    borrow = check_number(borrow, "borrow", min = 0, call = call),
    min_variance_share = check_variance_share(min_variance_share, call),
    points = check_points(points, call)
  )
  known <- if (is.null(covariance)) {
    c(check_known_mixture(weights, mean, sd, call), list(covariance = NULL))
  } else {
    check_known_components(weights, mean, sd, covariance, call)
  }
  changed <- settings_changed(settings)
  if (!is.null(known$weights) && length(changed)) {
    abort_argument(
      "{.arg weights} and {.arg {changed}} cannot be given together: nothing is estimated.", call
    )
  }
  c(settings, known)
}

# The names of the settings of an estimate that are not those of likelihood_mixture().
settings_changed <- function(settings) {
  defaults <- lapply(formals(likelihood_mixture)[names(settings)], eval, baseenv())
  defaults$select <- defaults$select[[1L]]
  names(settings)[!mapply(function(x, y) isTRUE(all.equal(x, y)), settings, defaults)]
}

check_components <- function(components, call) {
  if (is.list(components)) {
    abort_argument(c(
      "{.arg components} must be whole numbers, not a list.",
      i = "Known parameters have names: {.code likelihood_mixture(weights = , mean = , sd = )}."
    ), call)
  }
  components <- check_numbers(components, "components", min = 1, call = call)
  if (length(components) == 0L || any(components != round(components) | components > 1000)) {
    abort_argument("{.arg components} must be whole numbers from 1 to 1000.", call)
  }
  sort(unique(as.integer(components)))
}

check_variance_share <- function(share, call) {
  share <- check_number(share, "min_variance_share", min = 0, call = call)
  if (share < 1) return(share)
  abort_argument("{.arg min_variance_share} must be less than 1, not {share}.", call)
}

describe_mixture <- function(likelihood) {
  if (!is.null(likelihood$weights)) {
    return(sprintf("given mixtures of up to %d Gaussians", max(lengths(likelihood$weights))))
  }
  counts <- likelihood$components
  several <- length(counts) > 1L
  paste0(
    "mixtures of ", if (several) paste(min(counts), "to "), max(counts), " Gaussian",
    if (max(counts) > 1L) "s", if (several) paste(" by", upper_case(likelihood$select)),
    describe_borrow(likelihood$borrow, "the variance of the class")
  )
}

mixture_record <- function() {
  likelihood_record(
    iterates = TRUE,
    name = "mixture", kind = "numeric", support = "line", shares_bank = FALSE,
    joint_as = "multivariate_mixture",
    describe = describe_mixture,
    check = check_mixture,
    given = list(c("weights", "mean", "sd"), c("weights", "mean", "covariance")),
    known = function(likelihood, name, classes, call) {
      known <- if (is.null(likelihood$covariance)) known_mixture else known_components
      known(likelihood, name, classes, call)
    },
    plan = function(bank, likelihood, features, classes, call) {
      c(bank, list(points = likelihood$points))
    },
    options = mixture_options,
    remedies = function(problems) c(remedy_spike(problems), common_remedies(problems)),
    coefficients = mixture_components,
    summary = function(bank, coefficients) structure(coefficients, title = "components"),
    tidy = tidy_by_block(function(coefficients, name, classes) {
      component <- as.character(coefficients$component)
      tidy_frame(coefficients, name, component, c("weight", "mean", "sd"))
    }),
    moments = function(bank, parameters, j) {
      lapply(parameters[c("mean", "sd")], function(x) x[!is.nan(parameters$sd)])
    },
    normals = function(parameters, j) max(parameters$components),
    lender = "the same class or the other classes",
    log_density = mixture_log_density
  )
}

mixture_options <- function(likelihoods, features, classes, block, call) {
  settings <- likelihoods[[1L]]
  c(
    settings[c("components", "starts", "seed", "borrow", "min_variance_share")],
    list(bic = settings$select == "bic")
  )
}

remedy_spike <- function(problems) {
  remedy(
    problems, "spike",
    "Give fewer {.arg components} in {.fn likelihood_mixture}, or {.code borrow = 1}."
  )
}

mixture_components <- function(bank, parameters, features, classes) {
  components <- parameters$components
  left_out <- identical(parameters$left_out, 1L)
  list(data.frame(
    class = factor(classes, classes)[rep(seq_along(components), components)],
    component = sequence(components),
    weight = exp(parameters$log_weight),
    mean = open_as_na(parameters$mean),
    sd = if (left_out) 0 else open_as_na(parameters$sd)
  ))
}

mixture_log_density <- function(bank, parameters, to) {
  class <- rep(seq_along(parameters$components), parameters$components)
  normals_log_density(
    split(parameters$log_weight, class), split(parameters$mean, class),
    split(parameters$sd, class), parameters$left_out, to
  )
}

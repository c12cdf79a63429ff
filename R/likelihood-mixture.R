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
#' smallest AIC, \eqn{2 (3J - 1) - 2 \log L}{2 (3J - 1) - 2 log(L)}. The first start divides the
#' class at its quantiles, the second at centres of k-means++. The other starts have the values of
#' random cases as means, equal weights and random variances. Chance comes from the engine's own
#' generator, not from R's. Each start runs 50 steps of EM. The best five run until a step adds
#' less than 1e-10 per case to the log likelihood, at most 3000 steps. Components are in the order
#' of their means.
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
#' @param points The maximum number of points of a class: a whole number, 64 or more, or `Inf`.
#' @param weights,mean,sd Known weights, means and standard deviations of the components (`mean` and
#'   `sd` in units of the feature), for [bayes_known()]. Each is a list named by class of numeric
#'   vectors, one number per component. The number of weights of a class is its number of
#'   components. If every class has one number, a vector named by class is enough. A single `mean`
#'   or `sd` of a class holds for all components of the class. `sd` may also be one number without a
#'   name, for every class. `weights` are 0 or more, and the weights of each class sum to 1 within
#'   1e-8; `sd` is positive.
#' @inheritParams bayesrisk_arguments
#'
#' @return An object of class `bayesrisk_likelihood_mixture`, to be used as `numeric` or in
#'   `features` of [bayes_naive()] and [bayes_blocks()]; with `weights`, `mean` and `sd` in
#'   [bayes_known()]. It prints as a sentence.
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
                               weights = NULL, mean = NULL, sd = NULL, ...) {
  check_no_dots(...)
  new_likelihood("mixture", check_mixture(
    components, select, starts, seed, borrow, min_variance_share, points, weights, mean, sd,
    rlang::current_env()
  ))
}

check_mixture <- function(components, select, starts, seed, borrow, min_variance_share, points,
                          weights, mean, sd, call) {
  settings <- list(
    components = check_components(components, call),
    select = check_choice(select, c("bic", "aic"), "select", call),
    starts = as.double(check_whole_number(starts, "starts", min = 1, call = call)),
    seed = as.double(check_seed(seed, call)),
    borrow = check_number(borrow, "borrow", min = 0, call = call),
    min_variance_share = check_variance_share(min_variance_share, call),
    points = check_points(points, call)
  )
  known <- check_known_mixture(weights, mean, sd, call)
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

check_known_mixture <- function(weights, mean, sd, call) {
  given <- list(weights = weights, mean = mean, sd = sd)
  open <- vapply(given, is.null, NA)
  if (all(open)) return(given)
  if (any(open)) {
    abort_argument("{.arg {names(given)[!open]}} needs {.arg {names(given)[open]}}.", call)
  }
  weights <- check_by_class(weights, "weights", call, min = 0)
  classes <- names(weights)
  wrong <- classes[!vapply(weights, sums_to_one, NA)]
  if (length(wrong)) {
    abort_argument(
      "{.arg weights} must sum to 1 within each class; they do not for {.val {wrong}}.", call
    )
  }
  mean <- fill_components(check_by_class(mean, "mean", call), weights, "mean", call)
  if (is.numeric(sd) && length(sd) == 1L && is.null(names(sd))) {
    sd <- rep(list(check_number(sd, "sd", min = 0, call = call)), length(classes))
    names(sd) <- classes
  }
  sd <- fill_components(check_by_class(sd, "sd", call, min = 0), weights, "sd", call)
  check_positive(unlist(sd, use.names = FALSE), "sd", call)
  list(weights = weights, mean = mean, sd = sd)
}

# A list of plain vectors, one per class, named by class.
check_by_class <- function(x, arg, call, min = -Inf) {
  if (is.numeric(x)) {
    x <- check_numbers(x, arg, min, call)
    check_named_by_class(x, arg, call)
    return(as.list(x))
  }
  if (!is.list(x) || is.object(x) || length(x) == 0L) {
    got <- describe_value(x)
    abort_argument(c(
      "{.arg {arg}} must be a list named by class, with a number for each component, not {got}.",
      i = "For example {.code list(C1 = c(0.7, 0.3), C2 = 1)}."
    ), call)
  }
  check_named_by_class(x, arg, call)
  check_distinct_names(names(x), arg, call)
  Map(function(numbers, class) {
    unname(check_numbers(numbers, paste0(arg, "$", class), min, call))
  }, x, names(x))
}

# Sorts into the order of the weights and repeats to one number for each component.
fill_components <- function(x, weights, arg, call) {
  x <- x[match_names(names(x), names(weights), arg, call = call)]
  components <- lengths(weights)
  wrong <- names(weights)[lengths(x) != 1L & lengths(x) != components]
  if (length(wrong)) {
    class <- wrong[[1L]]
    abort_argument(
      paste(
        "{.arg {arg}} of class {.val {class}} must have 1 number or one per component",
        "({components[[class]]}), not {length(x[[class]])}."
      ),
      call
    )
  }
  Map(rep_len, x, components)
}

describe_mixture <- function(likelihood) {
  if (!is.null(likelihood$weights)) {
    return(sprintf("given mixtures of up to %d Gaussians", max(lengths(likelihood$weights))))
  }
  counts <- likelihood$components
  several <- length(counts) > 1L
  paste0(
    "mixtures of ", if (several) paste(min(counts), "to "), max(counts), " Gaussian",
    if (max(counts) > 1L) "s", if (several) paste(" by", toupper(likelihood$select)),
    describe_borrow(likelihood$borrow, "the variance of the class")
  )
}

mixture_record <- function() {
  likelihood_record(
    name = "mixture", kind = "numeric", support = "line", shares_bank = FALSE,
    describe = describe_mixture,
    check = check_mixture,
    given = list(c("weights", "mean", "sd")),
    known = known_mixture,
    plan = function(bank, likelihood, features, classes, call) {
      c(bank, list(points = likelihood$points))
    },
    options = function(likelihoods, features, classes, block, call) {
      settings <- likelihoods[[1L]]
      c(
        settings[c("components", "starts", "seed", "borrow", "min_variance_share")],
        list(bic = settings$select == "bic")
      )
    },
    remedies = function(problems) {
      c(
        remedy(
          problems, "spike",
          "Give fewer {.arg components} in {.fn likelihood_mixture}, or {.code borrow = 1}."
        ),
        common_remedies(problems)
      )
    },
    coefficients = mixture_components,
    summary = function(bank, coefficients) structure(coefficients, title = "components"),
    tidy = function(coefficients, name, classes) {
      component <- as.character(coefficients$component)
      tidy_frame(coefficients, name, component, c("weight", "mean", "sd"))
    },
    moments = function(bank, parameters, j) {
      lapply(parameters[c("mean", "sd")], function(x) x[!is.nan(parameters$sd)])
    },
    normals = function(parameters, j) max(parameters$components),
    lender = "the same class or the other classes"
  )
}

known_mixture <- function(likelihood, name, classes, call) {
  at <- match_names(names(likelihood$weights), classes, name, call = call)
  flat <- function(field) unlist(likelihood[[field]][at], use.names = FALSE)
  sums <- vapply(likelihood$weights, sum, 1)
  weights <- Map(`/`, likelihood$weights, sums)[at]
  known_number(name, list(
    components = lengths(weights, use.names = FALSE),
    log_weight = log(unlist(weights, use.names = FALSE)),
    mean = flat("mean"), sd = flat("sd"), left_out = integer()
  ))
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

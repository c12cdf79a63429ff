#' Mixture likelihood
#'
#' A numeric feature whose density within a class is a known, finite mixture of normal densities.
#' Mixtures describe classes with several humps, or with heavy tails. They are for [bayes_known()]
#' only: a mixture is not estimated from data.
#'
#' @details
#' The density of \eqn{x} in class \eqn{k} is
#' \deqn{p(x \mid k) = \sum_j w_{kj}\, N(x; \mu_{kj}, \sigma_{kj}^2),}{
#'   p(x | k) = sum_j w_kj N(x; mu_kj, sd_kj^2),}
#' with weights \eqn{w_{kj}} that sum to 1 within each class. Its logarithm is computed from the
#' logarithms of the components, so it is exact far out in the tails, where the densities themselves
#' underflow to 0.
#'
#' @param weights,mean,sd Weights, means and standard deviations of the components (`mean` and `sd`
#'   in units of the feature). Each is a list named by class of numeric vectors, one number per
#'   component. The number of weights of a class is its number of components. If every class has one
#'   number, a vector named by class is enough. A single `mean` or `sd` of a class holds for all
#'   components of the class. `sd` may also be one number without a name, for every class.
#'   `weights` are 0 or more, and the weights of each class sum to 1 within 1e-8; `sd` is positive.
#' @inheritParams bayesrisk_arguments
#'
#' @return An object of class `bayesrisk_likelihood_mixture`, to be used in
#'   [bayes_known()]. It prints as a sentence.
#'
#' @section Errors:
#' `bayesrisk_error_argument`, which names the argument and the class, if an argument is not as
#' described above. [bayes_naive()] and [bayes_blocks()] give the same error for a mixture, because
#' they estimate all parameters.
#'
#' @references
#' Bishop, C. M. (2006). *Pattern Recognition and Machine Learning*, section 1.5.1:
#' the class with two humps is that of its figure 1.24, which the lecture "Applied
#' Machine Learning Fundamentals, Unit III: Bayesian Decision Theory (Wehner)" shows.
#'
#' @family likelihoods
#' @examples
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
likelihood_mixture <- function(weights, mean, sd, ...) {
  check_no_dots(...)
  new_likelihood(
    "mixture", check_mixture(maybe(weights), maybe(mean), maybe(sd), rlang::current_env())
  )
}

check_mixture <- function(weights, mean, sd, call) {
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

mixture_record <- function() {
  likelihood_record(
    name = "mixture", kind = "numeric", support = "line",
    describe = function(likelihood) {
      sprintf("given mixtures of up to %d Gaussians", max(lengths(likelihood$weights)))
    },
    check = check_mixture,
    given = list(c("weights", "mean", "sd")),
    known = known_mixture,
    options = NULL, remedies = NULL, cases = NULL,
    coefficients = mixture_components,
    summary = function(bank, coefficients) structure(coefficients, title = "components"),
    tidy = function(coefficients, name, classes) {
      component <- as.character(coefficients$component)
      tidy_frame(coefficients, name, component, c("weight", "mean", "sd"))
    },
    moments = function(bank, parameters, j) {
      of_feature <- rep(col(parameters$components), parameters$components) == j
      lapply(parameters[c("mean", "sd")], `[`, of_feature)
    },
    normals = function(parameters, j) max(parameters$components[, j])
  )
}

known_mixture <- function(likelihood, name, classes, call) {
  at <- match_names(names(likelihood$weights), classes, name, call = call)
  flat <- function(field) unlist(likelihood[[field]][at], use.names = FALSE)
  sums <- vapply(likelihood$weights, sum, 1)
  weights <- Map(`/`, likelihood$weights, sums)[at]
  known_number(name, list(
    components = matrix(lengths(weights)), log_weight = log(unlist(weights, use.names = FALSE)),
    mean = flat("mean"), sd = flat("sd")
  ))
}

mixture_components <- function(bank, parameters, features, classes) {
  components <- parameters$components
  feature <- rep(col(components), components)
  terms <- data.frame(
    class = factor(classes, classes)[rep(row(components), components)],
    component = sequence(as.vector(components)),
    weight = exp(parameters$log_weight), mean = parameters$mean, sd = parameters$sd
  )
  lapply(seq_len(ncol(components)), function(j) {
    own <- terms[feature == j, ]
    rownames(own) <- NULL
    own
  })
}

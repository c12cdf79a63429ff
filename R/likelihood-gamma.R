#' Gamma likelihood
#'
#' A numeric feature that is positive and skewed, such as a duration, an amount or a concentration.
#' Within a class it has a gamma distribution, whose shape and rate are estimated or known.
#'
#' @details
#' The density of \eqn{x > 0} in class \eqn{k} is
#' \deqn{p(x \mid k) = \frac{\beta_k^{\alpha_k}}{\Gamma(\alpha_k)}
#'   x^{\alpha_k - 1} e^{-\beta_k x},}{
#'   p(x | k) = rate_k^shape_k / gamma(shape_k) x^(shape_k - 1) exp(-rate_k x),}
#' with the shape \eqn{\alpha_k}{shape_k} and the rate \eqn{\beta_k}{rate_k}; the mean is
#' shape / rate, the variance shape / rate^2. Shape 1 is the exponential distribution.
#'
#' Both are estimated by maximum likelihood. With the weighted mean \eqn{\bar x_k}{m_k} and the
#' weighted mean of the logarithms \eqn{\overline{\log x}_k}{l_k} of the class, the shape solves
#' \deqn{\log \alpha_k - \psi(\alpha_k) = \log \bar x_k - \overline{\log x}_k,}{
#'   log(shape_k) - digamma(shape_k) = log(m_k) - l_k,}
#' and the rate is \eqn{\alpha_k / \bar x_k}{shape_k / m_k}. A class needs two different values.
#' Logarithms of densities are accurate for extreme numbers and for large shapes.
#'
#' The log ratio of two classes has the form \eqn{a \log x - b x + c}, so its sign changes at most
#' twice.
#' [decision_regions()] finds the cuts, and [bayes_risk()] integrates exactly between them.
#'
#' At prediction a number that is 0 or less is impossible under every class: the row is `NA`, and
#' one warning counts these rows. A missing value is left out.
#'
#' @param shape,rate Known shapes and rates, for [bayes_known()]: positive numbers named by class,
#'   the rate in units of 1 / feature. One number without a name holds for every class, but at
#'   least one of the two arguments must be named. `NULL`: estimated.
#' @inheritParams bayesrisk_arguments
#'
#' @return An object of class `bayesrisk_likelihood_gamma`, to be used as `numeric` or in
#'   `features` of [bayes_naive()] and [bayes_blocks()], or in [bayes_known()]. It prints as
#'   a sentence.
#'
#' @section Errors:
#' `bayesrisk_error_argument` if `shape` or `rate` is not as described above, or if only one of both
#' is given. At fitting, a number that is 0 or less is a `bayesrisk_error_data` that names the
#' feature, the class and the number of rows. A feature that is constant within every class but
#' differs between classes is a `bayesrisk_error_degenerate`. With `degenerate = "stop"`
#' ([bayes_naive()]) one class with a single value is enough.
#'
#' @references
#' Johnson, N. L., Kotz, S. and Balakrishnan, N. (1994). *Continuous Univariate Distributions*,
#' volume 1, chapter 17.
#'
#' @family likelihoods
#' @examples
#' likelihood_gamma()
#' model <- fit(bayes_naive(numeric = likelihood_gamma()), tension ~ breaks, warpbreaks)
#' coef(model)$breaks
#' predict(model, data.frame(breaks = c(20, 60)), type = "prob")
#'
#' # known: calls of robots are short
#' calls <- bayes_known(
#'   prior = c(person = 0.9, robot = 0.1),
#'   seconds = likelihood_gamma(shape = 2, rate = c(person = 1 / 60, robot = 1 / 5))
#' )
#' decision_regions(calls)
#' @export
likelihood_gamma <- function(shape = NULL, rate = NULL, ...) {
  check_no_dots(...)
  new_likelihood("gamma", check_gamma(shape, rate, rlang::current_env()))
}

check_gamma <- function(shape, rate, call) {
  given <- check_given_by_class(list(shape = shape, rate = rate), check_positive, call)
  mean <- given$shape / given$rate
  if (any(!is.finite(mean) | mean < .Machine$double.xmin)) {
    abort_argument("{.arg shape} / {.arg rate}, the mean, is beyond the range of doubles.", call)
  }
  given
}

gamma_record <- function() {
  parametric_record(
    "gamma", c("shape", "rate"), support = "line",
    describe = function(likelihood) {
      paste0("gamma distributions", if (!is.null(likelihood$shape)) " of given shape and rate")
    },
    check = check_gamma,
    remedies = function(problems) {
      c(
        remedy(
          problems, "constant",
          "Drop the feature, or model it by {.code likelihood_gaussian(min_variance = )}."
        ),
        remedy(problems, "underflow", "Multiply the feature by a power of ten before the fit."),
        common_remedies(problems)
      )
    },
    impossible = paste(
      "A gamma distribution needs positive numbers; {.fn likelihood_gaussian} takes any."
    ),
    moments = moments_of_gamma,
    grid = function(bank, parameters, j, moments, range) {
      grid <- spread_grid(bank, parameters, j, moments, range)
      if (any(grid > 0)) grid[grid > 0] else grid
    },
    unreadable = list(
      problem = "not_positive",
      found = "Numbers of a gamma distribution must be positive; some are not in",
      remedy = "{.fn likelihood_gaussian} takes any number; durations of 0 may be rounded ones."
    ),
    raised = function(bank, parameters, power) {
      parameters[c("shape", "rate")] <- list(
        raised_shape(parameters, power), scale_columns(parameters$rate, power)
      )
      parameters
    },
    infinite = function(parameters, power) {
      colSums(raised_shape(parameters, power) <= 0, na.rm = TRUE) > 0
    },
    log_density = gamma_log_density
  )
}

# A plot shows nearly all of the distribution of each class, and nothing below 0.
raised_shape <- function(parameters, power) scale_columns(parameters$shape - 1, power) + 1

moments_of_gamma <- function(bank, parameters, j) {
  low <- stats::qgamma(1e-4, parameters$shape[, j], parameters$rate[, j])
  high <- stats::qgamma(1 - 1e-4, parameters$shape[, j], parameters$rate[, j])
  list(mean = low + (high - low) / 2, sd = (high - low) / 7)
}

gamma_log_density <- function(bank, parameters, to) {
  members <- kept_members(parameters, to)
  limit <- vapply(seq_along(to$x), function(j) {
    gamma_limit(parameters$shape[, j], parameters$rate[, j])
  }, "")
  range <- sprintf("(%s)", paste0(to$raw, " > 0", to$and, to$raw, " <= ", limit))
  out <- list(range = range, fill = ifelse(as.numeric(limit) < 1, limit, "1e0"))
  if (!length(members)) return(c(out, list(terms = rep("0", nrow(parameters$shape)))))
  x <- to$x[members]
  log_x <- stats::setNames(to$ln(x), paste0(x, "_ln"))
  parts <- lapply(seq_len(nrow(parameters$shape)), function(k) {
    shape <- parameters$shape[k, members]
    rate <- parameters$rate[k, members]
    if (!all(is.finite(shape))) return(list(term = to$impossible))
    mean <- shape / rate
    at <- function(letter) sprintf("%s_%s%d", x, letter, k)
    away <- away_text(x, mean, gamma_mean_low(shape, rate), mean / sqrt(shape), to)
    # The ratio of a number to the mean may underflow.
    log_ratio <- sprintf("(%s - %s)", names(log_x), to$number(log(mean)))
    excess <- log_excess_text(at("u"), at("v"), at("w"), log_ratio, to)
    peak <- to$number(0.5 * log(shape) - half_log_two_pi - gamma_error(shape))
    density <- sprintf("(%s - %s) - %s * (%s)", peak, names(log_x), to$number(shape), excess)
    list(
      term = to$add(to$zero_if_missing(density, members), members),
      u = stats::setNames(sprintf("%s * %s", away, to$number(1 / mean)), at("u")),
      v = stats::setNames(sprintf("%s / (2 + %s)", at("u"), at("u")), at("v")),
      w = stats::setNames(to$square(at("v")), at("w"))
    )
  })
  stages <- lapply(c("u", "v", "w"), function(i) unlist(lapply(parts, `[[`, i)))
  stages[[1L]] <- c(log_x, stages[[1L]])
  c(out, list(terms = vapply(parts, `[[`, "", "term"), stages = stages))
}

# shape / rate minus its rounded value. The product of doubles is exact in two parts (Dekker 1971).
gamma_mean_low <- function(shape, rate) {
  mean <- shape / rate
  split <- function(x) {
    high <- 134217729 * x
    high <- high - (high - x)
    list(high = high, low = x - high)
  }
  a <- split(mean)
  b <- split(rate)
  product <- mean * rate
  low <- ((a$high * b$high - product) + a$high * b$low + a$low * b$high) + a$low * b$low
  value <- ((shape - product) - low) / rate
  ifelse(is.finite(value), value, 0)
}

gamma_limit <- function(shape, rate) {
  used <- is.finite(shape) & is.finite(rate)
  format(min(1e150, 1e290 / rate[used], 1e290 / (rate[used] * pmax(1, shape[used]))), digits = 3L)
}

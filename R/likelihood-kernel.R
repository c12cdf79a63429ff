#' Kernel density likelihood
#'
#' A numeric feature whose density within a class is the mean of normal densities, one
#' around each value that the class has in the data.
#'
#' @details
#' With the rows \eqn{i} of class \eqn{k} in which the feature is known, their values
#' \eqn{x_i}, weights \eqn{w_i} and sum of weights \eqn{n_k}, and the bandwidth
#' \eqn{h_k},
#' \deqn{p(x \mid k) = \frac{1}{n_k} \sum_i w_i\, N(x;\, x_i, h_k^2).}{
#'   p(x | k) = sum_i w_i N(x; x_i, h_k^2) / n_k.}
#' The density is computed on the log scale, relative to the nearest value. So it does not underflow
#' to 0 far from all data: there the normal around the nearest value determines it.
#'
#' The bandwidth is a number or the result of a rule, class by class:
#' * `"nrd0"` (the default, Silverman's rule of thumb): \eqn{0.9 \min(s, \mathrm{IQR} /
#'   1.34)\, n^{-1/5}}{0.9 min(s, IQR / 1.34) n^(-1/5)} with the unbiased standard deviation
#'   \eqn{s} and the interquartile range of the class;
#' * `"nrd"` (Scott): the same with 1.06 in place of 0.9;
#' * `"SJ"` (Sheather and Jones 1991): the bandwidth that solves the equation of the least
#'   asymptotic mean integrated squared error, with estimated curvature;
#' * `"ucv"` (Scott and Terrell 1987): the bandwidth of least unbiased cross-validated squared
#'   error, between a tenth of \eqn{1.144\, s\, n^{-1/5}}{1.144 s n^(-1/5)} and this number. It
#'   varies more from sample to sample, and many equal values lead to its lower end.
#'
#' Where the interquartile range is 0, the rules use \eqn{s} alone. A weight of \eqn{w} counts as
#' \eqn{w} copies of its row, also for the quartiles (`type = 7` of [stats::quantile()]). The rules
#' are those of [stats::bw.nrd0()], [stats::bw.nrd()], [stats::bw.SJ()] and [stats::bw.ucv()], the
#' last two with their 1000 bins of distances, but solved to the last digits (`bw.SJ()` stops within
#' 1 % of its largest bandwidth). `"SJ"` is the largest solution, of which rounded values can have
#' several, and `"ucv"` the minimum of the whole interval; R's functions may stop at another one.
#' There is one more difference: a class whose values are all equal has no spread, and
#' its bandwidth comes from the pooled variance and the factor of `"nrd"` or, of the other rules,
#' `"nrd0"` ([bayes_naive()], "Degenerate data"). A rule of thumb smooths away modes that are close
#' to each other, which `"SJ"` keeps. `adjust` multiplies the bandwidth, and [cv_risk()] compares
#' bandwidths.
#'
#' @section Size and accuracy:
#' The model holds points: the different values of each class and their weights. Up to `points`
#' values are kept exactly, and the density is exact. A class with more values keeps the nodes of a
#' grid instead. The grid has origin 0, and its step is the smallest power of 2 that needs at most
#' `points` nodes. Each value is divided between its two neighbouring nodes (linear binning).
#' The error of the density is then at most \eqn{(step / h)^2 / 8} times
#' \eqn{1 / (h \sqrt{2 \pi})}{1 / (h sqrt(2 pi))}, the height of one normal. Near the data the
#' relative error of the density is about \eqn{(step / h)^2 / 8}, for example 3e-4 with 1e5 normal
#' values on 4096 points. At a distance of \eqn{z} bandwidths outside of the data it is about
#' \eqn{z^2} times as large.
#'
#' On a grid, scores are computed by Taylor series of the log density, so the time of a row hardly
#' depends on the number of points. A series is used only if a bound, computed for it, proves that
#' it changes the density by at most a hundredth of \eqn{(step / h)^2 / 8}, relative to the density.
#' Elsewhere, for example in wide gaps and outside of the points of all classes, the sum is
#' computed. Values that are kept exactly are always summed. The score of a row is the same, bit for
#' bit, alone and among other rows.
#'
#' With a grid, quartiles and distances are those of the nodes; means and variances stay exact. A
#' grid step wider than the bandwidth is an error at the fit. Apart from rounding, the grid does not
#' depend on the order of the rows. Parts that are [merged][merge.bayesrisk_model] or added later
#' give the same grid as all rows together. `points = Inf` keeps all values.
#'
#' [decision_regions()], [next_feature()], [value_of_information()], exact risks, plots of regions
#' and queries of databases use the density as a sum of normals, with which series agree as stated
#' above. The regions find every cut. Thousands of points take a
#' fraction of a second. A bandwidth so small that there are hundreds of cuts takes seconds. With
#' more than 1e4 points in a class these functions stop with an error, and [bayes_risk()] draws
#' random rows instead.
#'
#' [logLik()][logLik.bayesrisk_model] of a model with kernels is `NA`, and so are [AIC()]
#' and [BIC()]: at the training data the density grows without bound as the bandwidth falls. To
#' compare models, use the log score of [assess_decisions()] on other data.
#'
#' @param bandwidth Standard deviation of the normals: a positive number in units of the feature,
#'   for every class; such numbers named by class; or a rule, `"nrd0"`, `"nrd"`, `"SJ"` or `"ucv"`.
#'   `NULL` is `"nrd0"`.
#' @param adjust The factor of the bandwidth, as in [stats::density()]: a positive number. `adjust =
#'   0.5` halves the bandwidth of each class.
#' @param points The maximum number of points of a class: a whole number, 64 or more, or `Inf`.
#' @inheritParams bayesrisk_arguments
#'
#' @return An object of class `bayesrisk_likelihood_kernel`, to be used as `numeric` or in
#'   `features` of [bayes_naive()] and [bayes_blocks()]. It prints as a sentence.
#'
#' @section Errors:
#' `bayesrisk_error_argument` if an argument is not as described above, or if the names of
#' `bandwidth` are not the classes. At fitting `bayesrisk_error_degenerate`, which names feature and
#' class, if a rule finds no spread to borrow from, or if a grid step is wider than the bandwidth.
#'
#' @references
#' Scott, D. W. (1992). *Multivariate Density Estimation*. Wiley.
#'
#' Scott, D. W. and Terrell, G. R. (1987). Biased and unbiased cross-validation in density
#' estimation. *Journal of the American Statistical Association* 82, 1131-1146.
#'
#' Sheather, S. J. and Jones, M. C. (1991). A reliable data-based bandwidth selection method for
#' kernel density estimation. *Journal of the Royal Statistical Society B* 53, 683-690.
#'
#' Silverman, B. W. (1986). *Density Estimation for Statistics and Data Analysis*, section
#' 3.4.2, equation 3.31. Chapman and Hall.
#'
#' Wand, M. P. (1994). Fast computation of multivariate kernel estimators. *Journal of
#' Computational and Graphical Statistics* 3, 433-445 (linear binning).
#'
#' @family likelihoods
#' @examples
#' spec <- bayes_naive(numeric = likelihood_kernel(), prior = "uniform")
#' model <- fit(spec, Species ~ Petal.Width, iris)
#' summary(model)
#' plot(model)
#' decision_regions(model)
#'
#' likelihood_kernel("nrd", adjust = 0.5)
#' likelihood_kernel(c(setosa = 0.1, versicolor = 0.2, virginica = 0.2))
#' @export
likelihood_kernel <- function(bandwidth = NULL, points = 4096, adjust = 1, ...) {
  check_no_dots(...)
  new_likelihood("kernel", check_kernel(bandwidth, points, adjust, rlang::current_env()))
}

check_kernel <- function(bandwidth, points, adjust, call) {
  bandwidth <- check_bandwidth(bandwidth, call)
  points <- check_points(points, call)
  adjust <- check_positive(check_number(adjust, "adjust", call = call), "adjust", call)
  list(bandwidth = bandwidth, points = points, adjust = adjust)
}

# The rules, with the factor of min(sd, IQR / 1.34) n^(-1/5). Those that have none of their own use
# that of nrd0 for a borrowed spread.
bandwidth_factors <- c(nrd0 = 0.9, nrd = 1.06, SJ = 0.9, ucv = 0.9)

check_bandwidth <- function(bandwidth, call) {
  if (is.null(bandwidth)) return("nrd0")
  if (is.character(bandwidth)) {
    return(check_choice(bandwidth, names(bandwidth_factors), "bandwidth", call))
  }
  bandwidth <- check_positive(bandwidth, "bandwidth", call)
  if (length(bandwidth) > 1L && is.null(names(bandwidth))) {
    abort_argument("{.arg bandwidth} must be one number, or one per class, named.", call)
  }
  bandwidth
}

describe_kernel <- function(likelihood) {
  bandwidth <- likelihood$bandwidth
  rule <- is.character(bandwidth)
  width <- if (rule) sprintf("by rule \"%s\"", bandwidth) else format_numbers(bandwidth)
  if (likelihood$adjust != 1) width <- paste(width, "times", format(likelihood$adjust))
  points <- if (likelihood$points != 4096) paste0(", at most ", likelihood$points, " points")
  if (is.infinite(likelihood$points)) points <- ", all points"
  paste0("kernel densities with bandwidth ", width, points)
}

kernel_record <- function() {
  likelihood_record(
    name = "kernel", kind = "numeric", support = "line", shares_bank = FALSE,
    describe = describe_kernel,
    check = check_kernel,
    plan = function(bank, likelihood, features, classes, call) {
      c(bank, list(points = likelihood$points))
    },
    options = kernel_options,
    remedies = kernel_remedies,
    coefficients = function(bank, parameters, features, classes) {
      # A feature that is left out has no points.
      points <- parameters$points
      if (any(parameters$left_out == 1L)) points[] <- list(matrix(0, 0L, 2L))
      points <- points_frame(points, classes, "weight")
      bandwidth <- open_as_na(parameters$bandwidth)[as.integer(points$class)]
      points$bandwidth <- replace(bandwidth, is.na(points$value), NA)
      list(points)
    },
    summary = function(bank, coefficients) {
      summary <- cbind(bandwidth = class_bandwidths(coefficients), summarise_points(coefficients))
      names(dimnames(summary)) <- c("class", "kernels")
      summary
    },
    tidy = tidy_by_block(function(coefficients, name, classes) {
      tidy_rows(class_bandwidths(coefficients), classes, name, NA_character_, "bandwidth")
    }),
    moments = function(bank, parameters, j) outer_points(parameters$points, parameters$bandwidth),
    range = range_of_points,
    grid = grid_of_kernels,
    normals = function(parameters, j) max(vapply(parameters$points, nrow, 1L)),
    log_density = kernel_log_density
  )
}

kernel_options <- function(likelihoods, features, classes, block, call) {
  bandwidth <- likelihoods[[1L]]$bandwidth
  if (is.character(bandwidth)) {
    adjust <- likelihoods[[1L]]$adjust
    return(list(
      bandwidth = numeric(), factor = bandwidth_factors[[bandwidth]] * adjust,
      sheather_jones = bandwidth == "SJ", cross_validation = bandwidth == "ucv", adjust = adjust
    ))
  }
  bandwidth <- unname(fill_classes(bandwidth, classes, "bandwidth", call))
  list(
    bandwidth = likelihoods[[1L]]$adjust * bandwidth, factor = 0, sheather_jones = FALSE,
    cross_validation = FALSE, adjust = 1
  )
}

kernel_remedies <- function(problems) {
  c(
    remedy(
      problems, c("constant", "too_light"),
      "Give a {.arg bandwidth} as a number in {.fn likelihood_kernel}: a rule needs spread."
    ),
    remedy(
      problems, "coarse",
      "Keep more {.arg points}, {.code Inf} for all, or give a larger {.arg bandwidth} in
       {.fn likelihood_kernel}."
    ),
    common_remedies(problems)
  )
}

class_bandwidths <- function(coefficients) {
  coefficients$bandwidth[!duplicated(coefficients$class)]
}

# Ten grid points per bandwidth, from 513 to 4097 in all, and a selection of the values themselves.
grid_of_kernels <- function(bank, parameters, j, moments, range) {
  wanted <- 10 * diff(range) / min(moments$sd)
  values <- values_within(parameters$points, range, 1024L)
  sort(unique(c(seq(range[[1L]], range[[2L]], length.out = min(4097, max(513, wanted))), values)))
}

kernel_log_density <- function(bank, parameters, to) {
  count <- vapply(parameters$points, nrow, 1L)
  if (sum(count) > most_normals) abort_no_text(to, "has too many points")
  normals_log_density(
    lapply(parameters$points, function(p) p[, 2L]), lapply(parameters$points, function(p) p[, 1L]),
    Map(rep, parameters$bandwidth, count), parameters$left_out, to
  )
}

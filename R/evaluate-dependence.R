#' Which features depend on each other, given the class?
#'
#' Naive Bayes assumes that features are independent within each class. `feature_dependence()`
#' measures the dependence of each pair, on one scale for all kinds of features, and ranks the
#' pairs. The first pairs are the candidates for a block of [bayes_blocks()].
#'
#' @inheritParams fit.bayesrisk_spec
#' @param formula `class ~ features`, as in [fit()][fit.bayesrisk_spec].
#' @param data A data frame, tibble, data.table, or a matrix with column names.
#'
#' @details
#' The **information** of a pair in a class compares two models of the pair, both fitted by maximum
#' likelihood: a joint model and a model in which the features are independent. It is the difference
#' of their log likelihoods per case:
#' * two numbers: \eqn{-\frac{1}{2} \log(1 - r^2)}{-1/2 log(1 - r^2)} with their correlation
#'   \eqn{r} in the class, the mutual information of two normals;
#' * two categories: the mutual information of their joint table;
#' * a number and a category: \eqn{-\frac{1}{2} \log(1 - \eta^2)}{-1/2 log(1 - eta^2)} with the
#'   share \eqn{\eta^2}{eta^2} of the number's variance that lies between the means of the levels.
#'   The model is a normal distribution with a mean per level and one variance.
#'
#' The mean over classes, weighted by class weight, is the mutual information of the pair given the
#' class, in nats. It is 0 if the features are independent. It has no upper bound. It is infinite if
#' a numeric feature is determined by the other feature.
#'
#' The **association** in a class is the correlation of two numbers, with its sign. For other
#' pairs it is the correlation that two normals of the same information have,
#' \eqn{\sqrt{1 - \exp(-2 I)}}{sqrt(1 - exp(-2 I))} (Linfoot 1957), from 0 to 1; for a number and
#' a category this is the correlation ratio \eqn{\eta}{eta}. To rank by the association, order the
#' rows by `association`.
#'
#' With few cases the information is too large, most of all for features with many levels. `aic`
#' weighs the information against the number of additional parameters of a joint model, so the pairs
#' are ordered by `aic`. (A joint table has a parameter for each combination of declared levels.) If
#' `aic` is negative, the block of a pair of one kind is worth its parameters. No block holds a
#' number and a category.
#'
#' @return A data frame of class `bayesrisk_dependence` with a row for each pair, from the most to
#'   the least dependent by `aic`:
#'   * `first`, `second`: the features, in the order of the formula;
#'   * `kind`: `"numeric"`, `"categorical"`, or `"mixed"`;
#'   * `information`: mutual information given the class, in nats;
#'   * `aic`: [AIC()] of the joint model of the pair (a block, if the features are of one kind)
#'     minus that of two single features (variances by maximum likelihood, no smoothing), `-Inf`
#'     where the information is infinite;
#'   * `association`: the pooled association, from the deviations from the class means. For two
#'     categories it is the association computed from `information`;
#'   * `association_<class>`: the association in each class. `NA` if a feature is constant there:
#'     then the class adds information 0. `NA` too if the class has too few cases: then the average
#'     leaves the class out;
#'   * `cases`: the weight of the cases in which neither feature is missing.
#'
#'   Attributes: `classes`, and `constant`, a data frame of each `feature` that is constant in a
#'   `class`. The print names the constant features and the block to try; its columns `nats` and
#'   `pooled` are `information` and `association`. `plot()` draws the information.
#' @section Errors: as in [fit()][fit.bayesrisk_spec], and `bayesrisk_error_argument` for fewer than
#'   two features.
#' @references
#' Lecture "Bayesian Learning (Galili, Shamir, Yakhini)": are the features independent given the
#' class, and what if they are not.
#'
#' Linfoot, E. H. (1957). An informational measure of correlation. *Information and Control* 1,
#' 85-89.
#' @seealso [compare_decisions()]: does the dependence change any decision?
#' @export
#' @examples
#' feature_dependence(Species ~ ., iris)
#'
#' # Numbers and categories
#' cars <- transform(mtcars, cyl = factor(cyl), gear = factor(gear))
#' feature_dependence(am ~ cyl + gear + hp + wt, cars)
feature_dependence <- function(formula, data, weights, subset,
                               na.action = stats::na.pass, # nolint: object_name_linter.
                               ..., threads = default_threads()) {
  call <- check_no_dots(...)
  cases <- formula_cases(
    list(maybe(formula)), maybe(data), rlang::enquo(weights), rlang::enquo(subset), na.action,
    threads, call
  )
  if (length(cases$schema$features) < 2L) {
    abort_argument("{.arg formula} must have two features or more: pairs are measured.", call)
  }
  # Finds data that no likelihood reads. Each problem is reported once.
  banks <- build_plan(bayes_naive(), cases$schema, call)$banks
  check_spread(count_cases(banks, cases, call)$banks, banks, cases$schema, call)
  new_dependence(measure_pairs(cases, call), cases)
}

check_spread <- function(statistics, banks, schema, call) {
  wide <- Map(function(found, bank) {
    if (!is.null(found$scatter)) bank$features[colSums(!is.finite(found$scatter)) > 0]
  }, statistics, banks)
  wide <- names(schema$features)[sort(unlist(wide))]
  if (length(wide)) {
    abort_degenerate(c(
      "The spread of {.field {wide}} is beyond the largest double.",
      i = "Divide by a power of ten."
    ), call)
  }
}

# The largest number of pairs whose statistics are counted at once.
pairs_at_once <- 2000L

# A list per pair: `features` (positions), `kind`, and the results of measure_*().
measure_pairs <- function(cases, call) {
  kinds <- feature_kinds(cases$schema)
  pairs <- utils::combn(length(kinds), 2L, simplify = FALSE)
  kind <- vapply(pairs, function(p) {
    if (kinds[[p[[1L]]]] == kinds[[p[[2L]]]]) kinds[[p[[1L]]]] else "mixed"
  }, "")
  measured <- vector("list", length(pairs))
  for (same in c("numeric", "categorical")) {
    at <- which(kind == same)
    for (part in split(at, (seq_along(at) - 1L) %/% pairs_at_once)) {
      measured[part] <- measure_blocks(pairs[part], same, cases, call)
    }
  }
  mixed <- kind == "mixed"
  measured[mixed] <- measure_mixed(pairs[mixed], kinds, cases, call)
  Map(function(p, k, m) c(list(features = p, kind = k), m), pairs, kind, measured)
}

# Measures pairs of one kind, from the statistics of joint blocks of two features.
measure_blocks <- function(pairs, kind, cases, call) {
  spec <- new_spec("full")
  banks <- lapply(pairs, function(pair) joint_bank("pair", pair, spec, cases$schema, call))
  found <- count_cases(banks, cases, call)$banks
  Map(if (kind == "numeric") measure_scatter else measure_table, found, banks)
}

# Measures two numbers, from the triangular factor of their scatter matrix in each class.
measure_scatter <- function(statistics, bank) {
  entry <- function(i, j) vapply(statistics$triangle, function(r) r[i, j], 1)
  x <- entry(1L, 1L)
  # Scaled to avoid overflow: the pooled scatter is a sum of squares.
  scale <- max(abs(c(entry(1L, 2L), entry(2L, 2L))), 1e-300)
  along <- entry(1L, 2L) / scale
  across <- entry(2L, 2L) / scale
  y <- sqrt(along^2 + across^2)
  constant <- rbind(x == 0, y == 0)
  known <- statistics$rows > 2 & colSums(constant) == 0
  r <- ifelse(known, sign(x) * along / y, NA_real_)
  x <- x / max(abs(x), 1e-300)
  list(
    weight = as.vector(statistics$weight), association = r,
    information = ifelse(known, information_left(abs(across) / y), NA_real_),
    pooled = sum(x * along) / sqrt(sum(x^2) * sum(y^2)), constant = constant, parameters = 1
  )
}

# The information of a pair. `part`: the share of the standard deviation of one feature that remains
# when the other feature is known. Below 1e-10 the covariance of a block counts as singular, and the
# information is infinite.
information_left <- function(part) ifelse(part < 1e-10, Inf, -log(part))

as_association <- function(information) sqrt(-expm1(-2 * information))

# Measures two categories, from their joint table.
measure_table <- function(statistics, bank) {
  counts <- statistics$count
  sums <- lapply(1:2, function(j) {
    levels <- factor(statistics$cells[, j], seq_len(bank$levels[[j]]))
    t(rowsum(t(counts), levels))[, as.character(statistics$cells[, j]), drop = FALSE]
  })
  weight <- rowSums(counts)
  gain <- counts * log(counts * weight / (sums[[1L]] * sums[[2L]]))
  information <- ifelse(weight > 0, pmax(rowSums(gain, na.rm = TRUE), 0) / weight, NA_real_)
  constant <- t(vapply(sums, function(s) apply(s == weight | counts == 0, 1L, all), weight == 0))
  list(
    weight = weight, information = information,
    association = ifelse(colSums(constant) > 0, NA_real_, as_association(information)),
    pooled = NA_real_, constant = constant, parameters = prod(bank$levels - 1)
  )
}

# Measures a number and a category, from the moments of the number by class and level.
measure_mixed <- function(pairs, kinds, cases, call) {
  category <- vapply(pairs, function(p) p[kinds[p] == "categorical"], 1L)
  number <- vapply(pairs, function(p) p[kinds[p] == "numeric"], 1L)
  measured <- vector("list", length(pairs))
  classes <- length(cases$schema$classes$levels)
  for (j in unique(category)) {
    at <- which(category == j)
    levels <- length(cases$schema$features[[j]]$levels)
    bank <- new_bank("gaussian", number[at], cases$schema)
    group <- as.integer(cases$group) + classes * (column_codes(cases$columns[[j]]) - 1L)
    moments <- count_cases(list(bank), cases, call, group, classes * levels)$banks[[1L]]
    measured[at] <- lapply(seq_along(at), function(i) {
      of_number <- lapply(moments, function(m) matrix(m[, i], classes))
      measure_moments(of_number, category_first = j < number[[at[[i]]]])
    })
  }
  measured
}

# `moments`: those of one number, as matrices class x level.
measure_moments <- function(moments, category_first) {
  w <- moments$weight
  weight <- rowSums(w)
  seen <- w > 0
  origin <- moments$mean[which(seen)[1L]]
  mean <- ifelse(seen, (moments$mean - origin) + moments$mean_low, 0)
  between <- rowSums(w * (mean - rowSums(w * mean) / weight)^2)
  within <- rowSums(moments$scatter)
  total <- between + within
  constant <- rbind(total == 0, rowSums(seen) == 1L)
  if (category_first) constant <- constant[2:1, ]
  known <- colSums(constant) == 0 & (within > 0 | weight > rowSums(seen)) & is.finite(total)
  information <- ifelse(known, information_left(sqrt(within / total)), NA_real_)
  list(
    weight = weight, information = information, association = as_association(information),
    pooled = sqrt(sum(between[weight > 0]) / sum(total[weight > 0])), constant = constant,
    parameters = ncol(w) - 1
  )
}

new_dependence <- function(measured, cases) {
  labels <- names(cases$schema$features)
  classes <- cases$schema$classes$levels
  pick <- function(name) vapply(measured, `[[`, measured[[1L]][[name]], name)
  each <- function(name) matrix(pick(name), length(measured), byrow = TRUE)
  constant <- constant_features(measured, labels, classes)
  weight <- each("weight")
  information <- each("information")
  # A constant feature has information 0. A class with too few cases (NA) is left out.
  none <- t(vapply(measured, function(m) colSums(m$constant) > 0, logical(length(classes))))
  information[none & weight > 0] <- 0
  counted <- ifelse(is.na(information), 0, weight)
  gain <- rowSums(ifelse(counted > 0, counted * information, 0))
  pooled <- as.vector(pick("pooled"))
  mean <- gain / rowSums(counted)
  kind <- pick("kind")
  pooled <- ifelse(kind == "categorical", as_association(mean), pooled)
  within <- each("association")
  colnames(within) <- paste0("association_", classes)
  at <- each("features")
  result <- data.frame(
    first = labels[at[, 1L]], second = labels[at[, 2L]], kind = kind,
    information = open_as_na(mean),
    aic = 2 * pick("parameters") * rowSums(counted > 0) - 2 * gain,
    association = open_as_na(pooled), within, cases = rowSums(weight), check.names = FALSE
  )
  result <- by_dependence(result)
  rownames(result) <- NULL
  structure(
    result, classes = classes, constant = constant,
    class = c("bayesrisk_dependence", "bayesrisk_result", "data.frame")
  )
}

# The estimated information grows with the number of levels, even for independent features. AIC
# subtracts a penalty for each parameter.
by_dependence <- function(x) x[order(is.na(x$information), x$aic, -x$information), ]

constant_features <- function(measured, labels, classes) {
  found <- lapply(measured, function(m) {
    at <- which(m$constant & rep(m$weight > 0, each = 2L), arr.ind = TRUE)
    cbind(m$features[at[, 1L]], at[, 2L])
  })
  found <- unique(do.call(rbind, found))
  found <- found[order(found[, 1L], found[, 2L]), , drop = FALSE]
  data.frame(feature = labels[found[, 1L]], class = classes[found[, 2L]])
}

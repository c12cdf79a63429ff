#' Which features depend on each other, given the class?
#'
#' Naive Bayes assumes that features are independent within each class. `feature_dependence()`
#' measures the dependence of each pair, on one scale for all kinds of features, and ranks the
#' pairs. The first pairs are the candidates for a block of [bayes_blocks()].
#'
#' @inheritParams fit.bayesrisk_spec
#' @param formula `class ~ features`, as in [fit()][fit.bayesrisk_spec].
#' @param data A data frame, tibble, data.table, or a matrix with column names; or chunks, parts or
#'   a lazy table, see Details.
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
#' With few cases the information is too large, most of all for features with many levels. So the
#' pairs are ordered by their **evidence**, the log Bayes factor of dependence against independence,
#' summed over the classes. For a class with \eqn{n} cases it is
#' \deqn{\frac{n - 1 - s}{2} \log(1 + n) - \frac{n - 1}{2} \log(1 + n (1 - R^2))}{
#'   (n - 1 - s) / 2 log(1 + n) - (n - 1) / 2 log(1 + n (1 - R^2))}
#' for a number that depends on the other feature with \eqn{s} slopes, Zellner's prior of one case
#' (Liang and others 2008, equation 6): \eqn{s = 1} and \eqn{R = r} for another number, \eqn{s}
#' levels less one and \eqn{R = \eta}{R = eta} for a category. For two categories the prior of
#' the cells is a Dirichlet distribution worth one case per cell, centred at the product of the
#' estimated shares of the levels, so that equal or unequal shares are no evidence. Only levels that
#' the class has enter.
#'
#' A pair is **recommended** as a block if its evidence is above \eqn{\log(m / 0.05)}{log(m / .05)},
#' where \eqn{m} is the number of pairs. If all features are independent and numbers are normal, at
#' most one data set in 20 has a recommended pair: a Bayes factor exceeds \eqn{m / 0.05}{m / .05}
#' with a probability of at most \eqn{0.05 / m}{.05 / m} (Markov's inequality). For categories with
#' equal and with very unequal shares, 3 to 12 levels, simulations found at most 2 of 100 data sets.
#' Outliers of numbers with heavy tails can look like dependence. No block holds a number and a
#' category, and none a pair of which one feature determines the other.
#'
#' **Sources.** Chunks, parts and lazy tables ([bayesrisk_sources]) are counted piece by piece, and
#' the numbers are those of the same rows in memory. They are read once for the levels and the
#' single features, once for all pairs of numbers, once for each 2,000 pairs of categories, and once
#' for each category that is paired with numbers. Where numbers are missing, their pairs are counted
#' like those of categories. The rows of a table are fetched in blocks.
#'
#' @return A data frame of class `bayesrisk_dependence` with a row for each pair, from the largest
#'   to the least `evidence`:
#'   * `first`, `second`: the features, in the order of the formula;
#'   * `kind`: `"numeric"`, `"categorical"`, or `"mixed"`;
#'   * `information`: mutual information given the class, in nats;
#'   * `aic`: [AIC()] of the joint model of the pair (a block, if the features are of one kind)
#'     minus that of two single features (variances by maximum likelihood, no smoothing), `-Inf`
#'     where the information is infinite;
#'   * `evidence`: the log Bayes factor of a joint model; `recommended`: whether a block of the pair
#'     is recommended;
#'   * `association`: the pooled association, from the deviations from the class means. For two
#'     categories it is the association computed from `information`;
#'   * `association_<class>`: the association in each class. `NA` if a feature is constant there:
#'     then the class adds information 0. `NA` too if the class has too few cases: then the average
#'     leaves the class out;
#'   * `cases`: the weight of the cases in which neither feature is missing.
#'
#'   Attributes: `classes`; `pairs`, their number; and `constant`, a data frame of each `feature`
#'   that is constant in a `class`. The print names the constant features and the block to try; its
#'   columns `nats` and `pooled` are `information` and `association`. `plot()` draws the
#'   information.
#' @section Errors: as in [fit()][fit.bayesrisk_spec], and `bayesrisk_error_argument` for fewer than
#'   two features.
#' @references
#' Lecture "Bayesian Learning (Galili, Shamir, Yakhini)": are the features independent given the
#' class, and what if they are not.
#'
#' Linfoot, E. H. (1957). An informational measure of correlation. *Information and Control* 1,
#' 85-89.
#'
#' Liang, F., Paulo, R., Molina, G., Clyde, M. A. and Berger, J. O. (2008). Mixtures of g priors for
#' Bayesian variable selection. *Journal of the American Statistical Association* 103, 410-423.
#' @seealso [search_blocks()] finds the blocks; [compare_decisions()]: does the dependence change
#'   any decision?
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
  check_no_spec(maybe(formula), call)
  request <- fit_request(
    maybe(formula), rlang::enquo(weights), rlang::enquo(subset), na.action, threads
  )
  with_cases(maybe(data), request, function(data) read_cases(data, request, call), function(cases) {
    check_no_bag(cases, call)
    if (length(cases$schema$features) < 2L) {
      abort_argument("{.arg formula} must have two features or more: pairs are measured.", call)
    }
    check_single_features(cases, call)
    new_dependence(measure_pairs(cases, call), cases)
  }, call)
}

# A list per pair: `features` (positions), `kind`, and the engine's measures.
measure_pairs <- function(cases, call) {
  kinds <- feature_kinds(cases$schema)
  pairs <- utils::combn(length(kinds), 2L, simplify = FALSE)
  kind <- vapply(pairs, function(p) {
    if (kinds[[p[[1L]]]] == kinds[[p[[2L]]]]) kinds[[p[[1L]]]] else "mixed"
  }, "")
  measured <- vector("list", length(pairs))
  for (same in unique(kind)) {
    measure <- switch(same,
      numeric = measure_numbers, categorical = measure_each, mixed = measure_mixed
    )
    measured[kind == same] <- measure(pairs[kind == same], cases, call)
  }
  Map(function(p, k, m) c(list(features = p, kind = k), m), pairs, kind, measured)
}

# Two numbers. If no number is missing, one scatter has the statistics of all pairs.
measure_numbers <- function(pairs, cases, call) {
  numbers <- sort(unique(unlist(pairs)))
  counted <- collect_blocks(list(numbers), cases, call)
  if (counted$statistics[[1L]]$skipped > 0) return(measure_each(pairs, cases, call))
  members <- vapply(pairs, match, integer(2L), numbers)
  measure_counted(counted, list(members), cases, call)
}

# Pairs of one kind, each from the rows in which both features are known.
measure_each <- function(pairs, cases, call) {
  by_parts(pairs, function(part) {
    counted <- collect_blocks(part, cases, call)
    measure_counted(counted, rep(list(matrix(1:2)), length(part)), cases, call)
  })
}

measure_counted <- function(counted, members, cases, call) {
  call_engine(pair_dependence_cpp(
    counted$banks, cases$groups, length(cases$columns), counted$statistics, members
  ), call)
}

# A number and a category, from the moments of the number by class and level.
measure_mixed <- function(pairs, cases, call) {
  kinds <- feature_kinds(cases$schema)
  category <- vapply(pairs, function(p) p[kinds[p] == "categorical"], 1L)
  number <- vapply(pairs, function(p) p[kinds[p] == "numeric"], 1L)
  measured <- vector("list", length(pairs))
  for (j in unique(category)) {
    at <- which(category == j)
    measured[at] <- measure_by_level(j, number[at], cases, call)
  }
  measured
}

measure_by_level <- function(category, numbers, cases, call) {
  classes <- cases$groups
  levels <- length(cases$schema$features[[category]]$levels)
  banks <- list(new_bank("gaussian", numbers, cases$schema))
  counted <- count_banks(split_cases(cases, category), banks, call)$banks
  call_engine(mixed_dependence_cpp(
    banks, classes, levels, length(cases$columns), counted, category < numbers
  ), call)
}

new_dependence <- function(measured, cases) {
  labels <- names(cases$schema$features)
  classes <- cases$schema$classes$levels
  pick <- function(name) open_as_na(vapply(measured, `[[`, 1, name))
  each <- function(name) {
    matrix(unlist(lapply(measured, `[[`, name)), length(measured), byrow = TRUE)
  }
  within <- open_as_na(each("association"))
  colnames(within) <- paste0("association_", classes)
  at <- each("features")
  result <- data.frame(
    first = labels[at[, 1L]], second = labels[at[, 2L]],
    kind = vapply(measured, `[[`, "", "kind"), information = pick("information"),
    aic = pick("aic"), evidence = pick("evidence"), recommended = NA,
    association = pick("pooled"), within, cases = pick("cases"), check.names = FALSE
  )
  result$recommended <- result$kind != "mixed" & is.finite(result$information) &
    is_dependent(result$evidence, nrow(result))
  result <- by_dependence(result)
  rownames(result) <- NULL
  structure(
    result, classes = classes, constant = constant_features(measured, labels, classes),
    pairs = nrow(result), class = c("bayesrisk_dependence", "bayesrisk_result", "data.frame")
  )
}

# Determined pairs come first. The estimated information grows with the number of levels, even for
# independent features. The evidence does not.
by_dependence <- function(x) {
  x[order(is.na(x$information), x$information < Inf, -x$evidence, -x$information), ]
}

# Markov's inequality: a Bayes factor is above 20 m with a probability of at most 1 / (20 m) if the
# features are independent. Its mean is 1 for normal numbers, and for tables on average over the
# shares of the levels.
is_dependent <- function(evidence, pairs) evidence > log(pairs / 0.05)

constant_features <- function(measured, labels, classes) {
  found <- lapply(measured, function(m) {
    at <- which(m$constant == 1L, arr.ind = TRUE)
    cbind(m$features[at[, 1L]], at[, 2L])
  })
  found <- unique(do.call(rbind, found))
  found <- found[order(found[, 1L], found[, 2L]), , drop = FALSE]
  data.frame(feature = labels[found[, 1L]], class = classes[found[, 2L]])
}

# Statistics of joint blocks that need no model: feature_dependence() and search_blocks() read them
# in the same way.

# The largest number of blocks whose statistics are counted at once.
blocks_at_once <- 2000L

# list(banks, statistics) of blocks. `blocks`: a list of the positions of the features of each
# block, which are of one kind.
collect_blocks <- function(blocks, cases, call) {
  spec <- new_spec("full")
  banks <- lapply(unname(blocks), function(block) {
    joint_bank("block", block, spec, cases$schema, call)
  })
  list(banks = banks, statistics = count_banks(cases, banks, call)$banks)
}

# Applies `f` to parts of a list of blocks, and joins the results.
by_parts <- function(blocks, f) {
  unlist(lapply(in_batches(blocks, blocks_at_once), f), recursive = FALSE)
}

# Finds data that no likelihood reads: each feature is counted alone, so each problem is reported
# once.
check_single_features <- function(cases, call) {
  banks <- build_plan(bayes_naive(), cases$schema, call)$banks
  # Those of a source are counted already.
  counted <- cases$counted
  if (is.null(counted)) counted <- count_cases(banks, cases, call)$banks
  check_spread(counted, banks, cases$schema, call)
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

#' @export
describe.bayesrisk_dependence <- function(x, show) {
  if (nrow(x) == 0L || anyNA(x$cases)) return(NextMethod())
  advice <- dependence_advice(x)
  list(
    title_item(dependence_title(x)),
    table_item(dependence_columns(x), c("pair", "pairs"), keys = 2L),
    sentences_item(c(dependence_notes(x), advice$text)), code_item(advice$code)
  )
}

dependence_title <- function(x) {
  pairs <- count_of(nrow(x), "pair of features", "pairs of features")
  classes <- count_of(length(attr(x, "classes")), "class", "classes")
  sprintf("dependence given the class of %s: %s", pairs, classes)
}

# With more classes than this, the print leaves the columns of the classes out.
max_shown_classes <- 6L

dependence_columns <- function(x) {
  classes <- attr(x, "classes")
  within <- if (length(classes) <= max_shown_classes) {
    stats::setNames(unclass(x)[paste0("association_", classes)], classes)
  }
  columns <- c(
    list(first = x$first, second = x$second),
    if (length(unique(x$kind)) > 1L) list(kind = x$kind),
    # Short names, so that the table of three classes with usual names fits into 80 columns.
    list(nats = x$information, evidence = x$evidence, pooled = x$association), within,
    if (any(x$cases != max(x$cases))) list(cases = x$cases)
  )
  list2DF(columns)
}

dependence_notes <- function(x) {
  constant <- attr(x, "constant")
  shown <- sprintf("%s (%s)", encodeString(constant$feature), encodeString(constant$class))
  c(
    paste(
      "nats: mutual information given the class; evidence: log Bayes factor of a joint model;",
      "pooled: the association within the classes, then that of each class."
    ),
    if (nrow(constant)) {
      sprintf("Constant in a class, and independent there: %s.", fit_list(shown, 200L))
    },
    if (has_open_classes(x)) {
      "NA: too few cases in the class; the information is that of the other classes."
    }
  )
}

# Whether an association is NA although neither feature is constant in the class.
has_open_classes <- function(x) {
  constant <- attr(x, "constant")
  open <- vapply(attr(x, "classes"), function(class) {
    still <- constant$feature[constant$class == class]
    any(is.na(x[[paste0("association_", class)]]) & !x$first %in% still & !x$second %in% still)
  }, NA)
  any(open)
}

# Advice on the most dependent pair: `text`, and `code` if a block helps.
dependence_advice <- function(x) {
  x <- by_dependence(x)
  pair <- function(i) paste(encodeString(x$first[i]), "and", encodeString(x$second[i]))
  certain <- which(is.infinite(x$information))
  if (length(certain)) {
    return(list(text = sprintf(
      "One of %s determines the other: leave one out.", pair(certain[[1L]])
    )))
  }
  worth <- which(x$recommended)
  # No block holds a number with a category.
  same <- x$kind != "mixed"
  mixed <- which(!same & is_dependent(x$evidence, attr(x, "pairs")))
  text <- if (length(mixed)) {
    sprintf("A number and a category that depend: %s. No block holds both.",
            some_of(pair(mixed)))
  }
  count <- sprintf(
    "Recommended as a block: %d of %d%s", length(worth), sum(same),
    if (all(same)) "" else " of one kind"
  )
  if (length(worth)) {
    best <- worth[[1L]]
    members <- as.call(list(quote(c), x$first[[best]], x$second[[best]]))
    return(list(
      text = c(text, paste0(count, ". The first:")),
      code = as.call(list(quote(bayes_blocks), as.call(list(quote(list), members))))
    ))
  }
  list(text = c(text, if (any(same)) paste0(count, ".") else if (!length(mixed)) {
    "No pair has enough evidence for dependence."
  }))
}

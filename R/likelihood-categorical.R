#' Categorical likelihood
#'
#' Settings for the estimate of the probability of each level of a categorical feature within a
#' class. Alternatively, the known table of these probabilities.
#'
#' @details
#' Let \eqn{n_{ijk}}{n_ijk} be the number (the sum of weights) of rows of class
#' \eqn{k} in which feature \eqn{i} has its level \eqn{j}, and \eqn{n_k} the number of
#' rows of class \eqn{k} in which feature \eqn{i} is known. The *m-estimate* adds \eqn{m} imaginary
#' rows to each class, of which a share \eqn{p_j} has level \eqn{j}:
#' \deqn{P(x_i = j \mid k) = \frac{n_{ijk} + m p_j}{n_k + m}.}{
#'   P(x_i = j | k) = (n_ijk + m p_j) / (n_k + m).}
#' *Laplace smoothing* with \eqn{a} is the m-estimate with \eqn{m = a L} and
#' \eqn{p = 1 / L}, where \eqn{L} is the number of *levels of the feature*, not the number of
#' classes. Otherwise the probabilities would not sum to 1:
#' \deqn{P(x_i = j \mid k) = \frac{n_{ijk} + a}{n_k + a L}.}{
#'   P(x_i = j | k) = (n_ijk + a) / (n_k + a L).}
#' With a different \eqn{a_j} for each level the estimate is
#' \eqn{(n_{ijk} + a_j) / (n_k + \sum_l a_l)}{(n_ijk + a_j) / (n_k + sum(a))}. All declared levels
#' count, including unseen levels. A text column has only the levels that occur: declare the others
#' by `factor(x, levels = )`.
#'
#' **Levels by the hundred.** `laplace = "shared"` is the m-estimate whose \eqn{p_j} is the share of
#' level \eqn{j} in all classes together, and whose \eqn{m} is estimated for each feature: the
#' number by which each row is predicted best from the counts of all other rows (the leave-one-out
#' likelihood, computed from the counts alone). Where the classes do not differ \eqn{m} is large,
#' and the feature says nothing; where they do it is small. A level that no row of any class has
#' counts as unknown: it changes no posterior.
#'
#' A *joint table* (categorical features in one block, as in [bayes_full()]) is
#' smoothed per cell: it has \eqn{C} cells, the product of the numbers of levels of its features.
#' `laplace` adds \eqn{a} to each cell, and `m` adds \eqn{m / C} to each cell. A joint table takes
#' one `laplace` or one `m`, and no `p`.
#'
#' @section Three kinds of unseen level:
#' A model of the factor `outlook` with the levels sunny, overcast, rain and fog. In training
#' overcast never occurs with class no, fog never occurs, and hail is no level:
#'
#' | level | which is | without smoothing (default) | with `laplace = 1` |
#' |---|---|---|---|
#' | overcast | unseen in class no | 0 in this class: posterior 0 | \eqn{1 / (n_k + L)} there |
#' | fog | declared, never seen | 0 in all classes: `NA`, warning | \eqn{1 / (n_k + L)} in all |
#' | hail | not declared | counts as missing, warning | the same |
#'
#' A missing value leaves the decision to the other features and the prior.
#' The examples show all three.
#'
#' @param laplace Number of imaginary rows per level, 0 or more: one number for every
#'   level, or one per level, either named by level or in level order. Or `"shared"`: see "Levels by
#'   the hundred".
#' @param m Number of imaginary rows per class, 0 or more; `NULL` for none. Not
#'   together with a `laplace` other than 0.
#' @param p The shares of the `m` rows: `NULL` for an equal share of each level, or a
#'   vector named by level that sums to 1 (within 1e-8). One number without a name
#'   applies to each level, so it must be 1 / levels; the fit checks this.
#' @param table Known probabilities, for [bayes_known()]: a class x level matrix, or
#'   for a joint table an array class x level x level ..., with dimnames. No probability is
#'   negative, and the probabilities of each class sum to 1 within 1e-8.
#' @inheritParams bayesrisk_arguments
#'
#' @return An object of class `bayesrisk_likelihood_categorical`, to be used as
#'   `categorical` or in `features` of [bayes_naive()] and [bayes_blocks()], or in
#'   [bayes_known()]. It prints as a sentence.
#'
#' @section Errors:
#' `bayesrisk_error_argument` if an argument is not as described above, and for `laplace` (other
#' than 0) with `m`, for `p` without `m`, and for `table` with any of them. Names that are not the
#' levels of the feature are an error when a model is fitted.
#'
#' @references
#' Mitchell, T. M. (1997). *Machine Learning*, section 6.9.1 (m-estimate).
#' McGraw-Hill.
#'
#' Lecture "Naive Bayes Learning (after Mooney)" (m-estimate with binary `p` of 1/2);
#' lecture "Applied Machine Learning Fundamentals, Unit III: Bayesian Decision Theory
#' (Wehner)" (Laplace smoothing).
#'
#' @family likelihoods
#' @examples
#' likelihood_categorical(laplace = 1)
#' likelihood_categorical(laplace = "shared")
#' likelihood_categorical(m = 1)
#' likelihood_categorical(m = 2, p = c(small = 0.5, medium = 0.2, large = 0.3))
#' bayes_naive(features = list(outlook = likelihood_categorical(laplace = 1)))
#'
#' size <- rbind(
#'   positive = c(small = 0.4, medium = 0.1, large = 0.5),
#'   negative = c(0.4, 0.2, 0.4)
#' )
#' likelihood_categorical(table = size)
#'
#' # Three kinds of unseen level
#' days <- transform(
#'   play_tennis, outlook = factor(outlook, c("sunny", "overcast", "rain", "fog"))
#' )
#' unseen <- data.frame(
#'   outlook = c("overcast", "fog", "hail"), row.names = c("in a class", "declared", "new")
#' )
#' raw <- fit(bayes_naive(), play ~ outlook, days)
#' counts(raw)$outlook
#' predict(raw, unseen, type = "prob") # 1 and 0; NA; the prior
#' smooth <- fit(bayes_naive(laplace = 1), play ~ outlook, days)
#' predict(smooth, unseen, type = "prob") # from 5/13 and 1/9; 1/13 and 1/9; the prior
#' @export
likelihood_categorical <- function(laplace = 0, m = NULL, p = NULL, table = NULL, ...) {
  check_no_dots(...)
  new_likelihood("categorical", check_categorical(laplace, m, p, table, rlang::current_env()))
}

check_categorical <- function(laplace, m, p, table, call) {
  laplace <- check_laplace(laplace, call)
  if (!is.null(m)) m <- check_number(m, "m", min = 0, call = call)
  if (!is.null(p)) p <- check_level_shares(p, m, call)
  if (!is.null(table)) table <- check_given_table(table, call)
  smoothed <- c(laplace = any(laplace != 0), m = !is.null(m))
  if (all(smoothed)) {
    abort_argument(c(
      "{.arg laplace} and {.arg m} cannot be given together.",
      i = "{.arg laplace} = a is {.arg m} = a * levels with {.arg p} = 1 / levels: give one."
    ), call)
  }
  if (!is.null(table) && any(smoothed)) abort_smoothed_table(names(smoothed)[smoothed], call)
  list(laplace = laplace, m = m, p = p, table = table)
}

# `other`: the argument that smooths.
abort_smoothed_table <- function(other, call) {
  abort_argument(
    "{.arg table} and {.arg {other}} cannot be given together: a known table is not smoothed.", call
  )
}

check_laplace <- function(laplace, call) {
  if (is_shared(laplace)) return("shared")
  if (is_string(laplace)) {
    abort_argument("{.arg laplace} must be numbers or {.val shared}, not {.val {laplace}}.", call)
  }
  check_numbers(laplace, "laplace", min = 0, call = call)
}

check_level_shares <- function(p, m, call) {
  if (is.null(m)) {
    abort_argument("{.arg p} needs {.arg m}, the number of rows that it divides.", call)
  }
  p <- check_numbers(p, "p", min = 0, call = call)
  if (!is.null(names(p))) {
    if (sums_to_one(p)) return(p)
    abort_argument(
      "{.arg p} must sum to 1 over the levels, not to {format(sum(p), digits = 10)}.", call
    )
  }
  if (length(p) > 1L) {
    abort_argument("{.arg p} with one number per level must be named by level.", call)
  }
  if (p > 1) abort_argument("{.arg p} must be a probability, not {p}.", call)
  p
}

check_given_table <- function(table, call) {
  plain <- is.numeric(table) && (!is.object(table) || inherits(table, "table"))
  if (!plain || length(dim(table)) < 2L || length(table) == 0L) {
    abort_argument(c(
      "{.arg table} must be a numeric class x level matrix or class x level x level array.",
      x = "It is {describe_value(table)}."
    ), call)
  }
  labels <- dimnames(table)
  if (is.null(labels) || any(vapply(labels, is.null, logical(1)))) {
    abort_argument(
      "{.arg table} must have dimnames: classes for the rows, levels for each other dimension.",
      call
    )
  }
  check_distinct_names(labels[[1L]], "table", call)
  for (levels in labels[-1L]) check_distinct_names(levels, "table", call, empty = TRUE)
  table <- array(as.double(table), dim(table), labels)
  if (!all(is.finite(table)) || any(table < 0)) {
    abort_argument("{.arg table} must hold finite numbers, 0 or more.", call)
  }
  wrong <- rownames(table)[!apply(table, 1L, sums_to_one)]
  if (length(wrong)) {
    turned <- is.matrix(table) && all(apply(table, 2L, sums_to_one))
    abort_argument(c(
      "{.arg table} must sum to 1 within each class; it does not for {.val {wrong}}.",
      i = if (turned) "Its columns do. Classes stand in rows: give {.code t(table)}."
    ), call)
  }
  table
}

describe_categorical <- function(likelihood) {
  if (!is.null(likelihood$table)) {
    return(sprintf("a given table (%s)", paste(dim(likelihood$table), collapse = " x ")))
  }
  if (!is.null(likelihood$m)) {
    shares <- if (is.null(likelihood$p)) "1/levels" else format_numbers(likelihood$p)
    return(sprintf("the m-estimate with m = %s and p = %s", format(likelihood$m), shares))
  }
  if (is_shared(likelihood$laplace)) {
    return("relative frequency with cases of the shares of all classes")
  }
  if (!any(likelihood$laplace != 0)) return("relative frequency")
  paste("relative frequency with Laplace", format_numbers(likelihood$laplace))
}

# The pseudo-counts that a likelihood adds to the counts of a feature's levels:
# doubles, in level order.
pseudo_counts <- function(likelihood, levels, feature, call) {
  if (is_shared(likelihood$laplace)) return(rep(0, length(levels)))
  if (is.null(likelihood$m)) {
    counts <- spread_over_levels(likelihood$laplace, levels, "laplace", feature, call)
    if (is.finite(sum(counts))) return(counts)
    abort_argument(
      "{.arg laplace} is too large: its sum over the levels of {.field {feature}} overflows.", call
    )
  }
  p <- likelihood$p
  n_levels <- length(levels)
  if (is.null(p)) return(rep(likelihood$m / n_levels, n_levels))
  if (is.null(names(p)) && abs(p * n_levels - 1) > 1e-8) {
    abort_argument(c(
      "{.arg p} = {format(p)} for each level of {.field {feature}} does not sum to 1.",
      x = "The feature has {n_levels} level{?s}, so its probabilities would not sum to 1 either.",
      i = "Leave {.arg p} out for 1 / levels, or give one number per level, named."
    ), call)
  }
  likelihood$m * spread_over_levels(p, levels, "p", feature, call)
}

# Returns one number per level. The input is one number for all levels, numbers named by level,
# or numbers in level order.
spread_over_levels <- function(x, levels, arg, feature, call) {
  if (!is.null(names(x))) return(unname(x[match_names(names(x), levels, arg, feature, call)]))
  if (length(x) == 1L) return(rep(x, length(levels)))
  if (length(x) == length(levels)) return(x)
  abort_argument(c(
    "{.arg {arg}} has {length(x)} numbers, but {.field {feature}} has {length(levels)} level{?s}.",
    i = "Its levels are {.val {levels}}."
  ), call)
}

known_categorical <- function(likelihood, name, classes, call) {
  table <- likelihood$table
  at <- match_names(rownames(table), classes, name, call = call)
  if (length(dim(table)) > 2L) return(known_joint_table(table, at, name, call))
  probability <- unname(table[at, , drop = FALSE])
  list(
    features = list(new_feature(name, "factor", enc2utf8(colnames(table)))),
    parameters = list(
      log_probability = log(probability / rowSums(probability)), left_out = integer()
    )
  )
}

categorical_record <- function() {
  likelihood_record(
    name = "categorical", kind = "categorical", support = "levels", joint_as = "joint_table",
    bag_as = "bernoulli",
    describe = describe_categorical,
    check = check_categorical,
    given = list("table"),
    known = known_categorical,
    options = function(likelihoods, features, classes, block, call) {
      counts <- Map(function(likelihood, feature) {
        pseudo_counts(likelihood, feature$levels, feature$name, call)
      }, likelihoods, features)
      shared <- vapply(likelihoods, function(likelihood) is_shared(likelihood$laplace), NA)
      shared <- rep_len(as.integer(shared), length(features))
      list(pseudo_count = as.double(unlist(counts)), shared = shared)
    },
    remedies = remedy_smoothing,
    impossible = "{.code laplace = 1} gives every level a probability in every class.",
    cases = function(bank, statistics) {
      rowsum(colSums(statistics$count), rep(seq_along(bank$levels), bank$levels))[, 1L]
    },
    coefficients = level_probabilities,
    counts = function(bank, statistics, features, classes) {
      level_tables(statistics$count, features, classes)
    },
    tidy = tidy_by_block(function(coefficients, name, classes) {
      tidy_rows(coefficients, classes, name, colnames(coefficients), "probability")
    }),
    single = level_columns,
    posterior = table_posterior,
    recount = function(parameters, n, divisor) {
      list(count = count_shares(parameters$log_probability, n))
    },
    raised = function(bank, parameters, power) {
      of <- rep(seq_along(bank$levels), bank$levels)
      log_p <- scale_columns(parameters$log_probability, power[of])
      for (j in unique(of)) log_p[, of == j] <- log_shares(column_of(log_p, of == j))
      replace(parameters, "log_probability", list(log_p))
    },
    log_density = categorical_log_density
  )
}

level_probabilities <- function(bank, parameters, features, classes) {
  level_tables(open_as_na(known_probabilities(parameters$log_probability)), features, classes)
}

# A level that no row has is smoothed to a probability of 1e-304 in all classes: see laplace =
# "shared". It is shown as 0.
known_probabilities <- function(log_probability) {
  exp(ifelse(log_probability > log(1e-300), log_probability, -Inf))
}

# A class x level table for each feature. `values`: these tables side by side.
level_tables <- function(values, features, classes) {
  last <- cumsum(count_levels(features))
  Map(function(feature, last) {
    columns <- seq_along(feature$levels) + last - length(feature$levels)
    matrix(
      values[, columns], length(classes),
      dimnames = stats::setNames(list(classes, feature$levels), c("class", feature$name))
    )
  }, features, last)
}

level_columns <- function(bank, state, j) {
  last <- cumsum(bank$levels)[[j]]
  columns <- seq_len(bank$levels[[j]]) + last - bank$levels[[j]]
  list(
    parameters = list(
      log_probability = column_of(state$parameters$log_probability, columns),
      left_out = left_out_mark(state$parameters, j)
    ),
    statistics = lapply(state$statistics, column_of, columns)
  )
}

categorical_log_density <- function(bank, parameters, to) {
  classes <- nrow(parameters$log_probability)
  scores <- scores_of_values(bank, parameters, lapply(bank$levels, seq_len), classes)
  terms <- vapply(seq_len(classes), function(k) {
    to$add(vapply(seq_along(scores), function(j) {
      level_text(j, logs_text(scores[[j]][, k], to), "0", to)
    }, ""), seq_along(scores))
  }, "")
  list(terms = open_terms(terms, parameters$log_probability, to))
}

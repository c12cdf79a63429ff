#' Histogram likelihood
#'
#' A numeric feature whose density within a class is constant in each bin: the share of the rows of
#' the class in the bin, divided by the width of the bin.
#'
#' @details
#' Let \eqn{n_{kb}}{n_kb} be the number (the sum of weights) of rows of class \eqn{k} in bin
#' \eqn{b}, \eqn{n_k} the number of rows of the class in which the feature is known, \eqn{B} the
#' number of bins and \eqn{w_b} the width of bin \eqn{b}. The density in bin \eqn{b} is
#' \deqn{p(x \mid k) = \frac{n_{kb} + a}{(n_k + a B)\, w_b},}{
#'   p(x | k) = (n_kb + a) / ((n_k + a B) w_b),}
#' with \eqn{a} the pseudo-count `laplace`. Bins are closed on the left and open on the
#' right; the last one is closed on both sides.
#'
#' There are three ways to choose the bins:
#' * `width` alone: bins of that width from the smallest value of the feature over all
#'   classes up to the bin that holds its largest value. With `origin`, the edges are
#'   origin + j width (j a whole number), from the first to the last bin in which any class has a
#'   value. Merged or added data extend this grid where necessary.
#' * `breaks` as numbers: the edges themselves, the same for all classes or a list by class. A value
#'   outside of them is an error at the fit, also among data that are added later.
#' * `breaks` as a rule. Let \eqn{n} be the weight of all rows in which the feature is known.
#'   `"Sturges"` (the default) divides the range of the feature into
#'   \eqn{\lceil \log_2 n \rceil + 1}{ceiling(log2(n)) + 1} equal bins. `"FD"` (Freedman and
#'   Diaconis) divides it into equal bins no wider than
#'   \eqn{2\,\mathrm{IQR}\, n^{-1/3}}{2 IQR n^(-1/3)}, as few as possible; where the interquartile
#'   range is 0, it divides like `"Sturges"`. A weight of \eqn{w} counts as \eqn{w} copies of its
#'   row, also for the quartiles (`type = 7` of [stats::quantile()]). The edges are not rounded,
#'   unlike the edges of [graphics::hist()].
#'
#' Bins that depend on the data are found before the rows are counted, from all rows of the fit (in
#' [cv_risk()] from the rows of all folds). The classes have no influence on the bins. Models can be
#' merged only if their bins are equal; with an `origin`, the bins may cover different ranges. Use
#' `origin` or numbers as `breaks` for parts that are to be merged.
#'
#' At prediction a value outside of all bins of a class has density 0 in this class. A value in a
#' bin without rows has density 0 too, unless `laplace` is positive. If the density is 0 in every
#' class, the row is `NA`, also with a `laplace`, and one warning counts these rows.
#'
#' Results that follow from the model alone are exact: the ends of [decision_regions()] are edges
#' of bins, and [bayes_risk()] is a sum of shares of bins.
#'
#' @section Joint blocks:
#' As `joint` of [bayes_full()] or [bayes_blocks()] a histogram counts the features of a block
#' together: its bins are the cells of a grid. The bins of each feature are chosen as above, each
#' feature by its own range; numbers as `breaks` are the edges of every feature, and `breaks` by
#' class are an error. Let \eqn{n_{kc}}{n_kc} be the weight of the rows of class \eqn{k} in cell
#' \eqn{c}, \eqn{n_k} the weight of the rows in which all features of the block are known, \eqn{C}
#' the number of cells, and \eqn{w_{jc}}{w_jc} the width of the cell along feature \eqn{j}. Then
#' \deqn{p(x \mid k) = \frac{n_{kc} + a}{(n_k + a C) \prod_j w_{jc}}.}{%
#'   p(x | k) = (n_kc + a) / ((n_k + a C) w_1c w_2c ...).}
#' `laplace` counts per cell. A missing feature is summed out, and its width drops out; so the
#' density of a single feature is again a histogram. The widths are the same in all classes, so the
#' posteriors are those of a joint table of the bins.
#'
#' Only cells with rows are stored. A block can have up to 62 features and \eqn{2^{62}}{2^62} cells,
#' but the rows must fill them: with a few features most cells are empty, and a row in a cell that
#' is empty in all classes has no posterior without `laplace`.
#'
#' @param width Width of each bin, in units of the feature; positive.
#' @param origin The left end of one bin; `NULL`: the smallest value. Only with `width`.
#' @param breaks Edges, two or more increasing numbers; a list of such edges, named by class; or a
#'   rule, `"Sturges"` or `"FD"`. Not with `width`. Without `width` and `breaks`: `"Sturges"`.
#' @param laplace Number of imaginary rows per bin and class, 0 or more.
#' @param table Known probabilities of the bins, for [bayes_known()]: a class x bin matrix, or a
#'   list of vectors named by class. They need `breaks` as numbers and sum to 1 in each class.
#' @inheritParams bayesrisk_arguments
#'
#' @return An object of class `bayesrisk_likelihood_histogram`, to be used as `numeric` or in
#'   `features` of [bayes_naive()] and [bayes_blocks()], as `joint` of [bayes_full()] and
#'   [bayes_blocks()], or in [bayes_known()]. It prints as a sentence.
#'
#' @section Errors:
#' `bayesrisk_error_argument` if an argument is not as described above, and in
#' [merge()][merge.bayesrisk_model] if the bins of the models differ. At fitting
#' `bayesrisk_error_data` for values outside of `breaks` (it names feature, class and rows), and
#' `bayesrisk_error_degenerate` if a rule finds one value only, or if there would be more than 1e6
#' bins or a block too many cells.
#'
#' @references
#' Freedman, D. and Diaconis, P. (1981). On the histogram as a density estimator: L2 theory.
#' *Zeitschrift fuer Wahrscheinlichkeitstheorie und verwandte Gebiete* 57, 453-476.
#'
#' Sturges, H. A. (1926). The choice of a class interval. *Journal of the American
#' Statistical Association* 21, 65-66.
#'
#' Lecture "Bayesian Learning (Galili, Shamir, Yakhini)": irises by the histogram of their
#' sepal lengths.
#'
#' @family likelihoods
#' @examples
#' # The lecture's confusion matrix
#' spec <- bayes_naive(
#'   features = list(Sepal.Length = likelihood_histogram(width = 0.5)), prior = "uniform"
#' )
#' model <- fit(spec, Species ~ Sepal.Length, iris)
#' confusion_table(iris$Species, predict(model, iris))
#'
#' likelihood_histogram(breaks = c(4, 5, 6, 8), laplace = 1)
#' likelihood_histogram(breaks = list(a = c(0, 1, 3), b = c(0, 2, 4)))
#'
#' # Petals in cells of 1 cm by 1 cm
#' joint <- fit(
#'   bayes_full(joint = likelihood_histogram(width = 1, origin = 0)),
#'   Species ~ Petal.Length + Petal.Width, iris
#' )
#' counts(joint)$numeric[, , "virginica"]
#' @export
likelihood_histogram <- function(width = NULL, origin = NULL, breaks = NULL, laplace = 0,
                                 table = NULL, ...) {
  check_no_dots(...)
  new_likelihood(
    "histogram", check_histogram(width, origin, breaks, laplace, table, rlang::current_env())
  )
}

check_histogram <- function(width, origin, breaks, laplace, table, call) {
  laplace <- check_number(laplace, "laplace", min = 0, call = call)
  if (!is.null(width)) {
    if (!is.null(breaks)) {
      abort_argument("{.arg width} and {.arg breaks} cannot be given together.", call)
    }
    width <- check_number(width, "width", min = 0, call = call)
    check_gaps(width, "width", call)
  } else if (is.null(breaks)) {
    breaks <- "Sturges"
  }
  if (!is.null(origin)) {
    if (is.null(width)) abort_argument("{.arg origin} needs {.arg width}.", call)
    origin <- check_number(origin, "origin", call = call)
  }
  if (!is.null(breaks)) breaks <- check_breaks(breaks, call)
  if (!is.null(table)) table <- check_bin_table(table, breaks, laplace, call)
  list(width = width, origin = origin, breaks = breaks, laplace = laplace, table = table)
}

describe_histogram <- function(likelihood) {
  breaks <- likelihood$breaks
  bins <- if (is.null(breaks)) {
    from <- if (!is.null(likelihood$origin)) paste(" from", format(likelihood$origin))
    paste0("bins of width ", format(likelihood$width), from)
  } else if (is.character(breaks)) {
    switch(breaks, Sturges = "bins by Sturges' rule", FD = "bins by Freedman and Diaconis")
  } else if (is.list(breaks)) {
    "given bins by class"
  } else {
    pluralize("{length(breaks) - 1L} given bin{?s}")
  }
  if (!is.null(likelihood$table)) return(paste0("histograms with given shares, ", bins))
  smoothed <- if (likelihood$laplace > 0) paste(" and Laplace", format(likelihood$laplace))
  paste0("histograms with ", bins, smoothed)
}

histogram_record <- function() {
  likelihood_record(
    name = "histogram", kind = "numeric", support = "line", steps = TRUE, shares_bank = FALSE,
    describe = describe_histogram,
    check = check_histogram,
    given = list("table"),
    known = known_histogram,
    settle = function(likelihood, feature, range, call) {
      feature$bins <- settle_bins(likelihood, feature, range, call)
      feature
    },
    of_all_rows = function(likelihood) {
      is.character(likelihood$breaks) || is.null(likelihood$breaks) && is.null(likelihood$origin)
    },
    plan = plan_histogram,
    joint_as = "joint_histogram",
    options = histogram_options,
    remedies = histogram_remedies,
    impossible =
      "{.code likelihood_histogram(laplace = 1)} fills empty bins; values outside of all bins
       remain impossible.",
    cases = function(bank, statistics) sum(statistics$count),
    coefficients = bin_probabilities,
    counts = bin_counts,
    summary = summarise_bins,
    tidy = tidy_by_block(function(coefficients, name, classes) {
      tidy_frame(coefficients, name, bin_labels(coefficients), c("probability", "density"))
    }),
    moments = bin_moments,
    grid = grid_of_edges,
    posterior = table_posterior,
    recount = function(parameters, n, divisor) {
      list(count = count_shares(parameters$log_probability, n))
    },
    unreadable = list(
      problem = "outside", found = "Numbers outside the bins in",
      remedy = "Give wider {.arg breaks}, or a {.arg width}, whose bins go on as far as the data."
    ),
    log_density = histogram_log_density
  )
}

histogram_options <- function(likelihoods, features, classes, block, call) {
  list(laplace = likelihoods[[1L]]$laplace)
}

histogram_remedies <- function(problems) {
  c(
    remedy(problems, "empty", "{.code laplace = 1} smooths a histogram without rows."),
    remedy_overflow(problems)
  )
}

# A plot shows each bin from edge to edge.
bin_moments <- function(bank, parameters, j) {
  bins <- do.call(rbind, lapply(seq_along(bank$bins), class_bins, bank = bank))
  width <- bins$to - bins$from
  list(mean = bins$from + width / 2, sd = width / 7)
}

# Removes the bins of the statistics from the schema if the specification asks for other bins.
plan_histogram <- function(bank, likelihood, features, classes, call) {
  feature <- features[[1L]]
  if (!identical(feature$bins$asked, bins_asked(likelihood))) return(bank)
  c(bank, engine_bins(feature$bins, classes, feature$name, call))
}

# The bins of class k of the bank, or of feature k of a joint block: a data frame of their edges.
class_bins <- function(bank, k) {
  set <- if (length(bank$bins) > 1L) k else 1L
  last <- sum((bank$bins + (bank$bins > 0L))[seq_len(set)])
  edges <- bank$edges[last - bank$bins[[set]]:0]
  data.frame(from = utils::head(edges, -1L), to = edges[-1L])
}

bin_probabilities <- function(bank, parameters, features, classes) {
  probability <- open_as_na(exp(parameters$log_probability))
  rows <- lapply(seq_along(classes), function(k) {
    bins <- class_bins(bank, k)
    share <- probability[k, seq_len(nrow(bins))]
    data.frame(
      class = structure(rep(k, nrow(bins)), levels = classes, class = "factor"), bins,
      probability = share, density = share / (bins$to - bins$from)
    )
  })
  list(do.call(rbind, rows))
}

bin_counts <- function(bank, statistics, features, classes) {
  # The probabilities give the classes and edges only.
  bins <- bin_probabilities(bank, list(log_probability = statistics$count), features, classes)[[1L]]
  bins$count <- unlist(lapply(seq_along(classes), function(k) {
    statistics$count[k, seq_len(sum(as.integer(bins$class) == k))]
  }))
  if (length(bank$bins) > 1L) return(list(bins[c("class", "from", "to", "count")]))
  list(bin_matrix(bins, bins$count))
}

summarise_bins <- function(bank, coefficients) {
  if (length(bank$bins) > 1L) return(structure(coefficients, title = "bins"))
  bin_matrix(coefficients, coefficients$probability)
}

# A class x bin matrix. `bins`: the bins of each class, the same in all classes.
bin_matrix <- function(bins, values) {
  of_first <- bin_labels(bins)[bins$class == bins$class[[1L]]]
  matrix(
    values, ncol = length(of_first), byrow = TRUE,
    dimnames = list(class = levels(bins$class), bin = of_first)
  )
}

# Like "[4.3, 4.8)"; the last bin of a class is closed. With so few digits that two bins would have
# the same label, labels have all digits.
bin_labels <- function(coefficients, digits = 15L) {
  last <- !duplicated(coefficients$class, fromLast = TRUE)
  labels <- function(digits) {
    edge <- function(x) vapply(x, format, "", digits = digits)
    sprintf("[%s, %s%s", edge(coefficients$from), edge(coefficients$to), ifelse(last, "]", ")"))
  }
  short <- labels(digits)
  if (anyDuplicated(paste(coefficients$class, short))) labels(17L) else short
}

# Grid points close to each edge, on both sides. The density is constant within a bin.
grid_of_edges <- function(bank, parameters, j, moments, range) {
  step <- 1e-6 * diff(range)
  edges <- bank$edges[bank$edges >= range[[1L]] - step & bank$edges <= range[[2L]] + step]
  if (length(edges) > 2048L) return(seq(range[[1L]], range[[2L]], length.out = 4097L))
  sort(unique(c(range, edges - step, edges + step)))
}

histogram_log_density <- function(bank, parameters, to) {
  if (max(bank$bins) > most_steps) abort_no_text(to, "has too many bins")
  classes <- nrow(parameters$log_probability)
  sets <- rep_len(edges_of_bins(bank), classes)
  terms <- vapply(seq_len(classes), function(k) {
    edges <- sets[[k]]
    bins <- length(edges) - 1L
    if (bins < 1L) return(to$impossible)
    scores <- scores_of_rows(bank, parameters, list(edges[seq_len(bins)]), classes)[, k]
    inside <- to$between(to$x, to$number(edges[[1L]]), to$number(edges[[bins + 1L]]))
    to$case(
      c(to$gone, inside), c("0", bins_text(to$x, edges, logs_text(scores, to), to)),
      to$never
    )
  }, "")
  list(terms = terms, range = paste(to$abs(to$raw), "<= 1e300"))
}

# Known probabilities of bins: their check, and the parameters of the engine.

# A list by class, in the order of the user.
check_bin_table <- function(table, breaks, laplace, call) {
  if (is.null(breaks) || is.character(breaks)) {
    abort_argument("{.arg table} needs {.arg breaks} as numbers.", call)
  }
  if (laplace != 0) abort_smoothed_table("laplace", call)
  if (is.matrix(table) && is.numeric(table)) {
    if (is.null(rownames(table))) {
      abort_argument("{.arg table} must have classes as row names.", call)
    }
    check_distinct_names(rownames(table), "table", call)
    classes <- rownames(table)
    table <- stats::setNames(lapply(seq_along(classes), function(k) unname(table[k, ])), classes)
  }
  if (!is.list(table)) {
    abort_wanted(table, "table", "a class x bin matrix or a list by class", call)
  }
  table <- check_by_class(table, "table", call, min = 0)
  for (class in names(table)) check_bin_shares(table[[class]], class, breaks, call)
  table
}

check_bin_shares <- function(shares, class, breaks, call) {
  if (is.list(breaks)) breaks <- breaks[[class]]
  bins <- length(breaks) - 1L
  if (length(shares) != bins) {
    abort_argument(
      "{.arg table} has {length(shares)} number{?s} for class {.val {class}}, and {.arg breaks} has
       {max(bins, 0L)} bin{?s}.", call
    )
  }
  if (sums_to_one(shares)) return(invisible())
  abort_argument("{.arg table} must sum to 1 within class {.val {class}}.", call)
}

known_histogram <- function(likelihood, name, classes, call) {
  at <- match_names(names(likelihood$table), classes, name, call = call)
  asked <- bins_asked(likelihood)
  feature <- new_feature(name, "double", NULL)
  feature$bins <- list(asked = asked, edges = asked$breaks)
  if (!is.list(asked$breaks)) check_edges_apart(asked$breaks, name, call)
  shares <- likelihood$table[at]
  log_share <- matrix(-Inf, length(classes), max(lengths(shares)))
  for (k in seq_along(shares)) {
    log_share[k, seq_along(shares[[k]])] <- log(shares[[k]] / sum(shares[[k]]))
  }
  list(features = list(feature), parameters = list(log_probability = log_share))
}

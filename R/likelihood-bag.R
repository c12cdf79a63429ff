# Code that all likelihoods of bags share, and the bags of Gaussians and of Poisson counts, which
# take their settings from the likelihoods of single features.

# `matrices`: the class x term matrices of the parameters, named by statistic. A single matrix that
# is not the usual `statistic` has its name as an attribute.
bag_record <- function(name, matrices, statistic, ..., constructed = TRUE) {
  likelihood_record(
    name = name, kind = "bag", bag_as = name, constructed = constructed, shares_bank = FALSE,
    support = "terms",
    coefficients = function(bank, parameters, features, classes) {
      shown <- lapply(matrices(parameters), function(x) term_matrix(x, features[[1L]], classes))
      if (length(shown) > 1L) return(list(shown))
      unusual <- setdiff(names(shown), statistic)
      list(structure(shown[[1L]], statistic = if (length(unusual)) unusual))
    },
    tidy = tidy_by_block(function(coefficients, name, classes) {
      if (is.matrix(coefficients)) {
        unusual <- attr(coefficients, "statistic")
        coefficients <- list(coefficients)
        names(coefficients) <- if (is.null(unusual)) statistic else unusual
      }
      tidy_terms(coefficients, classes, name)
    }),
    summary = summary_terms,
    ...
  )
}

term_matrix <- function(x, feature, classes) {
  matrix(
    open_as_na(x), length(classes),
    dimnames = stats::setNames(list(classes, feature$levels), c("class", feature$name))
  )
}

# Known numbers of terms: a class x term matrix.
check_term_table <- function(table, min, call) {
  labels <- dimnames(table)
  plain <- is.matrix(table) && is.numeric(table) && !is.object(table) && length(table)
  if (!plain || length(labels) != 2L || any(vapply(labels, is.null, NA))) {
    abort_argument(c(
      "{.arg table} must be a class x term matrix with row and column names.",
      x = "It is {describe_value(table)}."
    ), call)
  }
  for (label in labels) check_distinct_names(label, "table", call)
  table <- matrix(as.double(table), nrow(table), dimnames = unname(labels))
  if (all(is.finite(table)) && all(table >= min)) return(table)
  abort_argument("{.arg table} must hold finite numbers{if (min == 0) ', 0 or more'}.", call)
}

check_not_smoothed <- function(laplace, call) {
  if (laplace == 1) return(invisible())
  abort_argument(
    "{.arg table} and {.arg laplace} cannot be given together: a known table is not smoothed.", call
  )
}

table_of_classes <- function(table, classes, name, call) {
  table[match_names(rownames(table), classes, name, call = call), , drop = FALSE]
}

# `parameters`: of a bag with the terms of a table, its classes in order.
known_bag <- function(name, table, parameters) {
  list(
    features = list(new_feature(name, "bag", enc2utf8(colnames(table)))), parameters = parameters
  )
}

# For each term the rows of all statistics.
tidy_terms <- function(matrices, classes, name) {
  terms <- rep(colnames(matrices[[1L]]), each = length(matrices))
  tidy_rows(do.call(rbind, unname(matrices)), classes, name, terms, names(matrices))
}

bag_cases <- function(bank, statistics) {
  sum(if (is.null(statistics$total)) statistics$weight else statistics$total)
}

# A summary prints at most this number of terms.
max_printed_columns <- 10L

# The terms whose numbers differ most between the classes, for a summary.
summary_terms <- function(bank, coefficients) {
  if (!is.matrix(coefficients) || ncol(coefficients) == 0L) return(coefficients)
  known <- coefficients[!is.na(coefficients[, 1L]), , drop = FALSE]
  from_mean <- abs(known - rep(colMeans(known), each = nrow(known)))
  first <- order(-colSums(from_mean), method = "radix")
  coefficients[, utils::head(first, max_printed_columns), drop = FALSE]
}

# The counts behind the log odds of terms, for the part `odds` of a record. `count`: class x term;
# `total`: by class, what the counts are shares of; `smoothing`: what is added to both.
term_counts <- function(count, total, smoothing, rates = FALSE) {
  list(count = count, total = total, smoothing = smoothing, rates = rates)
}

unreadable_terms <- function() {
  list(
    problem = "no_term_count", found = "Counts must be whole numbers, 0 or more; some are not in",
    remedy = "Numbers that are no counts, such as TF-IDF: {.fn likelihood_gaussian}, or
              {.code likelihood_multinomial(weights_ok = TRUE)} for fractions of counts."
  )
}

poisson_bag_record <- function() {
  bag_record(
    "poisson_bag", function(p) list(rate = p$rate), "rate", constructed = FALSE,
    options = function(likelihoods, features, classes, block, call) {
      likelihoods[[1L]][c("pseudo_count", "pseudo_exposure")]
    },
    remedies = common_remedies, impossible = impossible_count, cases = bag_cases,
    counts = function(bank, statistics, features, classes) {
      list(term_matrix(statistics$sum, features[[1L]], classes))
    },
    unreadable = unreadable_terms(),
    odds = function(statistics, options) {
      smoothing <- c(options$pseudo_count, options$pseudo_exposure)
      term_counts(statistics$sum, statistics$weight, smoothing, rates = TRUE)
    }
  )
}

gaussian_bag_record <- function() {
  bag_record(
    "gaussian_bag", function(p) {
      p$sd[, p$left_out == 1L] <- 0
      p[c("mean", "sd")]
    }, "mean", constructed = FALSE,
    options = function(likelihoods, features, classes, block, call) {
      settings <- unclass(likelihoods[[1L]])
      c(
        list(unbiased = settings$variance == "unbiased"),
        settings[c("min_variance", "min_variance_share", "borrow")]
      )
    },
    remedies = function(problems) gaussian_record()$remedies(problems), cases = bag_cases,
    counts = function(bank, statistics, features, classes) {
      list(stats::setNames(statistics$total, classes))
    }
  )
}

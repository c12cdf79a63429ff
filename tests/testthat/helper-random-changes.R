# Changes that must not affect the posterior of a random case (helper-random.R): another order of
# cases, columns or levels, two copies of each case at half the weight, merged statistics of two
# parts, another unit or another zero point of the numbers.

invariance_problem <- function(model, case) {
  change <- one_of(possible_changes(case$spec))
  other <- get(paste0("change_", change))(case)
  refit <- by_design(if (change == "parts") fit_parts(other) else fit_case(other))
  # A part of the data may be unsuitable for a specification that suits the whole.
  if (inherits(refit, "error")) return(if (change != "parts") paste("no model after:", change))
  one <- by_design(predict(model, case$newdata, type = "log_joint"))
  two <- by_design(predict(refit, other$newdata, type = "log_joint"))[, colnames(one), drop = FALSE]
  odds <- function(joint) joint - apply(joint, 1L, max)
  off <- abs(odds(one) - odds(two)) / pmax(1, abs(one), abs(two))
  # Impossible classes must be the same in both.
  far <- odds(one) == -Inf | odds(two) == -Inf | off > 1e-8
  differ <- is.na(odds(one)) != is.na(odds(two)) | (far & odds(one) != odds(two))
  if (any(differ, na.rm = TRUE)) paste("the posterior changes with:", change)
}

fit_case <- function(case) fit_xy(case$spec, case$data, case$class, case$weights)

fit_parts <- function(case) {
  data <- case$data
  data$class <- case$class
  weights <- if (is.null(case$weights)) rep(1, nrow(data)) else case$weights
  first <- seq_len(nrow(data)) <= sample.int(nrow(data), 1L)
  part <- function(rows) {
    bayes_statistics(case$spec, class ~ ., data[rows, , drop = FALSE], weights = weights[rows])
  }
  fit(case$spec, merge(part(first), part(!first)))
}

# The unit and the zero point matter for bins, rates, kernels (their grid) and lower bounds. Bins by
# a rule may differ between the parts and the whole. The steps of EM raise differences of rounding,
# so mixtures and blocks with missing values are compared only where every sum is the same.
possible_changes <- function(spec) {
  likelihood <- spec$numeric
  joint_mixture <- inherits(spec$joint, "bayesrisk_likelihood_mixture")
  if (joint_mixture || spec$missing == "em") return("levels")
  if (inherits(likelihood, "bayesrisk_likelihood_mixture")) return(c("columns", "levels"))
  always <- c("rows", "copies", "columns", "levels")
  by_rule <- inherits(likelihood, "bayesrisk_likelihood_histogram") ||
    inherits(spec$joint, "bayesrisk_likelihood_histogram")
  normal <- inherits(likelihood, "bayesrisk_likelihood_gaussian")
  floor <- normal && likelihood$min_variance > 0
  c(always, if (!by_rule) "parts", if (normal) "zero", if (normal && !floor) "unit")
}

change_rows <- function(case) choose_cases(case, sample.int(nrow(case$data)))

change_copies <- function(case) {
  if (is.null(case$weights)) case$weights <- rep(1, nrow(case$data))
  case$weights <- case$weights / 2
  choose_cases(case, sample(rep(seq_len(nrow(case$data)), 2L)))
}

choose_cases <- function(case, rows) {
  case$data <- case$data[rows, , drop = FALSE]
  case$class <- case$class[rows]
  case$weights <- case$weights[rows]
  case
}

change_columns <- function(case) {
  case$data <- case$data[sample.int(ncol(case$data))]
  case
}

change_parts <- identity

change_levels <- function(case) {
  another_order <- function(x) {
    if (is.factor(x)) factor(x, sample(levels(x)), exclude = NULL) else x
  }
  case$data[] <- lapply(case$data, another_order)
  case$class <- another_order(case$class)
  case
}

# Changes that are exact: by a power of two if nothing overflows, and by whole numbers if all
# numbers are whole.
change_unit <- function(case) {
  change_numbers(case, function(x) {
    size <- abs(x[is.finite(x) & x != 0])
    if (all(size > 1e-100 & size < 1e100)) 2^sample(-40:40, 1L) * x else x
  })
}

change_zero <- function(case) {
  change_numbers(case, function(x) {
    known <- x[!is.na(x)]
    whole <- all(abs(known) < 2^20 & known == round(known))
    if (whole) x + sample(c(-1, 1), 1L) * 2^sample(20L, 1L) else x
  })
}

change_numbers <- function(case, change) {
  n <- nrow(case$data)
  for (name in names(case$data)) {
    both <- list(case$data[[name]], case$newdata[[name]])
    if (!all(vapply(both, function(x) is.numeric(x) && is.null(dim(x)), NA))) next
    both <- change(c(case$data[[name]], case$newdata[[name]]))
    case$data[[name]] <- both[seq_len(n)]
    case$newdata[[name]] <- both[-seq_len(n)]
  }
  case
}

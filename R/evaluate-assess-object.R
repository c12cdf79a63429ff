# Builds the result of assess_decisions() from the engine's counts.

new_assessment <- function(decided, scores, measured, believed, call) {
  left_out <- read_left_out(decided, "assess", call)
  n <- sum(decided$count)
  # Another warning has already explained the rows that a model cannot decide.
  warn_left_out(replace(left_out, "decision", left_out[["decision"]] * !believed$reasons), call)
  confusion <- assessed_table(decided, believed, left_out)
  result <- c(
    list(n = n, left_out = left_out, confusion = confusion),
    assessed_errors(confusion, sum(decided$wrong)), assessed_costs(decided),
    list(cells = cell_frame(unclass(confusion), decided$cost)),
    assessed_scores(scores, believed$cost$classes)
  )
  classes <- believed$cost$classes
  result$total <- sum(decided$cost)
  result$constant <- constant_frame(measured, believed$cost$actions)
  result$measures <- measure_frame(measured, classes)
  result$by_truth <- data.frame(
    assessed_truths(decided, classes, !is.na(result$error)),
    measures_by_class(result$measures, setdiff(class_measures, "ks"))
  )
  result["ranking"] <- list(ranking_frame(measured$curves, classes, rowSums(decided$count)))
  result["risk_coverage"] <- list(coverage_frame(decided$coverage, n, !is.na(result$error)))
  two <- length(classes) == 2L
  result["cost_curve"] <- list(if (two) curve_frame(scores$cost_curve))
  result["benefit"] <- list(if (two) curve_frame(scores$benefit))
  result["cost_matrix"] <- list(kept_cost(believed$cost))
  warn_certain(result$certain, call)
  result$version <- package_version_string
  structure(result, class = c("bayesrisk_assessment", "bayesrisk_result"))
}

# The numbers of the cases that the engine left out, by reason. Stops if no case is left.
# `purpose`: the end of the error, which begins with "There is no case to".
read_left_out <- function(counted, purpose, call) {
  left_out <- c(truth = counted$unknown, decision = counted$undecided, cost = counted$unpriced)
  if (sum(counted$count) > 0) return(left_out)
  why <- if (sum(left_out) > 0) paste0(": ", left_out_sentence(left_out))
  abort_argument("There is no case to {purpose}{why}.", call)
}

warn_left_out <- function(left_out, call) {
  if (!any(left_out > 0)) return(invisible())
  sentence <- left_out_sentence(left_out)
  warn_bayesrisk("{sentence} of the assessment.", "missing", call)
}

assessed_table <- function(decided, believed, left_out) {
  counts <- matrix(
    as.integer(decided$count), nrow(decided$count),
    dimnames = list(truth = believed$cost$classes, decision = believed$cost$actions)
  )
  new_confusion(counts, left_out)
}

# Errors and coverage. `wrong`: the number of wrong cases. An action that is no class is never
# wrong.
assessed_errors <- function(confusion, wrong) {
  counts <- unclass(confusion)
  classes <- intersect(colnames(counts), rownames(counts))
  decided <- if (length(classes)) sum(counts[, classes]) else NA
  error_shares(wrong, decided, sum(counts))
}

assessed_costs <- function(decided) {
  list(
    cost = decided$realised, std.error = open_as_na(decided$standard_error), lower = decided$lower,
    upper = decided$upper, believed = open_as_na(decided$believed), best = open_as_na(decided$best),
    regret = open_as_na(decided$realised - decided$best)
  )
}

# A row for each cell. `counts`, `costs`: matrices, truth x decision; or one NA for all costs.
cell_frame <- function(counts, costs) {
  cells <- expand.grid(decision = colnames(counts), truth = rownames(counts))
  costs <- as.vector(t(costs))
  data.frame(
    cells[c("truth", "decision")], n = as.vector(t(counts)), cost = costs, share = shares_of(costs)
  )
}

# The shares of a total. NA if the total is 0 or infinite.
shares_of <- function(costs) {
  share <- costs / sum(costs)
  replace(share, !is.finite(share), NA_real_)
}

assessed_truths <- function(decided, classes, decides_class) {
  n <- rowSums(decided$count)
  cost <- rowSums(decided$cost)
  data.frame(
    truth = factor(classes, classes), n = as.integer(n),
    error = if (decides_class) open_as_na(decided$wrong / n) else NA_real_,
    cost = open_as_na(cost / n), share = shares_of(cost)
  )
}

assessed_scores <- function(scores, classes) {
  if (is.null(scores)) {
    return(list(
      log_loss = NA_real_, brier = NA_real_, impossible = NA_real_, calibration = NULL,
      certain = NULL
    ))
  }
  bins <- scores$bins
  list(
    log_loss = scores$log_loss, brier = scores$brier, impossible = scores$impossible,
    calibration = data.frame(
      class = factor(classes[bins$class], classes), from = bins$from, to = bins$to,
      cases = bins$cases, predicted = open_as_na(bins$predicted),
      observed = open_as_na(bins$observed)
    ),
    certain = scores$certain
  )
}

# The curve of rejecting the cases of largest expected cost. Each row has a price, `reject`. At this
# price all cases of larger expected cost are rejected.
coverage_frame <- function(curve, n, decides_class) {
  if (length(curve$reject) == 0L) return(NULL)
  data.frame(
    reject = curve$reject, coverage = curve$decided / n,
    error = if (decides_class) curve$wrong / curve$decided else NA_real_,
    cost = curve$cost / curve$decided,
    risk = (curve$cost + ifelse(curve$decided == n, 0, curve$reject * (n - curve$decided))) / n
  )
}

curve_frame <- function(curve) if (length(curve[[1L]])) as.data.frame(curve)

# Warns if the cases with a posterior near 1 have more errors than their probabilities allow.
warn_certain <- function(certain, call) {
  if (!is_overconfident(certain)) return(invisible())
  warn_bayesrisk(c(
    "{certain_sentence(certain)}.",
    i = "Decisions under asymmetric costs depend most on these probabilities.",
    i = "A usual cause is features that depend on each other: see {.fn bayes_blocks}.",
    i = "{.fn temper} estimates from the data how much such features count."
  ), "calibration", call)
}

is_overconfident <- function(certain) {
  !is.null(certain) &&
    stats::ppois(certain[["wrong"]] - 1, certain[["expected"]], lower.tail = FALSE) < 0.001
}

certain_sentence <- function(certain) {
  sprintf(
    "Of %s with a posterior of %s or more, %s wrong where %s was expected",
    count_of(certain[["cases"]], "case", "cases"), format(certain[["from"]]),
    count_of(certain[["wrong"]], "is", "are"), format(signif(certain[["expected"]], 2L))
  )
}

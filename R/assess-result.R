# Builds the result of assess_decisions() from the engine's counts.

new_assessment <- function(decided, scores, measured, believed, design, interval, class, call) {
  left_out <- read_left_out(decided, "assess", call)
  # Another warning has already explained the rows that a model cannot decide.
  warn_left_out(replace(left_out, "decision", left_out[["decision"]] * !believed$reasons), call)
  found <- in_units(decided, scores, measured, design$unit)
  decided <- found$decided
  scores <- found$scores
  n <- sum(decided$count)
  classes <- believed$cost$classes
  confusion <- assessed_table(decided, believed, design$weighted, left_out)
  result <- c(
    list(n = n, left_out = left_out, confusion = confusion),
    assessed_errors(confusion, sum(decided$wrong)), assessed_costs(decided, interval$level),
    list(cells = cell_frame(unclass(confusion), decided$cost)),
    assessed_scores(scores, classes, design$weighted || !is.null(design$cluster))
  )
  result$total <- sum(decided$cost)
  result$constant <- constant_frame(measured, believed$cost$actions, believed$possible)
  result$measures <- measure_frame(measured, classes, decided$clusters, interval)
  result$by_truth <- data.frame(
    assessed_truths(decided, classes, !is.na(result$error), design$weighted),
    measures_by_class(result$measures, setdiff(class_measures, "ks"))
  )
  cases <- rowSums(decided$count)
  result["ranking"] <- list(ranking_frame(found$curves, classes, cases))
  result["risk_coverage"] <- list(coverage_frame(decided$coverage, n, !is.na(result$error)))
  two <- length(classes) == 2L
  result["cost_curve"] <- list(if (two) curve_frame(scores$cost_curve))
  result$class <- class
  result["benefit"] <- list(benefit_frame(scores, classes, decided$clusters, design, interval))
  result["cost_matrix"] <- list(kept_cost(believed$cost))
  result[c("interval", "level")] <- interval[c("by", "level")]
  warn_certain(result$certain, call)
  result$version <- package_version_string
  structure(result, class = c("bayesrisk_assessment", "bayesrisk_result"))
}

# The class that plots of one class and net benefits speak of. The default is the class that is
# dearest to miss, and of several the rarest. A class without a case has no net benefit.
read_assessed_class <- function(class, cost, cases, call) {
  if (!is.null(class)) return(check_some(class, cost$classes, "class", call))
  worst <- cost$fixed
  worst[cost$by_case$cell] <- vapply(cost$by_case$value, mean, 1, na.rm = TRUE)
  worst <- apply(worst, 2L, max, na.rm = TRUE)
  dearest <- which(worst == max(worst))
  if (any(cases[dearest] > 0)) dearest <- dearest[cases[dearest] > 0]
  rarest <- dearest[cases[dearest] == min(cases[dearest])]
  cost$classes[[rarest[[length(rarest)]]]]
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

assessed_table <- function(decided, believed, weighted, left_out) {
  counts <- matrix(
    if (weighted) decided$count else as.integer(decided$count), nrow(decided$count),
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

assessed_costs <- function(decided, level) {
  c(
    list(cost = decided$realised, std.error = open_as_na(decided$standard_error)),
    lapply(widen_drawn(
      decided$realised, decided$lower, decided$upper, decided$clusters, level, decided$least,
      decided$greatest
    ), open_as_na),
    list(
      believed = open_as_na(decided$believed), best = open_as_na(decided$best),
      regret = open_as_na(decided$realised - decided$best)
    )
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

assessed_truths <- function(decided, classes, decides_class, weighted) {
  n <- rowSums(decided$count)
  cost <- rowSums(decided$cost)
  data.frame(
    truth = factor(classes, classes), n = if (weighted) n else as.integer(n),
    error = if (decides_class) open_as_na(decided$wrong / n) else NA_real_,
    cost = open_as_na(cost / n), share = shares_of(cost)
  )
}

# `scaled`: whether numbers of cases differ from effective numbers.
assessed_scores <- function(scores, classes, scaled) {
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
      observed = open_as_na(bins$observed), effective = bins$effective
    ),
    certain = if (scaled) scores$certain else scores$certain[names(scores$certain) != "scale"]
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

# The upper tail of a Poisson number. Sums of weights are scaled to their effective number, which
# need not be whole.
is_overconfident <- function(certain, size = 0.001) {
  if (is.null(certain) || certain[["wrong"]] == 0) return(FALSE)
  scale <- if ("scale" %in% names(certain)) certain[["scale"]] else 1
  stats::pgamma(certain[["expected"]] * scale, certain[["wrong"]] * scale) < size
}

certain_sentence <- function(certain) {
  sprintf(
    "Of %s with a posterior of %s or more, %s wrong where %s was expected",
    count_of(signif(certain[["cases"]], 4L), "case", "cases"), format(certain[["from"]]),
    count_of(signif(certain[["wrong"]], 4L), "is", "are"), format(signif(certain[["expected"]], 2L))
  )
}

#' @export
describe.bayesrisk_assessment <- function(x, show) {
  x <- check_assessment(x, show$call)
  actions <- count_of(ncol(x$confusion), "action", "actions")
  notes <- c(
    if (sum(x$left_out) > 0) paste0(left_out_sentence(x$left_out), "."),
    if (is_overconfident(x$certain)) paste0(certain_sentence(x$certain), "."),
    if (is.na(x$log_loss)) {
      paste(
        "AUC, log loss and calibration need probabilities, which decisions do not hold. Assess the",
        "model, assess_decisions(model, data, cost), or its posteriors,",
        "assess_decisions(posterior, cost = cost, truth = truth)."
      )
    }
  )
  few <- nrow(x$confusion) <= 6L && is_small_table(plain_counts(x$confusion))
  c(
    list(
      title_item(sprintf("assessment: %s, %s", count_of(x$n, "case", "cases"), actions)),
      table_item(assessed_numbers(x, show$digits), whole = TRUE)
    ),
    if (few) small_parts(x) else large_parts(x, show),
    list(sentences_item(notes))
  )
}

small_parts <- function(x) {
  shares <- if (nrow(x$confusion) <= 3L) assessed_shares(x)
  by_class <- classes_measured(x)
  tested <- classes_tested(x)
  list(
    heading_item("Cases, truth in rows"), table_item(plain_counts(x$confusion)),
    if (!is.null(shares)) heading_item("Shares of the cost"),
    if (!is.null(shares)) table_item(shares),
    if (!is.null(by_class)) heading_item("Each class against the others"),
    if (!is.null(by_class)) table_item(by_class),
    if (!is.null(tested)) heading_item("The decision for each class as a test of it"),
    if (!is.null(tested)) table_item(tested)
  )
}

# The classes and the errors with the largest costs.
large_parts <- function(x, show) {
  rows <- seq_len(most_rows(show, 7L))
  by_class <- classes_measured(x)
  if (is.null(by_class)) by_class <- x$by_truth[c("truth", "n")]
  dearest <- order(-x$by_truth$cost * x$by_truth$n, -x$by_truth$n)
  errors <- x$cells[x$cells$n > 0 & as.character(x$cells$truth) != as.character(x$cells$decision), ]
  errors <- errors[order(-errors$cost, -errors$n), ]
  list(
    heading_item("Classes, the most expensive first"),
    table_item(
      by_class[utils::head(dearest, length(rows)), ], c("class", "classes"),
      total = nrow(by_class)
    ),
    heading_item("Errors, the most expensive first"),
    table_item(
      gain_columns(utils::head(errors, length(rows)), are_gains(x$cost, x$cost_matrix)),
      c("kind of error", "kinds of error"), keys = 2L, total = nrow(errors)
    )
  )
}

# The measures over all cases, as text.
assessed_numbers <- function(x, digits) {
  number <- function(v) format(v, digits = digits)
  gains <- are_gains(x$cost, x$cost_matrix)
  money <- function(v) number(gain_numbers(v, gains))
  ends <- c(x$lower, x$upper)
  if (gains) ends <- rev(ends)
  costs <- c(
    `cost per case` = paste0(
      money(x$cost),
      if (!is.na(x$lower)) interval_text(money(ends[[1L]]), money(ends[[2L]]), x$level)
    ),
    `total cost` = money(x$total)
  )
  names(costs) <- gain_words(names(costs), gains)
  shown <- c(
    costs, `best constant` = best_constant(x$constant, money),
    believed = money(x$believed), `best possible` = money(x$best), regret = number(x$regret),
    describe_error(x, number), measure_texts(x$measures, number),
    `log loss` = if (!is.na(x$log_loss)) number(x$log_loss),
    `Brier score` = if (!is.na(x$brier)) number(x$brier)
  )
  data.frame(measure = names(shown), value = unname(shown))
}

best_constant <- function(constant, number) {
  if (is.na(constant$cost[[1L]])) return("none: the limits allow no single action")
  action <- encodeString(as.character(constant$action[[1L]]))
  sprintf("%s, always %s", number(constant$cost[[1L]]), action)
}

describe_error <- function(x, number) {
  if (is.na(x$error)) return(c(error = "none: no action is a class"))
  if (x$coverage == 1) return(c(error = number(x$error)))
  c(
    error = number(x$error), decided = paste(number(x$coverage), "of all, for a class"),
    `error of these` = number(x$error_decided)
  )
}

# The share of the total cost in each cell, as text. NULL if a share is missing or negative.
assessed_shares <- function(x) {
  share <- x$cells$share
  if (anyNA(share) || any(share < 0)) return(NULL)
  shares <- matrix(
    paste(format(round(100 * share)), "%"), nrow(x$confusion), byrow = TRUE,
    dimnames = dimnames(x$confusion)
  )
  replace(shares, t(matrix(share, ncol(x$confusion))) == 0, ".")
}

check_assessment <- function(x, call, arg = "x") {
  x <- up_to_date(x, "assessment", call)
  sound <- is.list(x) && all(assessment_parts %in% names(x)) &&
    inherits(x$confusion, "bayesrisk_confusion") && is.data.frame(x$cells) &&
    nrow(x$cells) == length(x$confusion) && is.data.frame(x$by_truth) &&
    nrow(x$by_truth) == nrow(x$confusion)
  if (sound) return(x)
  abort_argument(c(
    "{.arg {arg}} is not a whole result of {.fn assess_decisions}: it was changed.",
    i = "Make it again."
  ), call)
}

assessment_parts <- c(
  "n", "left_out", "confusion", "error", "coverage", "error_decided", "cost", "std.error",
  "lower", "upper", "believed", "best", "regret", "cells", "by_truth", "log_loss", "brier",
  "impossible", "total", "constant", "measures", "class", "level"
)

#' @export
result_rows.bayesrisk_assessment <- function(x, call) {
  x <- check_assessment(x, call)
  x$cells
}

#' Assessments as data frames
#'
#' @param x,object A result of [assess_decisions()].
#' @param ... Not used: any further argument is an error.
#' @return
#' `tidy()` and `as.data.frame()`: a row per true class and decision, see `cells` of
#' [assess_decisions()].
#'
#' `glance()`: one row: `n`, `error`, `coverage`, `error_decided`, `cost`, `std.error`, `lower`,
#' `upper`, `believed`, `best`, `regret`, `log_loss`, `brier`, `total`, `accuracy`,
#' `balanced_accuracy`, `kappa`, `mcc`, `kappa_linear`, `kappa_quadratic`, `auc`, `gini`, `ks`.
#'
#' `summary()`: a data frame of class `bayesrisk_summary_assessment`, a row per true class: `truth`,
#' `n`, `error` (the share decided for another class), `cost` (the mean cost), `share` (the share of
#' the total cost), and `sensitivity`, `specificity`, `precision`, `npv`, `lr_positive`,
#' `lr_negative`, `f1`, `auc` and `average_precision` of the class against the others.
#' @seealso [assess_decisions()]
#' @examples
#' model <- fit(bayes_naive(), Species ~ ., iris)
#' assessed <- assess_decisions(model, iris)
#' tidy(assessed)
#' glance(assessed)
#' summary(assessed)
#' @name tidy.bayesrisk_assessment
#' @export
glance.bayesrisk_assessment <- function(x, ...) {
  call <- check_no_dots(...)
  x <- check_assessment(x, call)
  unless_damaged({
    overall <- x$measures[is.na(x$measures$class), ]
    data.frame(
      unclass(x)[c(
        "n", "error", "coverage", "error_decided", "cost", "std.error", "lower", "upper",
        "believed", "best", "regret", "log_loss", "brier", "total"
      )],
      as.list(stats::setNames(overall$estimate, overall$measure))
    )
  }, call)
}

#' @rdname tidy.bayesrisk_assessment
#' @export
summary.bayesrisk_assessment <- function(object, ...) {
  call <- check_no_dots(...)
  object <- check_assessment(object, call, "object")
  structure(
    object$by_truth, gains = are_gains(object$cost, object$cost_matrix),
    class = c("bayesrisk_summary_assessment", "bayesrisk_result", "data.frame")
  )
}

#' @export
describe.bayesrisk_summary_assessment <- function(x, show) {
  list(
    title_item("assessment by the true class"),
    table_item(
      gain_columns(plain_frame(x), isTRUE(attr(x, "gains"))), c("class", "classes")
    )
  )
}

#' @export
describe.bayesrisk_assessment <- function(x, show) {
  x <- check_assessment(x, show$call)
  actions <- count_of(ncol(x$confusion), "action", "actions")
  notes <- c(
    if (sum(x$left_out) > 0) paste0(left_out_sentence(x$left_out), "."),
    if (is_overconfident(x$certain)) paste0(certain_sentence(x$certain), ".")
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
  list(
    heading_item("Cases, truth in rows"), table_item(plain_counts(x$confusion)),
    if (!is.null(shares)) heading_item("Shares of the cost"),
    if (!is.null(shares)) table_item(shares),
    if (!is.null(by_class)) heading_item("Each class against the others"),
    if (!is.null(by_class)) table_item(by_class)
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
      utils::head(errors, length(rows)), c("kind of error", "kinds of error"),
      keys = 2L, total = nrow(errors)
    )
  )
}

# The measures over all cases, as text.
assessed_numbers <- function(x, digits) {
  number <- function(v) format(v, digits = digits)
  shown <- c(
    `cost per case` = sprintf(
      "%s (95 %% interval %s to %s)", number(x$cost), number(x$lower), number(x$upper)
    ),
    `total cost` = number(x$total),
    `best constant` = sprintf(
      "%s, always %s", number(x$constant$cost[[1L]]),
      encodeString(as.character(x$constant$action[[1L]]))
    ),
    believed = number(x$believed), `best possible` = number(x$best), regret = number(x$regret),
    describe_error(x, number), measure_texts(x$measures, number),
    `log loss` = if (!is.na(x$log_loss)) number(x$log_loss),
    `Brier score` = if (!is.na(x$brier)) number(x$brier)
  )
  data.frame(measure = names(shown), value = unname(shown))
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
  "impossible", "total", "constant", "measures"
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
#' `balanced_accuracy`, `kappa`, `mcc`, `auc`, `gini`, `ks`.
#'
#' `summary()`: a data frame of class `bayesrisk_summary_assessment`, a row per true class: `truth`,
#' `n`, `error` (the share decided for another class), `cost` (the mean cost), `share` (the share of
#' the total cost), and `sensitivity`, `specificity`, `precision`, `f1` and `auc` of the class
#' against the others.
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
    object$by_truth,
    class = c("bayesrisk_summary_assessment", "bayesrisk_result", "data.frame")
  )
}

#' @export
describe.bayesrisk_summary_assessment <- function(x, show) {
  list(
    title_item("assessment by the true class"),
    table_item(plain_frame(x), c("class", "classes"))
  )
}

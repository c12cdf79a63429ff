#' @export
print.bayesrisk_assessment <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  digits <- check_digits(digits)
  check_assessment(x, rlang::current_env())
  number <- function(v) vapply(v, function(one) format(one, digits = digits), "")
  print_heading(sprintf(
    "<assessment: %s, %s>", count_of(x$n, "case", "cases"),
    count_of(ncol(x$confusion), "action", "actions")
  ))
  cat("\n")
  lines <- c(
    `cost per case` = sprintf(
      "%s (95 %% interval %s to %s)", number(x$cost), number(x$lower), number(x$upper)
    ),
    believed = number(x$believed), `best possible` = number(x$best), regret = number(x$regret),
    error = describe_error(x, number),
    `log loss` = if (!is.na(x$log_loss)) number(x$log_loss),
    `Brier score` = if (!is.na(x$brier)) number(x$brier)
  )
  cat(paste0("  ", format(names(lines)), "  ", lines), sep = "\n")
  print_heading("Cases, truth in rows:", blank = TRUE)
  print(structure(unclass(x$confusion), left_out = NULL), ...)
  print_cost_shares(x, ...)
  notes <- c(
    if (sum(x$left_out) > 0) paste0(left_out_sentence(x$left_out), "."),
    if (is_overconfident(x$certain)) paste0(certain_sentence(x$certain), ".")
  )
  if (length(notes)) cat("\n")
  for (note in notes) print_sentence(note)
  invisible(x)
}

describe_error <- function(x, number) {
  if (is.na(x$error)) return("none: no action is a class")
  if (x$coverage == 1) return(number(x$error))
  sprintf(
    "%s; %s of those decided for a class (%s of all)", number(x$error), number(x$error_decided),
    number(x$coverage)
  )
}

# Where the cost comes from, unless the shares say nothing.
print_cost_shares <- function(x, ...) {
  share <- x$cells$share
  if (anyNA(share) || any(share < 0)) return(invisible())
  shares <- matrix(
    paste(format(round(100 * share)), "%"), nrow(x$confusion), byrow = TRUE,
    dimnames = dimnames(x$confusion)
  )
  shares[t(matrix(share, ncol(x$confusion))) == 0] <- "."
  print_heading("Shares of the cost:", blank = TRUE)
  print(shares, quote = FALSE, right = TRUE, ...)
}

check_assessment <- function(x, call, arg = "x") {
  sound <- is.list(x) && all(assessment_parts %in% names(x)) &&
    inherits(x$confusion, "bayesrisk_confusion") && is.data.frame(x$cells) &&
    nrow(x$cells) == length(x$confusion) && is.data.frame(x$by_truth) &&
    nrow(x$by_truth) == nrow(x$confusion)
  if (sound) return(invisible())
  abort_argument(c(
    "{.arg {arg}} is no whole result of {.fn assess_decisions}: it was changed.",
    i = "Make it again."
  ), call)
}

assessment_parts <- c(
  "n", "left_out", "confusion", "error", "coverage", "error_decided", "cost", "std.error",
  "lower", "upper", "believed", "best", "regret", "cells", "by_truth", "log_loss", "brier",
  "impossible"
)

#' Assessments as data frames
#'
#' @param x,object A result of [assess_decisions()].
#' @param row.names,optional,... Not used.
#' @return
#' `tidy()` and `as.data.frame()`: a row per true class and decision, see `cells` of
#' [assess_decisions()].
#'
#' `glance()`: one row: `n`, `error`, `coverage`, `error_decided`, `cost`, `std.error`, `lower`,
#' `upper`, `believed`, `best`, `regret`, `log_loss`, `brier`.
#'
#' `summary()`: a row per true class: `truth`, `n`, `error` (the share decided for another class),
#' `cost` (mean), `share` (of the cost of all).
#' @seealso [assess_decisions()]
#' @examples
#' model <- fit(bayes_naive(), Species ~ ., iris)
#' assessed <- assess_decisions(model, iris)
#' tidy(assessed)
#' glance(assessed)
#' summary(assessed)
#' @name tidy.bayesrisk_assessment
#' @export
tidy.bayesrisk_assessment <- function(x, ...) {
  call <- rlang::current_env()
  check_no_dots(..., call = call)
  check_assessment(x, call)
  x$cells
}

#' @rdname tidy.bayesrisk_assessment
#' @export
as.data.frame.bayesrisk_assessment <- function(x,
                                               row.names = NULL, # nolint: object_name_linter.
                                               optional = FALSE, ...) {
  check_assessment(x, rlang::current_env())
  x$cells
}

#' @rdname tidy.bayesrisk_assessment
#' @export
glance.bayesrisk_assessment <- function(x, ...) {
  call <- rlang::current_env()
  check_no_dots(..., call = call)
  check_assessment(x, call)
  as.data.frame(unclass(x)[c(
    "n", "error", "coverage", "error_decided", "cost", "std.error", "lower", "upper", "believed",
    "best", "regret", "log_loss", "brier"
  )])
}

#' @rdname tidy.bayesrisk_assessment
#' @export
summary.bayesrisk_assessment <- function(object, ...) {
  call <- rlang::current_env()
  check_no_dots(..., call = call)
  check_assessment(object, call, "object")
  object$by_truth
}

#' @export
print.bayesrisk_cv <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  digits <- check_digits(digits)
  # A part of it, or a table that was changed, is no more than a table.
  if (!is_whole_cv(x)) {
    print(as.data.frame(x), digits = digits, ...)
    return(invisible(x))
  }
  by_fold <- attr(x, "by_fold")
  folds <- by_fold[by_fold$candidate == x$candidate[[1L]], ]
  print_heading(sprintf(
    "<cross-validation: %s, %s>", count_of(sum(folds$cases), "case", "cases"),
    if (all(folds$cases == 1)) "left out one by one" else count_of(nrow(folds), "fold", "folds")
  ))
  shown <- data.frame(
    candidate = x$candidate, error = x$error, cost = x$cost, std.error = attr(x, "cost_error")
  )
  if (nrow(x) > 1L) shown <- cbind(shown, as.data.frame(x)[c("difference", "lower", "upper")])
  print(shown, digits = digits, row.names = FALSE, ...)
  notes <- cv_notes(x)
  if (length(notes)) cat("\n")
  for (note in notes) print_sentence(note)
  invisible(x)
}

cv_notes <- function(x) {
  c(
    if (nrow(x) > 1L) {
      sprintf("difference: cost minus that of %s, with its 95 %% interval", x$candidate[[1L]])
    },
    fold_notes(attr(x, "by_fold"))
  )
}

is_whole_cv <- function(x) {
  by_fold <- attr(x, "by_fold")
  columns <- c("candidate", "error", "cost", "difference", "lower", "upper")
  is.data.frame(by_fold) && identical(names(x), columns) && nrow(x) > 0L &&
    identical(levels(by_fold$candidate), x$candidate) &&
    length(attr(x, "cost_error")) == nrow(x)
}

fold_notes <- function(by_fold) {
  undecided <- undecided_cases(by_fold)
  c(
    if (length(undecided)) {
      counted <- vapply(undecided, count_of, "", singular = "case", plural = "cases")
      paste("left out, for want of a decision:", paste(names(undecided), counted, collapse = ", "))
    },
    fold_problem_lines(by_fold)
  )
}

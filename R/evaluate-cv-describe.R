#' @export
describe.bayesrisk_cv <- function(x, show) {
  if (!is_whole_cv(x)) return(NextMethod())
  by_fold <- attr(x, "by_fold")
  folds <- by_fold[by_fold$candidate == x$candidate[[1L]], ]
  cases <- count_of(sum(folds$cases), "case", "cases")
  alone <- all(folds$cases == 1)
  split <- if (alone) "left out one by one" else count_of(nrow(folds), "fold", "folds")
  shown <- data.frame(x[c("candidate", "error", "cost")], std.error = attr(x, "cost_error"))
  if (nrow(x) > 1L) shown <- data.frame(shown, x[c("difference", "lower", "upper")])
  list(
    title_part(sprintf("cross-validation: %s, %s", cases, split)),
    table_part(shown, c("candidate", "candidates"), digits = few_digits()),
    sentences_part(cv_notes(x))
  )
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

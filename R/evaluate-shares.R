#' Shares of a confusion table
#'
#' [proportions()] (or [prop.table()]) of a [confusion_table()] divides its counts by the number of
#' all cases, of the cases of each truth, or of the cases of each decision.
#'
#' @details
#' For a table `x`:
#' * `proportions(x)`: the shares of all cases; they add up to 1;
#' * `proportions(x, "truth")`, or `proportions(x, 1)`: the shares of each truth; each row adds up
#'   to 1. The diagonal holds the recall of each class;
#' * `proportions(x, "decision")`, or `proportions(x, 2)`: the shares of each decision; each column
#'   adds up to 1. The diagonal holds the precision of each decision.
#'
#' The shares of a class or decision without cases are `NaN`, and print as `-`.
#' `x / sum(x)` and `x / rowSums(x)` are the same as the first two.
#'
#' @return A table of class `bayesrisk_shares` with `dimnames` named `truth` and `decision`. The
#'   attribute `of` is `"all"`, `"truth"` or `"decision"`, and `cases` is the number of cases. All
#'   other arithmetic of confusion tables, and all arithmetic of shares, gives plain tables.
#' @seealso [confusion_table()], [assess_decisions()] for intervals
#' @examples
#' model <- fit(bayes_naive(), Species ~ Sepal.Length, iris)
#' counts <- confusion_table(iris$Species, predict(model, iris))
#' proportions(counts)
#' proportions(counts, "truth")
#' 100 * proportions(counts, "decision")
#' @name bayesrisk_shares
NULL

# Makes the result of proportions(). This function is not generic, but it divides the table by its
# totals, and division is generic.
#' @export
Ops.bayesrisk_confusion <- function(e1, e2) {
  operate <- get(.Generic, mode = "function")
  if (nargs() == 1L) return(operate(plain_table(e1)))
  value <- operate(plain_table(e1), plain_table(e2))
  if (.Generic == "+" && are_like_counts(e1, e2)) {
    return(new_confusion(value, attr(e1, "left_out") + attr(e2, "left_out")))
  }
  of <- if (.Generic == "/") divided_by(e1, e2)
  if (is.null(of)) return(value)
  structure(
    value, of = of, cases = sum(e1), class = c("bayesrisk_shares", "bayesrisk_result", "table")
  )
}

#' @export
Ops.bayesrisk_shares <- function(e1, e2) {
  operate <- get(.Generic, mode = "function")
  if (nargs() == 1L) operate(plain_table(e1)) else operate(plain_table(e1), plain_table(e2))
}

are_like_counts <- function(x, y) {
  inherits(x, "bayesrisk_confusion") && inherits(y, "bayesrisk_confusion") &&
    identical(dimnames(x), dimnames(y)) && !is.null(attr(x, "left_out")) &&
    !is.null(attr(y, "left_out"))
}

# The name of the totals of the counts `x` that the divisor `by` equals; NULL if it equals none.
divided_by <- function(x, by) {
  if (!inherits(x, "bayesrisk_confusion") || length(dim(x)) != 2L || !is.numeric(by)) return(NULL)
  counts <- unclass(x)
  by <- rep_len(as.vector(unclass(by)), length(counts))
  totals <- list(
    all = rep(sum(counts), length(counts)), truth = rep(rowSums(counts), ncol(counts)),
    decision = rep(colSums(counts), each = nrow(counts))
  )
  same <- vapply(totals, function(total) isTRUE(all(total == by)), NA)
  if (any(same)) names(totals)[same][[1L]]
}

#' @export
describe.bayesrisk_shares <- function(x, show) {
  of <- attr(x, "of")
  shares <- open_as_na(plain_counts(x))
  cases <- count_of(attr(x, "cases"), "case", "cases")
  whole <- if (of == "all") cases else sprintf("each %s, %s", of, cases)
  if (!is_small_table(shares)) {
    return(list(
      title_item(paste("shares of", whole)),
      table_item(largest_shares(x), c("pair", "pairs"), keys = 2L)
    ))
  }
  list(
    title_item(sprintf("shares of %s: truth in rows, decision in columns", whole)),
    table_item(shares, na = "-")
  )
}

largest_shares <- function(x) {
  rows <- result_rows(x)
  rows <- rows[rows$share > 0 & !is.nan(rows$share), ]
  rows[order(-rows$share), ]
}

#' @export
result_rows.bayesrisk_shares <- function(x, call) array_rows(plain_table(x), "share")

#' @export
t.bayesrisk_shares <- function(x) t(plain_table(x))

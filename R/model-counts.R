#' The counts behind a model
#'
#' The tables that a model was estimated from: how many cases each class has, and how often each
#' level or combination of levels occurs in it. Without smoothing, a probability of
#' [coef()][coef.bayesrisk_model] is the count divided by the count of its class.
#'
#' @param object A fitted model, or a result of [bayes_statistics()].
#' @inheritParams bayesrisk_arguments
#' @details
#' Counts are sums of case weights; without weights, numbers of rows. A row in which a feature is
#' missing is not counted for this feature, so a row of its table can add up to less than the count
#' of the class. A joint block counts the rows in which all its features are known. Smoothing is not
#' part of the counts: `laplace` adds its cases when probabilities are estimated.
#' @return A list of class `bayesrisk_counts`. Its first element, `class`, has the count of each
#'   class, named. The other elements are those of [coef()][coef.bayesrisk_model], in the same
#'   order and with the same names:
#'   * categorical feature: a class x level matrix;
#'   * joint table or joint histogram: an array level x level x ... x class; if it would have more
#'     than 1e5 numbers, a data frame of the cells seen in training with the column `count`;
#'   * histogram: a class x bin matrix; if the classes have different bins, a data frame with the
#'     columns `class`, `from`, `to` and `count`;
#'   * any other numeric feature or block: the count of the cases in which it is known, named by
#'     class; `NA` if the likelihood keeps no counts.
#'
#'   `as.data.frame()` gives a row for each count: `class`, `term` (`"(class)"` for the first
#'   element), `level` and `count`.
#' @section Errors: `bayesrisk_error_argument` for a model of [bayes_known()], which has no data.
#' @source Lecture "Chapter ML:IV Statistical Learning: Bayes Classification": the counts of the
#'   days on which EnjoySport is yes or no, such as 2/9.
#' @seealso [coef()][coef.bayesrisk_model] for the probabilities, [confusion_table()] for counts of
#'   decisions
#' @export
#' @examples
#' model <- fit(bayes_naive(), play ~ outlook + wind, play_tennis)
#' n <- counts(model)
#' n
#' # P(sunny | yes) = 2/9
#' n$outlook["yes", "sunny"] / n$class["yes"]
#' coef(model)$outlook["yes", "sunny"]
counts <- function(object, ...) {
  call <- check_no_dots(...)
  object <- maybe(object)
  collected <- inherits(object, "bayesrisk_statistics")
  check <- if (collected) check_statistics else check_model
  object <- check(object, call, "object")
  if (is.null(object$statistics)) {
    abort_argument(c(
      "{.arg object} has no counts: it was made from numbers, without data.",
      i = "Its probabilities: {.code coef(model)}."
    ), call)
  }
  cases <- stats::setNames(object$statistics$classes$weight, object$schema$classes$levels)
  blocks <- by_block(object, object$statistics$banks, function(record) record$counts)
  structure(
    c(list(class = cases), blocks),
    class = c("bayesrisk_counts", "bayesrisk_result")
  )
}

#' @export
describe.bayesrisk_counts <- function(x, show) {
  blocks <- unclass(x)[-1L]
  tables <- lengths(lapply(blocks, dim)) > 0L
  shown <- utils::head(which(tables), if (is.null(show$n)) 10L else show$n)
  left <- sum(tables) - length(shown)
  parts <- lapply(shown, function(b) {
    x <- blocks[[b]]
    item <- if (is.matrix(x)) matrix_part(x, show) else table_item(x, c("cell", "cells"))
    list(heading_item(names(blocks)[[b]]), item)
  })
  known <- do.call(rbind, blocks[!tables])
  c(
    list(
      title_item(paste("counts of", describe_total(x$class))),
      table_item(
        data.frame(class = names(x$class), cases = unname(x$class)), c("class", "classes")
      )
    ),
    unlist(parts, recursive = FALSE),
    list(
      if (left > 0L) sentences_item(paste0(more_of(left, c("table", "tables")), ".")),
      if (length(known)) heading_item("Cases with a known number, by class"),
      if (length(known)) {
        table_item(
          data.frame(feature = rownames(known), known, check.names = FALSE),
          c("feature", "features")
        )
      }
    )
  )
}

describe_total <- function(class) {
  total <- sum(class)
  whole <- all(class == round(class))
  if (whole) count_of(total, "case", "cases") else paste("cases with weight", format(total))
}

#' @export
result_rows.bayesrisk_counts <- function(x, call) {
  classes <- names(x$class)
  terms <- c("(class)", names(x)[-1L])
  rows <- do.call(rbind, Map(count_rows, unclass(x), terms, list(classes)))
  rownames(rows) <- NULL
  rows
}

# A row for each count. `x`: an element of the counts.
count_rows <- function(x, term, classes) {
  if (is.null(dim(x))) {
    level <- rep(NA_character_, length(x))
    x <- data.frame(class = names(x), level = level, count = unname(x))
  } else if (is.matrix(x) && !is_table_of_one(x, term)) {
    x <- data.frame(class = classes, level = rep(colnames(x), each = length(classes)), count = c(x))
  } else if (is.data.frame(x) && is.null(attr(x, "unseen"))) {
    x <- data.frame(class = x$class, level = paste(x$from, x$to, sep = ":"), count = x$count)
  } else {
    # Features may be called class and count: the place of a column tells what it is.
    if (!is.data.frame(x)) x <- array_rows(x, "count")
    last <- length(x)
    levels <- x[seq_len(last - 2L)]
    term <- paste(names(levels), collapse = ":")
    level <- do.call(paste, c(unname(lapply(levels, as.character)), sep = ":"))
    x <- data.frame(class = x[[last - 1L]], level = level, count = x[[last]])
  }
  data.frame(
    class = factor(x$class, classes), term = rep(term, nrow(x)), x[c("level", "count")]
  )
}

# Whether a matrix is the joint table of a block of one feature, whose columns are the classes. That
# of a single feature has them as rows, and its feature may be called class.
is_table_of_one <- function(x, term) {
  names <- names(dimnames(x))
  names[[2L]] == "class" && !identical(c(names[[1L]], term), c("class", "class"))
}

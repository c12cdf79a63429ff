# The common class of all results. Each class of results has one description. print(), format(),
# summary(), subsetting, knitting and tidying have one method each for all results.

# Shows only the rows: for a subset of rows, or other values than those of the whole.
#' @export
describe.default <- function(x, show) { # nolint: object_name_linter.
  rows <- result_rows(x, show$call)
  list(title_item(count_of(nrow(rows), "row", "rows")), table_item(rows))
}

#' Results: printing, choosing rows, reports
#'
#' Models, costs, decisions, risks and all other objects of the package have the class
#' `bayesrisk_result` behind their own. These methods are the same for all of them.
#'
#' @param x,object An object of the package.
#' @param digits Significant digits of the printed numbers. Default: three fewer than
#'   `options(digits)`, so 4; costs are printed with `options(digits)`.
#' @param n The maximum number of rows of each table, and of sentences in a list; `Inf`: all. With
#'   `n` all columns and tables are printed. Default: as many as fit into about 40 lines, at most
#'   20.
#' @param ... For `[`, the arguments of [`[`][Extract]. All other methods do not use it: an argument
#'   that ends up here is an error.
#' @param row.names,optional As in [as.data.frame()].
#'
#' @return
#' `print()` returns `x` invisibly. Its text fits into `options(width)`: wide tables continue below.
#' Without `n` the text has about 40 lines, and names the parts that it leaves out. If there are
#' many classes, features or cases, it shows a summary, for example the errors that cost most.
#'
#' `format()` returns text: for models, costs and single answers their sentences, otherwise the
#' lines that `print()` shows.
#'
#' `summary()` returns the result itself, unless its help page describes a summary.
#'
#' `x[...]`, for results that are data frames: a subset of rows with all columns keeps its class,
#' but omits the sentences that hold for the complete result only. Any other subset is a plain data
#' frame or vector. Subsets of results that are arrays are plain arrays. A column that is removed,
#' renamed or replaced by one of another type, also by dplyr, leaves a plain data frame.
#'
#' `as.data.frame()` and [generics::tidy()] return a plain data frame.
#'
#' `plot()` draws the results that have a help page of its method, and tables. For other results it
#' is an error that says what to plot instead.
#'
#' In knitr documents a result shows the same parts as in the console, as text and tables for HTML,
#' LaTeX and Word.
#' @section Errors: `bayesrisk_error_argument` for `digits` or `n` that are no whole numbers, and
#'   for a result without a plot.
#' @examples
#' model <- fit(bayes_naive(laplace = 1), play ~ outlook + wind, play_tennis)
#' decided <- decide(model, play_tennis, zero_one_cost(model, reject = 0.3))
#' print(decided, digits = 3, n = 4)
#' decided[decided$decision == "reject", ]
#' head(tidy(decided), 2)
#' @name bayesrisk_result
#' @aliases plot.bayesrisk_result
#' @export
print.bayesrisk_result <- function(x, digits = NULL, n = NULL, ...) {
  show <- read_show(digits, n, rlang::current_env(), ...)
  writeLines(console_lines(x, show))
  invisible(x)
}

#' @rdname bayesrisk_result
#' @export
format.bayesrisk_result <- function(x, digits = NULL, n = NULL, ...) {
  show <- read_show(digits, n, rlang::current_env(), ...)
  as.character(cli::ansi_strip(console_lines(x, show)))
}

read_show <- function(digits, n, call, ...) {
  check_no_dots(..., call = call)
  if (identical(n, Inf)) n <- .Machine$integer.max
  if (!is.null(n)) n <- check_whole_number(n, "n", call = call)
  show_settings(digits, n, call)
}

#' @rdname bayesrisk_result
#' @export
summary.bayesrisk_result <- function(object, ...) {
  check_no_dots(...)
  object
}

#' @rdname bayesrisk_result
#' @export
`[.bayesrisk_result` <- function(x, ...) {
  part <- NextMethod()
  if (!is.data.frame(x) || !is.data.frame(part)) return(part)
  if (!identical(names(part), names(x))) return(plain_frame(part))
  same_rows <- identical(attr(part, "row.names"), attr(x, "row.names"))
  if (same_rows) x else keep_rows(x, part)
}

# Returns `part`, a subset of the rows of `x`, with the attributes that are still valid for it.
keep_rows <- function(x, part) UseMethod("keep_rows")

#' @export
keep_rows.default <- function(x, part) structure(part, part = TRUE)

# Whether the result has other rows or values than the one that the package made.
is_part <- function(x) isTRUE(attr(x, "part"))

# `what`: which parts of a result are gone, as text. `user`: the function that makes the result.
check_whole <- function(x, user, what, call) {
  if (!is_part(x)) return(invisible())
  abort_argument(c(
    "{.arg x} is not a whole result of {.fn {user}}: {what} are gone.",
    i = "Draw the result itself."
  ), call)
}

#' @export
`[<-.bayesrisk_result` <- function(x, ..., value) with_columns(NextMethod(), x)

#' @export
`[[<-.bayesrisk_result` <- function(x, ..., value) with_columns(NextMethod(), x)

#' @export
`$<-.bayesrisk_result` <- function(x, name, value) { # nolint: object_name_linter.
  with_columns(NextMethod(), x)
}

#' @export
`names<-.bayesrisk_result` <- function(x, value) with_columns(NextMethod(), x)

#' @exportS3Method dplyr::dplyr_reconstruct
dplyr_reconstruct.bayesrisk_result <- function(data, template) { # nolint: object_name_linter.
  rebuilt <- with_columns(NextMethod(), template)
  if (!inherits(rebuilt, "bayesrisk_result") || nrow(rebuilt) >= nrow(template)) return(rebuilt)
  keep_rows(template, rebuilt)
}

# `changed`: the result `x` with other columns. Methods rely on all columns of a class, so without
# them it is a plain data frame. Columns may be added behind them.
with_columns <- function(changed, x) {
  if (!is.data.frame(x)) return(changed)
  before <- unclass(x)[seq_along(x)]
  after <- unclass(changed)[seq_along(x)]
  kinds <- function(columns) vapply(columns, function(x) paste(mode(x), is.factor(x)), "")
  if (!identical(kinds(after), kinds(before))) return(plain_frame(changed))
  if (!identical(after, before)) attr(changed, "part") <- TRUE
  changed
}

plain_frame <- function(x) {
  attributes(x) <- c(attributes(x)[c("names", "row.names")], list(class = "data.frame"))
  x
}

#' @rdname bayesrisk_result
#' @export
as.data.frame.bayesrisk_result <- function(x,
                                           row.names = NULL, # nolint: object_name_linter.
                                           optional = FALSE, ...) {
  call <- rlang::current_env()
  rows <- unless_damaged({
    rows <- result_rows(x, call)
    factors <- Filter(is.factor, rows)
    # R would find it at the first print of the rows.
    stopifnot(vapply(factors, function(column) is.character(levels(column)), NA))
    rows
  }, call)
  name_rows(rows, row.names, call)
}

# A result as the rows of a plain data frame.
result_rows <- function(x, call) UseMethod("result_rows")

#' @export
result_rows.default <- function(x, call) {
  if (is.data.frame(x)) return(plain_frame(x))
  abort_argument("{.arg x}, of class {.cls {class(x)[[1L]]}}, is not made of rows.", call)
}

# A row for each cell of an array, the last dimension fastest. Its number stands in the last column,
# `value`. A dimension may have this name, too.
array_rows <- function(x, value, labels = dimnames(x)) {
  cells <- rev(as.list(expand.grid(rev(labels), stringsAsFactors = FALSE)))
  numbers <- stats::setNames(list(as.vector(aperm(unclass(x)))), value)
  list2DF(c(Map(factor, cells, labels), numbers))
}

#' @rdname bayesrisk_result
#' @export
tidy.bayesrisk_result <- function(x, ...) {
  check_no_dots(...)
  as.data.frame(x)
}

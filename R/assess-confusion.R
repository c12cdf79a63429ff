#' Count decisions by the truth
#'
#' Counts the cases of each pair of a true class and a decision: truth in rows, decisions in
#' columns. The axes are named, so [expected_cost()] cannot mistake rows for columns.
#'
#' @param truth,decision The true class and the decision of each case, of the same length: factors,
#'   text, logical or whole numbers. A factor keeps all its levels. Whole numbers are sorted as
#'   numbers, `FALSE` comes before `TRUE`, text is in C order. Classes and actions are matched by
#'   name.
#' @param weights Case weights: numbers, not negative, one per case. The counts are then sums of
#'   weights. `NULL`: each case counts once.
#' @param cluster The cluster of each case, such as a patient with several rows. It changes no
#'   count; the print tells the number of clusters. `NULL`: cases are independent.
#' @inheritParams bayesrisk_arguments
#'
#' @details
#' If some decisions are classes, all classes have a column, in the order of the rows. Actions that
#' are no classes, such as "reject", follow in their own order. If no decision is a class, only the
#' actions have columns.
#'
#' `caret::confusionMatrix()` and `yardstick::conf_mat()` have the decisions in rows:
#' `t(confusion_table(truth, decision))` is their table. If the names show that the arguments are
#' swapped (for example a truth "reject" that is never decided), there is a warning of class
#' `bayesrisk_warning_swapped`.
#'
#' A case without a truth or without a decision (`NA`) is left out, with a warning of class
#' `bayesrisk_warning_missing`. The print gives the number of these cases. An abstention is not
#' missing: it is an action with its own column, and stays in the denominator.
#'
#' @return A table of class `bayesrisk_confusion` with `dimnames` named `truth`
#'   and `decision`. The attribute `left_out` holds the number of cases without `truth`, and the
#'   number with a truth but without `decision`. The print also shows the share of each decision
#'   within each true class. Parts of the table and its transpose are plain tables.
#'   [proportions()] gives shares; two tables of the same classes and decisions can be added.
#'
#'   Errors are of class `bayesrisk_error_argument`: different lengths, other
#'   types, nothing to count.
#' @references
#' Lecture "Bayesian Learning" (Galili, Shamir, Yakhini), whose confusion matrix
#' has the truth in rows.
#' @seealso [proportions()][bayesrisk_shares] of the table, [expected_cost()], [cost_matrix()]
#' @export
#' @examples
#' # A rule of thumb for irises, with some doubt
#' rule <- cut(iris$Petal.Length, c(0, 2.5, 4.7, 5.1, 7),
#'             labels = c("setosa", "versicolor", "ask", "virginica"))
#' confusion_table(iris$Species, rule)
confusion_table <- function(truth, decision, weights = NULL, cluster = NULL, ...) {
  call <- check_no_dots(...)
  truth <- read_truth(rlang::enquo(truth), NULL, call)
  check_no_model(truth, "truth", call)
  check_no_model(maybe(decision), "decision", call)
  truth <- label_factor(truth, "truth", call)
  decision <- label_factor(maybe(decision), "decision", call)
  if (length(truth) != length(decision)) {
    abort_argument(
      "{.arg truth} and {.arg decision} must have the same length, not {length(truth)} and
       {length(decision)}."
    )
  }
  weights <- check_weights(maybe(weights), length(truth), call)
  if (!is.null(maybe(cluster))) cluster <- check_cluster(cluster, length(truth), call)
  if (!nlevels(truth) || !nlevels(decision)) {
    abort_argument("{.arg truth} and {.arg decision} must hold at least one case that is not NA.")
  }
  known <- !is.na(truth) & !is.na(decision) & (if (is.null(weights)) TRUE else weights > 0)
  left_out <- c(truth = sum(is.na(truth)), decision = sum(!is.na(truth) & is.na(decision)))
  if (sum(left_out)) {
    sentence <- left_out_sentence(left_out)
    warn_bayesrisk("{sentence} of the confusion table.", "missing")
  }
  warn_swapped(levels(truth), levels(decision), call)
  shared <- levels(decision) %in% levels(truth)
  actions <- if (any(shared)) c(levels(truth), levels(decision)[!shared]) else levels(decision)
  decision <- factor(decision, actions)
  counts <- if (is.null(weights)) {
    table(truth = truth, decision = decision)
  } else {
    stats::xtabs(weights ~ truth + decision, na.action = stats::na.omit)
  }
  new_confusion(
    structure(counts, call = NULL), left_out,
    if (!is.null(cluster)) length(unique(cluster[known]))
  )
}

check_no_model <- function(x, arg, call) {
  if (!is_model(x)) return(invisible())
  class <- x$schema$response
  class <- if (is.null(class)) "the class" else code_text(class)
  abort_argument(c(
    "{.arg {arg}} is a model, not a class per case.",
    i = paste("{.arg truth} is", class, "of the data, {.arg decision} its predicted class."),
    i = "{.code assess_decisions(model, data)} gives the table with its measures."
  ), call)
}

# Warns if the names show that truth and decision are swapped.
warn_swapped <- function(truth, decision, call) {
  action <- setdiff(truth[lower_case(truth) %in% abstentions], decision)
  if (!length(action) || length(setdiff(decision, truth))) return(invisible())
  warn_bayesrisk(c(
    "{.val {action}} {?is a class/are classes} of {.arg truth} and no decision: are {.arg truth} and
     {.arg decision} swapped?",
    i = "Write {.code confusion_table(truth, decision)}. {.fn caret::confusionMatrix} has the other
         order; its table is the transpose, {.code t(confusion_table(truth, decision))}."
  ), "swapped", call)
}

# `clusters`: the number of clusters of the counted cases; NULL: not known.
new_confusion <- function(counts, left_out, clusters = NULL) {
  structure(
    counts, left_out = left_out, clusters = clusters,
    class = c("bayesrisk_confusion", "bayesrisk_result", "table")
  )
}

left_out_sentence <- function(left_out) {
  n <- left_out[left_out > 0L]
  parts <- Map(
    function(n, what) pluralize("{n} row{?s} without a {what}"), n, names(n)
  )
  verb <- if (sum(n) == 1L) "is" else "are"
  paste(paste(parts, collapse = " and "), verb, "left out")
}

#' @export
describe.bayesrisk_confusion <- function(x, show) {
  if (length(dim(x)) < 2L) return(margin_parts(x))
  left_out <- attr(x, "left_out")
  counts <- plain_counts(x)
  # The shares of a class without cases are undefined.
  shares <- open_as_na(counts / rowSums(counts))
  cases <- count_of(signif(sum(counts), 7L), "case", "cases")
  clusters <- attr(x, "clusters")
  if (!is.null(clusters)) cases <- paste(cases, "of", count_of(clusters, "cluster", "clusters"))
  c(
    if (is_small_table(counts)) {
      list(
        title_item(paste0(cases, ": truth in rows, decision in columns")), table_item(counts),
        heading_item("Shares of each truth"), table_item(shares, na = "-")
      )
    } else {
      large_confusion_parts(counts, shares, cases)
    },
    list(if (sum(left_out)) sentences_item(paste0(left_out_sentence(left_out), ".")))
  )
}

# The result of marginSums(): the number of cases of each truth or of each decision.
margin_parts <- function(x) {
  axis <- names(dimnames(x))
  cells <- stats::setNames(data.frame(names(x), as.vector(unclass(x))), c(axis, "cases"))
  list(title_item(sprintf("%s by %s", count_of(sum(x), "case", "cases"), axis)), table_item(cells))
}

# The most frequent errors, and a line for each class.
large_confusion_parts <- function(counts, shares, cases) {
  truth <- rownames(counts)[row(counts)]
  decision <- colnames(counts)[col(counts)]
  pairs <- data.frame(truth, decision, cases = c(counts), share = c(shares))
  errors <- pairs[truth != decision & pairs$cases > 0, ]
  own <- shares[cbind(seq_len(nrow(counts)), match(rownames(counts), colnames(counts)))]
  size <- c(
    count_of(nrow(counts), "class", "classes"), count_of(ncol(counts), "decision", "decisions")
  )
  list(
    title_item(toString(c(cases, size))), heading_item("Errors, the most frequent first"),
    table_item(errors[order(-errors$cases), ], c("pair", "pairs"), keys = 2L),
    heading_item("Cases of each class, and the share decided for it"),
    table_item(
      data.frame(truth = rownames(counts), cases = rowSums(counts), share = own),
      c("class", "classes"), na = "-"
    )
  )
}

plain_counts <- function(x) {
  structure(unclass(x), left_out = NULL, clusters = NULL, of = NULL, cases = NULL)
}

plain_table <- function(x) {
  if (!inherits(x, c("bayesrisk_confusion", "bayesrisk_shares"))) return(x)
  structure(plain_counts(x), class = "table")
}

#' @export
as.data.frame.bayesrisk_confusion <- function(x,
                                              row.names = NULL, # nolint: object_name_linter.
                                              optional = FALSE, ...) {
  rows <- unless_damaged(
    as.data.frame.table(plain_table(x), NULL, optional, ...), rlang::current_env()
  )
  name_rows(rows, row.names)
}

#' @export
t.bayesrisk_confusion <- function(x) t(plain_table(x))

#' Mean cost of the decisions in a confusion table
#'
#' The mean cost per case: the sum over truths \eqn{t} and decisions \eqn{d} of
#' \eqn{n_{td}\, C(d, t) / N}{n[t, d] C(d, t) / N}. The table has the truth in rows. The cost has
#' the truth in columns. Both are matched by name.
#'
#' @param confusion A [confusion_table()], or any two-way table or matrix of
#'   counts (or probabilities) with `dimnames` named `truth` and `decision`, in
#'   either order.
#' @param cost A cost: [cost_matrix()], [as_cost_matrix()] or [zero_one_cost()].
#'   It must cover each decision and each class that was counted. Decisions and classes without a
#'   case may be missing from either argument.
#' @inheritParams bayesrisk_arguments
#' @return One number, in the unit of `cost`. The denominator holds all counted cases, including
#'   abstentions, but not the cases that [confusion_table()] left out. `Inf` if a decision of
#'   infinite cost was taken. Never `NaN`: an infinite cost without a case adds 0.
#'
#'   Errors are of class `bayesrisk_error_argument`: axes that are not named `truth` and `decision`;
#'   counts that are negative, missing, or all 0; a decision or class that `cost` lacks.
#' @references
#' Lecture "Bayesian Learning" (Galili, Shamir, Yakhini): the confusion matrix of
#' the histogram rule of the examples.
#'
#' C. Elkan (2001), The foundations of cost-sensitive learning, *Proceedings of
#' the 17th International Joint Conference on Artificial Intelligence*, 973-978.
#' @seealso [confusion_table()]
#' @export
#' @examples
#' # Irises by the length of the sepal, decided by a histogram per class
#' counts <- rbind(
#'   versicolor = c(versicolor = 31, virginica = 14, setosa = 5),
#'   virginica  = c(versicolor = 12, virginica = 37, setosa = 1),
#'   setosa     = c(versicolor = 11, virginica = 0, setosa = 39)
#' )
#' names(dimnames(counts)) <- c("truth", "decision")
#' expected_cost(counts, zero_one_cost(rownames(counts))) # 43/150
#'
#' # Deciding another class for a virginica costs 5
#' expected_cost(counts, cost_matrix(
#'   setosa     = c(setosa = 0, versicolor = 1, virginica = 5),
#'   versicolor = c(setosa = 1, versicolor = 0, virginica = 5),
#'   virginica  = c(setosa = 1, versicolor = 1, virginica = 0)
#' )) # 19/30
expected_cost <- function(confusion, cost, ...) {
  check_no_dots(...)
  counts <- counts_by_truth(maybe(confusion), environment())
  sum(price_counts(counts / sum(counts), maybe(cost), environment()))
}

# The cost of the cases in each cell. The cost must cover all counted decisions and classes.
price_counts <- function(counts, cost, call) {
  values <- spread_over(fixed_cells(cost, call), rownames(counts))
  check_covered(colnames(counts)[colSums(counts) > 0], rownames(values), "decision", call)
  check_covered(rownames(counts)[rowSums(counts) > 0], colnames(values), "truth", call)
  cell_costs(counts, values)
}

# A plain double matrix with the truth in rows.
counts_by_truth <- function(confusion, call) {
  if (inherits(confusion, "bayesrisk_shares") && !identical(attr(confusion, "of"), "all")) {
    abort_argument(c(
      "{.arg confusion} holds the shares of each {attr(confusion, \"of\")}: they do not say how
       many cases these are of.",
      i = "Give the counts, or the shares of all cases: {.code proportions(x)}."
    ), call)
  }
  if (!is.numeric(confusion) || length(dim(confusion)) != 2L) {
    abort_wanted(confusion, "confusion", "a two-way table of counts", call)
  }
  axes <- names(dimnames(confusion))
  if (!setequal(axes, c("truth", "decision"))) {
    abort_argument(c(
      "{.arg confusion} must have dimnames named {.field truth} and {.field decision}: without
       them nothing tells which axis is which.",
      i = "{.fn confusion_table} sets them, as does {.code table(truth = , decision = )}."
    ), call)
  }
  counts <- matrix(
    as.double(confusion), nrow(confusion), ncol(confusion), dimnames = dimnames(confusion)
  )
  if (axes[[1L]] == "decision") counts <- t(counts)
  check_labels(rownames(counts), "The true classes of `confusion`", call)
  check_labels(colnames(counts), "The decisions of `confusion`", call)
  if (!all(is.finite(counts)) || any(counts < 0)) {
    abort_argument("{.arg confusion} must hold counts: finite, not missing, 0 or more.", call)
  }
  if (sum(counts) == 0) abort_argument("{.arg confusion} has no cases.", call)
  counts
}

check_covered <- function(counted, priced, what, call) {
  missing <- setdiff(counted, priced)
  if (!length(missing)) return(invisible())
  abort_unknown(
    "{.arg cost} has no cost for {.val {missing}}, which {.arg confusion} counts as {what}.",
    missing, setdiff(priced, counted), NULL, call
  )
}

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

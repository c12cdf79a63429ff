# Known probabilities of bins: their check, and the parameters of the engine.

# A list by class, in the order of the user.
check_bin_table <- function(table, breaks, laplace, call) {
  if (is.null(breaks) || is.character(breaks)) {
    abort_argument("{.arg table} needs {.arg breaks} as numbers.", call)
  }
  if (laplace != 0) {
    abort_argument(
      "{.arg table} and {.arg laplace} cannot be given together: a known table is not smoothed.",
      call
    )
  }
  if (is.matrix(table) && is.numeric(table)) {
    if (is.null(rownames(table))) {
      abort_argument("{.arg table} must have classes as row names.", call)
    }
    check_distinct_names(rownames(table), "table", call)
    classes <- rownames(table)
    table <- stats::setNames(lapply(seq_along(classes), function(k) unname(table[k, ])), classes)
  }
  if (!is.list(table)) {
    abort_wanted(table, "table", "a class x bin matrix or a list by class", call)
  }
  table <- check_by_class(table, "table", call, min = 0)
  for (class in names(table)) check_bin_shares(table[[class]], class, breaks, call)
  table
}

check_bin_shares <- function(shares, class, breaks, call) {
  if (is.list(breaks)) breaks <- breaks[[class]]
  bins <- length(breaks) - 1L
  if (length(shares) != bins) {
    abort_argument(
      "{.arg table} has {length(shares)} number{?s} for class {.val {class}}, and {.arg breaks} has
       {max(bins, 0L)} bin{?s}.", call
    )
  }
  if (sums_to_one(shares)) return(invisible())
  abort_argument("{.arg table} must sum to 1 within class {.val {class}}.", call)
}

known_histogram <- function(likelihood, name, classes, call) {
  at <- match_names(names(likelihood$table), classes, name, call = call)
  asked <- bins_asked(likelihood)
  feature <- new_feature(name, "double", NULL)
  feature$bins <- list(asked = asked, edges = asked$breaks)
  if (!is.list(asked$breaks)) check_edges_apart(asked$breaks, name, call)
  shares <- likelihood$table[at]
  log_share <- matrix(-Inf, length(classes), max(lengths(shares)))
  for (k in seq_along(shares)) {
    log_share[k, seq_along(shares[[k]])] <- log(shares[[k]] / sum(shares[[k]]))
  }
  list(features = list(feature), parameters = list(log_probability = log_share))
}

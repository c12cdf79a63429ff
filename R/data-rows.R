# The rows to use, and their weights: subset, weights and na.action.

check_weights <- function(weights, rows, call) {
  if (is.null(weights)) return(NULL)
  if (inherits(weights, "hardhat_case_weights")) weights <- unclass(weights)
  if (!is.numeric(weights) || is.object(weights) || !is.null(dim(weights))) {
    abort_wanted(weights, "weights", "numbers, one per row", call)
  }
  if (length(weights) != rows) {
    abort_argument("{.arg weights} has {length(weights)} value{?s} for {rows} row{?s}.", call)
  }
  bad <- sum(!is.finite(weights) | weights < 0)
  if (bad > 0L) {
    abort_argument("{.arg weights} must be finite and not negative: {bad} {?is/are} not.", call)
  }
  if (is.infinite(sum(weights))) {
    abort_argument("The sum of {.arg weights} is infinite: divide them by a constant.", call)
  }
  as.double(weights)
}

# Estimates that stop at a tolerance need weights well above it.
check_total_weight <- function(weights, call) {
  total <- sum(weights)
  if (is.null(weights) || total >= 1e-6) return(invisible())
  abort_argument(c(
    "{.arg weights} add up to {format(total, digits = 3L)}, which is too little for an estimate.",
    i = "A weight of 1 counts as one case: multiply them by a constant."
  ), call)
}

# TRUE for the rows of the subset; NULL for all of them.
check_subset <- function(subset, rows, call) {
  if (is.null(subset)) return(NULL)
  if (is.logical(subset) && length(subset) == rows) return(!is.na(subset) & subset)
  whole <- is.numeric(subset) && !is.object(subset) && !anyNA(subset) &&
    all(abs(subset) <= rows & subset != 0 & subset == round(subset))
  if (!whole || (any(subset < 0) && any(subset > 0))) {
    abort_argument(
      "{.arg subset} must be TRUE or FALSE for each of the {rows} rows, or row numbers.", call
    )
  }
  if (anyDuplicated(subset)) {
    abort_argument("{.arg subset} names a row twice: use {.arg weights} to count it twice.", call)
  }
  keep <- logical(rows)
  keep[subset] <- TRUE
  keep
}

na_policy <- function(na_action, call) {
  if (is.character(na_action) && length(na_action) == 1L && !is.na(na_action)) {
    named <- switch(na_action,
      na.pass = , na.fail = , na.omit = na_action, na.exclude = "na.omit"
    )
    if (!is.null(named)) return(named)
  }
  if (identical(na_action, stats::na.pass)) return("na.pass")
  if (identical(na_action, stats::na.omit)) return("na.omit")
  if (identical(na_action, stats::na.exclude)) return("na.omit")
  if (identical(na_action, stats::na.fail)) return("na.fail")
  abort_argument("{.arg na.action} must be na.pass, na.omit, na.exclude or na.fail.", call)
}

# The rows of `keep` that remain after `na.action`. Bags have no missing values.
apply_na_policy <- function(policy, keep, read, codes, rows, call) {
  complete <- !is.na(codes)
  for (j in which(kinds_of(read$features) != "bag")) {
    complete <- complete & !is.na(column_vector(read$columns[[j]]))
  }
  considered <- if (is.null(keep)) rep(TRUE, rows) else keep
  lost <- sum(considered & !complete)
  if (policy == "na.fail" && lost > 0L) {
    abort_data("There are missing values in {lost} row{?s}, and {.arg na.action} is na.fail.", call)
  }
  considered & complete
}

# A data frame from a list of columns, which may be empty.
new_rows <- function(columns, rows) {
  structure(
    columns, names = as.character(names(columns)), row.names = .set_row_names(rows),
    class = "data.frame"
  )
}

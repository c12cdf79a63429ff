# Longer costs are printed as a table: more sentences than this are not read.
max_sentences <- 12L

#' @export
format.bayesrisk_cost <- function(x, digits = NULL, ...) {
  values <- check_cost(x, environment(), "x")
  number <- function(v) vapply(v, format, "", digits = digits)
  sentences <- lapply(rownames(values), function(action) {
    costs <- values[action, ]
    # Also the only way to say it for a cost that names no class.
    if (is.null(colnames(values)) || (length(costs) > 1L && all(costs == costs[[1L]]))) {
      return(sprintf("deciding %s costs %s whatever is true", action, number(costs[[1L]])))
    }
    sprintf("deciding %s when truth is %s costs %s", action, colnames(values), number(costs))
  })
  unlist(sentences)
}

#' @export
format.bayesrisk_case_cost <- function(x, digits = NULL, ...) {
  cells <- check_case_cost(x, environment(), "x")
  text <- vapply(as.vector(t(cells)), case_text, "", digits = digits)
  actions <- rep(rownames(cells), each = ncol(cells))
  if (is.null(colnames(cells))) {
    return(sprintf("deciding %s costs %s whatever is true", actions, text))
  }
  sprintf("deciding %s when truth is %s costs %s", actions, rep(colnames(cells), nrow(cells)), text)
}

# A formula as it was written; of costs given case by case, their range.
case_text <- function(cell, digits) {
  if (rlang::is_quosure(cell)) return(cell_text(cell))
  if (length(cell) == 1L) return(format(cell, digits = digits))
  known <- cell[!is.na(cell)]
  if (!length(known)) return("NA")
  paste(unique(vapply(range(known), format, "", digits = digits)), collapse = " to ")
}

#' @export
print.bayesrisk_case_cost <- function(x, ...) {
  cells <- check_case_cost(x, environment(), "x")
  cat(cost_heading(cells, " by case"), paste0("  ", format(x, ...)), sep = "\n")
  invisible(x)
}

cost_heading <- function(values, kind = "") {
  classes <- colnames(values)
  known <- if (length(classes)) cli::pluralize(", {length(classes)} true class{?es}") else ""
  cli::pluralize("<cost{kind} of {nrow(values)} action{?s}{known}>")
}

#' @export
print.bayesrisk_cost <- function(x, ...) {
  values <- check_cost(x, environment(), "x")
  cat(cost_heading(values), "\n", sep = "")
  if (length(values) > max_sentences) {
    print(values, ...)
  } else {
    cat(paste0("  ", format(x, ...)), sep = "\n")
  }
  invisible(x)
}

#' @export
as.matrix.bayesrisk_cost <- function(x, ...) {
  unclass(x)
}

#' @export
as.data.frame.bayesrisk_cost <- function(x,
                                         row.names = NULL, # nolint: object_name_linter.
                                         optional = FALSE, ...) {
  cells <- cost_cells(check_cost(x, environment(), "x"))
  if (!is.null(row.names)) rownames(cells) <- row.names
  cells
}

# A part of a cost is plain numbers, and so is one that was turned: neither is a
# cost that a decision could be made by.

#' @export
`[.bayesrisk_cost` <- function(x, ...) {
  unclass(x)[...]
}

#' @export
t.bayesrisk_cost <- function(x) {
  t(unclass(x))
}

#' @export
`[<-.bayesrisk_cost` <- function(x, ..., value) {
  values <- unclass(x)
  values[...] <- value
  if (!is.numeric(values) || !identical(dim(values), dim(x))) {
    got <- describe_value(value)
    abort_argument("A cost can only be replaced by a number, in its place, not by {got}.")
  }
  new_cost(values)
}

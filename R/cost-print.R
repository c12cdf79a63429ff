# Costs as text: sentences, or a table where there are too many to be read.

max_sentences <- 12L
max_table <- c(20L, 12L)

#' @export
format.bayesrisk_cost <- function(x, digits = NULL, ...) {
  digits <- check_digits(digits)
  cells <- shown_cells(x, environment())
  text <- cells_text(cells, digits)
  verb <- if (is_utility(x)) "gains" else "costs"
  sentences <- lapply(rownames(cells), function(action) {
    # Also the only way to say it for a cost that names no class.
    if (is.null(colnames(cells)) || (ncol(cells) > 1L && all_same(cells[action, ]))) {
      return(sprintf("deciding %s %s %s whatever is true", action, verb, text[[action, 1L]]))
    }
    sprintf("deciding %s when truth is %s %s %s", action, colnames(cells), verb, text[action, ])
  })
  unlist(sentences)
}

all_same <- function(cells) all(vapply(cells, identical, NA, cells[[1L]]))

#' @export
print.bayesrisk_cost <- function(x, digits = NULL, ...) {
  digits <- check_digits(digits)
  cells <- shown_cells(x, environment())
  kind <- if (is_utility(x)) "utility" else "cost"
  if (is_case_cost(x)) kind <- paste(kind, "by case")
  classes <- length(colnames(cells))
  known <- if (classes) pluralize(", {classes} true class{?es}") else ""
  print_heading(pluralize("<{kind} of {nrow(cells)} action{?s}{known}>"))
  if (length(cells) > max_sentences) {
    print_cost_table(cells, digits)
  } else {
    cat(paste0("  ", format(x, digits = digits)), sep = "\n")
  }
  invisible(x)
}

print_cost_table <- function(cells, digits) {
  kept <- pmin(dim(cells), max_table)
  part <- cells[seq_len(kept[[1L]]), seq_len(kept[[2L]]), drop = FALSE]
  if (all(vapply(part, is.double, NA) & lengths(part) == 1L)) {
    print(array(unlist(part), dim(part), dimnames(part)), digits = digits)
  } else {
    print(cells_text(part, digits), quote = FALSE)
  }
  more <- dim(cells) - kept
  left_out <- c(
    if (more[[1L]]) pluralize("{more[[1L]]} more action{?s}"),
    if (more[[2L]]) pluralize("{more[[2L]]} more true class{?es}")
  )
  if (length(left_out)) {
    cat("...", paste(left_out, collapse = " and "), "(as.data.frame() has them all)\n")
  }
}

# What the user wrote: the cells of a cost, or those of a utility turned back to gains.
shown_cells <- function(x, call) {
  cells <- cost_as_cells(x, call, "x")
  if (is_utility(x)) cells[] <- lapply(cells, turn_sign)
  cells
}

cells_text <- function(cells, digits = NULL) {
  array(vapply(cells, cell_text, "", digits = digits), dim(cells), dimnames(cells))
}

# A number; a formula as it was written; of numbers given case by case their range.
cell_text <- function(cell, digits = NULL) {
  if (rlang::is_quosure(cell)) {
    lines <- rlang::expr_deparse(rlang::quo_squash(cell), width = 500L)
    return(paste0("~", paste(lines, collapse = " ")))
  }
  known <- if (length(cell) == 1L) cell else cell[!is.na(cell)]
  if (!length(known)) return("NA")
  paste(unique(vapply(range(known), format, "", digits = digits)), collapse = " to ")
}

#' @export
as.matrix.bayesrisk_cost <- function(x, ...) {
  unclass_cost(x)
}

#' @export
as.matrix.bayesrisk_case_cost <- function(x, ...) {
  cells_text(check_case_cost(x, environment(), "x"))
}

#' @export
as.data.frame.bayesrisk_cost <- function(x,
                                         row.names = NULL, # nolint: object_name_linter.
                                         optional = FALSE, ...) {
  # knitr::kable() takes the names of the actions off first and wants what it sees.
  if (is.matrix(x) && is.null(rownames(x))) {
    return(as.data.frame(unclass_cost(x), row.names, optional))
  }
  values <- if (is_case_cost(x)) as.matrix(x) else check_cost(x, environment(), "x")
  cells <- cost_cells(values)
  name_rows(cells, row.names)
}

unclass_cost <- function(x) {
  attr(x, "rows") <- NULL
  unclass(x)
}

# A part of a cost is plain numbers, and so is one that was turned: neither is a
# cost that a decision could be made by.

#' @export
`[.bayesrisk_cost` <- function(x, ...) {
  unclass_cost(x)[...]
}

#' @export
t.bayesrisk_cost <- function(x) {
  t(unclass_cost(x))
}

#' @export
`[<-.bayesrisk_cost` <- function(x, ..., value) {
  if (is_case_cost(x)) {
    abort_argument("A cost by case cannot be changed in place: make it again.")
  }
  values <- unclass(x)
  values[...] <- value
  if (!is.numeric(values) || !identical(dim(values), dim(x))) {
    got <- describe_value(value)
    abort_argument("A cost can only be replaced by a number, in its place, not by {got}.")
  }
  new_cost(values, utility = is_utility(x))
}

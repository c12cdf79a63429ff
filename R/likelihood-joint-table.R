# Joint blocks of categorical features: known tables, and what a bank of the engine's
# type joint_table shows.

# Joint tables of more numbers (cells of all classes) are given by the cells seen.
max_array_cells <- 1e5
# So many cells of each class are in the summary.
max_summary_cells <- 5L

known_joint_table <- function(table, at, name, call) {
  dims <- dimnames(table)[-1L]
  if (is.null(names(dims)) || !all(nzchar(names(dims)))) {
    abort_argument("{.arg {name}} must have named dimnames: they name its features.", call)
  }
  flat <- matrix(table, nrow(table))[at, , drop = FALSE]
  seen <- which(colSums(flat) > 0)
  cells <- unname(arrayInd(seen, dim(table)[-1L]))
  list(
    type = "joint_table", name = name,
    features = Map(function(label, levels) new_feature(label, "factor", enc2utf8(levels)),
                   names(dims), dims),
    parameters = list(
      cells = cells, log_probability = log(flat[, seen, drop = FALSE] / rowSums(flat)),
      log_unseen = rep(-Inf, nrow(flat))
    )
  )
}

# The pseudo-count of each cell of a joint table.
joint_pseudo_count <- function(likelihood, cells, block, call) {
  by_level <- length(likelihood$laplace) > 1L || !is.null(names(likelihood$laplace))
  refused <- if (!is.null(likelihood$p)) "p" else if (by_level) "laplace"
  if (!is.null(refused)) {
    abort_argument(c(
      "{.arg {refused}} cannot be given by level for the joint table of block {.field {block}}.",
      i = "A joint table is smoothed per cell: give one {.arg laplace}, or {.arg m} alone."
    ), call)
  }
  if (is.null(likelihood$m)) likelihood$laplace else likelihood$m / cells
}

#' @export
bank_kind.bayesrisk_bank_joint_table <- function(bank) "categorical"

#' @export
bank_options.bayesrisk_bank_joint_table <- function(bank, spec, features, classes, call) {
  cells <- prod(as.double(bank$levels))
  list(pseudo_count = joint_pseudo_count(spec$categorical, cells, bank$name, call))
}

#' @export
bank_remedies.bayesrisk_bank_joint_table <- function(bank, problems) {
  bank_remedies.bayesrisk_bank_categorical(bank, problems)
}

#' @export
bank_cases.bayesrisk_bank_joint_table <- function(bank, statistics) sum(statistics$count)

#' @export
bank_coefficients.bayesrisk_bank_joint_table <- function(bank, parameters, features, classes) {
  labels <- lapply(features, `[[`, "levels")
  names(labels) <- vapply(features, `[[`, "", "name")
  cells <- prod(as.double(bank$levels))
  probability <- open_as_na(exp(parameters$log_probability))
  unseen <- open_as_na(exp(parameters$log_unseen))
  if (cells * length(classes) > max_array_cells) {
    seen <- seen_cells(parameters$cells, labels, probability, classes)
    return(list(structure(seen, unseen = stats::setNames(unseen, classes))))
  }
  flat <- matrix(unseen, cells, length(classes), byrow = TRUE)
  strides <- cumprod(c(1, bank$levels[-length(bank$levels)]))
  flat[1 + (parameters$cells - 1) %*% strides, ] <- t(probability)
  list(array(flat, c(bank$levels, length(classes)), c(labels, list(class = classes))))
}

# A row per class and cell, class by class.
seen_cells <- function(cells, labels, probability, classes) {
  columns <- Map(function(levels, j) {
    factor(levels[rep(cells[, j], times = length(classes))], levels)
  }, labels, seq_along(labels))
  class <- factor(rep(classes, each = nrow(cells)), classes)
  data.frame(
    columns, class = class, probability = as.vector(t(probability)),
    check.names = FALSE
  )
}

# Of each class, the cells that it has most often; ties in the order of the table.
#' @export
summarise_block.bayesrisk_bank_joint_table <- function(bank, coefficients) {
  cells <- as_cells(coefficients)
  class <- cells[[length(cells) - 1L]]
  probability <- cells[[length(cells)]]
  best <- lapply(levels(class), function(level) {
    rows <- which(class == level & probability > 0)
    utils::head(rows[order(-probability[rows])], max_summary_cells)
  })
  cells <- cells[unlist(best), , drop = FALSE]
  rownames(cells) <- NULL
  structure(cells, title = "most probable cells")
}

as_cells <- function(coefficients) {
  if (is.data.frame(coefficients)) coefficients else array_cells(coefficients)
}

# The cells of an array of coef(): a factor per feature, `class`, `probability`.
array_cells <- function(array) {
  labels <- dimnames(array)
  columns <- lapply(seq_along(labels), function(j) {
    factor(labels[[j]][as.vector(slice.index(array, j))], labels[[j]])
  })
  names(columns) <- names(labels)
  data.frame(columns, probability = as.vector(array), check.names = FALSE)
}

#' @export
tidy_block.bayesrisk_bank_joint_table <- function(bank, coefficients, name, classes) {
  cells <- as_cells(coefficients)
  last <- length(cells)
  features <- cells[seq_len(last - 2L)]
  list(
    class = as.integer(cells[[last - 1L]]),
    term = rep(paste(names(features), collapse = ":"), nrow(cells)),
    level = do.call(paste, c(unname(lapply(features, as.character)), sep = ":")),
    statistic = rep("probability", nrow(cells)), estimate = cells[[last]]
  )
}

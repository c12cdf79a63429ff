# Joint blocks of categorical features: known tables, and the record of joint_table.

# Larger joint tables (cells of all classes) list only the cells seen in training.
max_array_cells <- 1e5
# The number of cells of each class in the summary.
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
      "{.arg {refused}} cannot differ by level in the joint table of block {.field {block}}.",
      i = "A joint table is smoothed per cell: give one {.arg laplace}, or {.arg m} alone."
    ), call)
  }
  if (is_shared(likelihood$laplace)) {
    abort_argument(c(
      "{.code laplace = \"shared\"} is for single features, not for the joint table of block
       {.field {block}}.", i = "{.fn bayes_naive} has single features."
    ), call)
  }
  if (is.null(likelihood$m)) likelihood$laplace else likelihood$m / cells
}

joint_table_record <- function() {
  likelihood_record(
    name = "joint_table", kind = "categorical", support = "levels", joint = TRUE,
    plan = function(bank, likelihood, features, classes, call) {
      check_table_size(bank$levels, paste("joint table of block", bank$name), call)
      bank
    },
    options = function(likelihoods, features, classes, block, call) {
      cells <- prod(as.double(count_levels(features)))
      list(pseudo_count = joint_pseudo_count(likelihoods[[1L]], cells, block$name, call))
    },
    remedies = remedy_smoothing,
    impossible = "{.code laplace = 1} gives every combination a probability in every class.",
    cases = function(bank, statistics) sum(statistics$count),
    coefficients = cell_probabilities,
    counts = cell_counts,
    summary = most_probable_cells,
    tidy = tidy_by_block(tidy_cells),
    single = table_marginals,
    posterior = table_posterior,
    recount = function(parameters, n, divisor) {
      # The first feature varies slowest.
      sorted <- do.call(order, asplit(parameters$cells, 2L))
      list(
        cells = parameters$cells[sorted, , drop = FALSE],
        count = count_shares(column_of(parameters$log_probability, sorted), n),
        missing = numeric(ncol(parameters$cells)), skipped = 0
      )
    },
    raised = function(bank, parameters, power) {
      power <- power[[1L]]
      unseen <- prod(as.double(bank$levels)) - nrow(parameters$cells)
      unlisted <- if (unseen > 0) power * parameters$log_unseen + log(unseen)
      log_p <- log_shares(cbind(power * parameters$log_probability, unlisted))
      parameters$log_probability <- column_of(log_p, seq_len(nrow(parameters$cells)))
      if (unseen > 0) parameters$log_unseen <- log_p[, ncol(log_p)] - log(unseen)
      parameters
    },
    log_density = table_log_density
  )
}

# Cells are numbered by 64-bit integers.
check_table_size <- function(levels, table, call) {
  features <- length(levels)
  cells <- prod(as.double(levels))
  if (features <= 62L && cells <= 2^62) return(invisible())
  size <- format(cells, digits = 3L)
  abort_degenerate(c(
    paste(
      "The {table} is too large: {features} features, {size} cells."
    ),
    i = paste(
      "At most 62 features and 2^62 cells.",
      "Split it with {.fn bayes_blocks}, or use {.fn bayes_naive}."
    )
  ), call)
}

cell_probabilities <- function(bank, parameters, features, classes) {
  probability <- open_as_na(exp(parameters$log_probability))
  unseen <- open_as_na(exp(parameters$log_unseen))
  cell_table(bank, parameters$cells, probability, unseen, features, classes, "probability")
}

cell_counts <- function(bank, statistics, features, classes) {
  none <- numeric(length(classes))
  cell_table(bank, statistics$cells, statistics$count, none, features, classes, "count")
}

# The values of all cells as an array, or if it is too large, those of the seen cells as a data
# frame. `values`: a row for each class, a column for each of the seen `cells`; `unseen`: the value
# of all other cells, by class; `name`: the name of the values.
cell_table <- function(bank, cells, values, unseen, features, classes, name) {
  labels <- lapply(features, `[[`, "levels")
  names(labels) <- vapply(features, `[[`, "", "name")
  all <- prod(as.double(bank$levels))
  if (all * length(classes) > max_array_cells) {
    seen <- seen_cells(cells, labels, values, classes, name)
    return(list(structure(seen, unseen = stats::setNames(unseen, classes))))
  }
  flat <- matrix(unseen, all, length(classes), byrow = TRUE)
  strides <- cumprod(c(1, bank$levels[-length(bank$levels)]))
  flat[1 + (cells - 1) %*% strides, ] <- t(values)
  list(array(flat, c(bank$levels, length(classes)), c(labels, list(class = classes))))
}

# One row per class and cell, class by class.
seen_cells <- function(cells, labels, values, classes, name) {
  columns <- Map(function(levels, j) {
    factor(levels[rep(cells[, j], times = length(classes))], levels)
  }, labels, seq_along(labels))
  class <- factor(rep(classes, each = nrow(cells)), classes)
  values <- stats::setNames(list(as.vector(t(values))), name)
  data.frame(columns, class = class, values, check.names = FALSE)
}

# The most probable cells of each class. Ties keep the order of the table.
most_probable_cells <- function(bank, coefficients) {
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

# The cells of coef(), an array or a data frame, as a data frame: a factor per feature, `class`,
# `probability`.
as_cells <- function(coefficients) {
  if (is.data.frame(coefficients)) return(coefficients)
  labels <- dimnames(coefficients)
  columns <- lapply(seq_along(labels), function(j) {
    factor(labels[[j]][as.vector(slice.index(coefficients, j))], labels[[j]])
  })
  names(columns) <- names(labels)
  data.frame(columns, probability = as.vector(coefficients), check.names = FALSE)
}

tidy_cells <- function(coefficients, name, classes) {
  cells <- as_cells(coefficients)
  last <- length(cells)
  features <- cells[seq_len(last - 2L)]
  tidy_frame(
    cells[c(last - 1L, last)], paste(names(features), collapse = ":"),
    do.call(paste, c(unname(lapply(features, as.character)), sep = ":")), "probability"
  )
}

# The table of one feature: sums over the other features.
table_marginals <- function(bank, state, j) {
  parameters <- state$parameters
  levels <- seq_len(bank$levels[[j]])
  # The sums of the values of cells by level of the feature, a row for each class.
  by_level <- function(values, cells) {
    vapply(levels, function(level) {
      rowSums(column_of(values, cells[, j] == level))
    }, numeric(nrow(values)))
  }
  seen <- by_level(exp(parameters$log_probability), parameters$cells)
  each <- prod(as.double(bank$levels[-j]))
  unseen <- outer(exp(parameters$log_unseen), each - tabulate(parameters$cells[, j], max(levels)))
  probability <- matrix(seen, ncol = length(levels)) + unseen
  count <- matrix(by_level(state$statistics$count, state$statistics$cells), ncol = length(levels))
  list(
    parameters = list(
      log_probability = log(probability / rowSums(probability)), left_out = 0L
    ),
    statistics = list(count = count)
  )
}

table_log_density <- function(bank, parameters, to) {
  cells_log_density(bank, parameters, lapply(bank$levels, seq_len), level_text, to)
}

# A combination of levels or bins is one number, the sum of the codes of the members; the code 0 is
# a missing member. `values`: a value of each level or bin, for each member. `member_text(j, values,
# missing, to)`: the value of member j, of values in the order of the codes. Without a column for
# the number there is a case of the first member in each case of the second, and so on.
cells_log_density <- function(bank, parameters, values, member_text, to) {
  sizes <- lengths(values) + 1L
  if (prod(as.double(sizes)) > most_combinations) {
    what <- if (is.null(bank$levels)) "bins" else "levels"
    abort_no_text(to, paste("has too many combinations of", what))
  }
  cells <- unname(as.list(expand.grid(lapply(values, function(value) c(value[NA][1L], value)))))
  classes <- nrow(parameters$log_probability)
  scores <- scores_of_rows(bank, parameters, cells, classes)
  logs <- lapply(seq_len(classes), function(k) logs_text(scores[, k], to))
  if (!to$stages) {
    terms <- vapply(logs, cases_of_cells, "", sizes, member_text, to)
    return(list(terms = open_terms(terms, parameters$log_probability, to)))
  }
  strides <- as.integer(cumprod(c(1L, sizes))[seq_along(sizes)])
  code <- vapply(seq_along(sizes), function(j) {
    member_text(j, as.character(seq_along(values[[j]]) * strides[[j]]), "0", to)
  }, "")
  key <- paste0(to$x[[1L]], "_cell")
  terms <- vapply(logs, function(logs) steps_text(key, seq_along(logs[-1L]), logs, to), "")
  list(
    terms = open_terms(terms, parameters$log_probability, to),
    stages = list(stats::setNames(to$sum(code), key))
  )
}

cases_of_cells <- function(logs, sizes, member_text, to) {
  j <- length(sizes)
  if (j == 0L) return(logs)
  parts <- split(logs, rep(seq_len(sizes[[j]]), each = length(logs) / sizes[[j]]))
  values <- vapply(unname(parts), cases_of_cells, "", sizes[-j], member_text, to)
  member_text(j, values[-1L], values[[1L]], to)
}

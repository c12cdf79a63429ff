# The state of each single feature that a bank holds, for naive(): a list with an element for each
# feature, list(parameters, statistics), in the form of a bank of this feature alone.

bank_parts <- function(bank, state) {
  parts <- switch(bank$type,
    gaussian = gaussian_columns, categorical = level_columns,
    multivariate_gaussian = gaussian_marginals, joint_table = table_marginals
  )
  lapply(seq_along(bank$features), function(j) parts(bank, state, j))
}

column_of <- function(x, j) x[, j, drop = FALSE]

gaussian_columns <- function(bank, state, j) {
  numbers <- setdiff(names(state$parameters), "left_out")
  list(
    parameters = c(
      lapply(state$parameters[numbers], column_of, j),
      list(left_out = left_out_mark(state$parameters, j))
    ),
    statistics = lapply(state$statistics, column_of, j)
  )
}

left_out_mark <- function(parameters, j) {
  if (length(parameters$left_out)) parameters$left_out[[j]] else 0L
}

level_columns <- function(bank, state, j) {
  last <- cumsum(bank$levels)[[j]]
  columns <- seq_len(bank$levels[[j]]) + last - bank$levels[[j]]
  list(
    parameters = list(
      log_probability = column_of(state$parameters$log_probability, columns),
      left_out = left_out_mark(state$parameters, j)
    ),
    statistics = lapply(state$statistics, column_of, columns)
  )
}

gaussian_marginals <- function(bank, state, j) {
  parameters <- state$parameters
  variance <- vapply(parameters$factor, function(u) sum(u[, j]^2), 1)
  sd <- matrix(rep_len(sqrt(variance), nrow(parameters$mean)))
  out <- left_out_mark(parameters, j)
  # The engine skips a feature that is left out, but its deviation must be positive.
  if (out == 1L) sd[is.nan(sd) | sd == 0] <- 1
  statistics <- state$statistics
  scatter <- vapply(statistics$triangle, function(r) sum(r[, j]^2), 1)
  list(
    parameters = list(
      mean = column_of(parameters$mean, j), mean_low = column_of(parameters$mean_low, j),
      sd = sd, left_out = out
    ),
    statistics = list(
      weight = statistics$weight, mean = column_of(statistics$mean, j),
      mean_low = column_of(statistics$mean_low, j), scatter = matrix(scatter)
    )
  )
}

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

# The notes about borrowing under the new plan: those of a block hold for each of its features.
naive_notes <- function(notes, old, new) {
  rows <- lapply(seq_along(notes$problem), function(i) {
    feature <- notes$feature[[i]]
    if (is.na(feature)) feature <- old[[notes$bank[[i]]]]$features
    bank <- vapply(feature, function(j) {
      which(vapply(new, function(b) j %in% b$features, NA))
    }, 1L)
    data.frame(
      problem = notes$problem[[i]], class = notes$class[[i]], feature = feature, bank = bank
    )
  })
  if (length(rows)) as.list(do.call(rbind, rows)) else notes
}

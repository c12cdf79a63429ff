# The statistics of banks from a lazy table. Gaussians need sums, which SQL computes about the means
# of the first pass. All other banks are counted by the engine from the different rows of their
# features, with the weight of each row. If nearly all rows differ, they are read in blocks.

#' @export
count_banks.db_cases <- function(cases, banks, call) { # nolint: object_name_linter.
  reads <- vapply(banks, reads_rows, NA, cases)
  if (any(reads) && cases$strategy == "auto") inform_reading(banks[reads], cases$labels)
  states <- vector("list", length(banks))
  states[!reads] <- lapply(banks[!reads], count_bank, cases, call)
  if (any(reads)) states[reads] <- read_banks(banks[reads], cases, call)$banks
  classes <- list(weight = as.double(cases$summary$w), rows = as.double(cases$summary$n))
  list(classes = classes, banks = states)
}

count_bank <- function(bank, cases, call) {
  switch(bank$type,
    gaussian = sum_gaussian(bank, cases, call),
    multivariate_gaussian = {
      if (bank$em) count_distinct(bank, cases, call) else sum_block(bank, cases, call)
    },
    count_distinct(bank, cases, call)
  )
}

# Features of a bank that are counted one by one stand below each other: in each row one of them is
# known.
count_distinct <- function(bank, cases, call) {
  sets <- if (is_joint(bank)) list(bank$features) else as.list(bank$features)
  found <- lapply(sets, db_distinct, cases = cases, call = call)
  size <- vapply(found, nrow, 1L)
  rows <- do.call(rbind, lapply(found, `[`, c("g", "n", "w")))
  at <- rep(seq_along(sets), size)
  columns <- lapply(bank$features, function(j) {
    i <- which(vapply(sets, function(set) j %in% set, NA))
    own <- found[[i]][[place_names(j)]]
    db_encode(replace(rep(own[NA_integer_], nrow(rows)), at == i, own), cases$schema$features[[j]])
  })
  local <- bank
  local$features <- seq_along(bank$features)
  state <- count_different(local, columns, rows, cases, bank$features, call)
  if (is.null(state$missing)) return(state)
  # A different row stands for several rows.
  if (!is.null(state$rows)) state$rows[] <- complete_rows(found[[1L]], bank, nrow(state$rows))
  joined <- if (isTRUE(bank$em)) " AND " else " OR "
  replace(state, c("missing", "skipped"), missing_rows(cases, bank$features, joined))
}

# The rows of each group that have all features of a block.
complete_rows <- function(found, bank, groups) {
  known <- stats::complete.cases(found[place_names(bank$features)])
  vapply(seq_len(groups), function(g) sum(found$n[known & found$g == g]), 1)
}

count_different <- function(bank, columns, rows, cases, features, call) {
  frame <- bind_frame(columns, nrow(rows))
  collect <- function(group, groups, weight) {
    call_engine(
      collect_statistics_cpp(list(bank), groups, frame, group, weight, cases$threads), call
    )
  }
  collected <- collect(as.integer(rows$g), length(cases$classes$levels), as.double(rows$w))
  diagnostics <- collected$diagnostics
  if (length(diagnostics$problem)) {
    # The error counts rows of the table, so each different row is a group of its own.
    alone <- collect(seq_len(nrow(rows)), nrow(rows), NULL)$diagnostics
    diagnostics$count <- vapply(seq_along(diagnostics$problem), function(i) {
      same <- alone$class[alone$problem == diagnostics$problem[[i]] &
                            alone$feature == diagnostics$feature[[i]]]
      sum(rows$n[same][rows$g[same] == diagnostics$class[[i]]])
    }, 1)
    diagnostics$feature <- features[diagnostics$feature]
    check_data_problems(diagnostics, cases, call)
  }
  collected$statistics$banks[[1L]]
}

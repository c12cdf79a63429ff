# The judges of a search: what a move gains. See search_moves().

# Gains in log evidence or BIC. The score of a block does not depend on the other blocks, so each
# block is scored once. `scorers`: see block_scorers().
evidence_judge <- function(space, scorers, rows, call) {
  known <- list(keys = character(), value = numeric(), singular = logical())
  look_up <- function(blocks) {
    keys <- vapply(blocks, paste, "", collapse = " ")
    kinds <- space$kinds[vapply(blocks, `[[`, 1L, 1L)]
    open <- !duplicated(keys) & !keys %in% known$keys
    for (kind in unique(kinds[open])) {
      at <- which(open & kinds == kind)
      found <- scorers[[kind]](blocks[at])
      known <<- Map(c, known, list(keys[at], found$value, found$singular))
    }
    lapply(known[-1L], `[`, match(keys, known$keys))
  }
  check_regular(space, look_up(space$start), call)
  weigh <- function(moves, pool) {
    at <- which(is.na(moves$gain))
    if (!length(at)) return(moves)
    open <- moves[at, ]
    blocks <- list(pool$blocks)
    after <- Map(blocks_after, open$first, open$second, open$leaving, MoreArgs = blocks)
    before <- Map(blocks_before, open$first, open$second, MoreArgs = blocks)
    after <- total_scores(after, look_up)
    moves$gain[at] <- after$value - total_scores(before, look_up)$value
    moves$refused[at] <- after$singular > 0
    moves$error[at] <- 0
    moves
  }
  score <- function(pool) sum(look_up(pool$blocks[pool$alive])$value)
  # Rounding grows with the number of rows.
  list(weigh = weigh, score = score, limit = 1e-10 * max(1, rows))
}

# `parts`: for each move a list of blocks.
total_scores <- function(parts, look_up) {
  found <- look_up(unlist(parts, recursive = FALSE))
  move <- rep(seq_along(parts), lengths(parts))
  lapply(found, function(x) as.vector(rowsum(as.double(x), move)))
}

check_regular <- function(space, scores, call) {
  bad <- which(scores$singular)
  if (!length(bad)) return(invisible())
  block <- block_labels(space$start[bad[[1L]]], space$labels)
  abort_degenerate(c(
    "The covariance of block {.field {block}} cannot be estimated: it is singular.",
    i = "Start from {.code bayes_naive()}: blocks are merged only if their covariance exists."
  ), call)
}

# list(score (for each kind a function that scores blocks), rows (for each kind the rows used and
# left out), reads (a function: how often larger tables were counted)).
block_scorers <- function(space, cases, criterion, call) {
  spec <- space$spec
  settings <- list(
    bic = criterion == "bic", pooled = spec$covariance == "pooled" || spec$shrinkage == 1,
    borrow = spec$degenerate == "pool" || spec$borrow > 0 || spec$shrinkage > 0
  )
  open <- unlist(space$start)
  places <- function(kind) sort(open[space$kinds[open] == kind])
  numbers <- number_scorer(places("numeric"), cases, settings, call)
  tables <- table_scorer(places("categorical"), cases, settings, call)
  list(
    score = list(numeric = numbers$score, categorical = tables$score),
    rows = Filter(length, list(numeric = numbers$rows, categorical = tables$rows)),
    reads = tables$reads
  )
}

# All blocks of numbers are scored from one scatter, of the rows in which all numbers are known.
number_scorer <- function(places, cases, settings, call) {
  if (!length(places)) return(list())
  counted <- collect_blocks(list(places), cases, call)
  statistics <- counted$statistics[[1L]]
  check_complete(sum(statistics$rows), statistics$missing, places, cases, call)
  score <- function(blocks) {
    members <- lapply(blocks, match, places)
    call_engine(score_gaussian_blocks_cpp(
      counted$banks, cases$groups, length(cases$columns), counted$statistics, members, settings
    ), call)
  }
  list(score = score, rows = c(used = sum(statistics$rows), left = statistics$skipped))
}

# Tables are counted when they are asked for: those of pairs at once, larger ones in later reads.
# All are of the rows in which all categories are known.
table_scorer <- function(places, cases, settings, call) {
  if (!length(places)) return(list())
  complete <- call_engine(
    complete_rows_cpp(bind_frame(cases$columns[places], cases$frame$rows), cases$group), call
  )
  check_complete(complete$used, complete$missing, places, cases, call)
  cases$group <- complete$group
  reads <- 0L
  score <- function(blocks) {
    if (any(lengths(blocks) > 2L)) reads <<- reads + 1L
    value <- by_parts(blocks, function(part) {
      counted <- collect_blocks(part, cases, call)
      call_engine(score_tables_cpp(
        counted$banks, cases$groups, length(cases$columns), counted$statistics, settings
      ), call)
    })
    list(value = value, singular = logical(length(value)))
  }
  list(
    score = score, rows = c(used = complete$used, left = complete$left), reads = function() reads
  )
}

check_complete <- function(rows, missing, places, cases, call) {
  if (rows > 0) return(invisible())
  labels <- names(cases$schema$features)[places]
  worst <- labels[[which.max(missing)]]
  abort_data(c(
    "No row has all of {.field {labels}}: blocks are compared on complete rows.",
    i = "{.field {worst}} is missing most often. Leave it out of the formula of the search."
  ), call)
}

# Gains in out-of-fold cost. All present moves are candidates of a cross-validation on the same
# folds; the first candidate is the present structure. The 95 % interval of a gain must be above 0.
# `read`: list(cost, folds, threads).
cost_judge <- function(space, cases, read, call) {
  costs <- function(structures) {
    specs <- lapply(structures, function(blocks) list(spec = with_blocks(space, blocks)))
    cross_costs(stats::setNames(specs, seq_along(specs)), cases, read, call)
  }
  weigh <- function(moves, pool) {
    now <- pool$blocks[pool$alive]
    after <- Map(function(first, second, leaving) {
      kept <- setdiff(pool$alive, c(first, second))
      c(pool$blocks[kept], blocks_after(first, second, leaving, pool$blocks))
    }, moves$first, moves$second, moves$leaving)
    # The candidates of one read have their statistics in memory at the same time.
    for (part in in_batches(seq_along(after), candidates_at_once)) {
      found <- costs(c(list(now), after[part]))
      moves$gain[part] <- -found$difference[-1L]
      moves$error[part] <- stats::qnorm(0.975) * found$difference_error[-1L]
      moves$refused[part] <- found$decided[-1L] < found$decided[[1L]]
    }
    moves
  }
  score <- function(pool) {
    cost <- costs(list(pool$blocks[pool$alive]))$cost
    if (is.finite(cost)) return(cost)
    abort_data(c(
      "No held-out case has a decision with a finite cost.",
      i = "Each class needs rows in several folds."
    ), call)
  }
  list(weigh = weigh, score = score, limit = 1e-12)
}

candidates_at_once <- 50L

cross_costs <- function(candidates, cases, read, call) {
  cases$features <- rep(cases$features, length(candidates))
  # Empty classes are reported once, before the search.
  task <- suppressMessages(
    new_cv_task(candidates, cases, read$folds, call), classes = "bayesrisk_message_empty_class"
  )
  found <- call_engine(cross_validate_cpp(task, read$cost, read$threads), call)
  check_data_problems(found$diagnostics, cases$schema, cases$response, call)
  risks <- found$risks
  c(risks[c("cost", "difference", "difference_error")],
    list(decided = colSums(risks$fold_decided)))
}

# The greedy search. A pool holds every block that the search has had, by number: `blocks` are the
# positions of their features, `given` the names that a user gave (NA: none), `alive` the numbers of
# the present blocks. A move merges two blocks, or splits one: some features leave it.

# `judge`: list(weigh, score, limit). weigh(moves, pool) fills `gain`, `error` and `refused`;
# score(pool) is the score of all present blocks. Gains up to `limit` are rounding. The result is
# list(pool, path, moves (those that were left), start, end (the scores)).
search_moves <- function(space, judge, max_size) {
  alive <- seq_along(space$start)
  given <- c(space$given, rep(NA_character_, length(alive) - length(space$given)))
  pool <- list(blocks = space$start, given = given, alive = alive)
  start <- score <- judge$score(pool)
  moves <- new_moves(pool, alive, space, max_size)
  path <- list()
  repeat {
    moves <- judge$weigh(moves, pool)
    best <- best_move(moves, pool, judge$limit)
    if (is.null(best)) break
    before <- length(pool$blocks)
    changed <- make_move(pool, best)
    score <- judge$score(changed)
    path[[length(path) + 1L]] <- step_row(best, pool, space$labels, score)
    pool <- changed
    left <- moves$first %in% pool$alive & (is.na(moves$second) | moves$second %in% pool$alive)
    fresh <- seq_along(pool$blocks)[-seq_len(before)]
    moves <- rbind(moves[left, ], new_moves(pool, fresh, space, max_size))
  }
  list(pool = pool, path = bind_steps(path), moves = moves, start = start, end = score)
}

# The moves in which the blocks `fresh`, the last ones of the pool, take part: `first`, and `second`
# (NA: a split) are numbers of blocks, `leaving` the features that leave the first.
new_moves <- function(pool, fresh, space, max_size) {
  pairs <- expand.grid(first = pool$alive, second = fresh)
  pairs <- pairs[pairs$first < pairs$second, ]
  pairs <- pairs[can_merge(pairs, pool$blocks, space, max_size), ]
  parts <- lapply(pool$blocks[fresh], split_parts)
  moves <- data.frame(
    first = c(pairs$first, rep(fresh, lengths(parts))),
    second = c(pairs$second, rep(NA_integer_, sum(lengths(parts))))
  )
  moves$leaving <- c(vector("list", nrow(pairs)), unlist(parts, recursive = FALSE))
  moves$gain <- moves$error <- rep(NA_real_, nrow(moves))
  moves$refused <- rep(FALSE, nrow(moves))
  moves
}

# Up to this size a block can be split into any two parts. From a larger one, one feature can leave.
most_split <- 8L

# The parts that can leave a block.
split_parts <- function(block) {
  size <- length(block)
  if (size > most_split) return(as.list(block))
  lapply(seq_len(2^(size - 1L) - 1L), function(i) {
    block[-1L][bitwAnd(i, 2^(seq_len(size - 1L) - 1L)) > 0L]
  })
}

# A joint table has at most 62 features and 2^62 cells.
can_merge <- function(pairs, blocks, space, max_size) {
  size <- lengths(blocks)
  kind <- space$kinds[vapply(blocks, `[[`, 1L, 1L)]
  log_cells <- vapply(blocks, function(block) sum(log2(pmax(space$levels[block], 1))), 1)
  together <- size[pairs$first] + size[pairs$second]
  numeric <- kind[pairs$first] == "numeric"
  kind[pairs$first] == kind[pairs$second] & together <= max_size &
    (numeric | together <= 62L & log_cells[pairs$first] + log_cells[pairs$second] <= 62)
}

# The blocks that replace those of a move.
blocks_after <- function(first, second, leaving, blocks) {
  if (!is.na(second)) return(list(sort(c(blocks[[first]], blocks[[second]]))))
  list(setdiff(blocks[[first]], leaving), leaving)
}

blocks_before <- function(first, second, blocks) blocks[c(first, if (!is.na(second)) second)]

# `move`: a row of moves.
make_move <- function(pool, move) {
  added <- blocks_after(move$first, move$second, move$leaving[[1L]], pool$blocks)
  numbers <- length(pool$blocks) + seq_along(added)
  pool$blocks <- c(pool$blocks, added)
  pool$given <- c(pool$given, rep(NA_character_, length(added)))
  pool$alive <- c(setdiff(pool$alive, c(move$first, move$second)), numbers)
  pool
}

# The move with the largest gain, NULL if nothing gains. A gain must exceed its error. Of equal
# gains the one with the first features is chosen, merges before splits.
best_move <- function(moves, pool, limit) {
  gains <- !moves$refused & !is.na(moves$gain) & moves$gain > pmax(moves$error, limit)
  if (!any(gains)) return(NULL)
  moves <- moves[gains, ]
  moves <- moves[moves$gain >= max(moves$gain) - limit, ]
  place <- vapply(pool$blocks, min, 1L)
  one <- place[moves$first]
  split <- is.na(moves$second)
  other <- place[moves$second]
  other[split] <- vapply(moves$leaving[split], min, 1L)
  moves[order(split, pmin(one, other), pmax(one, other))[[1L]], ]
}

# The two blocks that were merged, or the two parts of one that was split.
step_row <- function(move, pool, labels, score) {
  split <- is.na(move$second)
  parts <- if (split) {
    blocks_after(move$first, NA, move$leaving[[1L]], pool$blocks)
  } else {
    blocks_before(move$first, move$second, pool$blocks)
  }
  names <- block_labels(parts[order(vapply(parts, min, 1L))], labels)
  data.frame(
    change = if (split) "split" else "merge", first = names[[1L]], second = names[[2L]],
    gain = move$gain, score = score
  )
}

block_labels <- function(blocks, labels) {
  vapply(blocks, function(block) paste(labels[block], collapse = "+"), "")
}

bind_steps <- function(path) {
  none <- data.frame(
    change = character(), first = character(), second = character(), gain = numeric(),
    score = numeric()
  )
  path <- do.call(rbind, c(list(none), path))
  data.frame(step = seq_len(nrow(path)), path)
}

# The space of a search for blocks: the features that may change their block, the blocks at the
# start, and the features that stay as they are.

# list(spec, kinds (of all features), start (a list of the positions of the features of each block,
# single features too), fixed (blocks that stay), given (the names of the start's blocks, NA where
# the features make the name), closed (why features stay, named by feature)).
search_space <- function(spec, schema, kinds, criterion, call) {
  if (spec$structure == "known") {
    abort_argument("{.arg object} has known parameters: there are no blocks to search for.", call)
  }
  blocks <- joint_blocks(spec, schema, call)
  joint_banks <- plan_banks(assign_likelihoods(spec, schema, call), schema, call)
  labels <- names(schema$features)
  of <- feature_kinds(schema)
  closed <- closed_features(spec, labels, of, blocks, criterion)
  closed[!of %in% kinds & is.na(closed)] <- "not searched"
  fixed <- vapply(blocks, function(block) any(!is.na(closed[block])), NA)
  # A block stays whole.
  inside <- unlist(blocks[fixed])
  closed[inside[is.na(closed[inside])]] <- "block kept"
  single <- setdiff(which(is.na(closed)), unlist(blocks))
  start <- c(blocks[!fixed], as.list(single))
  list(
    spec = spec, labels = labels, kinds = of, levels = count_levels(schema$features),
    start = lapply(unname(start), sort), fixed = blocks[fixed],
    given = names_given(blocks[!fixed], labels),
    closed = stats::setNames(closed, labels)
  )
}

# Why features cannot change their block; NA where they can.
closed_features <- function(spec, labels, kinds, blocks, criterion) {
  reason <- rep(NA_character_, length(labels))
  numeric <- kinds == "numeric"
  reason[labels %in% names(spec$features)] <- "likelihood of its own"
  # Joint tables cannot be smoothed by level.
  table <- spec$categorical
  by_level <- length(table$laplace) > 1L || !is.null(names(table$laplace))
  if (!is.null(table$p) || by_level) reason[!numeric] <- "smoothed by level"
  own <- if (!is_likelihood(spec$joint)) names(spec$joint)
  reason[unlist(blocks[names(blocks) %in% own])] <- "likelihood of its own"
  if (criterion == "cost") return(reason)
  if (spec$numeric$name != "gaussian") reason[numeric] <- paste(spec$numeric$name, "likelihood")
  if (is_likelihood(spec$joint)) reason[numeric] <- paste(spec$joint$name, "likelihood")
  reason
}

# The names that a user gave to blocks; NA for others.
names_given <- function(blocks, labels) {
  made <- name_blocks(unname(lapply(blocks, function(block) labels[block])))
  ifelse(names(blocks) == made | names(blocks) %in% c("numeric", "categorical"), NA, names(blocks))
}

check_start <- function(space, max_size, call) {
  large <- lengths(space$start) > max_size
  if (!any(large)) return(invisible())
  block <- space$labels[space$start[[which(large)[[1L]]]]]
  abort_argument(c(
    "{.arg object} has a block of {length(block)} features, and {.arg max_size} is {max_size}.",
    i = "Start from {.code bayes_naive()}, or from smaller blocks."
  ), call)
}

# The specification with these blocks. Blocks of one feature are single features.
with_blocks <- function(space, blocks, given = rep(NA_character_, length(blocks))) {
  joint <- lengths(blocks) > 1L
  members <- c(lapply(blocks[joint], function(block) space$labels[sort(block)]),
               lapply(unname(space$fixed), function(block) space$labels[block]))
  names <- c(given[joint], names_given(space$fixed, space$labels))
  order <- order(vapply(members, function(block) match(block[[1L]], space$labels), 1L))
  members <- stats::setNames(members, names)[order]
  names(members) <- if (length(members)) name_blocks(members)
  spec <- space$spec
  spec$structure <- "blocks"
  spec$blocks <- members
  spec
}

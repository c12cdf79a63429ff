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

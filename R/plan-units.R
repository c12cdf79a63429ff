# The tests of a plan as units, which are independent given the class: single features, and groups
# of features that share a joint table or a panel. A joint block of numbers is read at once; its
# first feature stands for it.

# list(units, values): `units`: for each unit its features, those that are in a joint table, its
# states (see unit_states()) and their steps as plan_tests_cpp() reads them; `values`: for each row
# of the frame that the steps refer to, the known levels by feature. In the first row nothing is
# known.
plan_units <- function(object, tests, visit, call) {
  blocks <- joint_numbers(object, features_of_tests(tests))
  tests$features <- lapply(tests$features, setdiff, unlist(lapply(blocks, `[`, -1L)))
  joint <- joint_tables(object, features_of_tests(tests))
  groups <- connected_groups(c(tests$features, joint), unique(features_of_tests(tests)))
  values <- list(list())
  units <- units_of_groups(object, groups, unlist(joint), tests, visit, call)
  units <- Map(function(group, unit) {
    unit$steps <- Map(function(state, steps) {
      steps <- lapply(steps, function(step) c(step, members = list(block_of(step$feature, blocks))))
      if (length(steps) && any(state$known > 0L, na.rm = TRUE)) {
        values[[length(values) + 1L]] <<- known_levels(object, group, state)
        lapply(steps, c, row = length(values))
      } else {
        lapply(steps, c, row = 1L)
      }
    }, unit$states, unit$steps)
    c(list(features = group), unit)
  }, groups, units)
  list(units = units, values = values)
}

# The states and steps of each group. Units of several features need a table for all their states
# together, so these may be too many.
units_of_groups <- function(object, groups, joint, tests, visit, call) {
  for (most in c(most_known, 1L)) {
    units <- lapply(groups, function(group) {
      unit_states(object, group, intersect(group, joint), tests, visit, most)
    })
    states <- vapply(units, function(unit) length(unit$states), 1L)
    if (any(states == 0L)) break
    if (prod(states[lengths(groups) > 1L]) <= most_together) return(units)
  }
  abort_many_states(object, unlist(groups[lengths(groups) > 1L]), call)
}

most_known <- 1000L # patterns of what is known of a unit
most_states <- 20000L # states of a unit
most_together <- 1e6 # states of all units of several features

abort_many_states <- function(object, features, call) {
  abort_argument(c(
    "{.field {names(object$schema$features)[features]}} can be known in too many ways: they are
     features of panels or of joint tables.",
    i = "{.arg features} tests fewer of them, and {.arg given} has those that are known."
  ), call)
}

# The features that are read with a feature.
block_of <- function(feature, blocks) {
  own <- Filter(function(block) feature == block[[1L]], blocks)
  if (length(own)) own[[1L]] else feature
}

# The known levels of a state by the name of their feature.
known_levels <- function(object, group, state) {
  known <- which(!is.na(state$known) & state$known > 0L)
  stats::setNames(as.list(state$known[known]), names(object$schema$features)[group[known]])
}

# The joint tables with features that are tested: the positions of the features of each.
joint_tables <- function(object, tested) {
  kinds <- feature_kinds(object$schema)
  joint <- Filter(function(bank) {
    is_joint(bank) && all(kinds[bank$features] == "categorical")
  }, object$plan$banks)
  Filter(length, lapply(joint, function(bank) intersect(bank$features, tested)))
}

# The sets of connected features; the features of each of the `sets` are connected.
connected_groups <- function(sets, features) {
  group <- seq_along(features)
  for (set in sets) {
    own <- unique(group[match(set, features, nomatch = 0L)])
    group[group %in% own] <- min(own)
  }
  unname(split(features, group))
}

# The states of a unit, and for each its steps. A state says which features are known (`known`: the
# level of a feature of a joint table, otherwise 0; NA: unknown), and which have been paid for with
# a panel, but not been read (`paid`). All that can be known of a case is a state if these are at
# most `most`; otherwise only what the tests lead to. Each step reads one feature, so states are in
# the order of the number of known features; the last one knows all. NULL if there are too many.
unit_states <- function(object, group, joint, tests, visit, most) {
  single <- intersect(group, unlist(tests$features[lengths(tests$features) == 1L]))
  if (prod(1 + lengths(known_ways(object, single, joint))) > most_states) return(NULL)
  states <- patterns_of(object, group, joint, most)
  keys <- vapply(states, state_key, "")
  found <- list2env(stats::setNames(rep(list(TRUE), length(keys)), keys))
  steps <- list()
  while (length(steps) < length(states)) {
    state <- states[[length(steps) + 1L]]
    if (length(states) > most_states) return(NULL)
    open <- steps_of_state(state, group, tests, visit)
    steps[[length(steps) + 1L]] <- lapply(open, function(step) {
      after <- states_after(object, state, step, group, joint)
      key <- vapply(after, state_key, "")
      new <- !duplicated(key) & vapply(key, function(k) is.null(found[[k]]), NA)
      for (k in key[new]) found[[k]] <- TRUE
      states <<- c(states, after[new])
      keys <<- c(keys, key[new])
      c(step[c("test", "feature", "price", "counts")], list(`next` = key))
    })
  }
  order <- order(vapply(states, function(state) sum(!is.na(state$known)), 1L))
  steps <- lapply(steps[order], lapply, function(step) {
    replace(step, "next", list(match(step$`next`, keys[order]) - 1L))
  })
  list(joint = joint, states = states[order], steps = steps)
}

# The states without what is paid for: each feature is unknown, or known, with its level where
# others depend on it. If there are more than `most`, only that where nothing is known.
patterns_of <- function(object, group, joint, most) {
  known <- lapply(known_ways(object, group, joint), function(ways) c(NA, ways))
  if (prod(lengths(known)) > most) known <- rep(list(NA_integer_), length(group))
  patterns <- as.matrix(expand.grid(known))
  all <- rowSums(is.na(patterns)) == 0
  patterns[all, ] <- 0L
  patterns <- unique(patterns)
  lapply(seq_len(nrow(patterns)), function(i) {
    list(known = as.integer(patterns[i, ]), paid = integer(), test = 0L)
  })
}

# For each feature the ways in which it can be known.
known_ways <- function(object, group, joint) {
  lapply(group, function(feature) {
    if (feature %in% joint) seq_along(object$schema$features[[feature]]$levels) else 0L
  })
}

state_key <- function(state) {
  paste(paste(state$known, collapse = " "), paste(state$paid, collapse = " "), state$test)
}

# The steps of a state. What has been paid for is read next, without a further price.
steps_of_state <- function(state, group, tests, visit) {
  if (length(state$paid)) {
    return(list(list(
      test = state$test, feature = state$paid[[1L]], price = 0, counts = FALSE, reads = state$paid
    )))
  }
  unread <- group[is.na(state$known)]
  found <- lapply(seq_along(tests$test), function(i) {
    reads <- intersect(tests$features[[i]], unread)
    if (!length(reads)) return(NULL)
    list(
      test = i, feature = reads[[1L]], price = tests$price[[i]] + visit, counts = TRUE,
      reads = reads
    )
  })
  Filter(length, found)
}

# The state after each level that a step may show, or the one after a number.
states_after <- function(object, state, step, group, joint) {
  levels <- max(1L, length(object$schema$features[[step$feature]]$levels))
  lapply(seq_len(levels), function(level) {
    state$known[match(step$feature, group)] <- if (step$feature %in% joint) level else 0L
    state$paid <- step$reads[-1L]
    state$test <- if (length(state$paid)) step$test else 0L
    if (!anyNA(state$known)) state$known[] <- 0L
    state
  })
}

# The state of each case: the first one that knows what is known of the case, and nothing is paid
# for. `known`: logical, cases x features; `levels`: integer, the same.
states_of_cases <- function(unit, known, levels) {
  keys <- vapply(unit$states, function(state) {
    if (length(state$paid)) NA_character_ else paste(state$known, collapse = " ")
  }, "")
  size <- length(unit$features)
  own <- cbind(known[, unit$features, drop = FALSE], levels[, unit$features, drop = FALSE])
  at <- apply(own, 1L, function(x) {
    read <- x[seq_len(size)] == 1
    level <- ifelse(unit$features %in% unit$joint & !all(read), x[size + seq_len(size)], 0L)
    paste(ifelse(read, level, NA), collapse = " ")
  })
  match(at, keys) - 1L
}

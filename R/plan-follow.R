# Following the tree of a plan with cases whose tests are all known.

# list(action, steps, price) by case, as follow_rules() lists them; NULL if the tree does not say
# which values belong to an answer, because they are known by draws. `values`: those of the cases by
# feature, as values_of_cases() lists them.
follow_tree <- function(plan, values, threads, call) {
  tree <- plan$tree
  tested <- which(!is.na(tree$test))
  unsaid <- is.na(tree$from) & lengths(plan$levels) == 0L
  if (any(unsaid[-1L])) return(NULL)
  rows <- length(values[[1L]])
  at <- rep(1L, rows)
  price <- numeric(rows)
  steps <- integer(rows)
  step <- is_step(tree)
  for (node in tested) {
    here <- which(at == node)
    if (!length(here)) next
    own <- which(tree$parent == node)
    at[here] <- own[answers_at(plan, node, own, lapply(values, `[`, here), threads, call)]
    price[here] <- price[here] + tree$price[[node]]
    steps[here] <- steps[here] + step[[node]]
  }
  list(action = match(tree$action[at], plan$cost$actions), steps = steps, price = price)
}

# The branch, counted in `own`, of each case at a node.
answers_at <- function(plan, node, own, values, threads, call) {
  read <- features_read(plan, node)
  if (!is.na(plan$tree$class[[own[[1L]]]])) {
    return(findInterval(log_ratio_of(plan, read, values, threads, call), plan$log_ratio[own]))
  }
  value <- values[[read[[1L]]]]
  levels <- plan$setup$object$schema$features[[read[[1L]]]]$levels
  if (is.null(levels)) return(findInterval(value, plan$tree$from[own]))
  branch <- rep(seq_along(own), lengths(plan$levels[own]))
  # A level that no class can have is in no branch.
  at <- branch[match(levels[value], unlist(plan$levels[own]))]
  replace(at, is.na(at), 1L)
}

# The positions of the features that a node reads.
features_read <- function(plan, node) {
  setup <- plan$setup
  first <- match(plan$tree$feature[[node]], read_names(setup))
  block_of(first, joint_numbers(setup$object, features_of_tests(setup$tests)))
}

# The log ratio of the densities of a panel in the two possible classes, second over first.
log_ratio_of <- function(plan, read, values, threads, call) {
  setup <- plan$setup
  model <- powered_model(setup$object)$model
  given <- match(names(setup$given), names(values))
  possible <- which(setup$prior > 0)
  odds <- function(known) {
    cases <- list(frame = frame_of_values(setup$object, values, known))
    joint <- score(model, cases, "log_joint", setup$prior, NULL, threads, call)
    joint[, possible[[2L]]] - joint[, possible[[1L]]]
  }
  odds(c(given, read)) - odds(given)
}

# What follows from the tree of a test plan, a data frame with a row for each node (parents before
# children): who reaches a node, what lies below it, and which nodes are shown if not all are.

# A number for each node that follows from that of its parent: `step(above, nodes)`.
along_tree <- function(tree, root, step) {
  check_tree(tree)
  values <- rep(root, nrow(tree))
  for (i in seq_len(nrow(tree))[-1L]) values[[i]] <- step(values[[tree$parent[[i]]]], i)
  values
}

# The node of a row is its number.
check_tree <- function(tree) {
  rows <- seq_len(nrow(tree))
  stopifnot(
    length(rows) > 0L, tree$node == rows, is.na(tree$parent[[1L]]),
    tree$parent[-1L] >= 1L, tree$parent[-1L] < rows[-1L],
    is.na(tree$test) != is.na(tree$action)
  )
}

# The probability that a case comes to a node.
reach_of <- function(tree) {
  along_tree(tree, 1, function(above, i) above * tree$probability[[i]])
}

depth_of <- function(tree) along_tree(tree, 0L, function(above, i) above + 1L)

# Whether a node reads a further feature of a panel that was measured above.
is_continued <- function(tree) {
  above <- tree$parent
  same <- !is.na(tree$test) & tree$test == tree$test[above] & tree$feature != tree$feature[above]
  replace(same, is.na(same), FALSE)
}

# Whether a node costs a step: a test, or a panel with all of its features.
is_step <- function(tree) !is.na(tree$test) & !is_continued(tree)

# The sum of `values` over each node and all nodes below it.
sum_below <- function(tree, values) {
  check_tree(tree)
  for (i in rev(seq_len(nrow(tree))[-1L])) {
    above <- tree$parent[[i]]
    values[[above]] <- values[[above]] + values[[i]]
  }
  values
}

# The number of steps of each case: the mean and the largest.
count_steps <- function(tree) {
  step <- is_step(tree)
  done <- along_tree(tree, 0L, function(above, i) above + step[[tree$parent[[i]]]])
  list(mean = sum(reach_of(tree)[step]), most = max(done))
}

# Answers of a test that less than one case in 1,000 comes to are one, if they are neighbouring
# intervals of a number, or levels. `leader`: the first of the answers that are one with this
# answer; `size`: their number. The row of the first has the ends and the probability of all.
# `all`: whether each answer stays alone.
unite_rare <- function(tree, all) {
  rare <- reach_of(tree) < 0.001 & !all
  level <- is.na(tree$from)
  order <- order(tree$parent, rare & level, seq_along(rare))
  before <- c(NA, utils::head(order, -1L))
  same <- function(x) x[order] == x[before]
  joined <- rare[order] & rare[before] & same(tree$parent) & same(level)
  alone <- is.na(joined) | !joined
  first <- order[alone][cumsum(alone)]
  # The last of several wins.
  tree$to[first] <- tree$to[order]
  tree$leader <- replace(order, order, first)
  tree$size <- tabulate(tree$leader, nrow(tree))[tree$leader]
  tree$probability <- stats::ave(tree$probability, tree$leader, FUN = sum)
  united <- tree$size > 1L
  tree$answer[united & level] <- sprintf("%d answers", tree$size)[united & level]
  tree
}

# The tests whose answers are shown: those that most cases reach, as long as no more than `most`
# things are shown. `tree`: as unite_rare() makes it; `added`: how many things the answers of each
# node add to the first. The answers of the root are shown anyway, those below the depth `deepest`
# never.
open_nodes <- function(tree, most, added, deepest = Inf) {
  reach <- reach_of(tree)
  able <- !is.na(tree$test) & tree$size == 1L & depth_of(tree) < deepest
  open <- able & seq_along(able) == 1L
  shown <- 1L + sum(added[open])
  if (1L + sum(added[able]) <= most) return(able)
  repeat {
    next_one <- which(able & !open & c(FALSE, open[tree$parent[-1L]]) & shown + added <= most)
    if (!length(next_one)) return(open)
    best <- next_one[[which.max(reach[next_one])]]
    open[[best]] <- TRUE
    shown <- shown + added[[best]]
  }
}

# The shown nodes from top to bottom: each before its answers, these in their order.
shown_nodes <- function(tree, open) {
  first <- which(tree$leader == tree$node)
  below <- split(first, factor(tree$parent[first], tree$node))
  order <- integer(nrow(tree))
  count <- 0L
  ahead <- 1L
  while (length(ahead)) {
    node <- ahead[[1L]]
    count <- count + 1L
    order[[count]] <- node
    ahead <- c(if (open[[node]]) below[[node]], ahead[-1L])
  }
  order[seq_len(count)]
}

count_answers <- function(tree) tabulate(tree$parent[tree$leader == tree$node], nrow(tree))

# The number of nodes that are not shown for each shown one that is not open.
count_hidden <- function(tree, open) {
  nodes <- sum_below(tree, rep(1L, nrow(tree)))
  ifelse(open, 0L, as.integer(stats::ave(nodes, tree$leader, FUN = sum)) - 1L)
}

# The answers as texts. The cuts of a test have as many digits as tell them apart.
answer_texts <- function(tree, digits) {
  text <- as.character(tree$answer)
  number <- which(!is.na(tree$from) & !is.na(tree$to))
  for (own in split(number, tree$parent[number])) {
    text[own] <- if (tree$whole[[own[[1L]]]]) {
      count_answers_of(tree$from[own], tree$to[own])
    } else {
      number_answers(tree$from[own], tree$to[own], digits)
    }
  }
  panel <- !is.na(tree$class)
  text[panel] <- sprintf("P(%s) %s", tree$class[panel], text[panel])
  text
}

# Counts from `from` to the last one below `to`.
count_answers_of <- function(from, to) {
  last <- format_count(to - 1)
  first <- format_count(from)
  ifelse(
    is.finite(from) & from > 0,
    ifelse(is.finite(to), ifelse(to - from == 1, first, paste(first, "to", last)),
      paste(">=", first)),
    ifelse(is.finite(to), ifelse(to == 1, "0", paste("<=", last)), "any number")
  )
}

number_answers <- function(from, to, digits) {
  cuts <- distinct_texts(c(from, to), digits)
  first <- cuts[seq_along(from)]
  last <- cuts[-seq_along(from)]
  ifelse(
    is.finite(from), ifelse(is.finite(to), paste(first, "to", last), paste(">=", first)),
    ifelse(is.finite(to), paste("<", last), "any number")
  )
}

# How a case comes to each node, as one text that needs no other row.
path_texts <- function(tree) {
  answer <- answer_texts(tree, 4L)
  number <- !is.na(tree$from)
  panel <- !is.na(tree$class)
  read <- ifelse(panel, tree$test[tree$parent], tree$feature[tree$parent])
  step <- paste0(read, ifelse(panel, ": ", ifelse(number, " ", " = ")), answer)
  paths <- along_tree(tree, "", function(above, i) {
    if (nzchar(above)) paste(above, step[[i]], sep = "; ") else step[[i]]
  })
  replace(paths, 1L, "start")
}

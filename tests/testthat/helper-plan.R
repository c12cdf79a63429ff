# Test plans without the engine: an exact search over a few tests of a few answers.

# `tests`: by name, a list of `p` (classes x answers) and, for a number, its interior `cuts`.
plan_world <- function(prior, tests, cost, price = 0.1, visit = 0) {
  # Some tests use this file without the functions inside of the package.
  read <- utils::getFromNamespace("read_cost", "bayesrisk")
  price <- stats::setNames(rep_len(price, length(tests)), names(tests))
  list(
    prior = prior, tests = tests, price = price, visit = visit,
    cost = read(cost, names(prior), call = NULL)
  )
}

# The action of least expected cost. Classes of probability 0 cost nothing.
best_action <- function(belief, cost) {
  met <- belief > 0
  expected <- drop(cost$fixed[, met, drop = FALSE] %*% belief[met])
  list(value = min(expected), action = cost$actions[[which.min(expected)]])
}

# The nodes after one test: for each answer that is possible, its probability and its node.
answers_of <- function(belief, name, world, follow) {
  joint <- belief * world$tests[[name]]$p
  share <- colSums(joint)
  answers <- which(share > 0)
  list(share = share[answers], at = answers, nodes = lapply(answers, function(a) {
    follow(joint[, a] / share[[a]])
  }))
}

# The node of least expected cost. `greedy`: each step looks only one test ahead.
search_plan <- function(belief, world, left = names(world$tests), greedy = FALSE) {
  best <- best_action(belief, world$cost)
  worth <- best$value
  for (name in left) {
    full <- answers_of(belief, name, world, function(b) {
      search_plan(b, world, setdiff(left, name), greedy)
    })
    price <- world$price[[name]] + world$visit
    mean_of <- function(nodes) price + sum(full$share * vapply(nodes, `[[`, 1, "value"))
    judged <- full$nodes
    if (greedy) {
      judged <- answers_of(belief, name, world, function(b) best_action(b, world$cost))$nodes
    }
    if (mean_of(judged) < worth - 1e-12) {
      worth <- mean_of(judged)
      best <- c(list(value = mean_of(full$nodes), test = name, price = price), full)
    }
  }
  best
}

# Answers that lead to the same action are one: all levels, but only neighbours of a number.
united_answers <- function(node, world) {
  test <- world$tests[[node$test]]
  action <- vapply(node$nodes, function(child) {
    if (is.null(child$action)) NA_character_ else child$action
  }, "")
  key <- ifelse(is.na(action), paste("test", seq_along(action)), action)
  if (!is.null(test$cuts)) key <- cumsum(c(TRUE, key[-1L] != utils::head(key, -1L)))
  lapply(split(seq_along(key), match(key, unique(key))), function(own) {
    share <- node$share[own]
    child <- node$nodes[[own[[1L]]]]
    child$value <- sum(share * vapply(node$nodes[own], `[[`, 1, "value")) / sum(share)
    ends <- c(-Inf, test$cuts, Inf)
    at <- node$at[own]
    number <- !is.null(test$cuts)
    list(
      node = child, probability = sum(share),
      answer = if (number) "see from and to" else paste(colnames(test$p)[at], collapse = ", "),
      from = if (number) ends[[min(at)]] else NA_real_,
      to = if (number) ends[[max(at) + 1L]] else NA_real_
    )
  })
}

# The rows of a node and of those below it, depth first. `after`: the rows before it.
plan_rows <- function(node, world, after = 0L, parent = NA_integer_, way = NULL) {
  or_na <- function(value, none) if (is.null(value)) none else value
  me <- after + 1L
  rows <- data.frame(
    node = me, parent = parent, answer = or_na(way$answer, NA_character_),
    test = or_na(node$test, NA_character_), action = or_na(node$action, NA_character_),
    probability = or_na(way$probability, 1), cost = node$value,
    price = or_na(node$price, NA_real_), feature = or_na(node$test, NA_character_),
    from = or_na(way$from, NA_real_), to = or_na(way$to, NA_real_),
    class = NA_character_, whole = FALSE
  )
  if (is.null(node$test)) return(rows)
  for (below in united_answers(node, world)) {
    rows <- rbind(rows, plan_rows(below$node, world, after + nrow(rows), me, below))
  }
  rows
}

# A plan as test_plan() makes it, of the tree of least expected cost.
hand_plan <- function(world, given = NULL) {
  found <- search_plan(world$prior, world)
  tree <- plan_rows(found, world)
  number <- !is.na(tree$from)
  tree$answer[number] <- sprintf("%.1f to %.1f", tree$from, tree$to)[number]
  every <- Reduce(function(belief, test) {
    kronecker(belief, test$p, make.dimnames = FALSE)[
      seq(1L, by = nrow(test$p) + 1L, length.out = nrow(test$p)), , drop = FALSE
    ]
  }, world$tests, matrix(world$prior, ncol = 1L))
  decided <- apply(every, 2L, function(belief) best_action(belief, world$cost)$value)
  new_hand_plan(tree, world, list(
    value = found$value, lower = found$value, upper = found$value, loss = NA_real_, exact = TRUE,
    error = NA_real_, now = best_action(world$prior, world$cost)$value,
    all = sum(decided) + sum(world$price) + world$visit,
    myopic = search_plan(world$prior, world, greedy = TRUE)$value
  ), given)
}

new_hand_plan <- function(tree, world, numbers, given = NULL) {
  tests <- data.frame(test = names(world$tests), price = unname(world$price))
  tests$features <- as.list(tests$test)
  structure(c(numbers, list(
    tree = tree, tests = tests, visit = world$visit, tolerance = 1e-3, max_tests = Inf,
    cost = world$cost, classes = names(world$prior), prior = world$prior
  ), if (!is.null(given)) list(given = given)), class = c(
    "bayesrisk_test_plan", "bayesrisk_result", "list"
  ))
}

# The example of the contract: value .423.
treat_or_wait <- function() cost_matrix(treat = c(ill = 0, well = 4), wait = c(ill = 8, well = 0))

two_tests <- function(cost = treat_or_wait(), price = 0.1, names = c("first", "second"), ...) {
  p <- rbind(ill = c(pos = 0.9, neg = 0.1), well = c(pos = 0.2, neg = 0.8))
  tests <- stats::setNames(list(list(p = p), list(p = p)), names)
  hand_plan(plan_world(c(ill = 0.1, well = 0.9), tests, cost, price, ...))
}

# Probabilities of the intervals of a normal number in each class.
in_intervals <- function(mean, sd, cuts) {
  p <- t(vapply(mean, function(m) diff(stats::pnorm(c(-Inf, cuts, Inf), m, sd)), numeric(
    length(cuts) + 1L
  )))
  rownames(p) <- names(mean)
  p
}

# Three classes, numbers and levels: a tree of 40 nodes. With a tenth of the prices it has 110.
wide_plan <- function(price = c(0.2, 0.1, 0.05, 0.2), names = c("glu", "bmi", "age", "family"),
                      actions = c("leave", "refer", "treat"),
                      classes = c("none", "mild", "severe"), ...) {
  by_class <- function(...) stats::setNames(c(...), classes)
  cuts <- list(c(99.5, 108.312, 141.2, 160), c(25, 30.25, 35), c(40.5, 55))
  tests <- list(
    list(p = in_intervals(by_class(100, 125, 150), 20, cuts[[1L]]), cuts = cuts[[1L]]),
    list(p = in_intervals(by_class(25, 30, 34), 5, cuts[[2L]]), cuts = cuts[[2L]]),
    list(p = in_intervals(by_class(40, 48, 55), 12, cuts[[3L]]), cuts = cuts[[3L]]),
    list(p = `rownames<-`(
      rbind(c(no = 0.8, far = 0.15, near = 0.05), c(0.5, 0.2, 0.3), c(0.3, 0.2, 0.5)), classes
    ))
  )
  cost <- do.call(cost_matrix, stats::setNames(list(
    by_class(0, 4, 20), by_class(2, 1.5, 4), by_class(6, 2, 0)
  ), actions))
  hand_plan(plan_world(
    by_class(0.6, 0.3, 0.1), stats::setNames(tests, names), cost, price, ...
  ))
}

# A tree of `size` equal tests in a row: each ends with its positive answer.
deep_plan <- function(size) {
  two <- two_tests()
  tests <- sprintf("test %02d", seq_len(size))
  rows <- seq_len(2L * size + 1L)
  last <- rows == max(rows)
  test <- rows %% 2L == 1L & !last
  name <- ifelse(test, tests[(rows + 1L) %/% 2L], NA)
  # After each test its positive answer, then its negative one, which is the next test.
  tree <- data.frame(
    node = rows, parent = c(NA, rep(which(test), each = 2L)),
    answer = c(NA, rep(c("pos", "neg"), size)), test = name,
    action = ifelse(test, NA, ifelse(last, "wait", "treat")),
    probability = c(1, rep(c(0.2, 0.8), size)), cost = ifelse(test, 0.5, 1),
    price = ifelse(test, 0.1, NA), feature = name, from = NA_real_, to = NA_real_,
    class = NA_character_, whole = FALSE
  )
  world <- plan_world(two$prior, stats::setNames(rep(list(NULL), size), tests), treat_or_wait())
  new_hand_plan(tree, world, unclass(two)[c(
    "value", "lower", "upper", "loss", "exact", "error", "now", "all", "myopic"
  )])
}

# Two panels of a blood sample and a single test: the features of a panel are read in turn.
panel_plan <- function() {
  plan <- two_tests()
  plan$tree <- data.frame(
    node = 1:7, parent = c(NA, 1L, 1L, 3L, 3L, 4L, 4L),
    answer = c(NA, "< 108.3", ">= 108.3", "< 70", ">= 70", "pos", "neg"),
    test = c("blood", NA, "blood", "first", NA, NA, NA),
    action = c(NA, "wait", NA, NA, "treat", "treat", "wait"),
    probability = c(1, 0.7, 0.3, 0.4, 0.6, 0.5, 0.5), cost = c(0.5, 0.1, 1.2, 1, 0.8, 1, 0.8),
    price = c(0.3, NA, 0, 0.1, NA, NA, NA), feature = c("glu", NA, "insulin", "first", NA, NA, NA),
    from = c(NA, -Inf, 108.3, -Inf, 70, NA, NA), to = c(NA, 108.3, Inf, 70, Inf, NA, NA),
    class = NA_character_, whole = FALSE
  )
  plan$tests <- data.frame(test = c("blood", "first"), price = c(0.3, 0.1))
  plan$tests$features <- list(c("glu", "insulin"), "first")
  plan
}

# The least expected cost of tests and a decision by exhaustive search, without the engine.

# `table`: for each class an array of P(answers | class), a dimension for each feature. `tests`: a
# list of list(features, price). `myopic`: each step looks only one test ahead.
search_tests <- function(prior, table, cost, tests, visit = 0, steps = Inf, myopic = FALSE) {
  sizes <- dim(table[[1L]])
  weight_of <- function(known) {
    slice <- lapply(seq_along(sizes), function(j) if (is.na(known[[j]])) TRUE else known[[j]])
    prior * vapply(table, function(p) sum(do.call(`[`, c(list(p), slice))), 1)
  }
  decide <- function(weight) {
    met <- weight > 0
    if (!any(met)) return(0)
    min(cost[, met, drop = FALSE] %*% weight[met])
  }
  memory <- new.env()
  visit_state <- function(known, steps) {
    key <- paste(c(known, steps), collapse = " ")
    if (!is.null(memory[[key]])) return(memory[[key]])
    weight <- weight_of(known)
    best <- judged <- decide(weight)
    if (steps > 0 && sum(weight) > 0) {
      for (test in tests) {
        open <- test$features[is.na(known[test$features])]
        if (!length(open)) next
        answers <- as.matrix(expand.grid(lapply(sizes[open], seq_len)))
        follow <- function(value) {
          sum(apply(answers, 1L, function(a) {
            after <- known
            after[open] <- a
            value(after)
          }))
        }
        price <- (test$price + visit) * sum(weight)
        full <- price + follow(function(after) visit_state(after, steps - 1))
        ahead <- if (myopic) price + follow(function(after) decide(weight_of(after))) else full
        if (ahead < judged - 1e-12) {
          judged <- ahead
          best <- full
        }
      }
    }
    assign(key, best, envir = memory)
    best
  }
  visit_state(rep(NA_integer_, length(sizes)), steps)
}

# P(answers | class) of independent features. `likelihoods`: for each feature classes x answers.
product_table <- function(likelihoods) {
  lapply(seq_len(nrow(likelihoods[[1L]])), function(k) {
    Reduce(outer, lapply(likelihoods, function(p) p[k, ]))
  })
}

# A problem of tables with random probabilities, costs and prices.
random_tests <- function(classes, sizes) {
  draw <- function(n) {
    p <- stats::rgamma(n, 0.7) + 1e-3
    p / sum(p)
  }
  levels <- paste0("l", seq_len(max(sizes)))
  names <- paste0("t", seq_along(sizes))
  likelihoods <- lapply(stats::setNames(sizes, names), function(n) {
    p <- t(vapply(seq_len(classes), function(k) draw(n), numeric(n)))
    dimnames(p) <- list(letters[seq_len(classes)], levels[seq_len(n)])
    p
  })
  actions <- classes + sample(0:1, 1L)
  cost <- matrix(stats::runif(actions * classes, 0, 10), actions, classes)
  list(
    prior = stats::setNames(draw(classes), letters[seq_len(classes)]), likelihoods = likelihoods,
    cost = cost, price = stats::setNames(stats::runif(length(sizes), 0, 0.6), names)
  )
}

cost_of_matrix <- function(cost, classes) {
  rows <- lapply(seq_len(nrow(cost)), function(a) stats::setNames(cost[a, ], classes))
  do.call(cost_matrix, stats::setNames(rows, paste0("do", seq_along(rows))))
}

# The realised cost of each case when it follows the tree of a plan.
cost_by_tree <- function(plan, cases, truth) {
  tree <- plan$tree
  children <- split(tree$node, factor(tree$parent, tree$node))
  vapply(seq_along(truth), function(i) {
    node <- 1L
    paid <- 0
    while (is.na(tree$action[[node]])) {
      paid <- paid + tree$price[[node]]
      below <- children[[node]]
      x <- cases[[tree$feature[[node]]]][[i]]
      hit <- if (is.numeric(x)) {
        x >= tree$from[below] & x < tree$to[below]
      } else {
        vapply(strsplit(tree$answer[below], ", ", fixed = TRUE), function(a) x %in% a, NA)
      }
      node <- below[hit]
    }
    paid + plan$cost$fixed[tree$action[[node]], truth[[i]]]
  }, 1)
}

# The log density of rows under a normal, but for a constant.
log_normal <- function(x, mean, covariance) {
  z <- backsolve(chol(covariance), t(as.matrix(x)) - mean, transpose = TRUE)
  -colSums(z^2) / 2 - sum(log(diag(chol(covariance))))
}

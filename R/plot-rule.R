# The expected cost of a rule along the only feature of a model, as two areas: the cost that no
# rule can avoid, and above it the cost that the best rule would save.

# Converts a rule, given as in bayes_risk(), to a function from numbers to codes of actions.
rule_along <- function(problem, rule, feature) {
  world <- new_world(problem$model, problem$prior)
  if (length(world$features) != 1L) {
    abort_argument(c(
      "{.arg rule} can be drawn only for a model with one feature.",
      i = list_features(problem$model), i = "{.fn bayes_risk} gives the cost of the rule."
    ), problem$call)
  }
  # Called only for its checks. The plot decides like predict(), including ties.
  read_rule(rule, world, problem$cost, problem$call)
  if (is.function(rule)) {
    actions <- problem$cost$actions
    return(function(x) {
      newdata <- new_rows(stats::setNames(list(x), feature), length(x))
      call_rule(rule, newdata, actions, problem$call)
    })
  }
  own <- rule_problem(problem, rule)
  function(x) {
    seen <- if (identical(rule, "prior")) rep(NA_real_, length(x)) else x
    codes <- as.integer(score_along(own, feature, seen, "decision"))
    # A case that is impossible under the rule gets the first action, as in bayes_risk().
    replace(codes, is.na(codes), 1L)
  }
}

# A decision problem with the decisions of the rule.
rule_problem <- function(problem, rule) {
  if (identical(rule, "likelihood")) {
    problem$prior <- predict_prior(problem$model, "uniform", problem$call)
  }
  if (is_model(rule)) {
    problem$model <- rule
    problem$prior <- rule$parameters$prior
    problem$cost <- reorder_cost(problem$cost, rule$schema$classes$levels)
  }
  problem
}

# The points at which the decision of a rule changes, found between neighbours of a grid.
rule_cuts <- function(problem, feature, decides, grid) {
  code <- function(cell, x) decides(x)
  found <- code(1L, grid)
  at <- changes(found)
  step <- as.numeric(holds_counts(problem$model, feature))
  bisect_cuts(code, list(
    cell = rep(1L, length(at)), low = grid[at], high = grid[at + 1L], left = found[at],
    right = found[at + 1L]
  ), step)$x - step / 2
}

# Expected cost times density at each point: for the actions of the rule (`codes`), and for the best
# actions.
rule_areas <- function(problem, feature, grid, joint, codes) {
  rows <- seq_along(codes)
  cost <- score_along(problem, feature, grid, "cost") * rowSums(joint)
  best <- as.integer(score_along(problem, feature, grid, "decision"))
  actions <- problem$cost$actions
  data.frame(
    rule = factor(actions[codes], actions), risk = cost[cbind(rows, codes)],
    least = cost[cbind(rows, best)]
  )
}

area_colours <- c(avoidable = "#F4A582", inevitable = "grey80")

# The expected cost of a rule, and the part of it that no rule avoids.
area_marks <- function(first) {
  if (is.null(first$risk)) return(NULL)
  first$zero <- 0
  list(
    ggplot2::geom_ribbon(
      aes_of(x = "x", ymin = "least", ymax = "risk"), first, fill = area_colours[["avoidable"]]
    ),
    ggplot2::geom_ribbon(
      aes_of(x = "x", ymin = "zero", ymax = "least"), first, fill = area_colours[["inevitable"]]
    )
  )
}

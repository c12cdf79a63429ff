# Risk by Monte Carlo: rows drawn from the world. It applies to any world and any rule.

# Default tolerances of the standard error: relative to the largest cost, and for the best rule
# relative to its risk.
monte_carlo_tolerance <- 1e-5
monte_carlo_relative <- 0.01

monte_carlo_risk <- function(world, rules, cost, settings, call) {
  best <- own_rule(world, cost)
  # NULL stands for the best rule. It uses the world's own scores.
  drawn <- lapply(rules, function(rule) {
    if (is.function(rule)) return(rule_of_columns(rule, world, cost$actions, call))
    if (!identical(rule, best)) rule
  })
  # R functions run on one thread and are slow, so with them the relative tolerance is not used.
  functions <- any(vapply(rules, is.function, NA))
  threads <- if (functions) 1L else settings$threads
  tolerance <- settings$tolerance
  relative <- if (is.null(tolerance) && !functions) monte_carlo_relative else Inf
  if (is.null(tolerance)) tolerance <- monte_carlo_tolerance * largest_cost(cost)
  found <- call_engine(monte_carlo_risk_cpp(
    engine_world(world), drawn, cost$fixed, tolerance, relative, settings$seed, threads
  ), call)
  if (!is.null(settings$tolerance)) warn_accuracy(found$error[[1L]], tolerance, call)
  list(tables = stats::setNames(found$tables, names(rules)), accuracy = found$error[[1L]])
}

# A rule in the engine's format: a function of columns in the order of the world that returns codes
# from 1.
rule_of_columns <- function(rule, world, actions, call) {
  function(columns, rows) {
    columns <- drawn_columns(columns, world$features)
    call_rule(rule, new_rows(columns, rows), actions, call)
  }
}

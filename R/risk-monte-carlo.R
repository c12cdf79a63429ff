# Risk by drawing rows from the world: for any world and any rule.

# So many times the largest cost the standard error may be.
monte_carlo_tolerance <- 1e-5

monte_carlo_risk <- function(world, rules, cost, settings, call) {
  best <- own_rule(world, cost)
  # NULL: the best rule, for which the world's own scores will do.
  drawn <- lapply(rules, function(rule) {
    if (is.function(rule)) return(rule_of_columns(rule, world, cost$actions, call))
    if (!identical(rule, best)) rule
  })
  # R can be asked by one thread only.
  asks <- any(vapply(rules, is.function, NA))
  tolerance <- settings$tolerance
  if (is.null(tolerance)) tolerance <- monte_carlo_tolerance * largest_cost(cost)
  found <- call_engine(monte_carlo_risk_cpp(
    engine_world(world), drawn, cost$fixed, tolerance, settings$seed,
    if (asks) 1L else settings$threads
  ), call)
  if (!is.null(settings$tolerance)) warn_accuracy(found$error[[1L]], tolerance, call)
  list(tables = stats::setNames(found$tables, names(rules)), accuracy = found$error[[1L]])
}

# A rule as the engine asks it: for columns in the order of the world, codes from 1.
rule_of_columns <- function(rule, world, actions, call) {
  function(columns, rows) {
    columns <- drawn_columns(columns, world$features)
    call_rule(rule, new_rows(columns, rows), actions, call)
  }
}

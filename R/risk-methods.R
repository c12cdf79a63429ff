# The methods of a risk: a quadratic form, quadrature in a plane, Monte Carlo.

## Exact risks of two classes with normal features. The rule decides by the log ratio of two
## classes, which is a quadratic form in normal variables.

# The limit of the number of combinations of levels times the number of features.
most_ratio_terms <- 1e6

fits_ratio <- function(world, rule) {
  size <- world$cells * max(1, length(world$numeric))
  if (is.function(rule) || size > most_ratio_terms) return(FALSE)
  places <- unname(world$numeric)
  own <- engine_model(world$object, world$prior)
  if (!compares_normals(own, places)) return(FALSE)
  is.null(rule) || compares_normals(rule$model, stats::na.omit(rule$feature[places]))
}

# Whether a model compares at most two classes by features (given by position) that are normal in
# each class, alone or jointly.
compares_normals <- function(model, places) {
  if (length(places) == 0L) return(TRUE)
  normal <- vapply(model$banks, function(bank) {
    bank$type %in% c("gaussian", "multivariate_gaussian")
  }, NA)
  all(places %in% unlist(lapply(model$banks[normal], `[[`, "features"))) &&
    sum(model$prior > 0) <= 2L
}

ratio_risk <- function(world, rules, cost, settings, call) {
  found <- lapply(rules, function(rule) {
    actions <- length(cost$actions)
    call_engine(ratio_risk_cpp(engine_world(world), rule, actions, settings$threads), call)
  })
  finite <- replace(abs(cost$fixed), !is.finite(cost$fixed), 0)
  error <- structure(found$rule$error, dimnames = list(world$classes, cost$actions))
  accuracy <- sum(cell_costs(error, finite))
  tolerance <- settings$tolerance
  if (is.null(tolerance)) tolerance <- quadrature_tolerance * largest_cost(cost)
  warn_accuracy(accuracy, tolerance, call)
  list(tables = lapply(found, `[[`, "table"), accuracy = accuracy)
}

## Quadrature: two numeric features, for each combination of levels of the categorical ones.

# Limits of the quadrature: planes, normals, evaluations.
most_planes <- 256
most_plane_terms <- 64
most_plane_evaluations <- 200000L

# The default tolerance of the error, relative to the largest cost.
quadrature_tolerance <- 1e-8

fits_quadrature <- function(world, rule) {
  places <- unname(world$numeric)
  if (length(places) != 2L || world$cells > most_planes || is.function(rule)) return(FALSE)
  own <- stats::na.omit(rule$feature[places])
  is_simple_plane(engine_model(world$object), places) && is_simple_plane(rule$model, own)
}

# Whether features are sums of few normals. `model`: in the engine's format.
is_simple_plane <- function(model, places) {
  prod(count_normals(model, places)) * length(model$prior) <= most_plane_terms
}

quadrature_risk <- function(world, rules, cost, settings, call) {
  largest <- largest_cost(cost)
  if (largest == 0) largest <- 1
  tolerance <- settings$tolerance
  if (is.null(tolerance)) tolerance <- quadrature_tolerance * largest
  found <- lapply(rules, function(rule) {
    call_engine(plane_risk_cpp(
      engine_world(world), rule, length(cost$actions), tolerance / largest, most_plane_evaluations,
      settings$threads
    ), call)
  })
  accuracy <- found$rule$error * largest
  warn_accuracy(accuracy, tolerance, call)
  list(tables = lapply(found, `[[`, "table"), accuracy = accuracy)
}

## Monte Carlo: rows drawn from the world. It applies to any world and any rule.

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

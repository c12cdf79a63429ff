# The methods of a risk: cuts along a line, a quadratic form, quadrature in a plane, Monte Carlo.

# The default tolerance of an error, relative to the largest cost.
exact_tolerance <- 1e-8

# The risk of rules that are models. `quadrature`: whether the engine integrates in a plane.
model_risk <- function(world, rules, cost, settings, call, quadrature = FALSE) {
  largest <- largest_cost(cost)
  if (largest == 0) largest <- 1
  tolerance <- settings$tolerance
  if (is.null(tolerance)) tolerance <- exact_tolerance * largest
  found <- engine_risks(world, rules, cost, settings, call, quadrature, tolerance / largest)
  accuracy <- found$rule$accuracy
  warn_accuracy(accuracy, tolerance, call)
  list(tables = lapply(found, `[[`, "table"), accuracy = accuracy)
}

engine_risks <- function(world, rules, cost, settings, call, quadrature = FALSE, tolerance = 0) {
  lapply(rules, function(rule) {
    call_engine(risk_cpp(
      engine_world(world), rule, cost$fixed, quadrature, tolerance, settings$threads
    ), call)
  })
}

## Cuts along a line: at most one numeric feature, for each combination of levels.

line_risk <- function(world, rules, cost, settings, call) {
  look <- if (length(world$numeric)) rule_by_line else rule_by_cell
  seen <- lapply(rules, function(rule) {
    if (is.function(rule)) look(rule, world, cost$actions, call) else rule
  })
  found <- engine_risks(world, seen, cost, settings, call)
  rounding <- 1e-12 * largest_cost(cost)
  missed <- if (is.null(seen$rule$gap)) 0 else seen$rule$gap * diff(range(cost$fixed))
  accuracy <- max(rounding, missed, found$rule$accuracy)
  list(tables = lapply(found, `[[`, "table"), accuracy = accuracy)
}

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

## Quadrature: two numeric features, for each combination of levels of the categorical ones.

# Limits of the quadrature: planes, normals.
most_planes <- 256
most_plane_terms <- 64

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

## Monte Carlo: rows drawn from the world. It applies to any world and any rule.

# Default tolerances of the standard error: relative to the largest cost, and for the best rule
# relative to its risk.
monte_carlo_tolerance <- 1e-5
monte_carlo_relative <- 0.01

monte_carlo_risk <- function(world, rules, cost, settings, call) {
  best <- own_rule(world, cost)
  # NULL stands for the best rule of all features. It uses the world's own scores.
  whole <- !anyNA(best$feature)
  drawn <- lapply(rules, function(rule) {
    if (is.function(rule)) return(rule_of_columns(rule, world, cost$actions, call))
    if (!whole || !identical(rule, best)) rule
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

# Risk by quadrature: two numeric features, for each combination of levels of the categorical ones.

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

# Exact risks of two classes with normal features. The rule decides by the log ratio of two classes,
# which is a quadratic form in normal variables.

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

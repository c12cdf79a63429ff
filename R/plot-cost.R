# Expected cost of each action: against a numeric feature, or against the posterior probability
# of the second of two classes.

# One row for each point and action. The attribute `cuts` holds the points at which the decision
# changes.
cost_data <- function(problem, features, prior_given) {
  feature <- cost_feature(problem, features)
  if (!is.null(feature)) return(cost_by_feature(problem, feature))
  if (prior_given) {
    abort_argument(c(
      "{.arg prior} has no effect on costs against the posterior probability.",
      i = "Leave it out, or choose a numeric feature with {.arg features}."
    ), problem$call)
  }
  cost_by_probability(problem$cost)
}

# The feature of the x axis; NULL for the posterior probability.
cost_feature <- function(problem, features) {
  schema <- problem$model$schema
  numeric <- features_of_kind(schema, "numeric")
  if (length(features) == 1L && features %in% numeric) return(features)
  if (is.null(features)) {
    if (length(numeric) == 1L && length(schema$features) == 1L) return(numeric)
    if (length(schema$classes$levels) == 2L) return(NULL)
    if (length(numeric) == 1L) return(numeric)
  }
  abort_argument(c(
    "{.arg features} must name one numeric feature to draw costs against.",
    i = list_features(problem$model, "numeric"),
    i = "For two classes, leave it out: costs against the posterior probability."
  ), problem$call)
}

cost_by_feature <- function(problem, feature) {
  check_no_bag(problem$model, problem$call)
  grid <- feature_grid(problem, feature)
  cuts <- regions_within(problem, feature, grid)$cut
  grid <- beside_cuts(problem, feature, grid, cuts)
  costs <- score_along(problem, feature, grid, "cost")
  decision <- score_along(problem, feature, grid, "decision")
  long_costs(feature, grid, costs, decision, cuts, problem$cost)
}

cost_by_probability <- function(cost) {
  meet <- crossings(cost)
  grid <- sort(unique(c(seq(0, 1, length.out = 201L), meet)))
  long_costs(
    NA_character_, grid, decide_at(cost, grid, "cost"), decide_at(cost, grid, "decision"),
    envelope_cuts(cost, meet), cost
  )
}

long_costs <- function(feature, grid, costs, decision, cuts, cost) {
  actions <- colnames(costs)
  structure(data.frame(
    feature = feature, x = rep(grid, length(actions)),
    action = factor(rep(actions, each = length(grid)), actions),
    cost = as.vector(costs), chosen = as.vector(as.integer(decision) == col(costs))
  ), cuts = cuts, gains = are_gains(costs, cost$origin))
}

# The decision, or its cost, when the second class has posterior probability `p`. The function
# that decides by given posteriors computes it.
decide_at <- function(cost, p, output) {
  read <- list(
    frame = bind_frame(list(encoded(1 - p), encoded(p)), length(p)), classes = cost$classes
  )
  decide_given(read, numeric(), cost, output, 1L, rlang::caller_env())$value
}

# Probabilities strictly between 0 and 1 at which two actions cost the same.
crossings <- function(cost) {
  cost <- cost$fixed
  if (nrow(cost) == 1L) return(numeric())
  pairs <- utils::combn(nrow(cost), 2L)
  at_0 <- cost[pairs[1L, ], 1L] - cost[pairs[2L, ], 1L]
  at_1 <- cost[pairs[1L, ], 2L] - cost[pairs[2L, ], 2L]
  meet <- at_0 / (at_0 - at_1)
  sort(unique(unname(meet[is.finite(meet) & meet > 0 & meet < 1])))
}

# The crossings at which the cheapest action changes.
envelope_cuts <- function(cost, meet) {
  between <- (c(0, meet) + c(meet, 1)) / 2
  meet[changes(as.integer(decide_at(cost, between, "decision")))]
}

# The title of the x axis.
cost_axis <- function(drawn, classes) {
  label <- drawn$feature[[1L]]
  if (is.na(label)) sprintf("posterior probability of %s", classes[[2L]]) else label
}

# Limits that show all costs. If one cost is so large that the other lines would lie on the axis,
# limits that show the difference between the best and the second best action.
cost_limits <- function(costs) {
  finite <- costs[is.finite(costs)]
  if (length(finite) == 0L || all(finite == 0)) return(c(0, 1))
  limits <- range(0, finite)
  if (ncol(costs) == 1L) return(limits)
  next_best <- apply(costs, 1L, function(row) sort(row, na.last = TRUE)[[2L]])
  needed <- max(next_best[is.finite(next_best)], 0)
  if (needed > 0 && limits[[2L]] > 4 * needed) limits[[2L]] <- 1.25 * needed
  limits
}

cost_figure <- function(drawn, style) {
  keys <- label_style(levels(drawn$action), style)
  cuts <- attr(drawn, "cuts")
  gains <- attr(drawn, "gains")
  limits <- cost_limits(matrix(drawn$cost, ncol = nrow(keys)))
  lines <- drawn
  lines$cost <- gain_numbers(drawn$cost, gains)
  start_figure(drawn, c(label_scales(keys), cut_axis(cuts, drawn$x))) +
    cut_lines(cuts) + least_cost(lines) + lines_by(lines, "x", "cost", "action") +
    view(ylim = sort(gain_numbers(limits, gains))) +
    titled(cost_axis(drawn, style$classes), gain_words("expected cost", gains))
}

# The smallest cost is emphasised.
least_cost <- function(drawn) {
  best <- drawn[drawn$chosen %in% TRUE, ]
  best$line <- 1L
  plain_lines(best, "x", "cost", "line", "grey80", 3)
}

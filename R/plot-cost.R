# Expected cost of each action: against a numeric feature, or against the posterior
# probability of the second of two classes.

plot_cost <- function(view, features) {
  feature <- cost_feature(view, features)
  if (is.null(feature)) plot_cost_by_probability(view) else plot_cost_by_feature(view, feature)
}

# The feature of the x axis; NULL for the posterior probability.
cost_feature <- function(view, features) {
  schema <- view$model$schema
  numeric <- names(schema$features)[feature_kinds(schema) == "numeric"]
  if (length(features) == 1L && features %in% numeric) return(features)
  if (is.null(features)) {
    if (length(numeric) == 1L && length(schema$features) == 1L) return(numeric)
    if (length(schema$classes$levels) == 2L) return(NULL)
    if (length(numeric) == 1L) return(numeric)
  }
  abort_argument(c(
    "{.arg features} must choose one numeric feature to draw costs against.",
    i = list_features(view$model, "numeric"),
    i = "For two classes, leave it out: costs against the posterior probability."
  ), view$call)
}

plot_cost_by_feature <- function(view, feature) {
  grid <- feature_grid(view, feature)
  cuts <- regions_within(view, feature, grid)$cut
  grid <- beside_cuts(view, feature, grid, cuts)
  values <- stats::setNames(list(grid), feature)
  costs <- score_grid(view, values, "cost")
  chosen <- as.integer(score_grid(view, values, "decision"))
  draw_costs(view, grid, costs, chosen, feature, cuts)
  long_costs(feature, grid, costs, chosen)
}

plot_cost_by_probability <- function(view) {
  if (view$prior_given) {
    abort_argument(c(
      "{.arg prior} has no effect on costs against the posterior probability.",
      i = "Leave it out, or choose a numeric feature with {.arg features}."
    ), view$call)
  }
  meet <- crossings(view$cost)
  grid <- sort(unique(c(seq(0, 1, length.out = 201L), meet)))
  costs <- decide_at(view$cost, grid, "cost")
  chosen <- as.integer(decide_at(view$cost, grid, "decision"))
  second <- view$model$schema$classes$levels[[2L]]
  label <- sprintf("posterior probability of %s", second)
  draw_costs(view, grid, costs, chosen, label, envelope_cuts(view$cost, meet))
  long_costs(NA_character_, grid, costs, chosen)
}

# What is decided, or what it costs, when the second class has probability `p`: as of
# anyone's probabilities.
decide_at <- function(cost, p, output) {
  read <- list(
    frame = bind_frame(list(encoded(1 - p), encoded(p)), length(p)), classes = colnames(cost)
  )
  decide_given(read, numeric(), cost, output, 1L, rlang::caller_env())$value
}

# Probabilities strictly between 0 and 1 at which two actions cost the same.
crossings <- function(cost) {
  if (nrow(cost) == 1L) return(numeric())
  pairs <- utils::combn(nrow(cost), 2L)
  at_0 <- cost[pairs[1L, ], 1L] - cost[pairs[2L, ], 1L]
  at_1 <- cost[pairs[1L, ], 2L] - cost[pairs[2L, ], 2L]
  meet <- at_0 / (at_0 - at_1)
  sort(unique(unname(meet[is.finite(meet) & meet > 0 & meet < 1])))
}

# The crossings at which the cheapest action is another one on either side.
envelope_cuts <- function(cost, meet) {
  edges <- c(0, meet, 1)
  between <- utils::head(edges, -1L) + diff(edges) / 2
  meet[changes(as.integer(decide_at(cost, between, "decision")))]
}

draw_costs <- function(view, grid, costs, chosen, label, cuts) {
  look <- label_style(rownames(view$cost), view$style, view$call, action_places(view))
  envelope <- costs[cbind(seq_along(grid), chosen)]
  panel <- list(
    xlim = range(grid), ylim = cost_limits(costs), xlab = label, ylab = "expected cost",
    cuts = cuts,
    paint = function() {
      graphics::abline(v = cuts, lty = 3L, col = "grey30")
      graphics::lines(grid, envelope, lwd = 9, col = "grey80", lend = "butt")
      draw_curves(grid, costs, look)
    }
  )
  draw_figure(list(panel), list(legend_block(look, line = TRUE)), view)
}

# All costs; but where one is so large that the others would lie on the axis, what
# tells the best action from the next.
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

long_costs <- function(feature, grid, costs, chosen) {
  actions <- colnames(costs)
  data.frame(
    feature = feature, x = rep(grid, length(actions)),
    action = factor(rep(actions, each = length(grid)), actions),
    cost = as.vector(costs),
    chosen = as.vector(chosen == col(costs))
  )
}

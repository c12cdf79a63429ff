# What a rule costs along the only feature of a model, as areas: what no rule can avoid,
# and above it what the best rule would save.

# A rule, given as in bayes_risk(), as a function of numbers with codes of actions.
rule_along <- function(view, rule, feature) {
  world <- new_world(view$model, view$prior)
  if (length(world$features) != 1L) {
    abort_argument(c(
      "{.arg rule} can be drawn along the only feature of a model.",
      i = list_features(view$model), i = "{.fn bayes_risk} says what the rule costs."
    ), view$call)
  }
  # For its checks: the plot decides as predict() does, ties included.
  read_rule(rule, world, view$cost, view$call)
  if (is.function(rule)) {
    actions <- rownames(view$cost)
    return(function(x) {
      newdata <- new_rows(stats::setNames(list(x), feature), length(x))
      call_rule(rule, newdata, actions, view$call)
    })
  }
  own <- rule_view(view, rule)
  function(x) {
    seen <- if (identical(rule, "prior")) rep(NA_real_, length(x)) else x
    codes <- as.integer(score_grid(own, stats::setNames(list(seen), feature), "decision"))
    # Where a case is impossible to the rule, as bayes_risk() has it.
    replace(codes, is.na(codes), 1L)
  }
}

# A view that decides as the rule does.
rule_view <- function(view, rule) {
  if (identical(rule, "likelihood")) view$prior <- predict_prior(view$model, "uniform", view$call)
  if (inherits(rule, "bayesrisk_model")) {
    view$model <- rule
    view$prior <- rule$parameters$prior
    view$cost <- view$cost[, rule$schema$classes$levels, drop = FALSE]
  }
  view
}

# Where the decision of a rule changes between neighbours of a grid.
rule_cuts <- function(view, feature, decides, grid) {
  code <- function(cell, x) decides(x)
  found <- code(1L, grid)
  at <- changes(found)
  step <- as.numeric(holds_counts(view$model, feature))
  bisect_cuts(code, list(
    cell = rep(1L, length(at)), low = grid[at], high = grid[at + 1L], left = found[at],
    right = found[at + 1L]
  ), step)$x - step / 2
}

# Expected cost x density at each point: of the rule, and of the best action.
rule_areas <- function(view, values, joint, decides) {
  codes <- decides(values[[1L]])
  rows <- seq_along(codes)
  cost <- score_grid(view, values, "cost") * rowSums(joint)
  best <- as.integer(score_grid(view, values, "decision"))
  actions <- rownames(view$cost)
  data.frame(
    rule = factor(actions[codes], actions), risk = cost[cbind(rows, codes)],
    least = cost[cbind(rows, best)]
  )
}

area_colours <- c(avoidable = "#F4A582", inevitable = "grey80")

draw_areas <- function(grid, areas, cuts) {
  shade <- function(low, high, colour) {
    known <- is.finite(low) & is.finite(high)
    graphics::polygon(
      c(grid[known], rev(grid[known])), c(low[known], rev(high[known])), col = colour, border = NA
    )
  }
  shade(areas$least, areas$risk, area_colours[["avoidable"]])
  shade(0 * areas$least, areas$least, area_colours[["inevitable"]])
  graphics::abline(v = cuts, col = "grey30")
}

area_legend <- function() {
  legend_block(
    list(labels = c("the best rule would save", "no rule avoids")), fill = unname(area_colours),
    title = "cost of the rule:"
  )
}

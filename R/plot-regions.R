# Plots of decision regions: intervals of one numeric feature, or regions of two features.

# One feature: one row for each grid point and class. Attributes: `regions` (the cuts, and the
# codes of the decisions between them), `cases` and, with a rule, `rule_cuts`. Two features: see
# plane_data().
regions_data <- function(problem, features, data, rule) {
  check_no_bag(problem$model, problem$call)
  features <- region_features(problem, features)
  cases <- read_cases_drawn(problem, data, features)
  if (length(features) == 1L) return(interval_data(problem, features, cases, rule))
  if (!is.null(rule)) {
    abort_argument("{.arg rule} is drawn along one feature, not two.", problem$call)
  }
  plane_data(problem, features, cases)
}

draw_regions <- function(drawn, style) {
  if (is.null(drawn$density)) draw_plane(drawn, style) else draw_intervals(drawn, style)
}

region_features <- function(problem, features) {
  schema <- problem$model$schema
  numeric <- features_of_kind(schema, "numeric")
  if (is.null(features)) features <- numeric
  if (length(features) %in% 1:2 && all(features %in% numeric)) return(features)
  abort_argument(c(
    "{.arg features} must name one or two numeric features to draw regions of.",
    i = list_features(problem$model, "numeric"),
    i = if (length(numeric)) "For example {.code features = \"{numeric[[1L]]}\"}."
  ), problem$call)
}

# Prior times density of each class, the decision, and the cost of a rule, on a grid.
interval_data <- function(problem, feature, cases, rule) {
  grid <- feature_grid(problem, feature, cases[[1L]])
  regions <- regions_within(problem, feature, grid)
  decides <- if (!is.null(rule)) rule_along(problem, rule, feature)
  rule_cuts <- if (!is.null(rule)) rule_cuts(problem, feature, decides, grid)
  grid <- beside_cuts(problem, feature, grid, c(regions$cut, rule_cuts))
  joint <- exp(score_along(problem, feature, grid, "log_joint"))
  drawn <- long_scores(problem, feature, grid, joint, "density")
  drawn$level <- NULL
  drawn$decision <- rep(score_along(problem, feature, grid, "decision"), ncol(joint))
  if (!is.null(rule)) {
    areas <- rule_areas(problem, feature, grid, joint, decides(grid))
    drawn <- cbind(drawn, areas[rep(seq_along(grid), ncol(joint)), ])
  }
  structure(drawn, regions = regions, cases = thin_cases(cases), rule_cuts = rule_cuts)
}

# Densities as curves, the decisions as a strip below the curves, the cases in rows below the strip.
draw_intervals <- function(drawn, style) {
  keys <- label_style(levels(drawn$class), style)
  actions <- levels(drawn$decision)
  fill <- region_colours(actions, keys)
  joint <- matrix(drawn$density, ncol = nrow(keys))
  first <- drawn[seq_len(nrow(joint)), ]
  regions <- attr(drawn, "regions")
  cases <- attr(drawn, "cases")
  top <- finite_max(c(joint, first$risk))
  rows <- if (is.null(cases)) 0L else min(nrow(keys) + anyNA(cases$class), 8L)
  points <- case_keys(keys, style, NROW(cases))
  ticks <- pretty(c(0, top))
  panel <- list(
    xlim = range(first$x), ylim = c(if (rows) -0.15 - 0.035 * rows else -0.11, 1) * top,
    xlab = first$feature[[1L]], ylab = "prior x density", ticks = ticks[ticks <= top * 1.02],
    cuts = regions$cut,
    draw = function() {
      if (!is.null(first$risk)) draw_areas(first, attr(drawn, "rule_cuts"))
      draw_strip(range(first$x), regions, actions, c(-0.11, -0.03) * top, fill)
      draw_curves(first$x, joint, keys)
      if (rows) draw_case_rows(cases, points, -0.15 * top, 0.035 * top, rows)
    }
  )
  legends <- region_legends(keys, actions, fill, line = TRUE, point = rows > 0L)
  draw_figure(list(panel), c(legends, if (!is.null(first$risk)) list(area_legend())), style)
}

# The strip of decisions, with names if there is room.
draw_strip <- function(range, regions, actions, y, fill) {
  edges <- c(range[[1L]], regions$cut, range[[2L]])
  from <- utils::head(edges, -1L)
  labels <- actions[regions$decision]
  colours <- ifelse(is.na(labels), "white", fill[regions$decision])
  graphics::rect(from, y[[1L]], edges[-1L], y[[2L]], col = colours, border = "grey20")
  room <- which(
    diff(edges) * 0.95 >= graphics::strwidth(labels, cex = 0.85) &
      diff(y) >= graphics::strheight(labels, cex = 0.85)
  )
  if (length(room)) {
    graphics::text((from + diff(edges) / 2)[room], mean(y), labels[room], cex = 0.85)
  }
  graphics::abline(v = regions$cut, lty = 3L, col = "grey30")
}

# A row of symbols for each class, so that cases of different classes never cover each other.
# Cases of unknown class come last. If there are too many classes, the last row is shared.
draw_case_rows <- function(cases, keys, top, step, rows) {
  class <- as.integer(cases$class)
  row <- pmin(ifelse(is.na(class), nrow(keys) + 1L, class), rows)
  size <- min(0.7, 1.2 * step / graphics::strheight("M"))
  draw_symbols(cases[[1L]], top - step * (row - 1L), keys, class, size)
}

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

region_figure <- function(drawn, style) {
  if (is.null(drawn$density)) plane_figure(drawn, style) else interval_figure(drawn, style)
}

region_parameters <- function(drawn) {
  c(
    if (is.null(drawn$density)) bar_parameters else line_parameters,
    if (!is.null(attr(drawn, "cases"))) c("pch", "cex", "alpha")
  )
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

# Prior times density as curves, the decisions as a strip below, the cases in rows below the strip.
interval_figure <- function(drawn, style) {
  keys <- label_style(levels(drawn$class), style)
  actions <- levels(drawn$decision)
  first <- drawn[drawn$class == keys$labels[[1L]], ]
  top <- finite_max(c(drawn$density, first$risk))
  cuts <- attr(drawn, "regions")$cut
  fills <- stats::setNames(region_colours(actions, keys), actions)
  start_figure(drawn, c(label_scales(keys, fills), cut_axis(cuts, first$x), positive_axis())) +
    area_marks(first) + strip_marks(first$x, attr(drawn, "regions"), actions, top) +
    cut_lines(cuts) + base_line(attr(drawn, "rule_cuts"), colour = "grey30") +
    lines_by(drawn, "x", "density", "class") + case_rows(attr(drawn, "cases"), keys, style, top) +
    region_title(actions, keys$labels) +
    titled(
      first$feature[[1L]], "prior x density",
      caption = if (!is.null(first$risk)) {
        "Cost of the rule. Grey: no rule avoids it.\nLight red: the best rule would save it."
      }
    )
}

# The strip of decisions, with names where there is room.
strip_marks <- function(x, regions, actions, top) {
  edges <- c(min(x), regions$cut, max(x))
  strip <- data.frame(
    from = utils::head(edges, -1L), to = edges[-1L], low = -0.11 * top, high = -0.03 * top,
    decision = factor(actions[regions$decision], actions)
  )
  room <- (strip$to - strip$from) / diff(range(x)) * (text_room()[[1L]] - 1) * letters_per_inch
  named <- strip[!is.na(strip$decision) & nchar(as.character(strip$decision), "width") <= room, ]
  named <- cbind(named, x = (named$from + named$to) / 2, y = rep(-0.07 * top, nrow(named)))
  list(
    ggplot2::geom_rect(
      aes_of(xmin = "from", xmax = "to", ymin = "low", ymax = "high", fill = "decision"), strip,
      colour = "grey20", linewidth = 0.3
    ),
    if (nrow(named)) numbers_of(named, x = "x", y = "y", label = "decision", size = 2.7)
  )
}

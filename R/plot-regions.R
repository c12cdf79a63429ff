# What is decided where: intervals of one numeric feature, or regions of two.

plot_regions <- function(view, features, data) {
  features <- region_features(view, features)
  points <- if (is.null(data)) NULL else read_points(view, data, features)
  if (length(features) == 1L) {
    plot_intervals(view, features, points)
  } else {
    if (!is.null(view$rule)) {
      abort_argument("{.arg rule} is drawn along one feature, not two.", view$call)
    }
    plot_plane(view, features, points)
  }
}

region_features <- function(view, features) {
  schema <- view$model$schema
  numeric <- names(schema$features)[feature_kinds(schema) == "numeric"]
  if (is.null(features)) features <- numeric
  if (length(features) %in% 1:2 && all(features %in% numeric)) return(features)
  abort_argument(c(
    "{.arg features} must choose one or two numeric features to draw regions of.",
    i = list_features(view$model, "numeric"),
    i = if (length(numeric)) "For example {.code features = \"{numeric[[1L]]}\"}."
  ), view$call)
}

# The cases to draw: the features drawn, and the class if it is there.
read_points <- function(view, data, features) {
  call <- view$call
  schema <- view$model$schema
  container <- read_container(data, "data", abort_argument, call)
  # Nameless columns have the names that the model gave its own nameless ones.
  if (isTRUE(schema$unnamed)) container$unnamed <- FALSE
  drawn <- list(features = schema$features[features], unnamed = FALSE)
  positions <- match_columns(drawn, container, "data", call)
  values <- Map(
    function(feature, position) read_point_column(feature, container, position, call),
    drawn$features, positions
  )
  c(values, list(class = read_point_class(schema, container, call)))
}

read_point_column <- function(feature, container, position, call) {
  x <- if (is.na(position)) {
    evaluate_term(feature$expression, container, globalenv(), feature$name, abort_schema, call)
  } else {
    container_column(container, position)
  }
  type <- check_column(x, feature$name, container$rows, abort_schema, call)
  check_kind(x, type, feature, call)
  as.double(x)
}

# Codes of the model's classes; NA where the class is not known.
read_point_class <- function(schema, container, call) {
  name <- class_column(schema)
  response <- if (is.null(schema$formula)) as.name(name) else schema$formula[[2L]]
  known <- all(term_columns(list(response)) %in% container$names)
  if (!known) return(rep(NA_integer_, container$rows))
  y <- evaluate_response(response, container, globalenv(), name, call)
  class <- read_class(y, name, container$rows, NULL, call)
  match(class$levels, schema$classes$levels)[as.integer(class$codes)]
}

# Densities as curves, the decision as a strip below them, cases in rows below that.
plot_intervals <- function(view, feature, points) {
  grid <- feature_grid(view, feature, points[[feature]])
  regions <- regions_within(view, feature, grid)
  cuts <- regions$cut
  decides <- if (!is.null(view$rule)) rule_along(view, view$rule, feature)
  own_cuts <- if (!is.null(decides)) rule_cuts(view, feature, decides, grid)
  grid <- beside_cuts(view, feature, grid, c(cuts, own_cuts))
  values <- stats::setNames(list(grid), feature)
  joint <- exp(score_grid(view, values, "log_joint"))
  decision <- score_grid(view, values, "decision")
  areas <- if (!is.null(decides)) rule_areas(view, values, joint, decides)
  look <- class_style(view)
  fill <- action_fill(view, look)
  top <- finite_max(c(joint, areas$risk))
  rows <- if (is.null(points)) 0L else min(ncol(joint) + anyNA(points$class), 8L)
  strip <- c(-0.11, -0.03) * top
  panel <- list(
    xlim = range(grid), ylim = c(if (rows) -0.15 - 0.035 * rows else -0.11, 1) * top,
    xlab = feature, ylab = "prior x density", ticks = pretty(c(0, top)), cuts = cuts,
    paint = function() {
      if (!is.null(areas)) draw_areas(grid, areas, own_cuts)
      draw_strip(range(grid), regions, levels(decision), strip, fill)
      draw_curves(grid, joint, look)
      if (rows) draw_point_rows(points, feature, look, -0.15 * top, 0.035 * top, rows)
    }
  )
  panel$ticks <- panel$ticks[panel$ticks <= top * 1.02]
  legend <- region_legend(view, look, fill, points, line = TRUE)
  draw_figure(list(panel), c(legend, if (!is.null(areas)) list(area_legend())), view)
  long <- long_scores(view, feature, grid, joint, "density")
  long$level <- NULL
  long$decision <- rep(decision, ncol(joint))
  if (is.null(areas)) long else cbind(long, areas[rep(seq_along(grid), ncol(joint)), ])
}

# The strip of decisions, named where there is room.
draw_strip <- function(range, regions, actions, y, fill) {
  edges <- c(range[[1L]], regions$cut, range[[2L]])
  codes <- regions$decision
  colours <- ifelse(is.na(codes), "white", fill[codes])
  graphics::rect(
    utils::head(edges, -1L), y[[1L]], edges[-1L], y[[2L]], col = colours, border = "grey20"
  )
  labels <- actions[codes]
  room <- diff(edges) * 0.95 >= graphics::strwidth(labels, cex = 0.85)
  room[is.na(room)] <- FALSE
  at <- utils::head(edges, -1L) + diff(edges) / 2
  if (any(room)) graphics::text(at[room], mean(y), labels[room], cex = 0.85)
  graphics::abline(v = regions$cut, lty = 3L, col = "grey30")
}

# A row of symbols for each class, so that cases of different classes never cover
# each other; cases of unknown class come last, and many classes share the last row.
draw_point_rows <- function(points, feature, look, top, step, rows) {
  class <- points$class
  class[is.na(class)] <- length(look$labels) + 1L
  y <- top - step * (pmin(class, rows) - 1L)
  draw_symbols(points[[feature]], y, look, class, cex = 0.7)
}

# Symbols of classes; one beyond them is a case of unknown class.
draw_symbols <- function(x, y, look, class, ...) {
  pch <- c(look$pch, if (is.character(look$pch)) "?" else 4L)
  colours <- c(look$col, "grey20")
  filled <- pch[class] %in% 21:25
  graphics::points(
    x, y, pch = pch[class], bg = colours[class], col = ifelse(filled, "black", colours[class]), ...
  )
}

action_fill <- function(view, look) {
  places <- action_places(view)
  colours <- c(look$col, palette_colours(max(places, length(look$col))))
  extra <- places > length(look$col)
  tints(colours[places + ifelse(extra, length(look$col), 0L)])
}

# Where the actions are the classes, one legend says both.
region_legend <- function(view, look, fill, points, line) {
  actions <- rownames(view$cost)
  if (identical(actions, look$labels)) {
    return(list(legend_block(look, line = line, point = !is.null(points), fill = fill)))
  }
  decided <- legend_block(list(labels = actions), fill = fill, title = "decision:")
  if (!line && is.null(points)) return(list(decided))
  list(decided, legend_block(look, line = line, point = !is.null(points), title = "true class:"))
}

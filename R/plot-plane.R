# Plots of two numeric features: the decision at each point of a grid as background colour, and
# the boundaries on top.

# One row for each point of a grid. Attributes: `boundaries` (a list of matrices of points, one
# per line) and `cases`.
plane_data <- function(problem, features, cases) {
  check_continuous(problem$model, features, problem$call)
  axes <- plane_axes(problem, features, cases)
  values <- list(rep(axes[[1L]], length(axes[[2L]])), rep(axes[[2L]], each = length(axes[[1L]])))
  decision <- score_grid(problem, stats::setNames(values, features), "decision")
  structure(
    data.frame(
      feature_x = features[[1L]], x = values[[1L]], feature_y = features[[2L]], y = values[[2L]],
      decision = decision
    ),
    boundaries = plane_boundaries(problem, features, axes, decision), cases = thin_cases(cases)
  )
}

plane_axes <- function(problem, features, cases, size = 301L) {
  limits <- list(problem$xlim, problem$ylim)
  lapply(1:2, function(i) {
    moments <- class_moments(problem$model, features[[i]], problem$call)
    range <- feature_range(moments, limits[[i]], cases[[i]])
    whole <- holds_counts(problem$model, features[[i]])
    if (whole) whole_axis(range, size) else seq(range[[1L]], range[[2L]], length.out = size)
  })
}

# Evenly spaced counts. The first and the last count are close to the ends of the range.
whole_axis <- function(range, size) {
  low <- max(0, floor(range[[1L]]))
  high <- max(low + 1, ceiling(range[[2L]]))
  seq(low, high, by = ceiling((high - low) / (size - 1L)))
}

# The boundaries between regions of different decisions. There is no decision where no class is
# possible.
plane_boundaries <- function(problem, features, axes, decision) {
  codes_of <- function(decision) ifelse(is.na(decision), 0L, as.integer(decision))
  whole <- holds_counts(problem$model, features)
  decide <- function(x, y) {
    values <- Map(function(x, whole) if (whole) round(x) else x, list(x, y), whole)
    codes_of(score_grid(problem, stats::setNames(values, features), "decision"))
  }
  boundary_lines(axes, matrix(codes_of(decision), length(axes[[1L]])), decide)
}

plane_figure <- function(drawn, style) {
  keys <- label_style(style$classes, style)
  actions <- levels(drawn$decision)
  fills <- stats::setNames(region_colours(actions, keys), actions)
  cases <- attr(drawn, "cases")
  if (!is.null(cases)) names(cases)[1:2] <- c("x", "y")
  start_figure(drawn, label_scales(keys, fills)) +
    decision_ground(drawn) +
    ggplot2::geom_path(
      aes_of(x = "x", y = "y", group = "line"), line_points(attr(drawn, "boundaries")),
      colour = "grey20", linewidth = 0.5
    ) +
    (if (!is.null(cases)) point_marks(cases, keys, style, 1.9)) +
    view(expand = FALSE) + region_title(actions, keys$labels) +
    titled(drawn$feature_x[[1L]], drawn$feature_y[[1L]])
}

# ggplot2 warns of pixels at uneven distances, which are those of numbers far from 0. Tiles may be
# uneven, but show hairlines on a device that smooths edges.
decision_ground <- function(drawn) {
  uneven <- function(at) any(abs(diff(diff(unique(at)))) > 1e-8)
  ground <- if (uneven(drawn$x) || uneven(drawn$y)) ggplot2::geom_tile else ggplot2::geom_raster
  ground(aes_of(x = "x", y = "y", fill = "decision"), drawn)
}

# The points of lines, one below the other.
line_points <- function(lines) {
  points <- do.call(rbind, c(list(matrix(0, 0L, 2L)), lines))
  sizes <- vapply(lines, nrow, 1L)
  data.frame(x = points[, 1L], y = points[, 2L], line = rep(seq_along(lines), sizes))
}

# Boundaries and regions hold no model, so their densities cannot be computed.
#' @export
plot.bayesrisk_boundaries <- function(x, ...) {
  abort_without_model(attr(x, "features"), rlang::current_env())
}

#' @export
plot.bayesrisk_regions <- function(x, ...) {
  abort_without_model(attr(x, "feature"), rlang::current_env())
}

abort_without_model <- function(features, call) {
  quoted <- encodeString(as.character(features), quote = "\"")
  shown <- if (length(quoted) > 1L) sprintf("c(%s)", toString(quoted)) else quoted
  code <- sprintf("plot(model, \"regions\", features = %s)", shown)
  abort_argument(c(
    "{.arg x} holds no model to draw from.",
    i = "Draw the regions of the model itself: {.code {code}}."
  ), call)
}

# Boundaries between regions of the plane. Each edge of a grid whose ends have different
# decisions holds a crossing, found by bisection. Lines inside each cell join its crossings.

# A list of lines, matrices of points (x, y). `axes`: the coordinates of the grid; `codes`: the
# decisions on it, x by y; `decide`: the decisions (codes) at any x and y.
boundary_lines <- function(axes, codes, decide) {
  edges <- changing_edges(axes, codes)
  if (nrow(edges) == 0L) return(list())
  edges <- cross_edges(edges, decide)
  sides <- cell_sides(edges, dim(codes))
  centres <- cell_centres(sides, decide)
  cell <- match(sides$cell, centres$cell)
  # With two crossings one line passes through the cell. With more crossings all lines end in the
  # centre of the cell.
  meeting <- centres$crossings[cell] != 2L
  points <- rbind(edges[c("x", "y")], centres[cell, c("x", "y")])
  centre <- ifelse(meeting, seq_along(cell), match(cell, cell))
  lapply(join_links(sides$edge, nrow(edges) + centre), function(path) as.matrix(points[path, ]))
}

# The edges of the grid whose ends have different decisions. x varies along a horizontal edge,
# y along a vertical edge. `i` is the index along the edge, `j` the index across it.
changing_edges <- function(axes, codes) {
  edges_along <- function(codes, along, across, level) {
    at <- which(diff(codes) != 0L, arr.ind = TRUE)
    i <- at[, 1L]
    j <- at[, 2L]
    data.frame(
      level = rep(level, length(i)), i = i, j = j, low = along[i], high = along[i + 1L],
      across = across[j], left = codes[at], right = codes[cbind(i + 1L, j)]
    )
  }
  rbind(
    edges_along(codes, axes[[1L]], axes[[2L]], TRUE),
    edges_along(t(codes), axes[[2L]], axes[[1L]], FALSE)
  )
}

# Adds the first change of the decision on each edge.
cross_edges <- function(edges, decide) {
  point <- function(edge, along) {
    across <- edges$across[edge]
    level <- edges$level[edge]
    list(x = ifelse(level, along, across), y = ifelse(level, across, along))
  }
  found <- bisect_cuts(
    function(edge, along) do.call(decide, point(edge, along)),
    c(list(cell = seq_len(nrow(edges))), edges[c("low", "high", "left", "right")])
  )
  cbind(edges, point(seq_len(nrow(edges)), found$x[!duplicated(found$cell)]))
}

# One row for each crossing of each cell. Every edge has a cell on both sides. `size`: the size of
# the grid.
cell_sides <- function(edges, size) {
  sides <- cbind(edge = seq_len(nrow(edges)), edges[c("level", "x", "y", "i", "j")])
  sides <- rbind(sides, transform(sides, j = sides$j - 1L))
  column <- ifelse(sides$level, sides$i, sides$j)
  row <- ifelse(sides$level, sides$j, sides$i)
  sides$cell <- column + size[[1L]] * row
  sides[column >= 1L & column < size[[1L]] & row >= 1L & row < size[[2L]], ]
}

# The point of each cell that joins its crossings: a corner of regions, or the midpoint of two
# crossings of a curve.
cell_centres <- function(sides, decide) {
  mean_of <- function(value, used) {
    as.vector(rowsum(ifelse(used, value, 0), sides$cell) / rowsum(as.double(used), sides$cell))
  }
  any <- rep(TRUE, nrow(sides))
  halfway <- data.frame(x = mean_of(sides$x, any), y = mean_of(sides$y, any))
  # A vertical line crosses the horizontal edges, and these crossings give its x. A horizontal line
  # crosses the vertical edges, and these crossings give its y.
  corner <- data.frame(x = mean_of(sides$x, sides$level), y = mean_of(sides$y, !sides$level))
  crossings <- as.vector(rowsum(rep(1L, nrow(sides)), sides$cell))
  joined <- is.finite(corner$x) & is.finite(corner$y)
  bent <- which(joined & crossings == 2L)
  # `beside`: the decisions at two points, one on each side of the midpoint, in the direction of the
  # corner. If they differ, a curve passes between the points. Then the midpoint joins the
  # crossings, not the corner.
  beside <- lapply(c(-0.5, 0.5), function(share) {
    point <- halfway[bent, ] + share * (corner[bent, ] - halfway[bent, ])
    decide(point$x, point$y)
  })
  joined[bent] <- beside[[1L]] == beside[[2L]]
  data.frame(
    cell = sort(unique(sides$cell)), crossings = crossings,
    x = ifelse(joined, corner$x, halfway$x), y = ifelse(joined, corner$y, halfway$y)
  )
}

# Paths along links between nodes (whole numbers). Each node has one or two links. Open paths
# come first, then rings.
join_links <- function(from, to) {
  nodes <- c(from, to)
  links <- length(from)
  ends <- seq_along(nodes)
  first <- match(nodes, nodes)
  last <- 2L * links + 1L - match(nodes, rev(nodes))
  # For each end of a link, the end of the other link at its node. If its node has no other link,
  # the end itself.
  twin <- ifelse(first == ends, last, first)
  used <- logical(links)
  paths <- list()
  for (start in c(ends[twin == ends], ends)) {
    end <- start
    path <- nodes[[end]]
    repeat {
      link <- (end - 1L) %% links + 1L
      if (used[[link]]) break
      used[[link]] <- TRUE
      other <- if (end > links) end - links else end + links
      path <- c(path, nodes[[other]])
      end <- twin[[other]]
    }
    if (length(path) > 1L) paths[[length(paths) + 1L]] <- path
  }
  paths
}

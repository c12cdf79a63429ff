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

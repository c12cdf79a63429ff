# Two numeric features: the decision at each point of a grid as a ground, and on it the
# boundaries, exact where they are conics.

plot_plane <- function(view, features, points) {
  check_continuous(view$model, features, view$call)
  axes <- plane_axes(view, features, points)
  values <- list(rep(axes[[1L]], length(axes[[2L]])), rep(axes[[2L]], each = length(axes[[1L]])))
  values <- stats::setNames(values, features)
  decision <- score_grid(view, values, "decision")
  lines <- plane_lines(view, axes, values, decision)
  look <- class_style(view)
  fill <- action_fill(view, look)
  panel <- list(
    xlim = range(axes[[1L]]), ylim = range(axes[[2L]]), xlab = features[[1L]],
    ylab = features[[2L]], fills = TRUE,
    paint = function() {
      draw_ground(axes, decision, fill)
      for (line in lines) graphics::lines(line, lwd = 1.4, col = "grey20")
      if (!is.null(points)) {
        class <- points$class
        class[is.na(class)] <- length(look$labels) + 1L
        draw_symbols(points[[features[[1L]]]], points[[features[[2L]]]], look, class)
      }
    }
  )
  draw_figure(list(panel), region_legend(view, look, fill, points, line = FALSE), view)
  data.frame(
    feature_x = features[[1L]], x = values[[1L]], feature_y = features[[2L]], y = values[[2L]],
    decision = decision
  )
}

plane_axes <- function(view, features, points, size = 301L) {
  limits <- list(view$style$xlim, view$style$ylim)
  lapply(1:2, function(i) {
    moments <- class_moments(view$model, features[[i]], view$call)
    range <- feature_range(moments, limits[[i]], points[[features[[i]]]])
    whole <- bank_whole(held_feature(view$model, features[[i]])$bank)
    if (whole) whole_axis(range, size) else seq(range[[1L]], range[[2L]], length.out = size)
  })
}

# Counts, evenly spaced; the first and the last are about the ends of the range.
whole_axis <- function(range, size) {
  low <- max(0, floor(range[[1L]]))
  high <- max(low + 1, ceiling(range[[2L]]))
  seq(low, high, by = ceiling((high - low) / (size - 1L)))
}

draw_ground <- function(axes, decision, fill) {
  codes <- matrix(as.integer(decision), length(axes[[1L]]), length(axes[[2L]]))
  # Rectangles side by side would show hairlines where a device smooths edges.
  if (!identical(grDevices::dev.capabilities("rasterImage")[[1L]], "yes")) {
    breaks <- seq_len(length(fill) + 1L) - 0.5
    graphics::image(axes[[1L]], axes[[2L]], codes, add = TRUE, col = fill, breaks = breaks)
    return(invisible())
  }
  # Row by row from the top, each point in the middle of its cell.
  colours <- matrix(fill[t(codes[, rev(seq_len(ncol(codes)))])], ncol(codes))
  ends <- lapply(axes, function(at) range(at) + c(-0.5, 0.5) * (at[[2L]] - at[[1L]]))
  graphics::rasterImage(
    grDevices::as.raster(colours), ends[[1L]][[1L]], ends[[2L]][[1L]], ends[[1L]][[2L]],
    ends[[2L]][[2L]], interpolate = FALSE
  )
}

# The boundaries within the axes: matrices or lists of points, each one line.
plane_lines <- function(view, axes, values, decision) {
  pairs <- utils::combn(nrow(view$cost), min(nrow(view$cost), 2L))
  if (nrow(pairs) < 2L) return(list())
  if (!is_normal_plane(view$model, names(values))) return(list(ground_lines(axes, decision)))
  contest <- plane_contest(view$model, view$prior, view$cost, names(values), call = view$call)
  kinds <- call_engine(do.call(boundaries_cpp, contest), view$call)$kind
  window <- list(
    low = vapply(axes, min, 1), high = vapply(axes, max, 1), meetings = length(axes[[1L]])
  )
  traced <- call_engine(do.call(trace_boundaries_cpp, c(contest, window)), view$call)
  c(traced, contour_lines(view, axes, values, pairs[, kinds == "contour", drop = FALSE]))
}

# Where neighbours on the grid have different decisions, halfway between them: densities
# that jump, and counts, have no curves. One line, with gaps.
ground_lines <- function(axes, decision) {
  codes <- as.integer(decision)
  codes[is.na(codes)] <- 0L
  codes <- matrix(codes, length(axes[[1L]]))
  sides <- function(codes, along, across) {
    at <- which(diff(codes) != 0L, arr.ind = TRUE)
    half <- (across[[2L]] - across[[1L]]) / 2
    cut <- (along[at[, 1L]] + along[at[, 1L] + 1L]) / 2
    middle <- across[at[, 2L]]
    list(rbind(cut, cut, NA), rbind(middle - half, middle + half, NA))
  }
  upright <- sides(codes, axes[[1L]], axes[[2L]])
  level <- sides(t(codes), axes[[2L]], axes[[1L]])
  list(x = c(upright[[1L]], level[[2L]]), y = c(upright[[2L]], level[[1L]]))
}

# Contours on the grid where two actions (a column of `pairs`) cost the same, as far as
# no third is cheaper.
contour_lines <- function(view, axes, values, pairs) {
  if (ncol(pairs) == 0L) return(list())
  log_joint <- score_grid(view, values, "log_joint")
  lines <- apply(pairs, 2L, function(pair) {
    lead <- call_engine(log_leads_cpp(log_joint, view$cost, pair), view$call)
    lead <- matrix(lead, length(axes[[1L]]))
    side <- range(0, lead, finite = TRUE)
    if (side[[1L]] >= 0 || side[[2L]] <= 0) return(list())
    lead[!is.finite(lead)] <- NA
    found <- grDevices::contourLines(axes[[1L]], axes[[2L]], lead, levels = 0)
    unlist(lapply(found, winning_parts, view, names(values), pair), recursive = FALSE)
  }, simplify = FALSE)
  unlist(lines, recursive = FALSE)
}

# The parts of a contour on which its two actions are the cheapest; between two points
# it ends where a third catches up if costs are straight lines.
winning_parts <- function(line, view, features, pair) {
  cost <- score_grid(view, stats::setNames(line[c("x", "y")], features), "cost")
  if (ncol(cost) == 2L) return(list(line))
  cheapest <- function(actions) do.call(pmin, lapply(actions, function(a) cost[, a]))
  lead <- cheapest(setdiff(seq_len(ncol(cost)), pair)) - cheapest(pair)
  lead <- ifelse(is.na(lead), -1, pmax(-1e300, pmin(lead, 1e300)))
  ends <- changes(as.integer(lead >= 0))
  ends <- ends + lead[ends] / (lead[ends] - lead[ends + 1L])
  # Points by number, the ends between two of them.
  place <- sort(c(seq_along(lead), ends))
  kept <- place %in% ends | lead[floor(place)] >= 0
  lapply(unname(split(place[kept], cumsum(!kept)[kept])), function(i) {
    list(x = stats::approx(line$x, xout = i)$y, y = stats::approx(line$y, xout = i)$y)
  })
}

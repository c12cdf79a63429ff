# Lines, bars and symbols of classes and actions, drawn by their keys: rows of label_style().

# The columns of a matrix over `x`.
draw_curves <- function(x, values, keys) {
  for (k in seq_len(ncol(values))) {
    graphics::lines(x, values[, k], col = keys$col[[k]], lty = keys$lty[[k]], lwd = keys$lwd[[k]])
  }
}

# `values`: one row for each position on the x axis, one column for each key.
draw_grouped_bars <- function(values, keys) {
  width <- 0.8 / ncol(values)
  for (k in seq_len(ncol(values))) {
    left <- seq_len(nrow(values)) - 0.4 + (k - 1) * width
    draw_bars(left, 0, left + width, values[, k], keys, k)
  }
}

draw_stacked_bars <- function(values, keys) {
  at <- seq_len(nrow(values))
  bottom <- 0
  for (k in seq_len(ncol(values))) {
    top <- bottom + values[, k]
    draw_bars(at - 0.35, bottom, at + 0.35, top, keys, k)
    bottom <- top
  }
}

# The background of hatching is a light tint of its colour. Hatching stays visible in grey, and
# the background covers axes and lines.
draw_bars <- function(left, bottom, right, top, keys, k) {
  solid <- keys$density[[k]] < 0
  ground <- if (solid) keys$col[[k]] else tints(keys$col[[k]])
  graphics::rect(left, bottom, right, top, col = ground, border = NA)
  if (!solid) {
    graphics::rect(
      left, bottom, right, top, col = keys$col[[k]], border = NA, density = keys$density[[k]],
      angle = keys$angle[[k]]
    )
  }
  graphics::rect(left, bottom, right, top, border = "grey20", lwd = 0.7)
}

# Symbols of the keys `k`; NA is a case of unknown class.
draw_symbols <- function(x, y, keys, k, ...) {
  k[is.na(k)] <- nrow(keys) + 1L
  pch <- c(keys$pch, if (is.character(keys$pch)) "?" else 4L)
  colours <- c(keys$col, "grey20")
  filled <- pch[k] %in% 21:25
  graphics::points(
    x, y, pch = pch[k], bg = colours[k], col = ifelse(filled, "black", colours[k]), ...
  )
}

# The largest finite value, as a limit of an axis.
finite_max <- function(values) {
  finite <- values[is.finite(values)]
  if (length(finite) && max(finite) > 0) max(finite) else 1
}

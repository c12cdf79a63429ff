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

# Draws bars. The background of hatching is a light tint of its colour, so hatching is visible in
# grey. The background hides axes and lines.
draw_bars <- function(left, bottom, right, top, keys, k) {
  # Hatching and frames would hide narrow bars.
  narrow <- right[[1L]] - left[[1L]] < graphics::xinch(0.06)
  solid <- narrow || keys$density[[k]] < 0
  ground <- if (solid) keys$col[[k]] else tints(keys$col[[k]])
  graphics::rect(left, bottom, right, top, col = ground, border = NA)
  if (!solid) {
    graphics::rect(
      left, bottom, right, top, col = keys$col[[k]], border = NA, density = keys$density[[k]],
      angle = keys$angle[[k]]
    )
  }
  if (!narrow) graphics::rect(left, bottom, right, top, border = "grey20", lwd = 0.7)
}

# Symbols of the keys `k`; NA is a case of unknown class.
draw_symbols <- function(x, y, keys, k, size = 1, ...) {
  k[is.na(k)] <- nrow(keys) + 1L
  pch <- c(keys$pch, if (is.character(keys$pch)) "?" else 4L)[k]
  colours <- c(keys$col, "grey20")[k]
  alpha <- c(keys$alpha, keys$alpha[1L])[k]
  border <- fade(ifelse(pch %in% 21:25, "black", colours), alpha)
  cex <- size * c(keys$cex, keys$cex[1L])[k]
  graphics::points(x, y, pch = pch, bg = fade(colours, alpha), col = border, cex = cex, ...)
}

# Numbers at bars, if they are large enough to read.
draw_numbers <- function(x, y, numbers, pos) {
  size <- number_size(numbers)
  if (size < 0.5) return(invisible())
  graphics::text(x, y, numbers, pos = pos, offset = 0.25, cex = size, xpd = NA)
}

# The largest size at which each number is narrower than the distance between two bars, which is 1.
number_size <- function(numbers) min(0.85, 0.95 / max(graphics::strwidth(numbers)))

# The largest finite value, as a limit of an axis.
finite_max <- function(values) {
  finite <- values[is.finite(values)]
  if (length(finite) && max(finite) > 0) max(finite) else 1
}

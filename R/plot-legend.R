# Legends above the plot, in lines as wide as it is: they never lie on data.

# The entries of one legend: `look` as made by label_style(); `fill` for boxes that
# are tinted, `title` to be written before the first entry.
legend_block <- function(look, line = FALSE, box = FALSE, point = FALSE, fill = NULL,
                         title = NULL) {
  list(
    look = look, line = line, box = box || !is.null(fill), point = point, fill = fill,
    title = title
  )
}

legend_cex <- 0.9

# Where each entry stands: its row and the inches from the left. A row beyond
# `max_rows` is left out, and the last entry says so.
flow_legend <- function(blocks, width, max_rows) {
  rows <- lapply(blocks, flow_block, width = width)
  below <- 0L
  for (b in seq_along(rows)) {
    rows[[b]]$row <- rows[[b]]$row + below
    below <- max(rows[[b]]$row)
  }
  lapply(rows, cut_block, max_rows = max_rows)
}

flow_block <- function(block, width) {
  labels <- shorten(block$look$labels)
  key <- key_width(block)
  sizes <- key + graphics::strwidth(labels, "inches", legend_cex) + 0.22 * scale_of_text()
  title <- 0
  if (!is.null(block$title)) {
    title <- graphics::strwidth(paste0(block$title, "  "), "inches", legend_cex)
  }
  row <- integer(length(labels))
  left <- numeric(length(labels))
  x <- title
  now <- 1L
  for (i in seq_along(labels)) {
    if (x > title && x + sizes[[i]] > width) {
      now <- now + 1L
      x <- title
    }
    row[[i]] <- now
    left[[i]] <- x
    x <- x + sizes[[i]]
  }
  list(labels = labels, row = row, left = left, key = key)
}

cut_block <- function(flow, max_rows) {
  flow$shown <- which(flow$row <= max_rows)
  last <- length(flow$shown)
  if (last > 0L && last < length(flow$row)) {
    flow$more <- last
    flow$labels[[last]] <- sprintf("and %d more", length(flow$row) - last + 1L)
  }
  flow
}

shorten <- function(labels, size = 28L) {
  long <- nchar(labels) > size
  labels[long] <- paste0(substr(labels[long], 1L, size - 3L), "...")
  labels
}

# Keys grow and shrink with the text.
scale_of_text <- function() graphics::par("cin")[[2L]] * graphics::par("cex") / 0.2

key_width <- function(block) {
  (0.42 * block$line + 0.24 * block$box + 0.18 * block$point) * scale_of_text() + 0.04
}

row_height <- function() 1.25 * graphics::par("cin")[[2L]] * graphics::par("cex") * legend_cex

legend_width <- function(many) {
  if (many) return(graphics::par("din")[[1L]] - 4 * line_height())
  margins <- pmax(graphics::par("mai")[c(2L, 4L)], c(4.1, 1) * line_height())
  graphics::par("fin")[[1L]] - sum(margins)
}

max_legend_rows <- function(many) {
  height <- if (many) graphics::par("din")[[2L]] else graphics::par("fin")[[2L]]
  max(1L, as.integer(0.25 * height / row_height()))
}

legend_rows <- function(flows) {
  max(0L, unlist(lapply(flows, function(flow) flow$row[flow$shown])))
}

# Inches that the title and the legend take.
head_height <- function(legend, style, many) {
  flows <- flow_legend(legend, legend_width(many), max_legend_rows(many))
  rows <- legend_rows(flows)
  title <- if (is.null(style$main)) 0 else 1.4 * graphics::par("cex.main")
  legend_rows(flows) * row_height() + (title + 0.5) * line_height()
}

# The legend ends just above the panel (or all panels), the title is above it.
draw_head <- function(legend, style, many, cuts) {
  frame <- if (many) "nic" else "npc"
  left <- graphics::grconvertX(0, frame, "inches") + if (many) 2 * line_height() else 0
  base <- graphics::grconvertY(1, frame, "inches") + (0.4 + 1.6 * cuts) * line_height()
  flows <- flow_legend(legend, legend_width(many), max_legend_rows(many))
  rows <- legend_rows(flows)
  for (b in seq_along(legend)) {
    flow <- flows[[b]]
    y <- base + (rows - flow$row + 0.5) * row_height()
    draw_block(legend[[b]], flow, left, y)
  }
  if (!is.null(style$main)) {
    size <- graphics::par("cex.main")
    draw_text(
      mean(graphics::grconvertX(0:1, frame, "inches")),
      base + rows * row_height() + 0.7 * size * line_height(),
      style$main, cex = size, font = graphics::par("font.main"), col = graphics::par("col.main")
    )
  }
}

draw_block <- function(block, flow, left, y) {
  if (!is.null(block$title) && length(flow$shown)) {
    draw_text(left, y[[1L]], block$title, cex = legend_cex, adj = 0, font = 3)
  }
  for (i in flow$shown) {
    x <- left + flow$left[[i]]
    more <- identical(i, flow$more)
    if (!more) draw_key(block, i, x, y[[i]])
    draw_text(x + if (more) 0 else flow$key, y[[i]], flow$labels[[i]], cex = legend_cex, adj = 0)
  }
}

draw_key <- function(block, i, x, y) {
  unit <- scale_of_text()
  look <- block$look
  if (block$line) {
    graphics::lines(
      user_x(x + c(0, 0.36) * unit), user_y(c(y, y)), xpd = NA,
      col = look$col[[i]], lty = look$lty[[i]], lwd = look$lwd[[i]]
    )
    x <- x + 0.42 * unit
  }
  if (block$box) {
    x_box <- user_x(x + c(0, 0.18) * unit)
    y_box <- user_y(y + c(-0.065, 0.065) * unit)
    draw_box(x_box, y_box, look, i, block$fill)
    x <- x + 0.24 * unit
  }
  if (block$point) draw_symbols(user_x(x + 0.06 * unit), user_y(y), look, i, xpd = NA)
}

draw_box <- function(x, y, look, i, fill) {
  old <- graphics::par(xpd = NA)
  on.exit(graphics::par(old))
  if (is.null(fill)) {
    draw_bars(x[[1L]], y[[1L]], x[[2L]], y[[2L]], look, i)
  } else {
    graphics::rect(
      x[[1L]], y[[1L]], x[[2L]], y[[2L]], col = fill[[i]], border = "grey20", lwd = 0.7
    )
  }
}

user_x <- function(x) graphics::grconvertX(x, "inches", "user")
user_y <- function(y) graphics::grconvertY(y, "inches", "user")

draw_text <- function(x, y, text, ...) {
  graphics::text(user_x(x), user_y(y), text, xpd = NA, ...)
}

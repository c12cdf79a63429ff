# Legends stand above the panels, one below the other, so that they never cover data.

# The entries of one legend. `keys`: the result of label_style(); `fill`: colours of boxes that
# replace bars; `title`: text before the first entry.
legend_entries <- function(keys, line = FALSE, point = FALSE, bar = FALSE, fill = NULL,
                           title = NULL) {
  list(
    keys = keys, line = line, point = point, box = bar || !is.null(fill), fill = fill,
    title = title
  )
}

legend_cex <- 0.9

# The height of a row and the width of a character of a legend, in inches.
row_height <- function() 1.25 * graphics::par("cin")[[2L]] * graphics::par("cex") * legend_cex
character_width <- function() graphics::par("cin")[[1L]] * graphics::par("cex") * legend_cex
legend_width <- function(text) graphics::strwidth(text, "inches", legend_cex)

# Adds the layout of the entries in `width` inches. The title stands before the first entry, or
# above it if the title is too wide. If the entries do not fit into `most_rows` rows, the last
# entry states the number of omitted entries.
fit_legend <- function(entries, width, most_rows) {
  entries$segment <- if (entries$line) 2.6 else if (entries$point) 1 else 0
  entries$gap <- if (entries$box) 2.5 else 0.7
  key <- (entries$segment + entries$gap + 1) * character_width()
  indent <- if (is.null(entries$title)) 0 else legend_width(paste0(entries$title, "  "))
  entries$heading <- as.integer(indent > 0.4 * width && most_rows > 1)
  entries$indent <- if (entries$heading) 0 else indent
  room <- width - entries$indent
  longest <- min(room - key, legend_width(strrep("n", 24L)))
  labels <- cut_text(as.character(entries$keys$labels), longest, legend_cex)
  entries$text_width <- max(legend_width(labels))
  columns <- max(1, floor(room / (key + entries$text_width)))
  entries$rows <- min(ceiling(length(labels) / columns), max(1, most_rows - entries$heading))
  left_out <- length(labels) - entries$rows * columns
  entries$shown <- seq_len(length(labels) - if (left_out > 0) left_out + 1 else 0)
  entries$labels <- c(
    labels[entries$shown], if (left_out > 0) sprintf("and %d more", left_out + 1)
  )
  entries$columns <- ceiling(length(entries$labels) / entries$rows)
  entries
}

# Text cut to a width in inches. An expression is not cut.
cut_text <- function(text, width, cex = 1) {
  if (!is.character(text)) return(text)
  vapply(text, function(label) {
    shorter <- c(label, paste0(substring(label, 1L, nchar(label):0), "..."))
    shorter[[match(TRUE, graphics::strwidth(shorter, "inches", cex) <= width, length(shorter))]]
  }, "", USE.NAMES = FALSE)
}

# `x`, `y`: the upper left corner. Coordinates are inches.
draw_legend <- function(entries, x, y) {
  keys <- entries$keys[entries$shown, , drop = FALSE]
  left_out <- length(entries$labels) - nrow(keys)
  y <- y - entries$heading * row_height()
  at <- graphics::legend(
    x + entries$indent - character_width(), y + row_height() / 2.5, entries$labels, bty = "n",
    lty = if (entries$line) c(keys$lty, rep("blank", left_out)) else "blank",
    lwd = if (entries$line) c(keys$lwd, rep(1, left_out)) else 1,
    col = if (entries$line) c(keys$col, rep("black", left_out)) else "black",
    seg.len = entries$segment, x.intersp = entries$gap, y.intersp = 1.25,
    text.width = entries$text_width, ncol = entries$columns, cex = legend_cex
  )$text
  draw_keys(entries, keys, at$x, at$y)
  if (!is.null(entries$title)) {
    top <- at$y[[1L]] + entries$heading * row_height()
    graphics::text(x, top, entries$title, cex = legend_cex, adj = 0, font = 3)
  }
}

# The boxes and symbols to the left of the labels at x and y.
draw_keys <- function(entries, keys, x, y) {
  unit <- character_width()
  half <- 0.32 * row_height()
  for (k in seq_len(nrow(keys))) {
    if (entries$point) {
      draw_symbols(x[[k]] - (entries$gap + entries$segment / 2) * unit, y[[k]], keys, k)
    }
    if (entries$box) {
      ends <- x[[k]] - c(2.2, 0.6) * unit
      if (is.null(entries$fill)) {
        draw_bars(ends[[1L]], y[[k]] - half, ends[[2L]], y[[k]] + half, keys, k)
      } else {
        graphics::rect(
          ends[[1L]], y[[k]] - half, ends[[2L]], y[[k]] + half, col = entries$fill[[k]],
          border = "grey20", lwd = 0.7
        )
      }
    }
  }
}

# If the actions are the classes, one legend shows both.
region_legends <- function(keys, actions, fill, line, point) {
  if (identical(actions, keys$labels)) {
    return(list(legend_entries(keys, line = line, point = point, fill = fill)))
  }
  decisions <- legend_entries(data.frame(labels = actions), fill = fill, title = "decision:")
  if (!line && !point) return(list(decisions))
  list(decisions, legend_entries(keys, line = line, point = point, title = "true class:"))
}

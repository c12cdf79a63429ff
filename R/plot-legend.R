# Legends stand above the panels, one below the other, so that they never cover data.

# The entries of one legend. `keys`: the result of label_style(); `fill`: colours of boxes that
# replace bars; `title`: text before the first entry.
legend_entries <- function(keys, line = FALSE, point = FALSE, bar = FALSE, fill = NULL,
                           title = NULL) {
  # The keys of a legend are always large and opaque.
  keys[c("cex", "alpha")] <- 1
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

# Adds the layout of the entries in `width` inches: as few rows as possible, and columns as wide as
# their longest label. The title stands before the first entry. A title that is too wide stands
# above it. If the entries do not fit into `most_rows` rows, their labels are cut. If that is not
# enough, the last entry states the number of omitted entries.
fit_legend <- function(entries, width, most_rows) {
  entries$segment <- if (entries$line) 2.6 else if (entries$point) 1 else 0
  entries$key <- (entries$segment + 1.9 * entries$box + 0.7) * character_width()
  indent <- if (is.null(entries$title)) 0 else legend_width(paste0(entries$title, "  "))
  entries$heading <- as.integer(indent > 0.4 * width && most_rows > 1)
  entries$indent <- if (entries$heading) 0 else indent
  room <- width - entries$indent
  rows <- max(1, most_rows - entries$heading)
  for (letters in c(24L, 18L, 14L, 11L, 8L)) {
    longest <- min(room - entries$key, legend_width(strrep("n", letters)))
    labels <- shorten_labels(as.character(entries$keys$labels), longest, legend_cex)
    widths <- legend_width(labels)
    fitting <- Find(function(n) sum(column_widths(widths, entries$key, n)) <= room, seq_len(rows))
    if (!is.null(fitting)) return(set_entries(entries, labels, labels, fitting))
  }
  columns <- max(1, floor(room / max(column_widths(widths, entries$key, 1))))
  shown <- utils::head(labels, max(0, rows * columns - 1))
  more <- sprintf("and %d more", length(labels) - length(shown))
  set_entries(entries, shown, c(shown, more), rows)
}

set_entries <- function(entries, shown, labels, rows) {
  widths <- column_widths(legend_width(labels), entries$key, rows)
  c(entries, list(
    back = 0, shown = seq_along(shown), labels = labels, rows = min(rows, length(labels)),
    left = cumsum(c(0, widths[-length(widths)]))
  ))
}

# The widths of the columns of a legend, with the space to the next column. `widths`: the widths of
# the labels.
column_widths <- function(widths, key, rows) {
  column <- (seq_along(widths) - 1L) %/% rows
  vapply(split(widths, column), max, 1, USE.NAMES = FALSE) + key + character_width()
}

# `x`, `y`: the upper left corner. Coordinates are inches.
draw_legend <- function(entries, x, y) {
  place <- seq_along(entries$labels) - 1L
  left <- x + entries$indent + entries$left[place %/% entries$rows + 1L]
  middle <- y - (entries$heading + place %% entries$rows + 0.5) * row_height()
  for (k in entries$shown) draw_key(entries, k, left[[k]], middle[[k]])
  graphics::text(left + entries$key, middle, entries$labels, cex = legend_cex, adj = c(0, 0.5))
  if (is.null(entries$title)) return(invisible())
  title_y <- y - 0.5 * row_height()
  graphics::text(x, title_y, entries$title, cex = legend_cex, adj = c(0, 0.5), font = 3)
}

# The line, symbol and box of an entry. `x`: its left end.
draw_key <- function(entries, k, x, y) {
  unit <- character_width()
  keys <- entries$keys
  end <- x + entries$segment * unit
  if (entries$line) draw_curves(c(x, end), cbind(c(y, y)), keys[k, ])
  if (entries$point) draw_symbols((x + end) / 2, y, keys, k)
  if (!entries$box) return(invisible())
  box <- c(end + c(0.2, 1.8) * unit, y + c(-0.32, 0.32) * row_height())
  if (is.null(entries$fill)) return(draw_bars(box[[1L]], box[[3L]], box[[2L]], box[[4L]], keys, k))
  colour <- entries$fill[[k]]
  graphics::rect(
    box[[1L]], box[[3L]], box[[2L]], box[[4L]], col = colour, border = "grey20", lwd = 0.7
  )
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

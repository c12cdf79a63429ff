# Titles of axes, and the height of lines of text.

# A title as list(lines, size). A title that is wider than `room` inches as one line is split into
# two lines of about the same width. If it has several elements, each element becomes a line
# instead. If a line is wider than `longest`, the text becomes smaller, but stays readable. If that
# is not enough, it is cut.
fit_title <- function(title, room, longest) {
  size <- graphics::par("cex.lab")
  width <- function(text, size) max(0, graphics::strwidth(text, "inches", size))
  if (!is.character(title)) return(list(lines = list(title), size = size))
  whole <- paste(title, collapse = " ")
  lines <- if (length(title) == 1L) halves(title) else title
  if (width(whole, size) <= room) lines <- whole
  # Devices round sizes of text, so sizes are tried.
  smallest <- min(1, max(0.7, 0.45 / graphics::par("cex")))
  sizes <- size * seq(1, smallest, length.out = 7L)
  size <- Find(function(size) width(lines, size) <= longest, sizes, nomatch = min(sizes))
  list(lines = as.list(cut_text(lines, longest, size)), size = size)
}

# Text in two lines of about the same width.
halves <- function(text) {
  words <- strsplit(text, " ", fixed = TRUE)[[1L]]
  first <- cumsum(nchar(words) + 1L) <= nchar(text) / 2 + nchar(words) / 2
  lines <- c(paste(words[first], collapse = " "), paste(words[!first], collapse = " "))
  lines[nzchar(lines)]
}

# The height of the lines after the first one, in inches.
title_height <- function(title) {
  (length(title$lines) - 1) * (1 + larger("cex.lab")) * line_height()
}

# `line`: the margin line of the last line of the title; `head`: see lay_out_panel().
draw_title <- function(side, line, title, head) {
  # The first line of a title is the upper one; on the left it is the outer one.
  places <- seq_along(title$lines)
  if (side == 2L) places <- rev(places)
  at <- line + (places - 1) * (1 + larger("cex.lab"))
  # A title that is wider than the panel stands in the middle of its room.
  widths <- vapply(title$lines, graphics::strwidth, 1, "inches", title$size)
  wide <- any(widths > graphics::par("pin")[[side]])
  for (k in seq_along(title$lines)) {
    graphics::mtext(
      title$lines[[k]], side, at[[k]], at = if (wide) title_middle(side, head) else NA, las = 0,
      cex = graphics::par("cex") * title$size, font = graphics::par("font.lab"),
      col = graphics::par("col.lab")
    )
  }
}

# The place at which a wide title is centred. Below the panel it is the middle of the figure. On the
# left it is halfway between the bottom margin and the head.
title_middle <- function(side, head) {
  if (side == 1L) return(graphics::grconvertX(0.5, "nfc", "user"))
  height <- graphics::par("fin")[[2L]]
  graphics::grconvertY((graphics::par("mai")[[1L]] + height - head) / 2 / height, "nfc", "user")
}

line_height <- function() {
  graphics::par("cin")[[2L]] * graphics::par("cex") * graphics::par("mex")
}

# The additional lines of text that the user has enlarged.
larger <- function(cex) max(0, graphics::par(cex) - 1)

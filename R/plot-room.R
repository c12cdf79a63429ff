# The room of a figure: panels, and the text that fits beside them. Labels of axes,
# legends and panels are cut when ggplot2 builds the figure, because then its device is open. The
# sizes of text and symbols, and which numbers have room, are those of the device at plot().

device_inches <- function() if (grDevices::dev.cur() > 1L) grDevices::dev.size() else c(6, 4)

# On a small device text and symbols become smaller, down to one half.
text_scale <- function() max(0.5, min(1, device_inches() / c(4.5, 3)))

# The width and the height of the device in units of text: inches if the text has its usual size.
text_room <- function() device_inches() / text_scale()

# The letters of an axis that fit beside each other into such an inch.
letters_per_inch <- 13

# The letters of labels beside panels.
side_letters <- function(columns) {
  max(8, (text_room()[[1L]] / columns - 0.6) * letters_per_inch / 2.4)
}

# Labels cut to a number of letters, because ggplot2 would let them leave the figure.
cut_to <- function(labels, letters) {
  cut_apart(as.character(labels), function(text) nchar(text, "width") <= letters)
}

# Text in two lines of about the same width.
halves <- function(text) {
  words <- strsplit(text, " ", fixed = TRUE)[[1L]]
  first <- cumsum(nchar(words) + 1L) <= nchar(text) / 2 + nchar(words) / 2
  lines <- c(paste(words[first], collapse = " "), paste(words[!first], collapse = " "))
  lines[nzchar(lines)]
}

# The columns of panels, as facet_wrap() has them.
panel_columns <- function(panels) if (panels == 3L) 3 else ceiling(sqrt(panels))

# The first items, if there are more items than panels; a message names the others. `arg`: the
# argument that chooses items.
first_panels <- function(items, what, arg, limit = 9L) {
  left_out <- utils::tail(items, -limit)
  if (length(left_out)) {
    inform_bayesrisk(c(
      "{length(left_out)} of {length(items)} {what} not drawn: {.field {left_out}}.",
      i = "Choose up to {limit} with {.arg {arg}}."
    ), arg)
  }
  utils::head(items, limit)
}

# The chosen cases. `known`: those that can be drawn.
drawn_rows <- function(rows, known, call) {
  if (!is.null(rows)) {
    if (!is_plain(rows, is.numeric) || !all(rows %in% known)) {
      abort_wanted(rows, "rows", "cases of {.arg x} with a decision", call)
    }
    known <- unique(as.integer(rows))
  }
  check_any_drawn(length(known) > 0L, call)
  first_panels(known, "cases", "rows")
}

check_any_drawn <- function(any, call) {
  if (!any) abort_argument("{.arg x} has no case with a decision to draw.", call)
}

# Titles in the order in which they appear.
as_seen <- function(x) factor(x, unique(x))

# The largest finite value, as a limit of an axis.
finite_max <- function(values) {
  finite <- values[is.finite(values)]
  if (length(finite) && max(finite) > 0) max(finite) else 1
}

# Columns as aesthetics: aes_of(x = "weight") is aes(x = weight).
aes_of <- function(...) ggplot2::aes(!!!rlang::syms(c(...)))

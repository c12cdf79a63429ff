# Axes: of numbers, of levels, and of both in different panels.

# The default scale of an axis that has numbers in some panels and levels in others, which ggplot2
# itself does not mix. Levels stand in the order in which they appear in the data of the panel.
# `levels`, `panel`: those of the data; `panels`: the number of all panels.
level_scales <- function(axis, levels, panel = rep(1L, length(levels)),
                         panels = length(unique(panel))) {
  columns <- panel_columns(panels)
  by_panel <- lapply(split(as.character(levels), panel, drop = TRUE), unique)
  scale <- function(...) {
    inches <- text_room() / c(columns, ceiling(panels / columns))
    side <- (inches[[1L]] - 0.6) * letters_per_inch
    turned <- axis == "x" && any(vapply(by_panel, are_crowded, NA, side))
    letters <- if (turned) 4 * inches[[2L]] else side / 2
    if (axis == "y") letters <- side_letters(columns)
    mixed_scale(axis, max(8, min(33, letters)), if (turned) 90)
  }
  stats::setNames(
    rep(list(scale), 3L), sprintf("scale_%s_%s", axis, c("continuous", "discrete", "ordinal"))
  )
}

# Numbers that would overlap are left out.
sparse_guide <- function(...) ggplot2::guide_axis(check.overlap = TRUE, ...)

# Whether labels side by side would touch in a panel that is `letters` wide.
are_crowded <- function(labels, letters) {
  width <- nchar(labels, "width")
  step <- letters / length(labels)
  neighbours <- (utils::head(width, -1L) + width[-1L]) / 2
  max(neighbours + 1, width[c(1L, length(width))] - 4, 0) > step
}

# A scale of numbers that also takes levels. ggplot2 makes a copy of it for each panel and trains it
# by the data of the panel. Only labels of levels are turned.
mixed_scale <- function(axis, letters, angle = NULL) {
  make <- list(x = ggplot2::scale_x_continuous, y = ggplot2::scale_y_continuous)[[axis]]
  numbers <- make(guide = sparse_guide())
  parent <- function(self) ggplot2::ggproto_parent(numbers, self)
  is_level <- function(x) is.character(x) || is.factor(x)
  ggplot2::ggproto(
    NULL, numbers,
    panel_levels = NULL,
    transform = function(self, x) if (is_level(x)) x else parent(self)$transform(x),
    train = function(self, x) {
      if (!length(x)) return(invisible())
      if (is_level(x)) {
        self$guide <- sparse_guide(angle = angle)
        self$panel_levels <- union(self$panel_levels, as.character(x))
        x <- c(0.5, length(self$panel_levels) + 0.5)
      }
      parent(self)$train(x)
    },
    # Positions are trained again after bars have their widths.
    reset = function(self) {
      parent(self)$reset()
      if (length(self$panel_levels)) self$train(self$panel_levels)
    },
    map = function(self, x, limits = self$get_limits()) {
      if (is_level(x)) return(as.double(match(x, self$panel_levels)))
      parent(self)$map(x, limits)
    },
    # Some of many levels, evenly chosen.
    get_breaks = function(self, limits = self$get_limits()) {
      if (is.null(self$panel_levels)) return(parent(self)$get_breaks(limits))
      size <- length(self$panel_levels)
      as.double(seq(1L, size, by = ceiling(size / 50)))
    },
    get_breaks_minor = function(self, ...) {
      if (is.null(self$panel_levels)) parent(self)$get_breaks_minor(...)
    },
    get_labels = function(self, breaks = self$get_breaks()) {
      if (is.null(self$panel_levels)) return(parent(self)$get_labels(breaks))
      cut_to(self$panel_levels, letters)[breaks]
    }
  )
}

# The x axis of panels that stand side by side: the last number would touch the first one of the
# next panel.
shared_axis <- function(panels) {
  if (panels < 2L) return(NULL)
  breaks <- function(limits) {
    at <- pretty(limits, if (panel_columns(panels) < 3) 4L else 2L)
    at[at < limits[[1L]] + 0.9 * diff(limits)]
  }
  list(scale_x_continuous = function(...) ggplot2::scale_x_continuous(breaks = breaks))
}

# The default scale of a numeric x axis with cuts marked above.
cut_axis <- function(cuts, x) {
  if (!length(cuts)) return(NULL)
  labels <- cut_labels(as.double(cuts), diff(range(x)))
  list(scale_x_continuous = function(...) {
    ggplot2::scale_x_continuous(sec.axis = ggplot2::dup_axis(
      name = NULL, breaks = cuts, labels = labels, guide = sparse_guide()
    ))
  })
}

# Labels have four digits. They have more if two cuts that are 1 % of the axis apart would get the
# same label. A cut at 0 may have an error of rounding.
cut_labels <- function(cuts, width) {
  cuts[abs(cuts) < 1e-12 * width] <- 0
  digits <- min(max(4, ceiling(log10(max(abs(cuts)) / width)) + 3), 15)
  vapply(signif(cuts, digits), format, "", digits = digits)
}

# Nothing is measured below 0.
positive_axis <- function() {
  breaks <- function(limits) pretty(pmax(0, limits))
  list(scale_y_continuous = function(...) ggplot2::scale_y_continuous(breaks = breaks))
}

# Numbers stand beside the bars of panels. `left`: whether some need room at the left edge.
roomy_axis <- function(panels, left = TRUE) {
  columns <- min(panel_columns(panels), 3)
  room <- c(0.2, 0.45, 0.05)[[columns]]
  list(scale_x_continuous = function(...) {
    ggplot2::scale_x_continuous(
      expand = ggplot2::expansion(mult = c(if (left) room else 0.05, room)),
      n.breaks = c(5L, 4L, 2L)[[columns]]
    )
  })
}

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

# The classes to draw. Default: with two classes the one that was assessed, with more classes all
# of them.
drawn_classes <- function(class, classes, assessed, call) {
  if (!is.null(class)) class <- check_some(class, classes, "class", call)
  if (is.null(class)) class <- if (length(classes) == 2L) assessed else classes
  first_panels(class, "classes", "class")
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

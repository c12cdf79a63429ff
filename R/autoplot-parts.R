# Pieces of the figures that ggplot2 draws. A figure sets no theme, and its scales are defaults.

# Columns as aesthetics: aes_of(x = "weight") is aes(x = weight).
aes_of <- function(...) ggplot2::aes(!!!rlang::syms(c(...)))

# ggplot2 looks for the default scale of an aesthetic in the environment of the plot first.
# `scales`: functions by these names. A scale that the user adds replaces a default one without a
# message. A layer keeps the frame in which it was added, here that of the method, which would keep
# the frame of the method's caller.
start_figure <- function(data, scales = list()) {
  frame <- parent.frame()
  rm(list = intersect(".GenericCallEnv", ls(frame, all.names = TRUE)), envir = frame)
  ggplot2::ggplot(data, environment = list2env(scales, parent = topenv()))
}

# The default scales of labels by their keys. `fills`: other colours of regions, named by action,
# which have a legend of their own above that of the labels.
label_scales <- function(keys, fills = NULL) {
  labels <- as.character(keys$labels)
  legends <- 1L + !is.null(fills)
  own <- function(scale, values, unknown) {
    default_scale(scale, stats::setNames(values, labels), unknown, legends, legends)
  }
  scales <- list(
    colour = own(ggplot2::scale_colour_manual, keys$col, "grey20"),
    linetype = own(ggplot2::scale_linetype_manual, keys$lty, "solid"),
    shape = own(ggplot2::scale_shape_manual, solid_symbols(keys$pch), 4L),
    fill = own(ggplot2::scale_fill_manual, keys$col, "grey80")
  )
  if (!is.null(fills)) {
    scales$fill <- default_scale(ggplot2::scale_fill_manual, fills, "white", 1L, legends)
  }
  # Classes may be ordered.
  c(
    stats::setNames(scales, sprintf("scale_%s_discrete", names(scales))),
    stats::setNames(scales, sprintf("scale_%s_ordinal", names(scales)))
  )
}

# `unknown`: the value without a label. A legend with many labels has several columns.
default_scale <- function(scale, values, unknown, place, legends) {
  columns <- legend_columns(values, legends)
  guide <- ggplot2::guide_legend(order = place, ncol = if (columns > 1) columns)
  room <- legend_letters(columns)
  function(...) {
    scale(
      values = values, na.value = unknown, guide = guide, labels = function(x) cut_to(x, room),
      limits = function(x) intersect(names(values), x)
    )
  }
}

legend_columns <- function(entries, legends = 1L) ceiling(length(entries) * legends / 12)

# The longest label of a legend.
legend_letters <- function(columns) max(8, 26 %/% columns)

# Labels cut to a number of letters, because ggplot2 would let them leave the figure.
cut_to <- function(labels, letters) {
  cut_apart(as.character(labels), function(text) nchar(text, "width") <= letters)
}

# Symbols that one colour fills, for those that base graphics draws with a frame.
solid_symbols <- function(pch) {
  solid <- match(pch, c(21L, 24L, 22L, 23L, 25L))
  ifelse(is.na(solid), pch, c(16L, 17L, 15L, 18L, 6L)[solid])
}

# Panels side by side, unless there is only one. `column`: the column with the titles of the panels,
# a factor. The titles are cut to the room that the legend leaves in a figure of 6 x 4 inches.
# `legend`: its labels; `beside`: the letters of the labels beside each panel.
panels_by <- function(data, column, legend = NULL, scales = "free", beside = 0) {
  panels <- unique(data[[column]])
  if (length(panels) < 2L) return(NULL)
  columns <- legend_columns(legend)
  entry <- min(max(nchar(as.character(legend), "width"), 0), legend_letters(columns))
  letters <- (112 - columns * (entry + 12)) / panel_columns(length(panels)) - beside - 9
  letters <- max(8, floor(letters))
  cut_lines <- function(title) paste(cut_to(strsplit(title, "\n")[[1L]], letters), collapse = "\n")
  ggplot2::facet_wrap(column, scales = scales, labeller = ggplot2::as_labeller(
    function(titles) vapply(as.character(titles), cut_lines, "")
  ))
}

# The columns of panels, as facet_wrap() has them.
panel_columns <- function(panels) if (panels == 3L) 3 else ceiling(sqrt(panels))

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
      name = NULL, breaks = cuts, labels = labels,
      guide = ggplot2::guide_axis(check.overlap = TRUE)
    ))
  })
}

# Titles of axes. A long one has two lines.
titled <- function(x, y, ...) {
  split <- function(title, most) {
    if (is.null(title) || nchar(title) <= most) title else paste(halves(title), collapse = "\n")
  }
  ggplot2::labs(x = split(x, 48L), y = split(y, 36L), ...)
}

# Titles in the order in which they appear.
as_seen <- function(x) factor(x, unique(x))

# The default scale of an axis that has numbers in some panels and levels in others, which ggplot2
# itself does not mix. Levels stand in the order in which they appear in the data of the panel.
# `levels`, `panel`: those of the data; `panels`: the number of all panels.
level_scales <- function(axis, levels, panel = rep(1L, length(levels)), letters = 26L,
                         panels = length(unique(panel))) {
  columns <- panel_columns(panels)
  by_panel <- lapply(split(as.character(levels), panel, drop = TRUE), unique)
  turned <- axis == "x" && any(vapply(by_panel, are_crowded, NA, 54 / columns))
  letters <- if (turned) 18L else max(8, letters %/% columns)
  scale <- function(...) mixed_scale(axis, letters, if (turned) 90)
  stats::setNames(
    rep(list(scale), 3L), sprintf("scale_%s_%s", axis, c("continuous", "discrete", "ordinal"))
  )
}

# Whether labels side by side would touch in a panel that is `letters` wide.
are_crowded <- function(labels, letters) {
  width <- nchar(labels, "width")
  step <- letters / length(labels)
  neighbours <- (utils::head(width, -1L) + width[-1L]) / 2
  max(neighbours + 1, width[c(1L, length(width))] - 4, 0) > step
}

# A scale of numbers that also takes levels. ggplot2 makes a copy of it for each panel and trains it
# by the data of the panel.
mixed_scale <- function(axis, letters, angle = NULL) {
  guide <- ggplot2::guide_axis(angle = angle, check.overlap = TRUE)
  make <- list(x = ggplot2::scale_x_continuous, y = ggplot2::scale_y_continuous)[[axis]]
  numbers <- make(guide = guide)
  parent <- function(self) ggplot2::ggproto_parent(numbers, self)
  is_level <- function(x) is.character(x) || is.factor(x)
  ggplot2::ggproto(
    NULL, numbers,
    panel_levels = NULL,
    transform = function(self, x) if (is_level(x)) x else parent(self)$transform(x),
    train = function(self, x) {
      if (!length(x)) return(invisible())
      if (is_level(x)) {
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
    get_breaks = function(self, limits = self$get_limits()) {
      if (is.null(self$panel_levels)) return(parent(self)$get_breaks(limits))
      as.double(seq_along(self$panel_levels))
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

# The marks: each takes its data and the columns that it shows.

# Lines in the colours of labels, or in one `shade`.
lines_of <- function(data, ..., linewidth = 0.8, shade = NULL) {
  looks <- list(linewidth = linewidth, na.rm = TRUE, colour = shade)
  rlang::inject(ggplot2::geom_line(aes_of(...), data, !!!looks[lengths(looks) > 0L]))
}

# Bars from one number to another, at levels of the axis `at`.
bars_of <- function(data, at, level, from, to, ..., width = 0.7, shade = NULL,
                    in_legend = NA) {
  data$bar_middle <- (data[[from]] + data[[to]]) / 2
  data$bar_length <- abs(data[[to]] - data[[from]])
  aes <- switch(at,
    x = aes_of(x = level, y = "bar_middle", height = "bar_length", ...),
    y = aes_of(y = level, x = "bar_middle", width = "bar_length", ...)
  )
  looks <- list(colour = "grey20", linewidth = 0.3, fill = shade, show.legend = in_legend)
  looks[[if (at == "x") "width" else "height"]] <- width
  rlang::inject(ggplot2::geom_tile(aes, data, !!!looks[lengths(looks) > 0L]))
}

numbers_of <- function(data, ..., size = 3) {
  ggplot2::geom_text(aes_of(...), data, size = size)
}

base_line <- function(x = NULL, y = NULL, colour = "grey60", ...) {
  if (is.null(x)) return(if (!is.null(y)) ggplot2::geom_hline(yintercept = y, colour = colour, ...))
  ggplot2::geom_vline(xintercept = x, colour = colour, ...)
}

# The limits of a view that a user's own coordinates replace without a message.
view <- function(...) ggplot2::coord_cartesian(..., default = TRUE)

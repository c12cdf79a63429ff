# One figure: a ggplot with legends above its panels. ggplot2 is loaded at the first plot.

# ggplot2 looks for the default scale of an aesthetic in the environment of the plot first.
# `scales`: functions by these names. A scale that the user adds replaces a default one without a
# message.
start_figure <- function(data, scales = list()) {
  numbers <- setdiff(c("scale_x_continuous", "scale_y_continuous"), names(scales))
  scales[numbers] <- list(
    scale_x_continuous = function(...) ggplot2::scale_x_continuous(guide = sparse_guide()),
    scale_y_continuous = function(...) ggplot2::scale_y_continuous(guide = sparse_guide())
  )[numbers]
  figure <- ggplot2::ggplot(data, environment = list2env(scales, parent = topenv())) +
    legend_above()
  size <- text_scale()
  if (size == 1) return(figure)
  figure + ggplot2::theme(
    text = ggplot2::element_text(size = size * ggplot2::theme_get()$text$size),
    legend.key.size = ggplot2::unit(1.2 * size, "lines")
  )
}

# ggplot2 before 3.5 has no space between the rows of a legend, and no setting of it.
legend_above <- function() {
  none <- ggplot2::unit(0, "pt")
  spaces <- intersect("legend.key.spacing.y", names(ggplot2::get_element_tree()))
  do.call(ggplot2::theme, c(
    list(
      legend.position = "top", legend.justification = "left", legend.box = "vertical",
      legend.box.just = "left", legend.spacing.y = none, legend.margin = ggplot2::margin()
    ),
    stats::setNames(rep(list(none), length(spaces)), spaces)
  ))
}

# A figure keeps the frame of plot(). R stores the caller's frame there, with all its data.
forget_caller <- function(call) {
  rm(list = intersect(".GenericCallEnv", ls(call, all.names = TRUE)), envir = call)
}

# Adds the titles and limits that the user has given to plot().
finish_figure <- function(figure, style) {
  forget_caller(style$call)
  titles <- list(title = style$main, x = style$xlab, y = style$ylab)
  titles <- lapply(titles[lengths(titles) > 0L], function(title) {
    if (is.call(title)) as.expression(title) else title
  })
  figure <- figure + do.call(ggplot2::labs, titles)
  if (is.null(style$xlim) && is.null(style$ylim)) return(figure)
  old <- figure$coordinates
  figure + view(
    xlim = if (is.null(style$xlim)) old$limits$x else style$xlim,
    ylim = if (is.null(style$ylim)) old$limits$y else style$ylim, expand = old$expand
  )
}

# The limits of a view that a user's own coordinates replace without a message.
view <- function(...) ggplot2::coord_cartesian(..., default = TRUE)

# Titles of axes. A long one has two lines.
titled <- function(x, y, ...) {
  split <- function(title, most) {
    if (is.null(title)) return(NULL)
    paste(cut_to(if (nchar(title) <= most) title else halves(title), 60L), collapse = "\n")
  }
  ggplot2::labs(x = split(x, 48L), y = split(y, 36L), ...)
}

# The default scales of labels by their keys. `fills`: other colours of regions, named by action.
# They have a legend of their own above that of the labels, unless the actions are the labels.
label_scales <- function(keys, fills = NULL) {
  labels <- as.character(keys$labels)
  one <- identical(names(fills), labels)
  legends <- if (one || is.null(fills)) 1L else 2L
  own <- function(scale, values, unknown) {
    default_scale(scale, stats::setNames(values, labels), unknown, legends, legends, one)
  }
  shapes <- solid_symbols(keys$pch)
  scales <- list(
    colour = own(ggplot2::scale_colour_manual, keys$col, "grey20"),
    linetype = own(ggplot2::scale_linetype_manual, keys$lty, "solid"),
    linewidth = own(ggplot2::scale_linewidth_manual, line_width(keys$lwd), line_width(2.2)),
    shape = own(ggplot2::scale_shape_manual, shapes, if (is.character(shapes)) "?" else 4L),
    fill = own(ggplot2::scale_fill_manual, keys$col, "grey80")
  )
  if (!is.null(fills)) {
    scales$fill <- default_scale(ggplot2::scale_fill_manual, fills, "white", 1L, legends, one)
  }
  # Classes may be ordered.
  c(
    stats::setNames(scales, sprintf("scale_%s_discrete", names(scales))),
    stats::setNames(scales, sprintf("scale_%s_ordinal", names(scales)))
  )
}

# The title of the legend of regions: that of the labels if they share a legend.
region_title <- function(actions, labels) {
  ggplot2::labs(fill = if (identical(actions, labels)) "class" else "decision")
}

# Line widths of R as those of ggplot2.
line_width <- function(lwd) lwd / 2.75

# `unknown`: the value without a label; `whole`: whether labels without data stay in the legend,
# which ggplot2 unites only with one of the same labels.
default_scale <- function(scale, values, unknown, place, legends, whole) {
  labels <- names(values)
  function(...) {
    fitted <- fit_legend(labels, legends)
    present <- labels
    scale(
      values = values, na.value = unknown,
      limits = function(x) present <<- if (whole) labels else intersect(labels, x),
      guide = ggplot2::guide_legend(order = place, ncol = fitted$columns),
      breaks = function(x) utils::head(x, fitted$most),
      labels = function(x) {
        shown <- fitted$labels[match(x, labels)]
        left_out <- length(present) - length(x)
        if (left_out == 0L) return(shown)
        paste0(shown, rep(c("", sprintf(" and %d more", left_out)), c(length(x) - 1L, 1L)))
      }
    )
  }
}

# The labels of a legend, cut so that as many as possible fit into 30 % of the height of the device.
# `most`: the largest number of entries; `columns`: NULL if they fit into a row.
fit_legend <- function(labels, legends = 1L) {
  inches <- text_room()
  rows <- max(1, floor(0.3 * inches[[2L]] / 0.25 / legends))
  room <- inches[[1L]] - 1.2
  for (letters in c(26L, 18L, 14L, 11L, 8L)) {
    shown <- cut_to(labels, letters)
    entries <- 0.4 + nchar(shown, "width") / letters_per_inch
    columns <- if (sum(entries) <= room) length(labels) else floor(room / max(entries))
    most <- rows * columns
    if (length(labels) <= most) break
  }
  # The last entry names the number of those that are left out.
  if (length(labels) > most) columns <- max(1, floor((room - 0.8) / max(entries)))
  most <- min(rows * max(columns, 1), length(labels))
  list(labels = shown, most = most, columns = if (columns < most) max(columns, 1))
}

# Panels side by side, unless there is only one. The column `panel` has their names, which are cut
# to their width. `beside`: the labels of the axis beside each panel.
panels_by <- function(data, scales = "free", beside = "000") {
  beside <- max(nchar(beside, "width"))
  panels <- length(unique(data$panel))
  if (panels < 2L) return(NULL)
  named <- function(names) {
    columns <- panel_columns(panels)
    inches <- text_room()[[1L]] / columns - 0.25
    letters <- max(8, floor(inches * letters_per_inch) - min(beside, side_letters(columns)))
    fit <- function(line) if (nchar(line, "width") > letters) halves(line) else line
    vapply(strsplit(as.character(names), "\n", fixed = TRUE), function(lines) {
      split <- unlist(lapply(lines, fit))
      paste(cut_to(if (length(split) <= 3L) split else lines, letters), collapse = "\n")
    }, "")
  }
  ggplot2::facet_wrap("panel", scales = scales, labeller = ggplot2::as_labeller(named))
}

# One figure: panels, axes, title and legends, with par() left as it was.

# A panel is list(xlab, ylab, xlim, ylim, draw); draw() adds the content. Optional parts: levels
# of a categorical x axis or rows of a categorical y axis (from below) in place of limits, ticks
# (of the y axis), cuts (marked above), fills (whether the content reaches the frame).
draw_figure <- function(panels, legends, style) {
  many <- length(panels) > 1L
  # Margins are restored in lines, the user's unit, so that they still follow a later change of cex.
  set <- unique(c(if (many) c("mfrow", "oma"), "cex", "mar", "xpd", names(style$par)))
  old <- graphics::par(set, no.readonly = TRUE)
  on.exit(graphics::par(old))
  grDevices::dev.hold()
  on.exit(grDevices::dev.flush(), add = TRUE)
  if (many) graphics::par(mfrow = panel_layout(length(panels)))
  set_user_par(style)
  figure <- lay_out(panels, legends, style, many)
  for (panel in figure$panels) draw_panel(panel, style)
  draw_head(figure$legends, style, many, length(panels[[1L]]$cuts) > 0L)
}

# The panels and legends with their layout. On a small device the text becomes smaller until the
# margins leave enough room for the content.
lay_out <- function(panels, legends, style, many) {
  repeat {
    fitted <- fit_legends(legends, if (!many) lay_out_panel(panels[[1L]], 1L, style, 0))
    head <- head_height(fitted, style)
    if (many) graphics::par(omi = c(0, 0, min(head, 0.4 * graphics::par("din")[[2L]]), 0))
    laid <- Map(lay_out_panel, panels, seq_along(panels), list(style), if (many) 0 else head)
    enough <- all(vapply(laid, function(panel) leave_room(panel$margins), NA))
    if (enough || graphics::par("cex") < 0.3) return(list(panels = laid, legends = fitted))
    graphics::par(cex = 0.9 * graphics::par("cex"))
  }
}

# Whether margins leave a third of the width and of the height.
leave_room <- function(margins) {
  all(c(sum(margins[c(2L, 4L)]), sum(margins[c(1L, 3L)])) <= 2 / 3 * graphics::par("fin"))
}

# Adds the labels of levels, the titles of the axes, wrapped, and the margins in inches. `head`: the
# height of title and legends above the only panel; 0 if there are several panels.
lay_out_panel <- function(panel, i, style, head) {
  if (!is.null(style$xlim)) panel$xlim <- style$xlim
  if (!is.null(style$ylim)) panel$ylim <- style$ylim
  cuts <- length(panel$cuts) > 0L
  above <- if (head > 0) 0.4 + 1.6 * cuts else 1 + cuts
  # The labels of each axis take room from the other axis.
  below <- axis_labels(panel$levels, 1L, 0.3 * graphics::par("fin")[[1L]], panel$xlim)
  left <- axis_labels(
    panel$rows, 2L, head + (below$lines + above) * line_height(), c(panel$ticks, panel$ylim)
  )
  below <- axis_labels(panel$levels, 1L, (left$lines + 1) * line_height(), panel$xlim)
  panel$labels <- list(below, left)
  margins <- c(below$lines, left$lines, above, 1) * line_height() + c(0, 0, head, 0)
  room <- graphics::par("fin") - c(sum(margins[c(2L, 4L)]), sum(margins[c(1L, 3L)]))
  titles <- list(user_label(style$xlab, panel$xlab, i), user_label(style$ylab, panel$ylab, i))
  longest <- graphics::par("fin") - line_height() - c(0, head)
  panel$titles <- Map(wrap_title, titles, room, longest)
  wrapped <- (lengths(panel$titles) - 1) * (1 + larger("cex.lab"))
  margins <- margins + c(wrapped, 0, 0) * line_height()
  wider <- pmax(graphics::par("mai"), margins)
  panel$margins <- if (head > 0 && leave_room(wider)) wider else margins
  panel
}

# The lines of a title: one, or two of about the same width if one would be wider than `room`
# inches. A line that is wider than `longest` is cut.
wrap_title <- function(title, room, longest) {
  size <- graphics::par("cex.lab")
  if (!is.character(title) || graphics::strwidth(title, "inches", size) <= room) {
    return(list(title))
  }
  words <- strsplit(title, " ", fixed = TRUE)[[1L]]
  first <- cumsum(nchar(words) + 1L) <= nchar(title) / 2 + nchar(words) / 2
  lines <- c(paste(words[first], collapse = " "), paste(words[!first], collapse = " "))
  as.list(cut_text(lines[nzchar(lines)], longest, size))
}

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

panel_layout <- function(n) {
  columns <- ceiling(sqrt(n))
  c(ceiling(n / columns), columns)
}

set_user_par <- function(style) {
  for (name in names(style$par)) {
    tryCatch(suppressWarnings(graphics::par(style$par[name])), error = function(e) {
      reason <- conditionMessage(e)
      abort_argument("{.fn par} does not accept this {.arg {name}}: {reason}", style$call)
    })
  }
}

line_height <- function() {
  graphics::par("cin")[[2L]] * graphics::par("cex") * graphics::par("mex")
}

# The additional lines of text that the user has enlarged.
larger <- function(cex) max(0, graphics::par(cex) - 1)

# Legends are as wide as the only panel, or as the page. If labels would be cut, a legend begins
# farther left (by `back`), at the edge of the figure. Together legends take at most 30 % of the
# height. A legend without room for one entry is not drawn.
fit_legends <- function(legends, panel) {
  size <- graphics::par(if (is.null(panel)) "din" else "fin")
  margins <- if (is.null(panel)) rep(2 * line_height(), 4L) else panel$margins
  rows <- max(1, floor(0.3 * size[[2L]] / row_height()))
  fitted <- list()
  for (legend in legends) {
    width <- size[[1L]] - sum(margins[c(2L, 4L)])
    back <- margins[[2L]] - line_height()
    wider <- fit_legend(legend, width + back, rows)
    legend <- fit_legend(legend, width, rows)
    if (!setequal(legend$labels, wider$labels)) legend <- replace(wider, "back", back)
    if (legend_rows(legend) > rows || !length(legend$shown)) next
    fitted <- c(fitted, list(legend))
    rows <- rows - legend_rows(legend)
  }
  fitted
}

legend_rows <- function(legend) legend$rows + legend$heading

# The height of title and legends, in inches.
head_height <- function(legends, style) {
  rows <- sum(vapply(legends, legend_rows, 1))
  title <- if (is.null(style$main)) 0 else 1.4 * graphics::par("cex.main")
  rows * row_height() + (title + 0.5) * line_height()
}

# Draws the legends above the only panel, or above all panels, and the title above the legends.
draw_head <- function(legends, style, many, cuts) {
  region <- if (many) "nic" else "npc"
  x <- graphics::grconvertX(0:1, region, "inches")
  y <- graphics::grconvertY(1, region, "inches")
  if (!many) y <- y + (0.4 + 1.6 * cuts) * line_height()
  usr <- graphics::par("usr")
  on.exit(graphics::par(usr = usr))
  # One unit of the coordinates is one inch.
  graphics::par(xpd = NA, usr = c(
    graphics::grconvertX(0:1, "npc", "inches"), graphics::grconvertY(0:1, "npc", "inches")
  ))
  for (legend in rev(legends)) {
    y <- y + legend_rows(legend) * row_height()
    left <- x[[1L]] + (if (many) 2 * line_height() else 0)
    draw_legend(legend, max(left - legend$back, min(left, line_height())), y)
  }
  if (is.null(style$main)) return(invisible())
  size <- graphics::par("cex.main")
  width <- graphics::strwidth(style$main, "inches", size, graphics::par("font.main"))
  room <- 1.9 * min(mean(x), graphics::par("din")[[1L]] - mean(x))
  size <- size * min(1, room / width)
  graphics::text(
    mean(x), y + 0.7 * size * line_height(), style$main, cex = size,
    font = graphics::par("font.main"), col = graphics::par("col.main")
  )
}

draw_panel <- function(panel, style) {
  # Margins never cover the whole figure, however small the device is.
  taken <- c(sum(panel$margins[c(1L, 3L)]), sum(panel$margins[c(2L, 4L)]))
  share <- pmin(1, 0.8 * rev(graphics::par("fin")) / taken)
  graphics::par(mai = panel$margins * share)
  graphics::plot.new()
  limits_of <- function(levels, limits) {
    if (is.null(levels)) limits else c(0.5, length(levels) + 0.5)
  }
  ylim <- if (is.null(style$ylim)) limits_of(panel$rows, panel$ylim) else style$ylim
  inside <- if (isTRUE(panel$fills)) "i" else "r"
  graphics::plot.window(limits_of(panel$levels, panel$xlim), ylim, xaxs = inside, yaxs = inside)
  panel$draw()
  draw_axis(1L, panel$labels[[1L]], NULL, panel$titles[[1L]])
  draw_axis(2L, panel$labels[[2L]], panel$ticks, panel$titles[[2L]])
  if (length(panel$cuts)) draw_cuts(as.double(panel$cuts))
  graphics::box()
}

# The user's label for a panel: one for each panel, or one for all panels.
user_label <- function(given, own, i) {
  if (is.null(given)) return(own)
  if (is.call(given)) given else given[[(i - 1L) %% length(given) + 1L]]
}

# `labels`: the result of axis_labels(); `title`: a list of lines.
draw_axis <- function(side, labels, ticks, title) {
  if (is.null(labels$labels)) {
    at <- if (is.null(ticks)) graphics::axTicks(side) else ticks
    graphics::axis(side, at, number_labels(at))
  } else {
    graphics::axis(
      side, seq_along(labels$labels), labels$labels, las = labels$las, tick = FALSE, line = -0.5,
      gap.axis = 0, cex.axis = labels$size
    )
  }
  # The first line of a title is the upper one; on the left it is the outer one.
  places <- if (side == 1L) seq_along(title) else rev(seq_along(title))
  lines <- labels$lines - 1.1 - larger("cex.lab") + (places - 1) * (1 + larger("cex.lab"))
  size <- graphics::par("cex.lab")
  # A title that is wider than the panel stands in the middle of the figure.
  widths <- vapply(title, graphics::strwidth, 1, "inches", size)
  convert <- if (side == 1L) graphics::grconvertX else graphics::grconvertY
  middle <- if (any(widths > graphics::par("pin")[[side]])) convert(0.5, "nfc", "user") else NA
  for (k in seq_along(title)) {
    graphics::mtext(
      title[[k]], side, lines[[k]], at = middle, las = 0, cex = graphics::par("cex") * size,
      font = graphics::par("font.lab"), col = graphics::par("col.lab")
    )
  }
}

# Labels with all digits of the ticks of an axis, also far from 0.
number_labels <- function(at) format(zapsmall(at, 15L), digits = 15L, trim = TRUE)

draw_cuts <- function(cuts) {
  graphics::axis(
    3, cuts, cut_labels(cuts, diff(graphics::par("usr")[1:2])), cex.axis = 0.85,
    mgp = c(3, 0.4, 0), tcl = -0.25, xaxt = "s"
  )
}

# Labels have four digits. They have more if two cuts that are 1 % of the axis apart would get the
# same label.
cut_labels <- function(cuts, width) {
  digits <- min(max(4, ceiling(log10(max(abs(cuts)) / width)) + 3), 15)
  vapply(signif(cuts, digits), format, "", digits = digits)
}

# The labels of levels below (side 1) or to the left of (side 2) a panel, their size, and the
# margin lines that they, or numbers, take together with the title of the axis. `taken`: the inches
# of the figure along the axis that are not part of the panel.
axis_labels <- function(levels, side, taken, limits) {
  size <- graphics::par("cex.axis")
  widest <- function(labels) max(graphics::strwidth(labels, "inches", size))
  title <- 2.1 + larger("cex.lab")
  usual <- title + c(1.5, 2)[[side]]
  if (is.null(levels)) {
    turned <- graphics::par("las") %in% list(2:3, 1:2)[[side]]
    across <- if (turned) widest(number_labels(pretty(limits))) / line_height() else 0
    return(list(lines = max(usual + larger("cex.axis"), title + across)))
  }
  figure <- graphics::par("fin")
  step <- max(figure[[side]] - taken, 0) / length(levels)
  if (side == 1L && step >= min(1.1 * widest(levels), widest("twelve letters"))) {
    labels <- shorten_labels(levels, step / 1.1, size)
    return(list(lines = usual, labels = labels, las = 1L, size = size))
  }
  size <- size * min(1, max(0.5, 0.9 * step / line_height()))
  labels <- shorten_labels(levels, c(0.3, 0.36)[[side]] * figure[[3L - side]], size)
  lines <- title + widest(labels) / line_height()
  list(lines = lines, labels = labels, las = 3L - side, size = size)
}

# One figure: panels, axes, title and legends, with par() left as it was.

# A panel is list(xlab, ylab, xlim, ylim, draw); draw() adds the content. Optional parts: levels
# of a categorical x axis or rows of a categorical y axis (from below) in place of limits, ticks
# (of the y axis), cuts (marked above), fills (whether the content reaches the frame).
draw_figure <- function(panels, legends, style) {
  many <- length(panels) > 1L
  # Margins are restored in lines, the user's unit, so that they still follow a later change of cex.
  set <- unique(c(if (many) c("mfrow", "cex", "oma"), "mar", "xpd", names(style$par)))
  old <- graphics::par(set, no.readonly = TRUE)
  on.exit(graphics::par(old))
  grDevices::dev.hold()
  on.exit(grDevices::dev.flush(), add = TRUE)
  if (many) graphics::par(mfrow = panel_layout(length(panels)))
  set_user_par(style)
  legends <- fit_legends(legends, if (!many) panels[[1L]])
  head <- head_height(legends, style)
  if (many) graphics::par(omi = c(0, 0, head, 0))
  for (i in seq_along(panels)) draw_panel(panels[[i]], i, style, if (many) 0 else head)
  draw_head(legends, style, many, length(panels[[1L]]$cuts) > 0L)
}

panel_layout <- function(n) {
  columns <- ceiling(sqrt(n))
  c(ceiling(n / columns), columns)
}

set_user_par <- function(style) {
  for (name in names(style$par)) {
    tryCatch(suppressWarnings(graphics::par(style$par[name])), error = function(e) {
      reason <- conditionMessage(e)
      abort_argument("{.arg {name}} is no value for {.fn par}: {reason}", style$call)
    })
  }
}

line_height <- function() {
  graphics::par("cin")[[2L]] * graphics::par("cex") * graphics::par("mex")
}

# Legends are as wide as the only panel, or as the page. Together they take at most a quarter of
# the height. A legend without room for one entry is not drawn.
fit_legends <- function(legends, panel) {
  size <- graphics::par(if (is.null(panel)) "din" else "fin")
  margins <- if (is.null(panel)) rep(2 * line_height(), 4L) else panel_margins(panel, 0)
  rows <- max(1, floor(0.25 * size[[2L]] / row_height()))
  fitted <- list()
  for (legend in legends) {
    legend <- fit_legend(legend, size[[1L]] - sum(margins[c(2L, 4L)]), rows)
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
    draw_legend(legend, x[[1L]] + if (many) 2 * line_height() else 0, y)
  }
  if (is.null(style$main)) return(invisible())
  size <- graphics::par("cex.main")
  graphics::text(
    mean(x), y + 0.7 * size * line_height(), style$main, cex = size,
    font = graphics::par("font.main"), col = graphics::par("col.main")
  )
}

# The margins of a panel in inches: the size of the axes, and `head`, the height of title and
# legends above the only panel.
panel_margins <- function(panel, head) {
  cuts <- length(panel$cuts) > 0L
  above <- if (head > 0) 0.4 + 1.6 * cuts else 1 + cuts
  lines <- c(level_labels(panel$levels, 1L)$lines, level_labels(panel$rows, 2L)$lines, above, 1)
  margins <- lines * line_height() + c(0, 0, head, 0)
  if (head > 0) pmax(graphics::par("mai"), margins) else margins
}

draw_panel <- function(panel, i, style, head) {
  graphics::par(mai = panel_margins(panel, head))
  graphics::plot.new()
  limits_of <- function(levels, limits) {
    if (is.null(levels)) limits else c(0.5, length(levels) + 0.5)
  }
  if (is.null(panel$levels) && !is.null(style$xlim)) panel$xlim <- style$xlim
  ylim <- if (is.null(style$ylim)) limits_of(panel$rows, panel$ylim) else style$ylim
  inside <- if (isTRUE(panel$fills)) "i" else "r"
  graphics::plot.window(limits_of(panel$levels, panel$xlim), ylim, xaxs = inside, yaxs = inside)
  panel$draw()
  draw_axis(1L, panel$levels, NULL, user_label(style$xlab, panel$xlab, i))
  draw_axis(2L, panel$rows, panel$ticks, user_label(style$ylab, panel$ylab, i))
  if (length(panel$cuts)) draw_cuts(as.double(panel$cuts))
  graphics::box()
}

# The user's label for a panel: one for each panel, or one for all panels.
user_label <- function(given, own, i) {
  if (is.null(given)) return(own)
  if (is.call(given)) given else given[[(i - 1L) %% length(given) + 1L]]
}

draw_axis <- function(side, levels, ticks, label) {
  labels <- level_labels(levels, side)
  if (is.null(levels)) {
    at <- if (is.null(ticks)) graphics::axTicks(side) else ticks
    graphics::axis(side, at, number_labels(at))
  } else {
    graphics::axis(
      side, seq_along(levels), labels$labels, las = labels$las, tick = FALSE, line = -0.5,
      gap.axis = 0
    )
  }
  label <- cut_text(label, graphics::par("pin")[[side]])
  graphics::mtext(
    label, side, labels$lines - 1.1, las = 0, cex = graphics::par("cex") * graphics::par("cex.lab"),
    font = graphics::par("font.lab"), col = graphics::par("col.lab")
  )
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

# The labels of levels below (side 1) or to the left of (side 2) a panel, and the margin lines that
# they take together with the label of the axis.
level_labels <- function(levels, side) {
  if (is.null(levels)) return(list(lines = c(3.6, 4.1)[[side]]))
  size <- graphics::par("fin")
  inches <- function(labels) max(graphics::strwidth(labels, "inches", graphics::par("cex.axis")))
  width <- size[[1L]] - 5.1 * line_height()
  if (side == 1L && 1.1 * inches(levels) < width / length(levels)) {
    return(list(lines = 3.6, labels = levels, las = 1L))
  }
  labels <- cut_text(levels, 0.3 * size[[3L - side]], graphics::par("cex.axis"))
  list(lines = inches(labels) / line_height() + 2.1, labels = labels, las = 3L - side)
}

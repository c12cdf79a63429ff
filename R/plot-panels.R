# One figure: panels, axes, title and legends, with par() left as it was.

# A panel is list(xlab, ylab, xlim, ylim, draw). draw() adds the content. Optional parts:
# * levels: the levels of a categorical x axis, from the left, or of a categorical y axis, from
#   below. An axis with levels needs no limits;
# * ticks: of the y axis;
# * cuts: marked above the panel;
# * fills: whether the content reaches the frame.
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
# margins leave enough room for the content. If some entries of the legends still do not fit, the
# text becomes smaller again, by up to 30 %. This second reduction is kept only if all entries fit.
lay_out <- function(panels, legends, style, many) {
  usual <- NULL
  repeat {
    figure <- lay_out_once(panels, legends, style, many)
    cex <- graphics::par("cex")
    if (figure$enough || cex < 0.3) {
      if (figure$complete) return(figure)
      if (is.null(usual)) usual <- cex
      if (0.9 * cex < 0.7 * usual || !figure$enough) break
    }
    graphics::par(cex = 0.9 * cex)
  }
  graphics::par(cex = usual)
  lay_out_once(panels, legends, style, many)
}

# The layout at the present size of text. `enough`: whether there is room for the content;
# `complete`: whether the legends have all their entries.
lay_out_once <- function(panels, legends, style, many) {
  fitted <- fit_legends(legends, if (!many) lay_out_panel(panels[[1L]], 1L, style, 0))
  head <- head_height(fitted, style)
  if (many) graphics::par(omi = c(0, 0, min(head, 0.4 * graphics::par("din")[[2L]]), 0))
  laid <- Map(lay_out_panel, panels, seq_along(panels), list(style), if (many) 0 else head)
  all_shown <- vapply(fitted, function(legend) length(legend$shown) == length(legend$labels), NA)
  list(
    panels = laid, legends = fitted,
    enough = all(vapply(laid, function(panel) leave_room(panel$margins), NA)),
    complete = length(fitted) == length(legends) && all(all_shown)
  )
}

# Whether margins leave a third of the width and of the height.
leave_room <- function(margins) {
  all(c(sum(margins[c(2L, 4L)]), sum(margins[c(1L, 3L)])) <= 2 / 3 * graphics::par("fin"))
}

# Adds the labels of levels, the titles of the axes and the margins in inches. `head`: the height of
# title and legends above the only panel; 0 if there are several panels.
lay_out_panel <- function(panel, i, style, head) {
  if (!is.null(style$xlim)) panel$xlim <- style$xlim
  if (!is.null(style$ylim)) panel$ylim <- style$ylim
  cuts <- length(panel$cuts) > 0L
  above <- if (head > 0) 0.4 + 1.6 * cuts else 1 + cuts
  figure <- graphics::par("fin")
  least <- if (head > 0) graphics::par("mai") else numeric(4L)
  # The labels of each axis take room from the other axis.
  below <- axis_labels(panel$levels, 1L, 0.3 * figure[[1L]], panel$xlim)
  taken <- pmax(least, c(below$lines, 0, above, 0) * line_height() + c(0, 0, head, 0))
  left <- axis_labels(panel$rows, 2L, taken[[1L]] + taken[[3L]], c(panel$ticks, panel$ylim))
  taken <- pmax(least, c(0, left$lines, 0, 1) * line_height())
  below <- axis_labels(panel$levels, 1L, taken[[2L]] + taken[[4L]], panel$xlim)
  panel$labels <- list(below, left)
  margins <- c(below$lines, left$lines, above, 1) * line_height() + c(0, 0, head, 0)
  # The title of the y axis stands above the margin that has the title of the x axis.
  x_title <- fit_title(
    user_label(style$xlab, panel$xlab, i), figure[[1L]] - sum(margins[c(2L, 4L)]),
    figure[[1L]] - line_height()
  )
  margins[[1L]] <- margins[[1L]] + title_height(x_title)
  y_title <- fit_title(
    user_label(style$ylab, panel$ylab, i), figure[[2L]] - sum(margins[c(1L, 3L)]),
    figure[[2L]] - margins[[1L]] - head - 0.5 * line_height()
  )
  margins[[2L]] <- margins[[2L]] + title_height(y_title)
  panel[c("titles", "head")] <- list(list(x_title, y_title), head)
  wider <- pmax(graphics::par("mai"), margins)
  panel$margins <- if (head > 0 && leave_room(wider)) wider else margins
  panel
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

# Legends are as wide as the only panel, or as the page. If labels would be cut, a legend begins
# farther left (by `back`), at the edge of the figure. Together legends take at most 30 % of the
# height. Each legend leaves one row free for each of the later legends that have four entries or
# fewer. A legend without room for one entry is not drawn.
fit_legends <- function(legends, panel) {
  size <- graphics::par(if (is.null(panel)) "din" else "fin")
  margins <- if (is.null(panel)) rep(2 * line_height(), 4L) else panel$margins
  rows <- max(1, floor(0.3 * size[[2L]] / row_height()))
  short <- vapply(legends, function(legend) nrow(legend$keys) <= 4L, NA)
  fitted <- list()
  for (k in seq_along(legends)) {
    width <- size[[1L]] - sum(margins[c(2L, 4L)])
    back <- margins[[2L]] - line_height()
    most <- max(1, rows - sum(short[-seq_len(k)]))
    wider <- fit_legend(legends[[k]], width + back, most)
    legend <- fit_legend(legends[[k]], width, most)
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
  draw_axis(1L, panel$labels[[1L]], NULL, panel$titles[[1L]], panel$head)
  draw_axis(2L, panel$labels[[2L]], panel$ticks, panel$titles[[2L]], panel$head)
  if (length(panel$cuts)) draw_cuts(as.double(panel$cuts))
  graphics::box()
}

# The user's label for a panel: one for each panel, or one for all panels.
user_label <- function(given, own, i) {
  if (is.null(given)) return(own)
  if (is.call(given)) given else given[[(i - 1L) %% length(given) + 1L]]
}

# `labels`: the result of axis_labels(); `title`: the result of fit_title().
draw_axis <- function(side, labels, ticks, title, head) {
  if (is.null(labels$labels)) {
    at <- if (is.null(ticks)) graphics::axTicks(side) else ticks
    graphics::axis(side, at, number_labels(at))
  } else {
    graphics::axis(
      side, seq_along(labels$labels), labels$labels, las = labels$las, tick = FALSE, line = -0.5,
      gap.axis = if (labels$las == side) 0 else 0.1, cex.axis = labels$size
    )
  }
  draw_title(side, labels$lines - 1.1 - larger("cex.lab"), title, head)
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

# The labels of an axis below (side 1) or to the left of (side 2) a panel. `labels` and `size`: the
# labels of its levels and their size. `lines`: the margin lines that the title of the axis and its
# labels (on a numeric axis, its numbers) need.
# `taken`: the inches of the figure along the axis that are not part of the panel.
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

# One figure: panels, axes, title and legend, and par() as it was.

# A panel is list(xlim, ylim, xlab, ylab, paint) and, where needed, levels (of a
# categorical x axis), rows (of a categorical y axis, from below), ticks (of the y axis)
# and cuts (marked above).
draw_figure <- function(panels, legend, view) {
  style <- view$style
  many <- length(panels) > 1L
  # In lines, as the user has them, so that they still follow a later change of cex.
  set <- unique(c(if (many) c("mfrow", "cex", "oma"), "mar", names(style$par)))
  old <- graphics::par(set, no.readonly = TRUE)
  if (length(set) == 1L) old <- stats::setNames(list(old), set)
  on.exit(graphics::par(old))
  grDevices::dev.hold()
  on.exit(grDevices::dev.flush(), add = TRUE)
  if (many) graphics::par(mfrow = panel_layout(length(panels)))
  set_user_par(style$par, view$call)
  head <- head_height(legend, style, many)
  if (many) graphics::par(omi = c(0, 0, head, 0))
  for (i in seq_along(panels)) draw_panel(panels[[i]], i, style, if (many) NULL else head)
  draw_head(legend, style, many, cuts = !many && length(panels[[1L]]$cuts) > 0L)
}

panel_layout <- function(n) {
  columns <- ceiling(sqrt(n))
  c(ceiling(n / columns), columns)
}

set_user_par <- function(settings, call) {
  for (name in names(settings)) {
    tryCatch(suppressWarnings(graphics::par(settings[name])), error = function(e) {
      reason <- conditionMessage(e)
      abort_argument("{.arg {name}} is no value for {.fn par}: {reason}", call)
    })
  }
}

# `head`: inches for title and legend above the only panel; NULL among several.
draw_panel <- function(panel, i, style, head) {
  line <- line_height()
  room <- label_room(panel)
  rows <- row_room(panel)
  margin <- c(room$bottom, rows$left, if (length(panel$cuts)) 2 else 1, 1) * line
  if (is.null(head)) {
    graphics::par(mai = margin)
  } else {
    above <- head + 0.4 * line + if (length(panel$cuts)) 1.6 * line else 0
    graphics::par(mai = pmax(graphics::par("mai"), margin, c(0, 0, above, 0)))
  }
  graphics::plot.new()
  xlim <- if (is.null(panel$levels) && !is.null(style$xlim)) style$xlim else panel$xlim
  ylim <- if (is.null(style$ylim)) panel$ylim else style$ylim
  inside <- if (isTRUE(panel$fills)) "i" else "r"
  graphics::plot.window(xlim, ylim, xaxs = inside, yaxs = inside)
  panel$paint()
  draw_axes(panel, room, rows)
  label <- function(given, own) {
    if (is.null(given)) return(own)
    if (is.call(given)) given else given[[(i - 1L) %% length(given) + 1L]]
  }
  graphics::title(
    xlab = fit_text(label(style$xlab, panel$xlab), graphics::par("pin")[[1L]]),
    line = room$bottom - 1.1
  )
  graphics::title(
    ylab = fit_text(label(style$ylab, panel$ylab), graphics::par("pin")[[2L]]),
    line = rows$left - 1.1
  )
}

draw_axes <- function(panel, room, rows) {
  if (graphics::par("xaxt") != "n") {
    if (is.null(panel$levels)) {
      draw_number_axis(1, graphics::axTicks(1))
    } else {
      graphics::axis(
        1, seq_along(panel$levels), room$labels, las = room$las, tick = FALSE, line = -0.5,
        gap.axis = -1
      )
    }
  }
  if (graphics::par("yaxt") != "n") {
    if (is.null(panel$rows)) {
      draw_number_axis(2, if (is.null(panel$ticks)) graphics::axTicks(2) else panel$ticks)
    } else {
      graphics::axis(
        2, seq_along(panel$rows), rows$labels, las = 1L, tick = FALSE, line = -0.5, gap.axis = -1
      )
    }
  }
  if (length(panel$cuts)) {
    cuts <- as.double(panel$cuts)
    labels <- cut_labels(cuts, diff(graphics::par("usr")[1:2]))
    graphics::axis(3, cuts, labels, cex.axis = 0.85, mgp = c(3, 0.4, 0), tcl = -0.25)
  }
  if (graphics::par("bty") != "n") graphics::box()
}

draw_number_axis <- function(side, at) {
  step <- min(diff(sort(at)), Inf)
  graphics::axis(side, at, format(at, digits = digits_apart(at, step, 7L), trim = TRUE))
}

# To a hundredth of the axis, which is `width` long.
cut_labels <- function(cuts, width) {
  digits <- digits_apart(cuts, width / 100, 4L)
  vapply(signif(cuts, digits), format, "", digits = digits)
}

# As many digits as numbers need to differ where they are `step` apart, and no fewer than
# `least`.
digits_apart <- function(x, step, least) {
  needed <- ceiling(log10(max(abs(x)) / step)) + 1
  if (is.finite(needed)) as.integer(min(max(needed, least), 15)) else least
}

# How the levels are written below their bars, and the lines this takes.
label_room <- function(panel) {
  if (is.null(panel$levels)) return(list(bottom = 3.6))
  width <- graphics::par("fin")[[1L]] - 5.1 * line_height()
  cex <- graphics::par("cex.axis")
  size <- max(graphics::strwidth(panel$levels, "inches", cex))
  if (size * 1.1 < width / length(panel$levels)) {
    return(list(bottom = 3.6, labels = panel$levels, las = 1L))
  }
  longest <- 0.3 * graphics::par("fin")[[2L]]
  labels <- vapply(panel$levels, fit_text, "", longest, cex, USE.NAMES = FALSE)
  lines <- max(graphics::strwidth(labels, "inches", cex)) / line_height()
  list(bottom = lines + 2.1, labels = labels, las = 2L)
}

# How the rows are written beside their tiles, and the lines this takes.
row_room <- function(panel) {
  if (is.null(panel$rows)) return(list(left = 4.1))
  longest <- 0.3 * graphics::par("fin")[[1L]]
  cex <- graphics::par("cex.axis")
  labels <- vapply(panel$rows, fit_text, "", longest, cex, USE.NAMES = FALSE)
  list(left = max(graphics::strwidth(labels, "inches", cex)) / line_height() + 2.1, labels = labels)
}

line_height <- function() {
  graphics::par("cin")[[2L]] * graphics::par("cex") * graphics::par("mex")
}

# Text cut to a width in inches.
fit_text <- function(text, width, cex = 1) {
  if (!is.character(text) || graphics::strwidth(text, "inches", cex) <= width) return(text)
  sizes <- rev(seq_len(nchar(text)))
  for (size in sizes) {
    shorter <- paste0(substr(text, 1L, size), "...")
    if (graphics::strwidth(shorter, "inches", cex) <= width) return(shorter)
  }
  "..."
}

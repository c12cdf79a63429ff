# The style of a figure: the user's graphical parameters, and the style of classes and actions.
# Colours are also distinct for colour-blind readers. Line types, symbols and lightness make a
# figure readable in grey.

# Checks the user's graphical parameters before drawing. `reads`: those that the figure reads beside
# the titles; `classes`: the classes that get the first colours of the palette.
read_style <- function(dots, call, reads, classes = NULL) {
  given <- names(dots)
  if (length(dots) && (is.null(given) || !all(nzchar(given)))) {
    abort_argument("Unused argument without a name. Check the spelling and commas.", call)
  }
  if (anyDuplicated(given)) {
    abort_argument("{.arg {given[duplicated(given)]}} is given more than once.", call)
  }
  dots <- Filter(Negate(is.null), dots)
  check_style_read(names(dots), reads, call)
  for (name in names(dots)) {
    if (isTRUE(style_checks[[name]](dots[[name]]))) next
    abort_wanted(dots[[name]], name, style_wanted[[name]], call)
  }
  c(dots, list(classes = classes, call = call))
}

# A parameter without effect on the figure is an error, as are other arguments without effect.
check_style_read <- function(given, reads, call) {
  reads <- union(c("main", "xlab", "ylab"), reads)
  unread <- setdiff(given, reads)
  if (!length(unread)) return(invisible())
  abort_argument(c(
    "Unused {cli::qty(unread)}argument{?s}: {.arg {unread}}. Check the spelling.",
    i = "Graphical parameters that this figure reads: {.arg {reads}}.",
    i = "The rest of the figure is changed by layers, scales and themes of ggplot2, as in
      {.code plot(x) + ggplot2::theme(axis.text = ggplot2::element_text(size = 8))}."
  ), call)
}

limit_parameters <- c("xlim", "ylim")
bar_parameters <- c(limit_parameters, "col")
line_parameters <- c(bar_parameters, "lty", "lwd")
interval_parameters <- c(bar_parameters, "lwd", "pch", "cex")

is_label <- function(x) {
  is.call(x) || length(x) == 1L && (is.expression(x) || is_plain(x, is.character))
}

is_limits <- function(x) {
  is_plain(x, is.numeric) && length(x) == 2L && all(is.finite(x)) && x[[1L]] != x[[2L]] &&
    is.finite(diff(x))
}

is_colour <- function(x) {
  plain <- is_plain(x, is.character) || is_plain(x, is.numeric) && all(x >= 0 & x < 2^31)
  plain && !inherits(tryCatch(grDevices::col2rgb(x), error = identity), "error")
}

# The line types with the numbers 0 to 6.
line_types <- c("blank", "solid", "dashed", "dotted", "dotdash", "longdash", "twodash")

is_line_type <- function(x) {
  if (is_plain(x, is.numeric)) return(all(x >= 0 & x == round(x) & x < 2^31))
  is_plain(x, is.character) && all(x %in% line_types | grepl("^([1-9A-Fa-f]{2}){1,4}$", x))
}

is_symbol <- function(x) {
  if (is_plain(x, is.character)) return(all(nchar(x) == 1L))
  is_plain(x, is.numeric) && all(x %in% c(0:25, 32:127))
}

is_size <- function(x) is_plain(x, is.numeric) && all(is.finite(x) & x > 0)
is_share <- function(x) is_plain(x, is.numeric) && all(x >= 0 & x <= 1)

style_checks <- list(
  main = is_label, xlab = is_label, ylab = is_label, xlim = is_limits, ylim = is_limits,
  col = is_colour, lty = is_line_type, lwd = is_size, pch = is_symbol, cex = is_size,
  alpha = is_share
)

style_wanted <- c(
  main = "one text or expression", xlab = "one text or expression",
  ylab = "one text or expression",
  xlim = "two different finite numbers", ylim = "two different finite numbers", col = "colours",
  lty = "line types", lwd = "positive line widths",
  pch = "symbols (0 to 25, 32 to 127 or single characters)", cex = "positive sizes of symbols",
  alpha = "numbers from 0 (invisible) to 1"
)

# Blue, orange and green come first, because they also differ in lightness.
palette_order <- c(6L, 2L, 4L, 1L, 8L, 3L, 7L, 9L)

palette_colours <- function(n) {
  # The brightest end of the palette would be invisible on white.
  if (n > length(palette_order)) {
    return(grDevices::hcl.colors(ceiling(1.15 * n), "viridis")[seq_len(n)])
  }
  unname(grDevices::palette.colors(NULL, "Okabe-Ito")[palette_order[seq_len(n)]])
}

# The colours of `n` places, those of the classes first. Many classes use all colours of a palette
# of falling lightness. All other labels then get colours that stand out from this palette.
place_colours <- function(n, classes) {
  if (classes <= length(palette_order) || n <= classes) return(palette_colours(n))
  c(palette_colours(classes), rep_len(palette_colours(8L)[c(2L, 6L, 5L, 8L, 4L)], n - classes))
}

# The style of labels: a data frame with one row per label. The colour of a class follows from its
# position among the classes. All other labels have the next colours of the palette.
label_style <- function(labels, style) {
  n <- length(labels)
  places <- label_places(labels, style$classes)
  keys <- list(
    col = place_colours(max(places), length(style$classes))[places],
    lty = rep_len(line_types[c(2L, 3L, 5L, 6L, 7L, 4L)], n),
    lwd = rep(2.2, n),
    pch = rep_len(c(21L, 24L, 22L, 25L, 23L, 3L, 4L, 8L, 0:2, 5:7, 9:14), n),
    cex = rep(1, n), alpha = rep(1, n)
  )
  if (is.numeric(style$lty)) {
    style$lty[] <- line_types[ifelse(style$lty == 0, 1, (style$lty - 1) %% 6 + 2)]
  }
  for (name in names(keys)) {
    if (!is.null(style[[name]])) {
      keys[[name]] <- replace_style(keys[[name]], style[[name]], labels, name, style$call)
    }
  }
  data.frame(labels = labels, keys)
}

# Replaces default values by the user's values, given in the order of the labels or by name.
replace_style <- function(default, given, labels, arg, call) {
  if (is.null(names(given))) return(rep_len(given, length(labels)))
  unknown <- setdiff(names(given), labels)
  if (length(unknown)) {
    abort_argument(c(
      "{.arg {arg}} names {.val {unknown}}, which {?is/are} not drawn.",
      i = "Drawn: {.val {utils::head(labels, 20L)}}."
    ), call)
  }
  if (is.character(given)) default <- as.character(default)
  replace(default, match(names(given), labels), unname(given))
}

# The keys of the points of `n` cases: the more cases, the smaller and the more transparent.
case_keys <- function(keys, style, n) {
  if (is.null(style$cex)) keys$cex <- max(0.5, min(1, (150 / n)^0.25))
  if (is.null(style$alpha)) keys$alpha <- max(0.2, min(1, (150 / n)^0.5))
  keys
}

# Labels that are classes have the positions of the classes. All other labels have the next
# positions.
label_places <- function(labels, classes) {
  places <- match(labels, classes)
  others <- is.na(places)
  places[others] <- length(classes) + seq_len(sum(others))
  places
}

# The light colours of the regions of actions. An action that is a class has the colour of the
# class.
region_colours <- function(actions, keys) {
  places <- label_places(actions, keys$labels)
  colours <- place_colours(max(places, nrow(keys)), nrow(keys))
  colours[seq_len(nrow(keys))] <- keys$col
  tints(colours[places])
}

# Light fills of falling lightness, so that neighbours differ in grey as well.
tints <- function(colours) {
  lab <- grDevices::convertColor(t(grDevices::col2rgb(colours)) / 255, "sRGB", "Lab")
  target <- seq(92, 78, length.out = length(colours))
  white <- pmax(0, (target - lab[, 1L]) / pmax(100 - lab[, 1L], 1))
  mixed <- lab + white * (rep(c(100, 0, 0), each = nrow(lab)) - lab)
  rgb <- grDevices::convertColor(mixed, "Lab", "sRGB")
  rgb <- pmin(pmax(rgb, 0), 1)
  grDevices::rgb(rgb[, 1L], rgb[, 2L], rgb[, 3L])
}

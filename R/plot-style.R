# How classes and actions look: colours that colour-blind readers tell apart, and
# line types, symbols, hatching and lightness that do without colour.

# Graphical parameters of the user: checked here, before anything is drawn.
read_style <- function(dots, call) {
  given <- names(dots)
  if (length(dots) && (is.null(given) || !all(nzchar(given)))) {
    abort_argument("Unused argument without a name. Check the spelling and commas.", call)
  }
  unknown <- setdiff(given, c(names(style_checks), par_names))
  if (length(unknown)) {
    abort_argument(c(
      "Unused {cli::qty(unknown)}argument{?s}: {.arg {unknown}}. Check the spelling.",
      i = "Graphical parameters that are read: {.arg {names(style_checks)}} and those of {.fn par}."
    ), call)
  }
  if (anyDuplicated(given)) {
    abort_argument("{.arg {given[duplicated(given)]}} is given more than once.", call)
  }
  dots <- dots[!vapply(dots, is.null, NA)]
  for (name in intersect(names(dots), names(style_checks))) {
    check <- style_checks[[name]]
    if (isTRUE(check$is_valid(dots[[name]]))) next
    got <- describe_value(dots[[name]])
    abort_argument("{.arg {name}} must be {check$wanted}, not {got}.", call)
  }
  c(dots[setdiff(names(dots), par_names)], list(par = dots[intersect(names(dots), par_names)]))
}

# Parameters of par() that change how text, axes and margins look.
par_names <- c(
  "adj", "bg", "bty", "cex", "cex.axis", "cex.lab", "cex.main", "col.axis", "col.lab",
  "col.main", "family", "fg", "font", "font.axis", "font.lab", "font.main", "las", "lend", "mar",
  "mgp", "tck", "tcl", "xaxt", "yaxt"
)

is_label <- function(x) {
  is.call(x) || is.expression(x) && length(x) > 0L || is_plain(x, is.character)
}

is_limits <- function(x) {
  is_plain(x, is.numeric) && length(x) == 2L && all(is.finite(x)) && x[[1L]] != x[[2L]] &&
    is.finite(diff(x))
}

is_colour <- function(x) {
  plain <- is_plain(x, is.character) || is_plain(x, is.numeric) && all(x >= 0 & x < 2^31)
  plain && !inherits(tryCatch(grDevices::col2rgb(x), error = identity), "error")
}

is_line_type <- function(x) {
  if (is_plain(x, is.numeric)) return(all(x >= 0 & x == round(x) & x < 2^31))
  named <- c("blank", "solid", "dashed", "dotted", "dotdash", "longdash", "twodash")
  is_plain(x, is.character) && all(x %in% named | grepl("^([1-9A-Fa-f]{2}){1,4}$", x))
}

is_symbol <- function(x) {
  if (is_plain(x, is.character)) return(all(nchar(x) == 1L))
  is_plain(x, is.numeric) && all(x %in% c(0:25, 32:127))
}

style_checks <- list(
  main = list(is_valid = is_label, wanted = "text or an expression"),
  xlab = list(is_valid = is_label, wanted = "text or an expression"),
  ylab = list(is_valid = is_label, wanted = "text or an expression"),
  xlim = list(is_valid = is_limits, wanted = "two different finite numbers"),
  ylim = list(is_valid = is_limits, wanted = "two different finite numbers"),
  col = list(is_valid = is_colour, wanted = "colours"),
  lty = list(is_valid = is_line_type, wanted = "line types"),
  lwd = list(
    is_valid = function(x) is_plain(x, is.numeric) && all(is.finite(x) & x > 0),
    wanted = "positive line widths"
  ),
  pch = list(is_valid = is_symbol, wanted = "symbols (0 to 25, 32 to 127 or single characters)")
)

# Blue, orange and green first: they differ in lightness too.
palette_order <- c(6L, 2L, 4L, 1L, 8L, 3L, 7L, 9L)

palette_colours <- function(n) {
  # The brightest end would not be seen on white.
  if (n > length(palette_order)) {
    return(grDevices::hcl.colors(ceiling(1.15 * n), "viridis")[seq_len(n)])
  }
  unname(grDevices::palette.colors(NULL, "Okabe-Ito")[palette_order[seq_len(n)]])
}

# Lines, symbols and hatching for `labels`, whose colours are those at `places` of the
# palette.
label_style <- function(labels, style, call, places = seq_along(labels)) {
  n <- length(labels)
  look <- list(
    col = palette_colours(max(places))[places],
    lty = rep_len(c(1L, 2L, 4L, 5L, 6L, 3L), n),
    lwd = rep(2.2, n),
    pch = rep_len(c(21L, 24L, 22L, 25L, 23L, 3L, 4L, 8L, 0:2, 5:7, 9:14), n),
    # Lines per inch of hatching; solid is -1.
    density = rep_len(c(-1, 28, 14, -1, 40), n),
    angle = rep_len(c(45, 45, 135, 45, 0, 90, 160), n)
  )
  for (name in c("col", "lty", "lwd", "pch")) {
    if (!is.null(style[[name]])) {
      look[[name]] <- replace_style(look[[name]], style[[name]], labels, name, call)
    }
  }
  c(list(labels = labels), look)
}

# In the order of the labels, or by their names.
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

class_style <- function(view) {
  label_style(view$model$schema$classes$levels, view$style, view$call)
}

action_places <- function(view) {
  label_places(rownames(view$cost), view$model$schema$classes$levels)
}

# Actions that are classes look like them; the others take the places after them.
label_places <- function(actions, classes) {
  places <- match(actions, classes)
  others <- is.na(places)
  places[others] <- length(classes) + seq_len(sum(others))
  places
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

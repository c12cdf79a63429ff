# Lines, bars, symbols and numbers of figures. Each takes its data and the columns that it shows.

# Lines in the looks of the labels in column `by`. `draw`: the layer. A point that is alone on its
# line is a symbol.
lines_by <- function(data, x, y, by, draw = ggplot2::geom_line) {
  alone <- are_alone(data, x, y, by)
  c(
    draw(
      aes_of(x = x, y = y, colour = by, linetype = by, linewidth = by), data[!alone, ],
      na.rm = TRUE
    ),
    if (any(alone)) ggplot2::geom_point(aes_of(x = x, y = y, colour = by), data[alone, ], size = 2)
  )
}

# Lines of one shade.
plain_lines <- function(data, x, y, group, shade, linewidth = 0.8) {
  alone <- are_alone(data, x, y, group)
  c(
    ggplot2::geom_line(
      aes_of(x = x, y = y, group = group), data[!alone, ], na.rm = TRUE, colour = shade,
      linewidth = linewidth
    ),
    if (any(alone)) {
      ggplot2::geom_point(aes_of(x = x, y = y), data[alone, ], colour = shade, size = 2)
    }
  )
}

# Whether each row is the only point of its line. ggplot2 has a message for lines of one point.
are_alone <- function(data, x, y, by) {
  known <- !is.na(data[[x]]) & !is.na(data[[y]])
  if (!nrow(data)) return(known)
  line <- interaction(data[intersect(c(by, "panel"), names(data))], drop = TRUE)
  known & stats::ave(as.numeric(known), line, FUN = sum) == 1
}

# The title of the legend of lines_by(), or NULL.
line_title <- function(title = NULL) {
  ggplot2::labs(colour = title, linetype = title, linewidth = title)
}

# Bars from one number to another, at levels of the axis `at`.
bars_of <- function(data, at, level, from, to, ..., width = 0.7, shade = NULL, in_legend = NA) {
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

# `looks`: those that are the same for all numbers, or in the order of the rows.
numbers_of <- function(data, ..., size = 3, looks = list()) {
  rlang::inject(ggplot2::geom_text(aes_of(...), data, size = size * text_scale(), !!!looks))
}

base_line <- function(x = NULL, y = NULL, colour = "grey60", ...) {
  if (is.null(x)) return(if (!is.null(y)) ggplot2::geom_hline(yintercept = y, colour = colour, ...))
  ggplot2::geom_vline(xintercept = x, colour = colour, ...)
}

cut_lines <- function(cuts) base_line(cuts, colour = "grey30", linetype = "dotted")

# A symbol and an interval for each label, in its looks.
interval_marks <- function(drawn, label, value, keys) {
  list(
    ggplot2::geom_linerange(
      aes_of(x = label, ymin = "lower", ymax = "upper", colour = label, linewidth = label), drawn,
      show.legend = FALSE, na.rm = TRUE
    ),
    ggplot2::geom_point(
      aes_of(x = label, y = value, colour = label, shape = label), drawn,
      size = 3 * keys$cex[match(drawn[[label]], keys$labels)], show.legend = FALSE, na.rm = TRUE
    )
  )
}

# Symbols by class with a dark edge: smaller and more transparent the more cases there are.
point_marks <- function(cases, keys, style, size) {
  keys <- case_keys(keys, style, nrow(cases))
  k <- ifelse(is.na(cases$class), 1L, as.integer(cases$class))
  size <- size * text_scale() * keys$cex[k]
  alpha <- keys$alpha[k]
  list(
    ggplot2::geom_point(
      aes_of(x = "x", y = "y", shape = "class"), cases, na.rm = TRUE, show.legend = FALSE,
      size = size + 0.8 * text_scale(), alpha = alpha, colour = "grey20"
    ),
    ggplot2::geom_point(
      aes_of(x = "x", y = "y", colour = "class", shape = "class"), cases, na.rm = TRUE,
      size = size, alpha = alpha
    )
  )
}

# Symbols that one colour fills, for those with a frame.
solid_symbols <- function(pch) {
  # If some symbols are letters, the numbers of the others become digits.
  if (is.character(pch)) return(substr(pch, 1L, 1L))
  solid <- match(pch, c(21L, 24L, 22L, 23L, 25L))
  ifelse(is.na(solid), pch, c(16L, 17L, 15L, 18L, 6L)[solid])
}

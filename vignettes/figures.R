# Figures of the vignettes. Palettes keep the installed package small. R writes a palette for a
# figure of few colours, so each figure is drawn as a bitmap, and similar colours are united. (The
# device of PNG does not tell its pixels.)

# The colours of a bitmap as a matrix of three columns, row by row from the top.
read_bmp <- function(file) {
  bytes <- readBin(file, "raw", file.size(file))
  number <- function(at) readBin(bytes[at + 1:4], "integer", endian = "little")
  width <- number(18)
  height <- number(22)
  depth <- as.integer(bytes[29]) / 8
  rows <- matrix(as.integer(bytes[-seq_len(number(10))]), ncol = height)[seq_len(width * depth), ]
  values <- c(rows[, height:1])
  rgb <- if (depth == 1) {
    palette <- matrix(as.integer(bytes[55:number(10)]), 4)[3:1, ]
    t(palette[, values + 1])
  } else {
    matrix(values, ncol = 3, byrow = TRUE)[, 3:1]
  }
  list(rgb = rgb, width = width, height = height)
}

# Colours whose channels round to the same of six levels become the most frequent of them. Those of
# areas stay as they are: pale fills differ by less than a level.
unite_colours <- function(rgb) {
  colour <- grDevices::rgb(rgb, maxColorValue = 255)
  group <- c(round(rgb / 51) %*% c(36, 6, 1))
  frequent <- function(x) names(which.max(table(x)))
  united <- vapply(split(colour, group), frequent, "")[as.character(group)]
  pixels <- table(colour)
  area <- names(pixels)[pixels >= 0.002 * length(colour)]
  ifelse(colour %in% area, colour, united)
}

shrink <- function(file) {
  bitmap <- read_bmp(file)
  unlink(file)
  colours <- matrix(unite_colours(bitmap$rgb), bitmap$height, byrow = TRUE)
  file <- sub("bmp$", "png", file)
  grDevices::png(file, bitmap$width, bitmap$height, type = "cairo", antialias = "none")
  grid::grid.raster(colours, width = 1, height = 1, interpolate = FALSE)
  grDevices::dev.off()
  file
}

# Parts of a pale grid would be united with white, and grey panels need more colours.
ggplot2::theme_set(ggplot2::theme_bw() + ggplot2::theme(panel.grid = ggplot2::element_blank()))

# Screens have two pixels or three for one of a page: the figures of the site have twice as many as
# those of the installed pages.
on_site <- identical(Sys.getenv("IN_PKGDOWN"), "true")
knitr::opts_chunk$set(dpi = if (on_site) 144 else 72, fig.align = "center", out.width = "100%")
if (identical(knitr::opts_chunk$get("dev"), "png") && capabilities("cairo")) {
  knitr::opts_chunk$set(dev = "bmp", dev.args = list(type = "cairo"), fig.process = shrink)
  # knitr records a plot on this device, and texts must have the widths of the bitmap.
  options(device = function(width, height, ...) {
    dpi <- knitr::opts_chunk$get("dpi")
    grDevices::bmp(tempfile(), width, height, units = "in", res = dpi, type = "cairo")
  })
}

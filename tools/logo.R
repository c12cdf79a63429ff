# Rscript tools/logo.R: draws man/figures/logo.svg, two densities over the line that a decision by
# cost divides. tools/site.R draws the icons of the site from the same shapes.

# The shapes on a square of 120 units, y downwards: polygons and lines with their colours.
logo_shapes <- function() {
  # A hexagon that stands on a corner.
  angle <- (0:5) * pi / 3 + pi / 6
  hexagon <- cbind(60 + 58 * cos(angle), 60 + 58 * sin(angle))
  base <- 84
  hill <- function(centre, height, sd, from, to) {
    x <- seq(from, to, length.out = 25L)
    cbind(c(x, to, from), c(base - height * exp(-((x - centre) / sd)^2 / 2), base, base))
  }
  # The region of the right action begins where its errors become the cheaper ones.
  cut <- 57
  list(
    list(points = hexagon, fill = "#10324a"),
    list(points = hill(46, 46, 10, 16, 84), fill = "#56b4e9"),
    list(points = hill(76, 36, 9, 46, 104), fill = "#e69f00"),
    list(points = hill(46, 46, 10, cut, 84), fill = "#9ad3f5"),
    list(points = cbind(c(cut, cut), c(26, 94)), stroke = "#ffffff"),
    list(points = cbind(c(14, 106), c(base, base)), stroke = "#ffffff")
  )
}

svg_shape <- function(shape) {
  numbers <- format(round(shape$points, 1L), trim = TRUE, drop0trailing = TRUE)
  points <- paste(numbers[, 1L], numbers[, 2L], sep = ",", collapse = " ")
  if (is.null(shape$stroke)) {
    return(sprintf('<polygon fill="%s" points="%s"/>', shape$fill, points))
  }
  sprintf(
    '<polyline fill="none" stroke="%s" stroke-width="3" stroke-linecap="round" points="%s"/>',
    shape$stroke, points
  )
}

write_logo <- function(file) {
  writeLines(c(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120" role="img">',
    "<title>bayesrisk</title>", vapply(logo_shapes(), svg_shape, ""), "</svg>"
  ), file)
}

# A PNG of the logo, for devices that show no SVG.
write_icon <- function(file, size) {
  grDevices::png(file, size, size, type = "cairo", bg = "transparent", antialias = "subpixel")
  on.exit(grDevices::dev.off())
  graphics::par(mar = c(0, 0, 0, 0), xaxs = "i", yaxs = "i")
  graphics::plot.new()
  graphics::plot.window(c(0, 120), c(120, 0))
  for (shape in logo_shapes()) {
    if (is.null(shape$stroke)) {
      graphics::polygon(shape$points, col = shape$fill, border = NA)
    } else {
      graphics::lines(shape$points, col = shape$stroke, lwd = max(1, size / 40))
    }
  }
}

write_icons <- function(folder) {
  dir.create(folder, recursive = TRUE, showWarnings = FALSE)
  write_icon(file.path(folder, "favicon-32x32.png"), 32L)
  write_icon(file.path(folder, "apple-touch-icon.png"), 180L)
}

if (sys.nframe() == 0L) write_logo("man/figures/logo.svg")

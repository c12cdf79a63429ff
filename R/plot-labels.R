# Text that is cut to a width in inches.

# Text cut in its middle. An expression is not cut.
cut_text <- function(text, width, cex = 1) {
  if (!is.character(text)) return(text)
  cut_middle(text, fits_inches(width, cex))
}

# Labels that stay different: see cut_apart().
shorten_labels <- function(labels, width, cex = 1) cut_apart(labels, fits_inches(width, cex))

fits_inches <- function(width, cex) {
  function(text) graphics::strwidth(text, "inches", cex) <= width
}

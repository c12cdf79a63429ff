# For the vignettes of the lectures: numbers as the slide prints them, exactly, and as the
# package computes them; and figures of half the size, because there are many.
if (identical(knitr::opts_chunk$get("dev"), "png") && capabilities("cairo")) {
  knitr::opts_chunk$set(dev.args = list(type = "cairo", antialias = "none"))
}

# A number in the text.
say <- function(x, digits = 4) format(signif(x, digits), digits = digits, scientific = FALSE)

# One row of the table. `exact`: a fraction or decimals as R code, so that a vignette whose
# numbers differ does not knit.
number <- function(what, slide, exact, package, tolerance = 1e-8) {
  value <- eval(str2lang(exact))
  if (!isTRUE(all.equal(value, unname(package), tolerance = tolerance))) {
    stop(sprintf("%s: %s is not %s", what, format(package, digits = 15L), exact))
  }
  data.frame(number = what, slide = slide, exact = exact, package = format(package, digits = 7L))
}

slide_table <- function(...) {
  knitr::kable(
    rbind(...), row.names = FALSE, align = "lrrr",
    col.names = c("Number", "Slide says", "Exact", "Package")
  )
}

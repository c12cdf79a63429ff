# For the vignettes of the lectures: tables with the number on the slide, the exact number and the
# number of the package. The figures have fewer bytes, because there are many.
# 80 dots per inch keep the installed package below 5 MB.
knitr::opts_chunk$set(dpi = 80)
if (identical(knitr::opts_chunk$get("dev"), "png") && capabilities("cairo")) {
  knitr::opts_chunk$set(dev.args = list(type = "cairo", antialias = "none"))
}

# A number in the text.
say <- function(x, digits = 4) format(signif(x, digits), digits = digits, scientific = FALSE)

# One row of the table. `exact` is a fraction or a decimal number as R code. Knitting stops if the
# number of the package differs from it.
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

# For the vignettes of the lectures: folded code, and tables with the number on the slide, the exact
# number and the number of the package.

source("figures.R")

# The chunk option `fold` hides a chunk behind its value, a line to click on.
knitr::knit_hooks$set(fold = function(before, options, envir) {
  if (before) sprintf("<details><summary>%s</summary>\n\n", options$fold) else "\n\n</details>"
})

# knitr wraps only warnings of one line. Here each part of a warning is wrapped to the page; lines
# that begin with a space belong to the part before.
print_warning <- knitr::knit_hooks$get("warning")
knitr::knit_hooks$set(warning = function(x, options) {
  lines <- sub("^#> ?", "", unlist(strsplit(x, "\n")))
  parts <- split(trimws(lines), cumsum(!startsWith(lines, " ")))
  text <- vapply(parts, paste, "", collapse = " ")
  wrapped <- unlist(lapply(text, strwrap, 88, exdent = 2, prefix = "#> "))
  print_warning(paste0(paste(wrapped, collapse = "\n"), "\n"), options)
})

# The digits of all pages.
options(digits = 4)

# A number in the text or in a table.
say <- function(x, digits = getOption("digits")) {
  format(signif(x, digits), digits = digits, scientific = FALSE)
}

# One row of the table. `exact` is a fraction or a decimal number as R code. Knitting stops if the
# number of the package differs from it.
number <- function(what, slide, exact, package, tolerance = 1e-8) {
  value <- eval(str2lang(exact))
  if (!isTRUE(all.equal(value, unname(package), tolerance = tolerance))) {
    stop(sprintf("%s: %s is not %s", what, format(package, digits = 15L), exact))
  }
  exact <- gsub("(?<![0-9])\\.(?=[0-9])", "0.", exact, perl = TRUE)
  data.frame(number = what, slide = slide, exact = exact, package = say(package))
}

slide_table <- function(...) {
  knitr::kable(
    rbind(...), row.names = FALSE, align = "lrrr",
    col.names = c("Number", "Slide says", "Exact", "Package")
  )
}

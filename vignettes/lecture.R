# For the pages of the course: folded code, numbers that are checked, figures for small screens, and
# links from page to page.

source("figures.R")

# The chunk option `fold` hides a chunk behind its value, a line to click on.
knitr::knit_hooks$set(fold = function(before, options, envir) {
  if (before) sprintf("<details><summary>%s</summary>\n\n", options$fold) else "\n\n</details>"
})

# knitr wraps only warnings of one line. Here each part of a warning, which begins with a sign, is
# wrapped to the page.
print_warning <- knitr::knit_hooks$get("warning")
knitr::knit_hooks$set(warning = function(x, options) {
  lines <- sub("^#> ?", "", unlist(strsplit(x, "\n")))
  parts <- split(trimws(lines), cumsum(grepl("^(Warning|[ix!*] |\u2139|\u2716|\u2022)", lines)))
  text <- vapply(parts, paste, "", collapse = " ")
  wrapped <- unlist(lapply(text, strwrap, getOption("width") + 4, exdent = 2, prefix = "#> "))
  print_warning(paste0(paste(wrapped, collapse = "\n"), "\n"), options)
})

# The digits of all pages.
options(digits = 4)

# A number in the text or in a table.
say <- function(x, digits = getOption("digits")) {
  format(signif(x, digits), digits = digits, scientific = FALSE)
}

# A number of the text. `exact`: a fraction or a decimal number as R code. Knitting stops if the
# number of the package differs from it.
number <- function(what, exact, package, tolerance = 1e-8) {
  value <- eval(str2lang(exact))
  if (!isTRUE(all.equal(value, unname(package), tolerance = tolerance))) {
    stop(sprintf("%s: %s is not %s", what, format(package, digits = 15L), exact))
  }
}

# Figures and output that a phone shows without scrolling: texts of a figure of 480 pixels have 11
# pixels there.
course_options <- function() {
  knitr::opts_chunk$set(
    collapse = TRUE, comment = "#>", fig.width = 5, fig.height = 3.2, out.width = "480px",
    dpi = if (on_site) 192 else 96
  )
  options(width = 51)
  ggplot2::theme_update(
    text = ggplot2::element_text(size = 12), axis.text = ggplot2::element_text(size = 11),
    legend.text = ggplot2::element_text(size = 11), strip.text = ggplot2::element_text(size = 11),
    legend.position = "top"
  )
}

# Whether the page can hold a picture that moves. Each has 80 kB, so that of the installed pages one
# has it, and the others show the call.
moves <- requireNamespace("htmlwidgets", quietly = TRUE) && knitr::is_html_output()
moves_on_site <- moves && on_site
where_it_moves <- function() {
  if (!on_site) "The call opens an interactive picture. The website of the package shows it here."
}

# The pages of the course in their order, and their titles.
course <- c(
  "course-1-bayes" = "Bayes' theorem",
  "course-2-error" = "The error that cannot be avoided",
  "course-3-costs" = "Costs and thresholds",
  "course-4-counting" = "Counting and smoothing",
  "course-5-densities" = "Densities and maximum likelihood",
  "course-6-naive-full" = "Naive against full",
  "course-7-generative" = "Generative and discriminative",
  "course-8-measuring" = "Measuring and believing",
  "course-9-further" = "Further topics"
)

# Links to the page before and the page after the one that is knitted.
course_links <- function() {
  at <- match(sub("[.]Rmd$", "", knitr::current_input()), names(course))
  link <- function(i, word) {
    sprintf("%s: [Course %d: %s](%s.html)", word, i, course[[i]], names(course)[[i]])
  }
  paste(c(
    if (at > 1L) link(at - 1L, "Previous"),
    if (at < length(course)) link(at + 1L, "Next"),
    "[All pages](lecture-map.html#course)"
  ), collapse = " | ")
}

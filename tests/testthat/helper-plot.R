# plot() on a device without output.
draw <- function(...) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  plot(...)
}

# The texts of a plot that contain `pattern`.
texts_drawn <- function(x, pattern, ...) {
  file <- withr::local_tempfile(fileext = ".pdf")
  grDevices::pdf(file, compress = FALSE, useKerning = FALSE)
  plot(x, ...)
  grDevices::dev.off()
  lines <- grep(" Tj$", readLines(file, warn = FALSE), value = TRUE)
  texts <- sub("^.*[(](.*)[)] Tj$", "\\1", lines)
  grep(pattern, texts, value = TRUE)
}

# The user's graphical parameters, without the coordinates of the current plot.
user_par <- function() {
  par <- graphics::par(no.readonly = TRUE)
  par[setdiff(names(par), c("usr", "xaxp", "yaxp"))]
}

iris_naive <- function() fit(bayes_naive(), Species ~ ., iris)

# Two classes that differ in their mean: the cut is at 20 with equal priors.
two_classes <- function(prior = c(A = 0.5, B = 0.5)) {
  bayes_known(prior, x = likelihood_gaussian(mean = c(A = 15, B = 25), sd = 4))
}

# Figures of the vignettes. Palettes of 16 colours and WebP keep the installed package small.
# Both need tools that not every machine has.
knitr::opts_chunk$set(dpi = 72, fig.align = "center", out.width = "100%")
if (identical(knitr::opts_chunk$get("dev"), "png") && capabilities("cairo")) {
  knitr::opts_chunk$set(dev.args = list(type = "cairo"))
}
shrink <- function(file) {
  run <- function(tool, ...) nzchar(Sys.which(tool)) && system2(tool, c(...)) == 0L
  png <- shQuote(file)
  run("pngquant", "--speed=1", "--nofs", "--quality=0-90", "--ext=.png", "--force", 16, png)
  webp <- sub("png$", "webp", file)
  if (run("cwebp", "-quiet", "-lossless", "-z", 7, png, "-o", shQuote(webp))) webp else file
}
print_plot <- knitr::knit_hooks$get("plot")
knitr::knit_hooks$set(plot = function(x, options) {
  print_plot(if (endsWith(x, ".png")) shrink(x) else x, options)
})

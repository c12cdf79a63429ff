# The figures of a run, drawn by vignettes/stored-runs.R as in the vignette.

write_plots <- function(results, folder) {
  draw <- function(name, width, height, plot, ...) {
    grDevices::png(file.path(folder, name), width, height, res = 150)
    on.exit(grDevices::dev.off())
    plot(results, ...)
  }
  if (any(results$topic == "growth")) draw("growth.png", 1400, 1100, plot_growth)
  draw("limits.png", 1400, 1500, plot_limits)
}

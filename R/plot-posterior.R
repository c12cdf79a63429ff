# The posterior given one feature, one panel per feature.

plot_posterior <- function(view, features) {
  plot_panels(view, features, panel_spec = list(
    type = "prob", value = identity, column = "posterior",
    curve_label = "posterior probability", bar_label = "posterior probability", stacked = TRUE
  ))
}

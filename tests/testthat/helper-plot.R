# The data of the figure that plot() returns. The figure is built, as for printing.
draw <- function(...) {
  figure <- plot(...)
  ggplot2::ggplot_build(figure)
  figure$data
}

# The layer of a figure that geom_<geom>() draws.
layer_of <- function(figure, geom, k = 1L) {
  # With a key of its own, a geom of ggplot2 3.4 has a first class without a name.
  geoms <- vapply(figure$layers, function(layer) setdiff(class(layer$geom), "")[[1L]], "")
  ggplot2::layer_data(figure, which(geoms == geom)[[k]])
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

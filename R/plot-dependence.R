#' Plot how much features depend on each other, given the class
#'
#' One row for each pair of features, the most dependent pair at the top. A bar shows the
#' information of the pair, and a symbol shows its information in each class.
#'
#' @param x A [feature_dependence()].
#' @param ... Graphical parameters, as in [plot()][plot.bayesrisk_model]; `col`, `pch` and `cex`
#'   are those of the classes.
#' @param limit The maximum number of pairs to draw. The pairs of the largest evidence are drawn.
#' @return A ggplot, whose element `data` has the drawn rows of `x`, from top to bottom. Pairs
#'   with infinite or unknown information are not drawn; a message reports them.
#' @section Errors: `bayesrisk_error_argument` names the argument.
#' @seealso [feature_dependence()]
#' @export
#' @examples
#' plot(feature_dependence(Species ~ ., iris))
plot.bayesrisk_dependence <- function(x, ..., limit = 20) {
  call <- rlang::current_env()
  style <- read_style(list(...), call, c(bar_parameters, "pch", "cex"))
  drawn <- dependence_data(x, limit, call)
  style$classes <- attr(x, "classes")
  finish_figure(dependence_figure(drawn, style), style)
}

# The most dependent pairs.
dependence_data <- function(x, limit, call) {
  limit <- check_whole_number(limit, "limit", min = 1, call = call)
  x <- by_dependence(x)
  finite <- x[is.finite(x$information), ]
  if (nrow(finite) == 0L) {
    abort_argument(
      "{.arg x} has no pair of finite information: nothing to draw.", call
    )
  }
  drawn <- utils::head(finite, limit)
  if (nrow(drawn) < nrow(x)) {
    inform_bayesrisk("{nrow(x) - nrow(drawn)} of {nrow(x)} pairs not drawn.", "features")
  }
  drawn
}

# The information of each pair in each class: a matrix.
class_information <- function(drawn, classes) {
  associations <- as.matrix(as.data.frame(drawn)[paste0("association_", classes)])
  -log1p(-associations^2) / 2
}

dependence_figure <- function(drawn, style) {
  classes <- style$classes
  within <- class_information(drawn, classes)
  # Each name is cut on its own, so that both stay readable.
  pairs <- as_seen(paste(cut_to(drawn$first, 15L), cut_to(drawn$second, 15L), sep = " - "))
  bars <- data.frame(pair = pairs, information = drawn$information, zero = 0)
  bars <- bars[rev(seq_len(nrow(bars))), ]
  points <- data.frame(
    pair = rep(pairs, length(classes)), class = factor(rep(classes, each = nrow(drawn)), classes),
    information = as.vector(within)
  )
  points <- points[is.finite(points$information), ]
  keys <- label_style(classes, style)
  start_figure(drawn, c(label_scales(keys), level_scales("y", bars$pair))) +
    base_line(0) +
    bars_of(bars, "y", "pair", "zero", "information", width = 0.5, shade = "grey85") +
    ggplot2::geom_point(
      aes_of(x = "information", y = "pair", colour = "class", shape = "class"), points,
      size = 2 * keys$cex[as.integer(points$class)]
    ) +
    titled("information given the class (nats)", NULL, colour = "in class", shape = "in class")
}

#' Plot an estimated prior
#'
#' A symbol for each class shows its estimated probability, and a line the interval. A cross shows
#' the prior of the model. Small grey points are the estimates by single features; if one of them
#' contradicts the estimate, [estimate_prior()] has warned.
#'
#' @param x A result of [estimate_prior()].
#' @param ... Graphical parameters, as in [plot()][plot.bayesrisk_model]; `col` and `pch` are those
#'   of the classes.
#' @return Invisibly, the drawn data: a data frame `class`, `prior`, `lower`, `upper`, `model`.
#' @section Errors: `bayesrisk_error_argument` names the argument.
#' @seealso [estimate_prior()]
#' @export
#' @examples
#' model <- fit(bayes_full(), Species ~ ., iris)
#' plot(estimate_prior(model, iris[c(1:5, 51:90, 101:145), -5]))
plot.bayesrisk_prior <- function(x, ...) {
  call <- rlang::current_env()
  drawn <- result_rows(x, call)
  style <- read_style(list(...), call, levels(drawn$class))
  draw_prior(drawn, x$check, style)
  invisible(drawn)
}

draw_prior <- function(drawn, check, style) {
  classes <- levels(drawn$class)
  keys <- label_style(classes, style)
  at <- seq_along(classes)
  single <- prior_estimates(check, classes)
  ends <- c(0, drawn$prior, drawn$upper, drawn$model, single$prior)
  panel <- list(
    levels = classes, ylim = range(ends[is.finite(ends)]), xlab = "class", ylab = "prior",
    draw = function() {
      graphics::abline(h = 0, col = "grey60")
      graphics::points(
        as.integer(single$class) - 0.15, single$prior, pch = 16L, cex = 0.6, col = "grey60"
      )
      graphics::points(at + 0.15, drawn$model, pch = 4L, lwd = 2)
      graphics::segments(at, drawn$lower, at, drawn$upper, col = keys$col, lwd = keys$lwd)
      draw_symbols(at, drawn$prior, keys, at, 1.3)
    }
  )
  draw_figure(list(panel), list(prior_legend(nrow(single) > 0L)), style)
}

# The estimates by single features.
prior_estimates <- function(check, classes) {
  none <- matrix(0, 0L, length(classes))
  single <- if (is.null(check)) none else as.matrix(check[alone_columns(classes)])
  data.frame(
    class = factor(rep(classes, each = nrow(single)), classes), prior = as.vector(single)
  )
}

prior_legend <- function(single) {
  keys <- label_style(c("estimate", "prior of the model", "by single features"), list())
  keys$col <- c("grey20", "black", "grey60")
  keys$pch <- c(21L, 4L, 16L)
  legend_entries(if (single) keys else keys[1:2, ], point = TRUE)
}

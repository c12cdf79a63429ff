#' Plot how much features depend on each other, given the class
#'
#' A row for each pair, the most dependent above: its information as a bar, and that in each
#' class as a symbol.
#'
#' @param x A [feature_dependence()].
#' @param ... Graphical parameters, as in [plot()][plot.bayesrisk_model]; `col` and `pch` are
#'   those of the classes.
#' @param limit The most pairs to draw, those of the most information.
#' @return What was drawn, invisibly: the rows of `x`, in the order from above. Pairs of
#'   infinite or unknown information are not drawn; a message says so.
#' @section Errors: `bayesrisk_error_argument` names the argument.
#' @seealso [feature_dependence()]
#' @export
#' @examples
#' plot(feature_dependence(Species ~ ., iris))
plot.bayesrisk_dependence <- function(x, ..., limit = 20) {
  call <- rlang::current_env()
  view <- list(style = read_style(list(...), call), call = call)
  limit <- check_whole_number(limit, "limit", min = 1, call = call)
  if (!is_dependence(x)) abort_argument("{.arg x} must be a whole {.fn feature_dependence}.", call)
  drawn <- drawn_pairs(x, limit, call)
  classes <- attr(x, "classes")
  within <- vapply(paste0("association_", classes), function(column) {
    -log1p(-drawn[[column]]^2) / 2
  }, numeric(nrow(drawn)))
  within <- matrix(within, nrow(drawn))
  look <- label_style(classes, view$style, call)
  finite <- within[is.finite(within)]
  panel <- list(
    xlim = range(0, drawn$information, finite), ylim = c(0.5, nrow(drawn) + 0.5),
    rows = rev(paste(drawn$first, drawn$second, sep = " - ")),
    xlab = "information given the class (nats)", ylab = "",
    paint = function() draw_information_rows(drawn$information, within, look)
  )
  draw_figure(list(panel), list(legend_block(look, point = TRUE, title = "in class:")), view)
  invisible(drawn)
}

drawn_pairs <- function(x, limit, call) {
  x <- x[order(-x$information), ]
  finite <- x[is.finite(x$information), ]
  if (nrow(finite) == 0L) {
    abort_argument("{.arg x} has no pair of finite information: nothing to draw.", call)
  }
  drawn <- utils::head(finite, limit)
  if (nrow(drawn) < nrow(x)) {
    inform_bayesrisk("{nrow(x) - nrow(drawn)} of {nrow(x)} pairs not drawn.", "features")
  }
  drawn
}

draw_information_rows <- function(information, within, look) {
  y <- rev(seq_along(information))
  graphics::abline(v = 0, col = "grey60")
  graphics::rect(0, y - 0.25, information, y + 0.25, col = "grey85", border = "grey40")
  for (k in seq_len(ncol(within))) {
    shown <- is.finite(within[, k])
    draw_symbols(within[shown, k], y[shown], look, rep(k, sum(shown)), xpd = NA)
  }
}

#' Plot how much features depend on each other, given the class
#'
#' One row for each pair of features, the most dependent pair at the top. A bar shows the
#' information of the pair, and a symbol shows its information in each class.
#'
#' @param x A [feature_dependence()].
#' @param ... Graphical parameters, as in [plot()][plot.bayesrisk_model]; `col` and `pch` are those
#'   of the classes.
#' @param limit The maximum number of pairs to draw. The most dependent pairs, by AIC, are
#'   drawn.
#' @return Invisibly, the drawn rows of `x`, from top to bottom. Pairs with infinite or unknown
#'   information are not drawn; a message reports them.
#' @section Errors: `bayesrisk_error_argument` names the argument.
#' @seealso [feature_dependence()]
#' @export
#' @examples
#' plot(feature_dependence(Species ~ ., iris))
plot.bayesrisk_dependence <- function(x, ..., limit = 20) {
  call <- rlang::current_env()
  style <- read_style(list(...), call)
  drawn <- dependence_data(x, limit, call)
  style$classes <- attr(x, "classes")
  draw_dependence(drawn, style)
  invisible(drawn)
}

# The most dependent pairs.
dependence_data <- function(x, limit, call) {
  limit <- check_whole_number(limit, "limit", min = 1, call = call)
  if (!is_dependence(x)) {
    abort_argument("{.arg {drawn_name(call)}} must be a whole {.fn feature_dependence}.", call)
  }
  x <- by_dependence(x)
  finite <- x[is.finite(x$information), ]
  if (nrow(finite) == 0L) {
    abort_argument(
      "{.arg {drawn_name(call)}} has no pair of finite information: nothing to draw.", call
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

draw_dependence <- function(drawn, style) {
  keys <- label_style(style$classes, style)
  within <- class_information(drawn, style$classes)
  y <- rev(seq_len(nrow(drawn)))
  # Each name is cut on its own, so that both stay readable.
  room <- 0.165 * graphics::par("fin")[[1L]]
  names <- matrix(shorten_labels(c(drawn$first, drawn$second), room), ncol = 2L)
  panel <- list(
    xlim = range(0, drawn$information, within[is.finite(within)]),
    rows = rev(paste(names[, 1L], names[, 2L], sep = " - ")),
    xlab = "information given the class (nats)", ylab = "",
    draw = function() {
      graphics::abline(v = 0, col = "grey60")
      graphics::rect(0, y - 0.25, drawn$information, y + 0.25, col = "grey85", border = "grey40")
      shown <- which(is.finite(within), arr.ind = TRUE)
      draw_symbols(within[shown], y[shown[, 1L]], keys, shown[, 2L], xpd = NA)
    }
  )
  draw_figure(list(panel), list(legend_entries(keys, point = TRUE, title = "in class:")), style)
}

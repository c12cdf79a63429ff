#' Plot the value of seeing features
#'
#' A line shows the risk without any feature. Bars below the line show the reduction of this risk by
#' each feature, by all features and by the truth. The length of a bar is the value of the
#' information.
#'
#' @param x A [value_of_information()].
#' @param ... Graphical parameters, as in [plot()][plot.bayesrisk_model]; `col` is the colour of the
#'   bars.
#' @param limit The maximum number of features to draw. The features with the largest values are
#'   drawn.
#' @return Invisibly, the drawn rows of `x`, with features in decreasing order of value.
#' @section Errors: `bayesrisk_error_argument` names the argument.
#' @seealso [value_of_information()]
#' @examples
#' tennis <- fit(bayes_naive(laplace = 1), play ~ ., play_tennis)
#' cost <- cost_matrix(book = c(yes = 1, no = 6), stay = c(yes = 4, no = 0), ask = 1.5)
#' plot(value_of_information(tennis, cost))
#' @export
plot.bayesrisk_information <- function(x, ..., limit = 12) {
  call <- rlang::current_env()
  style <- read_style(list(...), call)
  drawn <- information_data(x, limit, call)
  draw_information(drawn, style)
  invisible(drawn)
}

# The rows to draw: no feature, the best single features, all features, the truth.
information_data <- function(x, limit, call) {
  limit <- check_whole_number(limit, "limit", min = 1, call = call)
  sound <- is.data.frame(x) && !is_part(x) && is.numeric(x$risk) && is.numeric(x$value) &&
    nrow(x) >= 3L && is.character(attr(x, "method"))
  if (!sound) {
    abort_argument("{.arg {drawn_name(call)}} must be a whole {.fn value_of_information}.", call)
  }
  if (!all(is.finite(x$risk))) {
    abort_argument("{.arg {drawn_name(call)}} has infinite risks: nothing to draw.", call)
  }
  features <- seq_len(nrow(x))[-c(1L, nrow(x) - 1L, nrow(x))]
  features <- features[order(-x$value[features])]
  if (length(features) > limit) {
    inform_bayesrisk(
      "{length(features) - limit} of {length(features)} features not drawn: those of least value.",
      "features"
    )
  }
  x[c(1L, utils::head(features, limit), nrow(x) - 1L, nrow(x)), ]
}

draw_information <- function(drawn, style) {
  keys <- label_style("saved", style)
  nothing <- drawn$risk[[1L]]
  bars <- drawn[-1L, ]
  at <- seq_len(nrow(bars))
  panel <- list(
    levels = bars$known, ylim = range(0, drawn$risk), xlab = "known before deciding",
    ylab = "expected cost per case",
    draw = function() {
      draw_bars(at - 0.35, bars$risk, at + 0.35, rep(nothing, length(at)), keys, 1L)
      graphics::abline(h = nothing, col = "grey30", lty = 3L)
      graphics::segments(at - 0.42, bars$risk, at + 0.42, lwd = 2)
    }
  )
  line <- data.frame(labels = "knowing nothing", col = "grey30", lty = "dotted", lwd = 1)
  legends <- list(legend_entries(line, line = TRUE), legend_entries(keys, bar = TRUE))
  draw_figure(list(panel), legends, style)
}

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
#' @return A ggplot, whose element `data` has the drawn rows of `x`, with features in decreasing
#'   order of value.
#' @section Errors: `bayesrisk_error_argument` names the argument.
#' @seealso [value_of_information()]
#' @examples
#' tennis <- fit(bayes_naive(laplace = 1), play ~ ., play_tennis)
#' cost <- cost_matrix(book = c(yes = 1, no = 6), stay = c(yes = 4, no = 0), ask = 1.5)
#' plot(value_of_information(tennis, cost))
#' @export
plot.bayesrisk_information <- function(x, ..., limit = 12) {
  call <- rlang::current_env()
  style <- read_style(list(...), call, bar_parameters)
  finish_figure(information_figure(information_data(x, limit, call), style), style)
}

# The rows to draw: no feature, the best single features, all features, the truth.
information_data <- function(x, limit, call) {
  limit <- check_whole_number(limit, "limit", min = 1, call = call)
  check_whole(x, "value_of_information", "some features", call)
  if (!all(is.finite(x$risk))) {
    abort_argument("{.arg x} has infinite risks: nothing to draw.", call)
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

information_figure <- function(drawn, style) {
  nothing <- drawn$risk[[1L]]
  bars <- cbind(plain_frame(drawn)[-1L, ], nothing = nothing)
  bars$known <- as_seen(bars$known)
  start_figure(drawn, level_scales("x", bars$known)) +
    bars_of(bars, "x", "known", "risk", "nothing", shade = label_style("saved", style)$col) +
    base_line(y = nothing, colour = "grey30", linetype = "dotted") +
    ggplot2::expand_limits(y = 0) +
    titled(
      "known before deciding", "expected cost per case",
      caption = "Dotted: knowing nothing. Bars: what is saved."
    )
}

#' Plot the value of more data
#'
#' The expected saving per case against the number of new rows, with intervals of two standard
#' errors. A dotted line shows what knowing the parameters would save. With `price`, a grey line
#' shows the price of the rows per case: rows pay where the saving lies above it.
#'
#' @param x A [value_of_data()].
#' @param ... Graphical parameters, as in [plot()][plot.bayesrisk_model]; `col`, `lty` and `lwd` are
#'   those of the classes.
#' @return A ggplot, whose element `data` has the drawn data: `class`, `n`, `saving`, `lower` and
#'   `upper`.
#' @section Errors: `bayesrisk_error_argument` names the argument.
#' @seealso [value_of_data()]
#' @examples
#' few <- fit(bayes_naive(), am ~ hp + wt, mtcars)
#' plot(value_of_data(few, n = c(10, 30, 100), draws = 50))
#' @export
plot.bayesrisk_data_value <- function(x, ...) {
  call <- rlang::current_env()
  style <- read_style(list(...), call, line_parameters)
  drawn <- data_value_data(x, call)
  finish_figure(data_value_figure(drawn, attr(x, "limit"), attr(x, "price"), style), style)
}

data_value_data <- function(x, call) {
  if (nrow(x) == 0L || !all(is.finite(c(x$saving, x$std_error)))) {
    abort_argument("{.arg x} has savings that are not finite, or none: nothing to draw.", call)
  }
  data.frame(
    class = x$class, n = x$n, saving = x$saving, lower = x$saving - 2 * x$std_error,
    upper = x$saving + 2 * x$std_error
  )
}

# The price of `n` rows per case.
price_per_case <- function(n, price) n * price$row / price$cases

data_value_labels <- function(drawn) {
  if (all(is.na(drawn$class))) "all" else levels(droplevels(drawn$class))
}

data_value_figure <- function(drawn, limit, price, style) {
  labels <- data_value_labels(drawn)
  of_all <- all(is.na(drawn$class))
  rows <- cbind(drawn, label = factor(if (of_all) labels else drawn$class, labels))
  rows <- rows[order(rows$n), ]
  rows$size <- as_seen(format_count(rows$n))
  apart <- ggplot2::position_dodge(0.2 * (length(labels) > 1L))
  aes <- function(...) aes_of(x = "size", colour = "label", group = "label", ...)
  start_figure(drawn, c(label_scales(label_style(labels, style)), level_scales("x", rows$size))) +
    base_line(y = 0, colour = "grey85") +
    base_line(y = limit, colour = "black", linetype = "dotted") + price_line(rows, price) +
    ggplot2::geom_linerange(
      aes(ymin = "lower", ymax = "upper"), rows, position = apart, show.legend = !of_all
    ) +
    ggplot2::geom_line(
      aes(y = "saving", linetype = "label", linewidth = "label"),
      rows[!are_alone(rows, "size", "saving", "label"), ], position = apart, show.legend = !of_all
    ) +
    ggplot2::geom_point(aes(y = "saving"), rows, position = apart, show.legend = !of_all) +
    titled("new rows", "expected saving per case") + line_title()
}

price_line <- function(rows, price) {
  if (is.null(price)) return(NULL)
  worth <- unique(rows[c("n", "size")])
  worth <- cbind(worth, price = price_per_case(worth$n, price), line = 1L)
  plain_lines(worth, "size", "price", "line", "grey60")
}

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
  gains <- shows_gains(drawn, drawn$risk)
  drawn_risk <- gain_numbers(drawn$risk, gains)
  nothing <- drawn_risk[[1L]]
  bars <- cbind(plain_frame(drawn)[-1L, ], nothing = nothing)
  bars$risk <- drawn_risk[-1L]
  bars$known <- as_seen(bars$known)
  start_figure(drawn, level_scales("x", bars$known)) +
    bars_of(bars, "x", "known", "risk", "nothing", shade = label_style("saved", style)$col) +
    base_line(y = nothing, colour = "grey30", linetype = "dotted") +
    ggplot2::expand_limits(y = 0) +
    titled(
      "known before deciding", gain_words("expected cost per case", gains),
      caption = paste("Dotted: knowing nothing. Bars: what is", if (gains) "gained." else "saved.")
    )
}

#' Plot the value of more data
#'
#' The expected saving per case against the number of new rows, with intervals of two standard
#' errors. A dotted line shows what knowing the parameters would save. With `price`, a grey line
#' shows the price of the rows per case: rows pay where the saving lies above it.
#'
#' @param x A [value_of_data()].
#' @param ... Graphical parameters, as in [plot()][plot.bayesrisk_model]; `col`, `lty` and `lwd` are
#'   those of the classes.
#' @return Invisibly, the drawn data: `class`, `n`, `saving`, `lower` and `upper`.
#' @section Errors: `bayesrisk_error_argument` names the argument.
#' @seealso [value_of_data()]
#' @examples
#' few <- fit(bayes_naive(), am ~ hp + wt, mtcars)
#' plot(value_of_data(few, n = c(10, 30, 100), draws = 50))
#' @export
plot.bayesrisk_data_value <- function(x, ...) {
  call <- rlang::current_env()
  style <- read_style(list(...), call)
  drawn <- data_value_data(x, call)
  draw_data_value(drawn, style, attr(x, "limit"), attr(x, "price"))
  invisible(drawn)
}

data_value_data <- function(x, call) {
  numbers <- unlist(unclass(x)[c("n", "saving", "std_error")])
  whole <- is_data_value(x) && nrow(x) > 0L && all(lengths(unclass(x)) == nrow(x))
  if (!whole || !all(is.finite(numbers))) {
    abort_argument("{.arg {drawn_name(call)}} is not a whole result of {.fn value_of_data}.", call)
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

draw_data_value <- function(drawn, style, limit, price) {
  labels <- data_value_labels(drawn)
  single <- all(is.na(drawn$class))
  keys <- label_style(labels, style)
  own <- if (single) rep(1L, nrow(drawn)) else match(as.character(drawn$class), labels)
  sizes <- sort(unique(drawn$n))
  at <- match(drawn$n, sizes)
  worth <- if (!is.null(price)) price_per_case(sizes, price)
  ends <- c(0, drawn$lower, drawn$upper, limit)
  panel <- list(
    levels = format_count(sizes), ylim = range(ends), xlab = "new rows",
    ylab = "expected saving per case",
    draw = function() {
      graphics::abline(h = 0, col = "grey85")
      graphics::abline(h = limit, lty = 3L)
      if (!is.null(worth)) graphics::lines(seq_along(sizes), worth, col = "grey60", lwd = 2)
      for (i in seq_along(labels)) {
        mine <- own == i
        graphics::segments(at[mine], drawn$lower[mine], at[mine], drawn$upper[mine],
                           col = keys$col[[i]])
        graphics::lines(at[mine], drawn$saving[mine], type = "b", pch = 16L, col = keys$col[[i]],
                        lty = keys$lty[[i]], lwd = keys$lwd[[i]])
      }
    }
  )
  legends <- if (single) list() else list(legend_entries(keys, line = TRUE))
  draw_figure(list(panel), legends, style)
}

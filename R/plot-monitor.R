#' Plot the course of a monitor
#'
#' Lines over the rows of the stream: the evidence of a change with the limit of an alarm, the
#' shares of the classes, or the cost of keeping the model's prior and that of the shares of now. A
#' dotted line is the row of the alarm.
#'
#' @param x A [monitor()] that has rows.
#' @param type What is drawn: `"evidence"`, the largest of the shares and of the features at the
#'   end of each chunk; `"prior"`; or `"cost"`.
#' @param ... Graphical parameters, as in [plot()][plot.bayesrisk_model]; `col`, `lty` and `lwd` are
#'   those of the lines.
#' @return A ggplot, whose element `data` has the drawn data: `row`, `line` and `value`.
#' @section Errors: `bayesrisk_error_argument` names the argument.
#' @seealso [monitor()]
#' @examples
#' model <- fit(bayes_naive(), Species ~ ., iris)
#' watch <- monitor(model)
#' for (day in 1:5) watch <- update(watch, simulate(model, 40, seed = day)[-1])
#' meadow <- subset(simulate(model, 300, seed = 9), Species != "setosa")
#' for (day in split(meadow[-1], rep(1:5, length.out = nrow(meadow)))) watch <- update(watch, day)
#' plot(watch)
#' @export
plot.bayesrisk_monitor <- function(x, type = c("evidence", "prior", "cost"), ...) {
  call <- rlang::current_env()
  type <- check_choice(type, c("evidence", "prior", "cost"), "type", call)
  check_monitor(x, call)
  style <- read_style(list(...), call, line_parameters, if (type == "prior") names(x$prior))
  finish_figure(monitor_figure(monitor_lines(x, type, call), x, type, style), style)
}

# A row for each point of each line.
monitor_lines <- function(x, type, call) {
  history <- x$history
  if (is.null(history)) abort_argument("{.arg x} has no rows yet.", call)
  columns <- switch(type,
    evidence = c("shares", "features"), cost = c("cost_kept", "cost_new"),
    prior = paste0("prior_", names(x$prior))
  )
  names <- switch(type,
    evidence = columns, cost = c("the model's prior", "the shares of now"), prior = names(x$prior)
  )
  drawn <- data.frame(
    row = rep(history$row, length(columns)),
    line = factor(rep(names, each = nrow(history)), names),
    value = unlist(history[columns], use.names = FALSE)
  )
  drawn <- drawn[!is.na(drawn$value), ]
  check_any_drawn(nrow(drawn) > 0L, call)
  drawn
}

monitor_figure <- function(drawn, x, type, style) {
  gains <- type == "cost" && are_gains(drawn$value, x$cost$origin)
  drawn$value <- gain_numbers(drawn$value, gains)
  y <- switch(type,
    evidence = "evidence (decimal logarithm)", prior = "share of the class",
    cost = gain_words("expected cost per row", gains)
  )
  start_figure(drawn, label_scales(label_style(levels(drawn$line), style))) +
    (if (type == "evidence") base_line(y = -log10(x$alpha))) +
    (if (x$alarm) ggplot2::geom_vline(xintercept = x$row, colour = "grey30", linetype = "dotted")) +
    lines_by(drawn, "row", "value", "line") + line_title() +
    titled("row", y, caption = if (type == "evidence") "Grey line: limit of an alarm.")
}

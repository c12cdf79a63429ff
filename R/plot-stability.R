#' Plot the intervals of class probabilities
#'
#' Each case is a line: the interval of the probability of a class, and a point at the probability
#' itself. The colour tells the decision. Cases are ordered by probability. An open point is a
#' decision that stays in less than 95 % of the draws.
#'
#' @param x A [decision_stability()]. Give it `class` to draw the probability of one class.
#' @param most The largest number of cases that are drawn. If there are more, every i-th case in the
#'   order of the probability is drawn.
#' @param ... Graphical parameters, as in [plot()][plot.bayesrisk_model]; `col`, `lwd` and `pch`
#'   are those of the decisions.
#' @return A ggplot, whose element `data` has the drawn rows of `x`, with a column `row`, their
#'   place in `x`.
#' @section Errors: `bayesrisk_error_argument` names the argument.
#' @seealso [decision_stability()]
#' @examples
#' few <- fit(bayes_naive(), am ~ hp + wt, mtcars)
#' cost <- cost_matrix("0" = c("0" = 0, "1" = 5), "1" = c("0" = 1, "1" = 0))
#' plot(decision_stability(few, mtcars, cost, n = 200, class = "1"))
#' @export
plot.bayesrisk_stability <- function(x, ..., most = 200) {
  call <- rlang::current_env()
  style <- read_style(list(...), call, c(bar_parameters, "lwd", "pch"))
  finish_figure(stability_figure(stability_data(x, most, call), style), style)
}

stability_data <- function(x, most, call) {
  most <- check_whole_number(most, "most", min = 1, call = call)
  rows <- which(!is.na(x$probability) & !is.na(x$lower) & !is.na(x$decision))
  check_any_drawn(length(rows) > 0L, call)
  rows <- rows[order(x$probability[rows])]
  kept <- unique(round(seq(1, length(rows), length.out = min(most, length(rows)))))
  data.frame(row = rows[kept], plain_frame(x)[rows[kept], , drop = FALSE])
}

stability_title <- function(drawn) {
  class <- unique(as.character(drawn$class))
  paste("posterior probability of", if (length(class) == 1L) class else "the most probable class")
}

stability_figure <- function(drawn, style) {
  cases <- cbind(drawn, place = seq_len(nrow(drawn)))
  cases$decision <- droplevels(cases$decision)
  open <- cases[cases$stays < firm_share, ]
  start_figure(drawn, label_scales(label_style(levels(cases$decision), style))) +
    ggplot2::geom_linerange(
      aes_of(x = "place", ymin = "lower", ymax = "upper", colour = "decision",
             linewidth = "decision"),
      cases
    ) +
    ggplot2::geom_point(
      aes_of(x = "place", y = "probability", colour = "decision", shape = "decision"), cases,
      size = 2
    ) +
    ggplot2::geom_point(
      aes_of(x = "place", y = "probability"), open, colour = "white", size = 0.7
    ) +
    view(ylim = c(0, 1)) +
    titled(
      "cases, by probability", stability_title(drawn),
      caption = if (nrow(open)) sprintf(
        "Open: decisions that stay in less than %g %% of the draws.", 100 * firm_share
      )
    )
}

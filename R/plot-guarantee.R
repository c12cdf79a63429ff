#' Plot the tests of a guarantee
#'
#' The mean cost of the cases that a threshold decides, against their share, for each threshold of
#' [guarantee()]. The grey line is the bound. A dotted line is the rule: the last threshold that
#' passed.
#'
#' @param x A result of [guarantee()].
#' @param ... Graphical parameters, as in [plot()][plot.bayesrisk_model]; `col`, `pch` and `cex` are
#'   those of the thresholds that passed, that failed and that were not tested.
#' @return A ggplot, whose element `data` has the drawn data: the element `points`, with `test`, and
#'   `panel`, the group.
#' @section Errors: `bayesrisk_error_argument` names the argument.
#' @seealso [guarantee()]
#' @examples
#' model <- fit(bayes_naive(), Species ~ Sepal.Length + Sepal.Width, iris[1:75 * 2, ])
#' plot(guarantee(model, iris[1:75 * 2 - 1, ], bound = 0.2))
#' @export
plot.bayesrisk_guarantee <- function(x, ...) {
  call <- rlang::current_env()
  check_unchanged(is_sound_guarantee(x) && is.data.frame(x$points), "guarantee", call)
  style <- read_style(list(...), call, c("col", "pch", "cex"), test_labels)
  drawn <- x$points
  if (!any(is.finite(drawn$cost))) {
    abort_argument(c(
      "{.arg x} has no threshold to draw.",
      i = "A threshold passes from {count_of(x$fewest, 'decided case', 'decided cases')} on."
    ), call)
  }
  drawn$test <- factor(ifelse(drawn$passed, 1L, ifelse(drawn$tested, 2L, 3L)), 1:3, test_labels)
  drawn$panel <- if (is.null(x$keys)) "" else as_seen(group_labels(x$points[names(x$keys)]))
  finish_figure(guarantee_figure(drawn, x, style), style)
}

test_labels <- c("passed", "failed", "not tested")

guarantee_figure <- function(drawn, x, style) {
  keys <- label_style(test_labels, style)
  if (is.null(style$col)) keys$col[[3L]] <- "grey60"
  chosen <- data.frame(panel = unique(drawn$panel), decided = x$groups$decided)
  chosen <- chosen[x$groups$threshold > -Inf, ]
  drawn$cost[!is.finite(drawn$cost)] <- NA
  start_figure(drawn, label_scales(keys)) +
    base_line(y = x$bound) +
    ggplot2::geom_vline(
      aes_of(xintercept = "decided"), chosen, colour = "grey30", linetype = "dotted"
    ) +
    plain_lines(drawn, "decided", "cost", "panel", "grey60", linewidth = 0.4) +
    ggplot2::geom_point(
      aes_of(x = "decided", y = "cost", colour = "test", shape = "test"), drawn, na.rm = TRUE,
      size = 2 * text_scale() * keys$cex[as.integer(drawn$test)]
    ) +
    (if (!is.null(x$keys)) panels_by(drawn)) +
    view(xlim = c(0, 1), ylim = c(0, max(x$bound, drawn$cost, na.rm = TRUE))) +
    titled(
      "share of cases decided", if (x$of_errors) "share of errors" else "mean cost",
      caption = paste(c("Grey line: the bound.", if (nrow(chosen)) "Dotted line: the rule."),
                      collapse = " "), colour = "test", shape = "test"
    )
}

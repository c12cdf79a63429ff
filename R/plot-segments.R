#' Plot assessments of segments
#'
#' One symbol for each segment, with its interval.
#'
#' @param x A result of `assess_decisions(by = )`.
#' @param type What to draw:
#'   * `"cost"` (the default): the mean cost of each segment. A cross is the cost that was believed:
#'     below the symbol, the probabilities of the segment are overconfident. A grey line marks the
#'     mean cost of all cases;
#'   * `"difference"`: the mean cost minus that of all other segments, with intervals that hold
#'     together;
#'   * `"sensitivity"`: the share of the cases of the class that are decided for it. A grey line
#'     marks that of all cases.
#' @param ... Graphical parameters, as in [plot()][plot.bayesrisk_model]; `col`, `lwd`, `pch` and
#'   `cex` are those of the segments.
#' @return A ggplot, whose element `data` has the drawn data: a data frame `segment`, `estimate`,
#'   `lower`, `upper`, and for `"cost"` `believed`. The assessment of a segment has all other plots:
#'   `plot(x$segments[[1]], "calibration")`.
#' @section Errors: `bayesrisk_error_argument`, also if no segment has a number to draw.
#' @seealso [bayesrisk_assessments]
#' @export
#' @examples
#' model <- fit(bayes_naive(), Species ~ Sepal.Length, iris)
#' assessed <- assess_decisions(model, iris, by = c(width = cut(Sepal.Width, c(0, 2.8, 3.2, 5))))
#' plot(assessed)
#' plot(assessed, "difference")
plot.bayesrisk_assessments <- function(x, type = c("cost", "difference", "sensitivity"), ...) {
  call <- rlang::current_env()
  type <- check_choice(type, c("cost", "difference", "sensitivity"), "type", call)
  x <- check_assessments(x, call)
  style <- read_style(list(...), call, interval_parameters)
  drawn <- segment_data(x, type, call)
  finish_figure(segment_figure(drawn, x, type, style), style)
}

segment_data <- function(x, type, call) {
  ends <- if (type == "difference") c("lower", "upper") else paste0(type, c("_lower", "_upper"))
  columns <- x$by_segment[c(type, ends, if (type == "cost") "believed")]
  names(columns)[1:3] <- c("estimate", "lower", "upper")
  drawn <- data.frame(segment = as_seen(group_labels(x$by_segment[x$keys])), columns)
  drawn <- drawn[is.finite(drawn$estimate), ]
  if (!nrow(drawn)) {
    abort_argument("{.arg x} has no segment whose {type} is a number: nothing to draw.", call)
  }
  drawn$segment <- droplevels(drawn$segment)
  rownames(drawn) <- NULL
  drawn
}

segment_figure <- function(drawn, x, type, style) {
  gains <- type == "cost" && are_gains(x$all$cost, x$all$cost_matrix)
  keys <- label_style(levels(drawn$segment), style)
  marks <- drawn
  marks[-1L] <- lapply(marks[-1L], gain_numbers, gains)
  level <- switch(type,
    cost = gain_numbers(x$all$cost, gains), difference = 0,
    sensitivity = segment_row(x$all, x$class)$sensitivity
  )
  believed <- type == "cost" && any(is.finite(marks$believed))
  start_figure(drawn, c(label_scales(keys), level_scales("x", marks$segment))) +
    base_line(y = level) + interval_marks(marks, "segment", "estimate", keys) +
    (if (believed) {
      ggplot2::geom_point(
        aes_of(x = "segment", y = "believed"), marks, shape = 4L, stroke = 1, size = 2,
        position = ggplot2::position_nudge(0.15), na.rm = TRUE
      )
    }) +
    titled(
      paste(x$keys, collapse = ", "), segment_title(x, type, gains),
      caption = segment_caption(x, type, believed, gains)
    )
}

segment_title <- function(x, type, gains) {
  switch(type,
    cost = gain_words("cost per case", gains), difference = "cost minus that of other segments",
    sensitivity = paste("sensitivity of", x$class)
  )
}

segment_caption <- function(x, type, believed, gains) {
  if (type == "difference") {
    together <- x$all$interval == "bayes" && !all(is.na(x$by_segment$lower))
    return(if (together) "The intervals hold together.")
  }
  line <- "Line: all cases."
  if (!believed) return(line)
  paste(line, gain_words("Cross: the cost that was believed.", gains))
}

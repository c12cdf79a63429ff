#' Plot terms that speak for and against classes
#'
#' Bars of the terms that [top_features()] found: a panel for each class with the \eqn{z} of its
#' terms, or for each case with what its terms add to the log odds of its class. Terms of a case
#' that speak for the class come first; a bar has the colour of the class that it supports.
#'
#' @param x A result of [top_features()].
#' @param ... Graphical parameters, as in [plot()][plot.bayesrisk_model]; `col` holds the colours of
#'   the classes.
#' @param case Which cases to draw, by position or by name; at most 6.
#' @return A ggplot, whose element `data` has the drawn rows of `x`: a data frame. Terms without
#'   a finite number are not drawn, nor are terms of a class whose \eqn{z} is not positive.
#' @section Errors: `bayesrisk_error_argument` names the argument.
#' @seealso [top_features()]
#' @examples
#' words <- rbind(c(2, 1, 0, 1), c(1, 0, 0, 1), c(0, 1, 2, 1), c(0, 1, 1, 0))
#' colnames(words) <- c("offer", "you", "meeting", "the")
#' model <- fit(bayes_text(), list(words = words), c("spam", "spam", "ham", "ham"))
#' plot(top_features(model))
#' plot(top_features(model, newdata = list(words = words[1:2, ])), case = 1)
#' @export
plot.bayesrisk_top_features <- function(x, ...) {
  call <- rlang::current_env()
  style <- read_style(list(...), call, bar_parameters, levels(x$class))
  drawn <- top_data(x, call)
  titles <- paste("class", drawn$class)
  figure <- term_figure(drawn, "z", as.integer(drawn$class), titles, style) + speaks_for("z")
  finish_figure(figure, style)
}

# The terms of at most six classes.
top_data <- function(x, call) {
  drawn <- plain_frame(x)[is.finite(x$z) & x$z > 0, ]
  if (nrow(drawn) == 0L) {
    abort_argument("{.arg x} has no term that speaks for a class.", call)
  }
  shown <- first_panels(unique(as.character(drawn$class)), "classes", "class", most_panels)
  drawn[drawn$class %in% shown, ]
}

#' @rdname plot.bayesrisk_top_features
#' @export
plot.bayesrisk_case_features <- function(x, ..., case = 1) {
  call <- rlang::current_env()
  style <- read_style(list(...), call, bar_parameters, levels(x$class))
  drawn <- case_terms_data(x, case, call)
  figure <- term_figure(
    drawn, "contribution", supported_class(drawn), rival_titles(drawn), style
  ) + speaks_for("log odds")
  finish_figure(figure, style)
}

case_terms_data <- function(x, case, call) {
  cases <- as.character(unique(x$case))
  chosen <- cases[check_cases_drawn(case, cases, call)]
  drawn <- plain_frame(x)[x$case %in% chosen & is.finite(x$contribution), ]
  if (nrow(drawn) == 0L) {
    abort_argument("{.arg x} has no term with a number to draw.", call)
  }
  drawn[order(match(drawn$case, chosen), -drawn$contribution), ]
}

# The code of the class that each contribution supports.
supported_class <- function(rows) ifelse(rows$contribution < 0, rows$against, rows$class)

# Horizontal bars, the first one at the top. `supported`: the code of the class of each bar.
term_figure <- function(drawn, column, supported, titles, style) {
  classes <- levels(drawn$class)
  bars <- cbind(drawn, zero = 0, panel = as_seen(titles))
  bars$supports <- factor(classes[supported], classes)
  bars <- bars[rev(seq_len(nrow(bars))), ]
  start_figure(drawn, c(
    label_scales(label_style(classes, style)), level_scales("y", bars$term, bars$panel)
  )) +
    base_line(0, colour = "grey20") +
    bars_of(bars, "y", "term", "zero", column, fill = "supports") +
    panels_by(bars, beside = as.character(bars$term))
}

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
#' @return Invisibly, the drawn rows of `x`: a data frame. Terms without a finite number are not
#'   drawn, nor are terms of a class whose \eqn{z} is not positive.
#' @section Errors: `bayesrisk_error_argument` names the argument.
#' @seealso [top_features()]
#' @examples
#' words <- rbind(c(2, 1, 0, 1), c(1, 0, 0, 1), c(0, 1, 2, 1), c(0, 1, 1, 0))
#' colnames(words) <- c("offer", "you", "meeting", "the")
#' model <- fit(bayes_text(), list(words = words), c("spam", "spam", "ham", "ham"))
#' plot(top_features(model))
#' plot(top_features(model, newdata = list(words = words[1:2, ])), case = 1:2)
#' @export
plot.bayesrisk_top_features <- function(x, ...) {
  call <- rlang::current_env()
  style <- read_style(list(...), call, levels(x$class))
  drawn <- top_data(x, call)
  shown <- unique(as.character(drawn$class))
  keys <- label_style(levels(x$class), style)
  panels <- lapply(split(drawn, factor(drawn$class, shown)), function(rows) {
    bar_panel(rows$term, rows$z, rows$class, keys, paste("z of class", rows$class[[1L]]))
  })
  draw_bar_panels(panels, keys, shown, style)
  invisible(drawn)
}

# The terms of at most six classes.
top_data <- function(x, call) {
  if (!all(names_of_top %in% names(x))) {
    abort_argument("{.arg {drawn_name(call)}} is not a whole result of {.fn top_features}.", call)
  }
  drawn <- plain_frame(x)[is.finite(x$z) & x$z > 0, ]
  if (nrow(drawn) == 0L) {
    abort_argument("{.arg {drawn_name(call)}} has no term that speaks for a class.", call)
  }
  shown <- first_panels(unique(as.character(drawn$class)), "classes", "class", most_panels)
  drawn[drawn$class %in% shown, ]
}

#' @rdname plot.bayesrisk_top_features
#' @export
plot.bayesrisk_case_features <- function(x, ..., case = 1) {
  call <- rlang::current_env()
  style <- read_style(list(...), call, levels(x$class))
  drawn <- case_terms_data(x, case, call)
  keys <- label_style(levels(x$class), style)
  panels <- lapply(split(drawn, factor(drawn$case, unique(drawn$case))), function(rows) {
    bar_panel(rows$term, rows$contribution, supported_class(rows), keys, c(
      sprintf("case %s: log odds of", rows$case[[1L]]),
      sprintf("%s against %s", rows$class[[1L]], rows$against[[1L]])
    ))
  })
  draw_bar_panels(panels, keys, c(as.character(drawn$class), as.character(drawn$against)), style)
  invisible(drawn)
}

case_terms_data <- function(x, case, call) {
  if (!all(names_of_case_terms %in% names(x)) || nrow(x) == 0L) {
    abort_argument(
      "{.arg {drawn_name(call)}} has no case or is not a whole result of {.fn top_features}.", call
    )
  }
  cases <- as.character(unique(x$case))
  chosen <- cases[check_cases_drawn(case, cases, call)]
  drawn <- plain_frame(x)[x$case %in% chosen & is.finite(x$contribution), ]
  if (nrow(drawn) == 0L) {
    abort_argument("{.arg {drawn_name(call)}} has no term with a number to draw.", call)
  }
  drawn[order(match(drawn$case, chosen), -drawn$contribution), ]
}

# The code of the class that each contribution supports.
supported_class <- function(rows) ifelse(rows$contribution < 0, rows$against, rows$class)

# Horizontal bars, the first one at the top. `key`: the number of the key of each bar.
bar_panel <- function(terms, values, key, keys, title) {
  y <- rev(seq_along(values))
  key <- as.integer(key)
  list(
    xlim = range(0, values) + c(-0.04, 0.04) * diff(range(0, values)), rows = rev(terms),
    xlab = title, ylab = "",
    draw = function() {
      graphics::abline(v = 0, col = "grey60")
      for (i in seq_along(y)) {
        ends <- range(0, values[[i]])
        draw_bars(ends[[1L]], y[[i]] - 0.35, ends[[2L]], y[[i]] + 0.35, keys, key[[i]])
      }
      graphics::abline(v = 0, col = "grey20")
    }
  )
}

draw_bar_panels <- function(panels, keys, shown, style) {
  legend <- legend_entries(keys[keys$labels %in% shown, ], bar = TRUE, title = "speaks for:")
  draw_figure(unname(panels), list(legend), style)
}

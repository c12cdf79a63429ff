#' Plot an estimated prior
#'
#' A symbol for each class shows its estimated probability, and a line the interval. A cross shows
#' the prior of the model. Small grey points are the estimates by single features; if one of them
#' contradicts the estimate, [estimate_prior()] has warned.
#'
#' @param x A result of [estimate_prior()].
#' @param ... Graphical parameters, as in [plot()][plot.bayesrisk_model]; `col`, `lwd`, `pch`
#'   and `cex` are those of the classes.
#' @return A ggplot, whose element `data` has the drawn data: a data frame `class`, `prior`,
#'   `lower`, `upper`, `model`.
#' @section Errors: `bayesrisk_error_argument` names the argument.
#' @seealso [estimate_prior()]
#' @export
#' @examples
#' model <- fit(bayes_full(), Species ~ ., iris)
#' plot(estimate_prior(model, iris[c(1:5, 51:90, 101:145), -5]))
plot.bayesrisk_prior <- function(x, ...) {
  call <- rlang::current_env()
  drawn <- result_rows(x, call)
  style <- read_style(list(...), call, interval_parameters, levels(drawn$class))
  finish_figure(prior_figure(drawn, prior_estimates(x$check, levels(drawn$class)), style), style)
}

# The estimates by single features.
prior_estimates <- function(check, classes) {
  none <- matrix(0, 0L, length(classes))
  single <- if (is.null(check)) none else as.matrix(check[alone_columns(classes)])
  data.frame(
    class = factor(rep(classes, each = nrow(single)), classes), prior = as.vector(single)
  )
}

prior_figure <- function(drawn, single, style) {
  keys <- label_style(levels(drawn$class), style)
  start_figure(drawn, c(label_scales(keys), level_scales("x", keys$labels))) +
    base_line(y = 0) + interval_marks(drawn, "class", "prior", keys) +
    ggplot2::geom_point(
      aes_of(x = "class", y = "model"), drawn, shape = 4L, stroke = 1, size = 2,
      position = ggplot2::position_nudge(0.15)
    ) +
    (if (nrow(single)) {
      ggplot2::geom_point(
        aes_of(x = "class", y = "prior"), single, colour = "grey60", size = 1,
        position = ggplot2::position_nudge(-0.15), na.rm = TRUE
      )
    }) +
    titled("class", "prior", caption = paste(c(
      "Cross: prior of the model.", if (nrow(single)) "Grey points: by single features."
    ), collapse = " "))
}

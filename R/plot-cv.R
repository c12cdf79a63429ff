#' Plot a cross-validation: the candidates and their intervals
#'
#' @param x A result of [cv_risk()].
#' @param type `"cost"` (the default): the mean cost of each candidate with its 95 %
#'   interval, and that of each fold as a light point; or `"difference"`: the cost of each
#'   candidate minus that of the first, paired case by case, with its 95 % interval. The
#'   intervals of costs overlap long after those of the differences tell candidates apart.
#' @param ... Graphical parameters, as in [plot()][plot.bayesrisk_model]; `col` and `pch`
#'   are those of the candidates.
#' @return What was drawn, invisibly: a data frame `candidate`, `estimate`, `lower`, `upper`.
#' @section Errors: `bayesrisk_error_argument`, also where `x` is a part of a result, or no
#'   candidate has a cost that is a number.
#' @seealso [cv_risk()]
#' @export
#' @examples
#' set.seed(1)
#' candidates <- list(
#'   naive = bayes_naive(), full = bayes_full(), pooled = bayes_full(covariance = "pooled")
#' )
#' result <- cv_risk(candidates, Species ~ ., iris)
#' plot(result)
#' plot(result, "difference")
plot.bayesrisk_cv <- function(x, type = c("cost", "difference"), ...) {
  call <- rlang::current_env()
  check_cv(x, call)
  type <- check_choice(type, c("cost", "difference"), "type", call)
  view <- list(style = read_style(list(...), call), call = call)
  drawn <- cv_intervals(x, type)
  finite <- is.finite(drawn$estimate)
  if (!any(finite)) {
    abort_argument("{.arg x} has no candidate whose {type} is a number: nothing to draw.", call)
  }
  folds <- if (type == "cost") attr(x, "by_fold")
  ends <- c(drawn$lower, drawn$upper, drawn$estimate, folds$cost, if (type == "difference") 0)
  look <- label_style(drawn$candidate, view$style, call)
  panel <- list(
    xlim = c(0.5, nrow(drawn) + 0.5), ylim = range(ends[is.finite(ends)]),
    levels = drawn$candidate, xlab = "",
    ylab = if (type == "cost") "cost per case" else paste("cost minus that of", x$candidate[[1L]]),
    paint = function() draw_intervals(drawn, folds, look, type)
  )
  draw_figure(list(panel), list(), view)
  invisible(drawn)
}

check_cv <- function(x, call) {
  if (is_whole_cv(x)) return(invisible())
  abort_argument(c(
    "{.arg x} is no whole result of {.fn cv_risk}: its folds are gone.",
    i = "Draw the result itself."
  ), call)
}

cv_intervals <- function(x, type) {
  if (type == "difference") {
    return(data.frame(
      candidate = x$candidate, estimate = x$difference, lower = x$lower, upper = x$upper
    ))
  }
  interval <- mean_interval(x$cost, attr(x, "cost_error"))
  data.frame(candidate = x$candidate, estimate = x$cost, interval)
}

draw_intervals <- function(drawn, folds, look, type) {
  at <- seq_len(nrow(drawn))
  if (type == "difference") graphics::abline(h = 0, col = "grey60")
  if (!is.null(folds)) {
    # Side by side in the order of the folds: points of equal cost are told apart.
    within <- stats::ave(seq_along(folds$fold), folds$candidate, FUN = seq_along)
    shift <- (within - 0.5) / max(within) - 0.5
    graphics::points(
      as.integer(folds$candidate) + 0.5 * shift, folds$cost, pch = 16L, cex = 0.6, col = "grey70"
    )
  }
  graphics::segments(at, drawn$lower, at, drawn$upper, col = look$col, lwd = look$lwd)
  draw_symbols(at, drawn$estimate, look, at, cex = 1.3)
}

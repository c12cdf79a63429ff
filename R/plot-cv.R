#' Plot a cross-validation: the candidates and their intervals
#'
#' @param x A result of [cv_risk()].
#' @param type `"cost"` (the default): the mean cost of each candidate with its 95 % interval; or
#'   `"difference"`: the cost of each candidate minus the cost of the first, paired case by case,
#'   with its 95 % interval. Light points are the costs, or these differences, in each fold.
#'   Intervals of costs can overlap although the intervals of differences separate the candidates.
#' @param ... Graphical parameters, as in [plot()][plot.bayesrisk_model]; `col`, `lwd`, `pch`
#'   and `cex` are those of the candidates.
#' @return A ggplot, whose element `data` has the drawn data: a data frame `candidate`,
#'   `estimate`, `lower`, `upper`.
#' @section Errors: `bayesrisk_error_argument`, also if `x` is a part of a result, or if no
#'   candidate has a finite cost (or difference).
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
  check_whole(x, "cv_risk", "its folds", call)
  type <- check_choice(type, c("cost", "difference"), "type", call)
  style <- read_style(list(...), call, interval_parameters)
  folds <- fold_values(attr(x, "by_fold"), type)
  # Differences are costs saved or added, also by gains.
  gains <- type == "cost" && are_gains(x$cost, attr(x, "cost"))
  drawn <- cv_data(x, type, call)
  finish_figure(cv_figure(drawn, folds, type == "difference", gains, style), style)
}

# The interval of each candidate.
cv_data <- function(x, type, call) {
  if (!any(is.finite(x[[type]]))) {
    abort_argument(
      "{.arg x} has no candidate whose {type} is a number: nothing to draw.", call
    )
  }
  ends <- if (type == "difference") c("lower", "upper") else c("cost_lower", "cost_upper")
  data.frame(
    candidate = x$candidate, estimate = x[[type]], lower = x[[ends[[1L]]]], upper = x[[ends[[2L]]]]
  )
}

# The cost of each candidate in each fold, or the cost minus that of the first candidate there.
fold_values <- function(folds, type) {
  values <- folds[c("candidate", "fold", "cost")]
  if (type == "cost") return(values)
  first <- values[as.integer(values$candidate) == 1L, ]
  values$cost <- values$cost - first$cost[match(values$fold, first$fold)]
  values[as.integer(values$candidate) != 1L, ]
}

cv_title <- function(drawn, paired, gains) {
  if (paired) return(paste("cost minus that of", drawn$candidate[[1L]]))
  gain_words("cost per case", gains)
}

# The points of the folds stand side by side, so that points of equal cost do not overlap.
cv_figure <- function(drawn, folds, paired, gains, style) {
  keys <- label_style(as.character(drawn$candidate), style)
  marks <- drawn
  numbers <- c("estimate", "lower", "upper")
  marks[numbers] <- lapply(marks[numbers], gain_numbers, gains)
  folds$cost <- gain_numbers(folds$cost, gains)
  marks$candidate <- as_seen(as.character(marks$candidate))
  folds$spread <- as.integer(as_seen(folds$fold))
  start_figure(drawn, c(label_scales(keys), level_scales("x", marks$candidate))) +
    (if (paired) base_line(y = 0)) + interval_marks(marks, "candidate", "estimate", keys) +
    ggplot2::geom_point(
      aes_of(x = "candidate", y = "cost", group = "spread"), folds, colour = "grey65", size = 1,
      position = ggplot2::position_dodge(0.5), na.rm = TRUE
    ) +
    titled(NULL, cv_title(drawn, paired, gains))
}

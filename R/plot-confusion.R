#' Plot a confusion table
#'
#' Tiles with the number of cases and their share of the truth; with a cost also what
#' they cost together.
#'
#' @param x A [confusion_table()].
#' @param ... Graphical parameters, as in [plot()][plot.bayesrisk_model].
#' @param cost What each decision costs under each truth: see [cost_matrix()]. The darker a
#'   tile, the larger its share of the cost; without a cost, its share of the truth.
#' @return What was drawn, invisibly: a data frame `truth`, `decision`, `n`, `cost` (the
#'   sum over the cases, `NA` without a cost) and `share` (of the sum over all).
#' @section Errors: `bayesrisk_error_argument`, as in [expected_cost()].
#' @seealso [confusion_table()], [plot()][plot.bayesrisk_assessment] of an assessment
#' @export
#' @examples
#' model <- fit(bayes_naive(), Species ~ Sepal.Length, iris)
#' counts <- confusion_table(iris$Species, predict(model, iris))
#' plot(counts)
plot.bayesrisk_confusion <- function(x, ..., cost = NULL) {
  call <- rlang::current_env()
  counts <- counts_by_truth(x, call)
  view <- list(style = read_style(list(...), call), call = call)
  cells <- expand.grid(decision = colnames(counts), truth = rownames(counts))
  cells <- data.frame(
    cells[c("truth", "decision")], n = as.vector(t(counts)), cost = NA_real_, share = NA_real_
  )
  if (!is.null(cost)) {
    cells$cost <- as.vector(t(price_counts(counts, cost, call)))
    cells$share <- cells$cost / sum(cells$cost)
  }
  invisible(draw_confusion(counts, cells, view))
}

draw_confusion <- function(counts, cells, view) {
  counts <- unclass(counts)
  truths <- rownames(counts)
  of_truth <- counts / rowSums(counts)
  by_cost <- !anyNA(cells$share) && all(cells$share >= 0)
  shade <- if (by_cost) cells$share else as.vector(t(of_truth))
  shade[is.nan(shade)] <- 0
  panel <- list(
    xlim = c(0.5, ncol(counts) + 0.5), ylim = c(0.5, length(truths) + 0.5),
    levels = colnames(counts), rows = rev(truths), xlab = "decision", ylab = "truth", fills = TRUE,
    paint = function() draw_tiles(counts, of_truth, cells, shade)
  )
  labels <- if (by_cost) "of the cost" else "of a truth's cases"
  steps <- c(0, 0.25, 0.5, 1)
  look <- label_style(sprintf("%s%%", 100 * steps), list(), view$call)
  legend <- legend_block(look, fill = tile_colours(steps), title = sprintf("share %s:", labels))
  draw_figure(list(panel), list(legend), view)
  cells
}

draw_tiles <- function(counts, of_truth, cells, shade) {
  x <- match(cells$decision, colnames(counts))
  y <- nrow(counts) + 1 - match(cells$truth, rownames(counts))
  graphics::rect(x - 0.5, y - 0.5, x + 0.5, y + 0.5, col = tile_colours(shade), border = "white")
  share <- as.vector(t(of_truth))
  text <- sprintf(
    "%s\n%s", vapply(cells$n, format_count, ""),
    ifelse(is.nan(share), "-", paste0(format(round(100 * share), trim = TRUE), "%"))
  )
  if (!anyNA(cells$cost)) {
    text <- paste0(text, "\ncost ", vapply(signif(cells$cost, 4L), format, ""))
  }
  size <- tile_text_size(text, counts)
  graphics::text(x, y, text, cex = size, col = ifelse(shade > 0.7, "white", "grey10"))
}

# White to dark blue.
tile_colours <- function(share) {
  mix <- grDevices::colorRamp(c("#F7FBFF", "#9ECAE1", "#08519C"), space = "Lab")
  grDevices::rgb(mix(pmin(pmax(share, 0), 1)), maxColorValue = 255)
}

# As large as fits into a tile, at most as the text of the axes.
tile_text_size <- function(text, counts) {
  size <- graphics::par("pin") / rev(dim(counts))
  room <- c(
    0.9 * size[[1L]] / max(graphics::strwidth(text, "inches")),
    0.8 * size[[2L]] / max(graphics::strheight(text, "inches"))
  )
  max(0.4, min(1, room))
}

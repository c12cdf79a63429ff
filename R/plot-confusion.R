#' Plot a confusion table
#'
#' Tiles with the number of cases and their share of the truth. With a cost, tiles also show the
#' total cost of their cases.
#'
#' @param x A [confusion_table()].
#' @param ... Graphical parameters, as in [plot()][plot.bayesrisk_model].
#' @param cost The cost of each decision under each truth: see [cost_matrix()]. Darker tiles have a
#'   larger share of the cost; without a cost, of the truth.
#' @return Invisibly, the drawn data: a data frame `truth`, `decision`, `n`, `cost` (the
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
  style <- read_style(list(...), call)
  cells <- confusion_data(counts, cost, call)
  draw_confusion(cells, style)
  invisible(cells)
}

# One row for each truth and decision. `counts`: a matrix with truths in rows, decisions in columns.
confusion_data <- function(counts, cost, call) {
  cells <- expand.grid(decision = colnames(counts), truth = rownames(counts))
  cells <- data.frame(
    cells[c("truth", "decision")], n = as.vector(t(counts)), cost = NA_real_, share = NA_real_
  )
  if (!is.null(cost)) {
    cells$cost <- as.vector(t(price_counts(counts, cost, call)))
    cells$share <- cells$cost / sum(cells$cost)
  }
  cells
}

draw_confusion <- function(cells, style) {
  of_truth <- cells$n / stats::ave(cells$n, cells$truth, FUN = sum)
  by_cost <- !anyNA(cells$share) && all(cells$share >= 0)
  shade <- if (by_cost) cells$share else of_truth
  shade[is.nan(shade)] <- 0
  panel <- list(
    levels = levels(cells$decision), rows = rev(levels(cells$truth)), xlab = "decision",
    ylab = "truth", fills = TRUE, draw = function() draw_tiles(cells, of_truth, shade)
  )
  steps <- c(0, 0.25, 0.5, 1)
  legend <- legend_entries(
    data.frame(labels = sprintf("%s%%", 100 * steps)), fill = tile_colours(steps),
    title = sprintf("share %s:", if (by_cost) "of the cost" else "of a truth's cases")
  )
  draw_figure(list(panel), list(legend), style)
}

draw_tiles <- function(cells, of_truth, shade) {
  x <- as.integer(cells$decision)
  y <- nlevels(cells$truth) + 1 - as.integer(cells$truth)
  graphics::rect(x - 0.5, y - 0.5, x + 0.5, y + 0.5, col = tile_colours(shade), border = "white")
  text <- sprintf(
    "%s\n%s", vapply(cells$n, format_count, ""),
    ifelse(is.nan(of_truth), "-", paste0(format(round(100 * of_truth), trim = TRUE), "%"))
  )
  if (!anyNA(cells$cost)) {
    text <- paste0(text, "\ncost ", vapply(signif(cells$cost, 4L), format, ""))
  }
  size <- tile_text_size(text, c(max(x), max(y)))
  graphics::text(x, y, text, cex = size, col = ifelse(shade > 0.7, "white", "grey10"))
}

# White to dark blue.
tile_colours <- function(share) {
  mix <- grDevices::colorRamp(c("#F7FBFF", "#9ECAE1", "#08519C"), space = "Lab")
  grDevices::rgb(mix(pmin(pmax(share, 0), 1)), maxColorValue = 255)
}

# The largest text size that fits into a tile, at most the text size of the axes. `tiles`: the
# number of tiles (horizontally, vertically).
tile_text_size <- function(text, tiles) {
  inches <- c(
    max(graphics::strwidth(text, "inches")) / 0.9, max(graphics::strheight(text, "inches")) / 0.8
  )
  max(0.4, min(1, graphics::par("pin") / tiles / inches))
}

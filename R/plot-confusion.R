#' Plot a confusion table
#'
#' Tiles with the number of cases and their share of the truth, as far as these numbers fit. With a
#' cost, tiles also show the total cost of their cases. A frame marks decisions for the true class.
#'
#' @param x A [confusion_table()].
#' @param ... Graphical parameters, as in [plot()][plot.bayesrisk_model].
#' @param cost The cost of each decision under each truth: see [cost_matrix()]. With a cost, the
#'   darkness of an error shows its share of the total cost. The darkness of other tiles shows their
#'   share of the cases of their truth.
#' @return Invisibly, the drawn data: a data frame `truth`, `decision`, `n`, `cost` (the sum over
#'   the cases, `NA` without a cost) and `share` (of the sum over all).
#' @section Errors: `bayesrisk_error_argument`, as in [expected_cost()].
#' @seealso [confusion_table()], [plot()][plot.bayesrisk_assessment] of an assessment
#' @export
#' @examples
#' model <- fit(bayes_naive(), Species ~ Sepal.Length, iris)
#' counts <- confusion_table(iris$Species, predict(model, iris))
#' plot(counts)
plot.bayesrisk_confusion <- function(x, ..., cost = NULL) {
  call <- rlang::current_env()
  style <- read_style(list(...), call)
  cells <- confusion_data(counts_by_truth(x, call), cost, call)
  draw_confusion(cells, style)
  invisible(cells)
}

# One row for each truth and decision. `counts`: a matrix with truths in rows, decisions in columns.
confusion_data <- function(counts, cost, call) {
  cell_frame(counts, if (is.null(cost)) NA_real_ else price_counts(counts, cost, call))
}

# The share of the truth, the shade (from 0 to 1) and the colour of each tile. With costs, errors
# are red by their share of the cost, and decisions that are the truth are blue by their share of
# the truth. Without costs, or with gains, all tiles are blue.
shade_tiles <- function(cells) {
  right <- as.character(cells$decision) == as.character(cells$truth)
  of_truth <- cells$n / stats::ave(cells$n, cells$truth, FUN = sum)
  by_cost <- !right & !anyNA(cells$share) & all(cells$share >= 0)
  # With many classes each share of the cost is small: the largest one is the darkest.
  darkest <- finite_max(cells$share[by_cost])
  shade <- ifelse(by_cost, cells$share / darkest, of_truth)
  shade[is.nan(shade)] <- 0
  colour <- ifelse(by_cost, cost_colours(shade), share_colours(shade))
  data.frame(right, of_truth, by_cost, darkest, shade, colour)
}

draw_confusion <- function(cells, style) {
  tiles <- shade_tiles(cells)
  panel <- list(
    levels = levels(cells$decision), rows = rev(levels(cells$truth)), xlab = "decision",
    ylab = "truth", fills = TRUE, draw = function() {
      draw_tiles(cells, tiles)
      draw_tile_texts(cells, tiles)
    }
  )
  legends <- c(
    if (!all(tiles$by_cost)) shade_legend("share of a truth's cases:", share_colours, 1),
    if (any(tiles$by_cost)) shade_legend("share of the cost:", cost_colours, tiles$darkest[[1L]])
  )
  draw_figure(list(panel), legends, style)
}

shade_legend <- function(title, colours_of, darkest) {
  steps <- c(0, 0.25, 0.5, 1)
  labels <- sprintf("%s%%", signif(100 * darkest * steps, 2L))
  list(legend_entries(data.frame(labels = labels), fill = colours_of(steps), title = title))
}

# Draws the tiles, and a dark frame around decisions for the true class.
draw_tiles <- function(cells, tiles) {
  x <- as.integer(cells$decision)
  y <- nlevels(cells$truth) + 1 - as.integer(cells$truth)
  draw <- function(k, half, ...) {
    graphics::rect(x[k] - half, y[k] - half, x[k] + half, y[k] + half, ...)
  }
  draw(seq_along(x), 0.5, col = tiles$colour, border = "white")
  draw(which(tiles$right), 0.47, border = "grey20", lwd = 1.5)
}

draw_tile_texts <- function(cells, tiles) {
  size <- c(nlevels(cells$decision), nlevels(cells$truth))
  text <- fit_tile_text(tile_texts(cells, tiles$of_truth), size)
  if (is.null(text)) return(invisible())
  graphics::text(
    as.integer(cells$decision), size[[2L]] + 1 - as.integer(cells$truth), text,
    cex = tile_text_size(text, size),
    col = ifelse(tiles$shade > 0.7, "white", ifelse(cells$n > 0, "grey10", "grey60"))
  )
}

# The possible texts of the tiles, the longest first.
tile_texts <- function(cells, of_truth) {
  count <- vapply(cells$n, format_count, "")
  share <- ifelse(is.nan(of_truth), "-", paste0(format(round(100 * of_truth), trim = TRUE), "%"))
  texts <- list(paste(count, share, sep = "\n"), count)
  if (anyNA(cells$cost)) return(texts)
  c(list(paste0(texts[[1L]], "\ncost ", vapply(signif(cells$cost, 4L), format, ""))), texts)
}

# The longest text that fits into the tiles; NULL if none does.
fit_tile_text <- function(texts, tiles) {
  Find(function(text) tile_text_size(text, tiles) >= 0.5, texts)
}

# White to dark blue, and white to dark red.
share_colours <- function(share) shade_colours(share, c("#F7FBFF", "#9ECAE1", "#08519C"))
cost_colours <- function(share) shade_colours(share, c("#FFFBF5", "#FDBB84", "#B30000"))

shade_colours <- function(share, colours) {
  mix <- grDevices::colorRamp(colours, space = "Lab")
  grDevices::rgb(mix(pmin(pmax(share, 0), 1)), maxColorValue = 255)
}

# The largest text size that fits into a tile, at most the text size of the axes. `tiles`: the
# number of tiles (horizontally, vertically).
tile_text_size <- function(text, tiles) {
  inches <- c(
    max(graphics::strwidth(text, "inches")) / 0.85, max(graphics::strheight(text, "inches")) / 0.75
  )
  min(1, graphics::par("pin") / tiles / inches)
}

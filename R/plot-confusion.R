#' Plot a confusion table
#'
#' Tiles with the number of cases and their share of the truth, as far as these numbers fit. With a
#' cost, tiles also show the total cost of their cases. A frame marks decisions for the true class.
#'
#' @param x A [confusion_table()].
#' @param ... The graphical parameters `main`, `xlab`, `ylab`, `xlim` and `ylim`, as in
#'   [plot()][plot.bayesrisk_model].
#' @param cost The cost of each decision under each truth: see [cost_matrix()]. With a cost, the
#'   darkness of an error shows its share of the total cost. The darkness of other tiles shows their
#'   share of the cases of their truth.
#' @return A ggplot, whose element `data` has the drawn data: a data frame `truth`, `decision`,
#'   `n`, `cost` (the sum over the cases, `NA` without a cost) and `share` (of the sum over all).
#' @section Errors: `bayesrisk_error_argument`, as in [expected_cost()].
#' @seealso [confusion_table()], [plot()][plot.bayesrisk_assessment] of an assessment
#' @export
#' @examples
#' model <- fit(bayes_naive(), Species ~ Sepal.Length, iris)
#' counts <- confusion_table(iris$Species, predict(model, iris))
#' plot(counts)
plot.bayesrisk_confusion <- function(x, ..., cost = NULL) {
  call <- rlang::current_env()
  style <- read_style(list(...), call, limit_parameters)
  cells <- confusion_data(counts_by_truth(x, call), cost, call)
  finish_figure(tile_figure(cells, style), style)
}

# One row for each truth and decision. `counts`: a matrix with truths in rows, decisions in columns.
confusion_data <- function(counts, cost, call) {
  cell_frame(counts, if (is.null(cost)) NA_real_ else price_counts(counts, cost, call))
}

# The share of the truth and the shade (from 0 to 1) of each tile. With costs, errors
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
  data.frame(right, of_truth, by_cost, darkest, shade)
}

# One scale holds both shades: shares of a truth are positive, shares of the cost negative.
tile_figure <- function(cells, style) {
  tiles <- shade_tiles(cells)
  rows <- rev(levels(cells$truth))
  drawn <- cbind(cells, shade = ifelse(tiles$by_cost, -tiles$shade, tiles$shade))
  # The axis has the levels in the order of the rows.
  at <- order(match(cells$truth, rows))
  drawn[c("truth", "decision")] <- lapply(drawn[c("truth", "decision")], as.character)
  start_figure(cells, c(
    shade_scale(tiles), level_scales("x", levels(cells$decision)), level_scales("y", rows)
  )) +
    ggplot2::geom_tile(
      aes_of(x = "decision", y = "truth", fill = "shade"), drawn[at, ], colour = "white"
    ) +
    ggplot2::geom_tile(
      aes_of(x = "decision", y = "truth"), drawn[at, ][tiles$right[at], ], fill = NA,
      colour = "grey20", width = 0.94, height = 0.94, linewidth = 0.7
    ) +
    tile_text_marks(drawn, tiles) +
    view(expand = FALSE) + titled("decision", "truth", fill = shade_title(tiles))
}

tile_text_marks <- function(drawn, tiles) {
  size <- c(length(unique(drawn$decision)), length(unique(drawn$truth)))
  text <- figure_text(tile_texts(drawn, tiles$of_truth), size)
  if (is.null(text)) return(NULL)
  numbers_of(
    cbind(drawn, text = text$text), x = "decision", y = "truth", label = "text", size = text$size,
    looks = list(
      lineheight = 0.9,
      colour = ifelse(tiles$shade > 0.7, "white", ifelse(drawn$n > 0, "grey10", "grey60"))
    )
  )
}

shade_title <- function(tiles) {
  if (!any(tiles$by_cost)) return("share of a truth's cases")
  "red: share of the cost\nblue: share of a truth"
}

shade_scale <- function(tiles) {
  costs <- any(tiles$by_cost)
  steps <- seq(0, 1, 0.1)
  colours <- c(if (costs) cost_colours(rev(steps[-1L])), share_colours(steps))
  of_cost <- function(x) ifelse(x < 0, -x * tiles$darkest[[1L]], x)
  list(scale_fill_continuous = function(...) {
    ggplot2::scale_fill_gradientn(
      colours = colours, limits = c(-costs, 1), guide = "legend",
      breaks = if (costs) c(-1, 0, 1) else c(0, 0.25, 0.5, 1),
      labels = function(x) sprintf("%s%%", signif(100 * of_cost(x), 2L))
    )
  })
}

# The longest text that fits into the tiles, with its size. `tiles`: their columns and rows.
figure_text <- function(texts, tiles) {
  room <- (text_room() - c(2, 0.8)) / tiles
  for (text in texts) {
    lines <- strsplit(text, "\n", fixed = TRUE)
    letters <- max(nchar(unlist(lines), "width"))
    # A letter of size 1 is about 0.022 inches wide, and a line 0.04 inches high.
    size <- min(3.5, 0.85 * room / c(0.022 * letters, 0.04 * max(lengths(lines))))
    if (size >= 2) return(list(text = text, size = size))
  }
  NULL
}

# The possible texts of the tiles, the longest first.
tile_texts <- function(cells, of_truth) {
  # Weighted cases are no whole numbers.
  count <- vapply(round(cells$n, 1L), format_count, "")
  share <- ifelse(is.nan(of_truth), "-", paste0(format(round(100 * of_truth), trim = TRUE), "%"))
  texts <- list(paste(count, share, sep = "\n"), count)
  if (anyNA(cells$cost)) return(texts)
  words <- vapply(signif(cells$cost, 4L), function(cost) say_cost("cost %s", cost, 4L), "")
  c(list(paste(texts[[1L]], words, sep = "\n")), texts)
}

# White to dark blue, and white to dark red.
share_colours <- function(share) shade_colours(share, c("#F7FBFF", "#9ECAE1", "#08519C"))
cost_colours <- function(share) shade_colours(share, c("#FFFBF5", "#FDBB84", "#B30000"))

shade_colours <- function(share, colours) {
  mix <- grDevices::colorRamp(colours, space = "Lab")
  grDevices::rgb(mix(pmin(pmax(share, 0), 1)), maxColorValue = 255)
}

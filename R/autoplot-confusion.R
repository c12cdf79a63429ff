#' @rdname autoplot.bayesrisk
#' @exportS3Method ggplot2::autoplot
autoplot.bayesrisk_confusion <- function(object, cost = NULL, ...) {
  call <- check_no_dots(...)
  tile_figure(confusion_data(counts_by_truth(object, call), cost, call))
}

# One scale holds both shades: shares of a truth are positive, shares of the cost negative.
tile_figure <- function(cells) {
  tiles <- shade_tiles(cells)
  size <- c(nlevels(cells$decision), nlevels(cells$truth))
  rows <- rev(levels(cells$truth))
  drawn <- cbind(cells, shade = ifelse(tiles$by_cost, -tiles$shade, tiles$shade))
  drawn$truth <- factor(drawn$truth, rows)
  text <- figure_text(tile_texts(cells, tiles$of_truth), size)
  start_figure(drawn, c(shade_scale(tiles), level_axes(levels(cells$decision), rows))) +
    ggplot2::geom_tile(
      aes_of(x = "decision", y = "truth", fill = "shade"), drawn, colour = "white"
    ) +
    ggplot2::geom_tile(
      aes_of(x = "decision", y = "truth"), drawn[tiles$right, ], fill = NA, colour = "grey20",
      width = 0.94, height = 0.94, linewidth = 0.7
    ) +
    (if (!is.null(text)) {
      ggplot2::geom_text(
        aes_of(x = "decision", y = "truth", label = "text"), cbind(drawn, text = text$text),
        size = text$size, lineheight = 0.9, colour = ifelse(tiles$shade > 0.7, "white", "grey10")
      )
    }) +
    view(expand = FALSE) + titled("decision", "truth", fill = shade_title(tiles))
}

# The axes of tiles, each of one kind.
level_axes <- function(columns, rows) {
  turned <- sum(nchar(columns, "width") + 2L) > 48
  list(
    scale_x_discrete = function(...) {
      ggplot2::scale_x_discrete(
        labels = function(x) cut_to(x, if (turned) 18L else 26L),
        guide = ggplot2::guide_axis(angle = if (turned) 90), drop = FALSE
      )
    },
    scale_y_discrete = function(...) {
      ggplot2::scale_y_discrete(labels = function(x) cut_to(x, 18L), drop = FALSE)
    }
  )
}

shade_title <- function(tiles) {
  if (!any(tiles$by_cost)) return("share of\na truth's\ncases")
  "blue: share\nof a truth's\ncases\nred: share\nof the cost"
}

shade_scale <- function(tiles) {
  costs <- any(tiles$by_cost)
  steps <- seq(0, 1, 0.1)
  colours <- c(if (costs) cost_colours(rev(steps[-1L])), share_colours(steps))
  of_cost <- function(x) ifelse(x < 0, -x * tiles$darkest[[1L]], x)
  list(scale_fill_continuous = function(...) {
    ggplot2::scale_fill_gradientn(
      colours = colours, limits = c(-costs, 1),
      labels = function(x) sprintf("%s%%", signif(100 * of_cost(x), 2L))
    )
  })
}

# The longest text that fits into tiles of a figure of 6 x 4 inches, with its size.
figure_text <- function(texts, tiles) {
  room <- c(4, 3.2) / tiles
  for (text in texts) {
    lines <- strsplit(text, "\n", fixed = TRUE)
    letters <- max(nchar(unlist(lines), "width"))
    # A letter of size 1 is about 0.022 inches wide, and a line 0.04 inches high.
    size <- min(3.5, 0.85 * room / c(0.022 * letters, 0.04 * max(lengths(lines))))
    if (size >= 2) return(list(text = text, size = size))
  }
  NULL
}

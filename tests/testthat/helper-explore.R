# The data of a page of explorer(): the numbers of a table, the size of all, and what R decides.

page_numbers <- function(text) {
  readBin(jsonlite::base64_dec(text), "double", 1e6, size = 4, endian = "little")
}

# The tables of one of the models of a page.
page_part <- function(page, i = 1L) page$x$parts[[i]]

page_size <- function(page) nchar(htmlwidgets:::toJSON(page$x), "bytes") # nolint

# The shares of the decisions in the plane that a page shows, on a grid of R: midpoints of `size` x
# `size` cells.
shares_by_r <- function(page, model, cost = NULL, prior = NULL, size = 300L, others = list()) {
  shown <- page_part(page)$features[1:2]
  at <- lapply(shown, function(axis) {
    if (!is.null(axis$labels)) return(factor(axis$labels, axis$labels))
    axis$range[[1]] + diff(axis$range) * (seq_len(size) - 0.5) / size
  })
  grid <- expand.grid(stats::setNames(at, shown_names(page)))
  for (axis in shown) if (isTRUE(axis$whole)) grid[[axis$name]] <- round(grid[[axis$name]])
  for (name in setdiff(names(model$schema$features), names(grid))) {
    grid[[name]] <- if (is.null(others[[name]])) NA else others[[name]]
  }
  decision <- suppressWarnings(predict(model, grid, "decision", cost = cost, prior = prior))
  as.vector(table(decision)) / nrow(grid)
}

shown_names <- function(page) vapply(page_part(page)$features[1:2], `[[`, "", "name")

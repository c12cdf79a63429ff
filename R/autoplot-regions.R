# Decision regions: intervals of one numeric feature, or the plane of two.

# Prior times density as curves, the decisions as a strip below, the cases in rows below the strip.
interval_figure <- function(drawn) {
  classes <- levels(drawn$class)
  actions <- levels(drawn$decision)
  keys <- label_style(classes, list())
  first <- drawn[drawn$class == classes[[1L]], ]
  top <- finite_max(c(drawn$density, first$risk))
  regions <- attr(drawn, "regions")
  fills <- stats::setNames(region_colours(actions, keys), actions)
  start_figure(drawn, c(
    label_scales(keys, fills), cut_axis(regions$cut, first$x), positive_axis()
  )) +
    area_marks(first) + strip_marks(first$x, regions, actions, top) +
    base_line(regions$cut, colour = "grey30", linetype = "dotted") +
    base_line(attr(drawn, "rule_cuts"), colour = "grey30") +
    lines_of(drawn, x = "x", y = "density", colour = "class", linetype = "class") +
    case_rows(attr(drawn, "cases"), keys, top) +
    titled(
      first$feature[[1L]], "prior x density",
      caption = if (!is.null(first$risk)) {
        "Cost of the rule. Grey: no rule avoids it.\nLight red: the best rule would save it."
      }
    )
}

# Nothing is measured below 0.
positive_axis <- function() {
  breaks <- function(limits) pretty(c(0, max(limits)))
  list(scale_y_continuous = function(...) ggplot2::scale_y_continuous(breaks = breaks))
}

strip_marks <- function(x, regions, actions, top) {
  edges <- c(min(x), regions$cut, max(x))
  strip <- data.frame(
    from = utils::head(edges, -1L), to = edges[-1L], low = -0.11 * top, high = -0.03 * top,
    decision = factor(actions[regions$decision], actions)
  )
  ggplot2::geom_rect(
    aes_of(xmin = "from", xmax = "to", ymin = "low", ymax = "high", fill = "decision"), strip,
    colour = "grey20", linewidth = 0.3
  )
}

# The expected cost of a rule, and the part of it that no rule avoids.
area_marks <- function(first) {
  if (is.null(first$risk)) return(NULL)
  first$zero <- 0
  list(
    ggplot2::geom_ribbon(
      aes_of(x = "x", ymin = "least", ymax = "risk"), first, fill = area_colours[["avoidable"]]
    ),
    ggplot2::geom_ribbon(
      aes_of(x = "x", ymin = "zero", ymax = "least"), first, fill = area_colours[["inevitable"]]
    )
  )
}

# A row of symbols for each class, as draw_case_rows() has them.
case_rows <- function(cases, keys, top) {
  if (is.null(cases)) return(NULL)
  rows <- min(nrow(keys) + anyNA(cases$class), 8L)
  row <- ifelse(is.na(cases$class), nrow(keys) + 1L, as.integer(cases$class))
  cases <- data.frame(x = cases[[1L]], class = cases$class)
  cases$y <- -(0.15 + 0.035 * (pmin(row, rows) - 1)) * top
  point_marks(cases, keys, 1.2)
}

# Symbols by class with a dark edge: smaller and more transparent the more cases there are.
point_marks <- function(cases, keys, size) {
  keys <- case_keys(keys, list(), nrow(cases))
  size <- size * keys$cex[[1L]]
  alpha <- keys$alpha[[1L]]
  list(
    ggplot2::geom_point(
      aes_of(x = "x", y = "y", shape = "class"), cases, na.rm = TRUE, show.legend = FALSE,
      size = size + 0.8, alpha = alpha, colour = "grey20"
    ),
    ggplot2::geom_point(
      aes_of(x = "x", y = "y", colour = "class", shape = "class"), cases, na.rm = TRUE,
      size = size, alpha = alpha
    )
  )
}

plane_figure <- function(drawn, classes) {
  keys <- label_style(classes, list(classes = classes))
  actions <- levels(drawn$decision)
  fills <- stats::setNames(region_colours(actions, keys), actions)
  lines <- line_points(attr(drawn, "boundaries"))
  cases <- attr(drawn, "cases")
  if (!is.null(cases)) names(cases)[1:2] <- c("x", "y")
  start_figure(drawn, label_scales(keys, fills)) +
    ggplot2::geom_raster(aes_of(x = "x", y = "y", fill = "decision"), drawn) +
    ggplot2::geom_path(
      aes_of(x = "x", y = "y", group = "line"), lines, colour = "grey20", linewidth = 0.5
    ) +
    (if (!is.null(cases)) point_marks(cases, keys, 1.9)) +
    view(expand = FALSE) +
    titled(drawn$feature_x[[1L]], drawn$feature_y[[1L]])
}

# The points of lines, one below the other.
line_points <- function(lines) {
  points <- do.call(rbind, c(list(matrix(0, 0L, 2L)), lines))
  sizes <- vapply(lines, nrow, 1L)
  data.frame(x = points[, 1L], y = points[, 2L], line = rep(seq_along(lines), sizes))
}

# The distribution of a feature in the data, by class, drawn behind its density.

# A data frame: feature, class (`NA`: unknown), from, to, level, density. `density` is the share of
# a level, the density in a bin of `from` to `to`, or the share of a single value. A single value is
# both `from` and `to`.
observed_shares <- function(problem, feature, cases) {
  support <- feature_supports(problem$model, feature)
  known <- !is.na(cases[[feature]]) & is.finite(as.double(cases[[feature]]))
  x <- cases[[feature]][known]
  class <- cases$class[known]
  breaks <- if (support %in% c("line", "counts") && length(x)) {
    histogram_breaks(x, class, support == "counts")
  }
  parts <- lapply(split(seq_along(x), ifelse(is.na(class), 0L, class)), function(of_class) {
    data.frame(feature = feature, class = class[[of_class[[1L]]]], shares(x[of_class], breaks))
  })
  do.call(rbind, unname(parts))
}

shares <- function(x, breaks) {
  if (is.factor(x)) {
    density <- tabulate(x, nlevels(x)) / length(x)
    return(data.frame(from = NA_real_, to = NA_real_, level = levels(x), density = density))
  }
  if (is.null(breaks)) {
    value <- sort(unique(x))
    density <- tabulate(match(x, value)) / length(x)
    return(data.frame(from = value, to = value, level = NA_character_, density = density))
  }
  data.frame(
    from = utils::head(breaks, -1L), to = breaks[-1L], level = NA_character_,
    density = histogram_counts(x, breaks) / (length(x) * diff(breaks))
  )
}

# Bins hold their upper edge, up to errors of rounding, as those of hist() do.
histogram_counts <- function(x, breaks) {
  edges <- breaks + 1e-7 * stats::median(diff(breaks)) * c(-1, rep(1, length(breaks) - 1L))
  tabulate(findInterval(x, edges, left.open = TRUE), length(breaks) - 1L)
}

# Common bins of all classes, at most 60. The rule of Freedman and Diaconis gives a number of bins
# for each class, and the median of these is used. If all values are whole numbers, each bin is a
# whole number wide, and its edges lie halfway between whole numbers.
histogram_breaks <- function(x, class, whole) {
  width <- diff(range(x))
  if (whole) return(seq(min(x) - 0.5, max(x) + width / 60 + 1, by = ceiling((width + 1) / 60)))
  bins <- vapply(split(x, ifelse(is.na(class), 0L, class)), function(x) {
    if (length(x) > 1L) width / diff(range(x)) * grDevices::nclass.FD(x) else NA_real_
  }, 1)
  breaks <- pretty(x, max(5, min(60, stats::median(bins[is.finite(bins)]), na.rm = TRUE)))
  if (any(x != round(x))) return(breaks)
  # A break at a whole number would give the first bin one number more than the others.
  step <- max(1, round(breaks[[2L]] - breaks[[1L]]))
  seq(min(x) - 0.5, max(x) + step, by = step)
}

# The top of a panel. It is the top of the curves, or the top of the data if the data are higher,
# but at most five times the top of the curves.
observed_top <- function(top, density) max(top, min(5 * top, max(density, 0)))

# The rows of observed shares in the panels of a figure, with the top of each mark. A bar that is
# higher than the panel ends at its frame.
observed_rows <- function(seen, rows) {
  rows <- rows[!is.na(rows$density), ]
  seen <- seen[seen$feature %in% rows$panel, ]
  seen$panel <- factor(seen$feature, levels(rows$panel))
  tops <- vapply(split(rows$density, rows$panel), finite_max, 1)
  limits <- mapply(observed_top, tops, split(seen$density, seen$panel))
  seen$limit <- as.double(limits[as.character(seen$panel)])
  seen$high <- seen$density > seen$limit
  seen$top <- ifelse(seen$high, Inf, seen$density)
  cbind(seen, zero = rep(0, nrow(seen)))
}

# The histogram of each class, or a line at each single value. An arrow marks a bar that is higher
# than the panel.
observed_bins <- function(seen, rows) {
  if (is.null(seen)) return(NULL)
  seen <- observed_rows(seen[is.na(seen$level), ], rows)
  high <- seen[seen$high, ]
  high <- cbind(high, middle = (high$from + high$to) / 2, end = 0.98 * high$limit)
  single <- seen$to == seen$from
  list(
    if (any(!single)) {
      ggplot2::geom_rect(
        aes_of(xmin = "from", xmax = "to", ymin = "zero", ymax = "top", fill = "class",
               colour = "class"),
        seen[!single, ], alpha = min(0.2, 0.8 / nlevels(seen$class)), linewidth = 0.1
      )
    },
    if (any(single)) {
      ggplot2::geom_segment(
        aes_of(x = "from", xend = "to", y = "zero", yend = "top", colour = "class"),
        seen[single, ], alpha = 0.5
      )
    },
    if (nrow(high)) {
      high$start <- 0.88 * high$limit
      ggplot2::geom_segment(
        aes_of(x = "middle", xend = "middle", y = "start", yend = "end", colour = "class"), high,
        arrow = ggplot2::arrow(length = ggplot2::unit(0.08, "inches")), show.legend = FALSE
      )
    }
  )
}

# A mark across each bar, at the share of its level among the cases. Cases of unknown class have a
# mark across all bars.
observed_levels <- function(seen, rows) {
  if (is.null(seen) || all(is.na(seen$level))) return(NULL)
  shares <- observed_rows(seen[!is.na(seen$level), ], rows)
  shares$class <- addNA(shares$class, ifany = TRUE)
  ggplot2::geom_errorbar(
    aes_of(x = "level", ymin = "density", ymax = "density", group = "class"), shares,
    position = ggplot2::position_dodge(0.8), width = 0.8,
    linewidth = if (nrow(shares) < 80L) 0.9 else 0.3
  )
}

observed_caption <- function(seen) {
  if (is.null(seen)) return(NULL)
  paste(c(
    if (anyNA(seen$level)) "Filled: histogram of the data.",
    if (!all(is.na(seen$level))) "Black line: share in the data."
  ), collapse = "\n")
}

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
    density = graphics::hist(x, breaks, plot = FALSE)$density
  )
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

# The histogram of each class, or a line at each single value. An arrow marks a bar that is higher
# than the panel. Bars are filled only where the device has transparent colours, because one
# histogram would hide the other.
draw_histograms <- function(seen, keys) {
  if (NROW(seen) == 0L) return(invisible())
  colours <- c(keys$col, "grey40")[match(seen$class, keys$labels, nrow(keys) + 1L)]
  graphics::rect(
    seen$from, 0, seen$to, seen$density, border = fade(colours, 0.4),
    col = if (is_transparent()) fade(colours, min(0.15, 0.6 / nrow(keys))) else NA
  )
  y <- graphics::par("usr")[3:4]
  ends <- y[[2L]] - c(0.12, 0.02) * diff(y)
  high <- which(seen$density > y[[2L]])
  if (!length(high)) return(invisible())
  middle <- ((seen$from + seen$to) / 2)[high]
  graphics::arrows(middle, ends[[1L]], middle, ends[[2L]], 0.08, col = colours[high])
}

# A mark across each bar, at the share of its level among the cases. Cases of unknown class have a
# mark across all bars.
draw_level_shares <- function(seen, levels, classes) {
  if (is.null(seen)) return(invisible())
  k <- as.integer(seen$class)
  width <- ifelse(is.na(k), 0.8, 0.8 / classes)
  left <- match(seen$level, levels) - 0.4 + ifelse(is.na(k), 0, (k - 1) * width)
  graphics::segments(left, seen$density, left + width, seen$density, lwd = 2)
}

observed_legends <- function(observed) {
  if (is.null(observed)) return(NULL)
  mark <- data.frame(labels = "share in the data", col = "black", lty = "solid", lwd = 2)
  c(
    if (anyNA(observed$level)) {
      list(legend_entries(data.frame(labels = "histogram of the data"), fill = "grey85"))
    },
    if (!all(is.na(observed$level))) list(legend_entries(mark, line = TRUE))
  )
}

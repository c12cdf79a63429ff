# Plots of each feature given the class, and of the class given each feature: the data, then the
# drawing.

# With `data`, the attribute `observed` is the result of observed_data().
density_data <- function(problem, features, data) {
  features <- panel_features(problem$model, features, problem$call)
  cases <- read_cases_drawn(problem, data, features)
  drawn <- score_features(problem, features, cases, "log_likelihood", "density", exp)
  drawn$density[drawn$feature %in% left_out_features(problem$model)] <- NA_real_
  if (is.null(cases)) return(drawn)
  observed <- lapply(features, observed_shares, problem = problem, cases = cases)
  observed <- do.call(rbind, observed)
  place <- function(x) paste(match(x$feature, features), x$level)
  structure(drawn, observed = observed[place(observed) %in% place(drawn), ])
}

posterior_data <- function(problem, features) {
  features <- panel_features(problem$model, features, problem$call)
  score_features(problem, features, NULL, "prob", "posterior", identity)
}

# One row for each feature, grid point (or level) and class. The attribute `cut` has the numbers of
# all levels of the features that have too many, named by feature.
score_features <- function(problem, features, cases, type, column, value_of) {
  cut <- NULL
  drawn <- lapply(features, function(name) {
    whole <- feature_grid(problem, name, cases[[name]])
    grid <- telling_levels(problem, name, whole)
    if (length(grid) < length(whole)) cut[[name]] <<- length(whole)
    long_scores(problem, name, grid, value_of(score_along(problem, name, grid, type)), column)
  })
  if (length(cut)) {
    inform_bayesrisk(c(
      "{.field {names(cut)}} {?has/have} more than {most_levels} levels: those that differ most
       between the classes are drawn.",
      i = "{.fn coef} has all of them."
    ), "levels")
  }
  structure(do.call(rbind, drawn), cut = cut)
}

left_out_features <- function(model) {
  names(model$schema$features)[feature_notes(model) %in% "left out"]
}

feature_parameters <- function(drawn) {
  c("ylim", "col", if (anyNA(drawn$level)) c("xlim", "lty", "lwd"))
}

# Densities as curves and bars side by side, posteriors as curves and stacked bars.
feature_figure <- function(drawn, style) {
  rows <- cbind(drawn, panel = as_seen(drawn$feature))
  column <- names(drawn)[[ncol(drawn)]]
  stacked <- column == "posterior"
  seen <- attr(drawn, "observed")
  bars <- rows[!is.na(rows$level), ]
  curves <- rows[is.na(rows$level), ]
  one <- nlevels(rows$panel) == 1L
  start_figure(drawn, c(
    label_scales(label_style(levels(drawn$class), style)),
    if (nrow(bars)) level_scales("x", bars$level, bars$panel, nlevels(rows$panel))
  )) +
    observed_bins(seen, rows) +
    (if (nrow(curves)) lines_by(curves, "x", column, "class")) +
    (if (nrow(bars)) level_bars(bars, column, stacked, !nrow(curves))) +
    observed_levels(seen, rows) + left_out_marks(curves, column) + panels_by(rows) +
    (if (stacked) ggplot2::expand_limits(y = c(0, 1))) +
    titled(
      x = if (one) as.character(drawn$feature[[1L]]),
      y = if (stacked) "posterior probability" else density_title(nrow(curves), nrow(bars)),
      caption = figure_caption(seen, attr(drawn, "cut"))
    )
}

density_title <- function(curves, bars) {
  paste(c("density", "probability")[c(curves > 0, bars > 0)], collapse = " or ")
}

# A posterior that is missing has no bar, but its level has a place.
level_bars <- function(bars, column, stacked, in_legend) {
  known <- if (stacked) bars[!is.na(bars[[column]]), ] else bars
  list(
    ggplot2::geom_blank(aes_of(x = "level"), bars),
    ggplot2::geom_col(
      aes_of(x = "level", y = column, fill = "class", group = "class"), known, width = 0.8,
      position = if (stacked) ggplot2::position_stack(reverse = TRUE) else "dodge",
      orientation = "x",
      # Frames would hide narrow bars.
      colour = if (nrow(bars) < 80L) "grey20" else NA, linewidth = 0.3, na.rm = TRUE,
      show.legend = in_legend
    )
  )
}

# A feature that has one value in all rows has no density, and the model leaves it out.
left_out_marks <- function(curves, column) {
  missing <- setdiff(curves$panel, curves$panel[!is.na(curves[[column]])])
  if (!length(missing)) return(NULL)
  at <- vapply(missing, function(name) mean(range(curves$x[curves$panel == name])), 1)
  text <- data.frame(panel = factor(missing, levels(curves$panel)), x = at, y = 0)
  numbers_of(cbind(text, label = "left out"), x = "x", y = "y", label = "label")
}

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

# `cut`: the numbers of all levels of features of which some are drawn.
figure_caption <- function(seen, cut) {
  lines <- c(
    if (anyNA(seen$level)) "Filled: histogram of the data.",
    if (!all(is.na(seen$level))) "Black line: share in the data.",
    if (length(cut)) {
      names <- cut_to(names(cut), 20L)
      sprintf("%s: %d of %d levels, those that differ most.", names, most_levels, unlist(cut))
    }
  )
  if (length(lines)) paste(lines, collapse = "\n")
}

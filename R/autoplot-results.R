# Figures of points, intervals and bars, one for each label.

#' @rdname autoplot.bayesrisk
#' @exportS3Method ggplot2::autoplot
autoplot.bayesrisk_cv <- function(object, type = c("cost", "difference"), ...) {
  call <- check_no_dots(...)
  type <- choose_cv_plot(object, type, call)
  drawn <- cv_data(object, type, call)
  folds <- fold_values(attr(object, "by_fold"), type)
  folds <- cbind(folds, spread = as.integer(as_seen(folds$fold)))
  drawn$candidate <- as_seen(drawn$candidate)
  paired <- type == "difference"
  start_figure(drawn, c(
    label_scales(label_style(levels(drawn$candidate), list())),
    level_scales("x", drawn$candidate)
  )) +
    (if (paired) base_line(y = 0)) +
    interval_marks(drawn, "candidate", "estimate") +
    ggplot2::geom_point(
      aes_of(x = "candidate", y = "cost", group = "spread"), folds, colour = "grey65", size = 1,
      position = ggplot2::position_dodge(0.5), na.rm = TRUE
    ) +
    titled(NULL, cv_title(drawn, paired))
}

# A symbol and an interval for each label, in its colour.
interval_marks <- function(drawn, label, value) {
  list(
    ggplot2::geom_linerange(
      aes_of(x = label, ymin = "lower", ymax = "upper", colour = label), drawn, linewidth = 0.8,
      show.legend = FALSE, na.rm = TRUE
    ),
    ggplot2::geom_point(
      aes_of(x = label, y = value, colour = label, shape = label), drawn, size = 3,
      show.legend = FALSE, na.rm = TRUE
    )
  )
}

#' @rdname autoplot.bayesrisk
#' @exportS3Method ggplot2::autoplot
autoplot.bayesrisk_prior <- function(object, ...) {
  drawn <- result_rows(object, check_no_dots(...))
  classes <- levels(drawn$class)
  single <- prior_estimates(object$check, classes)
  start_figure(drawn, c(label_scales(label_style(classes, list())), level_scales("x", classes))) +
    base_line(y = 0) + interval_marks(drawn, "class", "prior") +
    ggplot2::geom_point(
      aes_of(x = "class", y = "model"), drawn, shape = 4L, stroke = 1, size = 2,
      position = ggplot2::position_nudge(0.15)
    ) +
    (if (nrow(single)) {
      ggplot2::geom_point(
        aes_of(x = "class", y = "prior"), single, colour = "grey60", size = 1,
        position = ggplot2::position_nudge(-0.15), na.rm = TRUE
      )
    }) +
    titled("class", "prior", caption = paste(c(
      "Cross: prior of the model.", if (nrow(single)) "Grey points: by single features."
    ), collapse = " "))
}

#' @rdname autoplot.bayesrisk
#' @exportS3Method ggplot2::autoplot
autoplot.bayesrisk_stability <- function(object, most = 200, ...) {
  drawn <- stability_data(object, most, check_no_dots(...))
  drawn$place <- seq_len(nrow(drawn))
  drawn$decision <- droplevels(drawn$decision)
  open <- drawn[drawn$stays < firm_share, ]
  start_figure(drawn, label_scales(label_style(levels(drawn$decision), list()))) +
    ggplot2::geom_linerange(
      aes_of(x = "place", ymin = "lower", ymax = "upper", colour = "decision"), drawn
    ) +
    ggplot2::geom_point(aes_of(x = "place", y = "probability", colour = "decision"), drawn) +
    ggplot2::geom_point(
      aes_of(x = "place", y = "probability"), open, colour = "white", size = 0.7
    ) +
    view(ylim = c(0, 1)) +
    titled(
      "cases, by probability", stability_title(drawn),
      caption = if (nrow(open)) sprintf(
        "Open: decisions that stay in less than %g %% of the draws.", 100 * firm_share
      )
    )
}

#' @rdname autoplot.bayesrisk
#' @exportS3Method ggplot2::autoplot
autoplot.bayesrisk_data_value <- function(object, ...) {
  drawn <- data_value_data(object, check_no_dots(...))
  labels <- data_value_labels(drawn)
  of_all <- all(is.na(drawn$class))
  rows <- cbind(drawn, label = factor(if (of_all) labels else drawn$class, labels))
  rows <- rows[order(rows$n), ]
  rows$size <- as_seen(format_count(rows$n))
  price <- attr(object, "price")
  worth <- unique(rows[c("n", "size")])
  if (!is.null(price)) worth <- cbind(worth, price = price_per_case(worth$n, price), line = 1L)
  apart <- ggplot2::position_dodge(0.2 * (length(labels) > 1L))
  start_figure(drawn, c(label_scales(label_style(labels, list())), level_scales("x", rows$size))) +
    base_line(y = 0, colour = "grey85") +
    base_line(y = attr(object, "limit"), colour = "black", linetype = "dotted") +
    (if (!is.null(price)) {
      lines_of(worth, x = "size", y = "price", group = "line", shade = "grey60")
    }) +
    ggplot2::geom_linerange(
      aes_of(x = "size", ymin = "lower", ymax = "upper", colour = "label", group = "label"), rows,
      position = apart, show.legend = !of_all
    ) +
    ggplot2::geom_line(
      aes_of(x = "size", y = "saving", colour = "label", linetype = "label", group = "label"), rows,
      position = apart, linewidth = 0.8,
      show.legend = !of_all
    ) +
    ggplot2::geom_point(
      aes_of(x = "size", y = "saving", colour = "label", group = "label"), rows, position = apart,
      show.legend = !of_all
    ) +
    titled("new rows", "expected saving per case", colour = NULL, linetype = NULL)
}

#' @rdname autoplot.bayesrisk
#' @exportS3Method ggplot2::autoplot
autoplot.bayesrisk_dependence <- function(object, limit = 20, ...) {
  drawn <- dependence_data(object, limit, check_no_dots(...))
  classes <- attr(object, "classes")
  within <- class_information(drawn, classes)
  pairs <- as_seen(paste(cut_to(drawn$first, 15L), cut_to(drawn$second, 15L), sep = " - "))
  bars <- data.frame(pair = pairs, information = drawn$information, zero = 0)
  bars <- bars[rev(seq_len(nrow(bars))), ]
  points <- data.frame(
    pair = rep(pairs, length(classes)), class = factor(rep(classes, each = nrow(drawn)), classes),
    information = as.vector(within)
  )
  points <- points[is.finite(points$information), ]
  start_figure(drawn, c(
    label_scales(label_style(classes, list(classes = classes))),
    level_scales("y", bars$pair, letters = 33L)
  )) +
    base_line(0) +
    bars_of(bars, "y", "pair", "zero", "information", width = 0.5, shade = "grey85") +
    ggplot2::geom_point(
      aes_of(x = "information", y = "pair", colour = "class", shape = "class"), points, size = 2
    ) +
    titled("information given the class (nats)", NULL)
}

#' @rdname autoplot.bayesrisk
#' @exportS3Method ggplot2::autoplot
autoplot.bayesrisk_information <- function(object, limit = 12, ...) {
  drawn <- information_data(object, limit, check_no_dots(...))
  drawn <- plain_frame(drawn)
  nothing <- drawn$risk[[1L]]
  bars <- cbind(drawn[-1L, ], nothing = nothing)
  bars$known <- as_seen(bars$known)
  start_figure(drawn, level_scales("x", bars$known)) +
    bars_of(bars, "x", "known", "risk", "nothing", shade = palette_colours(1L)) +
    base_line(y = nothing, colour = "grey30", linetype = "dotted") +
    ggplot2::expand_limits(y = 0) +
    titled(
      "known before deciding", "expected cost per case",
      caption = "Dotted: knowing nothing. Bars: what is saved."
    )
}

#' @rdname autoplot.bayesrisk
#' @exportS3Method ggplot2::autoplot
autoplot.bayesrisk_decision <- function(object, ...) {
  drawn <- decision_data(object, check_no_dots(...))
  actions <- drawn$actions
  margins <- drawn$margins
  keys <- label_style(as.character(actions$action), list(classes = colnames(decided_by(object))))
  titles <- c("by action, with its mean cost", if (!is.null(margins)) "by margin to the runner-up")
  in_panel <- function(rows, k) cbind(rows, panel = factor(titles[[k]], titles))
  shares <- cbind(in_panel(actions, 1L), zero = 0)
  shares$text <- ifelse(actions$cases > 0L, prettyNum(signif(actions$cost, 3L)), "")
  if (!is.null(margins)) margins <- in_panel(margins, 2L)
  axis <- level_scales("x", actions$action, panels = length(titles))
  start_figure(actions, c(label_scales(keys), axis)) +
    bars_of(shares, "x", "action", "zero", "share", fill = "action", in_legend = is.null(margins)) +
    (if (nrow(actions) <= 6L) {
      ggplot2::geom_text(
        aes_of(x = "action", y = "share", label = "text"), shares, vjust = -0.4, size = 3
      )
    }) +
    (if (!is.null(margins)) {
      lines_of(margins, x = "margin", y = "share", colour = "action", linetype = "action")
    }) +
    panels_by(rbind(shares["panel"], margins["panel"]), "panel", keys$labels) +
    titled(if (is.null(margins)) "action", "share of cases")
}
